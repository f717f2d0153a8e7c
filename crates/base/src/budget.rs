//! Budgets: how long work may take, how much memory it may use, and whether it was cancelled.
//!
//! Every loop whose length depends on the input asks its budget now and then and returns [`Stop`]
//! when it must end. Cloned budgets are one budget: whoever cancels one cancels all.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Why work ended before its result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stop {
    /// The time was up.
    TimeOut,
    /// The memory bound was reached.
    Memory,
    /// Somebody cancelled it.
    Cancelled,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::TimeOut => "the time limit was reached",
            Stop::Memory => "the memory limit was reached",
            Stop::Cancelled => "it was cancelled",
        })
    }
}

impl std::error::Error for Stop {}

/// The result of work that may stop early.
pub type Run<T> = Result<T, Stop>;

/// What long work is doing just now.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Progress {
    /// What is being done, as "exploring states".
    pub phase: String,
    /// How much of it is done so far, in the unit of the phase.
    pub done: u64,
}

/// The limits of a piece of work.
#[derive(Clone, Debug)]
pub struct Budget {
    shared: Arc<SharedBudget>,
    /// An earlier end of this part of the work.
    until: Option<Instant>,
    /// The part of the work that it is for, if that can be cancelled by itself.
    part: Option<Arc<BudgetPart>>,
    /// How often this part of the work may still ask, if that is counted.
    questions: Option<Arc<AtomicU64>>,
}

/// A part of some work, which can be cancelled while the rest goes on.
#[derive(Debug)]
struct BudgetPart {
    cancelled: AtomicBool,
    /// How much was done.
    work: AtomicU64,
    of: Option<Arc<BudgetPart>>,
}

#[derive(Debug)]
struct SharedBudget {
    deadline: Option<Instant>,
    memory: Option<usize>,
    stopped: AtomicU8,
    phase: Mutex<String>,
    done: AtomicU64,
}

impl Budget {
    /// No limits; it can still be cancelled.
    pub fn unlimited() -> Self {
        Self::new(None, None)
    }

    /// At most this long from now, at most this many bytes.
    pub fn new(time: Option<Duration>, memory: Option<usize>) -> Self {
        let shared = SharedBudget {
            deadline: time.and_then(|time| Instant::now().checked_add(time)),
            memory,
            stopped: AtomicU8::new(0),
            phase: Mutex::default(),
            done: AtomicU64::new(0),
        };
        Self {
            shared: Arc::new(shared),
            until: None,
            part: None,
            questions: None,
        }
    }

