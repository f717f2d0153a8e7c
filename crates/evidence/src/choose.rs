//! Where an evidence starts and which choices it makes: a quick plan, the least one that a search finds,
//! or whatever a strategy likes.

use wherefore_base::{Budget, Run};
use wherefore_logic::{Kernel, Quantifier};
use wherefore_space::{Rings, StateSpace};

use crate::build::Built;
use crate::case::Case;
use crate::costs::{Cheapest, Loops};
use crate::exploration::{Exploration, Exploring};
use crate::fragment::{Halt, SearchLimits};
use crate::measure::Measure;
use crate::plan::PlanRef;
use crate::search::{Counted, Search};
use crate::strategy::{Rules, Strategy};
use crate::tell::Told;
use crate::types::{Claim, Minimality};

/// How much the search for the shortest evidence may look at.
const MAIN_SEARCH: SearchLimits = SearchLimits {
    states: 4_000,
    steps: 200_000,
    visits: 4_000_000,
};
/// The same for each branch.
const BRANCH_SEARCH: SearchLimits = SearchLimits {
    states: 1_000,
    steps: 50_000,
    visits: 1_000_000,
};
/// A path may start in any of so many initial states; of more, the first are tried.
pub(crate) const STARTS: usize = 4096;

/// The evidence as a strategy chooses it, as far as it grows before patience ends.
pub(crate) fn chosen<S: StateSpace>(
    case: &Case<'_, '_, S>,
    claim: Claim,
    starts: &S::Set,
    measure: Measure,
    strategy: &mut dyn Strategy,
    patience: Option<Budget>,
) -> Run<Built<S::State>> {
    let mut rules = Rules::default();
    strategy.init(&mut rules)?;
    let liked = case.liked_starts(starts, &rules)?;
    let hurried = patience
        .as_ref()
        .is_some_and(|patience| patience.check().is_err());
    let choice = match hurried {
        true => quick_choice(case, claim, &liked)?,
        false => choose(case, claim, &liked, Counted::Steps)?,
    };
    let planner = |claim: Claim, state: &S::State| plan_branch(case, claim, state, Counted::Steps);
    let mut exploration = Exploration::new(case, claim, &choice.start, &planner, rules);
    exploration.plan(&choice.plan);
    exploration.wait_no_longer_than(patience);
    exploration.grow(strategy, usize::MAX)?;
    let Told {
        mut evidence,
        states,
        ..
    } = exploration.tell()?;
    let length = measure.of(&evidence);
    // Nobody looked for the least evidence; what is known of any run from the same starts stays known.
    let open = evidence.proof.iter().any(|node| node.rule.is_none());
    let most = if open {
        length.saturating_sub(1)
    } else {
        length
    };
    let one_run = matches!(claim, Claim::Formula(goal, _) if case.is_one_run(goal));
    let least = match choice.proved && one_run {
        true => choice.plan.cost().steps,
        false => choice.at_least,
    };
    let at_least = match measure == Measure::Steps && liked == *starts {
        true => least.min(most),
        false => 0,
    };
    evidence.minimal = Minimality {
        measure,
        length,
        at_least,
    };
    Ok(Built {
        evidence,
        states,
        branches_shortest: false,
    })
}

/// Where the evidence starts and which choices it makes.
pub(crate) struct Chosen<T> {
    pub(crate) start: T,
    pub(crate) plan: PlanRef<T>,
    /// Whether it is known to be least.
    pub(crate) proved: bool,
    /// How many steps any plan has at least.
    pub(crate) at_least: u32,
}

/// The least plan from any of the starts, as far as the search gets; otherwise a quick one.
pub(crate) fn choose<S: StateSpace>(
    case: &Case<'_, '_, S>,
    claim: Claim,
    starts: &S::Set,
    counted: Counted,
) -> Run<Chosen<S::State>> {
    let mut quick = quick_choice(case, claim, starts)?;
    quick.proved &= counted == Counted::Steps;
    let mut search = Search::new(case, counted, MAIN_SEARCH);
    let (listed, all_listed) = first_states(case.space, starts, STARTS)?;
    let spots: Vec<_> = listed.iter().map(|state| search.spot(state)).collect();
    match search.best_from(claim, &spots, quick.plan.cost().steps) {
        Ok(Some(found)) => {
            quick.start = search.state(found.start).clone();
            quick.proved |= all_listed;
            quick.plan = found.plan;
        }
        Ok(None) | Err(Halt::Exhausted) => {}
        Err(Halt::Stop(stop)) => return Err(stop),
    }
    Ok(quick)
}

