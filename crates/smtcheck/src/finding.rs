//! What one engine says of one part of a property.

use crate::answer::{SmtAttempt, SmtProof, SmtRefutation};
use crate::trouble::SolverTrouble;

/// What an engine found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SmtFinding {
    /// A proof.
    Holds(SmtProof),
    /// A refutation.
    Fails(SmtRefutation),
    /// Neither: what was tried, and how far it came.
    Open(Vec<SmtAttempt>),
}

impl SmtFinding {
    /// What a search for a proof comes to; `what` was looked for, as "ranking functions".
    pub(crate) fn of_search(found: Result<Option<SmtProof>, SolverTrouble>, what: &str) -> Self {
        Self::of_attempt(found.map(|proof| proof.ok_or_else(Vec::new)), what)
    }

    /// The same, of a search that says what it tried.
    pub(crate) fn of_attempt(
        found: Result<Result<SmtProof, Vec<SmtAttempt>>, SolverTrouble>,
        what: &str,
    ) -> Self {
        match found {
            Ok(Ok(proof)) => SmtFinding::Holds(proof),
            Ok(Err(tried)) => SmtFinding::Open(tried),
            Err(trouble) => Self::stopped(what, &trouble),
        }
    }

    /// That the search for something was stopped.
    pub(crate) fn stopped(what: &str, trouble: &SolverTrouble) -> Self {
        SmtFinding::Open(vec![SmtAttempt::new(what, interrupted(trouble))])
    }

    /// What was tried, if nothing came of it.
    pub(crate) fn attempts(self) -> Vec<SmtAttempt> {
        match self {
            SmtFinding::Open(tried) => tried,
            SmtFinding::Holds(_) | SmtFinding::Fails(_) => Vec::new(),
        }
    }

    pub(crate) fn is_definite(&self) -> bool {
        !matches!(self, SmtFinding::Open(_))
    }
}

/// Why a search did not come to its end: "stopped", "stopped: it ran out of memory".
pub(crate) fn interrupted(trouble: &SolverTrouble) -> String {
    match trouble {
        // That the budget ended is said once, of all searches.
        SolverTrouble::Stopped(_) => "stopped".to_string(),
        trouble => format!("stopped: {trouble}"),
    }
}
