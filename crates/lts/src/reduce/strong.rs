//! The classes of strong bisimilarity, in time `m log n` for `m` transitions and `n` states.
//!
//! Paige and Tarjan (1987), for labels. Beside the partition there is a coarser one, into *unions* of
//! blocks, and the partition is stable under it: states of a block have the same labels into the same
//! unions. While a union has several blocks, one with at most half of its states becomes a union of its
//! own, and each block is split in three by where its states lead: into that one, into the rest, or both.
//! How many transitions of a state with a label lead into a union is counted, so that *only into that one*
//! is seen without looking at the rest.

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Meter, Run};
use wherefore_model::lts::Lts;

use super::partition::{StatePartition, Stretch};

const NONE: u32 = u32::MAX;

/// The class of each state, numbered from zero without a gap.
pub(super) fn classes(lts: &Lts, budget: &Budget) -> Run<Vec<u32>> {
    let mut refinement = Refinement::new(lts, budget)?;
    while let Some(union) = refinement.pending.pop() {
        refinement.is_pending[union as usize] = false;
        while let Some(block) = refinement.take_off(union) {
            refinement.stabilise(block)?;
        }
    }
    Ok(refinement.blocks.into_block_of())
}

struct Refinement {
    meter: Meter,
    blocks: StatePartition,
    union_of: Vec<u32>,
    /// A union is a stretch of the partition's array, too.
    unions: Vec<Stretch>,
    /// The unions that may have several blocks.
    pending: Vec<u32>,
    is_pending: Vec<bool>,
    /// By transition, in the order of the system.
    sources: Vec<u32>,
    labels: Vec<u32>,
    /// The transitions into each state: `entering[enter_starts[s]..enter_starts[s + 1]]`.
    enter_starts: Vec<u32>,
    entering: Vec<u32>,
    /// The counter of each transition, shared by those with its source, label and target union.
    counter_of: Vec<u32>,
    counters: Vec<u32>,
    unused: Vec<u32>,
    /// The transitions into a block by label, and the labels that have any.
    by_label: Vec<Vec<u32>>,
    /// By state: its counter for the new union and for the old one, while a label is worked on.
    new_counter: Vec<u32>,
    old_counter: Vec<u32>,
}

impl Refinement {
    /// One union of all states; blocks by labels.
    fn new(lts: &Lts, budget: &Budget) -> Run<Self> {
        let mut meter = budget.meter();
        let (states, transitions) = (lts.states(), lts.transitions());
        let mut sources = Vec::with_capacity(transitions);
        let mut labels = Vec::with_capacity(transitions);
        let mut counter_of = Vec::with_capacity(transitions);
        let mut counters: Vec<u32> = Vec::new();
        let mut enter_starts = vec![0u32; states + 1];
        let mut by_labels: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
        let mut block_of = Vec::with_capacity(states);
        let mut here: Vec<u32> = Vec::new();
        for state in lts.state_ids() {
            here.clear();
            for step in lts.steps(state) {
                meter.tick()?;
                let label = step.label.index() as u32;
                // The steps are in the order of labels, so equal ones are neighbours.
                if here.last() != Some(&label) {
                    here.push(label);
                    counters.push(0);
                }
                // While there is one union, a state has one counter for each label.
                let counter = counters.len() - 1;
                counters[counter] += 1;
                counter_of.push(counter as u32);
                sources.push(state.index() as u32);
                labels.push(label);
                enter_starts[step.to.index() + 1] += 1;
            }
            let fresh = by_labels.len() as u32;
            block_of.push(match by_labels.get(&here[..]) {
                Some(&block) => block,
                None => *by_labels.entry(here[..].into()).or_insert(fresh),
            });
        }
        for state in 0..states {
            enter_starts[state + 1] += enter_starts[state];
        }
        let mut at = enter_starts.clone();
        let mut entering = vec![0; transitions];
        for (transition, step) in lts.state_ids().flat_map(|s| lts.steps(s)).enumerate() {
            meter.tick()?;
            let place = &mut at[step.to.index()];
            entering[*place as usize] = transition as u32;
            *place += 1;
        }
        let blocks = StatePartition::new(block_of, by_labels.len());
        Ok(Self {
            meter,
            union_of: vec![0; blocks.blocks()],
            blocks,
            unions: vec![Stretch {
                start: 0,
                end: states as u32,
            }],
            pending: vec![0],
            is_pending: vec![true],
            sources,
            labels,
            enter_starts,
            entering,
            counter_of,
            counters,
            unused: Vec::new(),
            by_label: vec![Vec::new(); lts.labels().len()],
            new_counter: vec![NONE; states],
            old_counter: vec![NONE; states],
        })
    }

