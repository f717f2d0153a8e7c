//! Delivery: how answers that take time reach the client.
//!
//! A [`LongAnswer`] produces lines of progress and at last a result. The client gets the result alone, or
//! a stream of all lines. When the client goes away, hyper drops the response, and with it the
//! [`ActiveRequest`], which stops the work.

use std::convert::Infallible;
use std::future::ready;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, StreamExt};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::timeout;
use wherefore_base::Progress;
use wherefore_driver::view::api::pieces;
use wherefore_driver::view::wire::{StreamLine, TextAnswer, result_line, to_line};

use crate::error::RequestError;
use crate::queue::{RequestAnswer, RequestId, RequestQueue, RequestResult, WorkerControl};
use crate::status::ModelStatus;
use crate::workspace::{ActiveRequest, ServedModel, Workspace};

/// How often progress is looked at.
const TICK: Duration = Duration::from_millis(60);
/// The least time between two lines of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);
/// How many pieces of a long document are prepared before the client has read them.
const PIECES_AHEAD: usize = 2;

/// How an answer is delivered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Delivery {
    /// The result alone, when it is there.
    Whole,
    /// A stream of lines; the last one has the result.
    Lines,
    /// The same, but a long result comes in pieces.
    Pieces,
}

impl<S: Send + Sync> FromRequestParts<S> for Delivery {
    type Rejection = Infallible;

    fn from_request_parts(
        parts: &mut Parts,
        _: &S,
    ) -> impl Future<Output = Result<Self, Infallible>> + Send {
        let accepted = parts.headers.get_all(ACCEPT).into_iter();
        let accepted = accepted.filter_map(|value| value.to_str().ok());
        let accepted = accepted.collect::<Vec<_>>().join(",").to_ascii_lowercase();
        ready(Ok(if accepted.contains("application/x-ndjson;pieces=1") {
            Delivery::Pieces
        } else if accepted.contains("application/x-ndjson") {
            Delivery::Lines
        } else {
            Delivery::Whole
        }))
    }
}

/// A document as a response.
pub(crate) fn json_response(status: u16, text: String) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or_default();
    let media = [(CONTENT_TYPE, "application/json; charset=utf-8")];
    (status, media, text).into_response()
}

impl IntoResponse for RequestAnswer {
    fn into_response(self) -> Response {
        match self {
            RequestAnswer::Document(text) => json_response(200, text.to_string()),
            RequestAnswer::File(file) => {
                let disposition = format!("attachment; filename=\"{}\"", file.name);
                let headers = [
                    (CONTENT_TYPE, file.media.to_string()),
                    (CONTENT_DISPOSITION, disposition),
                ];
                (headers, file.text).into_response()
            }
        }
    }
}

/// An answer that takes time.
pub(crate) struct LongAnswer {
    awaited: Awaited,
    control: Arc<WorkerControl>,
    /// The work whose progress is told.
    id: RequestId,
    progress: ProgressLines,
}

/// What a long answer waits for.
enum Awaited {
    /// The answer of a worker.
    Worker {
        request: ActiveRequest,
        answer: oneshot::Receiver<RequestResult>,
        is_begun: bool,
    },
    /// The end of a check.
    Check {
        status: watch::Receiver<ModelStatus>,
        /// How many answers were told.
        told: usize,
        is_space_told: bool,
    },
    /// The answer to a question.
    Question {
        status: watch::Receiver<ModelStatus>,
        question: usize,
    },
}

/// What comes next in a long answer.
enum AnswerEvent {
    /// Lines to be told.
    Lines(String),
    /// The end.
    Result(RequestResult),
}

impl LongAnswer {
    /// Has a worker answer a request.
    pub(crate) fn request<R>(
        workspace: &Arc<Workspace>,
        queue: &RequestQueue<R>,
        request: R,
    ) -> Self {
        let active = workspace.begin(&queue.control);
        Self {
            control: Arc::clone(&queue.control),
            id: active.id(),
            progress: ProgressLines::default(),
            awaited: Awaited::Worker {
                answer: queue.put(active.id(), request),
                request: active,
                is_begun: false,
            },
        }
    }

    /// Follows the check of a model.
    pub(crate) fn check(model: &ServedModel) -> Self {
        Self::following(
            model,
            Awaited::Check {
                status: model.status.subscribe(),
                told: 0,
                is_space_told: false,
            },
        )
    }

    /// Waits until a question about a model is answered.
    pub(crate) fn question(model: &ServedModel, question: usize) -> Self {
        let status = model.status.subscribe();
        Self::following(model, Awaited::Question { status, question })
    }

    fn following(model: &ServedModel, awaited: Awaited) -> Self {
        Self {
            awaited,
            control: Arc::clone(&model.queue.control),
            id: RequestId::Check,
            progress: ProgressLines::default(),
        }
    }

    /// Delivers the answer.
    pub(crate) async fn deliver(mut self, delivery: Delivery) -> Response {
        if delivery != Delivery::Whole {
            return self.stream(delivery == Delivery::Pieces);
        }
        loop {
            if let AnswerEvent::Result(result) = self.next().await {
                return result.into_response();
            }
        }
    }

