//! When two runs are the same: sequences of values that go on for ever, in one canonical form.

use rustc_hash::FxHashMap;
use wherefore_base::Value;
use wherefore_model::{Env, Interpreter, TermId};
use wherefore_space::StateSpace;

use crate::fragment::FragmentSpot;

/// What a run looks like: a finite sequence, or one that ends in a loop. Equal signatures, equal runs.
///
/// Invariant: no shorter loop and no shorter prefix give the same endless sequence.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct RunSignature {
    prefix: Vec<u32>,
    /// Empty for a finite run.
    turn: Vec<u32>,
}

impl RunSignature {
    /// The signature of a sequence whose part from `back` on goes on for ever; `merged` takes equal
    /// values that follow one another as one.
    pub(super) fn new(mut values: Vec<u32>, back: Option<usize>, merged: bool) -> Self {
        let Some(back) = back else {
            if merged {
                values.dedup();
            }
            return Self {
                prefix: values,
                turn: vec![],
            };
        };
        let mut turn = values.split_off(back);
        let mut prefix = values;
        if merged {
            if turn.iter().all(|value| *value == turn[0]) {
                turn.truncate(1);
            }
            // The loop is turned until its seam is where the value changes, so that no equal values meet
            // across it.
            while turn.len() > 1 && turn.first() == turn.last() {
                prefix.push(turn[0]);
                turn.rotate_left(1);
            }
            prefix.dedup();
            turn.dedup();
            // The value before the seam goes on into the loop, so both are one.
            if prefix.last() == turn.first() {
                prefix.pop();
            }
        }
        let repeats = |period: usize| (0..turn.len()).all(|at| turn[at] == turn[at % period]);
        let periods = (1..=turn.len()).filter(|period| turn.len().is_multiple_of(*period));
        let period = periods.into_iter().find(|&period| repeats(period));
        turn.truncate(period.unwrap_or(turn.len()));
        // Where the prefix ends as the loop does, the loop began earlier.
        while prefix.last().is_some_and(|last| turn.last() == Some(last)) {
            turn.rotate_right(1);
            prefix.pop();
        }
        Self { prefix, turn }
    }
}

/// What distinguishes states: the values of some expressions, or, without any, the state itself.
pub(super) struct Looks<'m> {
    interpreter: Interpreter<'m>,
    terms: &'m [TermId],
    /// How many variables of a state count, if not all.
    vars: Option<usize>,
    known: FxHashMap<Vec<Vec<Value>>, u32>,
    of: FxHashMap<FragmentSpot, u32>,
}

impl<'m> Looks<'m> {
    /// States that differ in the values of these terms look different; without any, those that differ in one of the
    /// first so many variables.
    pub(super) fn new<S: StateSpace>(space: &'m S, vars: usize, terms: &'m [TermId]) -> Self {
        Self {
            vars: (vars < space.model().state_vars()).then_some(vars),
            interpreter: Interpreter::new(space.model()),
            terms,
            known: FxHashMap::default(),
            of: FxHashMap::default(),
        }
    }

    /// Whether equal looks that follow one another count as one.
    pub(super) fn merged(&self) -> bool {
        !self.terms.is_empty()
    }

    /// How a state looks.
    pub(super) fn look(&mut self, spot: FragmentSpot, values: impl FnOnce() -> Vec<Value>) -> u32 {
        if self.terms.is_empty() && self.vars.is_none() {
            return spot;
        }
        if let Some(&look) = self.of.get(&spot) {
            return look;
        }
        let state = values();
        let value = |&term: &TermId| self.interpreter.values(term, Env::state(&state));
        let all = match (self.terms, self.vars) {
            ([], Some(vars)) => vec![state[..vars].to_vec()],
            (terms, _) => terms.iter().map(value).collect(),
        };
        let fresh = u32::try_from(self.known.len()).expect("a fragment is small");
        let look = *self.known.entry(all).or_insert(fresh);
        self.of.insert(spot, look);
        look
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: (&[u32], usize), b: (&[u32], usize), merged: bool) -> bool {
        let signature = |(values, back): (&[u32], usize)| {
            RunSignature::new(values.to_vec(), Some(back), merged)
        };
        signature(a) == signature(b)
    }

    #[test]
    fn a_loop_that_is_unrolled_stays_the_same() {
        assert!(same((&[1, 2, 3], 1), (&[1, 2, 3, 2, 3], 1), false));
        assert!(same((&[1, 2, 3], 1), (&[1, 2, 3, 2], 2), false));
        assert!(same((&[7], 0), (&[7, 7, 7], 2), false));
        assert!(!same((&[1, 2, 3], 1), (&[1, 2, 3], 0), false));
    }

    #[test]
    fn equal_values_in_a_row_are_one_when_merged() {
        assert!(same((&[1, 1, 2, 2], 2), (&[1, 2], 1), true));
        assert!(same((&[1, 2, 2, 1], 0), (&[1, 2], 0), true));
        assert!(same((&[1, 1, 2], 0), (&[1, 2, 1], 1), true));
        assert!(!same((&[1, 1, 2, 2], 2), (&[1, 2], 1), false));
        assert!(!same((&[1, 2], 1), (&[1, 2], 0), true));
    }
}