/// The shorter of two plans made without search, and how short any plan can be.
fn quick_choice<S: StateSpace>(
    case: &Case<'_, '_, S>,
    claim: Claim,
    starts: &S::Set,
) -> Run<Chosen<S::State>> {
    let (start, at_least) = quick_start(case, claim, starts)?;
    let plan = case.greedy(claim, &start)?;
    let mut choice = Chosen {
        start,
        plan,
        proved: false,
        at_least,
    };
    let Claim::Formula(goal, _) = claim else {
        return Ok(choice);
    };
    let most = choice.plan.cost().steps;
    let resting = case.cheapest_start(goal, Loops::Resting, starts, most)?;
    let longer = case.cheapest_start(goal, Loops::Longer, starts, most)?;
    if let (Some(resting), Some(longer)) = (&resting, &longer) {
        let least = resting.at_least().min(longer.at_least());
        choice.at_least = choice.at_least.max(least.min(most));
    }
    if let Some(Cheapest::Steps(steps, nearest)) = resting
        && steps < most
    {
        let start = case.space.first(&nearest)?;
        choice.start = start.expect("the cheapest starts are not empty");
        choice.plan = case.layered(goal, &choice.start)?;
    }
    choice.proved = choice.plan.cost().steps == choice.at_least;
    Ok(choice)
}

/// A plan for a branch, and whether it is known to be least.
pub(crate) fn plan_branch<S: StateSpace>(
    case: &Case<'_, '_, S>,
    claim: Claim,
    state: &S::State,
    counted: Counted,
) -> Run<(PlanRef<S::State>, bool)> {
    let quick = case.greedy(claim, state)?;
    if claim == Claim::HasPath {
        return Ok((quick, false));
    }
    let mut search = Search::new(case, counted, BRANCH_SEARCH);
    let spot = search.spot(state);
    match search.best_from(claim, &[spot], quick.cost().steps) {
        Ok(Some(found)) => Ok((found.plan, true)),
        Ok(None) | Err(Halt::Exhausted) => Ok((quick, false)),
        Err(Halt::Stop(stop)) => Err(stop),
    }
}

/// A start from which the first path of the claim is shortest, and how many steps any evidence needs
/// at least.
pub(crate) fn quick_start<S: StateSpace>(
    case: &Case<'_, '_, S>,
    claim: Claim,
    starts: &S::Set,
) -> Run<(S::State, u32)> {
    let space = case.space;
    let mut claim = claim;
    while let Claim::Formula(goal, _) = claim {
        match case.kernel(goal) {
            Kernel::Branches(branches) if branches.len() == 1 => {
                let mut needing = branches[0].iter().filter(|&&goal| case.needs_steps(goal));
                match (needing.next(), needing.next()) {
                    (Some(&goal), None) => claim = Claim::Formula(goal, None),
                    _ => break,
                }
            }
            Kernel::Path(pattern) if pattern.quantifier == Quantifier::Exists => {
                let path = case.path(claim)?;
                let mut distance = 0;
                while let Some(ring) = path.rings.ring(distance) {
                    if let Some(state) = space.first(&space.meet(&ring, starts)?)? {
                        return Ok((state, distance + case.least_end(&pattern)));
                    }
                    distance += 1;
                }
                break;
            }
            _ => break,
        }
    }
    let first = space.first(starts)?;
    Ok((first.expect("evidence starts somewhere"), 0))
}

/// The first states of a set in order, at most `most`, and whether these are all.
pub(crate) fn first_states<S: StateSpace>(
    space: &S,
    set: &S::Set,
    most: usize,
) -> Run<(Vec<S::State>, bool)> {
    let mut listed = space.listed(set);
    let states = listed.by_ref().take(most).collect::<Run<Vec<_>>>()?;
    let all = listed.next().transpose()?.is_none();
    Ok((states, all))
}
