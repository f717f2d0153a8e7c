//! What is asked: the bodies of requests.
//!
//! Every type refuses fields that it does not know, so that a misspelt one is noticed.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

/// How many things are sent unless somebody asks for more or fewer.
const USUAL: usize = 50;
/// How many are sent at most.
const MOST: usize = 1000;

/// The body of a request.
pub trait Body: Sized {
    /// Reads it; an empty one asks for nothing in particular. The sentence says what is wrong.
    ///
    /// # Errors
    /// When it is no JSON of this form.
    fn read(body: &[u8]) -> Result<Self, String>;
}

impl<T: DeserializeOwned> Body for T {
    fn read(body: &[u8]) -> Result<Self, String> {
        let text =
            std::str::from_utf8(body).map_err(|_| "The body is not UTF-8 text.".to_string())?;
        let text = if text.trim().is_empty() { "{}" } else { text };
        serde_json::from_str(text).map_err(|error| format!("The body cannot be used: {error}."))
    }
}

/// A state: values by the names of variables.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct State(pub(super) Map<String, Json>);

impl State {
    /// The number of a state of a system.
    pub fn number(&self) -> Option<usize> {
        let number = self.0.get("state").filter(|_| self.0.len() == 1)?;
        usize::try_from(number.as_u64()?).ok()
    }
}

/// Which of many things.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Some {
    first: Option<usize>,
    count: Option<usize>,
}

impl Some {
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

/// The states around one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Around {
    /// The state.
    pub state: State,
    first: Option<usize>,
    count: Option<usize>,
}

impl Around {
    /// Which of them.
    pub fn some(&self) -> Some {
        Some {
            first: self.first,
            count: self.count,
        }
    }
}

/// What is true at a state.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Truth {
    /// The state.
    pub state: State,
    /// The property.
    pub property: usize,
}

/// The value of an expression.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluate {
    /// In these states.
    pub states: Vec<State>,
    /// The expression.
    pub expression: String,
}

/// The value of an expression in an instance.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// The instance, from 0.
    #[serde(default)]
    pub instance: usize,
    /// The expression.
    pub expression: String,
}

/// A way to a state.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// From here.
    pub from: State,
    /// To a state where this formula holds.
    pub to: Option<String>,
    /// To a state without successor.
    #[serde(default)]
    pub deadlock: bool,
}

/// Why no step leads to a state that somebody wishes for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blocked {
    /// From here.
    pub state: State,
    /// An expression that shall be true after the step.
    pub wish: String,
}

/// A formula.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Formula {
    /// The formula.
    pub formula: String,
}

/// A proof after some choices.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Proof {
    /// The choices.
    pub choices: Vec<String>,
    /// The obligation whose ways are asked for.
    pub ways: Option<usize>,
}

/// Further evidence.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Another {
    /// How much.
    pub count: Option<usize>,
    /// Expressions along which runs must differ.
    pub distinct_by: Vec<String>,
    /// Conditions that are avoided.
    pub avoid: Vec<String>,
    /// Strategies as `check` takes them.
    pub strategy: Vec<String>,
    /// What evidence has as few of as possible.
    pub minimal: Option<String>,
    /// Each part of a conjunction.
    pub each: bool,
    /// A run on which a property that holds matters.
    pub witness: bool,
    /// Why it holds, as a certificate.
    pub certificate: bool,
}

/// An analysis of all counterexamples.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Analyse {
    /// What good and bad mean.
    pub reading: Option<String>,
    /// What names a step of a model.
    pub actions: Option<String>,
}

/// A run of an analysis.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Run {
    /// `shortest`, `nearest`, `random` or `given`.
    pub which: Option<String>,
    /// The seed of a random run.
    pub seed: Option<u64>,
    /// The types of neighbourhood.
    pub kinds: Vec<String>,
    /// Actions that must happen.
    pub pattern: Option<String>,
    /// The labels of a run that is given.
    pub trace: Vec<String>,
}

/// Nodes of an analysis.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Nodes {
    /// The types of neighbourhood; none: all nodes.
    pub kinds: Vec<String>,
    first: Option<usize>,
    count: Option<usize>,
}

impl Nodes {
    /// Which of them.
    pub fn some(&self) -> Some {
        Some {
            first: self.first,
            count: self.count,
        }
    }
}

/// What is near a node.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Near {
    /// The node.
    pub node: usize,
    /// So many steps away at most.
    pub hops: Option<usize>,
    /// So many nodes at most.
    pub limit: Option<usize>,
}

/// The steps of a node.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// The node.
    pub node: usize,
    first: Option<usize>,
    count: Option<usize>,
}

impl Steps {
    /// Which of them.
    pub fn some(&self) -> Some {
        Some {
            first: self.first,
            count: self.count,
        }
    }
}

/// A query.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Query {
    /// Its text.
    pub text: Option<String>,
    /// Or the name of one that is known.
    pub name: Option<String>,
    /// What that is asked with.
    pub arguments: Vec<String>,
    /// How many rows at most.
    pub max_rows: Option<usize>,
}

/// Nothing.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_body_asks_for_nothing_in_particular() {
        let some = Some::read(b" \n").expect("it is fine");
        assert_eq!(some.range(), 0..USUAL);
        assert!(Nothing::read(b"").is_ok());
    }

    #[test]
    fn misspelt_fields_are_named() {
        let wrong = Some::read(br#"{"frist": 3}"#).expect_err("it is misspelt");
        assert!(wrong.contains("frist"), "{wrong}");
    }

    #[test]
    fn nobody_gets_everything_at_once() {
        let some =
            Some::read(br#"{"first": 18446744073709551615, "count": 99999}"#).expect("numbers");
        assert_eq!(some.count(), MOST);
        assert_eq!(some.range(), usize::MAX..usize::MAX);
    }

    #[test]
    fn the_state_of_a_system_is_a_number_and_nothing_else() {
        let state = |text: &[u8]| State::read(text).expect("an object").number();
        assert_eq!(state(br#"{"state": 7}"#), Some(7));
        assert_eq!(state(br#"{"state": -7}"#), None);
        assert_eq!(state(br#"{"state": 7, "x": 1}"#), None);
    }
}
