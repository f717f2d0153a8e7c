//! Problems: why a request has no good answer, and with which status.

use wherefore_base::Stop;
use wherefore_driver::view::json::diagnostics;
use wherefore_driver::view::wire::{FailureAnswer, FailureName};
use wherefore_driver::{Refusal, Rejected};

/// Why a request has no good answer.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) status: u16,
    pub(crate) failure: FailureAnswer,
}

impl Problem {
    fn new(status: u16, kind: FailureName, message: &str) -> Self {
        Self {
            status,
            failure: FailureAnswer::new(kind, message),
        }
    }

    pub(crate) fn bad(message: &str) -> Self {
        Self::new(400, FailureName::BadRequest, message)
    }

    pub(crate) fn forbidden(message: &str) -> Self {
        Self::new(403, FailureName::Forbidden, message)
    }

    pub(crate) fn missing(message: &str) -> Self {
        Self::new(404, FailureName::NotFound, message)
    }

    pub(crate) fn method() -> Self {
        Self::new(
            405,
            FailureName::Method,
            "This route does not take that method.",
        )
    }

    pub(crate) fn slow() -> Self {
        Self::new(408, FailureName::Slow, "The request did not come in time.")
    }

    pub(crate) fn cancelled() -> Self {
        Self::new(409, FailureName::Cancelled, "The work was cancelled.")
    }

    pub(crate) fn too_large() -> Self {
        Self::new(413, FailureName::TooLarge, "The request is too large.")
    }

    pub(crate) fn too_many(message: &str) -> Self {
        Self::new(429, FailureName::TooMany, message)
    }

    pub(crate) fn unsupported(message: &str) -> Self {
        Self::new(422, FailureName::Unsupported, message)
    }

    /// A text that is wrong, in a sentence.
    pub(crate) fn wrong(message: &str) -> Self {
        Self::new(422, FailureName::Rejected, message)
    }

    pub(crate) fn internal() -> Self {
        let message = "This is a bug in wherefore; the terminal says more.";
        Self::new(500, FailureName::Internal, message)
    }

    pub(crate) fn rejected(rejected: &Rejected) -> Self {
        let message = rejected.render(false);
        let failure = FailureAnswer::new(FailureName::Rejected, &message);
        Self {
            status: 422,
            failure: failure.with(diagnostics(&rejected.sources, &rejected.diagnostics)),
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Rejected(rejected) => Problem::rejected(&rejected),
            Refusal::Stopped(stop) => stop.into(),
            refusal => Problem::wrong(&format!("{refusal}.")),
        }
    }
}

impl From<Stop> for Problem {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Cancelled => Problem::cancelled(),
            Stop::TimeOut | Stop::Memory => {
                let message = format!("The work is not finished, since {stop}.");
                Self::new(503, FailureName::Limit, &message)
            }
        }
    }
}
