//! Problems: why a request has no good answer, and with which status.

use wherefore_base::Stop;
use wherefore_driver::view::api::Failure;
use wherefore_driver::{Refusal, Rejected};

/// Why a request has no good answer.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) status: u16,
    pub(crate) failure: Failure,
}

impl Problem {
    fn new(status: u16, kind: &'static str, message: &str) -> Self {
        Self {
            status,
            failure: Failure::new(kind, message),
        }
    }

    pub(crate) fn bad(message: &str) -> Self {
        Self::new(400, "bad-request", message)
    }

    pub(crate) fn forbidden(message: &str) -> Self {
        Self::new(403, "forbidden", message)
    }

    pub(crate) fn missing(message: &str) -> Self {
        Self::new(404, "not-found", message)
    }

    pub(crate) fn method() -> Self {
        Self::new(405, "method", "This route does not take that method.")
    }

    pub(crate) fn slow() -> Self {
        Self::new(408, "slow", "The request did not come in time.")
    }

    pub(crate) fn cancelled() -> Self {
        Self::new(409, "cancelled", "The work was cancelled.")
    }

    pub(crate) fn too_large() -> Self {
        Self::new(413, "too-large", "The request is too large.")
    }

    pub(crate) fn too_many(message: &str) -> Self {
        Self::new(429, "too-many", message)
    }

    pub(crate) fn unsupported(message: &str) -> Self {
        Self::new(422, "unsupported", message)
    }

    /// A text that is wrong, in a sentence.
    pub(crate) fn wrong(message: &str) -> Self {
        Self::new(422, "rejected", message)
    }

    pub(crate) fn internal() -> Self {
        let message = "This is a bug in wherefore; the terminal says more.";
        Self::new(500, "internal", message)
    }

    pub(crate) fn rejected(rejected: &Rejected) -> Self {
        let message = rejected.render(false);
        let failure = Failure::new("rejected", &message);
        Self {
            status: 422,
            failure: failure.with(&rejected.sources, &rejected.diagnostics),
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
                Self::new(503, "limit", &message)
            }
        }
    }
}
