//! Fewest steps to come.

use wherefore_base::Run;
use wherefore_proof::ProofId;

use super::steps::ShortestSteps;
use crate::strategy::{Proof, Strategy, Way};

/// Tries the ways of an obligation and takes the one after which the fewest steps are to come.
///
/// Each try asks what is to come after a way; after so many tries in the whole proof there are none
/// left, and no opinion either (Chechik and Gurfinkel 2005, section 5.2: the effort of backtracking is
/// held down by the number of its applications).
#[derive(Clone, Debug)]
pub struct Cheapest {
    tries: usize,
    left: usize,
}

impl Cheapest {
    /// With so many tries in the whole proof.
    pub fn new(tries: usize) -> Self {
        Self { tries, left: tries }
    }
}

impl Strategy for Cheapest {
    fn init(&mut self, _: &mut crate::strategy::Rules) -> Run<()> {
        self.left = self.tries;
        Ok(())
    }

    fn pick_rule(&mut self, proof: &dyn Proof, _: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        let tried = ways.len().min(self.left);
        self.left -= tried;
        let mut cheapest = ShortestSteps::new();
        for way in 0..tried {
            cheapest.see(way, proof.outlook_after(way)?.steps);
        }
        Ok(cheapest.ways)
    }
}
