//! Collecting diagnostics, but not too many of them.

use wherefore_base::Diagnostic;

/// How many errors are told in one run.
const LIMIT: usize = 20;

/// What there is to tell about a text so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
}

impl Report {
    /// Tells something; errors beyond the limit and exact repetitions are dropped.
    pub(crate) fn tell(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.contains(&diagnostic) {
            return;
        }
        if diagnostic.is_error() {
            self.errors += 1;
        }
        if self.diagnostics.len() < 2 * LIMIT && self.errors <= LIMIT {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Tells something unless another diagnostic says the same about another place.
    pub(crate) fn tell_once(&mut self, diagnostic: Diagnostic) {
        if !self.told(&diagnostic.message) {
            self.tell(diagnostic);
        }
    }

    /// Whether this was told about some place.
    pub(crate) fn told(&self, message: &str) -> bool {
        self.diagnostics
            .iter()
            .any(|other| other.message == message)
    }

    /// Whether anything told so far is an error.
    pub(crate) fn failed(&self) -> bool {
        self.errors > 0
    }

    /// Whether the limit of errors is reached, so that going on is of no use.
    pub(crate) fn is_full(&self) -> bool {
        self.errors >= LIMIT
    }

    /// All diagnostics in the order of their places.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(Diagnostic::span);
        self.diagnostics
    }
}
