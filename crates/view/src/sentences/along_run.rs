//! Why a linear-time formula is true or false at a step of a run, in words.
//!
//! The truth of every sub-formula is known at every step, so one only has to follow it: to the steps
//! that decide, or to what is so for ever.

use wherefore_base::deep;
use wherefore_evidence::{Assertion, Claim, OccurrenceId, RunStretch};
use wherefore_logic::{Goal, LinearOp, Op, SubId};

use super::{Sentence, joined};
use crate::words::Telling;

/// A formula is followed through at most so many operators.
const DEEPEST: usize = 24;

/// What decides a formula along a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fact {
    /// What is so.
    goal: Goal,
    /// At which step.
    pub(crate) at: OccurrenceId,
    /// And for how long.
    lasts: RunStretch,
}

impl Telling<'_> {
    /// Why a formula is as it is at a step of the run, in a sentence.
    pub(crate) fn along_run(&self, goal: Goal, at: OccurrenceId) -> Sentence {
        let facts = self.run_facts(goal, at);
        // A run may come to its first step again, after the others.
        let again = self
            .evidence
            .main_run()
            .1
            .is_some_and(|back| back.index() == 0)
            && facts.iter().any(|fact| fact.at.index() > 0);
        let facts = facts.iter().map(|fact| match fact.lasts {
            RunStretch::Here if self.reads_step(fact) && fact.at.index() == 0 && !again => {
                say!("{} in the first step", self.fact(fact))
            }
            RunStretch::Here if self.reads_step(fact) => {
                say!("{} in the step after {}", self.fact(fact), fact.at)
            }
            RunStretch::Here if fact.at.index() == 0 && !again => {
                say!("{} in the {}", self.fact(fact), self.report.start())
            }
            RunStretch::Here => say!("{} at {}", self.fact(fact), fact.at),
            RunStretch::FromHereOn => say!("{} from {} on", self.fact(fact), fact.at),
            RunStretch::UpToHere => say!("{} up to {}", self.fact(fact), fact.at),
        });
        say!(
            "on this run {}",
            joined(&facts.collect::<Vec<_>>(), ", and ")
        )
    }

    /// A fact as a remark about its step.
    pub(crate) fn fact_here(&self, fact: &Fact) -> Sentence {
        let place = match fact.lasts {
            RunStretch::Here if self.reads_step(fact) => "in the step after this",
            RunStretch::Here => "here",
            RunStretch::FromHereOn => "from here on",
            RunStretch::UpToHere => "up to here",
        };
        say!("{} {}", self.fact(fact), place)
    }

    /// Whether a fact is about a condition on the step that leaves its place.
    fn reads_step(&self, fact: &Fact) -> bool {
        self.is_of_step(Claim::Formula(fact.goal, None))
    }

    /// Whether a claim is that of a condition which reads an input or the next state.
    pub(crate) fn is_of_step(&self, claim: Claim) -> bool {
        let Claim::Formula(goal, _) = claim else {
            return false;
        };
        match self.query.formula.op(goal.sub) {
            Op::Atom(atom) => (self.report.model).reads_steps(&[self.query.atoms[atom]]),
            _ => false,
        }
    }

    /// Whether a fact is about `TRUE` or `FALSE`.
    pub(crate) fn is_constant_fact(&self, fact: &Fact) -> bool {
        matches!(self.query.formula.op(fact.goal.sub), Op::Const(_))
    }

    /// What decides a formula at a step of the run.
    pub(crate) fn run_facts(&self, goal: Goal, at: OccurrenceId) -> Vec<Fact> {
        let mut facts = Vec::new();
        self.follow(goal, at, DEEPEST, &mut facts);
        facts
    }

    /// "`p` is false", "`p` never holds".
    fn fact(&self, fact: &Fact) -> Sentence {
        let is = match (fact.lasts, fact.goal.holds) {
            (RunStretch::Here, true) => "holds",
            (RunStretch::Here, false) => "is false",
            (_, true) => "always holds",
            (_, false) => "never holds",
        };
        let words = say!("{} {}", self.quoted(fact.goal.sub), is);
        words.asserting(Assertion::AlongRun {
            goal: fact.goal,
            at: fact.at,
            lasts: fact.lasts,
        })
    }

    fn follow(&self, goal: Goal, at: OccurrenceId, moves: usize, facts: &mut Vec<Fact>) {
        let here = |goal: Goal| (goal, at);
        let is = |sub: SubId, holds: bool| here(Goal { sub, holds });
        let either = |f: SubId, g: SubId, holds: bool| {
            let first = Goal { sub: f, holds };
            match self.is_so(first, at) {
                true => vec![here(first)],
                false => vec![is(g, holds)],
            }
        };
        let next = match (self.query.formula.op(goal.sub), goal.holds) {
            _ if moves == 0 => vec![],
            (Op::Not(f), holds) => vec![is(f, !holds)],
            (Op::And(f, g), true) => vec![is(f, true), is(g, true)],
            (Op::And(f, g), false) => either(f, g, false),
            (Op::Or(f, g), true) => either(f, g, true),
            (Op::Or(f, g), false) => vec![is(f, false), is(g, false)],
            (Op::Implies(f, g), false) => vec![is(f, true), is(g, false)],
            (Op::Implies(_, g), true) if self.is_so(Goal::holds(g), at) => vec![is(g, true)],
            (Op::Implies(f, _), true) => vec![is(f, false)],
            (Op::Linear(op), holds) => match self.follow_linear(op, holds, at) {
                Next::Steps(steps) => steps,
                Next::Fact(fact) => {
                    facts.push(fact);
                    return;
                }
            },
            _ => vec![],
        };
        if next.is_empty() {
            let lasts = RunStretch::Here;
            facts.push(Fact { goal, at, lasts });
        }
        for (goal, at) in next {
            deep(|| self.follow(goal, at, moves - 1, facts));
        }
    }

    fn follow_linear(&self, op: LinearOp, holds: bool, at: OccurrenceId) -> Next {
        use LinearOp as L;
        let lasting = |sub: SubId, lasts: RunStretch| {
            let goal = Goal { sub, holds };
            Next::Fact(Fact { goal, at, lasts })
        };
        let first = |mut steps: &mut dyn Iterator<Item = OccurrenceId>, sub: SubId| {
            let goal = Goal { sub, holds };
            let found = Iterator::find(&mut steps, |&step| self.is_so(goal, step));
            Next::Steps(found.map(|step| (goal, step)).into_iter().collect())
        };
        let ahead = self.ahead(at);
        let mut back = (0..=at.index()).rev().map(OccurrenceId::new);
        match (op, holds) {
            (L::Next(f), _) => first(&mut ahead.into_iter().skip(1).take(1), f),
            (L::Finally(f), true) | (L::Globally(f), false) => first(&mut ahead.into_iter(), f),
            (L::Finally(f), false) | (L::Globally(f), true) => lasting(f, RunStretch::FromHereOn),
            (L::Until(_, g), false)
                if !ahead.iter().any(|&step| self.is_so(Goal::holds(g), step)) =>
            {
                lasting(g, RunStretch::FromHereOn)
            }
            (L::Yesterday(f), true) | (L::WeakYesterday(f), false) => {
                first(&mut back.skip(1).take(1), f)
            }
            (L::Once(f), true) | (L::Historically(f), false) => first(&mut back, f),
            (L::Once(f), false) | (L::Historically(f), true) => lasting(f, RunStretch::UpToHere),
            _ => Next::Steps(vec![]),
        }
    }

    fn is_so(&self, goal: Goal, at: OccurrenceId) -> bool {
        let occurrence = self.evidence.occurrences.get(at);
        occurrence.is_some_and(|occurrence| occurrence.truth[goal.sub] == Some(goal.holds))
    }

    /// The steps of the run from one on; each that there is at least once.
    fn ahead(&self, at: OccurrenceId) -> Vec<OccurrenceId> {
        let (run, back) = self.evidence.main_run();
        let place = |at: OccurrenceId| run.iter().position(|&step| step == at);
        let from = place(at).unwrap_or(0);
        let again = back.and_then(place).map_or(&[][..], |back| &run[back..]);
        [&run[from..], again].concat()
    }
}

/// Where following a formula leads.
enum Next {
    /// On, to these; nowhere if there are none.
    Steps(Vec<(Goal, OccurrenceId)>),
    /// To something that lasts.
    Fact(Fact),
}
