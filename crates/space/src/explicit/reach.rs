//! On the fly: is a state with a condition reachable?
//!
//! The states are found level by level, without their transitions, until a level has such a state or
//! no state is left. So an invariant that fails after a few steps is refuted after a few levels,
//! however large the model is, and one that holds takes the words of each state and its place in a
//! table, 14 to 20 bytes for a state of up to 64 bits.

use fixedbitset::FixedBitSet;
use wherefore_base::{Budget, Run};
use wherefore_model::{Model, TermId};

use super::explore::{
    ExplorationEnd, ExplorationLimits, LevelShape, SpaceTooLarge, StateExploration, told,
};
use super::{Explicit, ExplicitStateId};
use crate::{Rings, StateSpace};

/// What a search for a state with a condition finds.
#[derive(Debug)]
pub enum ReachedState<'m> {
    /// There is one.
    Yes {
        /// All states at most as far from the initial states as the nearest with the condition; with all
        /// steps, except that the farthest states have none. The shortest paths from an initial state to
        /// the condition are all in it, and the states on them have all their successors, so what is
        /// shown with such a path is the same as in the whole space. What needs more than that, as
        /// whether a state can still avoid the condition, does not follow from it.
        part: Box<Explicit<'m>>,
        /// How many steps away the nearest one is.
        steps: u32,
    },
    /// There is none among the reachable states.
    No {
        /// How many states are reachable.
        states: usize,
    },
}

impl<'m> Explicit<'m> {
    /// Searches for a reachable state where a condition on the present state holds, and stops at the
    /// level of the nearest. Of the limits only that on states counts.
    pub fn search(
        model: &'m Model,
        condition: TermId,
        limits: ExplorationLimits,
        budget: &Budget,
    ) -> Run<Result<ReachedState<'m>, SpaceTooLarge>> {
        Self::search_on(model, condition, limits, super::threads(), budget)
    }

    /// Searches as [`Explicit::search`] does, on so many threads.
    pub fn search_on(
        model: &'m Model,
        condition: TermId,
        limits: ExplorationLimits,
        threads: usize,
        budget: &Budget,
    ) -> Run<Result<ReachedState<'m>, SpaceTooLarge>> {
        told(search(model, condition, limits, threads, budget))
    }

    /// Of the shortest paths from an initial state into a set the one on which the fewest variables change,
    /// counted step by step, of these the least; `None` when there is none.
    pub fn shortest_path(&self, goal: &FixedBitSet) -> Run<Option<Vec<ExplicitStateId>>> {
        let mut meter = self.budget.meter();
        let rings = self.until(&self.reachable, goal)?;
        let distance = |state: &ExplicitStateId| rings.distance(state);
        let starts: Vec<ExplicitStateId> = self.initial.ones().map(ExplicitStateId::new).collect();
        let Some(steps) = starts.iter().filter_map(distance).min() else {
            return Ok(None);
        };
        // The best ways to the states of a level, the least first: changes, place before, state.
        let nearest = starts.iter().filter(|state| distance(state) == Some(steps));
        let mut levels: Vec<Vec<(u32, usize, ExplicitStateId)>> =
            vec![nearest.map(|&state| (0, 0, state)).collect()];
        for left in (0..steps).rev() {
            let Some(level) = levels.last() else { break };
            let mut best: Vec<Option<(u32, usize)>> = Vec::new();
            let mut found: Vec<ExplicitStateId> = Vec::new();
            let mut places = rustc_hash::FxHashMap::default();
            for (at, &(changes, _, state)) in level.iter().enumerate() {
                for &next in self.forward.row(state.index() as u32) {
                    meter.tick()?;
                    let next = ExplicitStateId::new(next as usize);
                    if distance(&next) != Some(left) {
                        continue;
                    }
                    let changes = changes + StateSpace::changes(self, &state, &next);
                    let way = (changes, at);
                    let place = *places.entry(next).or_insert_with(|| {
                        found.push(next);
                        best.push(None);
                        found.len() - 1
                    });
                    let old = &mut best[place];
                    // Of equally many changes the earlier place is the lesser way, since levels are
                    // in the order of ways.
                    *old = Some(old.map_or(way, |old| old.min(way)));
                }
            }
            let ways = best.into_iter().zip(found);
            let ways = ways.filter_map(|(way, state)| way.map(|(c, at)| (c, at, state)));
            let mut ways: Vec<(u32, usize, ExplicitStateId)> = ways.collect();
            // Places before are in the order of their ways, so this is the order of the ways.
            ways.sort_unstable_by_key(|&(_, at, state)| (at, state));
            levels.push(ways);
        }
        let last = levels.last().into_iter().flatten().enumerate();
        let Some((mut at, _)) = last.min_by_key(|(at, (changes, ..))| (*changes, *at)) else {
            return Ok(None);
        };
        let mut path = Vec::with_capacity(levels.len());
        for level in levels.iter().rev() {
            let (_, before, state) = level[at];
            path.push(state);
            at = before;
        }
        path.reverse();
        Ok(Some(path))
    }
}

fn search<'m>(
    model: &'m Model,
    condition: TermId,
    limits: ExplorationLimits,
    threads: usize,
    budget: &Budget,
) -> Result<ReachedState<'m>, ExplorationEnd> {
    let limits = ExplorationLimits {
        states: limits.states,
        ..ExplorationLimits::default()
    };
    let mut explorer =
        StateExploration::start(model, &[], limits, LevelShape::Any, threads, budget)?;
    let mut before = 0;
    let mut start = 0;
    for steps in 0.. {
        if explorer.any_from(start, condition)? {
            // A second walk to the same states keeps the transitions.
            explorer.keep_transitions();
            explorer.expand(before)?;
            let (explored, layout, generator) = explorer.finish()?;
            let part = Explicit::new(model, budget, layout, generator, explored);
            let part = Box::new(part);
            return Ok(ReachedState::Yes { part, steps });
        }
        if explorer.is_done() {
            break;
        }
        (before, start) = (explorer.len(), explorer.len());
        explorer.expand(before)?;
    }
    let states = explorer.len();
    Ok(ReachedState::No { states })
}
