//! Request queues: how requests reach a worker thread, and how they are cancelled.
//!
//! A [`RequestQueue`] is the sending end: requests are put in, and their answers come asynchronously. A
//! [`WorkerControl`] is shared by the worker and those who wait: it has the budget of the work and knows
//! which request is being answered, so that cancelling one request never stops another.

use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::oneshot;
use wherefore_base::{Budget, Progress, Run, Stop};

use crate::error::RequestError;

/// Identifies a piece of work of a worker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum RequestId {
    /// Reading the model and checking all questions; no client waits for the answer.
    Check,
    /// Building the state space in advance; it can be done later as well.
    Prefetch,
    /// A request of a client.
    Client(u64),
}

/// The answer to a request.
#[derive(Clone, Debug)]
pub(crate) enum RequestAnswer {
    /// The text of a document.
    Document(Arc<str>),
    /// A file to be saved.
    File(Attachment),
}

/// A file to be saved.
#[derive(Clone, Debug)]
pub(crate) struct Attachment {
    pub(crate) name: String,
    pub(crate) media: &'static str,
    pub(crate) text: String,
}

impl From<String> for RequestAnswer {
    fn from(text: String) -> Self {
        RequestAnswer::Document(text.into())
    }
}

pub(crate) type RequestResult = Result<RequestAnswer, RequestError>;

/// A request, and where its answer is sent to.
#[derive(Debug)]
pub(crate) struct QueuedRequest<R> {
    pub(crate) id: RequestId,
    pub(crate) request: R,
    reply: oneshot::Sender<RequestResult>,
}

impl<R> QueuedRequest<R> {
    /// Sends the answer. It is no error when nobody waits any more.
    pub(crate) fn reply(self, result: RequestResult) {
        let _ = self.reply.send(result);
    }

    /// Whether the client that wanted the answer is gone.
    pub(crate) fn is_abandoned(&self) -> bool {
        matches!(self.id, RequestId::Client(_)) && self.reply.is_closed()
    }
}

/// The sending end of the queue of a worker.
#[derive(Debug)]
pub(crate) struct RequestQueue<R> {
    sender: Mutex<Option<Sender<QueuedRequest<R>>>>,
    pub(crate) control: Arc<WorkerControl>,
}

impl<R> RequestQueue<R> {
    /// A queue, and the end from which its worker takes requests.
    pub(crate) fn new(memory: Option<usize>) -> (Self, Receiver<QueuedRequest<R>>) {
        let (sender, receiver) = channel();
        let queue = Self {
            sender: Mutex::new(Some(sender)),
            control: Arc::new(WorkerControl::new(memory)),
        };
        (queue, receiver)
    }

    /// Puts a request in; the answer comes through the receiver.
    pub(crate) fn put(&self, id: RequestId, request: R) -> oneshot::Receiver<RequestResult> {
        let (reply, answer) = oneshot::channel();
        let queued = QueuedRequest { id, request, reply };
        // When the worker is gone, the reply is dropped, which the receiver notices.
        if let Some(sender) = &*lock(&self.sender) {
            let _ = sender.send(queued);
        }
        answer
    }

    /// Closes the queue and stops the work; the worker ends.
    pub(crate) fn close(&self) {
        *lock(&self.sender) = None;
        let mut state = lock(&self.control.state);
        state.budget.stop(Stop::Cancelled);
        state.closed = true;
    }
}

/// What a worker and those who wait for it share.
#[derive(Debug)]
pub(crate) struct WorkerControl {
    memory: Option<usize>,
    state: Mutex<ControlState>,
}

#[derive(Debug)]
struct ControlState {
    budget: Budget,
    /// The request that is being answered.
    current: Option<RequestId>,
    /// Requests that were cancelled before their turn.
    cancelled: BTreeSet<RequestId>,
    closed: bool,
}

impl WorkerControl {
    fn new(memory: Option<usize>) -> Self {
        Self {
            memory,
            state: Mutex::new(ControlState {
                budget: Budget::new(None, memory),
                current: None,
                cancelled: BTreeSet::new(),
                closed: false,
            }),
        }
    }

