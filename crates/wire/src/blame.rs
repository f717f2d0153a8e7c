//! What is to blame for a failure.

use serde::{Deserialize, Serialize};

use crate::ValueDoc;
use crate::names::{GuaranteeName, HingeName, SliceName, SuspectName};

/// A place of the text that may be to blame for the failure of a property. The likeliest comes first; there is one for each line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SuspectDoc {
    /// The file, where it is not that of the model: a component of a composition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// Where the place ends.
    pub end: SuspectEndDoc,
    /// What the place is to the failure.
    pub role: SuspectName,
    /// Why it is listed, in a sentence.
    pub why: String,
    /// What is known for sure.
    pub guarantee: GuaranteeName,
    /// For a transition of a labelled transition system: the steps of the counterexample that take it, by the places of the states
    /// that they enter among the states of the evidence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<usize>,
    /// Where the counterexample hinges on the expression first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hinge: Option<HingeDoc>,
    /// A change at this place with which the property holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mend: Option<MendDoc>,
}

/// A point of the counterexample at which an expression has a value without which the run would be another one.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HingeDoc {
    /// The state, or the one that the step leaves: its place among the states of the evidence.
    pub state: usize,
    /// What the expression denotes there: one value, or several to choose from.
    pub now: Vec<ValueDoc>,
    /// Another value.
    pub other: ValueDoc,
    /// What would be otherwise with the other value.
    pub effect: HingeName,
}

/// Two places that can mend a property together, and neither alone.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SuspectPairDoc {
    /// The line of the first place, from 1.
    pub first: usize,
    /// The expression there.
    pub first_text: String,
    /// The line of the second place, from 1.
    pub second: usize,
    /// The expression there.
    pub second_text: String,
}

/// A value on the run, and where it comes from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SliceValueDoc {
    /// The state: its place among the states of the evidence.
    pub state: usize,
    /// The variable.
    pub variable: String,
    /// Its value there.
    pub value: ValueDoc,
    /// The other values that the text would have allowed there, everything else being as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<ValueDoc>,
    /// Whether the text says nothing of it there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub free: bool,
    /// What in the text gave it, in the order in which it is read.
    pub parts: Vec<SlicePartDoc>,
    /// The values that this rests on; those of inputs stand with the state that the step leaves.
    pub rests_on: Vec<SliceSourceDoc>,
    /// What gave the value, in a sentence.
    pub says: String,
    /// What kept it from being another one, a sentence for each expression.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
}

/// An expression that gave a value or kept it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SlicePartDoc {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// Where it ends.
    pub end: SuspectEndDoc,
    /// The text there, on one line; a long one is cut short.
    pub text: String,
    /// What it did.
    pub role: SliceName,
    /// The conditions that decided it.
    pub since: Vec<SliceReasonDoc>,
}

/// A condition that decided what an expression did.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SliceReasonDoc {
    /// The line, from 1.
    pub line: usize,
    /// The text there, on one line; a long one is cut short.
    pub text: String,
    /// Whether it was true.
    pub truth: bool,
}

/// A value that another one rests on.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SliceSourceDoc {
    /// The state.
    pub state: usize,
    /// The variable of the state, or the input of the step that leaves it.
    pub variable: String,
}

/// How many changes of the text were tried, to find those with which a property holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BlameSearchDoc {
    /// How many were tried: the text was read with the change, and if it is still a model, the model was checked or is refuted
    /// by a counterexample that was seen before.
    pub tried: usize,
    /// How many were left out, since no step of the counterexample depends on their places.
    pub excluded: usize,
    /// How many were not tried, since the effort was spent.
    pub untried: usize,
    /// Whether it is known of every other place that no expression there makes the property hold without ending runs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_others: bool,
    /// Pairs of places that can make the property hold together, and neither alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<SuspectPairDoc>,
}

/// One past the last character of a place.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SuspectEndDoc {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// A change of the text with which a property holds that fails.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MendDoc {
    /// The first byte that is replaced.
    pub from: u32,
    /// One past the last byte that is replaced.
    pub to: u32,
    /// What stands there instead.
    pub text: String,
    /// The expression as it is.
    pub before: String,
    /// The expression with the change.
    pub after: String,
    /// How many of the properties hold with the change.
    pub holds: usize,
    /// How many properties were decided with the change.
    pub of: usize,
    /// The properties that hold now and fail with the change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<String>,
    /// The properties that hold now and were not decided with the change: that took too long.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<String>,
    /// The properties that hold vacuously with the change and do not now; only the first changes are looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vacuous: Vec<String>,
    /// Whether runs end with the change that go on for ever now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends: bool,
    /// Whether internal steps can go on for ever with the change, and cannot now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub diverges: bool,
    /// The labels of steps that can be taken now, and not with the change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loses: Vec<String>,
    /// What must be replaced, too: where a line is left out, the number of transitions in the header.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<TextEditDoc>,
}

/// A replacement in a text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TextEditDoc {
    /// The first byte that is replaced.
    pub from: u32,
    /// One past the last byte that is replaced.
    pub to: u32,
    /// What stands there instead.
    pub text: String,
}