    /// The lines of the answer as a response.
    fn stream(self, in_pieces: bool) -> Response {
        let lines = stream::unfold(Streamed::Events(self), move |state| async move {
            match state {
                Streamed::Events(mut answer) => match answer.next().await {
                    AnswerEvent::Lines(lines) => Some((lines, Streamed::Events(answer))),
                    AnswerEvent::Result(Ok(RequestAnswer::Document(text))) if in_pieces => {
                        let mut pieces = pieces_of(text);
                        Some((pieces.recv().await?, Streamed::Pieces(pieces)))
                    }
                    AnswerEvent::Result(result) => Some((last_line(result), Streamed::End)),
                },
                Streamed::Pieces(mut pieces) => {
                    Some((pieces.recv().await?, Streamed::Pieces(pieces)))
                }
                Streamed::End => None,
            }
        });
        let body = Body::from_stream(lines.map(Ok::<_, Infallible>));
        let media = [(CONTENT_TYPE, "application/x-ndjson; charset=utf-8")];
        (media, body).into_response()
    }

    /// Waits for what comes next.
    async fn next(&mut self) -> AnswerEvent {
        loop {
            if let Some(event) = self.awaited.ready() {
                return event;
            }
            if let Some(line) = self.progress.news(self.control.progress(self.id)) {
                return AnswerEvent::Lines(line);
            }
            // Progress is looked at now and then, everything else when it comes.
            if let Ok(Some(result)) = timeout(TICK, self.awaited.changed()).await {
                return AnswerEvent::Result(result);
            }
        }
    }
}

impl Awaited {
    /// What is there already.
    fn ready(&mut self) -> Option<AnswerEvent> {
        match self {
            Awaited::Worker {
                request, is_begun, ..
            } => {
                let number = request.number;
                let is_first = !std::mem::replace(is_begun, true);
                is_first.then(|| AnswerEvent::Lines(StreamLine::Begun { request: number }.render()))
            }
            Awaited::Question { status, question } => {
                let detail = status.borrow_and_update().detail(*question)?;
                Some(AnswerEvent::Result(detail.map(RequestAnswer::Document)))
            }
            Awaited::Check {
                status,
                told,
                is_space_told,
            } => {
                let status = status.borrow_and_update();
                let mut lines = String::new();
                if let Some(space) = status
                    .entry
                    .model
                    .space
                    .as_ref()
                    .filter(|_| !*is_space_told)
                {
                    lines += &StreamLine::Space {
                        space: space.clone(),
                    }
                    .render();
                    *is_space_told = true;
                }
                for question in status.answered.iter().skip(*told) {
                    if let Some(property) = status.entry.model.properties.get(*question) {
                        lines += &StreamLine::Property {
                            property: Box::new(property.clone()),
                        }
                        .render();
                    }
                }
                *told = status.answered.len();
                if !lines.is_empty() {
                    return Some(AnswerEvent::Lines(lines));
                }
                let is_over = !status.is_checking();
                is_over.then(|| AnswerEvent::Result(Ok(status.entry.render().into())))
            }
        }
    }

    /// Waits for a change; returns the result when that is the change.
    async fn changed(&mut self) -> Option<RequestResult> {
        match self {
            Awaited::Worker { answer, .. } => {
                // A worker that is gone has panicked.
                Some(answer.await.unwrap_or(Err(RequestError::Internal)))
            }
            Awaited::Check { status, .. } | Awaited::Question { status, .. } => {
                let _ = status.changed().await;
                None
            }
        }
    }
}

/// How far a stream has come.
enum Streamed {
    Events(LongAnswer),
    Pieces(mpsc::Receiver<String>),
    End,
}

/// The lines of a document in pieces. Splitting a long one takes a while, so a thread of its own does it.
fn pieces_of(text: Arc<str>) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel(PIECES_AHEAD);
    tokio::task::spawn_blocking(move || {
        for line in pieces::lines(&text) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

fn last_line(result: RequestResult) -> String {
    match result {
        Ok(RequestAnswer::Document(text)) => result_line(&text),
        Ok(RequestAnswer::File(file)) => result_line(&to_line(&TextAnswer { text: file.text })),
        Err(error) => error.line(),
    }
}

/// Lines of progress: only when there is some, and not too often.
#[derive(Default)]
struct ProgressLines {
    last: Option<(Progress, Instant)>,
}

impl ProgressLines {
    fn news(&mut self, progress: Progress) -> Option<String> {
        let is_news = match &self.last {
            None => !progress.phase.is_empty(),
            Some((last, at)) => *last != progress && at.elapsed() >= PROGRESS_INTERVAL,
        };
        is_news.then(|| {
            let text = StreamLine::Progress {
                phase: progress.phase.clone(),
                done: progress.done,
            }
            .render();
            self.last = Some((progress, Instant::now()));
            text
        })
    }
}
