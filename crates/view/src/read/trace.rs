//! A trace as it was written down: values by name, state by state.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use wherefore_wire::ValueDoc;

/// A value as a file writes it. Which value of the model it is depends on the variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Datum {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A name.
    Word(String),
    /// Something that no variable of ours has: a list, a record, a number beyond all bounds.
    Other(String),
}

/// Texts of values that are no values of ours are cut here.
const LONGEST: usize = 60;

impl Datum {
    /// A value as our own document writes it.
    pub(crate) fn of(value: &ValueDoc) -> Self {
        match value {
            ValueDoc::Bool(truth) => Datum::Bool(*truth),
            ValueDoc::Int(number) => Datum::Int(*number),
            ValueDoc::Text(word) => Datum::Word(word.clone()),
            ValueDoc::Big(big) => Datum::big(&big.digits),
            ValueDoc::Other(json) => Datum::json(json),
        }
    }

    /// A value as ITF writes it.
    pub(crate) fn json(json: &Json) -> Self {
        match json {
            Json::Bool(truth) => Datum::Bool(*truth),
            Json::String(word) => Datum::Word(word.clone()),
            Json::Number(number) => match number.as_i64() {
                Some(n) => Datum::Int(n),
                None => Datum::Other(number.to_string()),
            },
            Json::Object(map) if map.len() == 1 => match map.get("#bigint") {
                Some(Json::String(digits)) => Datum::big(digits),
                _ => Datum::other(&json.to_string()),
            },
            _ => Datum::other(&json.to_string()),
        }
    }

    /// A value as NuSMV prints it.
    pub(crate) fn printed(text: &str) -> Self {
        match text {
            "TRUE" => Datum::Bool(true),
            "FALSE" => Datum::Bool(false),
            _ => match text.parse() {
                Ok(n) => Datum::Int(n),
                Err(_) => Datum::Word(text.to_string()),
            },
        }
    }

    /// The value as the user would write it.
    pub fn text(&self) -> String {
        match self {
            Datum::Bool(true) => "TRUE".to_string(),
            Datum::Bool(false) => "FALSE".to_string(),
            Datum::Int(n) => n.to_string(),
            Datum::Word(word) | Datum::Other(word) => crate::clean(word),
        }
    }

    fn big(digits: &str) -> Self {
        digits
            .parse()
            .map_or_else(|_| Datum::other(digits), Datum::Int)
    }

    fn other(text: &str) -> Self {
        Datum::Other(text.chars().take(LONGEST).collect())
    }
}

/// Values by the names of variables.
pub type Valuation = BTreeMap<String, Datum>;

/// Where a trace comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceFormat {
    /// The main run of an evidence in a document of ours.
    Document,
    /// The Informal Trace Format.
    Itf,
    /// The XML of NuSMV and nuXmv.
    Xml,
    /// What NuSMV and nuXmv print.
    Listing,
}

impl TraceFormat {
    /// The name for messages.
    pub fn name(self) -> &'static str {
        match self {
            TraceFormat::Document => "JSON",
            TraceFormat::Itf => "ITF",
            TraceFormat::Xml => "NuSMV XML",
            TraceFormat::Listing => "NuSMV text",
        }
    }
}

/// A run as it was written down.
///
/// Invariant: there is a state; `back` is the number of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedTrace {
    /// Where it comes from.
    pub format: TraceFormat,
    /// The property it is about, as far as the file says.
    pub title: Option<String>,
    /// The values in each state.
    pub states: Vec<Valuation>,
    /// The values of the inputs of the step that leaves each state; one fewer than states, unless the
    /// last one steps back.
    pub inputs: Vec<Valuation>,
    /// The state that the last one steps back to.
    pub back: Option<usize>,
}

impl SavedTrace {
    /// How many steps it has.
    pub fn steps(&self) -> usize {
        self.states.len() - 1 + usize::from(self.back.is_some())
    }

    /// A trace from what leads *into* each state, as files of NuSMV write it. Its last state repeats
    /// the one where the loop starts.
    pub(super) fn repeating(
        format: TraceFormat,
        title: Option<String>,
        mut states: Vec<Valuation>,
        into: Vec<Valuation>,
        back: Option<usize>,
    ) -> Self {
        let mut inputs: Vec<Valuation> = into.into_iter().skip(1).collect();
        inputs.resize(states.len() - 1, Valuation::new());
        if let Some(back) = back {
            let last = states.len() - 1;
            if back < last && states[back] == states[last] {
                states.pop();
            } else {
                inputs.push(Valuation::new());
            }
        }
        Self {
            format,
            title,
            states,
            inputs,
            back,
        }
    }
}
