//! States that somebody wants to see, or not to see.

use wherefore_base::Run;
use wherefore_model::TermId;
use wherefore_proof::ProofId;

use super::steps::{StepKind, best_for, kind, planned_by};
use crate::strategy::{Arrow, Automaton, Guide, Proof, Rules, Strategy, Way, WishKind};

/// Goes through states where a condition is true (or false) as far as possible.
///
/// Of all evidence one is taken that enters the fewest other states, those of its loop counted first, then one
/// with the fewest steps. Avoiding a state that is known is how further counterexamples are found without editing
/// the property (Chechik and Gurfinkel 2005, section 3.3). Where the search for the best evidence comes to its
/// limit, each path looks ahead for itself, and single steps choose step by step.
#[derive(Clone, Debug)]
pub struct Prefer {
    name: String,
    wish: usize,
    condition: TermId,
    truth: bool,
    along: usize,
}

impl Prefer {
    /// Prefers states where the condition is true.
    pub fn new(condition: TermId) -> Self {
        Self {
            name: "prefer".to_string(),
            wish: 0,
            condition,
            truth: true,
            along: 0,
        }
    }

    /// Avoids states where the condition is true.
    pub fn avoiding(condition: TermId) -> Self {
        Self {
            name: "avoid".to_string(),
            truth: false,
            ..Self::new(condition)
        }
    }

    /// The same, called by the name that users know it by.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
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
            again: vec![],
        };
        let wish = WishKind::Keep(self.condition, self.truth);
        self.wish = rules.wish(&self.name, wish);
        self.along = rules.stand_in(Guide::Along(automaton));
        rules.stand_in(Guide::Where(self.condition, self.truth));
        Ok(())
    }

    fn pick_rule(&mut self, proof: &dyn Proof, leaf: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        if let Some(best) = best_for(proof, self.wish, ways)? {
            return Ok(best);
        }
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
