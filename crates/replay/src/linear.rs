//! Re-checking a run that refutes a linear-time formula, by the definition of the operators.
//!
//! The run is one lasso along steps of the model, its loop is fair, and the formula is false at its first
//! position. For that the lasso is unrolled far enough that even what is remembered of the past repeats
//! with the loop; then each operator is read off the positions, one by one. No tableau is used here.

use wherefore_logic::{Bounds, Goal, LinearOp, Op, SubId};
use wherefore_model::Env;
use wherefore_proof::{Claim, OccurrenceId, ProofId, Rule, SegmentEnding};

use super::{EvidenceReplay, Rechecked, ReplayFault, connective, ensure};

/// Positions of an unrolled run are at most so many.
const MOST_POSITIONS: usize = 20_000;

impl EvidenceReplay<'_> {
    /// Whether the proof is that the run shown refutes the formula.
    pub(super) fn is_run(&self) -> bool {
        let root = self.evidence.proof.get(ProofId::new(0));
        root.is_some_and(|node| node.rule == Some(Rule::Run))
    }

    /// The evidence is one fair lasso, and the formula is false along it.
    pub(super) fn run(&mut self, holds: bool) -> Rechecked {
        ensure(!holds, || "a run shows only that a property fails".into())?;
        let evidence = self.evidence;
        let [segment] = &evidence.segments[..] else {
            return Err(ReplayFault::Wrong("the run is not one run".into()));
        };
        let SegmentEnding::Loop(back) = segment.ending else {
            return Err(ReplayFault::Wrong("the run does not go on for ever".into()));
        };
        let count = evidence.occurrences.len();
        let in_order = segment.states.iter().map(|at| at.index()).eq(0..count);
        let whole = segment.main && segment.from.is_none() && in_order && back.index() < count;
        ensure(whole, || "the run is broken".into())?;
        let steps = (1..count).map(|at| (at - 1, at));
        let steps: Vec<_> = steps.chain([(count - 1, back.index())]).collect();
        // With as many edges as steps there is none besides.
        let fits = evidence.edges.len() == count
            && steps.iter().all(|&(from, to)| {
                let edge = (OccurrenceId::new(from), OccurrenceId::new(to));
                self.linked.contains(&edge)
            });
        ensure(fits, || "the run has no step".into())?;
        let sub = self.query.formula.root();
        let claim = Claim::Formula(Goal::fails(sub), None);
        let node = &evidence.proof[ProofId::new(0)];
        let about = node.rank.is_none()
            && node.claim == claim
            && segment.serves == claim
            && node.at.index() == 0
            && evidence.regions.is_empty();
        ensure(about, || "the proof is not about the run".into())?;
        let constraints = &self.model.fairness;
        let marked = segment.fair.len() == constraints.justice.len() + constraints.compassion.len();
        ensure(marked, || "a fairness mark is missing".into())?;
        self.fair_marks(segment)?;
        match self.along_run()? {
            Some(along) => {
                ensure(!along.truth[sub.index()][0], || {
                    "the property holds along the run".into()
                })?;
                self.walk(&along)
            }
            None => {
                self.skipped.insert("that the run refutes the property");
                Ok(())
            }
        }
    }

    /// The truth noted at each occurrence is the truth at each position it stands for.
    pub(super) fn run_annotations(&mut self) -> Rechecked {
        let Some(along) = self.along_run()? else {
            return Ok(());
        };
        for sub in self.query.formula.subs() {
            for (position, &is) in along.truth[sub.index()].iter().enumerate() {
                let occurrence = OccurrenceId::new(along.run.occurrence(position));
                let noted = self.evidence.occurrences[occurrence].truth[sub];
                ensure(noted == Some(is), || "a truth value is wrong".into())?;
            }
        }
        Ok(())
    }

    /// The truth of each sub-formula along the run; `None` when it must be unrolled too far.
    pub(super) fn along_run(&self) -> Result<Option<AlongRun>, ReplayFault> {
        let (_, back) = self.evidence.main_run();
        let Some(back) = back else {
            return Err(ReplayFault::Wrong("the run does not go on for ever".into()));
        };
        let formula = &self.query.formula;
        let count = self.evidence.occurrences.len();
        let turn = count - back.index();
        // Each operator of the past repeats with the loop one turn after its operands do, or as many
        // turns as its bounds need.
        let turns = |sub: SubId| match formula.op(sub) {
            Op::Linear(LinearOp::OnceWithin(b, _) | LinearOp::HistoricallyWithin(b, _)) => {
                (b.most as usize).div_ceil(turn)
            }
            Op::Linear(op) if op.is_past() => 1,
            _ => 0,
        };
        let turns = formula.subs().map(turns).fold(0, usize::saturating_add);
        let run = Unrolled {
            back: back.index(),
            turn,
            length: count.saturating_add(turns.saturating_mul(turn)),
        };
        if run.length > MOST_POSITIONS {
            return Ok(None);
        }
        let mut along = AlongRun { run, truth: vec![] };
        // Operands come before their operators, so their truth along the run is known.
        for sub in formula.subs() {
            self.budget.check()?;
            let truth = (0..run.length).map(|at| self.truth_at(&along, sub, at));
            let truth = truth.collect::<Result<Vec<bool>, ReplayFault>>()?;
            along.truth.push(truth);
        }
        Ok(Some(along))
    }

    fn truth_at(&self, along: &AlongRun, sub: SubId, at: usize) -> Result<bool, ReplayFault> {
        let of = |f: SubId| along.truth[f.index()][at];
        Ok(match self.query.formula.op(sub) {
            Op::Atom(atom) => {
                let term = self.query.atoms[atom];
                let here = OccurrenceId::new(along.run.occurrence(at));
                // An atom may read the step, so it is given the input and the next state.
                let next = OccurrenceId::new(along.run.occurrence(along.run.next(at)));
                let mut edges = self.evidence.edges.iter();
                let edge = edges.find(|edge| edge.from == here && edge.to == next);
                let env = Env {
                    state: self.values(here),
                    input: edge.map_or(&[], |edge| &edge.input),
                    next: self.values(next),
                };
                self.interpreter.truth(term, env)
            }
            Op::Linear(op) => along.says(op, at),
            op => {
                let quantified = || "a run shows nothing about all paths".into();
                connective(op, of).ok_or_else(|| ReplayFault::Wrong(quantified()))?
            }
        })
    }
}

