//! Two changes at once, where one is not enough.

use std::cmp::Reverse;

use wherefore_base::{Budget, Run};

use super::changed::together;
use super::{MendSearch, Progress, Target};

/// Both of two changes are at most of this size.
const HALF: usize = 4;
/// So many changes are taken as one of two.
const HALVES: usize = 400;

impl<'a> MendSearch<'a> {
    /// Two small changes at once that are near each other; those that got rid of the most unwanted instances come first.
    pub(super) fn pairs(
        &mut self,
        target: &mut Target<'a>,
        search: &mut Progress,
        budget: &Budget,
    ) -> Run<()> {
        self.score_halves(target, search, budget)?;
        let size = |at: usize| self.changes[at].size;
        let scores = search.scores.iter().map(|(&at, &score)| (score, at));
        let useful = scores.filter(|&(score, at)| score > 0 && size(at) <= HALF);
        let mut halves: Vec<(usize, usize)> = useful.collect();
        halves.sort_by_key(|&(score, at)| (Reverse(score), size(at), at));
        halves.truncate(HALVES);
        let halves: Vec<usize> = halves.into_iter().map(|(_, at)| at).collect();
        for (position, &second) in halves.iter().enumerate() {
            for &first in &halves[..position] {
                let text = self.subject.sources().file(self.subject.file()).text();
                let (one, other) = (&self.changes[first], &self.changes[second]);
                let Some(both) = together(text, &one.change, &other.change) else {
                    continue;
                };
                if self.excluded(&[first, second], target, budget)? {
                    continue;
                }
                if search.pairs >= self.pairs {
                    return Ok(());
                }
                self.attempt(&both, first.max(second), target, search, budget)?;
                search.pairs += 1;
            }
        }
        Ok(())
    }

    /// Notes how well small changes get rid of unwanted instances where none of them can get rid of all: two of them together
    /// may.
    fn score_halves(
        &mut self,
        target: &mut Target<'a>,
        search: &mut Progress,
        budget: &Budget,
    ) -> Run<()> {
        for at in 0..self.changes.len() {
            let one = &self.changes[at];
            let small = one.size <= HALF && one.within.is_some() && !one.asserted;
            if !small || search.singles.contains(&at) || !target.hinges.uses(one) {
                continue;
            }
            let change = one.change.clone();
            if let Some(score) = self.attempt(&change, at, target, search, budget)? {
                search.scores.insert(at, score);
            }
        }
        Ok(())
    }
}
