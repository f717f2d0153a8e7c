//! Decisive choices: where a run that breaks a property could still have kept it.
//!
//! For a refuted claim about every path, each state of the run that refutes it lies in a zone: *safe*
//! (every path from here keeps the claim), *free* (some path does) or *fated* (none does). A step from
//! free to fated decides. A run that stays free to its end could have turned at every step; a run that
//! is fated where it starts had no choice.

use wherefore_base::{IndexVec, Run};
use wherefore_logic::{Formula, Goal, Op, PathOp, PathRule, Quantifier, SubId};
use wherefore_model::{Cover, Cube, Query, VarId};
use wherefore_proof::{
    Avoidance, Claim, Decision, DecisiveChoice, Evidence, OccurrenceId, Segment, SegmentEnding,
};
use wherefore_space::StateSpace;

use crate::avoid::avoidance;
use crate::case::ProofCase;
use crate::fragment::differing;
use crate::separate::{MOST_STATES, NextStates};

/// Of the other steps at a decisive choice, so many are kept.
const OTHERS: usize = 3;
/// They are chosen among so many.
const TRIED: usize = 64;

/// The decisions of the runs of an evidence, in order.
pub(crate) fn decisions<S: StateSpace>(
    case: &ProofCase<'_, '_, S>,
    evidence: &Evidence,
    states: &IndexVec<OccurrenceId, S::State>,
    environment: &[VarId],
) -> Run<Vec<Decision>> {
    let lost_chance = |kept: &S::Set, from: OccurrenceId, to: OccurrenceId| {
        let mut edges = evidence.edges.iter();
        let edge = edges.find(|edge| edge.from == from && edge.to == to);
        let input = edge.map_or(&[][..], |edge| &edge.input);
        let (from_state, to_state) = (&states[from], &states[to]);
        let sets = (kept, case.live()?);
        let avoidable = avoidance(case.space, environment, sets, (from_state, to_state), input)?;
        lost_chance(case.space, kept, (from, to), from_state, avoidable)
    };
    let mut decisions: Vec<Decision> = Vec::new();
    for segment in &evidence.segments {
        let Some(sub) = refuted_universal(case, segment) else {
            continue;
        };
        let Some(start) = segment.from else {
            continue;
        };
        let kept = kept_by_some(case, sub)?;
        let is_free = |at: &OccurrenceId| case.space.contains(&kept.now, &states[*at]);
        let mut run = vec![start];
        run.extend(&segment.states);
        if let SegmentEnding::Joins(to) | SegmentEnding::Loop(to) = segment.ending {
            run.push(to);
        }
        let choice = match run.iter().position(|at| !is_free(at)) {
            Some(0) => DecisiveChoice::Fated(start),
            // What is claimed of the next state is decided by the first step.
            _ if kept.next_only => lost_chance(&kept.after, run[0], run[1])?,
            Some(lost) => lost_chance(&kept.after, run[lost - 1], run[lost])?,
            None => DecisiveChoice::StillFree {
                exit: loop_exit(case, sub, &run, states)?,
            },
        };
        let decision = Decision { sub, choice };
        if !decisions.contains(&decision) {
            decisions.push(decision);
        }
    }
    Ok(decisions)
}

/// The sub-formula that a segment refutes, if it claims something of every path, without bounds.
fn refuted_universal<S: StateSpace>(
    case: &ProofCase<'_, '_, S>,
    segment: &Segment,
) -> Option<SubId> {
    let Claim::Formula(Goal { sub, holds: false }, None) = segment.serves else {
        return None;
    };
    let Op::Path(Quantifier::Forall, path) = case.query.formula.op(sub) else {
        return None;
    };
    let bounded = matches!(
        path,
        PathOp::FinallyWithin(..) | PathOp::GloballyWithin(..) | PathOp::UntilWithin(..)
    );
    (!bounded).then_some(sub)
}

/// Where some path keeps what is claimed of every path.
struct KeptClaim<Set> {
    /// Some path from here keeps it.
    now: Set,
    /// A step to one of these keeps the chance.
    after: Set,
    /// Whether only the next state counts.
    next_only: bool,
}

