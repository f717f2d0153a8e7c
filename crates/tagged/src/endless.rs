//! What can still happen from each pair, where fairness says which runs count or a monitor waits again
//! and again.
//!
//! The answers are those of [`crate::prospect`], from sets: where a run can come to stay for ever, where it
//! can come back again and again (both from fair strongly connected parts), and what leads there.

use fixedbitset::FixedBitSet;
use wherefore_base::{Budget, Run, Stop};
use wherefore_logic::Fairness;
use wherefore_model::lts::Lts;
use wherefore_space::explicit::fair_part;

use crate::monitor::{Monitor, Pair};
use crate::pairs::{FIRST, Pairs, UNSEEN};
use crate::paths::Paths;
use crate::prospect::Prospect;

/// Finds the prospect of each pair that can be reached from `start`.
pub(crate) fn survey_counted(
    lts: &Lts,
    monitor: &Monitor,
    paths: &Paths,
    start: Pair,
    pairs: &mut Pairs,
    budget: &Budget,
) -> Run<Prospect> {
    let product = MonitorProduct::explore(lts, monitor, paths, start, pairs, budget)?;
    let accepting = &product.accepting;
    let waiting: Vec<bool> = accepting.iter().map(|yes| !yes).collect();
    let all = 0..accepting.len();
    let prospects: Vec<Prospect> = if monitor.absorbing() {
        let possible = product.reach(accepting.clone(), None)?;
        // Acceptance is for ever, so a run that avoids it waits all the way.
        let avoids = product.staying(&waiting, Some(&waiting))?;
        // A step out of the graph leads to where it cannot happen, just as a pair does from which it cannot.
        let never = all
            .clone()
            .map(|n| !possible[n] || product.leaves[n])
            .collect();
        let away = product.reach(never, Some(&waiting))?;
        let prospect = |n: usize| match (possible[n], avoids[n], away[n]) {
            (false, _, _) => Prospect::Never,
            (true, false, _) => Prospect::Certain,
            (true, true, true) => Prospect::Free,
            (true, true, false) => Prospect::Stuck,
        };
        all.map(prospect).collect()
    } else {
        // The monitor may have accepted on the way: only how a run goes on in the end counts.
        let lost = product.staying(&waiting, None)?;
        let kept = product.recurring(accepting)?;
        let prospect = |n: usize| match (kept[n], lost[n]) {
            (false, _) => Prospect::Never,
            (true, false) => Prospect::Certain,
            (true, true) => Prospect::Free,
        };
        all.map(prospect).collect()
    };
    for (pair, prospect) in product.found.iter().zip(&prospects) {
        pairs.set(*pair, prospect.word());
    }
    Ok(prospects[0])
}

/// Everything that can be reached in a system with its monitor.
struct MonitorProduct<'a> {
    budget: &'a Budget,
    found: Vec<Pair>,
    accepting: Vec<bool>,
    /// Whether a step leads to where what the monitor waits for cannot happen.
    leaves: Vec<bool>,
    /// Whether a run that counts may end.
    ends: Vec<bool>,
    /// Where the successors of each pair start, and after them where the last ones end.
    starts: Vec<u32>,
    items: Vec<u32>,
    /// The same for predecessors.
    starts_back: Vec<u32>,
    items_back: Vec<u32>,
    fairness: Fairness<FixedBitSet>,
}

