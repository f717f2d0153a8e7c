//! Tactics: the strategies that can be chosen by name while a proof is explored.

use wherefore_base::Run;
use wherefore_evidence::{Rules, Shortest, Strategy};
use wherefore_model::TermId;

/// A condition on a state, as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// Its text.
    pub text: String,
    /// What it means.
    pub term: TermId,
}

/// Who makes the choices that nobody makes by hand: what is to be avoided comes first, then the lead.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tactic {
    /// Conditions that the steps of runs avoid where they can.
    pub avoid: Vec<Condition>,
    /// What decides among the rest.
    pub lead: Lead,
}

/// What decides among equals.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Lead {
    /// The shortest evidence that is known.
    #[default]
    Shortest,
}

impl Tactic {
    /// The name: `shortest`, `avoid p, then random 7`.
    pub fn name(&self) -> String {
        let avoid = self.avoid.iter().map(|c| format!("avoid {}, then ", c.text));
        avoid.collect::<String>() + &self.lead.name()
    }

    /// The conditions it asks about.
    pub fn terms(&self) -> impl Iterator<Item = TermId> + '_ {
        self.avoid.iter().map(|condition| condition.term)
    }

    /// A fresh strategy that chooses so.
    pub(super) fn strategy(&self) -> Box<dyn Strategy> {
        Box::new(Shortest)
    }

    /// The rules it adds and removes.
    pub(super) fn rules(&self) -> Run<Rules> {
        let mut rules = Rules::default();
        self.strategy().init(&mut rules)?;
        Ok(rules)
    }
}

impl Lead {
    /// The name as commands take it.
    pub fn name(&self) -> String {
        match self {
            Lead::Shortest => "shortest".to_string(),
        }
    }
}
