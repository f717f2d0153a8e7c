//! Hide, cut and rename: what becomes of labels.

use super::internal::Internal;
use super::pattern::{LabelPattern, Template};

/// What becomes of the labels of a system. Internal steps stay as they are.
#[derive(Clone, Debug)]
pub enum Relabelling {
    /// These labels become internal; or all but these.
    Hide {
        /// The labels.
        patterns: Vec<LabelPattern>,
        /// Whether all others are meant.
        all_but: bool,
    },
    /// Steps with these labels do not happen; or those with any other.
    Cut {
        /// The labels.
        patterns: Vec<LabelPattern>,
        /// Whether all others are meant.
        all_but: bool,
    },
    /// Each label is called otherwise by the first rule that has it.
    Rename(Vec<(LabelPattern, Template)>),
}

impl Relabelling {
    /// What becomes of a visible label: `None` when its steps are cut.
    pub(super) fn apply(&self, label: &str, internal: &Internal) -> Option<String> {
        let meant = |patterns: &[LabelPattern], all_but: bool| {
            patterns.iter().any(|pattern| pattern.matches(label)) != all_but
        };
        match self {
            Relabelling::Hide { patterns, all_but } => Some(match meant(patterns, *all_but) {
                true => internal.name().to_string(),
                false => label.to_string(),
            }),
            Relabelling::Cut { patterns, all_but } => {
                (!meant(patterns, *all_but)).then(|| label.to_string())
            }
            Relabelling::Rename(rules) => {
                let renamed = rules.iter().find_map(|(pattern, template)| {
                    let text = template.fill(&pattern.captures(label)?);
                    Some(internal.settle(text))
                });
                Some(renamed.unwrap_or_else(|| label.to_string()))
            }
        }
    }
}