    /// The budget of the work.
    pub(crate) fn budget(&self) -> Budget {
        lock(&self.state).budget.clone()
    }

    /// A new budget, after the old one ran out.
    pub(crate) fn renew(&self) -> Budget {
        let mut state = lock(&self.state);
        if !state.closed {
            state.budget = Budget::new(None, self.memory);
        }
        state.budget.clone()
    }

    /// Begins to answer a request.
    ///
    /// # Errors
    /// When it was cancelled before.
    pub(crate) fn begin(&self, id: RequestId) -> Run<()> {
        let mut state = lock(&self.state);
        if state.closed || state.cancelled.remove(&id) {
            return Err(Stop::Cancelled);
        }
        state.budget.resume();
        state.budget.phase("");
        state.current = Some(id);
        Ok(())
    }

    /// Ends the work for the current request.
    pub(crate) fn end(&self) {
        let mut state = lock(&self.state);
        state.current = None;
        if !state.closed {
            state.budget.resume();
        }
    }

    /// Cancels a request, now or when its turn comes. A check can be cancelled only while it is running.
    pub(crate) fn cancel(&self, id: RequestId) {
        let mut state = lock(&self.state);
        if state.current == Some(id) {
            state.budget.stop(Stop::Cancelled);
        } else if let RequestId::Client(_) = id {
            state.cancelled.insert(id);
        }
    }

    /// Stops the work for a request, if it is going on, and forgets that the request was cancelled.
    pub(crate) fn abandon(&self, id: RequestId) {
        let mut state = lock(&self.state);
        state.cancelled.remove(&id);
        if state.current == Some(id) {
            state.budget.stop(Stop::Cancelled);
        }
    }

    /// What is being done for a request.
    pub(crate) fn progress(&self, id: RequestId) -> Progress {
        let state = lock(&self.state);
        match state.current {
            Some(RequestId::Check | RequestId::Prefetch) => state.budget.progress(),
            Some(current) if current == id => state.budget.progress(),
            _ => Progress {
                phase: "waiting for other requests".to_string(),
                done: 0,
            },
        }
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|error| error.into_inner())
}

/// Runs the work of a thread. A panic was reported already; it ends this thread and nothing else.
pub(crate) fn guarded(work: impl FnOnce()) {
    let _ = panic::catch_unwind(AssertUnwindSafe(work));
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: RequestId = RequestId::Client(1);
    const TWO: RequestId = RequestId::Client(2);
    const THREE: RequestId = RequestId::Client(3);

    #[test]
    fn cancelling_a_request_never_hits_another() {
        let (queue, _requests) = RequestQueue::<()>::new(None);
        let control = &queue.control;
        control.cancel(TWO);
        assert_eq!(control.begin(ONE), Ok(()));
        assert_eq!(control.budget().check(), Ok(()));
        control.cancel(ONE);
        assert_eq!(control.budget().check(), Err(Stop::Cancelled));
        control.end();
        assert_eq!(control.begin(TWO), Err(Stop::Cancelled));
        assert_eq!(control.begin(THREE), Ok(()));
        control.cancel(ONE);
        control.abandon(TWO);
        assert_eq!(control.budget().check(), Ok(()));
        control.abandon(THREE);
        assert_eq!(control.budget().check(), Err(Stop::Cancelled));
    }

    #[test]
    fn who_waits_for_a_worker_that_is_gone_is_told_so() {
        let (queue, requests) = RequestQueue::<()>::new(None);
        drop(requests);
        assert!(queue.put(ONE, ()).blocking_recv().is_err());
        queue.close();
        assert!(queue.put(TWO, ()).blocking_recv().is_err());
        assert_eq!(queue.control.begin(TWO), Err(Stop::Cancelled));
    }

    #[test]
    fn a_request_whose_client_is_gone_is_abandoned_and_a_check_is_not() {
        let (queue, requests) = RequestQueue::new(None);
        drop(queue.put(ONE, ()));
        drop(queue.put(RequestId::Check, ()));
        let answer = queue.put(TWO, ());
        let abandoned = requests.try_iter().map(|queued| queued.is_abandoned());
        assert_eq!(abandoned.collect::<Vec<_>>(), [true, false, false]);
        drop(answer);
    }
}
