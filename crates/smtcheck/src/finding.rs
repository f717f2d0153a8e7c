//! What one engine says of one part of a property.

use crate::answer::{SmtProof, SmtRefutation};
use crate::trouble::SolverTrouble;

/// What an engine found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SmtFinding {
    /// A proof.
    Holds(SmtProof),
    /// A refutation.
    Fails(SmtRefutation),
    /// Neither: how far it came, in whole sentences.
    Open(Vec<String>),
}

impl SmtFinding {
    /// What a search for a proof comes to; `what` was looked for.
    pub(crate) fn of_search(found: Result<Option<SmtProof>, SolverTrouble>, what: &str) -> Self {
        Self::of_attempt(found.map(|proof| proof.ok_or_else(Vec::new)), what)
    }

    /// The same, of a search that says in sentences why it found nothing.
    pub(crate) fn of_attempt(
        found: Result<Result<SmtProof, Vec<String>>, SolverTrouble>,
        what: &str,
    ) -> Self {
        match found {
            Ok(Ok(proof)) => SmtFinding::Holds(proof),
            Ok(Err(sentences)) => SmtFinding::Open(sentences),
            Err(trouble) => Self::stopped(what, &trouble),
        }
    }

    /// That the search for something was stopped.
    pub(crate) fn stopped(what: &str, trouble: &SolverTrouble) -> Self {
        SmtFinding::Open(vec![format!(
            "The search for {what} was stopped: {trouble}."
        )])
    }

    pub(crate) fn is_definite(&self) -> bool {
        !matches!(self, SmtFinding::Open(_))
    }
}
