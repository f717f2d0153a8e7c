//! From a property to everything there is to say about it.

use std::time::Duration;

use num_bigint::BigUint;
use wherefore_base::Run;
use wherefore_check::{Checker, Replacement, Solution, Strengthened, vacuity};
use wherefore_logic::{Class, Formula, Goal, Kernel, PathRule, Quantifier, class_of, kernel};
use wherefore_model::{Model, PropertyBody, Query, VarId};
use wherefore_proof::certificate::{Certified, NoCertificate, Recheck};
use wherefore_proof::{
    AbstractOptions, Abstracted, Claim, Decision, Evidence, Finding, Measure, NoAbstract, Note,
    PropertyWitness, Replay, SpaceSummary, UnknownReason, Vacuity, Verdict, Why, WishOutcome,
};
use wherefore_replay::{Walked, replay_with};
use wherefore_space::StateSpace;

use crate::abstraction::Abstraction;
use crate::build::BuiltEvidence;
use crate::case::ProofCase;
use crate::certificate::{produce, why};
use crate::choose::{choose, chosen, plan_branch, wished_plan};
use crate::decide::decisions;
use crate::exploration::{Exploration, Exploring, WishSlot};
use crate::minimal::{least, name_product_steps};
use crate::search::CountedMeasure;
use crate::several::SeveralOptions;
use crate::strategy::{Rules, Shortest, Strategy};

/// What to find out besides the verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvidenceOptions {
    /// Why a property fails, or why an existential one holds.
    pub evidence: bool,
    /// Whether every part of a property that holds matters.
    pub vacuity: bool,
    /// For a universal property that holds, a run on which it matters.
    pub witness: bool,
    /// For a property that holds, a certificate.
    pub certificate: bool,
    /// For a property that holds, why, for people.
    pub why: bool,
    /// What evidence has as few of as possible.
    pub minimal: Measure,
    /// State variables that the environment chooses the next values of; inputs are always its choice.
    pub environment: Vec<VarId>,
    /// All shortest evidence at once, and which of it.
    pub abstraction: Option<AbstractOptions>,
    /// How long the proof of each evidence may grow; what is not shown then stays open.
    pub evidence_time: Option<Duration>,
    /// How much evidence.
    pub several: SeveralOptions,
}

impl Default for EvidenceOptions {
    fn default() -> Self {
        Self {
            evidence: true,
            vacuity: true,
            witness: false,
            certificate: false,
            why: false,
            minimal: Measure::default(),
            environment: vec![],
            abstraction: None,
            evidence_time: None,
            several: SeveralOptions::default(),
        }
    }
}

/// An evidence, with where its runs had a choice and what became of the wishes that it was chosen by.
pub(crate) struct ShownEvidence {
    pub(crate) evidence: Evidence,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) wishes: Vec<WishOutcome>,
}

/// Answers the properties of a model over one of its state spaces.
pub struct Investigator<'s, S: StateSpace> {
    pub(crate) checker: Checker<'s, S>,
    summary: SpaceSummary,
    walked: Walked,
    /// How many variables of a state make runs different: all, or those that the model of a product has.
    pub(crate) own_vars: usize,
}

impl<'s, S: StateSpace> Investigator<'s, S> {
    /// An investigator over a space.
    pub fn new(space: &'s S) -> Run<Self> {
        let checker = Checker::new(space)?;
        let summary = summarise(&checker)?;
        // With one initial state all reachable states follow from it; with several, fewer may follow from
        // each.
        let following = match summary.initial == 1_u32.into() {
            true => usize::try_from(&summary.states).unwrap_or(usize::MAX),
            false => 0,
        };
        Ok(Self {
            checker,
            summary,
            walked: Walked::following(following),
            own_vars: space.model().state_vars(),
        })
    }

