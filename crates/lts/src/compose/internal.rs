//! How internal steps are called.

use std::collections::BTreeSet;

use wherefore_model::lts::ActionLabel;

use super::pattern::gate;

/// The names of internal steps; in a result they all have the first.
#[derive(Clone, Debug)]
pub(super) struct Internal<'a> {
    names: &'a [String],
}

impl<'a> Internal<'a> {
    pub(super) fn new(names: &'a [String]) -> Self {
        Self { names }
    }

    /// What internal steps of a result are called.
    pub(super) fn name(&self) -> &'a str {
        self.names.first().map_or("i", String::as_str)
    }

    /// Whether a gate is that of internal steps.
    pub(super) fn is(&self, gate: &str) -> bool {
        gate == self.name() || self.names.iter().any(|name| name == gate)
    }

    /// A label that somebody wrote as a result: internal steps say nothing but their name.
    pub(super) fn settle(&self, text: String) -> String {
        match self.is(gate(&text)) {
            true => self.name().to_string(),
            false => text,
        }
    }

    /// These labels, each once, in order.
    pub(super) fn labels(&self, texts: impl Iterator<Item = String>) -> Vec<ActionLabel> {
        let texts: BTreeSet<String> = texts.collect();
        let label = |text: String| ActionLabel {
            internal: text == self.name(),
            text,
        };
        texts.into_iter().map(label).collect()
    }
}
