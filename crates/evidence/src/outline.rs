//! Outlines: what the evidence for a goal can look like, read off the formula before any is made.

use wherefore_logic::{Goal, Kernel, Quantifier};
use wherefore_space::StateSpace;

use crate::case::{ProofCase, remembered};

impl<S: StateSpace> ProofCase<'_, '_, S> {
    /// Whether showing a goal may add states to an evidence: steps of runs, or a list of successors.
    pub(crate) fn adds_states(&self, goal: Goal) -> bool {
        remembered(&self.adds_states, goal, || match self.kernel(goal) {
            Kernel::State => false,
            Kernel::Branches(branches) => {
                let mut goals = branches.iter().flatten();
                goals.any(|&goal| self.adds_states(goal))
            }
            Kernel::Step(..) => true,
            Kernel::Path(pattern) | Kernel::Bounded(_, pattern) => {
                pattern.quantifier == Quantifier::Exists
            }
        })
    }

    /// Whether the evidence for a goal is one run, whichever way it is shown: nothing branches off.
    pub(crate) fn is_one_run(&self, goal: Goal) -> bool {
        remembered(&self.is_one_run, goal, || match self.kernel(goal) {
            Kernel::State => true,
            Kernel::Branches(branches) => branches.iter().all(|goals| self.are_one_run(goals)),
            Kernel::Step(quantifier, next) => {
                quantifier == Quantifier::Exists && self.is_one_run(next)
            }
            Kernel::Path(pattern) | Kernel::Bounded(_, pattern) => {
                let goals = pattern.goal.as_deref().unwrap_or_default();
                let mut stay = pattern.stay.iter();
                let still = !stay.any(|&goal| self.adds_states(goal));
                pattern.quantifier == Quantifier::Forall || still && self.are_one_run(goals)
            }
        })
    }

    fn are_one_run(&self, goals: &[Goal]) -> bool {
        let adding = goals.iter().filter(|&&goal| self.adds_states(goal)).count();
        adding <= 1 && goals.iter().all(|&goal| self.is_one_run(goal))
    }

    /// Whether the evidence for a goal is a plain path or a loop that no fairness constraint stretches.
    ///
    /// Then what is least in steps is least in transitions, and what is least in occurrences is least
    /// in states. For whatever set of states and transitions an evidence has, it has a path without
    /// repetition to its goal or to a loop without repetition, and that is an evidence of its own, in
    /// which every occurrence is a state of its own and every step a transition of its own. So the least
    /// counts are those of an evidence without repetition, and the shortest one has none.
    pub(crate) fn is_plain(&self, goal: Goal) -> bool {
        let plain = || match self.kernel(goal) {
            Kernel::State => true,
            Kernel::Branches(branches) => {
                let mut goals = branches.iter().flatten();
                goals.all(|&goal| self.is_plain(goal))
            }
            // A step may lead to the state it starts from.
            Kernel::Step(..) => false,
            Kernel::Path(pattern) if pattern.quantifier == Quantifier::Exists => {
                let mut goals = pattern.goal.iter().flatten();
                let fair = pattern.fair || self.query.rule.globally_is_fair();
                let stretched = pattern.weak && fair && !self.checker.fairness().is_empty();
                goals.all(|&goal| !self.adds_states(goal)) && !stretched
            }
            Kernel::Path(_) => true,
            Kernel::Bounded(_, pattern) => pattern.quantifier == Quantifier::Forall,
        };
        remembered(&self.is_plain, goal, || self.is_one_run(goal) && plain())
    }
}
