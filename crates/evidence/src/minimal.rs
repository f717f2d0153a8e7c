//! The least evidence in a measure, and how much of it is proved.
//!
//! One run is least in steps or occurrences by the search of [`crate::search`]; where it repeats nothing
//! it is least in transitions and states, too. Everything else goes to the search for the smallest piece
//! of the graph ([`crate::smallest`]). The steps of a tree are at least as many as its distinct
//! transitions, and its occurrences as its distinct states: what is least in these is a bound for those,
//! and where the bound is met, the tree is least as a whole.

use std::hash::Hash;

use wherefore_base::Run;
use wherefore_model::Model;
use wherefore_proof::{Claim, Evidence, Measure, Minimality, Segment, SegmentEnding};
use wherefore_space::StateSpace;

use crate::build::{BuiltEvidence, build};
use crate::case::ProofCase;
use crate::choose::{ChosenPlan, choose, first_states, plan_branch};
use crate::fragment::{SearchHalt, SearchLimits};
use crate::piece::GraphPiece;
use crate::plan::PlanRef;
use crate::search::CountedMeasure;
use crate::smallest::{Distinct, SmallestPiece, smallest};

/// How much the search for the smallest piece may look at, for its size and again for the best of that
/// size.
const PIECE_SEARCH: SearchLimits = SearchLimits {
    states: 1_000,
    steps: 50_000,
    visits: 400_000,
};
/// A piece may start in any of so many initial states.
const PIECE_STARTS: usize = 256;

/// The least evidence, and the plans by which it grows.
pub(crate) struct LeastEvidence<T> {
    pub(crate) built: BuiltEvidence<T>,
    pub(crate) start: T,
    pub(crate) plan: PlanRef<T>,
    /// The piece of the graph that branches stay in, if there is one.
    piece: Option<GraphPiece<T>>,
    counted: CountedMeasure,
}

impl<T: Clone + Eq + Hash> LeastEvidence<T> {
    /// The plan by which a branch grows.
    pub(crate) fn branch<S: StateSpace<State = T>>(
        &self,
        case: &ProofCase<'_, '_, S>,
        claim: Claim,
        state: &T,
    ) -> Run<(PlanRef<T>, bool)> {
        plan_within(case, self.piece.as_ref(), claim, state, self.counted)
    }
}

/// The plan for a branch: that of a piece of the graph, where the claim comes up in it.
fn plan_within<S: StateSpace>(
    case: &ProofCase<'_, '_, S>,
    piece: Option<&GraphPiece<S::State>>,
    claim: Claim,
    state: &S::State,
    counted: CountedMeasure,
) -> Run<(PlanRef<S::State>, bool)> {
    if let Some(piece) = piece
        && let Some(plan) = piece.plan(case, claim, state)?
    {
        return Ok((plan, true));
    }
    plan_branch(case, claim, state, counted)
}

/// The least evidence for a claim that is so at all the starts, with what is known of its size.
pub(crate) fn least<S: StateSpace>(
    case: &ProofCase<'_, '_, S>,
    claim: Claim,
    starts: &S::Set,
    measure: Measure,
) -> Run<LeastEvidence<S::State>> {
    let counted = match measure {
        Measure::Steps | Measure::Transitions | Measure::TraceSteps | Measure::ProductSteps => {
            CountedMeasure::Steps
        }
        Measure::Nodes | Measure::States => CountedMeasure::Nodes,
    };
    let choice = choose(case, claim, starts, counted)?;
    let planner = |claim: Claim, state: &S::State| plan_branch(case, claim, state, counted);
    let mut built = build(case, claim, &choice.start, &choice.plan, &planner)?;
    let length = measure.of(&built.evidence);
    built.evidence.minimal = Minimality {
        measure,
        length,
        at_least: run_at_least(&choice, built.branches_shortest, counted, length),
    };
    let mut least = LeastEvidence {
        built,
        start: choice.start,
        plan: choice.plan,
        piece: None,
        counted,
    };
    if is_settled(case, claim, measure) {
        return Ok(least);
    }
    let distinct = match measure {
        Measure::Steps | Measure::Transitions | Measure::TraceSteps | Measure::ProductSteps => {
            Distinct::Transitions
        }
        Measure::Nodes | Measure::States => Distinct::States,
    };
    let known = distinct.measure().of(&least.built.evidence);
    let (listed, all_listed) = first_states(case.space, starts, PIECE_STARTS)?;
    let found = smallest(case, claim, distinct, &listed, known, PIECE_SEARCH);
    let SmallestPiece { at_least, piece } = match found {
        Ok(found) => found,
        Err(SearchHalt::Exhausted) => SmallestPiece::unknown(distinct),
        Err(SearchHalt::Stop(stop)) => return Err(stop),
    };
    // A start that was not tried may have smaller evidence.
    let at_least = match all_listed {
        true => at_least,
        false => distinct.smallest(),
    };
    if let Some(piece) = piece
        && let Some(start) = piece.start.clone()
        && let Some(plan) = piece.plan(case, claim, &start)?
    {
        let planner =
            |claim: Claim, state: &S::State| plan_within(case, Some(&piece), claim, state, counted);
        let small = build(case, claim, &start, &plan, &planner)?;
        let small_length = measure.of(&small.evidence);
        let counts_distinct = measure == distinct.measure();
        // At equal length the piece is preferred only where it was compared in this very measure.
        if small_length < length || counts_distinct && small_length == length {
            least = LeastEvidence {
                built: small,
                start,
                plan,
                piece: Some(piece),
                counted,
            };
        }
    }
    let length = measure.of(&least.built.evidence);
    least.built.evidence.minimal = Minimality {
        measure,
        length,
        at_least: at_least.min(length),
    };
    Ok(least)
}

/// Says that steps of the product are counted, where what fairness remembers of steps repeats with a loop, too: without it a
/// loop may be shorter.
pub(crate) fn name_product_steps(model: &Model, evidence: &mut Evidence) {
    let loops = |segment: &Segment| matches!(segment.ending, SegmentEnding::Loop(_));
    if evidence.minimal.measure == Measure::Steps
        && model.memory().next().is_some()
        && evidence.segments.iter().any(loops)
    {
        evidence.minimal.measure = Measure::ProductSteps;
    }
}

/// Whether the search for the least run settles the measure.
fn is_settled<S: StateSpace>(case: &ProofCase<'_, '_, S>, claim: Claim, measure: Measure) -> bool {
    let Claim::Formula(goal, _) = claim else {
        return true;
    };
    match measure {
        Measure::Steps | Measure::Nodes | Measure::TraceSteps | Measure::ProductSteps => {
            case.is_one_run(goal)
        }
        Measure::States | Measure::Transitions => case.is_plain(goal),
    }
}

/// How large any run is at least.
fn run_at_least<T>(
    choice: &ChosenPlan<T>,
    shortest: bool,
    counted: CountedMeasure,
    length: u32,
) -> u32 {
    if choice.proved && shortest {
        return length;
    }
    // One run has one loop at most, so its occurrences are at least as many as its steps.
    let at_least = match counted {
        CountedMeasure::Steps => choice.at_least,
        CountedMeasure::Nodes => choice.at_least.max(1),
    };
    // What is not proved least must not have its own length as the bound, or it would seem proved.
    at_least.min(length.saturating_sub(1))
}
