//! Deciding how many steps lie between two conditions.
//!
//! The fewest steps are read off the distances of fair states from where paths start. The most are those of the longest path
//! that stays clear of where they arrive, found by going back from the states that every step leaves.

use wherefore_logic::PathRule;
use wherefore_model::{Distance, Env, TermId};
use wherefore_proof::Quantity;

use super::{Confirmed, SentenceChecker, Surroundings, confirm};
use crate::explored::ExploredSet;
use crate::loops::NEVER;

impl SentenceChecker<'_> {
    /// So many steps lie between two conditions.
    pub(super) fn distance(&self, distance: Distance, said: Quantity) -> Confirmed {
        let around = self.reachable()?;
        let fair = around.states.with_path(PathRule::FairInfinite);
        let fair_where = |term: TermId| -> ExploredSet {
            let states = around.states.states.iter().enumerate();
            let interpreter = &self.base.interpreter;
            let is = |(s, state): (usize, &std::sync::Arc<[wherefore_base::Value]>)| {
                fair[s] && interpreter.truth(term, Env::state(state))
            };
            states.map(is).collect()
        };
        let (from, to) = (fair_where(distance.from), fair_where(distance.to));
        let found = match (from.contains(&true), distance.longest) {
            (false, _) => Quantity::Undefined,
            (true, false) => fewest(around, &fair, &from, &to),
            (true, true) => most(around, &fair, &from, &to),
        };
        confirm(found == said, || format!("it is {found:?}"))
    }
}

/// The fewest steps from one set of fair states to another.
fn fewest(
    around: &Surroundings,
    fair: &ExploredSet,
    from: &ExploredSet,
    to: &ExploredSet,
) -> Quantity {
    let graph = among(around, fair);
    let starts: Vec<usize> = (0..from.len()).filter(|&s| from[s]).collect();
    let away = graph.distances(&starts);
    let nearest = (0..to.len()).filter(|&s| to[s]).map(|s| away[s]).min();
    match nearest {
        Some(steps) if steps != NEVER => Quantity::Steps(steps),
        _ => Quantity::Infinite,
    }
}

/// The most steps that a path of fair states takes to come from one set to another.
fn most(
    around: &Surroundings,
    fair: &ExploredSet,
    from: &ExploredSet,
    to: &ExploredSet,
) -> Quantity {
    let clear: ExploredSet = (0..fair.len()).map(|s| fair[s] && !to[s]).collect();
    let graph = among(around, &clear);
    // States with an endless path that stays clear never arrive.
    let endless = graph.fair_within(&clear, false);
    if (0..from.len()).any(|s| from[s] && endless[s]) {
        return Quantity::Infinite;
    }
    // From the others every path among clear states ends; one more step arrives.
    let mut longest: Vec<Option<u32>> = vec![None; fair.len()];
    let mut steps = 0;
    for start in (0..from.len()).filter(|&s| from[s] && clear[s]) {
        let mut open = vec![start];
        while let Some(&s) = open.last() {
            let next = &graph.next[s];
            let unknown = next.iter().copied().find(|&to| longest[to].is_none());
            match unknown {
                Some(to) => open.push(to),
                None => {
                    let after = next.iter().filter_map(|&to| longest[to]).max();
                    longest[s] = Some(after.unwrap_or(0) + 1);
                    open.pop();
                }
            }
        }
        steps = steps.max(longest[start].unwrap_or(0));
    }
    Quantity::Steps(steps)
}

/// The steps within a set.
fn among(around: &Surroundings, set: &ExploredSet) -> crate::explored::ExploredStates {
    let next = around.states.next.iter().enumerate();
    let next = next.map(|(s, next)| {
        let next = next.iter().copied().filter(|&to| set[s] && set[to]);
        next.collect()
    });
    let states = 0..set.len();
    (around.states).product(states, next.collect(), std::iter::empty())
}
