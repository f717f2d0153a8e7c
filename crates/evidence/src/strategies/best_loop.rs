//! Loops that are worth a longer way.

use wherefore_base::Run;
use wherefore_model::TermId;
use wherefore_proof::ProofId;

use super::steps::planned_by;
use crate::strategy::{Guide, Proof, Rules, Strategy, Way};

/// Chooses the loop of a path that may go on for ever (Chechik and Gurfinkel 2005, end of section 3.3):
/// the shortest one near by, or one through a designated state.
#[derive(Clone, Debug)]
pub struct BestLoop {
    guide: Guide,
    rule: usize,
}

impl BestLoop {
    /// The shortest loop that begins at most so many steps from where the path starts; of equal loops
    /// the one that is reached first.
    pub fn within(steps: u32) -> Self {
        Self {
            guide: Guide::Loop(steps),
            rule: 0,
        }
    }

    /// A loop through a state where the condition is true, if there is one.
    pub fn through(condition: TermId) -> Self {
        Self {
            guide: Guide::Through(condition),
            rule: 0,
        }
    }
}

impl Strategy for BestLoop {
    fn init(&mut self, rules: &mut Rules) -> Run<()> {
        self.rule = rules.add(self.guide.clone());
        Ok(())
    }

    fn pick_rule(&mut self, _: &dyn Proof, _: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        Ok(planned_by(ways, self.rule))
    }
}
