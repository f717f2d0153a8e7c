//! Terms that tell states from others.

use std::collections::HashMap;

use wherefore_base::Value;

use crate::{BinaryOp, Model, Term, TermId, VarId};

/// Adds the term that is true in these states and in no others. The states are different and ordered by their values.
///
/// States that differ in their first variables only share the terms for the others, as in a decision diagram.
pub fn membership(model: &mut Model, states: &[Vec<Value>]) -> TermId {
    let always = model.terms.add(Term::Const(Value::Bool(true)), None);
    // Blocks of neighbouring states with the same values of the variables before `at`, and the term for the others.
    let mut blocks: Vec<(usize, TermId)> = (0..states.len()).map(|state| (state, always)).collect();
    let mut known: HashMap<Vec<(Value, TermId)>, TermId> = HashMap::default();
    for at in (0..model.state_vars()).rev() {
        known.clear();
        let together =
            |a: &(usize, TermId), b: &(usize, TermId)| states[a.0][..at] == states[b.0][..at];
        let groups: Vec<(usize, Vec<(Value, TermId)>)> = blocks
            .chunk_by(together)
            .map(|group| {
                let values = group.iter().map(|&(state, rest)| (states[state][at], rest));
                (group[0].0, values.collect())
            })
            .collect();
        let groups = groups.into_iter().map(|(first, values)| {
            let term = match known.get(&values) {
                Some(&term) => term,
                None => {
                    let term = one_of(model, VarId::new(at), &values);
                    known.insert(values, term);
                    term
                }
            };
            (first, term)
        });
        blocks = groups.collect();
    }
    blocks.first().map_or(always, |&(_, term)| term)
}

/// Adds the term "the variable has one of these values, and what belongs to that value is so".
fn one_of(model: &mut Model, var: VarId, values: &[(Value, TermId)]) -> TermId {
    let mut rests: Vec<TermId> = values.iter().map(|&(_, rest)| rest).collect();
    rests.sort_unstable();
    rests.dedup();
    let now = model.terms.add(Term::Var(var), None);
    let mut any = None;
    for rest in rests {
        let mut equal = None;
        for &(value, _) in values.iter().filter(|(_, other)| *other == rest) {
            let value = model.terms.add(Term::Const(value), None);
            let is = model
                .terms
                .add(Term::Binary(BinaryOp::Equal, now, value), None);
            equal = Some(match equal {
                None => is,
                Some(other) => model.terms.add(Term::Binary(BinaryOp::Or, other, is), None),
            });
        }
        let Some(equal) = equal else { continue };
        let both = model
            .terms
            .add(Term::Binary(BinaryOp::And, equal, rest), None);
        any = Some(match any {
            None => both,
            Some(other) => model
                .terms
                .add(Term::Binary(BinaryOp::Or, other, both), None),
        });
    }
    any.unwrap_or(now)
}
