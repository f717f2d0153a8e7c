//! The run that is best for wishes about labels.
//!
//! Where the evidence is one run that ends, runs are compared number by number: the exceptions to the first wish, to the
//! second, and so on, then the steps. A search by cost (Dijkstra) through claims at states finds a least one, since each
//! step adds to these numbers and takes nothing from them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::Run;
use wherefore_model::lts::LabelId;

use super::case::{ClaimAtState, ModalCase};
use super::wished::LabelWish;

/// What a run costs: exceptions to each wish, and steps.
type RunCost = Vec<u32>;

/// A run that no other serves the wishes better than.
pub(super) struct CheapestRun {
    /// Claims in order, each with the number of the way that is taken there.
    pub(super) ways: Vec<(ClaimAtState, usize)>,
    /// The exceptions to each wish.
    pub(super) exceptions: Vec<u32>,
}

/// A claim that was reached: from which one, and by which of its ways.
type ReachedFrom = Option<(ClaimAtState, usize)>;

/// The run from a claim that serves the wishes best; none where the evidence may branch or go round for ever.
pub(super) fn cheapest(
    case: &ModalCase<'_>,
    start: ClaimAtState,
    wishes: &[LabelWish],
) -> Run<Option<CheapestRun>> {
    if case.may_be_endless || !case.is_one_run(start.0) {
        return Ok(None);
    }
    let mut meter = case.budget.meter();
    let mut from: FxHashMap<ClaimAtState, (RunCost, ReachedFrom)> = FxHashMap::default();
    let mut settled: FxHashSet<ClaimAtState> = FxHashSet::default();
    // Of equal costs the claim that was reached first comes first.
    let mut open: BinaryHeap<Reverse<(RunCost, usize, ClaimAtState)>> = BinaryHeap::new();
    let nothing = vec![0; wishes.len() + 1];
    from.insert(start, (nothing.clone(), None));
    open.push(Reverse((nothing, 0, start)));
    let mut reached = 1;
    while let Some(Reverse((cost, _, here))) = open.pop() {
        meter.tick()?;
        if !settled.insert(here) {
            continue;
        }
        let ways = case.ways(here);
        if ways == 0 {
            return Ok(Some(CheapestRun {
                ways: ways_to(&from, here),
                exceptions: cost[..wishes.len()].to_vec(),
            }));
        }
        for number in 0..ways {
            meter.tick()?;
            let Some(way) = case.way(here, number) else {
                continue;
            };
            let cost = match way.label {
                None => cost.clone(),
                Some(label) => after(&cost, label, wishes),
            };
            if from.get(&way.to).is_none_or(|(known, _)| cost < *known) {
                from.insert(way.to, (cost.clone(), Some((here, number))));
                open.push(Reverse((cost, reached, way.to)));
                reached += 1;
            }
        }
    }
    Ok(None)
}

/// The cost of a run with one step more.
fn after(cost: &RunCost, label: LabelId, wishes: &[LabelWish]) -> RunCost {
    let mut cost = cost.clone();
    for (exceptions, wish) in cost.iter_mut().zip(wishes) {
        *exceptions += u32::from(wish.unwanted.contains(&label));
    }
    if let Some(steps) = cost.last_mut() {
        *steps += 1;
    }
    cost
}

fn ways_to(
    from: &FxHashMap<ClaimAtState, (RunCost, ReachedFrom)>,
    end: ClaimAtState,
) -> Vec<(ClaimAtState, usize)> {
    let mut ways = Vec::new();
    let mut here = end;
    while let Some((_, Some((before, way)))) = from.get(&here) {
        ways.push((*before, *way));
        here = *before;
    }
    ways.reverse();
    ways
}
