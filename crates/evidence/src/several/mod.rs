//! More than one: further runs that show the same, and the parts of a property one by one.
//!
//! That several counterexamples at once tell more than one is an observation of Chechik and Gurfinkel
//! (2005). Here the further ones are really different: `runs.rs` lists the runs of a claim in order,
//! `signature.rs` says when two of them are the same, and the ordinary prover makes evidence of each.

mod around;
mod findings;
mod runs;
mod signature;
mod spine;
mod turns;

use std::rc::Rc;

use wherefore_base::{IndexVec, Run};
use wherefore_check::{Checker, Solution};
use wherefore_logic::{FormulaPart, Goal, Kernel, SubId, parts};
use wherefore_model::{Query, TermId};
use wherefore_proof::{Claim, NoMore};
use wherefore_space::StateSpace;

use crate::case::ProofCase;
use crate::fragment::{SearchHalt, SearchLimits};
use crate::plan::{PlanEnd, PlanRef, ProofPlan};
use crate::search::{CountedMeasure, EvidenceSearch};
use runs::{ListedRun, RunEnd, RunList};
use signature::Looks;
use spine::{Spine, SpineArrival, SpineStage, has_main_run};

/// How much the search for further runs may look at.
const LIMITS: SearchLimits = SearchLimits {
    states: 4_000,
    steps: 200_000,
    visits: 4_000_000,
};

/// How many are wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeveralOptions {
    /// Evidence for each part of a property that fails.
    pub each: bool,
    /// So many runs for each claim, if there are as many.
    pub count: usize,
    /// Runs along which these expressions take the same values, one after the other, are the same.
    /// Without any, runs are the same if their states are.
    pub distinct_by: Vec<TermId>,
}

impl Default for SeveralOptions {
    fn default() -> Self {
        Self {
            each: false,
            count: 1,
            distinct_by: vec![],
        }
    }
}

/// A part of a property with its solution.
struct SolvedPart<Set> {
    query: Query,
    solution: Solution<Set>,
}

/// The parts of a query, solved; none if it has but one. What the property has in common with a part is
/// not solved again.
fn solved_parts<S: StateSpace>(
    checker: &Checker<'_, S>,
    query: &Query,
    solution: &Solution<S::Set>,
) -> Run<Vec<SolvedPart<S::Set>>> {
    let parts = parts(&query.formula);
    if parts.len() < 2 {
        return Ok(vec![]);
    }
    let solve = |FormulaPart { formula, origin }| {
        let query = Query {
            formula,
            ..query.clone()
        };
        let mut solved = Solution {
            sat: IndexVec::new(),
        };
        for (sub, origin) in origin.entries() {
            let set = match origin {
                Some(origin) => solution.sat[*origin].clone(),
                None => checker.sat(&query, &solved, sub)?,
            };
            solved.sat.push(set);
        }
        Ok(SolvedPart {
            query,
            solution: solved,
        })
    };
    parts.into_iter().map(solve).collect()
}

/// Where a further run starts, and its plan.
type Further<T> = (T, PlanRef<T>);

/// The further runs of a claim one by one, besides one that is known.
struct FurtherRuns<'c, 's, S: StateSpace> {
    runs: RunList<'c, 's, S>,
    /// Whether there are starts that were not looked at.
    cut: bool,
    /// Whether runs may differ without being told apart.
    distinct: bool,
}

