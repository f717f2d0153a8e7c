//! From a property to everything there is to say about it.

use std::time::Duration;

use num_bigint::BigUint;
use wherefore_base::{Budget, Run};
use wherefore_check::{Checker, Replacement, Solution, Strengthened, vacuity};
use wherefore_logic::{Class, Goal, Kernel, PathRule, Quantifier, class_of};
use wherefore_model::{Model, PropertyBody, Query, VarId};
use wherefore_space::{Rings, StateSpace};

use crate::abstraction::{AbstractOptions, Abstracted, Abstraction, NoAbstract};
use crate::build::Built;
use crate::case::Case;
use crate::costs::{Cheapest, Loops};
use crate::decide::{Decision, decisions};
use crate::exploration::{Exploration, Exploring};
use crate::fragment::{Halt, SearchLimits};
use crate::measure::Measure;
use crate::minimal::least;
use crate::plan::PlanRef;
use crate::replay::replay;
use crate::search::{Counted, Search};
use crate::several::{More, Several};
use crate::strategy::{Rules, Shortest, Strategy};
use crate::tell::Told;
use crate::types::{
    Claim, Evidence, Finding, Minimality, Note, Replay, SpaceSummary, UnknownReason, Vacuity,
    Verdict, Witness,
};

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

/// What to find out besides the verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Why a property fails, or why an existential one holds.
    pub evidence: bool,
    /// Whether every part of a property that holds matters.
    pub vacuity: bool,
    /// For a universal property that holds, a run on which it matters.
    pub witness: bool,
    /// What evidence has as few of as possible.
    pub minimal: Measure,
    /// State variables that the environment chooses the next values of; inputs are always its choice.
    pub environment: Vec<VarId>,
    /// All shortest evidence at once, and which of it.
    pub abstraction: Option<AbstractOptions>,
    /// How long the proof of each evidence may grow; what is not shown then stays open.
    pub evidence_time: Option<Duration>,
    /// How much evidence.
    pub several: Several,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            evidence: true,
            vacuity: true,
            witness: false,
            minimal: Measure::default(),
            environment: vec![],
            abstraction: None,
            evidence_time: None,
            several: Several::default(),
        }
    }
}

/// Answers the properties of a model over one of its state spaces.
pub struct Investigator<'s, S: StateSpace> {
    pub(crate) checker: Checker<'s, S>,
    summary: SpaceSummary,
}

impl<'s, S: StateSpace> Investigator<'s, S> {
    /// An investigator over a space.
    pub fn new(space: &'s S) -> Run<Self> {
        let checker = Checker::new(space)?;
        let summary = summarise(&checker)?;
        Ok(Self { checker, summary })
    }

    /// How large the space is, and what every property is subject to.
    pub fn summary(&self) -> &SpaceSummary {
        &self.summary
    }

    /// The model.
    pub fn model(&self) -> &Model {
        self.checker.space().model()
    }

    /// Everything about a property of the model, given by its index.
    ///
    /// # Panics
    /// When the model has no property with this index.
    pub fn investigate(&self, property: usize, options: &Options) -> Finding {
        self.investigate_with(property, options, &mut Shortest)
    }

    /// Everything about a property of the model, given by its index, with evidence as a strategy
    /// chooses it.
    ///
    /// # Panics
    /// When the model has no property with this index.
    pub fn investigate_with(
        &self,
        property: usize,
        options: &Options,
        strategy: &mut dyn Strategy,
    ) -> Finding {
        let mut finding = Finding {
            property,
            verdict: Verdict::Unknown(UnknownReason::Unsupported(String::new())),
            class: None,
            vacuity: Vacuity::NotChecked,
            evidence: None,
            abstraction: None,
            more: More::default(),
            witness: None,
            decisions: vec![],
            notes: vec![],
        };
        let space = self.checker.space();
        match &space.model().properties[property].body {
            PropertyBody::Unsupported(why) => {
                finding.verdict = Verdict::Unknown(UnknownReason::Unsupported(why.clone()));
            }
            PropertyBody::Query(query) => {
                let unfair = space.model().fairness.is_empty() || query.rule == PathRule::Reach;
                finding.class = Some(class_of(&query.formula, !unfair));
                // What was found before time ran out stays found.
                if let Err(stop) = self.answer(query, options, strategy, &mut finding)
                    && matches!(finding.verdict, Verdict::Unknown(_))
                {
                    finding.verdict = Verdict::Unknown(UnknownReason::Stopped(stop));
                }
            }
        }
        finding
    }

