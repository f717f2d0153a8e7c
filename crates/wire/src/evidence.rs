//! Evidence: states and steps, the runs they form, the proof, and the truth of each sub-formula at each state.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    AbstractShapeName, ByName, CountDoc, CubeDoc, EndingName, MeasureName, RuleName, SetRuleName,
    ShapeName, SplitName, ValueDoc, ValuesDoc, WidthName,
};

/// What a note about a re-check starts with when the re-check is not complete.
pub const IN_PART: &str = "in part; not re-checked: ";

/// Why a property is as it is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EvidenceDoc {
    /// Its shape.
    pub shape: ShapeName,
    /// How short it is.
    pub minimal: MinimalDoc,
    /// Who chose the evidence, as given on the command line. Absent: nobody, so it is the shortest known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strategy: Vec<String>,
    /// Whether an independent interpreter of the model re-checked it.
    pub replayed: bool,
    /// What was not re-checked, or what is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay_note: Option<String>,
    /// Occurrences of states, in the order in which they are told.
    pub states: Vec<StateDoc>,
    /// Steps between them.
    pub edges: Vec<EdgeDoc>,
    /// For a lasso, the index in `states` where the loop starts.
    #[serde(rename = "loop")]
    pub loop_start: Option<usize>,
    /// Runs of states, each of which serves one claim.
    pub segments: Vec<SegmentDoc>,
    /// Closed sets of states.
    #[serde(default)]
    pub regions: Vec<RegionDoc>,
    /// The sub-formulas. Operands come before operators; the last is the property.
    pub formula: Vec<SubFormulaDoc>,
    /// The nodes of the proof; the first is the property.
    pub proof: Vec<ProofNodeDoc>,
    /// For each state, the truth of each sub-formula in the order of `formula`; null where it is not known.
    pub truth: BTreeMap<usize, Vec<Option<bool>>>,
    /// For a property that fails: the values that the failure depends on. Absent where the evidence rests on more than its
    /// runs, and where nobody looked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<CauseDoc>,
}

/// A value that a failure depends on: another value there could keep the run from refuting the property.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CauseDoc {
    /// The state, by its id.
    pub state: usize,
    /// The variable.
    pub variable: String,
    /// Whether it is a cause by definition, or by an approximation.
    pub exact: bool,
}

/// How short evidence is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MinimalDoc {
    /// What it has few of.
    pub measure: MeasureName,
    /// How many it has.
    pub length: u32,
    /// Whether nothing shorter exists, and the independent checker says so.
    #[serde(default)]
    pub proved: bool,
    /// How many any evidence has.
    pub at_least: u32,
    /// Who says so.
    #[serde(default)]
    pub at_least_by: LengthAuthority,
}

/// Who says that no evidence is smaller.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LengthAuthority {
    /// The independent checker, too.
    Checker,
    /// The search that made the evidence, and nobody else.
    #[default]
    Search,
}

/// An occurrence of a state.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StateDoc {
    /// Its index.
    #[serde(default)]
    pub id: usize,
    /// The values of the variables.
    pub values: ValuesDoc,
    /// The names that the user gave to it. Absent when there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// What a script of the user says of it. Absent when it says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    /// Expressions the user asked to see.
    #[serde(default, skip_serializing_if = "ByName::is_empty")]
    pub shown: ByName<String>,
}

/// A step.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EdgeDoc {
    /// The state before it.
    pub from: usize,
    /// The state after it.
    pub to: usize,
    /// What the step is called.
    pub action: Option<String>,
    /// The values of the inputs.
    #[serde(default, skip_serializing_if = "ByName::is_empty")]
    pub inputs: ValuesDoc,
    /// The variables that have another value after it.
    #[serde(default)]
    pub changes: Vec<ChangeDoc>,
}

/// A variable that has another value after a step.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChangeDoc {
    /// Its name.
    pub variable: String,
    /// Its value before.
    pub old: ValueDoc,
    /// Its value after.
    pub new: ValueDoc,
    /// Where the model says so: the line of the assignment, branch or constraint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// A run of states that serves one claim.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SegmentDoc {
    /// The state that it branches off.
    pub from: Option<usize>,
    /// Whether it is a part of the main run.
    pub main: bool,
    /// The sub-formula it serves, by its index in `formula`; null: it shows that a path goes on.
    pub sub: Option<usize>,
    /// Whether the sub-formula holds or fails.
    pub holds: Option<bool>,
    /// Its states in order.
    pub states: Vec<usize>,
    /// How it ends.
    pub ending: EndingName,
    /// Where the last step of a loop or of a joining segment leads.
    pub to: Option<usize>,
    /// Where a loop meets the fairness constraints.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fair: Vec<FairDoc>,
}

