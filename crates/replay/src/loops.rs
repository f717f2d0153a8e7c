//! The shortest fair loops through explored states, and the shortest way to one.
//!
//! A loop is searched breadth first from each state that it may go through, among pairs of a state and the fairness
//! constraints met so far.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use wherefore_base::{Budget, Run};

use super::explored::{ExploredSet, ExploredStates};

/// Nobody arrives.
pub(super) const NEVER: u32 = u32::MAX;
/// So many pairs are visited, for all states together.
const MOST_VISITS: usize = 2_000_000;
/// So many fairness constraints are told apart.
const MOST_CONSTRAINTS: usize = 24;

impl ExploredStates {
    /// How many steps each state is away from the nearest of some.
    pub(super) fn distances(&self, from: &[usize]) -> Vec<u32> {
        let mut distance = vec![NEVER; self.states.len()];
        let mut open = VecDeque::new();
        for &state in from {
            distance[state] = 0;
            open.push_back(state);
        }
        while let Some(state) = open.pop_front() {
            for &to in &self.next[state] {
                if distance[to] == NEVER {
                    distance[to] = distance[state] + 1;
                    open.push_back(to);
                }
            }
        }
        distance
    }

    /// For each state, the steps of the shortest loop through it within a set that meets the fairness constraints, if
    /// that has fewer steps than the limit for the state; `None` if finding out takes too long. A loop is closed by a state
    /// that is alike: the number is the same.
    pub(super) fn shortest_loops(
        &self,
        set: &ExploredSet,
        fair: bool,
        alike: &dyn Fn(usize) -> usize,
        limit: &dyn Fn(usize) -> u32,
        budget: &Budget,
    ) -> Run<Option<Vec<u32>>> {
        let (justice, compassion) = self.fairness();
        let pairs = compassion.iter().flat_map(|(p, q)| [p, q]);
        let terms: Vec<&ExploredSet> = justice.iter().chain(pairs).collect();
        let terms = if fair { terms } else { vec![] };
        if terms.len() > MOST_CONSTRAINTS {
            return Ok(None);
        }
        let meets = |s: usize| {
            let met = terms.iter().enumerate().filter(|(_, term)| term[s]);
            met.fold(0_usize, |mask, (bit, _)| mask | 1 << bit)
        };
        let justice = if fair { justice.len() } else { 0 };
        let good = |mask: usize| {
            let has = |bit: usize| mask & 1 << bit != 0;
            let mut pairs = (justice..terms.len()).step_by(2);
            (0..justice).all(has) && pairs.all(|p| !has(p) || has(p + 1))
        };
        let met: Vec<usize> = (0..self.states.len()).map(meets).collect();
        let mut visits = 0;
        let mut loops = vec![NEVER; self.states.len()];
        // Where no fair path stays for ever there is no fair loop.
        let core = self.fair_within(set, fair);
        for head in (0..loops.len()).filter(|&s| core[s]) {
            budget.check()?;
            let mut seen = FxHashSet::default();
            let mut open = VecDeque::from([(head, 0_usize, 0_u32)]);
            'search: while let Some((s, mask, steps)) = open.pop_front() {
                if steps + 1 >= limit(head) {
                    break;
                }
                for &to in self.next[s].iter().filter(|&&to| core[to]) {
                    visits += 1;
                    let mask = mask | met[to];
                    if alike(to) == alike(head) && good(mask) {
                        loops[head] = steps + 1;
                        break 'search;
                    }
                    if seen.insert((to, mask)) {
                        open.push_back((to, mask, steps + 1));
                    }
                }
                if visits > MOST_VISITS {
                    return Ok(None);
                }
            }
        }
        Ok(Some(loops))
    }

    /// The steps of the shortest way from some states into a fair loop and once around it, if these are fewer than the
    /// limit; `None` if finding out takes too long.
    pub(super) fn shortest_lasso(
        &self,
        from: &[usize],
        limit: u32,
        budget: &Budget,
    ) -> Run<Option<u32>> {
        let away = self.distances(from);
        let all = vec![true; self.states.len()];
        let left = |s: usize| limit.saturating_sub(away[s]);
        let loops = self.shortest_loops(&all, true, &|s| s, &left, budget)?;
        let whole = |loops: Vec<u32>| {
            let lassos = away.iter().zip(loops);
            lassos.map(|(away, turn)| away.saturating_add(turn)).min()
        };
        Ok(loops.map(|loops| whole(loops).unwrap_or(NEVER)))
    }
}
