//! The loops through one state, as a graph of pairs: a state, and the fairness conditions met so far.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use wherefore_space::StateSpace;

use super::around::{AroundRun, steps_to};
use crate::case::PathCase;
use crate::fragment::{FragmentSpot, SearchHalt};
use crate::search::EvidenceSearch;

/// So many pairs are looked at for the loops through one state.
const MOST_PAIRS: usize = 4096;

/// The fair loops through a state.
pub(super) struct LoopTurns {
    pairs: Vec<TurnPair>,
    /// Whether there are pairs that were not looked at.
    pub(super) cut: bool,
}

/// A state within a loop, with the conditions met since its start.
pub(super) struct TurnPair {
    pub(super) spot: FragmentSpot,
    /// Whether a step from here closes the loop.
    pub(super) closes: bool,
    /// Where a step that stays inside leads to, by number.
    pub(super) next: Vec<u32>,
    /// The fewest steps that close the loop from here; `None` when nothing does.
    pub(super) left: Option<u32>,
}

impl LoopTurns {
    /// The loops through a state from which staying for ever is possible. The first pair is the state
    /// itself.
    pub(super) fn new<S: StateSpace>(
        search: &mut EvidenceSearch<'_, '_, S>,
        around: &mut AroundRun,
        path: &PathCase<S>,
        home: FragmentSpot,
    ) -> Result<Self, SearchHalt> {
        let met = search.met(path, home)?;
        let mut numbers = FxHashMap::from_iter([((home, met), 0u32)]);
        let mut mets = vec![met];
        let pair = |spot| TurnPair {
            spot,
            closes: false,
            next: vec![],
            left: None,
        };
        let mut turns = Self {
            pairs: vec![pair(home)],
            cut: false,
        };
        let mut at = 0;
        while at < turns.pairs.len() {
            let here = turns.pairs[at].spot;
            let stay = || Ok(Some(path.sets.endless.clone()));
            let (after, all) = around.after(search, here, stay)?;
            turns.cut |= !all;
            // Of too many successors only some were taken, and home may be among the others.
            if !all && search.case.is_fair(path, mets[at]) && steps_to(search, here, home)? {
                turns.pairs[at].closes = true;
            }
            for &next in after.iter() {
                search.visit()?;
                if next == home && search.case.is_fair(path, mets[at]) {
                    turns.pairs[at].closes = true;
                    continue;
                }
                if !search
                    .case
                    .space
                    .contains(&path.sets.endless, search.state(next))
                {
                    continue;
                }
                let met = mets[at] | search.met(path, next)?;
                let number = match numbers.get(&(next, met)) {
                    Some(&number) => number,
                    None if turns.pairs.len() >= MOST_PAIRS => {
                        turns.cut = true;
                        continue;
                    }
                    None => {
                        let number = u32::try_from(turns.pairs.len()).expect("pairs are few");
                        numbers.insert((next, met), number);
                        mets.push(met);
                        turns.pairs.push(pair(next));
                        number
                    }
                };
                turns.pairs[at].next.push(number);
            }
            at += 1;
        }
        turns.measure();
        Ok(turns)
    }

    pub(super) fn pair(&self, number: u32) -> &TurnPair {
        &self.pairs[number as usize]
    }

    /// The fewest steps of a loop.
    pub(super) fn shortest(&self) -> Option<u32> {
        self.pairs[0].left
    }

    /// Works out how far each pair is from closing its loop.
    fn measure(&mut self) {
        let mut before: Vec<Vec<usize>> = self.pairs.iter().map(|_| vec![]).collect();
        let mut open = VecDeque::new();
        for (at, pair) in self.pairs.iter_mut().enumerate() {
            for &next in &pair.next {
                before[next as usize].push(at);
            }
            if pair.closes {
                pair.left = Some(1);
                open.push_back(at);
            }
        }
        while let Some(at) = open.pop_front() {
            let left = self.pairs[at].left.map(|left| left + 1);
            for &earlier in &before[at] {
                if self.pairs[earlier].left.is_none() {
                    self.pairs[earlier].left = left;
                    open.push_back(earlier);
                }
            }
        }
    }
}
