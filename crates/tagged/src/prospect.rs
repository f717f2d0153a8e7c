//! What can still happen from each pair: whether the monitor may, must or can no longer accept.
//!
//! All of it is found in one walk forward: strongly connected components are finished in an order in
//! which everything that can follow one of them is known (Tarjan, 1972). The search is written out here, since
//! the pairs are met on the way and what is seen ahead is gathered as it goes back. Pairs at which the monitor
//! accepts are not entered: it accepts for ever.

use wherefore_base::{Budget, Run, Stop};
use wherefore_model::lts::Lts;

use crate::monitor::{Observer, Pair};
use crate::pairs::{FIRST, Pairs, UNSEEN};

/// What can still happen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Prospect {
    /// The monitor accepts on no run.
    Never,
    /// It accepts on some run, and some run comes to where it never will.
    Free,
    /// It may always still accept, but some run puts it off for ever.
    Stuck,
    /// It accepts on every maximal run.
    Certain,
}

impl Prospect {
    /// The word that [`Pairs`] hold for it.
    #[inline]
    pub(crate) fn word(self) -> u32 {
        1 + self as u32
    }

    /// What a word of [`Pairs`] that is no number says.
    #[inline]
    pub(crate) fn of(word: u32) -> Self {
        match word {
            1 => Prospect::Never,
            2 => Prospect::Free,
            3 => Prospect::Stuck,
            _ => Prospect::Certain,
        }
    }

    /// What one learns from seeing it ahead.
    #[inline]
    fn seen(self) -> u8 {
        match self {
            Prospect::Never => AWAY | LOOSE,
            Prospect::Free => GOAL | AWAY | LOOSE,
            Prospect::Stuck => GOAL | LOOSE,
            Prospect::Certain => GOAL,
        }
    }
}

/// Something ahead accepts.
const GOAL: u8 = 1;
/// Something ahead never will.
const AWAY: u8 = 2;
/// Not everything ahead is certain.
const LOOSE: u8 = 4;

/// A pair whose steps are being looked at.
struct PairVisit {
    pair: Pair,
    /// How many of its steps were looked at.
    done: u32,
    number: u32,
    /// The least number of a pair of its component that was met.
    low: u32,
    seen: u8,
}

/// Finds the prospect of each pair that can be reached from `start` and at which the observer does not
/// accept.
pub(crate) fn survey<O: Observer>(
    lts: &Lts,
    observer: &O,
    start: Pair,
    pairs: &mut Pairs,
    budget: &Budget,
) -> Run<Prospect> {
    if observer.accepting(start.at) {
        return Ok(Prospect::Certain);
    }
    let mut meter = budget.meter();
    let mut numbers = FIRST;
    let mut visits: Vec<PairVisit> = Vec::new();
    let mut component: Vec<Pair> = Vec::new();
    let mut entered = Some(start);
    loop {
        if let Some(pair) = entered.take() {
            meter.tick()?;
            if numbers == u32::MAX {
                return Err(Stop::Memory);
            }
            pairs.set(pair, numbers);
            component.push(pair);
            visits.push(PairVisit {
                pair,
                done: 0,
                number: numbers,
                low: numbers,
                seen: 0,
            });
            numbers += 1;
        }
        let visit = visits.last_mut().expect("the walk ends with its start");
        let at = visit.pair.at;
        for &step in &lts.steps(visit.pair.state)[visit.done as usize..] {
            // The step counts as done before it is followed: what it leads to is handed up later.
            visit.done += 1;
            let Some(at) = observer.next(at, step) else {
                visit.seen |= AWAY | LOOSE;
                continue;
            };
            if observer.accepting(at) {
                visit.seen |= GOAL;
                continue;
            }
            let to = Pair { state: step.to, at };
            match pairs.get(to) {
                UNSEEN => {
                    entered = Some(to);
                    break;
                }
                number @ FIRST.. => {
                    // Both lie on a loop on which nothing is accepted.
                    visit.low = visit.low.min(number);
                    visit.seen |= LOOSE;
                }
                known => visit.seen |= Prospect::of(known).seen(),
            }
        }
        if entered.is_some() {
            continue;
        }
        let visit = visits.pop().expect("it was the last one");
        // The pair is not the root of its component, and what it saw belongs to the whole.
        if visit.low < visit.number {
            let parent = visits.last_mut().expect("a pair with a smaller number");
            parent.low = parent.low.min(visit.low);
            parent.seen |= visit.seen;
            continue;
        }
        // Without a goal ahead it never accepts; with nothing loose ahead every run comes to a goal.
        let prospect = match (visit.seen & GOAL, visit.seen & LOOSE, visit.seen & AWAY) {
            (0, _, _) => Prospect::Never,
            (_, 0, _) => Prospect::Certain,
            (_, _, 0) => Prospect::Stuck,
            _ => Prospect::Free,
        };
        while let Some(pair) = component.pop() {
            pairs.set(pair, prospect.word());
            if pair == visit.pair {
                break;
            }
        }
        match visits.last_mut() {
            Some(parent) => parent.seen |= prospect.seen(),
            None => return Ok(prospect),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{system, tagged};
    use crate::tagged::TagReading;

    fn prospect(states: usize, transitions: &[(usize, &str, usize)]) -> Prospect {
        let lts = system(states, transitions);
        tagged(&lts, &["BAD"], TagReading::Branching).prospect()
    }

    #[test]
    fn what_no_run_does_never_happens() {
        assert_eq!(prospect(2, &[(0, "a", 1)]), Prospect::Never);
        assert_eq!(prospect(3, &[(0, "a", 0), (1, "BAD", 2)]), Prospect::Never);
    }

    #[test]
    fn what_every_maximal_run_does_is_certain() {
        let fork = [(0, "a", 1), (0, "b", 2), (1, "BAD", 3), (2, "BAD", 2)];
        assert_eq!(prospect(4, &fork), Prospect::Certain);
    }

    #[test]
    fn a_loop_or_a_deadlock_escapes_from_it() {
        assert_eq!(prospect(1, &[(0, "a", 0), (0, "BAD", 0)]), Prospect::Stuck);
        let circle = [(0, "a", 1), (1, "a", 2), (2, "a", 0), (1, "BAD", 1)];
        assert_eq!(prospect(3, &circle), Prospect::Stuck);
        assert_eq!(prospect(2, &[(0, "a", 1), (0, "BAD", 0)]), Prospect::Free);
        let both = [(0, "a", 0), (0, "BAD", 0), (0, "b", 1)];
        assert_eq!(prospect(2, &both), Prospect::Free);
    }

    #[test]
    fn a_loop_after_it_has_happened_escapes_from_nothing() {
        let lts = [(0, "BAD", 1), (1, "a", 0)];
        assert_eq!(prospect(2, &lts), Prospect::Certain);
    }
}
