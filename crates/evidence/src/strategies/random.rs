//! Anything, at random.

use wherefore_base::{Rng, Run};
use wherefore_proof::ProofId;

use crate::strategy::{Proof, Strategy, Way};

/// Shows any obligation by any of its ways: the basic strategy of Chechik and Gurfinkel (2005). The
/// same seed makes the same choices.
#[derive(Clone, Debug)]
pub struct Random(Rng);

impl Random {
    /// The choices that this seed makes.
    pub fn new(seed: u64) -> Self {
        Self(Rng::new(seed))
    }
}

impl Strategy for Random {
    fn pick_leaf(&mut self, _: &dyn Proof, leaves: &[ProofId]) -> Run<Vec<ProofId>> {
        if leaves.is_empty() {
            return Ok(vec![]);
        }
        Ok(vec![leaves[self.0.below(leaves.len())]])
    }

    fn pick_rule(&mut self, _: &dyn Proof, _: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        if ways.is_empty() {
            return Ok(vec![]);
        }
        Ok(vec![self.0.below(ways.len())])
    }
}
