//! Why a property holds, for people.

use serde::{Deserialize, Serialize};

use crate::WhyLineName;

/// Why a property holds, in sentences. If there is nothing to say, only `reason` is there.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WhyDoc {
    /// Why there is nothing to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether a solver re-checked all that is said; what cannot be re-checked is not said.
    pub rechecked: bool,
    /// How many conditions were re-checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<usize>,
    /// The formula that was looked at, where the property itself is one of linear time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The sentences.
    #[serde(default)]
    pub lines: Vec<WhyLineDoc>,
}

/// A sentence of a reason.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WhyLineDoc {
    /// What it says.
    pub kind: WhyLineName,
    /// The sentence, with texts of the model in backquotes.
    pub text: String,
    /// How many states it is about, if they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
    /// Sentences that belong to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<WhyLineDoc>,
}
