//! All counterexamples of a property at once, as `debug` tells them.

use serde::{Deserialize, Serialize};

use crate::{
    CountDoc, CourseEndingName, CourseName, NeighbourhoodName, OutlookName, ReadingName, TagName,
    ValueDoc, ValuesDoc,
};

/// All counterexamples of a property at once.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnalysisDoc {
    /// What good and bad mean.
    pub reading: ReadingName,
    /// How it stands with the property.
    pub outlook: OutlookName,
    /// What a reader should know of the model that the system was made from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How large the system is.
    pub system: GraphSizeDoc,
    /// How large the counterexample LTS is.
    pub counterexamples: GraphSizeDoc,
    /// Transitions with each tag.
    pub tags: TagCountsDoc,
    /// Neighbourhoods of each type.
    pub neighbourhoods: NeighbourhoodCountsDoc,
    /// The shortest counterexamples that match; null when there is none.
    pub shortest: Option<ShortestDoc>,
    /// The counterexample, or the way to a neighbourhood, that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<CourseDoc>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Labels of correct and incorrect transitions that leave neighbourhoods.
    pub deciding: Vec<DecidingDoc>,
    /// The other labels, which decide nothing.
    pub idle: Vec<String>,
    /// The largest groups of similar neighbourhoods; all, if they were asked for.
    pub groups: Vec<NeighbourhoodGroupDoc>,
}

/// How large a graph is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct GraphSizeDoc {
    pub states: usize,
    pub transitions: usize,
    pub labels: usize,
}

/// How many transitions have each tag.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct TagCountsDoc {
    pub correct: usize,
    pub incorrect: usize,
    pub neutral: usize,
}

/// How many neighbourhoods there are of each type.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct NeighbourhoodCountsDoc {
    pub total: usize,
    pub cn: usize,
    #[serde(rename = "in")]
    pub r#in: usize,
    pub ci: usize,
    pub cin: usize,
    /// Of the states of the counterexample LTS, in per cent.
    pub percent: f64,
    /// How many groups of similar ones there are.
    pub groups: usize,
}

/// The shortest counterexamples.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShortestDoc {
    /// How many steps they have.
    pub length: usize,
    /// The length of the first one once it is abstracted.
    pub abstracted: usize,
    /// The least and the greatest of these lengths over all of them.
    pub abstracted_range: [usize; 2],
    /// How many there are; null when they are not counted.
    pub count: Option<CountDoc>,
    /// Whether nothing shorter exists; loops are searched with bounded effort.
    pub proved: bool,
}

/// One run through the counterexample LTS.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CourseDoc {
    /// Which run.
    pub which: CourseName,
    /// How many steps it has.
    pub length: usize,
    /// How many of its steps are kept.
    pub abstracted: usize,
    /// What comes after the last step.
    pub ending: CourseEndingName,
    /// The index in `states` where the loop starts.
    #[serde(rename = "loop")]
    pub back: Option<usize>,
    /// Its states in order.
    pub states: Vec<CourseStateDoc>,
    /// Its steps in order.
    pub steps: Vec<CourseStepDoc>,
}

/// A state of the counterexample LTS.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CourseStateDoc {
    /// The state of the system.
    pub state: usize,
    /// The state of the automaton of the property.
    pub at: u32,
    /// The values of the variables, where the system was made from a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<ValuesDoc>,
    /// The neighbourhood there, or null.
    pub neighbourhood: Option<NeighbourhoodDoc>,
}

/// A neighbourhood, with the labels of its steps; a label stands there once for each step.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NeighbourhoodDoc {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: NeighbourhoodName,
    /// The labels of correct steps.
    pub correct: Vec<String>,
    /// The labels of incorrect steps.
    pub incorrect: Vec<String>,
    /// The labels of neutral steps.
    pub neutral: Vec<String>,
    /// The same in terms of values, where the system was made from a model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<WayOnDoc>,
}

/// Steps of a neighbourhood that have the same tag, and what they have in common.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WayOnDoc {
    /// The tag.
    pub tag: TagName,
    /// How many steps there are.
    pub steps: usize,
    /// The inputs, and the values after the step, that no step with another tag has.
    pub decides: ValuesDoc,
    /// What changes in all of them, apart from what decides.
    pub changes: Vec<ValueChangeDoc>,
    /// The variables that differ among them.
    pub free: Vec<String>,
}

/// A change of a variable.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ValueChangeDoc {
    /// Its name.
    pub variable: String,
    /// Its value before.
    pub old: ValueDoc,
    /// Its value after.
    pub new: ValueDoc,
}

/// A step of a run through the counterexample LTS.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CourseStepDoc {
    /// Its label.
    pub action: String,
    /// Its tag.
    pub tag: TagName,
    /// Whether it enters or leaves a neighbourhood.
    pub kept: bool,
}

/// How often a label decides.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DecidingDoc {
    /// The label.
    pub label: String,
    /// How many correct transitions have it.
    pub correct: usize,
    /// How many incorrect transitions have it.
    pub incorrect: usize,
}

/// Neighbourhoods that are alike.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NeighbourhoodGroupDoc {
    /// How many there are.
    pub count: usize,
    /// The state of the system at the one that is nearest to the start.
    pub state: usize,
    /// What they have in common.
    #[serde(flatten)]
    pub neighbourhood: NeighbourhoodDoc,
}
