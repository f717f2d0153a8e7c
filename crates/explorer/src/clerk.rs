//! Clerks: threads that answer requests one after the other, and the queues before them.
//!
//! A [`Queue`] is what others see of a clerk: they put requests in and wait. A [`Desk`] is what both share:
//! the budget of the work, and which request is being answered, so that cancelling one request never hits
//! another.

use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};

use wherefore_base::{Budget, Progress, Run, Stop};

use crate::problem::Problem;

/// The number of work that nobody waits for.
pub(crate) const NOBODY: u64 = 0;

/// The number of work that nobody waits for and that can be done later.
pub(crate) const LATER: u64 = u64::MAX;

/// A good answer.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// The text of a document.
    Document(Arc<str>),
    /// A file to be kept.
    File(File),
}

/// A file to be kept.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) media: &'static str,
    pub(crate) text: String,
}

impl From<String> for Answer {
    fn from(text: String) -> Self {
        Answer::Document(text.into())
    }
}

/// What comes of a request.
pub(crate) type Outcome = Result<Answer, Problem>;

/// A request, and who waits for its answer.
#[derive(Debug)]
pub(crate) struct Job<A> {
    pub(crate) id: u64,
    pub(crate) ask: A,
    reply: Sender<Outcome>,
}

impl<A> Job<A> {
    /// Tells what came of it. Nobody waiting any more is no error.
    pub(crate) fn tell(self, outcome: Outcome) {
        let _ = self.reply.send(outcome);
    }

    /// Tells what came of some work.
    ///
    /// # Errors
    /// When nothing more can be done under the budget of the work; a request that was cancelled is no
    /// reason to end.
    pub(crate) fn settle(self, outcome: Run<Outcome>) -> Run<()> {
        match outcome {
            Ok(outcome) => {
                self.tell(outcome);
                Ok(())
            }
            Err(stop) => {
                self.tell(Err(stop.into()));
                match stop {
                    Stop::Cancelled => Ok(()),
                    stop => Err(stop),
                }
            }
        }
    }
}

/// Where requests to a clerk are put.
#[derive(Debug)]
pub(crate) struct Queue<A> {
    jobs: Mutex<Option<Sender<Job<A>>>>,
    pub(crate) desk: Arc<Desk>,
}

impl<A> Queue<A> {
    /// A queue, and where its clerk takes requests from.
    pub(crate) fn new(memory: Option<usize>) -> (Self, Receiver<Job<A>>) {
        let (sender, receiver) = channel();
        let queue = Self {
            jobs: Mutex::new(Some(sender)),
            desk: Arc::new(Desk::new(memory)),
        };
        (queue, receiver)
    }

    /// Puts a request in; the answer comes from what is returned.
    pub(crate) fn put(&self, id: u64, ask: A) -> Receiver<Outcome> {
        let (reply, answer) = channel();
        let jobs = self.jobs.lock().unwrap_or_else(|e| e.into_inner());
        let job = Job { id, ask, reply };
        // When the clerk is gone, so is the reply, and whoever waits is told so.
        if let Some(jobs) = &*jobs {
            let _ = jobs.send(job);
        }
        answer
    }

    /// Lets the clerk go, and stops its work.
    pub(crate) fn close(&self) {
        *self.jobs.lock().unwrap_or_else(|e| e.into_inner()) = None;
        self.desk.budget().stop(Stop::Cancelled);
        self.desk.lock().closed = true;
    }
}

/// What a clerk and those who wait share.
#[derive(Debug)]
pub(crate) struct Desk {
    memory: Option<usize>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    budget: Budget,
    /// The request that is being answered.
    current: Option<u64>,
    /// Requests that were cancelled before their turn.
    cancelled: BTreeSet<u64>,
    closed: bool,
}

impl Desk {
    fn new(memory: Option<usize>) -> Self {
        Self {
            memory,
            state: Mutex::new(State {
                budget: Budget::new(None, memory),
                current: None,
                cancelled: BTreeSet::new(),
                closed: false,
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// The budget of the work.
    pub(crate) fn budget(&self) -> Budget {
        self.lock().budget.clone()
    }

    /// A new budget, after the old one ran out.
    pub(crate) fn renew(&self) -> Budget {
        let mut state = self.lock();
        if !state.closed {
            state.budget = Budget::new(None, self.memory);
        }
        state.budget.clone()
    }

    /// Begins to answer a request.
    ///
    /// # Errors
    /// When it was cancelled before.
    pub(crate) fn begin(&self, id: u64) -> Run<()> {
        let mut state = self.lock();
        if state.closed || state.cancelled.remove(&id) {
            return Err(Stop::Cancelled);
        }
        state.budget.resume();
        state.budget.phase("");
        state.current = Some(id);
        Ok(())
    }

    /// The request is answered.
    pub(crate) fn end(&self) {
        let mut state = self.lock();
        state.current = None;
        if !state.closed {
            state.budget.resume();
        }
    }

    /// Cancels a request, now or when its turn comes.
    pub(crate) fn cancel(&self, id: u64) {
        let mut state = self.lock();
        match state.current == Some(id) {
            true => state.budget.stop(Stop::Cancelled),
            false if id != NOBODY => {
                state.cancelled.insert(id);
            }
            false => {}
        }
    }

    /// Ends work that nobody waits for and that can be done later.
    pub(crate) fn interrupt(&self) {
        let state = self.lock();
        if state.current == Some(LATER) {
            state.budget.stop(Stop::Cancelled);
        }
    }

    /// A request that was answered need not be cancelled any more.
    pub(crate) fn forget(&self, id: u64) {
        self.lock().cancelled.remove(&id);
    }

    /// What is being done for a request.
    pub(crate) fn progress(&self, id: u64) -> Progress {
        let state = self.lock();
        match state.current {
            Some(current) if current == id || [NOBODY, LATER].contains(&current) => {
                state.budget.progress()
            }
            _ => Progress {
                phase: "waiting for other requests".to_string(),
                done: 0,
            },
        }
    }
}

/// Runs the work of a clerk; a panic, which was told already, ends the clerk and nobody else.
pub(crate) fn guarded(work: impl FnOnce()) {
    let _ = panic::catch_unwind(AssertUnwindSafe(work));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancelling_a_request_never_hits_another() {
        let (queue, _jobs) = Queue::<()>::new(None);
        let desk = &queue.desk;
        desk.cancel(2);
        assert_eq!(desk.begin(1), Ok(()));
        assert_eq!(desk.budget().check(), Ok(()));
        desk.cancel(1);
        assert_eq!(desk.budget().check(), Err(Stop::Cancelled));
        desk.end();
        assert_eq!(desk.begin(2), Err(Stop::Cancelled));
        assert_eq!(desk.begin(3), Ok(()));
        desk.cancel(1);
        assert_eq!(desk.budget().check(), Ok(()));
    }

    #[test]
    fn who_waits_for_a_clerk_that_is_gone_is_told_so() {
        let (queue, jobs) = Queue::<()>::new(None);
        drop(jobs);
        assert!(queue.put(1, ()).recv().is_err());
        queue.close();
        assert!(queue.put(2, ()).recv().is_err());
        assert_eq!(queue.desk.begin(2), Err(Stop::Cancelled));
    }
}