/// Where a loop meets a fairness constraint.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FairDoc {
    /// The constraint.
    #[serde(default)]
    pub constraint: String,
    /// The state; null: the constraint asks nothing of this loop.
    pub state: Option<usize>,
}

/// A closed set of states.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RegionDoc {
    /// The state that it is reached from.
    pub at: usize,
    /// The sub-formula that it shows; null: a path goes on.
    pub sub: Option<usize>,
    /// Whether the sub-formula holds or fails.
    pub holds: Option<bool>,
    /// How many states it has.
    pub size: CountDoc,
    /// Each entry maps variables to the values they may have; the set is the union of the entries.
    pub cover: Vec<CubeDoc>,
    /// Whether the entries describe it exactly.
    pub complete: bool,
    /// The states; null when there are too many.
    pub states: Option<Vec<ValuesDoc>>,
}

/// A sub-formula.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SubFormulaDoc {
    /// Its index.
    #[serde(default)]
    pub id: usize,
    /// The formula.
    pub text: String,
}

/// A node of the proof; its number is its index.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProofNodeDoc {
    /// The state that it is about.
    pub state: usize,
    /// The sub-formula claimed to hold or to fail; null: a path starts here.
    pub sub: Option<usize>,
    /// Whether the sub-formula holds or fails.
    pub holds: Option<bool>,
    /// How it follows from its premises; null: nobody has shown it yet.
    pub rule: Option<RuleName>,
    /// The number of the branch or region that the rule names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub which: Option<usize>,
    /// The bounds that are left, of a bounded operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[u32; 2]>,
    /// How many steps are left at most, where something must be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// The nodes that it follows from.
    pub premises: Vec<usize>,
}

/// A run of sets of states that stands for all shortest runs, or the reason why there is none.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AbstractDoc {
    /// Its shape.
    pub shape: AbstractShapeName,
    /// Why there is none; then nothing else is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The run.
    #[serde(flatten)]
    pub run: Option<AbstractRunDoc>,
}

/// A run of sets of states.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AbstractRunDoc {
    /// How many steps each run has that it stands for.
    pub steps: usize,
    /// How many runs it stands for; null: not counted.
    pub runs: Option<CountDoc>,
    /// Whether these are all shortest runs.
    pub all: bool,
    /// Which parts of a disjunction are shown.
    pub split: SplitName,
    /// How many states each position has.
    pub width: WidthName,
    /// Whether an independent interpreter of the model re-checked it.
    pub replayed: bool,
    /// What was not re-checked, or what is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay_note: Option<String>,
    /// The sets of states in order.
    pub positions: Vec<PositionDoc>,
    /// Whether the proof was re-checked, claim by claim.
    #[serde(default)]
    pub proof_replayed: bool,
    /// Premises come first; the last is the claim about the property.
    pub proof: Vec<SetClaimDoc>,
}

/// The states at one position of an abstract run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PositionDoc {
    /// What tells the states from the other reachable ones.
    pub text: String,
    /// How many states there are.
    pub states: CountDoc,
    /// Variables with the same value in all states.
    pub common: ValuesDoc,
    /// Each entry maps variables to the values they may have; the set is the union of the entries among the
    /// reachable states.
    pub cover: Vec<CubeDoc>,
    /// Whether the entries describe it exactly.
    pub complete: bool,
    /// Variables with several values that do not matter.
    pub free: Vec<String>,
}

/// A claim at all states of a set.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SetClaimDoc {
    /// The position of the states.
    pub position: usize,
    /// How many states there are.
    pub states: CountDoc,
    /// What tells these states from the other reachable ones, where they are not all of the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<PositionDoc>,
    /// The claim as a sentence. Absent where the proof was not re-checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The sub-formula, by its index in the `formula` of the evidence.
    pub sub: usize,
    /// Whether the sub-formula holds or fails.
    pub holds: bool,
    /// How it follows from its premises.
    pub rule: SetRuleName,
    /// The number of the branch the rule names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub which: Option<usize>,
    /// The claims that it follows from.
    pub premises: Vec<usize>,
}

/// A run that belongs to a verdict without being its proof: what a solver found, where more than runs is needed to
/// refute.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunDoc {
    /// The run that it branches off, and the state of that run where it does, both from 0; absent for the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<[usize; 2]>,
    /// The states in order.
    pub states: Vec<RunStateDoc>,
    /// The state that comes after the last one, from 0; null if the run is shown up to a state only.
    #[serde(rename = "loop")]
    pub back: Option<usize>,
}

/// A state of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunStateDoc {
    /// The kind of step that led here, if steps have names; absent at the first state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// The inputs of the step that led here.
    #[serde(default, skip_serializing_if = "ValuesDoc::is_empty")]
    pub inputs: ValuesDoc,
    /// The values of the variables.
    pub values: ValuesDoc,
}