    /// An investigator over the product of a model with so many variables in its states and a tableau. Nothing is said of
    /// the size of the product.
    pub(crate) fn of_product(space: &'s S, own_vars: usize) -> Run<Self> {
        Ok(Self {
            checker: Checker::new(space)?,
            summary: SpaceSummary {
                engine: space.engine(),
                states: BigUint::ZERO,
                transitions: None,
                symmetries: 0,
                initial: BigUint::ZERO,
                notes: vec![],
            },
            walked: Walked::default(),
            own_vars,
        })
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
    pub fn investigate(&self, property: usize, options: &EvidenceOptions) -> Finding {
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
        options: &EvidenceOptions,
        strategy: &mut dyn Strategy,
    ) -> Finding {
        let mut finding = unanswered(property);
        let space = self.checker.space();
        match &space.model().properties[property].body {
            PropertyBody::Unsupported(why) => {
                finding.verdict = Verdict::Unknown(UnknownReason::Unsupported(why.clone()));
            }
            PropertyBody::Linear(_) => {
                finding.verdict = Verdict::Unknown(UnknownReason::Unsupported(LINEAR.into()));
            }
            PropertyBody::Distance(distance) => {
                self.measure(*distance, &mut finding);
                if options.certificate && finding.verdict == Verdict::Holds {
                    finding.certificate = Some(Certified::None(NoCertificate::Quantity));
                }
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
            PropertyBody::Linear(_) | PropertyBody::Distance(_) => {
                return Ok(Verdict::Unknown(UnknownReason::Unsupported(LINEAR.into())));
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
        if self.rests_on_no_run(query, &solution)? {
            return Ok(verdict);
        }
        let case = ProofCase::new(&self.checker, query, &solution);
        let sub = query.formula.root();
        let claim = Claim::Formula(Goal { sub, holds }, None);
        let slot = WishSlot::default();
        let fair = !space.model().fairness.is_empty() && query.rule != PathRule::Reach;
        let existential = class_of(&query.formula, fair) == Class::Existential;
        if holds && !existential && !claims_existence(&query.formula) {
            // No evidence is shown of it elsewhere that this could differ from.
            let choice = choose(&case, claim, &starts, CountedMeasure::Steps)?;
            let planner = |claim: Claim, state: &S::State| match wished_plan(&slot, claim, state)? {
                Some(plan) => Ok((plan, false)),
                None => plan_branch(&case, claim, state, CountedMeasure::Steps),
            };
            let usual = (&choice.start, Some(&choice.plan));
            let mut exploration = Exploration::new(&case, claim, &starts, usual, &slot, &planner);
            exploration.set_rules(rules)?;
            visit(holds, &mut exploration)?;
            return Ok(verdict);
        }
        // The same evidence that is shown without an exploration, unless somebody chooses otherwise.
        let least = least(&case, claim, &starts, Measure::Steps)?;
        let planner = |claim: Claim, state: &S::State| match wished_plan(&slot, claim, state)? {
            Some(plan) => Ok((plan, false)),
            None => least.branch(&case, claim, state),
        };
        let usual = (&least.start, Some(&least.plan));
        let mut exploration = Exploration::new(&case, claim, &starts, usual, &slot, &planner);
        exploration.set_least(least.built.evidence.minimal.clone());
        exploration.set_rules(rules)?;
        visit(holds, &mut exploration)?;
        Ok(verdict)
    }

    fn answer(
        &self,
        query: &Query,
        options: &EvidenceOptions,
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
        finding.notes = self.notes(query.rule, &|| self.rests_on_paths(query, &solution))?;
        if options.vacuity
            && let Some(otherwise) = self.with_deadlocks(query, holds)?
        {
            finding.notes.push(Note::DeadlocksMatter(otherwise));
        }

        if holds && options.certificate {
            finding.certificate = Some(produce(&self.checker, query, &solution, false));
        }
        // A verdict that rests on the lack of runs has no run to show.
        if self.rests_on_no_run(query, &solution)? {
            return Ok(());
        }
        let counted = self.checker.counted(query.rule)?;
        let existential = finding.class == Some(Class::Existential);
        let witnessed = existential || claims_existence(&query.formula);
        if !holds && options.evidence {
            let shown = self.evidence(query, options, &solution, strategy, false, &failing)?;
            finding.evidence = Some(shown.evidence);
            finding.decisions = shown.decisions;
            finding.wishes = shown.wishes;
            self.parts(query, &solution, options, finding)?;
            self.others(query, &solution, options, &failing, finding)?;
        }
        if !holds && let Some(wish) = &options.abstraction {
            finding.abstraction = Some(self.abstracted(query, &solution, false, &failing, wish));
        }
        if !holds || space.is_empty(&counted) {
            return Ok(());
        }
        if witnessed && options.evidence {
            let shown = self.evidence(query, options, &solution, strategy, true, &counted)?;
            finding.evidence = Some(shown.evidence);
            finding.wishes = shown.wishes;
            self.others(query, &solution, options, &counted, finding)?;
        }
        if existential {
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

    /// Why a property of the model holds, given by its index, within a counted effort; `None` when it does not hold, or is
    /// a number of steps.
    ///
    /// # Errors
    /// When the budget ends before the property is decided.
    ///
    /// # Panics
    /// When the model has no property with this index.
    pub fn why(&self, property: usize) -> Run<Option<Why>> {
        let query = match &self.model().properties[property].body {
            PropertyBody::Query(query) => query.clone(),
            PropertyBody::Linear(query) => match self.model().in_ctl(query) {
                Some(query) => query,
                None => return Ok(Some(Why::NotShown(NoCertificate::Runs))),
            },
            PropertyBody::Distance(_) | PropertyBody::Unsupported(_) => return Ok(None),
        };
        let space = self.checker.space();
        space.budget().phase("checking");
        let solution = self.checker.solve(&query)?;
        let failing = self.checker.failing(&query, &solution)?;
        if !space.is_empty(&failing) {
            // A formula of CTL that implies one of linear time may fail where that holds.
            let linear = matches!(
                self.model().properties[property].body,
                PropertyBody::Linear(_)
            );
            return Ok(linear.then_some(Why::NotShown(NoCertificate::Runs)));
        }
        Ok(Some(why(&self.checker, &query, &solution, &self.walked)))
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
        let case = ProofCase::new(&self.checker, query, &solution);
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
        let case = ProofCase::new(&self.checker, query, solution);
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
    fn witness(
        &self,
        query: &Query,
        options: &EvidenceOptions,
        stronger: Replacement,
    ) -> Run<PropertyWitness> {
        let query = Query {
            formula: stronger.formula,
            ..query.clone()
        };
        let solution = self.checker.solve(&query)?;
        let failing = self.checker.failing(&query, &solution)?;
        let shown = self.evidence(&query, options, &solution, &mut Shortest, false, &failing)?;
        let evidence = shown.evidence;
        Ok(PropertyWitness {
            query,
            replaced: stronger.replaced,
            by: stronger.by,
            evidence,
        })
    }

    /// Evidence that the query holds (or fails) at one of the starts, where it does, and where its runs
    /// had a choice.
    pub(crate) fn evidence(
        &self,
        query: &Query,
        options: &EvidenceOptions,
        solution: &Solution<S::Set>,
        strategy: &mut dyn Strategy,
        holds: bool,
        starts: &S::Set,
    ) -> Run<ShownEvidence> {
        let space = self.checker.space();
        let patience = options
            .evidence_time
            .map(|time| space.budget().within(time));
        space.budget().phase("looking for the shortest evidence");
        let case = ProofCase::new(&self.checker, query, solution);
        let sub = query.formula.root();
        let claim = Claim::Formula(Goal { sub, holds }, None);
        let mut built = match strategy.has_opinions() || patience.is_some() {
            true => chosen(
                &case,
                claim,
                starts,
                options.minimal,
                strategy,
                patience,
                false,
            )?,
            false => least(&case, claim, starts, options.minimal)?.built,
        };
        let wishes = std::mem::take(&mut built.wishes);
        let (evidence, decisions) = self.finish(&case, holds, built, &options.environment)?;
        Ok(ShownEvidence {
            evidence,
            decisions,
            wishes,
        })
    }

    /// Replays an evidence and says where its runs had a choice.
    pub(crate) fn finish(
        &self,
        case: &ProofCase<'_, '_, S>,
        holds: bool,
        built: BuiltEvidence<S::State>,
        environment: &[VarId],
    ) -> Run<(Evidence, Vec<Decision>)> {
        let (space, query) = (case.space, case.query);
        let mut evidence = built.evidence;
        name_product_steps(space.model(), &mut evidence);
        let decisions = decisions(case, &evidence, &built.states, environment)?;
        space.budget().phase("replaying the evidence");
        let (model, budget) = (space.model(), space.budget());
        evidence.replay = replay_with(&self.walked, model, query, holds, &evidence, budget)?;
        Ok((evidence, decisions))
    }
}

/// Whether a formula claims that something can happen: one of its path operators that no other one stands above is about
/// some path.
fn claims_existence(formula: &Formula) -> bool {
    let mut open = vec![Goal::holds(formula.root())];
    while let Some(goal) = open.pop() {
        match kernel(formula, goal) {
            Kernel::State => {}
            Kernel::Branches(branches) => open.extend(branches.into_iter().flatten()),
            Kernel::Step(quantifier, _) => {
                if quantifier == Quantifier::Exists {
                    return true;
                }
            }
            Kernel::Path(pattern) | Kernel::Bounded(_, pattern) => {
                if pattern.quantifier == Quantifier::Exists {
                    return true;
                }
            }
        }
    }
    false
}

/// Why this way of asking does not answer a property about runs or numbers of steps.
const LINEAR: &str = "this is decided over a product of the model, which is not built here";

/// A finding about a property of which nothing is known yet.
pub(crate) fn unanswered(property: usize) -> Finding {
    Finding::new(
        property,
        Verdict::Unknown(UnknownReason::Unsupported(String::new())),
        None,
    )
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
        symmetries: space.symmetries(),
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

/// A verdict rests on evidence that failed its replay, or on a certificate that is wrong: a bug of ours.
pub fn is_broken(finding: &Finding) -> bool {
    let evidences = finding.evidences().map(|evidence| &evidence.replay);
    let abstracted = match &finding.abstraction {
        Some(Abstracted::Run(run)) => Some(&run.replay),
        _ => None,
    };
    let mut replays = evidences.chain(abstracted);
    let certificate = match &finding.certificate {
        Some(Certified::Given { recheck, .. }) => matches!(recheck, Recheck::Broken(_)),
        _ => false,
    };
    certificate || replays.any(|replay| matches!(replay, Replay::Failed(_)))
}
