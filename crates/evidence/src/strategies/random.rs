//! Anything, at random.

use wherefore_base::Run;
use wherefore_proof::ProofId;

use crate::strategy::{Proof, Strategy, Way};

/// Shows any obligation by any of its ways: the basic strategy of Chechik and Gurfinkel (2005). The
/// same seed makes the same choices.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The choices that this seed makes.
    pub fn new(seed: u64) -> Self {
        // The state must not be zero, and neighbouring seeds should part at once.
        let state = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut random = Self { state };
        random.next();
        random.next();
        random
    }

    /// The next number (xorshift64*, Vigna 2016).
    fn next(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below a bound that is not zero.
    fn below(&mut self, bound: usize) -> usize {
        // The remainder is below a `usize`, so it fits one.
        ((self.next() >> 33) % bound as u64) as usize
    }
}

impl Strategy for Random {
    fn pick_leaf(&mut self, _: &dyn Proof, leaves: &[ProofId]) -> Run<Vec<ProofId>> {
        if leaves.is_empty() {
            return Ok(vec![]);
        }
        Ok(vec![leaves[self.below(leaves.len())]])
    }

    fn pick_rule(&mut self, _: &dyn Proof, _: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        if ways.is_empty() {
            return Ok(vec![]);
        }
        Ok(vec![self.below(ways.len())])
    }
}
