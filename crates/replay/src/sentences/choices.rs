//! Deciding what is said of decisive choices: whether a run could still have kept what is claimed of every path.

use wherefore_base::Value;
use wherefore_logic::{Goal, Op, PathOp, PathRule, Quantifier, SubId};
use wherefore_model::{Cover, Cube};
use wherefore_proof::{Claim, DecisiveChoice, OccurrenceId, Segment, SegmentEnding};

use super::{Confirmed, Doubt, SentenceChecker, Surroundings, confirm};
use crate::explored::ExploredSet;

impl SentenceChecker<'_> {
    /// Where the run lost its last chance is where it is said to be.
    pub(super) fn decided(&self, sub: SubId, choice: &DecisiveChoice) -> Confirmed {
        if self.is_run {
            return self.decided_on_run(sub, choice);
        }
        let Op::Path(Quantifier::Forall, path) = self.base.query.formula.op(sub) else {
            return Err(Doubt::Wrong("it is not claimed of every path".into()));
        };
        let around = self.following()?;
        // Where a path may stop anywhere it could always stop in time, so paths that go on are asked for.
        let rule = match self.base.query.rule {
            PathRule::Reach => PathRule::Maximal,
            rule => rule,
        };
        let of = |operand: SubId| around.truth[operand.index()].clone();
        let kept = &around.states.exists(rule, path, &of);
        let free = |at: OccurrenceId| -> Confirmed<bool> { Ok(kept[self.number(around, at)?]) };
        match choice {
            DecisiveChoice::Fated(at) => {
                confirm(!free(*at)?, || "some run keeps it from there".into())
            }
            DecisiveChoice::StillFree { exit } => {
                // Of several runs that refute it, the sentence speaks of one.
                let mut some = false;
                for run in self.refuting(sub)? {
                    let mut all = true;
                    for at in run {
                        all &= free(at)?;
                    }
                    some |= all;
                }
                confirm(some, || "no run keeps it from some step".into())?;
                match exit {
                    Some(exit) => self.ends_loop(around, sub, exit),
                    None => Ok(()),
                }
            }
            DecisiveChoice::Lost {
                from,
                to,
                instead,
                more,
                condition,
                ..
            } => {
                let after: ExploredSet = match path {
                    PathOp::Next(f) => {
                        let truth = &around.truth[f.index()];
                        truth
                            .iter()
                            .zip(&around.live)
                            .map(|(&f, &live)| f && live)
                            .collect()
                    }
                    _ => kept.clone(),
                };
                self.lost(around, &after, (*from, *to), instead, *more)?;
                self.tells_apart(around, &after, *from, condition.as_ref())
            }
        }
    }

    /// A condition is true in those next states that keep the chance, and in no others.
    pub(super) fn tells_apart(
        &self,
        around: &Surroundings,
        kept: &ExploredSet,
        from: OccurrenceId,
        condition: Option<&Cover>,
    ) -> Confirmed {
        let Some(condition) = condition else {
            return Ok(());
        };
        let start = self.number(around, from)?;
        let meets = |state: usize| {
            let mut cubes = condition.cubes.iter();
            cubes.any(|cube| is_in(cube, &around.states.states[state]))
        };
        let mut next = around.states.next[start].iter();
        confirm(next.all(|&to| meets(to) == kept[to]), || {
            "the condition does not tell the steps apart".into()
        })
    }

    pub(super) fn lost(
        &self,
        around: &Surroundings,
        kept: &ExploredSet,
        (from, to): (OccurrenceId, OccurrenceId),
        instead: &[Vec<Value>],
        more: bool,
    ) -> Confirmed {
        let start = self.number(around, from)?;
        let next = &around.states.next[start];
        let end = self.number(around, to)?;
        confirm(next.contains(&end), || "the step is not possible".into())?;
        confirm(!kept[end], || "the chance is not lost".into())?;
        for state in instead {
            let state = around.states.find(state);
            let good = state.is_some_and(|state| next.contains(&state) && kept[state]);
            confirm(good, || "another step does not keep the chance".into())?;
        }
        let others = next.iter().filter(|&&state| kept[state]);
        let others = others.filter(|&&state| {
            let values = &around.states.states[state];
            !instead.iter().any(|other| other[..] == values[..])
        });
        confirm((others.count() > 0) == more, || {
            "the other steps are not all".into()
        })?;
        confirm(!instead.is_empty(), || "nothing else was possible".into())
    }

    /// From each state of a loop that refutes a sub-formula a step leads to where a condition is met, and every such step
    /// to where the sub-formula holds.
    fn ends_loop(&self, around: &Surroundings, sub: SubId, exit: &Cube) -> Confirmed {
        let claim = Claim::Formula(Goal::fails(sub), None);
        let mut some = false;
        for segment in self
            .evidence()?
            .segments
            .iter()
            .filter(|s| s.serves == claim)
        {
            let SegmentEnding::Loop(back) = segment.ending else {
                continue;
            };
            let run = segment
                .from
                .into_iter()
                .chain(segment.states.iter().copied());
            let mut all = true;
            for at in run.skip_while(|&at| at != back) {
                let next = around.states.next[self.number(around, at)?].iter();
                let exits = next.filter(|&&to| is_in(exit, &around.states.states[to]));
                let exits: Vec<usize> = exits.copied().collect();
                let ends = |&to: &usize| around.truth[sub.index()][to];
                all &= !exits.is_empty() && exits.iter().all(ends);
            }
            some |= all;
        }
        confirm(some, || "a step to there does not end the loop".into())
    }

    /// The occurrences of each run that refutes a sub-formula.
    fn refuting(&self, sub: SubId) -> Confirmed<Vec<Vec<OccurrenceId>>> {
        let claim = Claim::Formula(Goal::fails(sub), None);
        let segments = self.evidence()?.segments.iter();
        let segments = segments.filter(|segment| segment.serves == claim);
        let run = |segment: &Segment| {
            let start = segment.from.into_iter();
            start.chain(segment.states.iter().copied()).collect()
        };
        Ok(segments.map(run).collect())
    }
}

/// Whether a state meets a condition.
fn is_in(cube: &Cube, state: &[Value]) -> bool {
    let mut values = cube.values.iter();
    values.all(|(var, values)| values.contains(&state[var.index()]))
}
