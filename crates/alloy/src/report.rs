//! Collecting diagnostics, but not too many of them.

use wherefore_base::Diagnostic;

/// How many errors, and how many warnings, are told in one run.
const LIMIT: usize = 20;

/// What there is to tell about a model so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
}

impl Report {
    /// Tells something; what is beyond the limit, and exact repetitions, are dropped.
    pub(crate) fn tell(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.contains(&diagnostic) {
            return;
        }
        let warnings = self.diagnostics.len() - self.errors.min(LIMIT);
        if diagnostic.is_error() {
            self.errors += 1;
            if self.errors > LIMIT {
                return;
            }
        } else if warnings >= LIMIT {
            return;
        }
        self.diagnostics.push(diagnostic);
    }

    /// Whether anything told so far is an error.
    pub(crate) fn failed(&self) -> bool {
        self.errors > 0
    }

    /// Whether the limit of errors is reached, so that going on is of no use.
    pub(crate) fn is_full(&self) -> bool {
        self.errors >= LIMIT
    }

    /// How many errors there are, and where the first one stands.
    pub(crate) fn first_error(&self) -> Option<wherefore_base::Span> {
        let errors = self.diagnostics.iter().filter(|d| d.is_error());
        errors.filter_map(Diagnostic::span).min()
    }

    /// All diagnostics in the order of their places.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(Diagnostic::span);
        self.diagnostics
    }
}
