//! What `diff` prints: verdicts then and now, and what became of the evidence.

use serde::{Deserialize, Serialize};

use crate::{DiffSchemaName, FateName, VerdictChangeName, VerdictName};

/// What `wherefore diff --format json` prints.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffDocument {
    /// The name of the schema.
    pub schema: DiffSchemaName,
    /// The model, or the newer document.
    pub new: String,
    /// The saved document.
    pub old: String,
    /// One row for each property: those of the saved document in its order, then new ones.
    pub properties: Vec<DiffRowDoc>,
}

/// A property with its verdicts.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffRowDoc {
    /// The name of the property.
    pub name: String,
    /// Its text, now or, when it is gone, then.
    pub text: String,
    /// The verdict in the saved document; null: the property is new.
    pub then: Option<VerdictName>,
    /// The verdict now; null: the property is gone.
    pub now: Option<VerdictName>,
    /// What that means.
    pub change: VerdictChangeName,
    /// What became of the saved evidence.
    pub evidence: Option<FateDoc>,
}

/// What became of saved evidence.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FateDoc {
    /// What became of it.
    pub kind: FateName,
    /// The step where it dies or where a claim fails.
    pub step: Option<usize>,
    /// The line of the model that forbids it.
    pub line: Option<usize>,
    /// The whole thing as a sentence without its end.
    pub text: String,
    /// What was possible instead, nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instead: Vec<String>,
}
