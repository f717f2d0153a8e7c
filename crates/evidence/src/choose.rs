//! Where an evidence starts and which choices it makes: a quick plan, the least one that a search finds,
//! or whatever a strategy likes.

use num_bigint::BigUint;
use wherefore_base::{Budget, Run};
use wherefore_logic::{Kernel, Quantifier};
use wherefore_proof::{Claim, Measure, Minimality};
use wherefore_space::{Rings, StateSpace};

use crate::build::BuiltEvidence;
use crate::case::{Finite, ProofCase};
use crate::costs::{CheapestPlan, Loops};
use crate::exploration::{Exploration, Exploring, WishSlot};
use crate::fragment::{SearchHalt, SearchLimits};
use crate::plan::PlanRef;
use crate::search::{CountedMeasure, EvidenceSearch};
use crate::strategy::{Rules, Shortest, Strategy};
use crate::tell::ToldEvidence;

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
/// Whether a search would have to look at too much is seen from its first steps.
const FIRST_STEPS: usize = 4;
/// A path may start in any of so many initial states; of more, the first are tried.
pub(crate) const STARTS: usize = 4096;

/// The evidence as a strategy chooses it, as far as it grows before patience ends; with `whole`, what the strategy leaves
/// open is shown all the same.
pub(crate) fn chosen<S: StateSpace>(
    case: &ProofCase<'_, '_, S>,
    claim: Claim,
    starts: &S::Set,
    measure: Measure,
    strategy: &mut dyn Strategy,
    patience: Option<Budget>,
    whole: bool,
) -> Run<BuiltEvidence<S::State>> {
    let mut rules = Rules::default();
    strategy.init(&mut rules)?;
    let slot = WishSlot::default();
    let planner = |claim: Claim, state: &S::State| match wished_plan(&slot, claim, state)? {
        Some(plan) => Ok((plan, false)),
        None => plan_branch(case, claim, state, CountedMeasure::Steps),
    };
    let (start, _) = quick_start(case, claim, starts)?;
    let mut exploration = Exploration::new(case, claim, starts, (&start, None), &slot, &planner);
    exploration.set_rules(rules)?;
    let liked = exploration.liked_starts()?;
    let hurried = patience
        .as_ref()
        .is_some_and(|patience| patience.check().is_err());
    let choice = match hurried {
        true => quick_choice(case, claim, &liked)?,
        false => choose(case, claim, &liked, CountedMeasure::Steps)?,
    };
    if !exploration.is_best_known() {
        exploration.start(&choice.start, Some(&choice.plan));
    }
    exploration.wait_no_longer_than(patience);
    exploration.grow(strategy, usize::MAX)?;
    if whole {
        exploration.grow(&mut Shortest, usize::MAX)?;
    }
    let told = exploration.tell()?;
    let wishes = exploration.outcomes_of(&told)?;
    let ToldEvidence {
        mut evidence,
        states,
        ..
    } = told;
    let length = measure.of(&evidence);
    // Nobody looked for the least evidence; what is known of any run from the same starts stays known.
    let open = evidence.proof.iter().any(|node| node.rule.is_none());
    // Evidence with open obligations must not look proved least, whatever its length.
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
    // The bound counts steps, and from the starts that the strategy left: for others it says nothing.
    let at_least = match measure == Measure::Steps && liked == *starts {
        true => least.min(most),
        false => 0,
    };
    evidence.minimal = Minimality {
        measure,
        length,
        at_least,
    };
    Ok(BuiltEvidence {
        evidence,
        states,
        branches_shortest: false,
        wishes,
    })
}

/// The best plan for wishes, if there are any and it is known.
pub(crate) fn wished_plan<S: StateSpace>(
    slot: &WishSlot<'_, '_, '_, S>,
    claim: Claim,
    state: &S::State,
) -> Run<Option<PlanRef<S::State>>> {
    match slot.borrow_mut().as_mut() {
        Some(planner) => planner.plan(claim, state),
        None => Ok(None),
    }
}

/// Where the evidence starts and which choices it makes.
pub(crate) struct ChosenPlan<T> {
    pub(crate) start: T,
    pub(crate) plan: PlanRef<T>,
    /// Whether it is known to be least.
    pub(crate) proved: bool,
    /// How many steps any plan has at least.
    pub(crate) at_least: u32,
}

