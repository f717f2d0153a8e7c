//! Manners of telling: which view, how much of the reasons, in which direction, between which parts.
//!
//! The two views, the start and stop conditions and the two directions are those of Chechik and
//! Gurfinkel (2005).

use wherefore_model::Query;

/// What a screen shows of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum View {
    /// The whole run in a table: what changes at each step, and why it is there.
    #[default]
    Trace,
    /// Each state in turn with its variables.
    States,
    /// Each state in turn with the part of the proof that is attached to it.
    Proof,
}

/// How much is said about why a step is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhyStyle {
    /// Every node of the proof, with its rule.
    Rules,
    /// What the proof comes to, claim by claim.
    Reasons,
    /// One sentence for each state, to be read aloud.
    English,
    /// Nothing.
    None,
}

/// How an evidence is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner<'a> {
    /// What is shown of a run.
    pub view: View,
    /// How much is said; `None`: what suits the view.
    pub why: Option<WhyStyle>,
    /// From the end back to the start.
    pub backward: bool,
    /// Only what explains this part of the property, where the property has it.
    pub start: Option<&'a Query>,
    /// Without what explains this part of the property.
    pub stop: Option<&'a Query>,
    /// With a mark before each value that the failure depends on.
    pub causes: bool,
}

impl Manner<'_> {
    /// How much is said.
    pub fn why(&self) -> WhyStyle {
        self.why.unwrap_or(match self.view {
            View::Trace | View::Proof => WhyStyle::Reasons,
            View::States => WhyStyle::None,
        })
    }

    /// Whether anything else than the usual is asked for.
    pub fn is_special(&self) -> bool {
        self.view != View::Trace
            || self.why.is_some()
            || self.backward
            || self.start.is_some()
            || self.stop.is_some()
    }
}
