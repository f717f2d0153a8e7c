//! Why a linear-time formula is true or false at a step of a run, in words.
//!
//! The truth of every sub-formula is known at every step, so the sentence only follows it: to the step
//! that decides, or to what is so for ever.

use wherefore_base::deep;
use wherefore_evidence::OccurrenceId;
use wherefore_logic::{Goal, LinearOp, Op, SubId};

use crate::words::Telling;

impl Telling<'_> {
    /// Why a formula is as it is at a step of the run, in at most so many moves.
    pub(crate) fn along_run(&self, goal: Goal, at: OccurrenceId, moves: usize) -> String {
        format!("on this run {}", self.follow(goal, at, moves))
    }

    fn follow(&self, goal: Goal, at: OccurrenceId, moves: usize) -> String {
        match moves.checked_sub(1) {
            Some(moves) => deep(|| self.follow_here(goal, at, moves)),
            None => self.fact(goal, at),
        }
    }

    fn follow_here(&self, goal: Goal, at: OccurrenceId, moves: usize) -> String {
        let formula = &self.query.formula;
        let is = |sub: SubId, holds: bool| Goal { sub, holds };
        let on = |goal| self.follow(goal, at, moves);
        let both = |f: Goal, g: Goal| format!("{}, and {}", on(f), on(g));
        let either = |f: Goal, g: Goal| if self.is_so(f, at) { on(f) } else { on(g) };
        match (formula.op(goal.sub), goal.holds) {
            (Op::Not(f), holds) => on(is(f, !holds)),
            (Op::And(f, g), true) => both(is(f, true), is(g, true)),
            (Op::And(f, g), false) => either(is(f, false), is(g, false)),
            (Op::Or(f, g), true) => either(is(f, true), is(g, true)),
            (Op::Or(f, g), false) => both(is(f, false), is(g, false)),
            (Op::Implies(f, g), true) => either(is(f, false), is(g, true)),
            (Op::Implies(f, g), false) => both(is(f, true), is(g, false)),
            (Op::Linear(op), holds) => self.follow_linear(goal, op, holds, at, moves),
            _ => self.fact(goal, at),
        }
    }

    fn follow_linear(
        &self,
        goal: Goal,
        op: LinearOp,
        holds: bool,
        at: OccurrenceId,
        moves: usize,
    ) -> String {
        use LinearOp as L;
        let never = |f: SubId, holds: bool| {
            let always = if holds { "always holds" } else { "never holds" };
            format!("{} {always} from step {} on", self.quoted(f), at.index())
        };
        let found = |step: Option<OccurrenceId>, f: SubId| match step {
            Some(step) => self.follow(Goal { sub: f, holds }, step, moves),
            None => self.fact(goal, at),
        };
        let ahead = |f: SubId, holds: bool| {
            let mut steps = self.ahead(at).into_iter();
            steps.find(|&step| self.is_so(Goal { sub: f, holds }, step))
        };
        match (op, holds) {
            (L::Next(f), _) => found(self.ahead(at).get(1).copied(), f),
            (L::Finally(f), true) => found(ahead(f, true), f),
            (L::Globally(f), false) => found(ahead(f, false), f),
            (L::Finally(f), false) => never(f, false),
            (L::Globally(f), true) => never(f, true),
            (L::Until(_, g), false) if ahead(g, true).is_none() => never(g, false),
            (L::Yesterday(f), true) | (L::WeakYesterday(f), false) => {
                let before = at.index().checked_sub(1).map(OccurrenceId::new);
                found(before, f)
            }
            (L::Once(f), true) | (L::Historically(f), false) => {
                let mut back = (0..=at.index()).rev().map(OccurrenceId::new);
                found(
                    back.find(|&step| self.is_so(Goal { sub: f, holds }, step)),
                    f,
                )
            }
            (L::Once(f), false) => {
                format!("{} never holds up to step {}", self.quoted(f), at.index())
            }
            (L::Historically(f), true) => {
                format!("{} always holds up to step {}", self.quoted(f), at.index())
            }
            _ => self.fact(goal, at),
        }
    }

    /// "`p` is false at step 2".
    fn fact(&self, goal: Goal, at: OccurrenceId) -> String {
        let is = if goal.holds { "holds" } else { "is false" };
        let place = match at.index() {
            0 => "in the initial state".to_string(),
            step => format!("at step {step}"),
        };
        format!("{} {is} {place}", self.quoted(goal.sub))
    }

    fn is_so(&self, goal: Goal, at: OccurrenceId) -> bool {
        let occurrence = self.evidence.occurrences.get(at);
        occurrence.is_some_and(|occurrence| occurrence.truth[goal.sub] == goal.holds)
    }

    /// The steps of the run from one on, each once.
    fn ahead(&self, at: OccurrenceId) -> Vec<OccurrenceId> {
        let (run, back) = self.evidence.main_run();
        let from = run.iter().position(|&step| step == at).unwrap_or(0);
        let again = match back.and_then(|back| run.iter().position(|&step| step == back)) {
            // The last step of a loop of one step is followed by itself.
            Some(back) => &run[back..=from.max(back)],
            None => &[],
        };
        [&run[from..], again].concat()
    }
}
