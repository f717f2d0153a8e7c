//! What must not be put off for ever, as a condition on states: a loop that is fair.
//!
//! A run of a finite model that refutes something by going on for ever can be a lasso. So it is enough that no
//! run comes back to a state with all fairness conditions met in between: liveness becomes safety (Biere,
//! Artho and Schuppan 2002). The state to come back to is guessed before the first step and never changes.
//! From the first time the run is there, the watching variables remember what was met. Nothing is lost by
//! taking the first time: a lasso need not visit a state of its loop before the loop begins.

use wherefore_logic::Fairness;
use wherefore_model::{BinaryOp, Domain, Model, Term, TermId, VarId, VarKind};

use crate::question::NoState;
use crate::watcher::Watcher;

/// The model, watched for fair loops, and that one is closed.
pub fn loops(model: &Model) -> NoState {
    // Frozen variables have the same value everywhere, so there is nothing to compare.
    let changing: Vec<VarId> = (0..model.state_vars())
        .map(VarId::new)
        .filter(|&var| model.vars[var].kind != VarKind::Frozen)
        .collect();
    let Fairness {
        justice,
        compassion,
    } = &model.fairness;
    let mut room = vec![Domain::Bool; 1 + justice.len() + 2 * compassion.len()];
    room.extend(changing.iter().map(|&var| model.vars[var].domain.clone()));
    let mut watcher = Watcher::new(model, room);
    let (begun, has_begun) = watcher.variable();
    let memories: Vec<(VarId, TermId)> = justice
        .iter()
        .chain(compassion.iter().flat_map(|(p, q)| [p, q]))
        .map(|_| watcher.variable())
        .collect();
    let mut there = watcher.constant(true);
    for var in changing {
        let now = watcher.add(Term::Var(var));
        let (goal, is_goal) = watcher.variable();
        watcher.becomes(goal, is_goal);
        let same = watcher.binary(BinaryOp::Equal, now, is_goal);
        there = watcher.binary(BinaryOp::And, there, same);
    }
    let within = watcher.binary(BinaryOp::Or, has_begun, there);
    watcher.starts_false_and_becomes(begun, within);
    let asked = justice
        .iter()
        .chain(compassion.iter().flat_map(|(p, q)| [p, q]));
    for (&condition, &(var, was)) in asked.zip(&memories) {
        let met = watcher.binary(BinaryOp::Or, was, condition);
        let met = watcher.binary(BinaryOp::And, within, met);
        watcher.starts_false_and_becomes(var, met);
    }
    // At the first visit `has_begun` is still false, so coming back takes a step at least.
    let mut closed = watcher.binary(BinaryOp::And, has_begun, there);
    let (just, paired) = memories.split_at(justice.len());
    for &(_, met) in just {
        closed = watcher.binary(BinaryOp::And, closed, met);
    }
    for pair in paired.chunks_exact(2) {
        let kept = watcher.binary(BinaryOp::Implies, pair[0].1, pair[1].1);
        closed = watcher.binary(BinaryOp::And, closed, kept);
    }
    // Fairness has become a part of the condition.
    watcher.model.fairness = Fairness::default();
    NoState {
        model: Box::new(watcher.model),
        bad: closed,
    }
}
