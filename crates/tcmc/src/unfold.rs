//! Trees that the steps of a part unfold into.
//!
//! A counterexample is a tree of runs, and a part of a system is only the states and steps that the tree uses (Kember, Tran,
//! Gao and Day 2019): where a state that goes on is come to in two ways, several trees use exactly the same
//! steps, and not all of them need to be counterexamples.

use wherefore_relational::UniverseAtomId;

use crate::extract::Extracted;

/// A finite tree of states, each below the one that it is reached from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnfoldedTree {
    /// The states, by their places among [`Extracted::states`], each after the one it is reached from; the first
    /// is the root.
    pub states: Vec<usize>,
    /// For each but the first, the place of the one that it is reached from.
    pub parents: Vec<usize>,
}

impl UnfoldedTree {
    /// Two different trees that use all steps of a part and no others; none if there is only one such tree. The first
    /// is as small as can be; the second is a single run where one run can take all the steps.
    pub fn two(extracted: &Extracted) -> Option<[UnfoldedTree; 2]> {
        if extracted.is_determined() {
            return None;
        }
        let steps = PartSteps::of(extracted);
        let second = steps.walk().unwrap_or_else(|| steps.tree(2));
        Some([steps.tree(1), second])
    }

    /// The states below one.
    pub fn below(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let parents = self.parents.iter().enumerate();
        let own = parents.filter(move |(_, parent)| **parent == at);
        own.map(|(child, _)| child + 1)
    }

    /// The tree on one line, as `0 → 1 → (0 | 2)`; a state is said as `name` says it.
    pub fn text(&self, name: &dyn Fn(usize) -> String) -> String {
        // The branches of a state come after it: from the last on, each is told when its own are.
        let mut told: Vec<String> = Vec::new();
        for at in (0..self.states.len()).rev() {
            let below = |&child: &usize| told[self.states.len() - 1 - child].as_str();
            let branches: Vec<usize> = self.below(at).collect();
            let branches: Vec<&str> = branches.iter().map(below).collect();
            let own = name(self.states[at]);
            told.push(match &branches[..] {
                [] => own,
                [only] => format!("{own} → {only}"),
                several => format!("{own} → ({})", several.join(" | ")),
            });
        }
        told.pop().unwrap_or_default()
    }
}

/// The steps of a part between places of its states, in order.
struct PartSteps {
    states: usize,
    steps: Vec<(usize, usize)>,
}

impl PartSteps {
    fn of(extracted: &Extracted) -> Self {
        let states = extracted.states();
        let place = |atom: UniverseAtomId| states.iter().position(|state| *state == atom);
        let steps = extracted.steps.iter();
        let steps = steps.filter_map(|&[from, to]| Some((place(from)?, place(to)?)));
        let mut steps: Vec<(usize, usize)> = steps.collect();
        steps.sort_unstable();
        Self {
            states: states.len(),
            steps,
        }
    }

    /// The tree in which each state goes on where it comes first, and so many times.
    fn tree(&self, times: usize) -> UnfoldedTree {
        let mut tree = UnfoldedTree {
            states: vec![0],
            parents: Vec::new(),
        };
        let mut gone_on = vec![0; self.states];
        let mut at = 0;
        while at < tree.states.len() {
            let state = tree.states[at];
            if gone_on[state] < times {
                gone_on[state] += 1;
                for &(_, to) in self.steps.iter().filter(|(from, _)| *from == state) {
                    tree.states.push(to);
                    tree.parents.push(at);
                }
            }
            at += 1;
        }
        tree
    }

    /// A run that takes every step: to the nearest one that it has not taken, again and again. None if it cannot go
    /// on to one.
    fn walk(&self) -> Option<UnfoldedTree> {
        let mut run = vec![0];
        let mut open = self.steps.clone();
        while !open.is_empty() {
            // The search is breadth first, so that the way to an open step is a shortest one.
            let mut paths = vec![vec![*run.last().expect("it begins somewhere")]];
            let mut seen = vec![paths[0][0]];
            let mut at = 0;
            let next = loop {
                let path = paths.get(at)?.clone();
                let end = *path.last().expect("it has a state");
                if let Some(taken) = open.iter().position(|(from, _)| *from == end) {
                    break (path, open.remove(taken).1);
                }
                for &(_, to) in self.steps.iter().filter(|(from, _)| *from == end) {
                    if !seen.contains(&to) {
                        seen.push(to);
                        paths.push([&path[..], &[to]].concat());
                    }
                }
                at += 1;
            };
            run.extend(&next.0[1..]);
            run.push(next.1);
        }
        Some(UnfoldedTree {
            parents: (0..run.len() - 1).collect(),
            states: run,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(steps: &[(usize, usize)]) -> PartSteps {
        let ends = steps.iter().map(|step| step.0.max(step.1));
        PartSteps {
            states: ends.max().map_or(1, |most| most + 1),
            steps: steps.to_vec(),
        }
    }

    fn number(state: usize) -> String {
        state.to_string()
    }

    #[test]
    fn a_loop_with_a_way_out_is_a_tree_and_a_run() {
        let steps = steps(&[(0, 1), (1, 0), (1, 2)]);
        assert_eq!(steps.tree(1).text(&number), "0 → 1 → (0 | 2)");
        assert_eq!(steps.tree(2).text(&number), "0 → 1 → (0 → 1 → (0 | 2) | 2)");
        let walk = steps.walk().expect("one run takes all");
        assert_eq!(walk.text(&number), "0 → 1 → 0 → 1 → 2");
    }

    #[test]
    fn two_ends_are_not_on_one_run() {
        let steps = steps(&[(0, 0), (0, 1), (0, 2)]);
        assert!(steps.walk().is_none());
        assert_eq!(steps.tree(1).text(&number), "0 → (0 | 1 | 2)");
        assert_eq!(steps.tree(2).text(&number), "0 → (0 → (0 | 1 | 2) | 1 | 2)");
    }
}
