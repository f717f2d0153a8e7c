//! How much work reading a text may take.
//!
//! Reading never fails and tells what is wrong as diagnostics, so running out of time or memory is
//! kept here, apart from them: whoever is told to end gives up as after an error, and the whole is
//! asked at the end whether it counts.

use std::cell::Cell;

use crate::{Budget, Run, Stop};

/// The budget is asked once in so many turns.
const TURNS: u32 = 256;

/// The work done so far, and what it may come to.
#[derive(Debug, Default)]
pub struct Effort<'b> {
    budget: Option<&'b Budget>,
    turns: Cell<u32>,
    /// About how many bytes are kept.
    bytes: Cell<usize>,
    stop: Cell<Option<Stop>>,
}

impl<'b> Effort<'b> {
    /// As much as a budget allows.
    pub fn within(budget: &'b Budget) -> Self {
        Self {
            budget: Some(budget),
            ..Self::default()
        }
    }

    /// One turn of a loop that keeps about so many bytes; `None` once the work must end.
    #[inline]
    pub fn spend(&self, bytes: usize) -> Option<()> {
        let turns = self.turns.get() + 1;
        self.turns.set(turns);
        self.bytes.set(self.bytes.get().saturating_add(bytes));
        if turns >= TURNS {
            self.turns.set(0);
            self.ask();
        }
        self.stop.get().is_none().then_some(())
    }

    /// Whether the work must end.
    pub fn is_over(&self) -> bool {
        self.stop.get().is_some()
    }

    /// Whether the work came to its end.
    pub fn outcome(&self) -> Run<()> {
        self.stop.get().map_or(Ok(()), Err)
    }

    fn ask(&self) {
        let (None, Some(budget)) = (self.stop.get(), self.budget) else {
            return;
        };
        if budget.memory().is_some_and(|most| self.bytes.get() > most) {
            // All work under this budget has to stop, as the memory is common.
            budget.stop(Stop::Memory);
        }
        self.stop.set(budget.check().err());
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn turns(effort: &Effort<'_>, bytes: usize) -> usize {
        (0..10_000)
            .take_while(|_| effort.spend(bytes).is_some())
            .count()
    }

    #[test]
    fn work_ends_soon_after_its_time_and_its_memory() {
        let budget = Budget::new(Some(Duration::ZERO), None);
        let effort = Effort::within(&budget);
        assert!(turns(&effort, 0) < 300);
        assert_eq!(effort.outcome(), Err(Stop::TimeOut));
        let budget = Budget::new(None, Some(1 << 20));
        let effort = Effort::within(&budget);
        assert!((1024..1600).contains(&turns(&effort, 1024)));
        assert_eq!(effort.outcome(), Err(Stop::Memory));
    }

    #[test]
    fn without_a_budget_there_is_no_end() {
        let effort = Effort::default();
        assert_eq!(turns(&effort, usize::MAX), 10_000);
        assert_eq!(effort.outcome(), Ok(()));
    }
}
