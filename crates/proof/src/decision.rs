//! Decisive choices: where a run that breaks a property could still have kept it, and who could have avoided it.

use wherefore_base::Value;
use wherefore_logic::SubId;
use wherefore_model::{Cover, Cube, VarId};

use crate::OccurrenceId;

/// What a run had to choose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The refuted sub-formula the run is about; it claims something of every path.
    pub sub: SubId,
    /// What was decided.
    pub choice: DecisiveChoice,
}

/// Whether, and where, a run lost its last chance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DecisiveChoice {
    /// From the state where the run starts, no path keeps the claim.
    Fated(OccurrenceId),
    /// With this step the last chance was lost.
    Lost {
        /// Where some path still kept the claim.
        from: OccurrenceId,
        /// Where none does any more.
        to: OccurrenceId,
        /// Steps that would have kept the chance, those with the fewest changes first, then least first:
        /// the states they lead to.
        instead: Vec<Vec<Value>>,
        /// Whether there are more of them.
        more: bool,
        /// What tells the next states that kept the chance from all other next states, if that can be said
        /// briefly.
        condition: Option<Cover>,
        /// Who could have avoided it, where there is an environment.
        avoidable: Option<Avoidance>,
    },
    /// Up to the end of the run, some path still kept the claim: it breaks it step by step.
    StillFree {
        /// What would have ended the loop of the run: each of its states has a next state where this is true, and
        /// the claim holds in every such next state.
        exit: Option<Cube>,
    },
}

/// Who could still have avoided a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Avoidance {
    /// Another choice of the environment that keeps the chance.
    pub environment: Option<OtherChoice>,
    /// Whether another reaction to the same choice keeps it.
    pub system: bool,
}

/// What the environment could have chosen instead: of all such choices a sure one if there is one, then
/// one that differs in the fewest variables, then the least.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherChoice {
    /// The variables that it would have chosen differently, with their values: inputs, and variables of
    /// the next state.
    pub values: Vec<(VarId, Value)>,
    /// Whether the chance is kept whatever the system does; otherwise, only with some reactions.
    pub sure: bool,
}
