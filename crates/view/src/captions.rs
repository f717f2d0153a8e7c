//! What a script of the user says of states, and what it does not want to see of them.
//!
//! These are words of the user, told as such: in quotes. Nothing else depends on them.

use std::collections::{BTreeSet, HashMap};

use wherefore_base::Value;

use crate::Report;
use crate::words::clean;

/// What is said of states, and what is not shown.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Captions {
    /// By the values of the state.
    pub states: HashMap<Vec<Value>, StateCaption>,
    /// Variables that are not shown, by name.
    pub hidden: BTreeSet<String>,
}

/// What is said of a state.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct StateCaption {
    /// The words; empty: none.
    pub text: String,
    /// Whether its steps are folded away.
    pub hidden: bool,
}

impl Report<'_> {
    /// What the user's script says of a state, in quotes.
    pub(crate) fn caption(&self, state: &[Value]) -> Option<String> {
        let caption = self.captions?.states.get(state)?;
        (!caption.text.is_empty()).then(|| format!("\"{}\"", clean(&caption.text)))
    }

    /// Whether the user's script does not want to see a state.
    pub(crate) fn hides(&self, state: &[Value]) -> bool {
        let captions = self
            .captions
            .and_then(|captions| captions.states.get(state));
        captions.is_some_and(|caption| caption.hidden)
    }

    /// Whether the user's script does not want to see a variable.
    pub(crate) fn hides_variable(&self, name: &str) -> bool {
        self.captions
            .is_some_and(|captions| captions.hidden.contains(name))
    }
}
