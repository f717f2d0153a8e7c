//! What the explorer answers about blame: what is to blame for a failure, and what becomes of it once the text is changed.

use serde::{Deserialize, Serialize};

use crate::{BlameSearchDoc, FateDoc, PropertyAnswer, SuspectDoc, VerdictName};

/// What is to blame for the failure of a property, as the explorer answers it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BlameAnswer {
    /// The number of the model.
    pub model: usize,
    /// The number of the property.
    pub property: usize,
    /// The places of the text that may be to blame, the likeliest first.
    pub blame: Vec<SuspectDoc>,
    /// How many changes of the text were tried; null when nobody tried.
    pub blame_search: Option<BlameSearchDoc>,
}

/// What becomes of the failure of a property once the text is changed. The file of the model stays as it is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MendAnswer {
    /// What becomes of the counterexample; null if there was none.
    pub fate: Option<FateDoc>,
    /// The first step of the counterexample that the changed model does not do; null if it does them all.
    pub broken: Option<BrokenStepDoc>,
    /// Where it does them all: what shows that a claim of the counterexample is wrong then; null where nobody could decide it.
    pub contrary: Option<ContraryDoc>,
    /// The verdicts on all properties.
    pub verdicts: Vec<MendVerdictDoc>,
    /// The property in the changed model, with everything that is known about it. Places are those of the changed text.
    pub after: PropertyAnswer,
}

/// A step of a counterexample that a changed model does not do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BrokenStepDoc {
    /// The state where it begins, by its id; null: the first state is no initial one.
    pub from: Option<usize>,
    /// The state that it leads to, by its id.
    pub to: usize,
}

/// The opposite of a claim that a counterexample rests on, decided in the changed model.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ContraryDoc {
    /// The state of the counterexample that the claim is about, by its id.
    pub state: usize,
    /// The formula of the claim, asked from that state, with everything that is known about it.
    pub answer: PropertyAnswer,
}

/// The verdicts on a property, without and with a change of the text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MendVerdictDoc {
    /// The number of the property.
    pub property: usize,
    /// Its name.
    pub name: String,
    /// The verdict on the model as it is; null when nobody asked.
    pub then: Option<VerdictDoc>,
    /// The verdict with the change.
    pub now: VerdictDoc,
}

/// A verdict, with what must be known to read it rightly.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VerdictDoc {
    /// The verdict.
    pub verdict: VerdictName,
    /// The sub-formula that never mattered.
    pub vacuous: Option<String>,
    /// Why there is nothing that it could be false of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_nothing: Option<String>,
}
