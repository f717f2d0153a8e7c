//! What was found out about a property.

use serde::{Deserialize, Serialize};

use crate::{
    AbstractDoc, AnalysisDoc, BlameSearchDoc, CertificateDoc, ClassName, CommandDoc, DecisionName,
    EvidenceDoc, MeaningName, NoMoreName, NoteDoc, PathsName, PropertyKindName, QuantityName,
    ReachName, ResultName, RunDoc, ScopeQuestionName, SliceValueDoc, SuspectDoc, SystemVerdictName,
    ValuesDoc, VerdictName, WhyDoc, WishBestName,
};

/// A property and what was found out about it.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PropertyDoc {
    /// Its name.
    pub name: String,
    /// The formula as it is written, on one line.
    pub text: String,
    /// The file it stands in, where that is not the file of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line, from 1; null for a formula from the command line.
    pub line: Option<usize>,
    /// The column, from 1; null for a formula from the command line.
    pub column: Option<usize>,
    /// Its logic, or what a command asks for.
    #[serde(default)]
    pub kind: PropertyKindName,
    /// Null when the property is not supported or was not looked at.
    pub class: Option<ClassName>,
    /// Whether it holds.
    pub verdict: VerdictName,
    /// Why the verdict is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why it holds in every model, where it does by its form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_form: Option<String>,
    /// The sub-formula that never mattered.
    pub vacuous: Option<String>,
    /// Why there is nothing that it could be false of: no initial state, or no run that counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_nothing: Option<String>,
    /// Which paths count, where that was chosen with `--paths`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paths: Option<PathsName>,
    /// For `compute`: a number of steps, `infinite`, or `undefined` if there is no state to start from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<QuantityDoc>,
    /// What the verdict is about; null when it is unknown.
    pub reach: Option<ReachDoc>,
    /// Why it fails, or why an existential one holds; null when there is none.
    pub evidence: Option<EvidenceDoc>,
    /// The runs that a solver found, where there is no evidence of which they are the whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<RunDoc>,
    /// All shortest evidence at once, if asked for.
    #[serde(default, rename = "abstract", skip_serializing_if = "Option::is_none")]
    pub abstracted: Option<AbstractDoc>,
    /// Further evidence: of the same with `--count`, of each part that fails with `--each`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<MoreDoc>,
    /// Why there is not as much further evidence as was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_more: Option<NoMoreName>,
    /// The parts of a property that fails, if it has several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartDoc>,
    /// Only with `--witness`: a run on which a property that holds matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<WitnessDoc>,
    /// Only with `--certificate`: why a property holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<CertificateDoc>,
    /// For a property that holds, if asked for: why, in sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<WhyDoc>,
    /// Where the runs of the evidence could still have kept the property.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<DecisionDoc>,
    /// For a property that fails: the places of the text that may be to blame, the likeliest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blame: Vec<SuspectDoc>,
    /// Only from `blame`: where the values come from that the failure depends on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slice: Vec<SliceValueDoc>,
    /// How many changes of the text were tried to find out what is to blame. Absent when nobody tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blame_search: Option<BlameSearchDoc>,
    /// What became of each wish about whole runs that the evidence was chosen by, the most important one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wishes: Vec<WishDoc>,
    /// Circumstances of this property. Absent when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteDoc>,
    /// Only from `debug`: all counterexamples at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisDoc>,
    /// Only for a command of an Alloy model. Absent when it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultName>,
    /// What only a command of an Alloy model has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Box<CommandDoc>>,
}

/// What `compute` computes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum QuantityDoc {
    /// A number of steps.
    Steps(u32),
    /// There is no such number.
    None(QuantityName),
}

/// What became of a wish about whole runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WishDoc {
    /// The wish as it was written.
    pub wish: String,
    /// Whether the evidence is as wished.
    pub met: bool,
    /// Whether the loop does nothing for a wish that is about loops.
    pub idle: bool,
    /// Exceptions in each turn of the loop.
    pub turn: u32,
    /// Exceptions on the way to the loop, the first arrival there included, or in all where there is no loop.
    pub way: u32,
    /// What is known of other evidence.
    pub best: WishBestName,
}

