//! What the proof has shown before, and what it has not.

use wherefore_base::Run;
use wherefore_proof::ProofId;

use super::steps::free_steps;
use crate::strategy::{Guide, Proof, Rules, Strategy, Way};

/// Steps to states that are in the proof already (Chechik and Gurfinkel 2005, Fig. 7e), or to states
/// that are not, to see more of the model.
#[derive(Clone, Debug)]
pub struct KnownStrategy {
    explored: bool,
}

impl KnownStrategy {
    /// Prefers states that are in the proof already.
    pub fn explored() -> Self {
        Self { explored: true }
    }

    /// Prefers states that are not in the proof yet.
    pub fn fresh() -> Self {
        Self { explored: false }
    }
}

impl Strategy for KnownStrategy {
    fn init(&mut self, rules: &mut Rules) -> Run<()> {
        rules.add(Guide::Explored(self.explored));
        Ok(())
    }

    fn pick_rule(&mut self, proof: &dyn Proof, leaf: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        let mut liked = free_steps(proof, leaf, ways)?;
        liked.retain(|&way| proof.is_known_after(way) == Some(self.explored));
        Ok(liked)
    }
}
