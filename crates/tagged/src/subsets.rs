//! The subset construction: from a nondeterministic automaton to a deterministic one.
//!
//! States that add nothing to a set are left out of it, which keeps the sets of formulas such as
//! `true* . A . true* . B . true* . C` small: where something may be waited for after which only `C` is
//! missing, it does not help to be still waiting for `B`.

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, IndexVec, Run};
use wherefore_logic::{ActionId, Nfa, Piece};
use wherefore_model::lts::{LabelId, LabelSet};

use crate::bottlenecks::Bottlenecks;
use crate::minimal::{AutomatonTable, NONE};

/// The sets of states that words lead to.
pub(crate) struct Subsets<'a> {
    /// The states entered without reading, for each state.
    silent: Vec<Vec<u32>>,
    /// The states entered by reading, for each state.
    reading: Vec<Vec<(ActionId, u32)>>,
    /// For a state that reads anything and stays: the state behind it.
    waits: Vec<u32>,
    bottlenecks: Bottlenecks,
    piece: Piece,
    actions: &'a IndexVec<ActionId, LabelSet>,
    /// A label of each class.
    examples: &'a [LabelId],
}

impl<'a> Subsets<'a> {
    pub(crate) fn new(
        nfa: &Nfa,
        piece: Piece,
        actions: &'a IndexVec<ActionId, LabelSet>,
        examples: &'a [LabelId],
        budget: &Budget,
    ) -> Run<Self> {
        let states = nfa.states() as usize;
        let (mut silent, mut reading) = (vec![Vec::new(); states], vec![Vec::new(); states]);
        for step in nfa.steps() {
            match step.reads {
                None => silent[step.from as usize].push(step.to),
                Some(action) => reading[step.from as usize].push((action, step.to)),
            }
        }
        let mut after = silent.clone();
        for (after, reading) in after.iter_mut().zip(&reading) {
            after.extend(reading.iter().map(|&(_, to)| to));
        }
        let bottlenecks = Bottlenecks::new(&after, piece.exit, budget)?;
        let mut subsets = Self {
            silent,
            reading,
            waits: vec![NONE; states],
            bottlenecks,
            piece,
            actions,
            examples,
        };
        subsets.find_waits(&after);
        Ok(subsets)
    }

    /// Finds states that read anything and stay where they are, such as that within `true*`, with the
    /// state behind them: whoever comes to the one comes to the other as well.
    fn find_waits(&mut self, after: &[Vec<u32>]) {
        let mut before = vec![Vec::new(); after.len()];
        for (from, targets) in after.iter().enumerate() {
            for &to in targets {
                before[to as usize].push(from as u32);
            }
        }
        let any = |action: ActionId| {
            let mut labels = self.examples.iter();
            labels.all(|&label| self.actions[action].contains(label))
        };
        for state in 0..after.len() as u32 {
            let [(action, to)] = self.reading[state as usize][..] else {
                continue;
            };
            let back = &self.silent[to as usize];
            if !back.contains(&state) || !any(action) {
                continue;
            }
            let behind = back.iter().copied().find(|&behind| {
                let together = |from: &u32| {
                    let silent = &self.silent[*from as usize];
                    silent.contains(&state) && silent.contains(&behind)
                };
                behind != state && before[state as usize].iter().all(together)
            });
            self.waits[state as usize] = behind.unwrap_or(NONE);
        }
    }

    /// The automaton of all words that begin with a word of the piece.
    pub(crate) fn determined(&self, budget: &Budget) -> Run<AutomatonTable> {
        let mut meter = budget.meter();
        let mut names: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut sets: Vec<Vec<u32>> = Vec::new();
        let mut table = AutomatonTable {
            classes: self.examples.len(),
            ..AutomatonTable::default()
        };
        let mut seen = vec![false; self.silent.len()];
        let start = self.closed(vec![self.piece.entrance], &mut seen);
        names.insert(start.clone(), 0);
        sets.push(start);
        let mut at = 0;
        while at < sets.len() {
            // A set is looked at once; its name keeps it.
            let here = std::mem::take(&mut sets[at]);
            let accepting = here.binary_search(&self.piece.exit).is_ok();
            table.accepting.push(accepting);
            for &label in self.examples {
                meter.tick()?;
                if accepting {
                    // A word that begins with a word of the piece: so do all that go on from it.
                    table.next.push(at as u32);
                    continue;
                }
                let reading = here.iter().flat_map(|&s| &self.reading[s as usize]);
                let read = reading.filter(|(action, _)| self.actions[*action].contains(label));
                let entered: Vec<u32> = read.map(|&(_, to)| to).collect();
                let set = self.closed(entered, &mut seen);
                if set.is_empty() {
                    table.next.push(NONE);
                    continue;
                }
                let count = sets.len() as u32;
                let name = *names.entry(set).or_insert_with_key(|set| {
                    sets.push(set.clone());
                    count
                });
                table.next.push(name);
            }
            at += 1;
        }
        Ok(table)
    }

    /// The states that matter among these and all entered from them without reading, in order: those
    /// that read, and the exit, which alone if it is there.
    fn closed(&self, mut set: Vec<u32>, seen: &mut [bool]) -> Vec<u32> {
        set.retain(|&state| !std::mem::replace(&mut seen[state as usize], true));
        let mut at = 0;
        while at < set.len() {
            for &to in &self.silent[set[at] as usize] {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    set.push(to);
                }
            }
            at += 1;
        }
        // The marks are cleared for the next call, which costs no more than the set.
        for &state in &set {
            seen[state as usize] = false;
        }
        let exit = self.piece.exit;
        if set.contains(&exit) {
            return vec![exit];
        }
        // A state that reads nothing adds no step of its own, and what it leads to is in the set.
        set.retain(|&state| {
            !self.reading[state as usize].is_empty() && self.bottlenecks.is_alive(state)
        });
        self.leave_out(&mut set);
        set.sort_unstable();
        set
    }

    /// Leaves out states that add nothing. When one waits, any word may come before what leads from the
    /// state behind it to the exit. So a state whose every way to the exit passes that one accepts
    /// nothing else.
    fn leave_out(&self, set: &mut Vec<u32>) {
        let behind = |&state: &u32| Some(self.waits[state as usize]).filter(|&q| q != NONE);
        // The times of states behind: each within another one, or apart.
        let times = set.iter().filter_map(behind);
        let mut times: Vec<(u32, u32)> = times.map(|q| self.bottlenecks.times(q)).collect();
        if times.is_empty() {
            return;
        }
        times.sort_unstable_by_key(|&(enter, leave)| (enter, u32::MAX - leave));
        // What lies within another one adds nothing to it.
        times.dedup_by(|inner, outer| inner.0 < outer.1);
        set.retain(|state| {
            // Neither one that waits nor the one behind it is left out because of itself.
            let next = self.bottlenecks.next(behind(state).unwrap_or(*state));
            !next.is_some_and(|next| {
                let at = self.bottlenecks.times(next).0;
                let place = times.partition_point(|&(enter, _)| enter <= at);
                place > 0 && at < times[place - 1].1
            })
        });
    }
}