impl<'a> MonitorProduct<'a> {
    fn explore(
        lts: &Lts,
        monitor: &Monitor,
        paths: &Paths,
        start: Pair,
        pairs: &mut Pairs,
        budget: &'a Budget,
    ) -> Run<Self> {
        let mut meter = budget.meter();
        pairs.set(start, FIRST);
        let mut found = vec![start];
        let (mut starts, mut items) = (vec![0u32], Vec::new());
        let (mut leaves, mut ends) = (Vec::new(), Vec::new());
        while leaves.len() < found.len() {
            meter.tick()?;
            let Pair { state, at } = found[leaves.len()];
            let mut row = Vec::new();
            let mut leaving = false;
            for &step in lts.steps(state) {
                let Some(at) = monitor.next(at, step) else {
                    leaving = true;
                    continue;
                };
                let to = Pair { state: step.to, at };
                if pairs.get(to) == UNSEEN {
                    if found.len() >= (u32::MAX - FIRST) as usize {
                        return Err(Stop::Memory);
                    }
                    pairs.set(to, FIRST + found.len() as u32);
                    found.push(to);
                }
                row.push(pairs.get(to) - FIRST);
            }
            // Steps with several labels to one pair are one edge here.
            row.sort_unstable();
            row.dedup();
            items.append(&mut row);
            starts.push(u32::try_from(items.len()).map_err(|_| Stop::Memory)?);
            leaves.push(leaving);
            // After a step out of the graph nothing that is watched for can happen, so the run may as well
            // end.
            ends.push(leaving || paths.may_end && lts.steps(state).is_empty());
        }
        let (starts_back, items_back) = turned(&starts, &items);
        let lifted = |states: &FixedBitSet| -> Run<FixedBitSet> {
            budget.check()?;
            let inside = found.iter().map(|pair| states.contains(pair.state.index()));
            Ok(set(inside))
        };
        Ok(Self {
            budget,
            accepting: found.iter().map(|p| monitor.accepting(p.at)).collect(),
            leaves,
            ends,
            starts,
            items,
            starts_back,
            items_back,
            fairness: paths.fairness.try_map(lifted)?,
            found,
        })
    }

    /// Where some run reaches a goal, through pairs of `through` only.
    fn reach(&self, goals: Vec<bool>, through: Option<&[bool]>) -> Run<Vec<bool>> {
        let mut meter = self.budget.meter();
        let mut reached = goals;
        let mut queue: Vec<usize> = (0..reached.len()).filter(|&n| reached[n]).collect();
        while let Some(node) = queue.pop() {
            meter.tick()?;
            let row = self.starts_back[node] as usize..self.starts_back[node + 1] as usize;
            for &from in &self.items_back[row] {
                let from = from as usize;
                let inside = through.is_none_or(|through| through[from]);
                if inside && !std::mem::replace(&mut reached[from], true) {
                    queue.push(from);
                }
            }
        }
        Ok(reached)
    }

    /// Where some run that counts comes, through pairs of `through` only, to stay in `stay` for ever.
    fn staying(&self, stay: &[bool], through: Option<&[bool]>) -> Run<Vec<bool>> {
        let recurring = self.fair_part(stay, &self.fairness)?;
        let goal = |n: usize| recurring.contains(n) || stay[n] && self.ends[n];
        self.reach((0..stay.len()).map(goal).collect(), through)
    }

    /// Where some run that counts comes to pairs of a set again and again, or ends in one.
    fn recurring(&self, again: &[bool]) -> Run<Vec<bool>> {
        // To come back again and again is one more justice constraint.
        let mut fairness = self.fairness.clone();
        fairness.justice.push(set(again.iter().copied()));
        let recurring = self.fair_part(&vec![true; again.len()], &fairness)?;
        let goal = |n: usize| recurring.contains(n) || again[n] && self.ends[n];
        self.reach((0..again.len()).map(goal).collect(), None)
    }

    fn fair_part(&self, stay: &[bool], fairness: &Fairness<FixedBitSet>) -> Run<FixedBitSet> {
        let stay = set(stay.iter().copied());
        let (starts, items) = (self.starts.clone(), self.items.clone());
        fair_part(starts, items, &stay, fairness, self.budget)
    }
}

/// A graph in rows with all edges turned round.
fn turned(starts: &[u32], items: &[u32]) -> (Vec<u32>, Vec<u32>) {
    // This is a counting sort: how many edges enter each node, then where its row begins.
    let mut back = vec![0u32; starts.len()];
    for &to in items {
        back[to as usize + 1] += 1;
    }
    for node in 1..back.len() {
        back[node] += back[node - 1];
    }
    let mut at = back.clone();
    let mut items_back = vec![0u32; items.len()];
    for (from, row) in starts.windows(2).enumerate() {
        for &to in &items[row[0] as usize..row[1] as usize] {
            items_back[at[to as usize] as usize] = from as u32;
            at[to as usize] += 1;
        }
    }
    (back, items_back)
}

/// The places of those that are true.
pub(crate) fn set(members: impl ExactSizeIterator<Item = bool>) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(members.len());
    set.extend(members.enumerate().filter(|m| m.1).map(|m| m.0));
    set
}