/// The least plan from any of the starts, as far as the search gets; otherwise a quick one.
pub(crate) fn choose<S: StateSpace>(
    case: &ProofCase<'_, '_, S>,
    claim: Claim,
    starts: &S::Set,
    counted: CountedMeasure,
) -> Run<ChosenPlan<S::State>> {
    let mut quick = quick_choice(case, claim, starts)?;
    // The bounds of the quick plan count steps; in occurrences a loop has one less.
    quick.proved &= counted == CountedMeasure::Steps;
    let limit = quick.plan.cost().steps;
    // A path without steps starts in the first state where it can, and there is nothing else to choose.
    let is_found = limit == 0 && quick.proved && first_path(case, claim).is_some();
    if is_found || is_too_wide(case, claim, starts, limit)? {
        return Ok(quick);
    }
    let mut search = EvidenceSearch::new(case, counted, MAIN_SEARCH);
    let (listed, all_listed) = first_states(case.space, starts, STARTS)?;
    let spots: Vec<_> = listed.iter().map(|state| search.spot(state)).collect();
    match search.best_from(claim, &spots, limit) {
        Ok(Some(found)) => {
            quick.start = search.state(found.start).clone();
            // A start beyond the listed ones may have a shorter plan.
            quick.proved |= all_listed;
            quick.plan = found.plan;
        }
        Ok(None) | Err(SearchHalt::Exhausted) => {}
        Err(SearchHalt::Stop(stop)) => return Err(stop),
    }
    Ok(quick)
}

/// The shorter of two plans made without search, and how short any plan can be.
fn quick_choice<S: StateSpace>(
    case: &ProofCase<'_, '_, S>,
    claim: Claim,
    starts: &S::Set,
) -> Run<ChosenPlan<S::State>> {
    let (start, at_least) = quick_start(case, claim, starts)?;
    let plan = case.greedy(claim, &start)?;
    let mut choice = ChosenPlan {
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
        // A loop is a single step or longer, so the lesser of the two bounds holds for every run.
        let least = resting.at_least().min(longer.at_least());
        choice.at_least = choice.at_least.max(least.min(most));
    }
    if let Some(CheapestPlan::Steps(steps, nearest)) = resting
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
    case: &ProofCase<'_, '_, S>,
    claim: Claim,
    state: &S::State,
    counted: CountedMeasure,
) -> Run<(PlanRef<S::State>, bool)> {
    let quick = case.greedy(claim, state)?;
    // That a path goes on is no part of the length of evidence, so any path will do.
    if claim == Claim::HasPath {
        return Ok((quick, false));
    }
    let mut search = EvidenceSearch::new(case, counted, BRANCH_SEARCH);
    let spot = search.spot(state);
    match search.best_from(claim, &[spot], quick.cost().steps) {
        Ok(Some(found)) => Ok((found.plan, true)),
        Ok(None) | Err(SearchHalt::Exhausted) => Ok((quick, false)),
        Err(SearchHalt::Stop(stop)) => Err(stop),
    }
}

/// A start from which the first path of the claim is shortest, and how many steps any evidence needs
/// at least.
pub(crate) fn quick_start<S: StateSpace>(
    case: &ProofCase<'_, '_, S>,
    claim: Claim,
    starts: &S::Set,
) -> Run<(S::State, u32)> {
    if let Some(claim) = first_path(case, claim) {
        let path = case.path(claim)?;
        let mut distance = 0;
        while let Some(ring) = path.rings.ring(distance) {
            if let Some(state) = case.space.first(&case.space.meet(&ring, starts)?)? {
                return Ok((state, distance + case.least_end(&path.pattern)));
            }
            distance += 1;
        }
    }
    let first = case.space.first(starts)?;
    Ok((first.expect("evidence starts somewhere"), 0))
}

/// The claim about a path with which every evidence for a claim begins, if there is one.
fn first_path<S: StateSpace>(case: &ProofCase<'_, '_, S>, mut claim: Claim) -> Option<Claim> {
    while let Claim::Formula(goal, _) = claim {
        match case.kernel(goal) {
            Kernel::Branches(branches) if branches.len() == 1 => {
                let mut needing = branches[0].iter().filter(|&&goal| case.needs_steps(goal));
                match (needing.next(), needing.next()) {
                    (Some(&goal), None) => claim = Claim::Formula(goal, None),
                    _ => return None,
                }
            }
            Kernel::Path(pattern) if pattern.quantifier == Quantifier::Exists => {
                return Some(claim);
            }
            _ => return None,
        }
    }
    None
}

