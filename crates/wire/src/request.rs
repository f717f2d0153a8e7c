//! What the explorer is asked: the bodies of requests.
//!
//! Every type refuses fields that it does not know, so that a misspelt one is noticed.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{ValueDoc, ValuesDoc, is_false};

/// How many things are sent unless somebody asks for more or fewer.
const USUAL: usize = 50;
/// How many are sent at most.
const MOST: usize = 1000;

/// The body of a request.
pub trait RequestBody: Sized {
    /// Reads it; an empty one asks for nothing in particular. The sentence says what is wrong.
    ///
    /// # Errors
    /// When it is no JSON of this form.
    fn read(body: &[u8]) -> Result<Self, String>;
}

impl<T: DeserializeOwned> RequestBody for T {
    fn read(body: &[u8]) -> Result<Self, String> {
        let text =
            std::str::from_utf8(body).map_err(|_| "The body is not UTF-8 text.".to_string())?;
        let text = if text.trim().is_empty() { "{}" } else { text };
        serde_json::from_str(text).map_err(|error| format!("The body cannot be used: {error}."))
    }
}

/// A state: values by the names of variables.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct StateRequest {
    /// The values; of a system, the number of the state as `state`.
    pub values: ValuesDoc,
}

impl StateRequest {
    /// The number of a state of a system.
    pub fn number(&self) -> Option<usize> {
        match self
            .values
            .get("state")
            .filter(|_| self.values.len() == 1)?
        {
            ValueDoc::Int(number) => usize::try_from(*number).ok(),
            _ => None,
        }
    }
}

/// Which of many things.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct RangeRequest {
    /// From this number on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<usize>,
    /// So many at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
}

impl RangeRequest {
    /// From this number on.
    pub fn first(self) -> usize {
        self.first.unwrap_or(0)
    }

    /// So many at most.
    pub fn count(self) -> usize {
        self.count.unwrap_or(USUAL).min(MOST)
    }

    /// The numbers of the things that are asked for.
    pub fn range(self) -> std::ops::Range<usize> {
        let first = self.first();
        first..first.saturating_add(self.count())
    }
}

/// Defines which of many things a request wants.
macro_rules! ranged {
    ($($request:ident)*) => {$(
        impl $request {
            /// Which of them.
            pub fn range(&self) -> RangeRequest {
                RangeRequest {
                    first: self.first,
                    count: self.count,
                }
            }
        }
    )*};
}

ranged! { AroundRequest NodesRequest StepsRequest }

/// The states around one.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AroundRequest {
    /// The state.
    pub state: StateRequest,
    /// From this number on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<usize>,
    /// So many at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
}

/// What is to blame for the failure of a property.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct BlameRequest {
    /// How many times the usual effort is spent; 1 unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
}

/// What becomes of the failure of a property once the text is changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MendRequest {
    /// The first byte that is replaced.
    pub from: u32,
    /// One past the last byte that is replaced.
    pub to: u32,
    /// What stands there instead.
    pub text: String,
}

/// What is true at a state.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TruthRequest {
    /// The state.
    pub state: StateRequest,
    /// The property.
    pub property: usize,
}

/// The value of an expression.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EvaluateRequest {
    /// In these states.
    pub states: Vec<StateRequest>,
    /// The expression.
    pub expression: String,
}

/// The value of an expression in an instance.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ValueRequest {
    /// The instance, from 0.
    #[serde(default)]
    pub instance: usize,
    /// The expression.
    pub expression: String,
}

/// A way to a state.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PathRequest {
    /// From here.
    pub from: StateRequest,
    /// To a state where this formula holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// To a state without successor.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deadlock: bool,
}

/// Why no step leads to a state that somebody wishes for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BlockedRequest {
    /// From here.
    pub state: StateRequest,
    /// An expression that shall be true after the step.
    pub wish: String,
}

/// A formula.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FormulaRequest {
    /// The formula.
    pub formula: String,
}

/// A proof after some choices.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ProofRequest {
    /// The choices.
    pub choices: Vec<String>,
    /// The obligation whose ways are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ways: Option<usize>,
}

/// Further evidence.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct AnotherRequest {
    /// How much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    /// Expressions along which runs must differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub distinct_by: Vec<String>,
    /// Conditions that are avoided.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub avoid: Vec<String>,
    /// Strategies as `check` takes them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strategy: Vec<String>,
    /// What evidence has as few of as possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimal: Option<String>,
    /// The states that the property is asked from, as a condition; absent: the initial ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Which paths the property is about, as `--paths` takes it; absent: those of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<String>,
    /// Each part of a conjunction.
    #[serde(skip_serializing_if = "is_false")]
    pub each: bool,
    /// A run on which a property that holds matters.
    #[serde(skip_serializing_if = "is_false")]
    pub witness: bool,
    /// Why it holds, as a certificate.
    #[serde(skip_serializing_if = "is_false")]
    pub certificate: bool,
    /// Why it holds, in sentences.
    #[serde(skip_serializing_if = "is_false")]
    pub why: bool,
}

/// An analysis of all counterexamples.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct AnalyseRequest {
    /// What good and bad mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// What names a step of a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions: Option<String>,
}

/// A run of an analysis.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct CourseRequest {
    /// `shortest`, `nearest`, `random` or `given`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub which: Option<String>,
    /// The seed of a random run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The types of neighbourhood.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<String>,
    /// Actions that must happen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The labels of a run that is given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<String>,
}

/// Nodes of an analysis.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct NodesRequest {
    /// The types of neighbourhood; none: all nodes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<String>,
    /// From this number on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<usize>,
    /// So many at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
}

/// What is near a node.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NearRequest {
    /// The node.
    pub node: usize,
    /// So many steps away at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hops: Option<usize>,
    /// So many nodes at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// The steps of a node.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StepsRequest {
    /// The node.
    pub node: usize,
    /// From this number on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<usize>,
    /// So many at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
}

/// A query about a tagged graph.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct QueryRequest {
    /// Its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Or the name of one that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What that is asked with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// How many rows at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_rows: Option<usize>,
}

/// Nothing.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EmptyRequest {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_body_asks_for_nothing_in_particular() {
        let some = RangeRequest::read(b" \n").expect("it is fine");
        assert_eq!(some.range(), 0..USUAL);
        assert!(EmptyRequest::read(b"").is_ok());
    }

    #[test]
    fn misspelt_fields_are_named() {
        let wrong = RangeRequest::read(br#"{"frist": 3}"#).expect_err("it is misspelt");
        assert!(wrong.contains("frist"), "{wrong}");
    }

    #[test]
    fn nobody_gets_everything_at_once() {
        let some = RangeRequest::read(br#"{"first": 18446744073709551615, "count": 99999}"#);
        let some = some.expect("numbers");
        assert_eq!(some.count(), MOST);
        assert_eq!(some.range(), usize::MAX..usize::MAX);
    }

    #[test]
    fn the_state_of_a_system_is_a_number_and_nothing_else() {
        let state = |text: &[u8]| StateRequest::read(text).expect("an object").number();
        assert_eq!(state(br#"{"state": 7}"#), Some(7));
        assert_eq!(state(br#"{"state": -7}"#), None);
        assert_eq!(state(br#"{"state": 7, "x": 1}"#), None);
    }
}