impl<'c, 's, S: StateSpace> FurtherRuns<'c, 's, S> {
    /// The runs of a goal from these starts, where it is so; inside, why there are none.
    fn new(
        case: &'c ProofCase<'c, 's, S>,
        goal: Goal,
        starts: &[S::State],
        all_starts: bool,
        (own_vars, distinct_by): (usize, &'c [TermId]),
    ) -> Run<Result<Self, NoMore>> {
        if !has_main_run(case, goal) {
            return Ok(Err(NoMore::NoMainRun));
        }
        let looks = Looks::new(case.space, own_vars, distinct_by);
        let spine = Spine::new(EvidenceSearch::new(case, CountedMeasure::Steps, LIMITS));
        match RunList::new(spine, looks, starts, goal) {
            Ok(runs) => Ok(Ok(Self {
                runs,
                cut: !all_starts,
                distinct: !distinct_by.is_empty(),
            })),
            Err(SearchHalt::Exhausted) => Ok(Err(NoMore::NotWithinSearch)),
            Err(SearchHalt::Stop(stop)) => Err(stop),
        }
    }

    /// Takes a run as known: its states, and where its last step goes back to.
    fn skip(&mut self, states: &[S::State], back: Option<usize>) {
        self.runs.skip(states, back);
    }

    /// The next run; inside, why there is none.
    fn next(&mut self) -> Run<Result<Further<S::State>, NoMore>> {
        match self.runs.next() {
            Ok(Some(told)) => Ok(Ok(self.further(&told)?)),
            Ok(None) if self.cut => Ok(Err(NoMore::NotWithinSearch)),
            Ok(None) if self.distinct => Ok(Err(NoMore::AllDistinct)),
            Ok(None) => Ok(Err(NoMore::AllFound)),
            Err(SearchHalt::Exhausted) => Ok(Err(NoMore::NotWithinSearch)),
            Err(SearchHalt::Stop(stop)) => Err(stop),
        }
    }

    fn further(&self, told: &ListedRun) -> Run<Further<S::State>> {
        let search = &self.runs.spine.search;
        let states: Vec<S::State> = told.way.iter().map(|&s| search.state(s).clone()).collect();
        let mut plan = None;
        // The last stage is planned first, since each plan holds the next one.
        for level in (0..told.stages.len()).rev() {
            plan = Some(plan_stage(search.case, told, &states, level, plan)?);
        }
        let plan = plan.expect("a run is after something");
        Ok((states[0].clone(), plan))
    }
}

/// The plan for one of the things a run is after, given the plan for the next one.
fn plan_stage<S: StateSpace>(
    case: &ProofCase<'_, '_, S>,
    told: &ListedRun,
    states: &[S::State],
    level: usize,
    inner: Option<PlanRef<S::State>>,
) -> Run<PlanRef<S::State>> {
    let (SpineStage { goal, .. }, from) = told.stages[level];
    let after = told.stages.get(level + 1);
    let here = &states[from];
    if !case.needs_steps(goal) {
        return case.greedy(Claim::Formula(goal, None), here);
    }
    let all = |goals: &[Goal], at: &S::State, inner: Option<PlanRef<S::State>>| {
        let mut plans = case.greedy_all(goals, at)?;
        let main = goals.iter().position(|&goal| case.needs_steps(goal));
        if let (Some(main), Some(inner)) = (main, inner) {
            plans[main] = inner;
        }
        Run::Ok(plans)
    };
    let plan = match case.kernel(goal) {
        Kernel::State => ProofPlan::Leaf,
        Kernel::Branches(branches) => {
            let fits = |goals: &&Vec<Goal>| {
                let main = goals.iter().find(|&&goal| case.needs_steps(goal));
                main.copied() == after.map(|(stage, _)| stage.goal)
                    && goals.iter().all(|&goal| case.is_so(goal, here))
            };
            let goals = branches.iter().find(fits);
            let goals = goals.expect("the run took a branch that is so");
            let number = branches.iter().position(|branch| branch == goals);
            let number = number.expect("the branch is one of the branches");
            ProofPlan::Branch(number, all(goals, here, inner)?)
        }
        Kernel::Step(..) => {
            let inner = inner.expect("after a step there is something to show");
            ProofPlan::Step(states[from + 1].clone(), inner)
        }
        Kernel::Path(pattern) | Kernel::Bounded(_, pattern) => {
            let goals = pattern.goal.unwrap_or_default();
            let (last, end) = match (after, told.end) {
                (Some(&(_, at)), _) => (at, PlanEnd::Goal(all(&goals, &states[at], inner)?)),
                (None, RunEnd::At(arrival)) => {
                    let last = states.len() - 1;
                    let end = match arrival {
                        SpineArrival::Goal => PlanEnd::Goal(all(&goals, &states[last], None)?),
                        SpineArrival::Deadlock => PlanEnd::Deadlock,
                        SpineArrival::Stop => PlanEnd::Stop,
                    };
                    (last, end)
                }
                // The loop is part of the last stage, so it does not begin before that stage does.
                (None, RunEnd::Loop(back)) => (states.len() - 1, PlanEnd::Loop(back - from)),
            };
            ProofPlan::Path(states[from + 1..=last].to_vec(), end)
        }
    };
    Ok(Rc::new(plan))
}

/// The root of a query as a goal.
fn root_goal(query: &Query, holds: bool) -> Goal {
    let sub: SubId = query.formula.root();
    Goal { sub, holds }
}
