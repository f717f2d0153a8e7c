//! States that somebody wants to see, or not to see.

use wherefore_base::Run;
use wherefore_model::TermId;
use wherefore_proof::ProofId;

use super::steps::{StepKind, kind, planned_by};
use crate::strategy::{Arrow, Automaton, Guide, Proof, Rules, Strategy, Way};

/// Goes through states where a condition is true (or false) as far as possible.
///
/// Paths look ahead: of all paths that show what is to be shown, one is taken that enters the fewest
/// other states, then one with the fewest steps. Avoiding a state that is known is how further
/// counterexamples are found without editing the property (Chechik and Gurfinkel 2005, section 3.3).
#[derive(Clone, Debug)]
pub struct Prefer {
    condition: TermId,
    truth: bool,
    along: usize,
}

impl Prefer {
    /// Prefers states where the condition is true.
    pub fn new(condition: TermId) -> Self {
        Self {
            condition,
            truth: true,
            along: 0,
        }
    }

    /// Avoids states where the condition is true.
    pub fn avoiding(condition: TermId) -> Self {
        Self {
            truth: false,
            ..Self::new(condition)
        }
    }
}

impl Strategy for Prefer {
    fn init(&mut self, rules: &mut Rules) -> Run<()> {
        let arrow = Arrow {
            condition: self.condition,
            truth: self.truth,
            to: 0,
        };
        let automaton = Automaton {
            arrows: vec![vec![arrow]],
        };
        self.along = rules.add(Guide::Along(automaton));
        rules.add(Guide::Where(self.condition, self.truth));
        Ok(())
    }

    fn pick_rule(&mut self, proof: &dyn Proof, leaf: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        match kind(proof, leaf) {
            StepKind::Still => Ok(vec![]),
            StepKind::Strong | StepKind::Weak => Ok(planned_by(ways, self.along)),
            StepKind::Step | StepKind::BoundedStrong | StepKind::BoundedWeak => {
                let mut liked = Vec::new();
                for way in 0..ways.len() {
                    if proof.is_true_after(self.condition, way)? == Some(self.truth) {
                        liked.push(way);
                    }
                }
                Ok(liked)
            }
        }
    }
}
