//! What `query` prints: queries about the graph of all counterexamples, and their answers.

use serde::{Deserialize, Serialize};

use crate::{ByName, QuerySchemaName, ToolDoc};

/// What `wherefore query --format json` prints.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct QueryDocument {
    /// The name of the schema.
    pub schema: QuerySchemaName,
    /// The program that wrote the document.
    pub tool: ToolDoc,
    /// The file of the model as it was given.
    pub path: String,
    /// The property whose counterexamples are asked about.
    pub property: QueriedPropertyDoc,
    /// The queries in order.
    pub queries: Vec<QueryDoc>,
}

/// The property whose counterexamples are asked about.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct QueriedPropertyDoc {
    /// Its name.
    pub name: String,
    /// The formula.
    pub text: String,
}

/// A query and its answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct QueryDoc {
    /// The query as it was written, or its name and what it was asked with.
    pub text: String,
    /// The comment before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// One value for each column.
    pub rows: Vec<Vec<CellDoc>>,
    /// Why there may be more rows than these, or other ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<String>,
    /// What is to be known of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What is odd about the query.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A value in an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum CellDoc {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<CellDoc>),
    Node(NodeCellDoc),
    Relationship(RelationshipCellDoc),
    Path(PathCellDoc),
    Map(ByName<CellDoc>),
}

/// A node of the graph.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NodeCellDoc {
    /// Its number.
    pub node: i64,
    /// Its labels.
    pub labels: Vec<String>,
    /// Its properties.
    pub properties: ByName<CellDoc>,
}

/// A relationship of the graph.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RelationshipCellDoc {
    /// Its number.
    pub relationship: u32,
    /// The node where it starts.
    pub from: i64,
    /// The node where it ends.
    pub to: i64,
    /// Its properties.
    pub properties: ByName<CellDoc>,
}

/// A path through the graph.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PathCellDoc {
    /// Its nodes in order.
    pub nodes: Vec<i64>,
    /// The actions of its steps.
    pub actions: Vec<String>,
    /// The relationships of its steps.
    pub relationships: Vec<u32>,
}
