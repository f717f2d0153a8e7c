//! Requests to the worker of a model.

use wherefore_driver::Capability;
use wherefore_driver::view::wire::{
    AnotherRequest, AroundRequest, BlameRequest, BlockedRequest, EvaluateRequest, MendRequest,
    PathRequest, ProofRequest, RangeRequest, TruthRequest, ValueRequest,
};

use crate::export::EvidenceFormat;

/// A request to the worker of a model. Questions (properties, commands) are given by their numbers.
#[derive(Clone, Debug)]
pub(crate) enum ModelRequest {
    /// Check all questions.
    Check,
    /// Add a formula as a question, and check it.
    Add(String),
    /// Find further evidence for a question.
    Another(usize, AnotherRequest),
    /// The initial states.
    Initial(RangeRequest),
    /// The successors of a state.
    Successors(AroundRequest),
    /// The predecessors of a state.
    Predecessors(AroundRequest),
    /// Which sub-formulas are true at a state.
    Truth(TruthRequest),
    /// The value of an expression in some states.
    Evaluate(EvaluateRequest),
    /// The shortest path to a state.
    Path(PathRequest),
    /// Why no step from a state leads to one where an expression is true.
    Blocked(BlockedRequest),
    /// What is to blame for the failure of a property.
    Blame(usize, BlameRequest),
    /// What becomes of the failure of a property once the text is changed.
    Mend(usize, MendRequest),
    /// The proof of a property after some choices.
    Proof(usize, ProofRequest),
    /// The value of an expression in an instance of a command.
    Value(usize, ValueRequest),
    /// The evidence for a question in some format; of a tree, the run with this number.
    Export(usize, EvidenceFormat, usize),
    /// The instance of a command with this number in some format.
    Instance(usize, EvidenceFormat, usize),
}

impl ModelRequest {
    /// What the language of the model must be capable of; nothing: all languages are.
    pub(crate) fn capability(&self) -> Option<Capability> {
        Some(match self {
            ModelRequest::Check | ModelRequest::Export(..) => return None,
            ModelRequest::Add(_) => Capability::Add,
            ModelRequest::Another(..) => Capability::Several,
            ModelRequest::Initial(_)
            | ModelRequest::Successors(_)
            | ModelRequest::Predecessors(_)
            | ModelRequest::Path(_) => Capability::States,
            ModelRequest::Truth(_) | ModelRequest::Evaluate(_) | ModelRequest::Blocked(_) => {
                Capability::Evaluate
            }
            ModelRequest::Blame(..) | ModelRequest::Mend(..) => Capability::Blame,
            ModelRequest::Proof(..) => Capability::Explain,
            ModelRequest::Value(..) | ModelRequest::Instance(..) => Capability::Enumerate,
        })
    }

    /// Whether the state space of the model must be at hand to answer.
    pub(crate) fn needs_space(&self) -> bool {
        let capability = self.capability();
        matches!(self, ModelRequest::Truth(_))
            || matches!(capability, Some(Capability::States | Capability::Explain))
    }

    /// The question it is about, if it is about one.
    pub(crate) fn question(&self) -> Option<usize> {
        match self {
            ModelRequest::Another(question, _)
            | ModelRequest::Blame(question, _)
            | ModelRequest::Mend(question, _)
            | ModelRequest::Proof(question, _)
            | ModelRequest::Value(question, _)
            | ModelRequest::Export(question, ..)
            | ModelRequest::Instance(question, ..) => Some(*question),
            ModelRequest::Truth(truth) => Some(truth.property),
            _ => None,
        }
    }
}
