//! Why a model is not read as a transition system.

use wherefore_alloy::model::AlloyTermId;
use wherefore_base::{Diagnostic, Span, Stop};
use wherefore_relational::ProblemRefusal;

/// Why the complete system of a model cannot be had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TcmcMisfit {
    /// Something in the model does not have the shape that is needed.
    Shape {
        /// What it is, as a sentence without its full stop.
        message: String,
        /// Where it is written.
        span: Span,
    },
    /// A fact about every step does not follow from what a step is, as the definition of the steps allows for one that
    /// breaks it.
    Cut {
        /// Where the fact is written.
        span: Span,
        /// The state that the step leaves.
        from: String,
        /// The state that it enters.
        to: String,
    },
    /// A fact about every two states does not follow from what a state is.
    Pairs {
        /// The fact.
        fact: AlloyTermId,
        /// Where it is written.
        span: Span,
    },
    /// The command itself is wrong, in a way that no other way of solving mends.
    Wrong(Diagnostic),
    /// Time or memory ran out, or somebody cancelled the work.
    Stopped(Stop),
    /// Something is larger than a limit, as a sentence.
    TooLarge(String),
}

impl TcmcMisfit {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        TcmcMisfit::Shape {
            message: message.into(),
            span,
        }
    }
}

impl TcmcMisfit {
    /// What to say of a fact about every two states.
    pub fn pairs(span: Span) -> Self {
        TcmcMisfit::new(
            span,
            "This fact restricts pairs of states, not states or steps",
        )
    }

    /// What to say where the facts forbid a step that the definition of the steps makes.
    pub fn cut(span: Span, from: &str, to: &str) -> Self {
        let message = format!(
            "This fact forbids a step that the definition of the steps makes, from ({from}) to ({to}): where both \
             states are, the facts cannot hold together, so they are inconsistent or do not define one system"
        );
        TcmcMisfit::Shape { message, span }
    }
}

impl From<Diagnostic> for TcmcMisfit {
    fn from(diagnostic: Diagnostic) -> Self {
        TcmcMisfit::Wrong(diagnostic)
    }
}

impl From<Stop> for TcmcMisfit {
    fn from(stop: Stop) -> Self {
        TcmcMisfit::Stopped(stop)
    }
}

impl From<ProblemRefusal> for TcmcMisfit {
    fn from(refusal: ProblemRefusal) -> Self {
        match refusal {
            ProblemRefusal::Stopped(stop) => TcmcMisfit::Stopped(stop),
            other => TcmcMisfit::TooLarge(other.to_string()),
        }
    }
}
