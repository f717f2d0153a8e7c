//! What there is besides the first evidence of a property.

use wherefore_model::Query;

use crate::{Decision, Evidence};

/// What there is besides the first evidence of a property.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct More {
    /// Further evidence of the same, in order.
    pub others: Vec<FurtherEvidence>,
    /// Why there are not more of them; `None` if there are as many as were asked for.
    pub end: Option<NoMore>,
    /// For a property that fails and has several parts: the parts from left to right.
    pub parts: Vec<PartFinding>,
}

/// A further evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FurtherEvidence {
    /// The evidence.
    pub evidence: Evidence,
    /// Where it could still have kept the property. Not part of the proof.
    pub decisions: Vec<Decision>,
}

/// Why there are no further runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoMore {
    /// All were found.
    AllFound,
    /// All were found that differ in what tells runs apart.
    AllDistinct,
    /// The limits of the search were reached: there may be more.
    NotWithinSearch,
    /// The budget ended.
    Stopped,
    /// The evidence is not one run.
    NoMainRun,
}

/// What was found out about a part of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartFinding {
    /// What the part claims.
    pub query: Query,
    /// Whether it fails.
    pub fails: bool,
    /// If asked for: why it fails, the first evidence first.
    pub evidence: Vec<FurtherEvidence>,
    /// Why there is not more evidence; `None` if there is as much as was asked for.
    pub end: Option<NoMore>,
}

impl More {
    /// All evidence there is.
    pub fn evidences(&self) -> impl Iterator<Item = &Evidence> {
        let parts = self.parts.iter().flat_map(|part| &part.evidence);
        let others = self.others.iter().chain(parts);
        others.map(|another| &another.evidence)
    }

    /// How many parts fail.
    pub fn failing(&self) -> usize {
        self.parts.iter().filter(|part| part.fails).count()
    }
}