    /// Lets somebody explore the proof of a property of the model, given by its index, rule by rule.
    /// Returns the verdict, or why there is none; a property that holds only because no initial state
    /// counts has no proof, and nobody is asked.
    ///
    /// # Errors
    /// When the budget ends, or the visitor says so.
    ///
    /// # Panics
    /// When the model has no property with this index.
    pub fn explain(
        &self,
        property: usize,
        rules: Rules,
        visit: &mut dyn FnMut(bool, &mut dyn Exploring) -> Run<()>,
    ) -> Run<Verdict> {
        let space = self.checker.space();
        let query = match &space.model().properties[property].body {
            PropertyBody::Query(query) => query,
            PropertyBody::Unsupported(why) => {
                return Ok(Verdict::Unknown(UnknownReason::Unsupported(why.clone())));
            }
        };
        space.budget().phase("checking");
        let solution = self.checker.solve(query)?;
        let failing = self.checker.failing(query, &solution)?;
        let holds = space.is_empty(&failing);
        let starts = match holds {
            true => self.checker.counted(query.rule)?,
            false => failing,
        };
        let verdict = match holds {
            true => Verdict::Holds,
            false => Verdict::Fails,
        };
        if space.is_empty(&starts) {
            return Ok(verdict);
        }
        let case = Case::new(&self.checker, query, &solution);
        let sub = query.formula.root();
        let claim = Claim::Formula(Goal { sub, holds }, None);
        let starts = case.liked_starts(&starts, &rules)?;
        let (start, _) = quick_start(&case, claim, &starts)?;
        let planner =
            |claim: Claim, state: &S::State| plan_branch(&case, claim, state, Counted::Steps);
        let mut exploration = Exploration::new(&case, claim, &start, &planner, rules);
        visit(holds, &mut exploration)?;
        Ok(verdict)
    }

    fn answer(
        &self,
        query: &Query,
        options: &Options,
        strategy: &mut dyn Strategy,
        finding: &mut Finding,
    ) -> Run<()> {
        let space = self.checker.space();
        space.budget().phase("checking");
        let solution = self.checker.solve(query)?;
        let failing = self.checker.failing(query, &solution)?;
        let holds = space.is_empty(&failing);
        finding.verdict = if holds {
            Verdict::Holds
        } else {
            Verdict::Fails
        };
        finding.notes = self.notes(query.rule)?;

        let counted = self.checker.counted(query.rule)?;
        let existential = finding.class == Some(Class::Existential);
        if !holds && options.evidence {
            let (evidence, decisions) =
                self.evidence(query, options, &solution, strategy, false, &failing)?;
            finding.evidence = Some(evidence);
            finding.decisions = decisions;
            self.parts(query, &solution, options, finding)?;
            self.others(query, &solution, options, &failing, finding)?;
        }
        if !holds && let Some(wish) = &options.abstraction {
            finding.abstraction = Some(self.abstracted(query, &solution, false, &failing, wish));
        }
        if !holds || space.is_empty(&counted) {
            return Ok(());
        }
        if existential {
            if options.evidence {
                let (evidence, _) =
                    self.evidence(query, options, &solution, strategy, true, &counted)?;
                finding.evidence = Some(evidence);
                self.others(query, &solution, options, &counted, finding)?;
            }
            if let Some(wish) = &options.abstraction {
                finding.abstraction = Some(self.abstracted(query, &solution, true, &counted, wish));
            }
            return Ok(());
        }
        if options.vacuity || options.witness {
            space.budget().phase("looking for parts that do not matter");
            let strengthened = vacuity(&self.checker, query, &solution)?;
            finding.vacuity = match &strengthened {
                Some(Strengthened::StillHolds(sub)) => Vacuity::Vacuous { sub: *sub },
                Some(Strengthened::Fails(_)) => Vacuity::Matters,
                None => Vacuity::NotChecked,
            };
            if let (true, Some(Strengthened::Fails(Some(stronger)))) =
                (options.witness, strengthened)
            {
                finding.witness = Some(self.witness(query, options, stronger)?);
            }
        }
        Ok(())
    }