/// Further evidence.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MoreDoc {
    /// The part of the property that it is about: an index in `parts`. Absent: the whole property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<usize>,
    /// Why the property, or the part, fails.
    pub evidence: EvidenceDoc,
    /// Where its runs could still have kept the property.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<DecisionDoc>,
}

/// A part of a property: a claim that can fail by itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PartDoc {
    /// The part as a formula.
    pub text: String,
    /// Whether it holds.
    pub verdict: VerdictName,
    /// Why there is not as much further evidence of it as was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_more: Option<NoMoreName>,
}

/// What a run that refutes a claim about every path had to choose.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DecisionDoc {
    /// The claim: the number of a sub-formula.
    pub sub: usize,
    /// Whether there was a chance to keep it.
    pub choice: DecisionName,
    /// The state before the decisive step, or the one where there was no chance.
    pub from: Option<usize>,
    /// The state after the decisive step.
    pub to: Option<usize>,
    /// States that the step could have led to instead.
    pub instead: Vec<ValuesDoc>,
    /// Whether there are more of them.
    pub more: bool,
    /// Of a lost chance: the condition that is true in the next states that could still keep the claim, and in no other
    /// next state. Of a loop: each of its states has a next state where this is true, and the claim holds in every
    /// such next state. Absent when there is no short one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Who could have avoided the step, where there is an environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avoidable: Option<AvoidableDoc>,
}

/// Who could have avoided a decisive step.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AvoidableDoc {
    /// What the environment could have chosen instead; null: nothing.
    pub environment: Option<OtherChoiceDoc>,
    /// Whether the system could have, with the same choice of the environment.
    pub system: bool,
}

/// Another choice of the environment.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OtherChoiceDoc {
    /// The variables that it would have chosen differently.
    pub values: ValuesDoc,
    /// Whether that keeps the chance whatever the system does.
    pub sure: bool,
}

/// A run on which a property that holds matters: it would fail there if a part of it had another truth.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WitnessDoc {
    /// The text of the part.
    pub replaced: String,
    /// The number of the part among the sub-formulas.
    #[cfg_attr(test, schemars(with = "usize"))]
    pub sub: Option<usize>,
    /// The truth that it is taken to have.
    pub by: bool,
    /// Why the property would fail; its sub-formulas are those with the part replaced.
    pub evidence: EvidenceDoc,
}

/// What the verdict is about.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReachDoc {
    /// The whole system, or a scope.
    pub kind: ReachName,
    /// Whether there may be something beyond it.
    pub meaning: MeaningName,
    /// Only for commands about transition systems.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub of_system: Option<Box<SystemReachDoc>>,
}

impl ReachDoc {
    /// All states were looked at.
    pub fn complete() -> Self {
        Self {
            kind: ReachName::Complete,
            meaning: MeaningName::Real,
            of_system: None,
        }
    }
}

/// What the answer to a command of an Alloy model means for the complete transition system.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SystemReachDoc {
    /// What is known of the complete system. The verdict is that of the scope.
    pub system: SystemVerdictName,
    /// The class of the formula; null where the model does not fit.
    pub class: Option<ClassName>,
    /// How many states can be reached, where all were looked at.
    pub states: Option<String>,
    /// The scopes of states that were tried, in order.
    pub scopes: Vec<TriedScopeDoc>,
    /// The fewest states with which every operation happens and every state can be reached.
    pub significant: Option<i32>,
}

/// A scope of states that was tried.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TriedScopeDoc {
    /// How many states.
    pub states: i32,
    /// Exactly so many, or up to so many.
    pub exactly: bool,
    /// What was asked.
    pub asked: ScopeQuestionName,
    /// Whether there is an instance; null when that took too long.
    pub found: Option<bool>,
}
