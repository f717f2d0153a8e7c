//! What became of wishes, counted on the evidence itself.

use wherefore_base::{IndexVec, Run};
use wherefore_proof::{
    Claim, Evidence, OccurrenceId, Segment, SegmentEnding, WishBest, WishOutcome,
};
use wherefore_space::StateSpace;

use super::WishedPlan;
use crate::case::ProofCase;
use crate::strategy::{Automaton, RunWish, WishKind};

/// What became of each wish in an evidence. `planned` is the best one, where the search for it got to its end.
pub(crate) fn outcomes<S: StateSpace>(
    case: &ProofCase<'_, '_, S>,
    claim: Claim,
    wishes: &[RunWish],
    planned: Option<&WishedPlan<S::State>>,
    evidence: &Evidence,
    states: &IndexVec<OccurrenceId, S::State>,
) -> Run<Vec<WishOutcome>> {
    let told = Told {
        case,
        evidence,
        states,
    };
    let one_run = matches!(claim, Claim::Formula(goal, _) if case.is_one_run(goal));
    let open = evidence.proof.iter().any(|node| node.rule.is_none());
    let as_planned = planned.filter(|planned| one_run && told.is_plan(planned));
    let mut best = match planned {
        Some(_) if one_run && !open => WishBest::Proved,
        Some(_) => WishBest::Open,
        None => WishBest::Limit,
    };
    let mut outcomes = Vec::new();
    for (number, wish) in wishes.iter().enumerate() {
        let counted = match as_planned {
            Some(planned) => planned.cost.of(number),
            None => told.count(wish)?,
        };
        // Another strategy may have chosen otherwise; from then on nothing is proved.
        if planned.is_some_and(|planned| planned.cost.of(number) != counted) {
            best = WishBest::Open;
        }
        let (idle, turn, way) = counted;
        outcomes.push(WishOutcome {
            name: wish.name.clone(),
            first: number == 0,
            loops: told.has_loop(),
            idle,
            turn,
            way,
            best,
        });
    }
    Ok(outcomes)
}

/// An evidence with its states.
struct Told<'a, 'c, 's, S: StateSpace> {
    case: &'a ProofCase<'c, 's, S>,
    evidence: &'a Evidence,
    states: &'a IndexVec<OccurrenceId, S::State>,
}

impl<S: StateSpace> Told<'_, '_, '_, S> {
    /// The runs that show something other than that a path goes on.
    fn segments(&self) -> impl Iterator<Item = &Segment> {
        let segments = self.evidence.segments.iter();
        segments.filter(|segment| segment.serves != Claim::HasPath)
    }

    fn has_loop(&self) -> bool {
        self.segments()
            .any(|segment| matches!(segment.ending, SegmentEnding::Loop(_)))
    }

    /// Whether its run is the planned one.
    fn is_plan(&self, planned: &WishedPlan<S::State>) -> bool {
        let run = self.segments().flat_map(|segment| segment.states.iter());
        let run: Vec<&S::State> = run.map(|&at| &self.states[at]).collect();
        let plan = planned.plan.states();
        let plan: Vec<&S::State> = std::iter::once(&planned.start).chain(&plan).collect();
        run == plan
    }

    /// Whether the loop of a run does nothing for a wish, its exceptions in each turn of a loop, and those on the way.
    fn count(&self, wish: &RunWish) -> Run<(bool, u32, u32)> {
        let mut counted = (false, 0, 0);
        match &wish.kind {
            WishKind::Keep(condition, truth) => {
                let set = self.case.condition(*condition)?;
                let missed = |at: OccurrenceId| {
                    u32::from(self.case.space.contains(&set, &self.states[at]) != *truth)
                };
                for segment in self.segments() {
                    let (turn, before) = entered(segment);
                    counted.1 += turn.into_iter().map(missed).sum::<u32>();
                    counted.2 += before.into_iter().map(missed).sum::<u32>();
                }
            }
            WishKind::Through(condition) => {
                let set = self.case.condition(*condition)?;
                for segment in self.segments() {
                    let (turn, _) = entered(segment);
                    let passes =
                        |at: &OccurrenceId| self.case.space.contains(&set, &self.states[*at]);
                    counted.0 |= !turn.is_empty() && !turn.iter().any(passes);
                }
            }
            WishKind::Along(automaton) => counted = self.followed(automaton)?,
        }
        Ok(counted)
    }

    /// How well one pass of the main run follows an automaton that takes the first arrow it can.
    fn followed(&self, automaton: &Automaton) -> Run<(bool, u32, u32)> {
        let mut counted = (false, 0, 0);
        let mut place = 0;
        let mut started = false;
        for segment in self.segments().filter(|segment| segment.main) {
            let (turn, before) = entered(segment);
            let mut moved = turn.is_empty();
            let turning = before.len();
            for (number, at) in before.into_iter().chain(turn).enumerate() {
                let mut next = None;
                for arrow in automaton.arrows.get(place).into_iter().flatten() {
                    let set = self.case.condition(arrow.condition)?;
                    let is_true = self.case.space.contains(&set, &self.states[at]);
                    if next.is_none() && is_true == arrow.truth {
                        next = Some(arrow.to);
                    }
                }
                match next {
                    Some(to) => {
                        place = to;
                        let counts = automaton.again.is_empty() || automaton.again.contains(&to);
                        moved |= number >= turning && counts;
                    }
                    // The start need not be on an arrow.
                    None if !started => {}
                    None if number >= turning => counted.1 += 1,
                    None => counted.2 += 1,
                }
                started = true;
            }
            counted.0 |= !moved && automaton.is_to_move();
        }
        Ok(counted)
    }
}

/// The occurrences that a segment enters: in each turn of its loop, and on the way to it.
fn entered(segment: &Segment) -> (Vec<OccurrenceId>, Vec<OccurrenceId>) {
    match segment.ending {
        SegmentEnding::Loop(to) => {
            let home = segment.states.iter().position(|&at| at == to);
            // A loop to the occurrence where the segment starts has all its states.
            let before = home.map_or(0, |home| home + 1);
            let turn = segment.states[before..].iter().copied().chain([to]);
            (turn.collect(), segment.states[..before].to_vec())
        }
        SegmentEnding::Joins(to) => {
            let states = segment.states.iter().copied().chain([to]);
            (vec![], states.collect())
        }
        SegmentEnding::Goal | SegmentEnding::DeadEnd => (vec![], segment.states.clone()),
    }
}
