//! Which runs of a system count.

use fixedbitset::FixedBitSet;
use wherefore_logic::Fairness;

/// Which runs count: maximal ones, unless something else is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paths {
    /// Which infinite runs count: sets of states of the system.
    pub fairness: Fairness<FixedBitSet>,
    /// Whether a run may end in a state without a step.
    pub may_end: bool,
}

impl Paths {
    /// All maximal runs: infinite ones, and those that end in a state without a step.
    pub fn maximal() -> Self {
        Self {
            fairness: Fairness::default(),
            may_end: true,
        }
    }

    /// Whether all maximal runs count.
    pub fn are_maximal(&self) -> bool {
        self.may_end && self.fairness.is_empty()
    }
}

impl Default for Paths {
    fn default() -> Self {
        Self::maximal()
    }
}
