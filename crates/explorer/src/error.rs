//! Request errors: why a request has no answer, and the status and the document that say so.

use std::borrow::Cow;

use axum::response::{IntoResponse, Response};
use thiserror::Error;
use wherefore_base::Stop;
use wherefore_driver::view::json::diagnostics;
use wherefore_driver::view::wire::{FailureAnswer, FailureName, StreamLine, to_line};
use wherefore_driver::{Refusal, Rejected};

use crate::delivery::json_response;

/// One or more whole sentences.
type Sentence = Cow<'static, str>;

/// Why a request has no answer.
#[derive(Clone, Debug, Error)]
pub(crate) enum RequestError {
    /// The request cannot be understood, or a value is out of place.
    #[error("{0}")]
    BadRequest(Sentence),
    /// The secret, the `Host` or the `Origin` is not the one of this server.
    #[error("{0}")]
    Forbidden(&'static str),
    /// There is no such route, model, property, analysis, state or format.
    #[error("{0}")]
    NotFound(Sentence),
    /// The route exists, but not with this method.
    #[error("This route does not take that method.")]
    Method,
    /// The request did not arrive in time.
    #[error("The request did not come in time.")]
    Slow,
    /// The head or the body is too long.
    #[error("The request is too large.")]
    TooLarge,
    /// The limit of connections is reached.
    #[error("Too many connections are open.")]
    TooManyConnections,
    /// The request makes no sense for this model or property.
    #[error("{0}")]
    Unsupported(Sentence),
    /// A choice, a strategy or a name is wrong.
    #[error("{0}")]
    Wrong(Sentence),
    /// An expression, a formula or a query is wrong; the diagnostics say where.
    #[error("{0}")]
    Rejected(Box<Rejected>),
    /// The work was cancelled, or time or memory ran out.
    #[error("{}", stopped(*.0))]
    Stopped(Stop),
    /// A fault of the tool.
    #[error("This is a bug in wherefore; the terminal says more.")]
    Internal,
}

impl RequestError {
    /// The work was cancelled, or there is no answer yet because of that.
    pub(crate) const CANCELLED: Self = RequestError::Stopped(Stop::Cancelled);

    pub(crate) fn bad(message: impl Into<Sentence>) -> Self {
        RequestError::BadRequest(message.into())
    }

    pub(crate) fn missing(message: impl Into<Sentence>) -> Self {
        RequestError::NotFound(message.into())
    }

    pub(crate) fn unsupported(message: impl Into<Sentence>) -> Self {
        RequestError::Unsupported(message.into())
    }

    pub(crate) fn wrong(message: impl Into<Sentence>) -> Self {
        RequestError::Wrong(message.into())
    }

    /// The error of a model that cannot be opened.
    pub(crate) fn not_opened(error: &Refusal) -> Self {
        match error {
            Refusal::Stopped(stop) => RequestError::Stopped(*stop),
            error => RequestError::unsupported(error.to_string()),
        }
    }

    /// The time or memory limit that no further work is possible under, if that is the error.
    pub(crate) fn exhausted(&self) -> Option<Stop> {
        match self {
            RequestError::Stopped(stop @ (Stop::TimeOut | Stop::Memory)) => Some(*stop),
            _ => None,
        }
    }

    /// The status of the response, and the name of the kind in its document.
    pub(crate) fn status_and_kind(&self) -> (u16, FailureName) {
        match self {
            RequestError::BadRequest(_) => (400, FailureName::BadRequest),
            RequestError::Forbidden(_) => (403, FailureName::Forbidden),
            RequestError::NotFound(_) => (404, FailureName::NotFound),
            RequestError::Method => (405, FailureName::Method),
            RequestError::Slow => (408, FailureName::Slow),
            RequestError::Stopped(Stop::Cancelled) => (409, FailureName::Cancelled),
            RequestError::TooLarge => (413, FailureName::TooLarge),
            RequestError::Wrong(_) | RequestError::Rejected(_) => (422, FailureName::Rejected),
            RequestError::Unsupported(_) => (422, FailureName::Unsupported),
            RequestError::TooManyConnections => (429, FailureName::TooMany),
            RequestError::Internal => (500, FailureName::Internal),
            RequestError::Stopped(Stop::TimeOut | Stop::Memory) => (503, FailureName::Limit),
        }
    }

    /// The document of the error.
    fn document(&self) -> FailureAnswer {
        let failure = FailureAnswer::new(self.status_and_kind().1, &self.to_string());
        match self {
            RequestError::Rejected(rejected) => {
                failure.with(diagnostics(&rejected.sources, &rejected.diagnostics))
            }
            _ => failure,
        }
    }

    /// The last line of a stream.
    pub(crate) fn line(&self) -> String {
        let line = StreamLine::Error {
            status: self.status_and_kind().0,
            error: self.document().error,
        };
        line.render()
    }
}

fn stopped(stop: Stop) -> String {
    match stop {
        Stop::Cancelled => "The work was cancelled.".to_string(),
        Stop::TimeOut | Stop::Memory => format!("The work is not finished, since {stop}."),
    }
}

impl From<Stop> for RequestError {
    fn from(stop: Stop) -> Self {
        RequestError::Stopped(stop)
    }
}

impl From<Rejected> for RequestError {
    fn from(rejected: Rejected) -> Self {
        RequestError::Rejected(Box::new(rejected))
    }
}

impl From<Refusal> for RequestError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Stopped(stop) => stop.into(),
            Refusal::Rejected(rejected) => rejected.into(),
            refusal => RequestError::wrong(format!("{refusal}.")),
        }
    }
}

impl IntoResponse for RequestError {
    fn into_response(self) -> Response {
        json_response(self.status_and_kind().0, to_line(&self.document()))
    }
}