    /// All shortest counterexamples of a property that fails, or all shortest witnesses of an
    /// existential one that holds; `None` when there is neither.
    ///
    /// # Panics
    /// When the model has no property with this index.
    pub fn abstraction(
        &self,
        property: usize,
        options: &AbstractOptions,
    ) -> Run<Option<Result<Abstraction<'s, S>, NoAbstract>>> {
        let space = self.checker.space();
        let PropertyBody::Query(query) = &space.model().properties[property].body else {
            return Ok(None);
        };
        let solution = self.checker.solve(query)?;
        let failing = self.checker.failing(query, &solution)?;
        let holds = space.is_empty(&failing);
        let starts = match holds {
            true => self.checker.counted(query.rule)?,
            false => failing,
        };
        let fair = !space.model().fairness.is_empty() && query.rule != PathRule::Reach;
        let existential = class_of(&query.formula, fair) == Class::Existential;
        if space.is_empty(&starts) || holds && !existential {
            return Ok(None);
        }
        let case = Case::new(&self.checker, query, &solution);
        let sub = query.formula.root();
        Abstraction::new(&case, Goal { sub, holds }, &starts, options).map(Some)
    }

    /// What becomes of the wish for all shortest evidence at once.
    fn abstracted(
        &self,
        query: &Query,
        solution: &Solution<S::Set>,
        holds: bool,
        starts: &S::Set,
        options: &AbstractOptions,
    ) -> Abstracted {
        let case = Case::new(&self.checker, query, solution);
        let sub = query.formula.root();
        match Abstraction::new(&case, Goal { sub, holds }, starts, options) {
            Ok(Ok(abstraction)) => Abstracted::Run(abstraction.into_run()),
            Ok(Err(why)) => Abstracted::None(why),
            Err(stop) => Abstracted::Stopped(stop),
        }
    }

    /// The checker it asks.
    pub fn checker(&self) -> &Checker<'s, S> {
        &self.checker
    }

    /// The counterexample of a property with one part replaced.
    fn witness(&self, query: &Query, options: &Options, stronger: Replacement) -> Run<Witness> {
        let query = Query {
            formula: stronger.formula,
            ..query.clone()
        };
        let solution = self.checker.solve(&query)?;
        let failing = self.checker.failing(&query, &solution)?;
        let (evidence, _) =
            self.evidence(&query, options, &solution, &mut Shortest, false, &failing)?;
        Ok(Witness {
            query,
            replaced: stronger.replaced,
            by: stronger.by,
            evidence,
        })
    }

    /// What a verdict under this rule is subject to, besides what the summary says.
    fn notes(&self, rule: PathRule) -> Run<Vec<Note>> {
        let space = self.checker.space();
        if !rule.skips_initial_states_without_path() || space.is_empty(space.initial()) {
            return Ok(vec![]);
        }
        let fair = self.checker.with_path(rule)?;
        if space.is_empty(fair) {
            return Ok(vec![Note::NoFairState]);
        }
        let skipped = space.minus(space.initial(), fair)?;
        Ok(match space.first(&skipped)? {
            Some(least) => {
                let count = space.count(&skipped)?;
                vec![Note::UnfairInitialStates(count, space.values(&least))]
            }
            None => vec![],
        })
    }

    /// Evidence that the query holds (or fails) at one of the starts, where it does, and where its runs
    /// had a choice.
    pub(crate) fn evidence(
        &self,
        query: &Query,
        options: &Options,
        solution: &Solution<S::Set>,
        strategy: &mut dyn Strategy,
        holds: bool,
        starts: &S::Set,
    ) -> Run<(Evidence, Vec<Decision>)> {
        let space = self.checker.space();
        let patience = options
            .evidence_time
            .map(|time| space.budget().within(time));
        space.budget().phase("looking for the shortest evidence");
        let case = Case::new(&self.checker, query, solution);
        let sub = query.formula.root();
        let claim = Claim::Formula(Goal { sub, holds }, None);
        let built = match strategy.has_opinions() || patience.is_some() {
            true => chosen(&case, claim, starts, options.minimal, strategy, patience)?,
            false => least(&case, claim, starts, options.minimal)?,
        };
        self.finish(&case, holds, built, &options.environment)
    }

    /// Replays an evidence and says where its runs had a choice.
    pub(crate) fn finish(
        &self,
        case: &Case<'_, '_, S>,
        holds: bool,
        built: Built<S::State>,
        environment: &[VarId],
    ) -> Run<(Evidence, Vec<Decision>)> {
        let (space, query) = (case.space, case.query);
        let mut evidence = built.evidence;
        let decisions = decisions(case, &evidence, &built.states, environment)?;
        space.budget().phase("replaying the evidence");
        evidence.replay = replay(space.model(), query, holds, &evidence, space.budget())?;
        Ok((evidence, decisions))
    }
}

