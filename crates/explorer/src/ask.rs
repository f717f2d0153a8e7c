//! What the clerk of a model can be asked.

use wherefore_driver::view::wire::{
    AnotherRequest, AroundRequest, BlockedRequest, EvaluateRequest, PathRequest, ProofRequest,
    RangeRequest, TruthRequest, ValueRequest,
};

use crate::export::Form;

/// A request to the clerk of a model. Properties are meant by their numbers.
#[derive(Clone, Debug)]
pub(crate) enum Ask {
    /// Check all properties.
    Check,
    /// Add a formula to the properties, and check it.
    Add(String),
    /// Find further evidence of a property.
    Another(usize, AnotherRequest),
    /// The initial states.
    Initial(RangeRequest),
    /// The successors of a state.
    Successors(AroundRequest),
    /// The predecessors of a state.
    Predecessors(AroundRequest),
    /// What is true at a state.
    Truth(TruthRequest),
    /// The value of an expression in some states.
    Evaluate(EvaluateRequest),
    /// The shortest way to a state.
    Path(PathRequest),
    /// Why no step from a state leads to one where an expression is true.
    Blocked(BlockedRequest),
    /// The proof of a property after some choices.
    Proof(usize, ProofRequest),
    /// The value of an expression in an instance of a command.
    Value(usize, ValueRequest),
    /// The evidence of a property in some format; of a tree, the run with this number.
    Export(usize, Form, usize),
    /// The instance of a command with this number in some format.
    Instance(usize, Form, usize),
}

impl Ask {
    /// Whether the states of the model must be at hand to answer.
    pub(crate) fn needs_states(&self) -> bool {
        matches!(
            self,
            Ask::Initial(_)
                | Ask::Successors(_)
                | Ask::Predecessors(_)
                | Ask::Truth(_)
                | Ask::Path(_)
                | Ask::Proof(..)
        )
    }

    /// The property it is about, if it is about one.
    pub(crate) fn property(&self) -> Option<usize> {
        match self {
            Ask::Another(property, _)
            | Ask::Proof(property, _)
            | Ask::Value(property, _)
            | Ask::Export(property, ..)
            | Ask::Instance(property, ..) => Some(*property),
            Ask::Truth(truth) => Some(truth.property),
            _ => None,
        }
    }
}
