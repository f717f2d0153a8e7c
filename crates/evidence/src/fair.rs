//! Which fairness constraints the states of a loop meet, as bits.

use wherefore_space::StateSpace;

use crate::case::{PathCase, ProofCase};

impl<S: StateSpace> ProofCase<'_, '_, S> {
    /// Which fairness conditions a state meets, one bit each: justice, then the pairs of compassion.
    /// `None` when there are more conditions than bits.
    pub(crate) fn met(&self, path: &PathCase<S>, state: &S::State) -> Option<u64> {
        if !path.fair {
            return Some(0);
        }
        let fairness = self.checker.fairness();
        if fairness.justice.len() + 2 * fairness.compassion.len() > 64 {
            return None;
        }
        let pairs = fairness.compassion.iter().flat_map(|(p, q)| [p, q]);
        let conditions = fairness.justice.iter().chain(pairs);
        let bits = conditions
            .enumerate()
            .map(|(bit, condition)| u64::from(self.space.contains(condition, state)) << bit);
        Some(bits.sum())
    }

    /// Whether a loop whose states meet these conditions is fair.
    pub(crate) fn is_fair(&self, path: &PathCase<S>, met: u64) -> bool {
        if !path.fair {
            return true;
        }
        let fairness = self.checker.fairness();
        let justice = fairness.justice.len();
        let has = |bit: usize| met >> bit & 1 == 1;
        let pairs = (0..fairness.compassion.len()).map(|pair| justice + 2 * pair);
        (0..justice).all(has) && pairs.into_iter().all(|p| !has(p) || has(p + 1))
    }
}
