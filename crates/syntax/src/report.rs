//! Collecting diagnostics, but not too many of them.

use wherefore_base::{Diagnostic, Span};

/// How many errors are told in one run.
const MOST_ERRORS: usize = 20;

/// The diagnostics of a text so far.
#[derive(Clone, Debug, Default)]
pub struct ParseReport {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    /// Whether warnings have a limit of their own, as high as that of errors, instead of a common one of twice as many.
    warnings_apart: bool,
}

impl ParseReport {
    /// A report in which many warnings leave room for errors, and many errors for warnings.
    pub fn with_warnings_apart() -> Self {
        Self {
            warnings_apart: true,
            ..Self::default()
        }
    }

    /// Adds a diagnostic; what is beyond the limits, and exact repetitions, are dropped.
    pub fn tell(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.contains(&diagnostic) {
            return;
        }
        let warnings = self.diagnostics.len() - self.errors.min(MOST_ERRORS);
        self.errors += usize::from(diagnostic.is_error());
        let fits = if self.warnings_apart && !diagnostic.is_error() {
            warnings < MOST_ERRORS
        } else {
            self.errors <= MOST_ERRORS && self.diagnostics.len() < 2 * MOST_ERRORS
        };
        if fits {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Adds a diagnostic unless another one says the same about another place.
    pub fn tell_once(&mut self, diagnostic: Diagnostic) {
        if !self.told(&diagnostic.message) {
            self.tell(diagnostic);
        }
    }

    /// Whether this was told about some place.
    pub fn told(&self, message: &str) -> bool {
        self.diagnostics
            .iter()
            .any(|other| other.message == message)
    }

    /// Whether any diagnostic so far is an error.
    pub fn failed(&self) -> bool {
        self.errors > 0
    }

    /// Whether the limit of errors is reached, so that going on is of no use.
    pub fn is_full(&self) -> bool {
        self.errors >= MOST_ERRORS
    }

    /// Where the first error stands.
    pub fn first_error(&self) -> Option<Span> {
        let errors = self.diagnostics.iter().filter(|d| d.is_error());
        errors.filter_map(Diagnostic::span).min()
    }

    /// All diagnostics in the order of their places.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(Diagnostic::span);
        self.diagnostics
    }
}