fn kept_by_some<S: StateSpace>(case: &ProofCase<'_, '_, S>, sub: SubId) -> Run<KeptClaim<S::Set>> {
    let formula = &case.query.formula;
    let mut some = Formula::new();
    let mut next = None;
    for at in formula.subs() {
        let op = match formula.op(at) {
            Op::Path(_, path) if at == sub => {
                if let PathOp::Next(operand) = path {
                    next = Some(operand);
                }
                Op::Path(Quantifier::Exists, path)
            }
            op => op,
        };
        some.add(op, None);
    }
    // Where a path may stop anywhere it could always stop in time: ask for paths that go on.
    let rule = match case.query.rule {
        PathRule::Reach => PathRule::Maximal,
        rule => rule,
    };
    let query = Query {
        formula: some,
        atoms: case.query.atoms.clone(),
        rule,
    };
    let now = case.checker.sat(&query, case.solution, sub)?;
    let after = match next {
        Some(operand) => case
            .space
            .meet(&*case.set(Goal::holds(operand))?, case.live()?)?,
        None => now.clone(),
    };
    Ok(KeptClaim {
        now,
        after,
        next_only: next.is_some(),
    })
}

/// The step after which nothing is kept, with those that would have led to one of the kept states.
pub(crate) fn lost_chance<S: StateSpace>(
    space: &S,
    kept: &S::Set,
    (from, to): (OccurrenceId, OccurrenceId),
    at: &S::State,
    avoidable: Option<Avoidance>,
) -> Run<DecisiveChoice> {
    let after = space.post(&space.just(at)?)?;
    let mut left = space.meet(&after, kept)?;
    let mut instead = Vec::new();
    while instead.len() < TRIED
        && let Some(state) = space.first(&left)?
    {
        left = space.minus(&left, &space.just(&state)?)?;
        instead.push(space.values(&state));
    }
    let more = !space.is_empty(&left) || instead.len() > OTHERS;
    let condition = separating(space, kept, at)?;
    let here = space.values(at);
    // The sort is stable and the states came in order, so of equally near ones the least is first.
    instead.sort_by_key(|values| differing(&here, values));
    instead.truncate(OTHERS);
    Ok(DecisiveChoice::Lost {
        from,
        to,
        instead,
        more,
        condition,
        avoidable,
    })
}

/// What tells the next states of a state that are kept from the others.
fn separating<S: StateSpace>(space: &S, kept: &S::Set, at: &S::State) -> Run<Option<Cover>> {
    let mut next = NextStates::new(space.model());
    let all = add_next(space, &mut next, kept, at)?;
    Ok(next.separating().filter(|_| all))
}

/// Adds the states that follow a state; `false`: there are too many.
fn add_next<S: StateSpace>(
    space: &S,
    next: &mut NextStates<'_>,
    wanted: &S::Set,
    at: &S::State,
) -> Run<bool> {
    next.group();
    for state in space.successors(at)?.take(MOST_STATES + 1) {
        let state = state?;
        space.budget().check()?;
        if !next.add(space.values(&state), space.contains(wanted, &state)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A condition on the next state that leads out of the loop that a run ends in, wherever the loop is left: to where the
/// claim holds.
fn loop_exit<S: StateSpace>(
    case: &ProofCase<'_, '_, S>,
    sub: SubId,
    run: &[OccurrenceId],
    states: &IndexVec<OccurrenceId, S::State>,
) -> Run<Option<Cube>> {
    let Some((back, before)) = run.split_last() else {
        return Ok(None);
    };
    let Some(first) = before.iter().position(|at| at == back) else {
        return Ok(None);
    };
    let holds = case.set(Goal::holds(sub))?;
    // Where no path goes on, the claim holds of all of them and nothing was kept.
    let holds = case.space.meet(&*holds, case.live()?)?;
    let mut next = NextStates::new(case.space.model());
    for &at in &before[first..] {
        if !add_next(case.space, &mut next, &holds, &states[at])? {
            return Ok(None);
        }
    }
    Ok(next.in_every_group())
}
