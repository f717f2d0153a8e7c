//! Formulas of a problem as circuits, for those who do something else with them than to look for an instance.

use wherefore_base::Budget;
use wherefore_sat::{Circuit, CircuitEdge};

use crate::options::SearchOptions;
use crate::problem::Problem;
use crate::refusal::SearchResult;
use crate::terms::{FormulaId, RelExprId, RelationId};
use crate::translate::{FormulaContext, ProblemTranslator};
use crate::universe::UniverseAtomId;

/// A problem whose relations are inputs of a circuit: one for each tuple that may or may not be there.
pub struct CompiledProblem<'p> {
    translator: ProblemTranslator<'p>,
    /// Total orders that are not fixed, by their axioms.
    orders: Vec<FormulaId>,
}

impl<'p> CompiledProblem<'p> {
    /// A circuit with the inputs of all relations. The requirements of the problem are not part of it, but
    /// total orders of interchangeable atoms are fixed.
    ///
    /// # Errors
    /// When the problem is put together from parts that do not fit.
    pub fn new(problem: &'p Problem, budget: &Budget) -> SearchResult<Self> {
        let mut translator = ProblemTranslator::new(problem, &SearchOptions::default(), budget)?;
        let fixed = translator.fix_orders()?;
        let orders = problem.orders.iter().enumerate();
        let open = orders.filter(|(place, _)| !fixed.contains(place));
        let orders = open.map(|(_, (_, axioms))| *axioms).collect();
        Ok(Self { translator, orders })
    }

    /// What the problem requires of total orders that are not fixed.
    pub fn orders(&self) -> &[FormulaId] {
        &self.orders
    }

    /// The edge that is true exactly where a formula without free variables is.
    ///
    /// # Errors
    /// When it is too large, or when it has variables for sets or relations.
    pub fn formula(&mut self, formula: FormulaId) -> SearchResult<CircuitEdge> {
        self.translator.formula(formula, FormulaContext::inner())
    }

    /// The tuples that an expression without free variables may have, each with the edge that is true
    /// where it has it; in order.
    ///
    /// # Errors
    /// As of [`CompiledProblem::formula`].
    pub fn cells(
        &mut self,
        expr: RelExprId,
    ) -> SearchResult<Vec<(Vec<UniverseAtomId>, CircuitEdge)>> {
        let matrix = self.translator.expr(expr)?;
        let packing = self.translator.packing;
        let cells = matrix.cells.iter();
        Ok(cells
            .map(|&(tuple, edge)| (packing.unpack(tuple, matrix.arity), edge))
            .collect())
    }

    /// The tuples that a relation may have, each with its edge; in order.
    pub fn relation(&self, relation: RelationId) -> Vec<(Vec<UniverseAtomId>, CircuitEdge)> {
        let matrix = &self.translator.relations[relation];
        let packing = self.translator.packing;
        let cells = matrix.cells.iter();
        cells
            .map(|&(tuple, edge)| (packing.unpack(tuple, matrix.arity), edge))
            .collect()
    }

    /// The circuit.
    pub fn circuit(&self) -> &Circuit {
        &self.translator.circuit
    }
}

#[cfg(test)]
mod tests {
    use crate::{Integers, RelDecl, Universe};

    use super::*;

    #[test]
    fn an_existential_formula_is_a_function_of_the_relations_alone() {
        let universe = Universe::new(["a", "b"]);
        let mut problem = Problem::new(universe.clone(), Integers::none());
        let set = problem.relation("set", universe.no_tuples(1), universe.everything());
        let set = problem.rel(set);
        let x = problem.variable("x", 1, None);
        let (value, univ) = (problem.var(x), problem.univ());
        let member = problem.is_in(value, set);
        let some = problem.exists([RelDecl::one(x, univ)], member);
        let mut compiled = CompiledProblem::new(&problem, &Budget::unlimited()).expect("it fits");
        let edge = compiled.formula(some).expect("it is small");
        let cells = compiled.cells(set).expect("it is small");
        let [a, b] = [cells[0].1, cells[1].1];
        // Two inputs, and one gate for both.
        assert_eq!(compiled.circuit().len(), 4);
        let mut circuit = compiled.circuit().clone();
        assert_eq!(circuit.or(a, b), edge);
    }
}
