//! Re-checking the runs: states, steps, loops and fairness marks.

use std::collections::{BTreeSet, HashSet};

use wherefore_logic::Goal;
use wherefore_model::{Env, Step};
use wherefore_proof::{Claim, OccurrenceId, Rule, Segment, SegmentEnding};

use super::{EvidenceReplay, Rechecked, ReplayFault, ensure};

impl EvidenceReplay<'_> {
    /// Every edge is a step of the model.
    pub(super) fn edges(&self) -> Rechecked {
        let occurrences = &self.evidence.occurrences;
        for edge in &self.evidence.edges {
            let ends = occurrences.get(edge.from).zip(occurrences.get(edge.to));
            let Some((from, to)) = ends else {
                return Err(ReplayFault::Wrong("a step has no state".into()));
            };
            ensure(edge.input.len() == self.model.input_vars(), || {
                "an input does not fit the model".into()
            })?;
            let inputs = self.model.vars.iter().skip(self.model.state_vars());
            for (var, value) in inputs.zip(&edge.input) {
                let inside = var.domain.index_of(*value).is_some();
                ensure(inside, || format!("`{}` has an impossible value", var.name))?;
            }
            let step = Step {
                input: edge.input.clone(),
                next: to.values.clone(),
            };
            let broken = self.interpreter.broken_by_step(&from.values, &step);
            ensure(broken.is_none(), || {
                let (from, to) = (edge.from.index(), edge.to.index());
                format!("the model has no step from state {from} to state {to}")
            })?;
        }
        Ok(())
    }

    pub(super) fn is_edge(&self, from: OccurrenceId, to: OccurrenceId) -> bool {
        self.linked.contains(&(from, to))
    }

    /// Segments run along edges, cover all occurrences once, and tell the truth about their loops.
    pub(super) fn segments(&self) -> Rechecked {
        let proof = self.evidence.proof.iter();
        let claimed: HashSet<_> = proof.map(|node| (node.claim, node.at)).collect();
        let mut told = BTreeSet::new();
        let mut walked = BTreeSet::new();
        let mut loops = BTreeSet::new();
        let mut dead_ends = BTreeSet::new();
        let mut main_end = None;
        for (number, segment) in self.evidence.segments.iter().enumerate() {
            let start = match segment.from {
                None => {
                    let first =
                        number == 0 && segment.states.first() == Some(&OccurrenceId::new(0));
                    ensure(first, || "only the first run starts by itself".into())?;
                    segment.states.first().copied()
                }
                Some(from) => {
                    ensure(told.contains(&from), || "a run starts nowhere".into())?;
                    Some(from)
                }
            };
            ensure(!segment.main || segment.from == main_end, || {
                "the main run is broken".into()
            })?;
            for &at in &segment.states {
                ensure(told.insert(at), || "a state is told twice".into())?;
            }
            let mut here = start.expect("a run starts somewhere");
            // A run that starts by itself has its start among its own states.
            let own = segment
                .states
                .iter()
                .copied()
                .filter(|&at| segment.from.is_some() || at != here);
            for at in own.collect::<Vec<_>>() {
                ensure(self.is_edge(here, at), || "a run has no step".into())?;
                walked.insert((here, at));
                here = at;
            }
            if segment.main {
                main_end = Some(here);
            }
            let start = start.expect("a run starts somewhere");
            let serves = claimed.contains(&(segment.serves, start));
            ensure(serves, || "a run serves no claim".into())?;
            if let SegmentEnding::Joins(to) | SegmentEnding::Loop(to) = segment.ending {
                walked.insert((here, to));
            }
            match segment.ending {
                SegmentEnding::Goal => {}
                SegmentEnding::DeadEnd => {
                    dead_ends.insert((subject(segment.serves), here));
                    self.is_dead_end(here)?;
                }
                SegmentEnding::Joins(to) => {
                    let joins = told.contains(&to) && self.is_edge(here, to);
                    ensure(joins, || "a run does not join".into())?;
                }
                SegmentEnding::Loop(to) => {
                    let mut turn = segment.states.clone();
                    turn.extend(segment.from);
                    let closes = turn.contains(&to) && self.is_edge(here, to);
                    ensure(closes, || "a loop does not close".into())?;
                    loops.insert((subject(segment.serves), here, to));
                }
            }
            self.fair_marks(segment)?;
        }
        let all = told.len() == self.evidence.occurrences.len();
        ensure(all, || "a state is in no run".into())?;
        // A pair is walked once however often it is listed, so an edge that is told twice is found out, too.
        let all = walked.len() == self.evidence.edges.len();
        ensure(all, || "a step is in no run".into())?;
        self.runs_fit_the_proof(&loops, &dead_ends)
    }

    /// Loops and dead ends of the runs are those of the proof.
    fn runs_fit_the_proof(
        &self,
        loops: &BTreeSet<(Option<Goal>, OccurrenceId, OccurrenceId)>,
        dead_ends: &BTreeSet<(Option<Goal>, OccurrenceId)>,
    ) -> Rechecked {
        let proof = &self.evidence.proof;
        let by = |rule: Rule| proof.iter().filter(move |node| node.rule == Some(rule));
        let ends: BTreeSet<_> = by(Rule::DeadEnd)
            .map(|n| (subject(n.claim), n.at))
            .collect();
        ensure(dead_ends.is_subset(&ends), || {
            "a run does not end here".into()
        })?;
        let steps = by(Rule::Continue).filter_map(|node| {
            let next = proof.get(*node.premises.last()?)?;
            // With fewer steps left it is not the same claim that comes round.
            let same = next.claim == node.claim;
            same.then_some((subject(node.claim), node.at, next.at))
        });
        let steps: BTreeSet<_> = steps.collect();
        ensure(loops.is_subset(&steps), || {
            "the proof does not go round a loop".into()
        })
    }

    pub(super) fn fair_marks(&self, segment: &Segment) -> Rechecked {
        if segment.fair.is_empty() {
            return Ok(());
        }
        let fairness = &self.model.fairness;
        let count = fairness.justice.len() + fairness.compassion.len();
        let SegmentEnding::Loop(back) = segment.ending else {
            return Err(ReplayFault::Wrong(
                "only a loop meets fairness constraints".into(),
            ));
        };
        ensure(segment.fair.len() == count, || {
            "a fairness mark is missing".into()
        })?;
        let run: Vec<OccurrenceId> = segment
            .from
            .into_iter()
            .chain(segment.states.clone())
            .collect();
        let start = run.iter().position(|&at| at == back).unwrap_or(0);
        let turn = &run[start..];
        let truth = |term, at| self.interpreter.truth(term, Env::state(self.values(at)));
        let pairs = fairness.compassion.iter().map(|&(p, q)| (Some(p), q));
        let conditions = fairness.justice.iter().map(|&j| (None, j)).chain(pairs);
        for ((needed_if, condition), mark) in conditions.zip(&segment.fair) {
            let right = match (mark, needed_if) {
                (Some(at), _) => turn.contains(at) && truth(condition, *at),
                (None, Some(p)) => !turn.iter().any(|&at| truth(p, at)),
                (None, None) => false,
            };
            ensure(right, || "a fairness mark is wrong".into())?;
        }
        Ok(())
    }

    pub(super) fn is_dead_end(&self, at: OccurrenceId) -> Rechecked {
        let steps = self.interpreter.steps(self.values(at), self.budget)?;
        ensure(steps.is_empty(), || "a dead end goes on".into())
    }
}

/// What a claim is about, whatever the bounds that are left; `None`: that a path goes on.
fn subject(claim: Claim) -> Option<Goal> {
    match claim {
        Claim::Formula(goal, _) => Some(goal),
        Claim::HasPath => None,
    }
}