/// Whether a search for evidence of at most `limit` steps is known to look at the successors of too many states
/// before it finds any, so that it need not begin. Its first steps are taken from all states at once to see it.
fn is_too_wide<S: StateSpace>(
    case: &ProofCase<'_, '_, S>,
    claim: Claim,
    starts: &S::Set,
    limit: u32,
) -> Run<bool> {
    let Some(claim) = first_path(case, claim) else {
        return Ok(false);
    };
    let (space, path) = (case.space, case.path(claim)?);
    let goals = path.pattern.goal.iter().flatten();
    let straight = !path.pattern.weak && !goals.copied().any(|goal| case.needs_steps(goal));
    if straight || path.finite != Finite::Never || space.count(starts)? > STARTS.into() {
        return Ok(false);
    }
    let Some(ends) = path.rings.ring(0) else {
        return Ok(false);
    };
    let (mut fresh, mut seen) = (starts.clone(), starts.clone());
    let mut looked_at = BigUint::ZERO;
    let furthest = limit.saturating_sub(case.least_end(&path.pattern));
    for near in (0..furthest).rev().take(FIRST_STEPS) {
        // At an end the search may find a plan and lower its limit, so nothing is known of it beyond.
        if !space.is_empty(&space.meet(&fresh, &ends)?) {
            break;
        }
        let stay = space.meet(&fresh, &path.sets.stay)?;
        looked_at += space.count(&stay)?;
        if looked_at > MAIN_SEARCH.states.into() {
            return Ok(true);
        }
        let next = space.minus(&space.post(&stay)?, &seen)?;
        fresh = space.nothing();
        // The search itself leaves out states too far from an end to stay within the limit.
        for ring in (0..=near).map_while(|distance| path.rings.ring(distance)) {
            fresh = space.join(&fresh, &space.meet(&ring, &next)?)?;
        }
        seen = space.join(&seen, &fresh)?;
    }
    Ok(false)
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

#[cfg(test)]
mod tests {
    use super::*;
    use wherefore_base::{SourceFile, SourceMap};
    use wherefore_check::Checker;
    use wherefore_logic::Goal;
    use wherefore_model::Model;
    use wherefore_space::symbolic::Symbolic;

    /// Three steps to the end, beside some bits that each state may have at will.
    fn model(bits: usize) -> Model {
        let bits: Vec<String> = (0..bits).map(|bit| format!("b{bit}")).collect();
        let mut text = String::from(
            "MODULE main VAR n : 0..3;\nASSIGN init(n) := 0; next(n) := n < 3 ? n + 1 : n;\n\
             SPEC AG (n = 3 -> AF b0)\n",
        );
        for bit in bits {
            text.push_str(&format!(
                "VAR {bit} : boolean; ASSIGN init({bit}) := FALSE;\n"
            ));
        }
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("model.smv", &text));
        let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited());
        loaded.expect("nobody stops this budget").model
    }

    #[test]
    fn a_search_is_called_too_wide_only_if_it_comes_to_nothing() {
        for (bits, wide) in [(2, false), (5, false), (11, true), (13, true)] {
            let model = model(bits);
            let space = Symbolic::build(&model, &Budget::unlimited()).expect("no limit");
            let checker = Checker::new(&space).expect("no limit");
            let query = model.properties[0].body.query().expect("it is one");
            let solution = checker.solve(query).expect("no limit");
            let case = ProofCase::new(&checker, query, &solution);
            let sub = query.formula.root();
            let claim = Claim::Formula(Goal { sub, holds: false }, None);
            let starts = space.initial();
            let too_wide = is_too_wide(&case, claim, starts, 4).expect("no limit");
            assert_eq!(too_wide, wide, "{bits} bits");
            let mut search = EvidenceSearch::new(&case, CountedMeasure::Steps, MAIN_SEARCH);
            let start = space
                .first(starts)
                .expect("no limit")
                .expect("there is one");
            let spot = search.spot(&start);
            let found = search.best_from(claim, &[spot], 4);
            assert_eq!(
                matches!(found, Err(SearchHalt::Exhausted)),
                wide,
                "{bits} bits"
            );
        }
    }
}
