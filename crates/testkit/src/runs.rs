//! Runs of small graphs, read literally: what some run does and what every run does.
//!
//! An infinite run is described by the set of nodes it visits infinitely often: some strongly connected
//! set with a step inside. All such sets are tried, so nothing here is a fixpoint.

use wherefore_logic::Fairness;

use crate::kripke::members;

/// A small graph: bit `t` of `steps[n]` says whether there is a step from node `n` to node `t`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunGraph {
    /// The steps.
    pub steps: Vec<u64>,
    /// Which infinite runs count, as sets of nodes.
    pub fairness: Fairness<u64>,
    /// Whether runs that end in a node without a step count.
    pub may_end: bool,
}

/// What the runs from a node do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Deeds {
    /// Some run that counts comes to the set again and again, or ends in it.
    pub some_do: bool,
    /// Some run that counts does not.
    pub some_do_not: bool,
}

impl RunGraph {
    /// The nodes that can be reached from a node by at least no step, through nodes of a set.
    pub fn reached(&self, from: usize, through: u64) -> u64 {
        let mut reached = 1 << from;
        loop {
            let next = members(reached & through).fold(reached, |all, node| all | self.steps[node]);
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// What the runs from each node do about a set.
    ///
    /// # Panics
    /// When there are more than 16 nodes: all sets of nodes are tried.
    pub fn deeds(&self, goal: u64) -> Vec<Deeds> {
        let size = self.steps.len();
        assert!(size <= 16, "all sets of nodes are tried");
        let everywhere = (1 << size) - 1;
        let from: Vec<u64> = (0..size).map(|n| self.reached(n, everywhere)).collect();
        let mut deeds = vec![Deeds::default(); size];
        let mut note = |ends: u64, done: bool| {
            for (node, deeds) in deeds.iter_mut().enumerate() {
                if from[node] & ends != 0 {
                    deeds.some_do |= done;
                    deeds.some_do_not |= !done;
                }
            }
        };
        for set in 1..=everywhere {
            if self.recurs(set) && self.counts(set) {
                note(set, set & goal != 0);
            }
        }
        if self.may_end {
            for node in (0..size).filter(|&node| self.steps[node] == 0) {
                note(1 << node, goal >> node & 1 == 1);
            }
        }
        deeds
    }

    /// Whether some run visits exactly these nodes infinitely often.
    fn recurs(&self, set: u64) -> bool {
        let inside = |node: usize| self.steps[node] & set != 0;
        members(set).all(|node| inside(node) && self.within(node, set) == set)
    }

    /// The nodes of a set that are reached from one of them without leaving it.
    fn within(&self, from: usize, set: u64) -> u64 {
        let mut reached = 1 << from;
        loop {
            let next = members(reached).fold(reached, |all, node| all | self.steps[node] & set);
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    fn counts(&self, set: u64) -> bool {
        let Fairness {
            justice,
            compassion,
        } = &self.fairness;
        justice.iter().all(|p| p & set != 0)
            && compassion.iter().all(|(p, q)| p & set == 0 || q & set != 0)
    }
}
