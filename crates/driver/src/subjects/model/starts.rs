//! Properties asked from chosen states instead of the initial ones.
//!
//! The chosen states become the initial states of the model, so that engines, evidence and replay take them as such. Which
//! of them are reachable is found out before, in the model as it was.

use num_bigint::BigUint;
use wherefore_base::{Budget, Diagnostic, Run, Span, Value};
use wherefore_evidence::{ReachableStates, count_where};
use wherefore_model::{Constraint, Model, Requirement, Support, Term, TermId, VarId, membership};
use wherefore_space::StateSpace;
use wherefore_view::{StartStates, clean, quoted};

use super::ModelSubject;
use super::expressions::one_line;
use crate::engines::{Engine, OverSpace, over_space};
use crate::refusal::Refusal;

/// So many reachable states are listed to tell them from others with the same condition.
const LISTED: usize = 4096;

impl ModelSubject {
    /// Has properties asked from the states where a condition is true: from the reachable ones, if there are any.
    ///
    /// # Errors
    /// When the condition is wrong or no state satisfies it, or the budget ends.
    pub(super) fn start_where(&mut self, text: &str, budget: &Budget) -> Result<(), Refusal> {
        let text = one_line(text);
        let span = Span::new(self.add_source("--from", &text), 0, text.len());
        let condition = self.condition_at(span, budget)?;
        self.examine(budget)?;
        let chosen = self.everywhere(condition, span);
        budget.phase("looking for the states to start from");
        let all = over_space(&chosen, Engine::Auto, budget, Satisfying(condition))?;
        if all.count == BigUint::ZERO {
            let message = format!("no state satisfies `{}`", clean(&text));
            let nothing = Diagnostic::error(span, message)
                .help("--from takes a condition on states that some state satisfies");
            return Err(self.rejected(vec![nothing]).into());
        }
        let mut whole = self.model.clone();
        whole.swaps.clear();
        let reachable = over_space(&whole, Engine::Auto, budget, Satisfying(condition))?;
        let recounts = |model: &Model, satisfying: &SatisfyingStates| -> Run<bool> {
            let again = count_where(model, condition, satisfying.of, budget)?;
            debug_assert!(
                again.is_none_or(|again| BigUint::from(again) == satisfying.count),
                "engine and interpreter count different states"
            );
            Ok(again.is_some_and(|again| BigUint::from(again) == satisfying.count))
        };
        let recounted = recounts(&whole, &reachable)? && recounts(&chosen, &all)?;
        // What a translation remembers of the last step is free in the chosen states, and so they are more than the user
        // knows.
        let remembers = self.model.memory().next().is_some();
        let unreachable =
            (!remembers || reachable.count == BigUint::ZERO).then(|| &all.count - &reachable.count);
        let is_known = !remembers && reachable.count == all.count;
        self.model.init = chosen.init;
        self.model.swaps.clear();
        // What was reachable from the initial states says nothing of these.
        self.explored = ReachableStates::default();
        let only_reachable = match &reachable.listed {
            _ if is_known => true,
            Some(states) if !states.is_empty() => {
                let term = membership(&mut self.model, states);
                self.model.init = vec![Constraint {
                    requires: Requirement::Holds(term),
                    span,
                }];
                true
            }
            _ => false,
        };
        self.explored = ReachableStates::default();
        self.reading.push_str(&format!(" --from {}", quoted(&text)));
        self.from = Some(StartStates {
            text,
            reachable: reachable.count,
            unreachable,
            only_reachable,
            recounted,
        });
        Ok(())
    }

    /// The model whose states are those that satisfy a condition, reachable or not, without any step.
    fn everywhere(&self, condition: TermId, span: Span) -> Model {
        let mut model = self.model.clone();
        let memory: Vec<VarId> = model.memory().collect();
        // Variables that nobody declared start as always.
        let init = std::mem::take(&mut model.init);
        let is_memory = |constraint: &Constraint| {
            let support = Support::of(&model, [constraint.requires.term()]);
            let assigned = match constraint.requires {
                Requirement::Assign(var, _) => Some(var),
                Requirement::Holds(_) => None,
            };
            let vars: Vec<VarId> = support.now.iter().copied().chain(assigned).collect();
            !vars.is_empty() && vars.iter().all(|var| memory.contains(var))
        };
        model.init = init.into_iter().filter(is_memory).collect();
        model.init.push(Constraint {
            requires: Requirement::Holds(condition),
            span,
        });
        let never = model.terms.add(Term::Const(Value::Bool(false)), None);
        model.trans = vec![Constraint {
            requires: Requirement::Holds(never),
            span,
        }];
        model.swaps.clear();
        model
    }
}

/// Finds the states of a space that satisfy a condition.
struct Satisfying(TermId);

/// States that satisfy a condition.
struct SatisfyingStates {
    count: BigUint,
    /// Of how many states they are; `usize::MAX` for more than fit.
    of: usize,
    /// Their values in order, if they are few.
    listed: Option<Vec<Vec<Value>>>,
}

impl OverSpace for Satisfying {
    type Outcome = SatisfyingStates;

    fn over<S: StateSpace>(self, space: &S) -> Run<SatisfyingStates> {
        let set = space.states_where(self.0)?;
        let count = space.count(&set)?;
        let listed = match count <= BigUint::from(LISTED) {
            true => {
                let states = space.listed(&set).map(|state| Ok(space.values(&state?)));
                Some(states.collect::<Run<Vec<_>>>()?)
            }
            false => None,
        };
        let of = space.count(space.reachable())?;
        Ok(SatisfyingStates {
            count,
            of: usize::try_from(&of).unwrap_or(usize::MAX),
            listed,
        })
    }
}
