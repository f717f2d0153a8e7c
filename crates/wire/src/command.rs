//! What only a command of an Alloy model has.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{DiagnosticDoc, ExcerptFormName, FactsName, OthersName};

/// Rows of atoms, by their names.
pub type RowsDoc = Vec<Vec<String>>;

/// What only a command of an Alloy model has.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CommandDoc {
    /// Its place in the model, from 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub number: usize,
    /// The number after `expect`.
    pub expect: Option<i32>,
    /// Whether the answer is the one that the model expects; null when it expects none.
    pub as_expected: Option<bool>,
    /// How many atoms there are at most.
    pub scope: Option<ScopeDoc>,
    /// Whether the facts can hold together in the scope.
    pub facts: FactsName,
    /// The instances that were found.
    pub instances: Vec<InstanceDoc>,
    /// Whether there are more instances; null when there is none.
    pub others: Option<OthersName>,
    /// Parts of the model that cannot hold together.
    pub core: Option<CoreDoc>,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<DiagnosticDoc>,
    /// The part of a transition system that the evidence is about; only where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<ExcerptDoc>,
    /// No trace has so few states or fewer, where the search was stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached: Option<usize>,
}

/// The part of a transition system that shows an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExcerptDoc {
    /// Its form.
    pub form: ExcerptFormName,
    /// Whether its states and steps alone say what happens; null for a whole system.
    pub determined: Option<bool>,
    /// How many states it has.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub states: usize,
    /// How many steps it has.
    pub steps: usize,
    /// What it is, in sentences.
    pub text: Vec<String>,
    /// Two trees that use exactly these steps, where the states and steps do not say what happens.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trees: Vec<TreeDoc>,
}

/// A finite tree of states, by the numbers of states of the evidence.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TreeDoc {
    /// On one line, as `0 → 1 → (0 | 2)`.
    pub text: String,
    /// Whether it shows the answer.
    pub shows: bool,
}

/// The scope of a command.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ScopeDoc {
    /// The bits of an integer.
    pub bits: u32,
    /// How long a sequence is at most.
    pub sequence: i32,
    /// The least and the most states of a trace; null: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<(i32, Option<i32>)>,
    /// The scopes of signatures.
    #[serde(default)]
    pub signatures: Vec<SignatureScopeDoc>,
}

/// The scope of a signature.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SignatureScopeDoc {
    /// Its name.
    pub name: String,
    /// How many atoms it has at most.
    pub most: i32,
    /// Whether it has exactly so many.
    pub exactly: bool,
}

/// An instance, or a trace, of an Alloy model.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InstanceDoc {
    /// Its atoms.
    pub atoms: Vec<AtomDoc>,
    /// Its states; one, where nothing changes.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub states: Vec<InstanceStateDoc>,
    /// The index of the state after the last one; null where nothing changes.
    #[serde(rename = "loop")]
    pub loop_start: Option<usize>,
    /// The values of quantified variables.
    pub witnesses: Vec<QuantifiedDoc>,
    /// The values of expressions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<ExpressionDoc>,
}

/// An atom of an instance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AtomDoc {
    /// Its name.
    pub name: String,
    /// The smallest signature it is in, of those that extend others, in the first state that has it.
    pub signature: String,
}

/// A state of an instance: the values of signatures and fields.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InstanceStateDoc {
    /// The atoms of each signature.
    pub signatures: BTreeMap<String, Vec<String>>,
    /// By signature and field, as `Book.addr`; rows begin with the atom of the signature.
    pub fields: BTreeMap<String, RowsDoc>,
}

/// The value of a quantified variable.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct QuantifiedDoc {
    /// As Alloy calls it: `$show_b`.
    pub name: String,
    /// As it is written.
    pub variable: String,
    /// The line where it is written.
    #[serde(default)]
    pub line: usize,
    /// How many columns are those of variables it depends on.
    pub outer: usize,
    /// Its rows.
    pub rows: RowsDoc,
}

/// The values of an expression.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExpressionDoc {
    /// The expression.
    pub text: String,
    /// Its value in each state; null where it has none.
    pub states: Vec<Option<RelationalValueDoc>>,
}

/// The value of an expression of an Alloy model.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum RelationalValueDoc {
    Truth(bool),
    Number(i64),
    Rows(RowsDoc),
}

/// Parts of the model that cannot hold together.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CoreDoc {
    /// Whether each part is needed.
    pub minimal: bool,
    /// The parts.
    pub parts: Vec<CorePartDoc>,
}

/// A part of a model that cannot hold together with others.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CorePartDoc {
    /// What it is in the model.
    pub role: String,
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The text, on one line.
    pub text: String,
}
