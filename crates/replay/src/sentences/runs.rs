//! Deciding what is said of runs: steps, loops, what is kept on the way, and truth along a run.

use wherefore_base::Value;
use wherefore_logic::{Goal, SubId};
use wherefore_model::{Env, Step};
use wherefore_proof::{EvidenceEdge, OccurrenceId, RunStretch};

use super::{Confirmed, Doubt, SentenceChecker, confirm};
use crate::linear::AlongRun;
use crate::{EvidenceReplay, FEW_STATES, ReplayFault};

impl SentenceChecker<'_> {
    /// States follow one another, goals are kept before the last, and others are so there.
    pub(super) fn path(&self, run: &[OccurrenceId], keep: &[Goal], arrive: &[Goal]) -> Confirmed {
        let Some((&last, before)) = run.split_last() else {
            return Err(Doubt::Wrong("a path has no state".into()));
        };
        for pair in run.windows(2) {
            self.step(pair[0], pair[1])?;
        }
        for &at in before {
            self.all_at(keep, at)?;
        }
        self.all_at(arrive, last)
    }

    /// States follow one another, and the last is followed by an earlier one.
    pub(super) fn lasso(
        &self,
        run: &[OccurrenceId],
        back: usize,
        keep: &[Goal],
        fair: bool,
    ) -> Confirmed {
        let (Some(&last), Some(&first)) = (run.last(), run.get(back)) else {
            return Err(Doubt::Wrong("a loop has no state".into()));
        };
        for pair in run.windows(2) {
            self.step(pair[0], pair[1])?;
        }
        self.step(last, first)?;
        for &at in run {
            self.all_at(keep, at)?;
        }
        if !fair {
            return Ok(());
        }
        let mut turn: Vec<&[Value]> = Vec::new();
        for &at in &run[back..] {
            turn.push(self.values(at)?);
        }
        let meets = |term| {
            let mut states = turn.iter();
            states.any(|state| self.base.interpreter.truth(term, Env::state(state)))
        };
        let fairness = &self.base.model.fairness;
        let just = fairness.justice.iter().all(|&term| meets(term));
        let mut pairs = fairness.compassion.iter();
        let compassionate = pairs.all(|&(p, q)| !meets(p) || meets(q));
        confirm(just && compassionate, || "the loop is not fair".into())
    }

    /// A step of the model leads from one state to another.
    fn step(&self, from: OccurrenceId, to: OccurrenceId) -> Confirmed {
        let known = self.steps.borrow().get(&(from, to)).copied();
        let leads = match known {
            Some(leads) => leads,
            None => self.is_step(from, to)?,
        };
        self.steps.borrow_mut().insert((from, to), leads);
        confirm(leads, || {
            format!(
                "no step leads from step {} to step {}",
                from.index(),
                to.index()
            )
        })
    }

    fn is_step(&self, from: OccurrenceId, to: OccurrenceId) -> Confirmed<bool> {
        let (old, new) = (self.values(from)?, self.values(to)?);
        let evidence = self.evidence()?;
        // Edges mostly lead from one occurrence to the next, and are in order.
        let near = evidence.edges.get(from.index());
        let near = near.filter(|edge| (edge.from, edge.to) == (from, to));
        // An edge between equal states has the input that makes the step.
        let same = |edge: &&EvidenceEdge| {
            let ends = (evidence.occurrences.get(edge.from)).zip(evidence.occurrences.get(edge.to));
            ends.is_some_and(|(from, to)| from.values == old && to.values == new)
        };
        if let Some(edge) = near.or_else(|| evidence.edges.iter().find(same)) {
            let step = Step {
                input: edge.input.clone(),
                next: new.to_vec(),
            };
            if self.base.interpreter.broken_by_step(old, &step).is_none() {
                return Ok(true);
            }
        }
        let met = self.base.walked.meet(old);
        let next =
            self.base
                .walked
                .next(&self.base.interpreter, met, FEW_STATES, &self.base.budget)?;
        let next = next.ok_or(Doubt::Unknown("too many steps lead on"))?;
        Ok(next
            .iter()
            .any(|&to| self.base.walked.state(to)[..] == *new))
    }

    /// The truth of a sub-formula at a step of the run, each time that the run comes there.
    pub(super) fn truth_at_step(&self, sub: SubId, at: OccurrenceId) -> Confirmed<bool> {
        self.values(at)?;
        let along = self.run_truth()?;
        let positions = (0..along.run.length).filter(|&p| along.run.occurrence(p) == at.index());
        let mut truths = positions.map(|p| along.truth[sub.index()][p]);
        let Some(first) = truths.next() else {
            return Err(Doubt::Wrong("the run does not come there".into()));
        };
        match truths.all(|truth| truth == first) {
            true => Ok(first),
            false => Err(Doubt::Unknown("the truth changes from turn to turn")),
        }
    }

    /// A sub-formula is so along a stretch of the run.
    pub(super) fn along(&self, goal: Goal, at: OccurrenceId, lasts: RunStretch) -> Confirmed {
        if lasts == RunStretch::Here {
            return self.all_at(&[goal], at);
        }
        let along = self.run_truth()?;
        let mut positions = 0..along.run.length;
        let first = positions.find(|&p| along.run.occurrence(p) == at.index());
        let first = first.ok_or_else(|| Doubt::Wrong("the run does not come there".into()))?;
        let mut truths: Vec<bool> = Vec::new();
        let truth = |position: usize| along.truth[goal.sub.index()][position];
        match lasts {
            RunStretch::UpToHere => truths.extend((0..=first).map(truth)),
            _ => truths.extend(along.run.ahead(first).map(truth)),
        }
        confirm(truths.iter().all(|&truth| truth == goal.holds), || {
            self.otherwise(goal, "a step of the run".into())
        })
    }

    fn run_truth(&self) -> Confirmed<AlongRun> {
        let evidence = self.evidence()?;
        let replay = EvidenceReplay::new(
            &self.base.walked,
            self.base.model,
            self.base.query,
            evidence,
            &self.base.budget,
        );
        match replay.along_run() {
            Ok(Some(along)) => Ok(along),
            Ok(None) => Err(Doubt::Unknown("the run is too long")),
            Err(ReplayFault::Wrong(why)) => Err(Doubt::Wrong(why)),
            Err(ReplayFault::Stop(stop)) => Err(stop.into()),
        }
    }
}