    /// Makes a block of a union that has several, with at most half of its states, a union of its own.
    fn take_off(&mut self, union: u32) -> Option<u32> {
        let Stretch { start, end } = self.unions[union as usize];
        // A union is made of whole blocks, so its two ends tell whether it has several.
        let first = self.blocks.block_of(self.blocks.at(start));
        let last = self.blocks.block_of(self.blocks.at(end - 1));
        if first == last {
            return None;
        }
        let rest = &mut self.unions[union as usize];
        // The smaller of two blocks has at most half of the states of the union: hence `m log n`.
        let block = match self.blocks.stretch(first).len() <= self.blocks.stretch(last).len() {
            true => {
                rest.start = self.blocks.stretch(first).end;
                first
            }
            false => {
                rest.end = self.blocks.stretch(last).start;
                last
            }
        };
        self.union_of[block as usize] = self.unions.len() as u32;
        self.unions.push(self.blocks.stretch(block));
        self.is_pending.push(false);
        Some(block)
    }

    /// Splits all blocks by where they lead: into this one, into the rest of the union it was in, or both.
    fn stabilise(&mut self, block: u32) -> Run<()> {
        // All transitions are gathered before anything is split, since the block itself may be.
        let mut labels: Vec<u32> = Vec::new();
        for &state in self.blocks.elements(block) {
            let from = self.enter_starts[state as usize] as usize;
            let to = self.enter_starts[state as usize + 1] as usize;
            for &transition in &self.entering[from..to] {
                self.meter.tick()?;
                let label = self.labels[transition as usize];
                let bucket = &mut self.by_label[label as usize];
                if bucket.is_empty() {
                    labels.push(label);
                }
                bucket.push(transition);
            }
        }
        let mut leading: Vec<u32> = Vec::new();
        for label in labels {
            let mut bucket = std::mem::take(&mut self.by_label[label as usize]);
            leading.clear();
            for &transition in &bucket {
                self.meter.tick()?;
                self.count(transition, &mut leading);
            }
            for &state in &leading {
                self.blocks.mark(state);
            }
            self.split();
            // Of the states that lead there, those that do not lead into the rest part once more.
            for &state in &leading {
                if self.counters[self.old_counter[state as usize] as usize] == 0 {
                    self.blocks.mark(state);
                }
            }
            self.split();
            for &state in &leading {
                let old = self.old_counter[state as usize];
                // No transition refers to a counter that is zero, so it can be used again.
                if self.counters[old as usize] == 0 {
                    self.unused.push(old);
                }
                self.new_counter[state as usize] = NONE;
            }
            bucket.clear();
            self.by_label[label as usize] = bucket;
        }
        Ok(())
    }

    /// Counts a transition for the new union instead of the old one.
    fn count(&mut self, transition: u32, leading: &mut Vec<u32>) {
        let source = self.sources[transition as usize];
        let old = self.counter_of[transition as usize];
        if self.new_counter[source as usize] == NONE {
            let fresh = self.unused.pop().unwrap_or_else(|| {
                self.counters.push(0);
                self.counters.len() as u32 - 1
            });
            self.new_counter[source as usize] = fresh;
            self.old_counter[source as usize] = old;
            leading.push(source);
        }
        let new = self.new_counter[source as usize];
        self.counters[old as usize] -= 1;
        self.counters[new as usize] += 1;
        self.counter_of[transition as usize] = new;
    }

    fn split(&mut self) {
        let Self {
            blocks,
            union_of,
            pending,
            is_pending,
            ..
        } = self;
        blocks.split(|block| {
            let union = union_of[block as usize];
            union_of.push(union);
            if !std::mem::replace(&mut is_pending[union as usize], true) {
                pending.push(union);
            }
        });
    }
}
