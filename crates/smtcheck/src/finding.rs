//! What one engine says of one part of a property.

use crate::answer::{Proof, Refutation};
use crate::trouble::Trouble;

/// What an engine found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Finding {
    /// A proof.
    Holds(Proof),
    /// A refutation.
    Fails(Refutation),
    /// Neither: how far it came, in whole sentences.
    Open(Vec<String>),
}

impl Finding {
    /// What a search for a proof comes to; `what` was looked for.
    pub(crate) fn of_search(found: Result<Option<Proof>, Trouble>, what: &str) -> Self {
        Self::of_attempt(found.map(|proof| proof.ok_or_else(Vec::new)), what)
    }

    /// The same, of a search that says in sentences why it found nothing.
    pub(crate) fn of_attempt(
        found: Result<Result<Proof, Vec<String>>, Trouble>,
        what: &str,
    ) -> Self {
        match found {
            Ok(Ok(proof)) => Finding::Holds(proof),
            Ok(Err(sentences)) => Finding::Open(sentences),
            Err(trouble) => Self::stopped(what, &trouble),
        }
    }

    /// That the search for something was stopped.
    pub(crate) fn stopped(what: &str, trouble: &Trouble) -> Self {
        Finding::Open(vec![format!(
            "The search for {what} was stopped: {trouble}."
        )])
    }

    pub(crate) fn is_definite(&self) -> bool {
        !matches!(self, Finding::Open(_))
    }
}
