//! A deterministic automaton that reads the states of a run instead of its labels.
//!
//! States of the system that no condition tells apart are one class. The automaton is complete: it has
//! a step with every class everywhere.

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, IndexVec, Run};
use wherefore_model::lts::StateId;

/// The class of a state that is not read, as the one before the first.
const UNREAD: u32 = u32::MAX;

/// A deterministic automaton over the states of a system. State 0 has read nothing yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Watch {
    class: IndexVec<StateId, u32>,
    classes: usize,
    /// The step from each state with each class.
    next: Vec<u32>,
    accepting: Vec<bool>,
}

impl Watch {
    /// The minimal automaton with these steps: `next[at * classes + class]`, from state 0. States of the
    /// system without a class are not read.
    ///
    /// # Panics
    /// When a step leads to a state that does not exist, or the table has not the right size.
    pub fn new(
        class: IndexVec<StateId, Option<u32>>,
        classes: usize,
        next: Vec<u32>,
        accepting: Vec<bool>,
        budget: &Budget,
    ) -> Run<Self> {
        assert_eq!(next.len(), accepting.len() * classes, "the table is full");
        let class = class.iter().map(|class| class.unwrap_or(UNREAD)).collect();
        let blocks = blocks(classes, &next, &accepting, budget)?;
        // Numbered breadth first from the block of the first state.
        let mut names: FxHashMap<u32, u32> = FxHashMap::default();
        names.insert(blocks[0], 0);
        let mut order = vec![0usize];
        let mut small = Self {
            class,
            classes,
            next: Vec::new(),
            accepting: Vec::new(),
        };
        let mut at = 0;
        while let Some(&state) = order.get(at) {
            small.accepting.push(accepting[state]);
            for &to in &next[state * classes..][..classes] {
                let fresh = order.len() as u32;
                let name = *names.entry(blocks[to as usize]).or_insert(fresh);
                if name == fresh {
                    order.push(to as usize);
                }
                small.next.push(name);
            }
            at += 1;
        }
        Ok(small)
    }

    /// How many states it has.
    pub fn states(&self) -> u32 {
        self.accepting.len() as u32
    }

    /// Its state after a state of the system was read.
    #[inline]
    pub fn next(&self, at: u32, read: StateId) -> u32 {
        match self.class[read] {
            UNREAD => at,
            class => self.next[at as usize * self.classes + class as usize],
        }
    }

    /// Whether a state accepts.
    #[inline]
    pub fn accepting(&self, at: u32) -> bool {
        self.accepting[at as usize]
    }

    /// Whether it accepts for ever once it does.
    pub fn absorbing(&self) -> bool {
        let accepting = (0..self.accepting.len()).filter(|&at| self.accepting[at]);
        let mut steps = accepting.flat_map(|at| &self.next[at * self.classes..][..self.classes]);
        steps.all(|&to| self.accepting[to as usize])
    }
}

/// The block of each state in the coarsest partition that respects acceptance and steps (Moore 1956).
fn blocks(classes: usize, next: &[u32], accepting: &[bool], budget: &Budget) -> Run<Vec<u32>> {
    let mut block: Vec<u32> = accepting.iter().map(|&yes| u32::from(yes)).collect();
    let mut count = 0;
    loop {
        let mut names: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut refined = Vec::with_capacity(block.len());
        for state in 0..block.len() {
            budget.check()?;
            let row = next[state * classes..][..classes].iter();
            // The own block is part of the signature, so blocks are only ever split.
            let mut signature = vec![block[state]];
            signature.extend(row.map(|&to| block[to as usize]));
            let fresh = names.len() as u32;
            refined.push(*names.entry(signature).or_insert(fresh));
        }
        block = refined;
        if names.len() == count {
            return Ok(block);
        }
        count = names.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_that_accept_alike_become_one_and_unread_states_change_nothing() {
        // Two copies of "has seen class 1".
        let class = vec![Some(0), Some(1), None].into();
        let next = vec![1, 2, 0, 3, 2, 3, 3, 2];
        let accepting = vec![false, false, true, true];
        let watch = Watch::new(class, 2, next, accepting, &Budget::unlimited()).expect("no limit");
        assert_eq!(watch.states(), 2);
        let [plain, seen, unread] = [0, 1, 2].map(StateId::new);
        assert_eq!(watch.next(0, plain), 0);
        assert_eq!(watch.next(0, seen), 1);
        assert_eq!(watch.next(1, unread), 1);
        assert!(watch.accepting(1) && watch.absorbing());
    }
}
