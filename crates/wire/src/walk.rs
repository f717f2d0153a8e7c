//! What the explorer answers about states, steps and proofs.

use serde::{Deserialize, Serialize};

use crate::{
    BlockerName, ByName, ChangeDoc, EvidenceDoc, FormulaNodeDoc, ToldDoc, ValuesDoc, WayName,
};

/// Some of many things.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "WindowOf{T}"))]
pub struct WindowAnswer<T> {
    /// The number of the first.
    pub first: usize,
    /// How many there are; null when nobody knows.
    pub total: Option<u64>,
    /// Some of them.
    pub items: Vec<T>,
}

/// A state, and the step that leads there.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SpotDoc {
    /// The values of the variables.
    pub values: ValuesDoc,
    /// Expressions the user asked to see.
    #[serde(default, skip_serializing_if = "ByName::is_empty")]
    pub shown: ByName<String>,
    /// What the step is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The values of the inputs.
    #[serde(default, skip_serializing_if = "ByName::is_empty")]
    pub inputs: ValuesDoc,
    /// The variables that the step changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<ChangeDoc>>,
}

/// What is true at a state.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TruthAnswer {
    /// The truth of each sub-formula; null when the state cannot be reached.
    pub truth: Option<Vec<bool>>,
    /// Whether a path starts there.
    pub has_path: Option<bool>,
}

/// The steps of a way.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StepsAnswer {
    /// The steps; null: there is no way.
    pub steps: Option<Vec<SpotDoc>>,
}

/// The values of an expression, state by state.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ValuesAnswer {
    /// The expression.
    pub expression: String,
    /// Its values.
    pub values: Vec<String>,
}

/// Why no step leads to a state that somebody wishes for, or a step that does.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BlockedAnswer {
    /// A step that does what is wished for.
    pub possible: Option<SpotDoc>,
    /// Lines each of which forbids it.
    pub blockers: Vec<BlockerDoc>,
    /// Whether nobody knows: there are too many values to try.
    pub open: bool,
}

/// A line of the model that forbids a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BlockerDoc {
    /// What it constrains.
    pub kind: BlockerName,
    /// The line, from 1.
    pub line: Option<usize>,
    /// Its text.
    pub text: String,
    /// For an assignment that depends on the present state alone: what it assigns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// And which values it allows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allows: Vec<String>,
}

/// A proof as far as it is shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProofAnswer {
    /// The number of the model.
    pub model: usize,
    /// The number of the property.
    pub property: usize,
    /// Whether the property holds.
    pub holds: bool,
    /// What was chosen, as commands.
    pub choices: Vec<String>,
    /// What is to be said about the last choice.
    pub said: Option<String>,
    /// The evidence so far.
    pub evidence: EvidenceDoc,
    /// The evidence in words.
    pub told: ToldDoc,
    /// The sub-formulas, operands first.
    pub formula: Vec<FormulaNodeDoc>,
    /// For each node of the proof, the number that it keeps.
    pub nodes: Vec<usize>,
    /// For each node of the proof, what it says.
    pub sentences: Vec<String>,
    /// What is not shown yet.
    pub open: Vec<ObligationDoc>,
    /// The ways to show an obligation, if they were asked for.
    pub ways: Option<WaysDoc>,
    /// Who chooses.
    pub strategy: String,
    /// Who else could.
    pub strategies: Vec<String>,
}

/// A proof obligation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ObligationDoc {
    /// The number that it keeps.
    pub node: usize,
    /// What is to be shown.
    pub claim: String,
    /// The state.
    pub state: usize,
    /// The sub-formula; null: a path starts here.
    pub sub: Option<usize>,
    /// Whether the sub-formula holds or fails.
    pub holds: Option<bool>,
    /// How many steps are left at most, where something must be reached.
    pub rank: Option<u32>,
}

/// The ways to show an obligation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WaysDoc {
    /// The obligation.
    pub node: usize,
    /// The ways.
    pub ways: Vec<WayDoc>,
}

/// A way to show an obligation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WayDoc {
    /// Its number, from 1.
    pub way: usize,
    /// What it does.
    pub text: String,
    /// Its kind.
    pub kind: WayName,
    /// The state where it leads.
    pub to: Option<ValuesDoc>,
}
