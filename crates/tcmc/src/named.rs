//! What steps between states of an instance are called: by the operations that they are, or that begin them.

use wherefore_alloy::model::AlloyVarId;
use wherefore_alloy::{AlloyModel, LoweredCommand, TermMeaning};
use wherefore_base::Budget;
use wherefore_relational::{
    FormulaId, Instance, RelEvaluator, RelExprId, RelationId, TupleSet, UniverseAtomId,
};

use crate::derive::{OperationGuard, guards};
use crate::formulas::{NO_OPERATION, arguments};
use crate::misfit::TcmcMisfit;
use crate::operation::{Operation, StepDefinition, operations, step};
use crate::reading::TcmcModule;

/// For a step, what it may be called and what must be so for that; the first that is so is its name.
type StepNames = Vec<(String, FormulaId)>;

/// Finds names of steps.
pub(crate) struct Namer<'a> {
    pub(crate) alloy: &'a AlloyModel,
    pub(crate) lowered: &'a mut LoweredCommand,
    pub(crate) budget: &'a Budget,
}

impl Namer<'_> {
    /// For each step the first operation that it is, if that is known.
    pub(crate) fn names(
        &mut self,
        module: &TcmcModule,
        instance: &Instance,
        edges: &[[UniverseAtomId; 2]],
    ) -> Result<Vec<Option<String>>, TcmcMisfit> {
        let Some(step) = step(self.alloy, module) else {
            return Ok(vec![None; edges.len()]);
        };
        let asked = match guards(self.alloy, step) {
            Some(guards) => self.begun(step, &guards, edges)?,
            None => self.taken(step, edges)?,
        };
        let problem = &self.lowered.problem;
        let instance = instance.completed(problem);
        let mut evaluator = RelEvaluator::new(problem, &instance, self.budget)?;
        let mut names = Vec::new();
        for asked in asked {
            let mut found = None;
            for (name, formula) in asked {
                if evaluator.holds(formula)? {
                    found = Some(name);
                    break;
                }
            }
            names.push(found);
        }
        Ok(names)
    }

    /// The operations that begin in the states that steps leave.
    fn begun(
        &mut self,
        step: StepDefinition,
        guards: &[OperationGuard],
        edges: &[[UniverseAtomId; 2]],
    ) -> Result<Vec<StepNames>, TcmcMisfit> {
        let universe = self.lowered.problem.universe().clone();
        let mut asked = Vec::new();
        for &[from, _] in edges {
            let mut names = StepNames::new();
            for OperationGuard { name, lets, guard } in guards {
                let present = lets.iter().map(|(var, _)| *var).chain([step.0]);
                let given: Vec<(AlloyVarId, TupleSet)> =
                    present.map(|var| (var, universe.set([from]))).collect();
                let meaning = self.lowered.meaning_with(self.alloy, *guard, 0, &given)?;
                if let TermMeaning::Formula(formula) = meaning {
                    names.push((name.clone(), formula));
                }
            }
            // This is always true and stands last: it is the name where no guard holds.
            names.push((NO_OPERATION.to_owned(), self.lowered.problem.and([])));
            asked.push(names);
        }
        Ok(asked)
    }

    /// The operations that steps are.
    fn taken(
        &mut self,
        step: StepDefinition,
        edges: &[[UniverseAtomId; 2]],
    ) -> Result<Vec<StepNames>, TcmcMisfit> {
        let universe = self.lowered.problem.universe().clone();
        let mut asked: Vec<StepNames> = vec![StepNames::new(); edges.len()];
        for operation in &operations(self.alloy, step).unwrap_or_default() {
            let Some(all) = arguments(self.alloy, self.lowered, operation) else {
                continue;
            };
            let Some((formula, held)) = self.held(operation, edges)? else {
                continue;
            };
            for chosen in all {
                self.budget.check()?;
                let mut texts = Vec::new();
                let mut within = Vec::new();
                let mut by = Vec::new();
                for ((_, sig, atom), &relation) in chosen.iter().zip(&held[2..]) {
                    texts.push(universe.name(*atom).to_owned());
                    let value = self.atom(*atom);
                    let sig = self.lowered.states[0].sigs[sig.index()];
                    within.push(self.lowered.problem.is_in(value, sig));
                    by.push((relation, value));
                }
                let name = match texts.is_empty() {
                    true => operation.name.clone(),
                    false => format!("{}[{}]", operation.name, texts.join(", ")),
                };
                for (asked, &[from, to]) in asked.iter_mut().zip(edges) {
                    let mut by = by.clone();
                    by.push((held[0], self.atom(from)));
                    by.push((held[1], self.atom(to)));
                    let problem = &mut self.lowered.problem;
                    let mut parts = within.clone();
                    parts.push(problem.replaced(formula, &by));
                    asked.push((name.clone(), problem.and(parts)));
                }
            }
        }
        Ok(asked)
    }

    /// The formula of an operation, and the relations that stand in it for its two states and its other
    /// arguments.
    fn held(
        &mut self,
        operation: &Operation,
        edges: &[[UniverseAtomId; 2]],
    ) -> Result<Option<(FormulaId, Vec<RelationId>)>, TcmcMisfit> {
        let Some(&[some, _]) = edges.first() else {
            return Ok(None);
        };
        let universe = self.lowered.problem.universe().clone();
        let vars = operation.some.iter().flat_map(|binding| &binding.vars);
        let vars = [operation.s, operation.t].into_iter().chain(vars.copied());
        let vars: Vec<AlloyVarId> = vars.collect();
        // Any atom will do: these constants are replaced for each step and each argument.
        let given = vars.iter().map(|&var| (var, universe.set([some])));
        let given: Vec<_> = given.collect();
        let before = self.lowered.problem.relations().len();
        let meaning = self
            .lowered
            .meaning_with(self.alloy, operation.call, 0, &given)?;
        let TermMeaning::Formula(formula) = meaning else {
            return Ok(None);
        };
        // The constants of the given variables are made first, in their order.
        let relations = (0..vars.len()).map(|at| RelationId::new(before + at));
        Ok(Some((formula, relations.collect())))
    }

    /// An atom as an expression.
    fn atom(&mut self, atom: UniverseAtomId) -> RelExprId {
        let value = self.lowered.problem.universe().set([atom]);
        let constant = self.lowered.problem.constant("atom", value);
        self.lowered.problem.rel(constant)
    }
}
