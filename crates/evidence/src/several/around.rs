//! The successors of states, as far as they are looked at.
//!
//! A state may have more successors than anybody can list. Of those the first are taken, and the first
//! that lead where the run wants to go.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::Run;
use wherefore_space::StateSpace;

use crate::fragment::{FragmentSpot, SearchHalt};
use crate::search::EvidenceSearch;

/// So many successors of a state are taken.
const MOST: usize = 256;
/// Of more, so many that lead where the run wants to go.
const WANTED: usize = 32;
/// So many successors are listed in all.
const LISTED: usize = 200_000;

/// The successors that are known.
#[derive(Default)]
pub(super) struct AroundRun {
    lists: FxHashMap<FragmentSpot, (Rc<[FragmentSpot]>, bool)>,
    listed: usize,
}

impl AroundRun {
    /// The successors of a state in order, and whether these are all. Of too many, some are in the set
    /// that is wanted when the state is first asked about, if any are.
    pub(super) fn after<S: StateSpace>(
        &mut self,
        search: &mut EvidenceSearch<'_, '_, S>,
        spot: FragmentSpot,
        wanted: impl FnOnce() -> Run<Option<S::Set>>,
    ) -> Result<(Rc<[FragmentSpot]>, bool), SearchHalt> {
        if let Some(known) = self.lists.get(&spot) {
            return Ok(known.clone());
        }
        if self.listed >= LISTED {
            return Err(SearchHalt::Exhausted);
        }
        let space = search.case.space;
        let state = search.state(spot).clone();
        let successors = space.successors(&state)?.take(MOST + 1);
        let mut successors = successors.collect::<Run<Vec<S::State>>>()?;
        let all = successors.len() <= MOST;
        if !all {
            successors.truncate(MOST);
            if let Some(wanted) = wanted()? {
                let after = space.post(&space.just(&state)?)?;
                let mut left = space.meet(&after, &wanted)?;
                for _ in 0..WANTED {
                    let Some(next) = space.first(&left)? else {
                        break;
                    };
                    left = space.minus(&left, &space.just(&next)?)?;
                    successors.push(next);
                }
                successors.sort_unstable();
                successors.dedup();
            }
        }
        self.listed += successors.len();
        let list: Rc<[FragmentSpot]> = successors.iter().map(|state| search.spot(state)).collect();
        self.lists.insert(spot, (list.clone(), all));
        Ok((list, all))
    }
}

/// Whether there is a step between two states.
pub(super) fn steps_to<S: StateSpace>(
    search: &EvidenceSearch<'_, '_, S>,
    from: FragmentSpot,
    to: FragmentSpot,
) -> Run<bool> {
    let (from, to) = (search.state(from), search.state(to));
    Ok(search.case.space.input(from, to)?.is_some())
}