/// A lasso as a sequence of positions: the last one is followed by the one a turn before its end.
#[derive(Clone, Copy)]
pub(super) struct Unrolled {
    back: usize,
    turn: usize,
    pub(super) length: usize,
}

impl Unrolled {
    pub(super) fn occurrence(self, position: usize) -> usize {
        match position.checked_sub(self.back) {
            Some(since) => self.back + since % self.turn,
            None => position,
        }
    }

    pub(super) fn next(self, position: usize) -> usize {
        match position + 1 {
            next if next == self.length => self.length - self.turn,
            next => next,
        }
    }

    /// The positions from one on, each that there is at least once.
    pub(super) fn ahead(self, position: usize) -> impl Iterator<Item = usize> {
        // The way to the end and one more turn meets every position that can follow.
        let all = self.length - position + self.turn;
        std::iter::successors(Some(position), move |&at| Some(self.next(at))).take(all)
    }
}

/// The truth of the first sub-formulas at each position.
pub(super) struct AlongRun {
    pub(super) run: Unrolled,
    pub(super) truth: Vec<Vec<bool>>,
}

impl AlongRun {
    /// What an operator says at a position, from the truth of its operands.
    pub(super) fn says(&self, op: LinearOp, at: usize) -> bool {
        use LinearOp as L;
        let of = |f: SubId| move |position: usize| self.truth[f.index()][position];
        let ahead = || self.run.ahead(at);
        let back = || (0..=at).rev();
        let after = |bounds: Bounds| {
            let (least, most) = (bounds.least as usize, bounds.most as usize);
            std::iter::successors(Some(at), |&at| Some(self.run.next(at)))
                .take(most + 1)
                .skip(least)
        };
        let ago = |bounds: Bounds| {
            let (least, most) = (bounds.least as usize, bounds.most as usize);
            (least..=most).map_while(move |steps| at.checked_sub(steps))
        };
        match op {
            L::Next(f) => of(f)(self.run.next(at)),
            L::Finally(f) => ahead().any(of(f)),
            L::Globally(f) => ahead().all(of(f)),
            L::Until(f, g) => first(ahead(), of(g), |at| !of(f)(at)) == Some(true),
            L::WeakUntil(f, g) => first(ahead(), of(g), |at| !of(f)(at)) != Some(false),
            L::Release(f, g) => first(ahead(), |at| !of(g)(at), of(f)) != Some(true),
            L::FinallyWithin(b, f) => after(b).any(of(f)),
            L::GloballyWithin(b, f) => after(b).all(of(f)),
            L::Yesterday(f) => at.checked_sub(1).is_some_and(of(f)),
            L::WeakYesterday(f) => at.checked_sub(1).is_none_or(of(f)),
            L::Once(f) => back().any(of(f)),
            L::Historically(f) => back().all(of(f)),
            L::Since(f, g) => first(back(), of(g), |at| !of(f)(at)) == Some(true),
            L::Triggered(f, g) => first(back(), |at| !of(g)(at), of(f)) != Some(true),
            L::OnceWithin(b, f) => ago(b).any(of(f)),
            L::HistoricallyWithin(b, f) => ago(b).all(of(f)),
        }
    }
}

/// Which of two conditions is met first: the one (also where both are), the other, or neither.
fn first(
    mut positions: impl Iterator<Item = usize>,
    one: impl Fn(usize) -> bool,
    other: impl Fn(usize) -> bool,
) -> Option<bool> {
    positions.find_map(|at| {
        if one(at) {
            Some(true)
        } else {
            other(at).then_some(false)
        }
    })
}
