//! Why a step that somebody wishes for is not possible: the lines of the model that forbid it.
//!
//! A line forbids a wish when no values of the next state and of the inputs satisfy both it and the wish, whatever
//! all other lines say. This is found by trying all values of those variables that the line and the wish read, so
//! the answer is exact where there are not too many of them, and says so where there are.

use std::collections::BTreeSet;

use wherefore_base::{Budget, Run, Span, Value};
use wherefore_model::{
    Constraint, Env, Interpreter, Model, Requirement, Step, Support, Term, TermId, VarId,
};
use wherefore_wire::{BlockedAnswer, BlockerDoc, BlockerName};

use super::spot_after;
use crate::Report;
use crate::words::{LONGEST, clean, shortened};

/// So many combinations of values are tried for each line.
const TRIES: u128 = 50_000;
/// So many values are tried to find a step.
const STEP_TRIES: u64 = 1_000_000;

/// Why no step from a state leads to one where the wish is true. Fails with a sentence when the wish is no
/// condition.
///
/// # Errors
/// When the budget ends.
pub fn blocked(
    report: &Report<'_>,
    state: &[Value],
    wish: TermId,
    budget: &Budget,
) -> Run<Result<BlockedAnswer, &'static str>> {
    let model = report.model;
    let plain = Interpreter::new(model);
    let values = plain.values(wish, Env::state(state));
    if !matches!(values[..], [Value::Bool(_)]) {
        return Ok(Err("This is no condition: it is not true or false."));
    }
    let steps = plain.steps_within(state, STEP_TRIES, budget)?;
    let fits = |step: &&Step| plain.truth(wish, Env::state(&step.next));
    if let Some(step) = steps.iter().flatten().find(fits) {
        return Ok(Ok(BlockedAnswer {
            possible: Some(spot_after(report, state, step)),
            blockers: vec![],
            open: false,
        }));
    }
    let mut open = steps.is_none();
    let mut blockers = Vec::new();
    let trial = Trial {
        model,
        plain: &plain,
        state,
        wish,
    };
    let steps = model.trans.iter().map(|constraint| (constraint, true));
    let states = model.invar.iter().map(|constraint| (constraint, false));
    for (constraint, of_step) in steps.chain(states) {
        match trial.can_hold(constraint, of_step, budget)? {
            Some(true) => {}
            Some(false) => blockers.push(trial.blocker(report, constraint, of_step)),
            None => open = true,
        }
    }
    open &= blockers.is_empty();
    Ok(Ok(BlockedAnswer {
        possible: None,
        blockers,
        open,
    }))
}

/// A wish at a state.
struct Trial<'a> {
    model: &'a Model,
    plain: &'a Interpreter<'a>,
    state: &'a [Value],
    wish: TermId,
}

impl Trial<'_> {
    /// Whether some next state satisfies a constraint and the wish; `None`: there are too many to try.
    fn can_hold(
        &self,
        constraint: &Constraint,
        of_step: bool,
        budget: &Budget,
    ) -> Run<Option<bool>> {
        let model = self.model;
        let states = model.state_vars();
        let support = Support::of(model, [constraint.requires.term()]);
        let wished = Support::of(model, [self.wish]).now;
        let mut free: BTreeSet<VarId> = wished;
        if let Requirement::Assign(var, _) = constraint.requires {
            free.insert(var);
        }
        match of_step {
            true => {
                free.extend(support.next);
                let inputs = support.now.into_iter().filter(|var| var.index() >= states);
                free.extend(inputs);
            }
            false => free.extend(support.now),
        }
        let free: Vec<VarId> = free.into_iter().collect();
        let sizes: Vec<u128> = free
            .iter()
            .map(|&var| model.vars[var].domain.size())
            .collect();
        let total = sizes
            .iter()
            .try_fold(1u128, |total, &size| total.checked_mul(size));
        let Some(total) = total.filter(|&total| total <= TRIES) else {
            return Ok(None);
        };
        let mut next = self.state.to_vec();
        let inputs = model.vars.as_slice()[states..].iter();
        let mut input: Vec<Value> = inputs.map(|var| var.domain.value(0)).collect();
        let mut meter = budget.meter();
        for number in 0..total {
            meter.tick()?;
            let mut rest = number;
            for (&var, &size) in free.iter().zip(&sizes) {
                let value = model.vars[var].domain.value((rest % size) as u64);
                rest /= size;
                match var.index().checked_sub(states) {
                    None => next[var.index()] = value,
                    Some(at) => input[at] = value,
                }
            }
            let env = match of_step {
                true => Env {
                    state: self.state,
                    input: &input,
                    next: &next,
                },
                false => Env::state(&next),
            };
            let holds = match constraint.requires {
                Requirement::Holds(term) => self.plain.truth(term, env),
                Requirement::Assign(var, term) => {
                    self.plain.values(term, env).contains(&next[var.index()])
                }
            };
            if holds && self.plain.truth(self.wish, Env::state(&next)) {
                return Ok(Some(true));
            }
        }
        Ok(Some(false))
    }

    fn blocker(&self, report: &Report<'_>, constraint: &Constraint, of_step: bool) -> BlockerDoc {
        let mut span = constraint.span;
        let (mut variable, mut allows) = (None, Vec::new());
        if let (Requirement::Assign(var, term), true) = (constraint.requires, of_step) {
            variable = Some(report.name(var));
            let (term, branch) = self.branch(term);
            span = branch.unwrap_or(span);
            if self.of_state(term) {
                let values = self.plain.values(term, Env::state(self.state));
                allows = values.iter().map(|value| report.value(*value)).collect();
            }
        }
        let text = report.sources.text_on_one_line(span, "--");
        BlockerDoc {
            kind: match (constraint.requires, of_step) {
                (Requirement::Assign(..), _) => BlockerName::Assignment,
                (Requirement::Holds(_), true) => BlockerName::Step,
                (Requirement::Holds(_), false) => BlockerName::State,
            },
            line: report.line(span),
            text: shortened(clean(&text), LONGEST),
            variable,
            allows,
        }
    }

    /// The branch of an assignment that counts at the state, as far as the state decides, with its place.
    fn branch(&self, mut term: TermId) -> (TermId, Option<Span>) {
        let mut span = None;
        while let Term::Ite(condition, then, otherwise) = self.model.terms.get(term) {
            if !self.of_state(*condition) {
                break;
            }
            let here = self.plain.truth(*condition, Env::state(self.state));
            term = if here { *then } else { *otherwise };
            span = self.model.terms.span(term).or(span);
        }
        (term, span)
    }

    /// Whether a term reads the present state alone.
    fn of_state(&self, term: TermId) -> bool {
        let support = Support::of(self.model, [term]);
        let states = self.model.state_vars();
        support.next.is_empty() && support.now.iter().all(|var| var.index() < states)
    }
}
