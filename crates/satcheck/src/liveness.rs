//! What must not be put off for ever, as a condition on states: a counter of turns.
//!
//! A fair run meets all fairness conditions again and again: it has turn after turn, without end. If no
//! run has more than some number of turns, then no run is fair (Claessen and Sörensson 2012). The model is
//! watched by a few variables: which conditions were met in the present turn, and how many turns there
//! were, in unary. A pair of compassion becomes a choice that is made once, at any time: from then on its
//! first condition never holds; until then its second one is asked for in every turn.

use wherefore_logic::Fairness;
use wherefore_model::{BinaryOp, Domain, Model, Requirement, Term, TermId};

use crate::watcher::{Watcher, constraint};

/// A model together with a counter of turns.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The model and the counter: its variables follow those of the state.
    pub model: Model,
    /// `turns[n]`: there were more than `n` turns.
    pub turns: Vec<TermId>,
}

/// The model, watched for up to so many turns.
pub fn watch(model: &Model, most: usize) -> Watched {
    let room = model.fairness.compassion.len() + justice(model) + most;
    let mut watcher = Watcher::new(model, vec![Domain::Bool; room]);
    let mut asked = model.fairness.justice.clone();
    for &(p, q) in &model.fairness.compassion {
        asked.push(choice(&mut watcher, p, q));
    }
    let asked_many = asked.len() > 1;
    let mut seen = Vec::new();
    let mut met = Vec::new();
    for &condition in &asked {
        // A single condition needs no memory: each time it is met is a turn.
        if !asked_many {
            met.push(condition);
            continue;
        }
        let (var, was) = watcher.variable();
        met.push(watcher.binary(BinaryOp::Or, was, condition));
        seen.push(var);
    }
    let mut turn = watcher.constant(true);
    for &met in &met {
        turn = watcher.binary(BinaryOp::And, turn, met);
    }
    let again = watcher.not(turn);
    for (var, met) in seen.into_iter().zip(met) {
        // A turn that is complete clears the memories for the next one.
        let next = watcher.binary(BinaryOp::And, again, met);
        watcher.starts_false_and_becomes(var, next);
    }
    let mut turns = Vec::new();
    let mut before = watcher.constant(true);
    for _ in 0..most {
        let (var, was) = watcher.variable();
        // The counter is unary: a turn sets the first variable that is not set yet.
        let one_more = watcher.binary(BinaryOp::And, turn, before);
        let next = watcher.binary(BinaryOp::Or, was, one_more);
        watcher.starts_false_and_becomes(var, next);
        turns.push(was);
        before = was;
    }
    watcher.model.fairness = Fairness::default();
    Watched {
        model: watcher.model,
        turns,
    }
}

/// How many variables remember a condition.
fn justice(model: &Model) -> usize {
    let asked = model.fairness.justice.len() + model.fairness.compassion.len();
    if asked > 1 { asked } else { 0 }
}

/// The choice that `p` never holds any more; the condition of each turn that this leaves.
fn choice(watcher: &mut Watcher, p: TermId, q: TermId) -> TermId {
    let (var, chosen) = watcher.variable();
    let either = [watcher.constant(false), watcher.constant(true)];
    let either = watcher.add(Term::Set(either.into()));
    let kept = watcher.constant(true);
    let next = watcher.add(Term::Ite(chosen, kept, either));
    watcher.becomes(var, next);
    let calm = watcher.not(p);
    let calm = watcher.binary(BinaryOp::Implies, chosen, calm);
    let calm = constraint(Requirement::Holds(calm));
    watcher.model.invar.push(calm);
    watcher.binary(BinaryOp::Or, chosen, q)
}
