//! Loops that are worth a longer way.

use wherefore_base::Run;
use wherefore_model::TermId;
use wherefore_proof::ProofId;

use super::steps::{best_for, planned_by};
use crate::strategy::{Guide, Proof, Rules, Strategy, Way, WishKind};

/// Chooses the loop of a path that may go on for ever (Chechik and Gurfinkel 2005, end of section 3.3):
/// the shortest one near by, or one through a designated state.
#[derive(Clone, Debug)]
pub struct BestLoop {
    name: String,
    guide: Guide,
    rule: usize,
    wish: Option<usize>,
}

impl BestLoop {
    /// The shortest loop that begins at most so many steps from where the path starts; of equal loops
    /// the one that is reached first.
    pub fn within(steps: u32) -> Self {
        Self {
            name: "loop".to_string(),
            guide: Guide::Loop(steps),
            rule: 0,
            wish: None,
        }
    }

    /// A loop through a state where the condition is true, if there is one.
    pub fn through(condition: TermId) -> Self {
        Self {
            name: "loop-through".to_string(),
            guide: Guide::Through(condition),
            rule: 0,
            wish: None,
        }
    }

    /// The same, called by the name that users know it by.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
}

impl Strategy for BestLoop {
    fn init(&mut self, rules: &mut Rules) -> Run<()> {
        let guide = self.guide.clone();
        match guide {
            // A loop through a state is a wish about whole runs; the length of a loop is one about a path.
            Guide::Through(condition) => {
                self.wish = Some(rules.wish(&self.name, WishKind::Through(condition)));
                self.rule = rules.stand_in(guide);
            }
            _ => self.rule = rules.add(guide),
        }
        Ok(())
    }

    fn pick_rule(&mut self, proof: &dyn Proof, _: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        if let Some(wish) = self.wish
            && let Some(best) = best_for(proof, wish, ways)?
        {
            return Ok(best);
        }
        Ok(planned_by(ways, self.rule))
    }
}
