//! One instance of an Alloy model, saved.
//!
//! Everything is by name, so that a reader needs no other file: signatures and fields are described first,
//! then their values state by state.

use serde::{Deserialize, Serialize};

use crate::{AtomDoc, InstanceSchemaName, MultiplicityName, RowsDoc, ToolDoc, is_false};

/// A document with one instance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InstanceDocument {
    /// The name of the schema.
    pub schema: InstanceSchemaName,
    /// The program that wrote the document.
    pub tool: ToolDoc,
    /// The file of the model.
    pub path: String,
    /// The language of the model.
    #[cfg_attr(test, schemars(with = "crate::LanguageName"))]
    pub language: String,
    /// The name of the command that the instance answers.
    pub command: String,
    /// The instance.
    pub instance: SavedInstanceDoc,
}

/// A saved instance, or a saved trace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SavedInstanceDoc {
    /// The bits of an integer.
    pub bits: u32,
    /// How long a sequence is at most.
    pub sequence: i32,
    /// How many states a trace may have, at least and at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<(i32, Option<i32>)>,
    /// The signatures.
    pub signatures: Vec<SignatureDoc>,
    /// The fields.
    pub fields: Vec<FieldDoc>,
    /// The atoms that some state has, numbers left out.
    pub atoms: Vec<AtomDoc>,
    /// What there is, state by state.
    pub states: Vec<SavedStateDoc>,
    /// For a trace, the state that comes after the last one.
    #[serde(rename = "loop", default)]
    pub back: Option<usize>,
    /// The values of quantified variables.
    pub witnesses: Vec<SavedWitnessDoc>,
}

/// A signature.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SignatureDoc {
    /// Its name.
    pub name: String,
    /// The signature it extends; `univ` for a top-level one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extends: Option<String>,
    /// The signatures it is a subset of.
    #[serde(rename = "in", default, skip_serializing_if = "Vec::is_empty")]
    pub subset_of: Vec<String>,
    /// How many atoms it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiplicity: Option<MultiplicityName>,
    /// Whether it is abstract.
    #[serde(rename = "abstract", default, skip_serializing_if = "is_false")]
    pub is_abstract: bool,
    /// Whether it is an enumeration.
    #[serde(rename = "enum", default, skip_serializing_if = "is_false")]
    pub is_enum: bool,
    /// Whether other modules do not see it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub private: bool,
    /// Whether it may change.
    #[serde(default, skip_serializing_if = "is_false")]
    pub var: bool,
}

/// A field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FieldDoc {
    /// Its name.
    pub name: String,
    /// The signature it belongs to.
    pub signature: String,
    /// Its type: for each way to have a row, the signatures of its columns.
    pub columns: Vec<Vec<String>>,
    /// Whether other modules do not see it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub private: bool,
    /// Whether it may change.
    #[serde(default, skip_serializing_if = "is_false")]
    pub var: bool,
}

/// A state of a saved instance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SavedStateDoc {
    /// The atoms of each signature, in the order of `signatures`.
    pub signatures: Vec<Vec<String>>,
    /// The rows of each field, in the order of `fields`.
    pub fields: Vec<RowsDoc>,
}

/// What a variable of the command, or of a fact, stands for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SavedWitnessDoc {
    /// Its name, as Alloy makes it: `$show_b`.
    pub name: String,
    /// Its name, as it is written.
    pub variable: String,
    /// How many columns, from the first on, are those of variables that it depends on.
    pub outer: usize,
    /// How many columns a row has.
    pub arity: usize,
    /// Its rows.
    pub rows: RowsDoc,
}
