//! Clerks who answer one request after the other, each by itself.
//!
//! A [`Clerk`] reads its model once and then answers. What is the same for all of them is here: taking
//! requests, refusing a model that is wrong, following a check, and beginning anew when memory ran out.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use wherefore_base::{Budget, Run, Stop};
use wherefore_driver::Refusal;
use wherefore_driver::view::wire::{CheckingName, ListedPropertyDoc, PropertyAnswer};

use crate::ask::Ask;
use crate::board::{Board, Notes};
use crate::clerk::{Desk, Job, NOBODY, Outcome};
use crate::problem::Problem;
use crate::smv::Plan;
use crate::stamp::Stamp;

/// What a clerk works with.
#[derive(Clone, Copy)]
pub(crate) struct Shift<'s> {
    pub(crate) plan: &'s Plan,
    pub(crate) board: &'s Board,
    pub(crate) desk: &'s Desk,
    pub(crate) budget: &'s Budget,
}

/// Somebody who has read a model and answers requests about it.
pub(crate) trait Clerk: Sized {
    /// Reads the model and writes it on the board.
    ///
    /// # Errors
    /// Why it cannot be used.
    fn open(shift: &Shift<'_>) -> Result<Self, Refusal>;

    /// Answers a request.
    ///
    /// # Errors
    /// When nothing more can be done under the budget.
    fn serve(&mut self, shift: &Shift<'_>, job: Job<Ask>) -> Run<()>;
}

/// Answers requests until there are no more; files that have changed before a check are read again.
pub(crate) fn serve<C: Clerk>(
    plan: &Plan,
    board: &Arc<Board>,
    desk: &Desk,
    jobs: &Receiver<Job<Ask>>,
) {
    let mut pending = None;
    loop {
        pending = sit::<C>(plan, board, desk, jobs, pending);
        if pending.is_none() {
            return;
        }
    }
}

/// Answers requests until there are no more, or until the files have changed before a check: that is returned, and
/// the board is ready for a model that is read anew. When memory runs out, everything is forgotten but the board.
pub(crate) fn sit<C: Clerk>(
    plan: &Plan,
    board: &Arc<Board>,
    desk: &Desk,
    jobs: &Receiver<Job<Ask>>,
    mut pending: Option<Job<Ask>>,
) -> Option<Job<Ask>> {
    loop {
        let budget = desk.renew();
        let shift = Shift {
            plan,
            board,
            desk,
            budget: &budget,
        };
        let stop = match shift.live::<C>(&mut pending, jobs) {
            Ok(()) => {
                if pending.is_some() {
                    board.write(Notes::begin_anew);
                }
                return pending;
            }
            Err(stop) => stop,
        };
        if let Some(job) = pending.take() {
            job.tell(Err(stop.into()));
        }
        // Nothing is done again before somebody asks.
        pending = Some(jobs.recv().ok()?);
    }
}

impl Shift<'_> {
    /// Answers until nobody asks any more, or a check of files that have changed is pending.
    fn live<C: Clerk>(&self, pending: &mut Option<Job<Ask>>, jobs: &Receiver<Job<Ask>>) -> Run<()> {
        // Before the model is read there is nothing to cancel.
        let _ = self.desk.begin(NOBODY);
        self.budget.phase("reading the model");
        let stamp = Stamp::of(&self.plan.files);
        let opened = C::open(self);
        self.desk.end();
        let reread = |job: &Job<Ask>| matches!(job.ask, Ask::Check) && stamp.is_stale();
        let mut clerk = match opened {
            Ok(clerk) => Ok(clerk),
            Err(Refusal::Stopped(stop @ (Stop::Memory | Stop::TimeOut))) => return Err(stop),
            Err(error) => Err(self.board.refuse(&self.plan.files.path, &error)),
        };
        while let Some(job) = pending.take().or_else(|| jobs.recv().ok()) {
            if reread(&job) {
                *pending = Some(job);
                return Ok(());
            }
            match &mut clerk {
                Ok(clerk) => clerk.serve(self, job)?,
                Err(why) => {
                    self.board
                        .write(|notes| notes.entry.checking = CheckingName::Failed);
                    job.tell(Err(Problem::unsupported(why)));
                }
            }
        }
        Ok(())
    }

    /// Answers a request by some work that can be cancelled.
    ///
    /// # Errors
    /// When nothing more can be done under the budget.
    pub(crate) fn answer(&self, job: Job<Ask>, work: impl FnOnce(&Ask) -> Run<Outcome>) -> Run<()> {
        if self.desk.begin(job.id).is_err() {
            if matches!(job.ask, Ask::Check) {
                self.board
                    .write(|notes| notes.entry.checking = CheckingName::Cancelled);
            }
            job.tell(Err(Problem::cancelled()));
            return Ok(());
        }
        let outcome = work(&job.ask);
        self.desk.end();
        job.settle(outcome)
    }

    /// Follows a check on the board from its beginning to its end.
    ///
    /// # Errors
    /// When the budget ended meanwhile.
    pub(crate) fn check(&self, work: impl FnOnce()) -> Run<Outcome> {
        self.board.write(|notes| {
            notes.forget();
            notes.entry.checking = CheckingName::Running;
        });
        work();
        let stopped = self.budget.check();
        self.board.write(|notes| {
            notes.entry.checking = match stopped {
                Ok(()) => CheckingName::Done,
                Err(_) => CheckingName::Cancelled,
            };
        });
        stopped.map(|()| Ok(self.board.read().entry.render().into()))
    }

    /// Writes what is known of a property on the board; returns its document.
    pub(crate) fn tell(&self, listed: ListedPropertyDoc, detail: &PropertyAnswer) -> String {
        let document = detail.render();
        self.board
            .write(|notes| notes.answer(listed, document.clone()));
        document
    }

    /// The formulas that are to be added to the properties: those of the plan, and those that were added since.
    pub(crate) fn formulas(&self) -> Vec<String> {
        let added = self.board.read().added.clone();
        self.plan.formulas.iter().cloned().chain(added).collect()
    }
}
