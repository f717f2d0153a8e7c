//! Whether there is any run that a property is about, and if not, why.
//!
//! A model whose runs all end, or are all unfair, has no path of the rule. Then what is said of every path is true and what
//! is said of some path is false, whatever it is. That is emptiness like the lack of an initial state, and a verdict that
//! rests on it says nothing about the model.

use wherefore_base::{IndexVec, Run};
use wherefore_check::Solution;
use wherefore_logic::{Fairness, Op, PathRule, SubId};
use wherefore_model::Query;
use wherefore_proof::{Deadlocked, NoRun, Note, UnmetFairness};
use wherefore_space::StateSpace;

use crate::investigate::Investigator;

impl<S: StateSpace> Investigator<'_, S> {
    /// What a verdict under this rule is subject to, besides what the summary says; `rests` says whether it would be
    /// another one without operators on paths.
    pub fn notes(&self, rule: PathRule, rests: &dyn Fn() -> Run<bool>) -> Run<Vec<Note>> {
        let space = self.checker.space();
        if !rule.targets_have_paths() || space.is_empty(space.initial()) {
            return Ok(vec![]);
        }
        let live = self.checker.with_path(rule)?;
        if space.is_empty(live) {
            let decisive = rule.skips_initial_states_without_path() || rests()?;
            return Ok(vec![Note::NoFairState(self.no_run(decisive)?)]);
        }
        if !rule.skips_initial_states_without_path() {
            return Ok(vec![]);
        }
        let skipped = space.minus(space.initial(), live)?;
        Ok(match space.first(&skipped)? {
            Some(least) => {
                let count = space.count(&skipped)?;
                vec![Note::UnfairInitialStates(count, space.values(&least))]
            }
            None => vec![],
        })
    }

    /// Whether no run counts, and the verdict rests on that.
    pub(crate) fn rests_on_no_run(&self, query: &Query, solution: &Solution<S::Set>) -> Run<bool> {
        let (space, rule) = (self.checker.space(), query.rule);
        let none = rule.targets_have_paths() && space.is_empty(self.checker.with_path(rule)?);
        if !none || space.is_empty(space.initial()) {
            return Ok(false);
        }
        Ok(rule.skips_initial_states_without_path() || self.rests_on_paths(query, solution)?)
    }

    /// Why there is no run, given that there is none.
    fn no_run(&self, decisive: bool) -> Run<NoRun> {
        let space = self.checker.space();
        let deadlock = self.summary().notes.iter().find_map(|note| match note {
            Note::Deadlocks {
                count, distance, ..
            } => {
                // One state that stands for all that are symmetric to it need not be the only one.
                let only = *count == 1_u32.into() && space.symmetries() == 0;
                Some(match only {
                    true => Deadlocked::Only(*distance),
                    false => Deadlocked::Nearest(*distance),
                })
            }
            _ => None,
        });
        let endless = space.hull(space.reachable(), &Fairness::default())?;
        let unfair = match space.is_empty(&endless) {
            true => None,
            false => Some(self.unmet()?),
        };
        Ok(NoRun {
            deadlock,
            unfair,
            decisive,
        })
    }

    /// Which fairness constraints keep the runs that go on for ever from being fair, given that they do.
    fn unmet(&self) -> Run<UnmetFairness> {
        let (space, fairness) = (self.checker.space(), self.checker.fairness());
        let is_unmet = |alone: Fairness<S::Set>| -> Run<bool> {
            Ok(space.is_empty(&space.hull(space.reachable(), &alone)?))
        };
        for (at, condition) in fairness.justice.iter().enumerate() {
            let alone = Fairness {
                justice: vec![condition.clone()],
                compassion: vec![],
            };
            if is_unmet(alone)? {
                return Ok(UnmetFairness::Justice(at));
            }
        }
        for (at, pair) in fairness.compassion.iter().enumerate() {
            let alone = Fairness {
                justice: vec![],
                compassion: vec![pair.clone()],
            };
            if is_unmet(alone)? {
                return Ok(UnmetFairness::Compassion(at));
            }
        }
        Ok(UnmetFairness::Together)
    }

    /// Whether a verdict rests on operators on paths: without them, as far as the values of the initial states decide,
    /// nothing is known.
    pub(crate) fn rests_on_paths(&self, query: &Query, solution: &Solution<S::Set>) -> Run<bool> {
        let space = self.checker.space();
        let formula = &query.formula;
        // Where each sub-formula is true, and where it is false, whatever operators on paths say.
        let mut known: IndexVec<SubId, (S::Set, S::Set)> = IndexVec::new();
        for sub in formula.subs() {
            let of = |sub: SubId| &known[sub];
            let both = |a: &S::Set, b: &S::Set| space.meet(a, b);
            let any = |a: &S::Set, b: &S::Set| space.join(a, b);
            let same = |f: SubId, g: SubId| -> Run<(S::Set, S::Set)> {
                let ((ft, ff), (gt, gf)) = (of(f), of(g));
                let same = any(&both(ft, gt)?, &both(ff, gf)?)?;
                let other = any(&both(ft, gf)?, &both(ff, gt)?)?;
                Ok((same, other))
            };
            let pair = match formula.op(sub) {
                Op::Const(_) | Op::Atom(_) => {
                    let holds = solution.sat[sub].clone();
                    let fails = space.minus(space.reachable(), &holds)?;
                    (holds, fails)
                }
                Op::Not(f) => {
                    let (holds, fails) = of(f).clone();
                    (fails, holds)
                }
                Op::And(f, g) => (both(&of(f).0, &of(g).0)?, any(&of(f).1, &of(g).1)?),
                Op::Or(f, g) => (any(&of(f).0, &of(g).0)?, both(&of(f).1, &of(g).1)?),
                Op::Implies(f, g) => (any(&of(f).1, &of(g).0)?, both(&of(f).0, &of(g).1)?),
                Op::Iff(f, g) => same(f, g)?,
                Op::Xor(f, g) => {
                    let (same, other) = same(f, g)?;
                    (other, same)
                }
                Op::Path(..) | Op::Linear(_) => (space.nothing(), space.nothing()),
            };
            known.push(pair);
        }
        let counted = self.checker.counted(query.rule)?;
        let (holds, fails) = &known[formula.root()];
        // A state where it is false decides for all.
        let refuted = !space.is_empty(&space.meet(&counted, fails)?);
        let shown = space.is_empty(&space.minus(&counted, holds)?);
        Ok(!refuted && !shown)
    }

    /// Whether the verdict on a query about fair infinite paths is another one where paths that end in a deadlock count,
    /// too: the other verdict.
    pub(crate) fn with_deadlocks(&self, query: &Query, holds: bool) -> Run<Option<bool>> {
        let space = self.checker.space();
        if query.rule != PathRule::FairInfinite || space.is_empty(self.checker.dead()?) {
            return Ok(None);
        }
        let ending = Query {
            rule: PathRule::Maximal,
            ..query.clone()
        };
        let solution = self.checker.solve(&ending)?;
        let failing = self.checker.failing(&ending, &solution)?;
        let otherwise = space.is_empty(&failing);
        Ok((otherwise != holds).then_some(otherwise))
    }
}
