//! What the explorer answers about all counterexamples at once.

use serde::{Deserialize, Serialize};

use crate::{
    CourseDoc, NeighbourhoodGroupDoc, NeighbourhoodName, PropertyDoc, TagName, ValuesDoc, ZoneName,
};

/// An analysis of all counterexamples that was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnalysisAnswer {
    /// Its number.
    pub analysis: u64,
    /// The number of the model.
    pub model: usize,
    /// The number of the property.
    pub property: usize,
    /// What was found out.
    pub document: PropertyDoc,
}

/// A run through a tagged graph that was looked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CourseAnswer {
    /// The run; null: there is none.
    pub run: Option<CourseDoc>,
    /// The numbers of its nodes.
    pub nodes: Vec<usize>,
    /// Why there is none.
    pub missing: Option<String>,
}

/// A node of the tagged graph.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GraphNodeDoc {
    /// Its number.
    pub node: usize,
    /// The state of the system.
    pub state: usize,
    /// The state of the automaton of the property.
    pub at: u32,
    /// The values of the variables, where the system was made from a model.
    pub values: Option<ValuesDoc>,
    /// How it stands with the property.
    pub zone: ZoneName,
    /// The type of the neighbourhood there, or null.
    pub kind: Option<NeighbourhoodName>,
    /// How many steps it is from the start.
    pub distance: usize,
    /// Whether a counterexample may end there.
    pub accepting: bool,
    /// How many steps leave it.
    pub steps: usize,
}

/// A step of the tagged graph; without a target it leaves the graph.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GraphEdgeDoc {
    /// The node where it starts.
    pub from: usize,
    /// The node where it ends.
    pub to: Option<usize>,
    /// The state of the system where it ends.
    pub state: usize,
    /// Its label.
    pub action: String,
    /// Its tag.
    pub tag: TagName,
}

/// What is near a node.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NearbyAnswer {
    /// Nodes.
    pub nodes: Vec<GraphNodeDoc>,
    /// Steps between them.
    pub edges: Vec<GraphEdgeDoc>,
    /// How many nodes were left out.
    pub left_out: usize,
}

/// A group of similar neighbourhoods.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GroupDoc {
    /// A node of it.
    pub node: usize,
    /// What they have in common.
    #[serde(flatten)]
    pub group: NeighbourhoodGroupDoc,
}

/// The queries that have names.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NamedQueriesAnswer {
    /// The queries.
    pub queries: Vec<NamedQueryDoc>,
}

/// A query that has a name.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NamedQueryDoc {
    /// The name.
    pub name: String,
    /// What it is asked with.
    pub arguments: Vec<String>,
    /// What it answers.
    pub title: String,
}
