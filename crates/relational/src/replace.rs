//! Formulas with other expressions in the place of relations.

use rustc_hash::FxHashMap;
use wherefore_base::deep;

use crate::problem::Problem;
use crate::terms::{FormulaId, Int, IntId, RelDecl, RelExpr, RelExprId, RelFormula, RelationId};

impl Problem {
    /// A formula in which relations are replaced by expressions without free variables.
    pub fn replaced(&mut self, formula: FormulaId, by: &[(RelationId, RelExprId)]) -> FormulaId {
        let mut replacing = Replacing {
            problem: self,
            by,
            exprs: FxHashMap::default(),
            formulas: FxHashMap::default(),
            ints: FxHashMap::default(),
        };
        replacing.formula(formula)
    }
}

struct Replacing<'p> {
    problem: &'p mut Problem,
    by: &'p [(RelationId, RelExprId)],
    exprs: FxHashMap<RelExprId, RelExprId>,
    formulas: FxHashMap<FormulaId, FormulaId>,
    ints: FxHashMap<IntId, IntId>,
}

impl Replacing<'_> {
    fn expr(&mut self, id: RelExprId) -> RelExprId {
        if let Some(&known) = self.exprs.get(&id) {
            return known;
        }
        let new = deep(|| self.expr_here(id));
        self.exprs.insert(id, new);
        new
    }

    fn expr_here(&mut self, id: RelExprId) -> RelExprId {
        match self.problem.expr(id).clone() {
            RelExpr::Relation(relation) => {
                let found = self.by.iter().find(|(from, _)| *from == relation);
                found.map_or(id, |(_, to)| *to)
            }
            RelExpr::Variable(_)
            | RelExpr::Univ
            | RelExpr::Iden
            | RelExpr::None(_)
            | RelExpr::Ints => id,
            RelExpr::Unary(op, a) => {
                let a = self.expr(a);
                self.problem.unary(op, a)
            }
            RelExpr::Binary(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.problem.binary(op, a, b)
            }
            RelExpr::Comprehension(decls, body) => {
                let (decls, body) = (self.decls(&decls), self.formula(body));
                self.problem.comprehension(decls, body)
            }
            RelExpr::Choice(condition, a, b) => {
                let condition = self.formula(condition);
                let (a, b) = (self.expr(a), self.expr(b));
                self.problem.choice(condition, a, b)
            }
            RelExpr::FromInt(a) => {
                let a = self.int(a);
                self.problem.from_int(a)
            }
        }
    }

    fn decls(&mut self, decls: &[RelDecl]) -> Vec<RelDecl> {
        let decls = decls.iter().map(|decl| RelDecl {
            bound: self.expr(decl.bound),
            ..*decl
        });
        decls.collect()
    }

    fn formula(&mut self, id: FormulaId) -> FormulaId {
        if let Some(&known) = self.formulas.get(&id) {
            return known;
        }
        let new = deep(|| self.formula_here(id));
        self.formulas.insert(id, new);
        new
    }

    fn formula_here(&mut self, id: FormulaId) -> FormulaId {
        match self.problem.formula(id).clone() {
            RelFormula::In(a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.problem.is_in(a, b)
            }
            RelFormula::Equal(a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.problem.equal(a, b)
            }
            RelFormula::Amount(amount, a) => {
                let a = self.expr(a);
                self.problem.amount(amount, a)
            }
            RelFormula::Compare(how, a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.problem.compare(how, a, b)
            }
            RelFormula::Quantified(quantifier, decls, body) => {
                let (decls, body) = (self.decls(&decls), self.formula(body));
                self.problem.quantified(quantifier, decls, body)
            }
            RelFormula::Not(a) => {
                let a = self.formula(a);
                self.problem.not(a)
            }
            RelFormula::And(parts) => {
                let parts: Vec<FormulaId> = parts.iter().map(|&a| self.formula(a)).collect();
                self.problem.and(parts)
            }
            RelFormula::Or(parts) => {
                let parts: Vec<FormulaId> = parts.iter().map(|&a| self.formula(a)).collect();
                self.problem.or(parts)
            }
            RelFormula::Implies(a, b) => {
                let (a, b) = (self.formula(a), self.formula(b));
                self.problem.implies(a, b)
            }
            RelFormula::Iff(a, b) => {
                let (a, b) = (self.formula(a), self.formula(b));
                self.problem.iff(a, b)
            }
            RelFormula::At(a, span) => {
                let a = self.formula(a);
                self.problem.at(a, span)
            }
        }
    }

    fn int(&mut self, id: IntId) -> IntId {
        if let Some(&known) = self.ints.get(&id) {
            return known;
        }
        let new = deep(|| self.int_here(id));
        self.ints.insert(id, new);
        new
    }

    fn int_here(&mut self, id: IntId) -> IntId {
        match self.problem.int(id).clone() {
            Int::Constant(_) => id,
            Int::Count(a) => {
                let a = self.expr(a);
                self.problem.count(a)
            }
            Int::Value(a) => {
                let a = self.expr(a);
                self.problem.value(a)
            }
            Int::Sum(decls, body) => {
                let (decls, body) = (self.decls(&decls), self.int(body));
                self.problem.sum(decls, body)
            }
            Int::Arithmetic(op, a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.problem.arithmetic(op, a, b)
            }
            Int::Choice(condition, a, b) => {
                let condition = self.formula(condition);
                let (a, b) = (self.int(a), self.int(b));
                self.problem.int_choice(condition, a, b)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Integers, Problem, RelDecl, Universe};

    #[test]
    fn a_relation_is_replaced_wherever_it_occurs_and_nothing_else_is() {
        let universe = Universe::new(["a", "b"]);
        let all = universe.everything();
        let mut problem = Problem::new(universe.clone(), Integers::none());
        let [old, new] = ["old", "new"]
            .map(|name| problem.relation(name, universe.no_tuples(2), all.product(&all)));
        let x = problem.variable("x", 1, None);
        let said = |problem: &mut Problem, relation| {
            let relation = problem.rel(relation);
            let (atom, univ) = (problem.var(x), problem.univ());
            let closure = problem.closure(relation);
            let reached = problem.join(atom, closure);
            let count = problem.count(reached);
            let one = problem.number(1);
            let few = problem.compare(crate::IntComparison::AtMost, count, one);
            let all = problem.all([RelDecl::one(x, univ)], few);
            let none = problem.no(relation);
            problem.or([all, none])
        };
        let (before, after) = (said(&mut problem, old), said(&mut problem, new));
        let to = problem.rel(new);
        assert_eq!(problem.replaced(before, &[(old, to)]), after);
        assert_eq!(problem.replaced(after, &[(old, to)]), after);
    }
}