    /// A budget for a part of this work: at most this long from now, and otherwise the same limits.
    /// When its time is up, the rest of the work goes on.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let until = Instant::now().checked_add(time);
        let earlier = self.until.into_iter().chain(until).min();
        Self {
            until: earlier,
            ..self.clone()
        }
    }

    /// A budget for a part of this work with the same limits, which [`Budget::cancel_part`] ends while the
    /// rest of the work goes on.
    #[must_use]
    pub fn part(&self) -> Self {
        Self {
            part: Some(Arc::new(BudgetPart {
                cancelled: AtomicBool::new(false),
                work: AtomicU64::new(0),
                of: self.part.clone(),
            })),
            ..self.clone()
        }
    }

    /// A budget for a part of this work on one thread, which may ask so often whether it must stop: a bound
    /// that does not depend on how fast a machine is. When it is reached, the rest of the work goes on.
    #[must_use]
    pub fn counted(&self, questions: u64) -> Self {
        Self {
            questions: Some(Arc::new(AtomicU64::new(questions))),
            ..self.clone()
        }
    }

    /// How often this part of the work may still ask, if [`Budget::counted`] says so.
    pub fn questions_left(&self) -> Option<u64> {
        let left = self.questions.as_ref()?.load(Ordering::Relaxed);
        (left != u64::MAX).then_some(left)
    }

    /// Ends the counting of [`Budget::counted`]: from now on this part is bounded as the rest is.
    pub fn stop_counting(&self) {
        if let Some(questions) = &self.questions {
            questions.store(u64::MAX, Ordering::Relaxed);
        }
    }

    /// Makes the work of this [`Budget::part`], and of its own parts, stop.
    pub fn cancel_part(&self) {
        if let Some(part) = &self.part {
            part.cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Says that so many small steps of work were done: turns of inner loops, on any thread.
    pub fn worked(&self, steps: u64) {
        for part in self.parts() {
            part.work.fetch_add(steps, Ordering::Relaxed);
        }
    }

    /// How many small steps were done in this [`Budget::part`] and in its own parts: a measure of work that
    /// does not depend on how fast or how busy a machine is.
    pub fn work(&self) -> u64 {
        let part = self.part.as_ref();
        part.map_or(0, |part| part.work.load(Ordering::Relaxed))
    }

    /// The part that it is for, and those that this is a part of.
    fn parts(&self) -> impl Iterator<Item = &BudgetPart> {
        std::iter::successors(self.part.as_deref(), |part| part.of.as_deref())
    }

    /// Whether work must stop now, and why.
    pub fn check(&self) -> Run<()> {
        // Nothing else is handed over with the flag, so no stronger order is needed.
        match self.shared.stopped.load(Ordering::Relaxed) {
            0 => {}
            1 => return Err(Stop::TimeOut),
            2 => return Err(Stop::Memory),
            _ => return Err(Stop::Cancelled),
        }
        if let Some(questions) = &self.questions {
            match questions.load(Ordering::Relaxed) {
                0 => return Err(Stop::TimeOut),
                u64::MAX => {}
                // A counted part runs on one thread, so nothing comes between the load and the store.
                left => questions.store(left - 1, Ordering::Relaxed),
            }
        }
        if self
            .parts()
            .any(|part| part.cancelled.load(Ordering::Relaxed))
        {
            return Err(Stop::Cancelled);
        }
        match self.shared.deadline {
            Some(deadline) if Instant::now() >= deadline => {
                // All clones see the same reason from now on.
                self.stop(Stop::TimeOut);
                Err(Stop::TimeOut)
            }
            _ => match self.until {
                // Only this part of the work ends, so the shared flag stays as it is.
                Some(until) if Instant::now() >= until => Err(Stop::TimeOut),
                _ => Ok(()),
            },
        }
    }

    /// Makes all work under this budget stop; the first reason given stays.
    pub fn stop(&self, why: Stop) {
        let code = match why {
            Stop::TimeOut => 1,
            Stop::Memory => 2,
            Stop::Cancelled => 3,
        };
        let stopped = &self.shared.stopped;
        let _ = stopped.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Takes a cancellation back, so that other work can begin. Time and memory that ran out stay so.
    pub fn resume(&self) {
        let stopped = &self.shared.stopped;
        let _ = stopped.compare_exchange(3, 0, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// How much time is left, if time is limited.
    pub fn time_left(&self) -> Option<Duration> {
        let deadline = self.shared.deadline.into_iter().chain(self.until).min()?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// The most bytes this work may use, if memory is limited.
    pub fn memory(&self) -> Option<usize> {
        self.shared.memory
    }

    /// Says what is being done from now on, as "exploring states".
    pub fn phase(&self, phase: &str) {
        let mut current = self.shared.phase.lock().unwrap_or_else(|e| e.into_inner());
        current.clear();
        current.push_str(phase);
        self.shared.done.store(0, Ordering::Relaxed);
    }

    /// Says how much of the phase is done.
    pub fn done(&self, count: u64) {
        self.shared.done.store(count, Ordering::Relaxed);
    }

    /// What is being done just now.
    pub fn progress(&self) -> Progress {
        let phase = self.shared.phase.lock().unwrap_or_else(|e| e.into_inner());
        Progress {
            phase: phase.clone(),
            done: self.shared.done.load(Ordering::Relaxed),
        }
    }

    /// A meter that asks this budget once in a while.
    pub fn meter(&self) -> Meter {
        Meter {
            budget: self.clone(),
            ticks: 0,
        }
    }
}

/// Counts the turns of a loop and asks the budget on some of them.
#[derive(Debug)]
pub struct Meter {
    budget: Budget,
    ticks: u64,
}

impl Meter {
    /// One turn of the loop: cheap, and asks the budget every few hundred turns.
    #[inline]
    pub fn tick(&mut self) -> Run<()> {
        self.ticks += 1;
        if self.ticks & 0xFF == 0 {
            self.budget.done(self.ticks);
            self.budget.worked(0x100);
            self.budget.check()
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_sees_the_stop_and_its_first_reason() {
        let budget = Budget::unlimited();
        let clone = budget.clone();
        assert_eq!(clone.check(), Ok(()));
        budget.stop(Stop::Cancelled);
        budget.stop(Stop::Memory);
        assert_eq!(clone.check(), Err(Stop::Cancelled));
    }

    #[test]
    fn a_part_may_end_before_the_whole_and_ends_with_it() {
        let whole = Budget::new(Some(Duration::from_secs(3600)), Some(7));
        let part = whole.within(Duration::ZERO);
        assert_eq!(part.check(), Err(Stop::TimeOut));
        assert_eq!(part.time_left(), Some(Duration::ZERO));
        assert_eq!(part.memory(), Some(7));
        assert_eq!(whole.check(), Ok(()));
        let part = whole.within(Duration::from_secs(3600));
        assert_eq!(part.check(), Ok(()));
        whole.stop(Stop::Cancelled);
        assert_eq!(part.check(), Err(Stop::Cancelled));
    }

    #[test]
    fn a_cancelled_part_stops_with_its_parts_and_nothing_else() {
        let whole = Budget::unlimited();
        let (one, other) = (whole.part(), whole.part());
        let inner = one.part();
        one.cancel_part();
        assert_eq!(one.check(), Err(Stop::Cancelled));
        assert_eq!(inner.check(), Err(Stop::Cancelled));
        assert_eq!(other.check(), Ok(()));
        assert_eq!(whole.check(), Ok(()));
        whole.stop(Stop::Memory);
        assert_eq!(other.check(), Err(Stop::Memory));
    }

    #[test]
    fn the_work_of_a_part_is_that_of_its_own_parts_too() {
        let whole = Budget::unlimited();
        let (one, other) = (whole.part(), whole.part());
        let inner = one.part().within(Duration::from_secs(3600));
        inner.worked(3);
        one.clone().worked(4);
        assert_eq!([inner.work(), one.work(), other.work()], [3, 7, 0]);
        let mut meter = other.meter();
        for _ in 0..600 {
            assert_eq!(meter.tick(), Ok(()));
        }
        assert_eq!(other.work(), 512);
    }

    #[test]
    fn a_counted_part_may_ask_so_often_unless_counting_stops() {
        let whole = Budget::unlimited();
        let part = whole.counted(2);
        assert_eq!(
            (whole.questions_left(), part.questions_left()),
            (None, Some(2))
        );
        let answers: Vec<Run<()>> = (0..3).map(|_| part.check()).collect();
        assert_eq!(answers, [Ok(()), Ok(()), Err(Stop::TimeOut)]);
        assert_eq!(whole.check(), Ok(()));
        part.stop_counting();
        assert_eq!(part.check(), Ok(()));
    }

    #[test]
    fn time_runs_out() {
        let budget = Budget::new(Some(Duration::ZERO), None);
        assert_eq!(budget.check(), Err(Stop::TimeOut));
    }

    #[test]
    fn a_cancellation_can_be_taken_back_and_a_limit_cannot() {
        let budget = Budget::unlimited();
        budget.stop(Stop::Cancelled);
        budget.resume();
        assert_eq!(budget.check(), Ok(()));
        budget.stop(Stop::Memory);
        budget.resume();
        assert_eq!(budget.check(), Err(Stop::Memory));
    }
}