fn summarise<S: StateSpace>(checker: &Checker<'_, S>) -> Run<SpaceSummary> {
    let space = checker.space();
    let mut notes = Vec::new();
    if space.is_empty(space.initial()) {
        notes.push(Note::NoInitialState);
    }
    let dead = checker.dead()?;
    if !space.is_empty(dead) {
        let (distance, nearest) = nearest(space, dead)?;
        notes.push(Note::Deadlocks {
            count: space.count(dead)?,
            nearest: space.values(&nearest),
            distance,
        });
    }
    Ok(SpaceSummary {
        engine: space.engine(),
        states: space.count(space.reachable())?,
        transitions: space.transitions(),
        initial: space.count(space.initial())?,
        notes,
    })
}

/// The least of the states of a non-empty set that are nearest to the initial states.
fn nearest<S: StateSpace>(space: &S, goal: &S::Set) -> Run<(u32, S::State)> {
    let mut seen = space.initial().clone();
    let mut layer = seen.clone();
    let mut distance = 0;
    loop {
        space.budget().check()?;
        if let Some(state) = space.first(&space.meet(&layer, goal)?)? {
            return Ok((distance, state));
        }
        layer = space.minus(&space.post(&layer)?, &seen)?;
        assert!(!space.is_empty(&layer), "the goal is reachable");
        seen = space.join(&seen, &layer)?;
        distance += 1;
    }
}

/// The evidence as a strategy chooses it, as far as it grows before patience ends.
fn chosen<S: StateSpace>(
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
fn quick_start<S: StateSpace>(
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
    let all = space.count(set)? <= BigUint::from(most);
    let mut states = Vec::new();
    let mut left = set.clone();
    while states.len() < most
        && let Some(state) = space.first(&left)?
    {
        left = space.minus(&left, &space.just(&state)?)?;
        states.push(state);
    }
    Ok((states, all))
}

/// A verdict rests on evidence that failed its replay: a bug of ours.
pub fn is_broken(finding: &Finding) -> bool {
    let evidences = finding.evidences().map(|evidence| &evidence.replay);
    let abstracted = match &finding.abstraction {
        Some(Abstracted::Run(run)) => Some(&run.replay),
        _ => None,
    };
    evidences
        .chain(abstracted)
        .any(|replay| matches!(replay, Replay::Failed(_)))
}
