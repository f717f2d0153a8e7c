//! Shrinking: the shortest evidence that can be made from the states of a given run.
//!
//! Runs may use the states of the given one and every step of the model between them: short-cuts are
//! taken, loops left out. Claims that need no run (that no run does something, say) are shown by the
//! whole model, and so is that a path goes on from a state.

use wherefore_base::{Run, Value};
use wherefore_check::Solution;
use wherefore_logic::{Class, Goal, PathRule, class_of};
use wherefore_model::{Query, VarId};
use wherefore_proof::{Claim, Finding, Measure, Minimality, Shape, Verdict};
use wherefore_space::StateSpace;

use crate::build::{BuiltEvidence, build};
use crate::case::ProofCase;
use crate::choose::{STARTS, first_states, plan_branch};
use crate::fragment::{SearchHalt, SearchLimits};
use crate::investigate::Investigator;
use crate::search::{CountedMeasure, EvidenceSearch};

/// How much the search may look at. The states are those of a trace, so they are few; but each may be
/// tried as the start of a loop.
const SEARCH: SearchLimits = SearchLimits {
    states: 200_000,
    steps: 4_000_000,
    visits: 100_000_000,
};
/// No evidence has more steps.
const ANY_LENGTH: u32 = u32::MAX / 4;

/// What became of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shrunk {
    /// The shortest evidence made from it.
    Found(Box<Finding>),
    /// Its states show nothing about the property.
    Nothing(Missing),
    /// There are too many states to search them all.
    TooLarge,
    /// Runs of this property are not shrunk; the sentence says what would work.
    Unsupported(String),
}

/// Why states show nothing about a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missing {
    /// The property holds.
    Holds,
    /// It fails, but no evidence can be made from them: for each state that was given, whether the property is true there.
    Truth(Vec<bool>),
    /// It is one of linear time that fails, but on no run through these states only.
    NoRun,
}

/// What a search among the states of a run found.
pub(crate) enum Within<T> {
    /// The shortest evidence.
    Found(Box<BuiltEvidence<T>>),
    Nothing,
    TooLarge,
}

impl<S: StateSpace> Investigator<'_, S> {
    /// The shortest evidence for the verdict of a property, which asks this query, whose runs go through these states only.
    /// States that cannot be reached count for nothing.
    ///
    /// # Panics
    /// When the model has no property with this index.
    pub fn shrink(&self, property: usize, query: &Query, states: &[Vec<Value>]) -> Run<Shrunk> {
        let space = self.checker.space();
        space.budget().phase("checking");
        let solution = self.checker.solve(query)?;
        let failing = self.checker.failing(query, &solution)?;
        let holds = space.is_empty(&failing);
        let unfair = space.model().fairness.is_empty() || query.rule == PathRule::Reach;
        let class = class_of(&query.formula, !unfair);

        space.budget().phase("finding the states of the trace");
        let located = self.locate(states)?;
        let nothing = || match holds {
            true => Missing::Holds,
            false => Missing::Truth(self.truth(query, &solution, &located)),
        };
        let starts = match (holds, class) {
            (false, _) => failing,
            (true, Class::Existential) => self.checker.counted(query.rule)?,
            // What holds of every run has no run to shrink.
            (true, _) => return Ok(Shrunk::Nothing(nothing())),
        };
        let case = ProofCase::new(&self.checker, query, &solution);
        let mut built = match shortest_within(&case, holds, &starts, states)? {
            Within::Found(built) => *built,
            Within::Nothing => return Ok(Shrunk::Nothing(nothing())),
            Within::TooLarge => return Ok(Shrunk::TooLarge),
        };
        let length = Measure::Steps.of(&built.evidence);
        let one_run = built.evidence.shape != Shape::Tree;
        built.evidence.minimal = Minimality {
            measure: Measure::TraceSteps,
            length,
            // The branches of a tree were planned in the whole model, so of its length nothing is proved.
            at_least: if one_run { length } else { 0 },
        };
        let (evidence, decisions) = self.finish(&case, holds, built, &[])?;
        let verdict = match holds {
            true => Verdict::Holds,
            false => Verdict::Fails,
        };
        Ok(Shrunk::Found(Box::new(Finding {
            evidence: Some(evidence),
            decisions,
            ..Finding::new(property, verdict, Some(class))
        })))
    }

    /// The state with these values, for each that can be reached.
    pub(crate) fn locate(&self, states: &[Vec<Value>]) -> Run<Vec<Option<S::State>>> {
        let space = self.checker.space();
        let found = states.iter().map(|values| {
            space.budget().check()?;
            let vars = values.iter().enumerate();
            let vars: Vec<_> = vars
                .map(|(at, &value)| (VarId::new(at), vec![value]))
                .collect();
            space.first(&space.states_with(&vars)?)
        });
        found.collect()
    }

    fn truth(
        &self,
        query: &Query,
        solution: &Solution<S::Set>,
        states: &[Option<S::State>],
    ) -> Vec<bool> {
        let set = &solution.sat[query.formula.root()];
        let space = self.checker.space();
        let truth = |state: &S::State| space.contains(set, state);
        states
            .iter()
            .map(|state| state.as_ref().is_some_and(truth))
            .collect()
    }
}

/// The shortest evidence that the root of a query holds, or fails, from some states, whose runs go through states with these
/// values only; the values are those of the first variables.
pub(crate) fn shortest_within<S: StateSpace>(
    case: &ProofCase<'_, '_, S>,
    holds: bool,
    starts: &S::Set,
    values: &[Vec<Value>],
) -> Run<Within<S::State>> {
    let space = case.space;
    let mut distinct: Vec<&Vec<Value>> = values.iter().collect();
    distinct.sort();
    distinct.dedup();
    let mut within = space.nothing();
    for values in distinct {
        space.budget().check()?;
        let vars = values.iter().enumerate();
        let vars: Vec<_> = vars
            .map(|(at, &value)| (VarId::new(at), vec![value]))
            .collect();
        within = space.join(&within, &space.states_with(&vars)?)?;
    }
    let starts = space.meet(starts, &within)?;
    let (starts, _) = first_states(space, &starts, STARTS)?;

    space.budget().phase("looking for the shortest evidence");
    let sub = case.query.formula.root();
    let claim = Claim::Formula(Goal { sub, holds }, None);
    let mut search = EvidenceSearch::within(case, SEARCH, within);
    let spots: Vec<_> = starts.iter().map(|state| search.spot(state)).collect();
    let found = match search.best_from(claim, &spots, ANY_LENGTH) {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(Within::Nothing),
        Err(SearchHalt::Exhausted) => return Ok(Within::TooLarge),
        Err(SearchHalt::Stop(stop)) => return Err(stop),
    };
    let start = search.state(found.start).clone();
    let planner =
        |claim: Claim, state: &S::State| plan_branch(case, claim, state, CountedMeasure::Steps);
    let built = build(case, claim, &start, &found.plan, &planner)?;
    Ok(Within::Found(Box::new(built)))
}
