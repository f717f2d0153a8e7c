//! Runs that belong to a verdict without being its proof: what a solver found, where more than runs is needed to refute.

use serde::Serialize;
use serde_json::{Map, Value as Json};

/// A value in a state of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunValue {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// Any other value as people read it.
    Text(String),
}

/// A run.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// The run that it branches off, and the state of that run where it does, both from 0; absent for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<[usize; 2]>,
    /// The states in order.
    pub states: Vec<RunState>,
    /// The state that comes after the last one, from 0; null if the run is shown up to a state only.
    #[serde(rename = "loop")]
    pub back: Option<usize>,
}

/// A state of a run.
#[derive(Clone, Debug, Serialize)]
pub struct RunState {
    /// The values of the variables.
    pub values: Map<String, Json>,
}

impl RunState {
    /// The state with these values.
    pub fn new(values: impl IntoIterator<Item = (String, RunValue)>) -> Self {
        let json = |value| match value {
            RunValue::Bool(value) => Json::from(value),
            RunValue::Int(value) => Json::from(value),
            RunValue::Text(text) => Json::from(text),
        };
        let values = values.into_iter().map(|(name, value)| (name, json(value)));
        Self {
            values: values.collect(),
        }
    }
}
