//! Deciding what is said of all reachable states of a set, as reasons why a property holds do.
//!
//! Each sentence is read as it stands: "every step" is every step, unless only those count that paths of the path rule take.

use wherefore_logic::{Goal, PathRule};
use wherefore_proof::certificate::StateSet;
use wherefore_proof::{SaidOfReached, SaidRun};

use super::{Confirmed, SentenceChecker, Surroundings, confirm};
use crate::explored::ExploredSet;

/// Reachable states, and which of their steps count.
struct ReachedStates<'c, 'a> {
    checker: &'c SentenceChecker<'a>,
    around: &'c Surroundings,
    /// Whether only states and steps count that paths of the path rule come to.
    going_on: bool,
}

impl SentenceChecker<'_> {
    /// Something is so in every reachable state of some sets.
    pub(super) fn reached(
        &self,
        sets: &[StateSet],
        going_on: bool,
        says: &SaidOfReached,
    ) -> Confirmed {
        let around = self.reachable()?;
        let reached = ReachedStates {
            checker: self,
            around,
            going_on,
        };
        let (model, interpreter) = (self.base.model, &self.base.interpreter);
        let members = |set| around.states.members(model, interpreter, set);
        let members: Vec<ExploredSet> = sets.iter().map(members).collect();
        let so = reached.so(says);
        let counts = |&s: &usize| {
            members.iter().all(|set| set[s]) && !so[s] && (!going_on || around.live[s])
        };
        let wrong = (0..so.len()).find(counts);
        confirm(wrong.is_none(), || match wrong {
            Some(state) => format!("not so at {:?}", around.states.states[state]),
            None => String::new(),
        })
    }
}

impl ReachedStates<'_, '_> {
    /// Where it is so.
    fn so(&self, says: &SaidOfReached) -> ExploredSet {
        match says {
            SaidOfReached::Never => vec![false; self.around.live.len()],
            SaidOfReached::NoFairPath => {
                let fair = self.around.states.with_path(PathRule::FairInfinite);
                self.each(|s| !fair[s])
            }
            SaidOfReached::Goals(goals) => self.all_of(goals),
            SaidOfReached::EveryStep(goal) => {
                let goal = self.all_of(&[*goal]);
                self.each(|s| self.next(s).all(|to| goal[to]))
            }
            SaidOfReached::SomeStep(goal) => {
                let goal = self.all_of(&[*goal]);
                self.each(|s| self.next(s).any(|to| goal[to]))
            }
            SaidOfReached::EveryRun(run) => self.run(run, true),
            SaidOfReached::SomeRun(run) => self.run(run, false),
        }
    }

    fn run(&self, run: &SaidRun, every: bool) -> ExploredSet {
        let keeps = self.all_of(&run.keeps);
        let reaches = match &run.reaches {
            Some(goals) => self.all_of(goals),
            None => vec![false; keeps.len()],
        };
        let (states, rule) = (&self.around.states, self.checker.base.query.rule);
        let Some(most) = run.within else {
            return match every {
                true => states.every_until(rule, &keeps, &reaches, run.stays),
                false => states.some_until(rule, &keeps, &reaches, run.stays),
            };
        };
        // A run that comes to a goal must go on from there, unless it is said of all runs.
        let mut so: ExploredSet = match every {
            true => reaches,
            false => self.each(|s| reaches[s] && self.around.live[s]),
        };
        for _ in 0..most {
            so = self.each(|s| {
                let mut next = self.next(s).map(|to| so[to]);
                let moves = match every {
                    true => (run.endless || self.next(s).next().is_some()) && next.all(|so| so),
                    false => next.any(|so| so),
                };
                so[s] || keeps[s] && moves
            });
        }
        so
    }

    /// Where the steps lead that count.
    fn next(&self, state: usize) -> impl Iterator<Item = usize> {
        let next = self.around.states.next[state].iter().copied();
        next.filter(|&to| !self.going_on || self.around.live[to])
    }

    fn all_of(&self, goals: &[Goal]) -> ExploredSet {
        let so = |s: usize| {
            let mut goals = goals.iter();
            goals.all(|goal| self.around.truth[goal.sub.index()][s] == goal.holds)
        };
        self.each(so)
    }

    fn each(&self, so: impl Fn(usize) -> bool) -> ExploredSet {
        (0..self.around.live.len()).map(so).collect()
    }
}
