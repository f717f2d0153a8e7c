//! Linear-time properties: a fair lasso of the product, told in the variables of the model.
//!
//! A formula of linear time fails exactly if its [`Tableau`] has a fair run from an initial state, so
//! the search for the shortest fair lasso is that of `EG TRUE` over the product. The lasso is then
//! *lifted*: of each state only the variables of the model stay, and what the tableau says of the
//! sub-formulas becomes their truth at that position.

mod decide;
mod explore;
mod walk;

use wherefore_base::{Budget, Run, Value};
use wherefore_check::{Checker, Solution, Strengthened, Tableau, strengthened};
use wherefore_logic::{Goal, PathRule, class_of, has_past};
use wherefore_model::{Model, PropertyBody, Query};
use wherefore_proof::{
    Claim, Evidence, Finding, FurtherEvidence, Measure, Minimality, More, NoMore, Occurrence,
    OccurrenceId, PartFinding, ProofId, ProofNode, Rule, Segment, SegmentEnding, Shape,
    UnknownReason, Verdict, WishBest, WishOutcome,
};
use wherefore_replay::replay;
use wherefore_space::StateSpace;

use crate::case::ProofCase;
use crate::certificate::produce;
use crate::choose::{chosen, wished_plan};
use crate::exploration::{Exploration, Exploring, WishSlot};
use crate::investigate::{EvidenceOptions, Investigator, unanswered};
use crate::minimal::least;
use crate::shrink::{Missing, Shrunk, Within, shortest_within};
use crate::strategy::{Rules, Shortest, Strategy};
use explore::{ChosenRun, RunChooser, RunExploration};

impl<S: StateSpace> Investigator<'_, S> {
    /// A linear-time property of the model, given by its index, that holds because a formula of CTL does which says
    /// the same; `None` if it fails, or there is no such formula, so that its tableau must tell.
    ///
    /// # Panics
    /// When the model has no linear-time property with this index.
    pub fn holding_without_tableau(
        &self,
        property: usize,
        options: &EvidenceOptions,
    ) -> Run<Option<Finding>> {
        // A certificate is about the product.
        if options.certificate {
            return Ok(None);
        }
        let Some(branching) = self.model().in_ctl(self.linear(property)) else {
            return Ok(None);
        };
        self.checker().space().budget().phase("checking");
        if !self.holds_everywhere(&branching)? {
            return Ok(None);
        }
        Ok(Some(Finding {
            verdict: Verdict::Holds,
            notes: self.notes(PathRule::FairInfinite, &|| Ok(true))?,
            ..self.open_linear(property)
        }))
    }

    fn linear(&self, property: usize) -> &Query {
        match &self.model().properties[property].body {
            PropertyBody::Linear(query) => query,
            _ => panic!("the property is one of linear time"),
        }
    }

    fn open_linear(&self, property: usize) -> Finding {
        let fair = !self.model().fairness.is_empty();
        Finding {
            class: Some(class_of(&self.linear(property).formula, fair)),
            ..unanswered(property)
        }
    }

    /// Everything about a linear-time property of the model, given by its index, over the space of its
    /// tableau. Whether its parts matter is another question: [`Investigator::linear_vacuity`].
    ///
    /// # Panics
    /// When the model has no linear-time property with this index.
    pub fn investigate_linear<P: StateSpace>(
        &self,
        property: usize,
        options: &EvidenceOptions,
        tableau: &Tableau,
        product: &P,
    ) -> Finding {
        self.investigate_linear_with(property, options, &mut Shortest, tableau, product)
    }

    /// The same with evidence as a strategy chooses it.
    ///
    /// # Panics
    /// When the model has no linear-time property with this index.
    pub fn investigate_linear_with<P: StateSpace>(
        &self,
        property: usize,
        options: &EvidenceOptions,
        strategy: &mut dyn Strategy,
        tableau: &Tableau,
        product: &P,
    ) -> Finding {
        let query = self.linear(property);
        let mut finding = self.open_linear(property);
        let answered = self.answer_linear(query, options, strategy, tableau, product, &mut finding);
        // What was found before time ran out stays found.
        if let (Err(stop), Verdict::Unknown(_)) = (answered, &finding.verdict) {
            finding.verdict = Verdict::Unknown(UnknownReason::Stopped(stop));
        }
        finding
    }

    fn answer_linear<P: StateSpace>(
        &self,
        query: &Query,
        options: &EvidenceOptions,
        strategy: &mut dyn Strategy,
        tableau: &Tableau,
        product: &P,
        finding: &mut Finding,
    ) -> Run<()> {
        product.budget().phase("checking");
        let inner = Investigator::of_product(product, self.model().state_vars())?;
        let checker = inner.checker();
        let solution = checker.solve(&tableau.query)?;
        let refuted = checker.failing(&tableau.query, &solution)?;
        let holds = product.is_empty(&refuted);
        finding.verdict = if holds {
            Verdict::Holds
        } else {
            Verdict::Fails
        };
        finding.notes = self.notes(PathRule::FairInfinite, &|| Ok(true))?;
        if holds && options.certificate {
            let certificate = produce(checker, &tableau.query, &solution, true);
            finding.certificate = Some(certificate);
        }
        if holds || !options.evidence {
            return Ok(());
        }
        product.budget().phase("looking for the shortest evidence");
        let case = ProofCase::new(checker, &tableau.query, &solution);
        let claim = Claim::Formula(Goal::fails(tableau.query.formula.root()), None);
        let minimal = options.minimal;
        let built = match strategy.has_opinions() {
            true => chosen(&case, claim, &refuted, minimal, strategy, None, true)?,
            false => least(&case, claim, &refuted, minimal)?.built,
        };
        let lifting = Lifting::new(self.model(), query, tableau);
        let budget = product.budget();
        finding.wishes = lifting.lift_wishes(built.wishes);
        finding.evidence = Some(self.replayed(query, lifting.lift(&built.evidence), budget)?);
        let More { others, end, .. } = &mut finding.more;
        let sets = (&solution, &refuted);
        self.further_runs(
            &inner,
            sets,
            options,
            lifting,
            built.evidence,
            (others, end),
        )
    }

    /// Adds further runs that refute a formula, as many as are wanted, and says why there are not more.
    fn further_runs<P: StateSpace>(
        &self,
        inner: &Investigator<'_, P>,
        (solution, refuted): (&Solution<P::Set>, &P::Set),
        options: &EvidenceOptions,
        lifting: Lifting<'_>,
        first: Evidence,
        (runs, end): (&mut Vec<FurtherEvidence>, &mut Option<NoMore>),
    ) -> Run<()> {
        if options.several.count < 2 {
            return Ok(());
        }
        let Lifting { query, tableau, .. } = lifting;
        let mut lassos = Finding {
            evidence: Some(first),
            ..Finding::new(0, Verdict::Fails, None)
        };
        let listed = inner.others(&tableau.query, solution, options, refuted, &mut lassos);
        let budget = inner.checker().space().budget();
        for further in lassos.more.others {
            runs.push(FurtherEvidence {
                evidence: self.replayed(query, lifting.lift(&further.evidence), budget)?,
                decisions: vec![],
            });
        }
        *end = lassos.more.end;
        listed
    }

    /// Whether a part of a linear-time property fails, and, if wanted, why, over the space of the part's tableau.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn linear_part<P: StateSpace>(
        &self,
        query: &Query,
        options: &EvidenceOptions,
        tableau: &Tableau,
        product: &P,
    ) -> Run<PartFinding> {
        let inner = Investigator::of_product(product, self.model().state_vars())?;
        let checker = inner.checker();
        let solution = checker.solve(&tableau.query)?;
        let refuted = checker.failing(&tableau.query, &solution)?;
        let mut part = PartFinding {
            query: query.clone(),
            fails: !product.is_empty(&refuted),
            evidence: vec![],
            end: None,
        };
        if !part.fails || !options.several.each {
            return Ok(part);
        }
        let case = ProofCase::new(checker, &tableau.query, &solution);
        let claim = Claim::Formula(Goal::fails(tableau.query.formula.root()), None);
        let lasso = least(&case, claim, &refuted, options.minimal)?
            .built
            .evidence;
        let lifting = Lifting::new(self.model(), query, tableau);
        part.evidence.push(FurtherEvidence {
            evidence: self.replayed(query, lifting.lift(&lasso), product.budget())?,
            decisions: vec![],
        });
        let told = (&mut part.evidence, &mut part.end);
        self.further_runs(&inner, (&solution, &refuted), options, lifting, lasso, told)?;
        Ok(part)
    }

    /// The shortest run that refutes a linear-time property of the model, given by its index, and goes through these states
    /// only, over the space of its tableau.
    ///
    /// # Errors
    /// When the budget ends.
    ///
    /// # Panics
    /// When the model has no linear-time property with this index.
    pub fn shrink_linear<P: StateSpace>(
        &self,
        property: usize,
        states: &[Vec<Value>],
        tableau: &Tableau,
        product: &P,
    ) -> Run<Shrunk> {
        let query = self.linear(property);
        product.budget().phase("checking");
        let checker = Checker::new(product)?;
        let solution = checker.solve(&tableau.query)?;
        let refuted = checker.failing(&tableau.query, &solution)?;
        if product.is_empty(&refuted) {
            return Ok(Shrunk::Nothing(Missing::Holds));
        }
        let case = ProofCase::new(&checker, &tableau.query, &solution);
        let lasso = match shortest_within(&case, false, &refuted, states)? {
            Within::Found(built) => built.evidence,
            Within::Nothing => return Ok(Shrunk::Nothing(Missing::NoRun)),
            Within::TooLarge => return Ok(Shrunk::TooLarge),
        };
        let lifting = Lifting::new(self.model(), query, tableau);
        let mut run = lifting.lift(&lasso);
        let length = Measure::Steps.of(&run);
        run.minimal = Minimality {
            measure: Measure::TraceSteps,
            length,
            // Without what the product remembers, a loop may be shorter.
            at_least: if lifting.remembers { 0 } else { length },
        };
        Ok(Shrunk::Found(Box::new(Finding {
            verdict: Verdict::Fails,
            evidence: Some(self.replayed(query, run, product.budget())?),
            ..self.open_linear(property)
        })))
    }

    /// A run with what its replay says.
    fn replayed(&self, query: &Query, mut run: Evidence, budget: &Budget) -> Run<Evidence> {
        budget.phase("replaying the evidence");
        run.replay = replay(self.model(), query, false, &run, budget)?;
        Ok(run)
    }

    /// What becomes of a linear-time property of the model that holds, given by its index, when its parts are replaced one
    /// by one; `refuted` says whether a run refutes a formula. `None` for a formula with hundreds of parts.
    ///
    /// # Errors
    /// When the budget ends, of the space or of whoever is asked.
    ///
    /// # Panics
    /// When the model has no linear-time property with this index.
    pub fn linear_vacuity(
        &self,
        property: usize,
        refuted: &mut dyn FnMut(&Query) -> Run<bool>,
    ) -> Run<Option<Strengthened>> {
        let query = self.linear(property);
        self.checker()
            .space()
            .budget()
            .phase("looking for parts that do not matter");
        strengthened(&query.formula, &mut |formula, _| {
            let stronger = Query {
                formula: formula.clone(),
                ..query.clone()
            };
            // A formula of CTL that says the same needs no product.
            match self.model().in_ctl(&stronger) {
                Some(branching) => self.holds_everywhere(&branching),
                None => Ok(!refuted(&stronger)?),
            }
        })
    }

    /// Whether a query holds in all initial states that count.
    fn holds_everywhere(&self, query: &Query) -> Run<bool> {
        let solution = self.checker().solve(query)?;
        let failing = self.checker().failing(query, &solution)?;
        Ok(self.checker().space().is_empty(&failing))
    }

    /// A shortest run that refutes a query of linear time, over the space of its tableau; `None` if there is none.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn refuting_run<P: StateSpace>(
        &self,
        query: &Query,
        tableau: &Tableau,
        product: &P,
    ) -> Run<Option<Evidence>> {
        let checker = Checker::new(product)?;
        let solution = checker.solve(&tableau.query)?;
        let refuted = checker.failing(&tableau.query, &solution)?;
        if product.is_empty(&refuted) {
            return Ok(None);
        }
        let case = ProofCase::new(&checker, &tableau.query, &solution);
        let claim = Claim::Formula(Goal::fails(tableau.query.formula.root()), None);
        let lasso = least(&case, claim, &refuted, Measure::Steps)?
            .built
            .evidence;
        let run = Lifting::new(self.model(), query, tableau).lift(&lasso);
        self.replayed(query, run, product.budget()).map(Some)
    }

    /// Lets somebody explore why a linear-time property of the model, given by its index, fails: the proof walks the
    /// positions of a run that refutes it. Returns the verdict; nobody is asked about a property that holds.
    ///
    /// # Errors
    /// When the budget ends, or the visitor says so.
    ///
    /// # Panics
    /// When the model has no linear-time property with this index.
    pub fn explain_linear<P: StateSpace>(
        &self,
        property: usize,
        tableau: &Tableau,
        product: &P,
        visit: &mut dyn FnMut(bool, &mut dyn Exploring) -> Run<()>,
    ) -> Run<Verdict> {
        let query = self.linear(property);
        product.budget().phase("checking");
        let checker = Checker::new(product)?;
        let solution = checker.solve(&tableau.query)?;
        let refuted = checker.failing(&tableau.query, &solution)?;
        if product.is_empty(&refuted) {
            return Ok(Verdict::Holds);
        }
        product.budget().phase("looking for the shortest evidence");
        let case = ProofCase::new(&checker, &tableau.query, &solution);
        let claim = Claim::Formula(Goal::fails(tableau.query.formula.root()), None);
        let least = least(&case, claim, &refuted, Measure::Steps)?;
        let slot = WishSlot::default();
        let planner = |claim: Claim, state: &P::State| match wished_plan(&slot, claim, state)? {
            Some(plan) => Ok((plan, false)),
            None => least.branch(&case, claim, state),
        };
        let usual = (&least.start, Some(&least.plan));
        let mut exploration = Exploration::new(&case, claim, &refuted, usual, &slot, &planner);
        exploration.set_least(least.built.evidence.minimal.clone());
        exploration.set_rules(Rules::default())?;
        let mut runs = ProductRuns {
            exploration,
            lifting: Lifting::new(self.model(), query, tableau),
        };
        let subject = (self.model(), query);
        let mut walked = RunExploration::new(subject, product.budget(), &mut runs)?;
        visit(false, &mut walked)?;
        Ok(Verdict::Fails)
    }
}

/// Turns lassos of the product into runs of the model.
#[derive(Clone, Copy)]
struct Lifting<'a> {
    /// How many variables a state of the model has.
    vars: usize,
    query: &'a Query,
    tableau: &'a Tableau,
    /// Whether states of the product remember something of the past that those of the model do not show.
    remembers: bool,
}

impl<'a> Lifting<'a> {
    fn new(model: &Model, query: &'a Query, tableau: &'a Tableau) -> Self {
        let vars = model.state_vars();
        let mut memory = tableau.model.memory();
        Self {
            vars,
            query,
            tableau,
            remembers: has_past(&query.formula) || memory.any(|var| var.index() < vars),
        }
    }

    /// A lasso of the product as a run of the model.
    fn lift(self, lasso: &Evidence) -> Evidence {
        let subs = self.query.formula.len();
        let occurrences = lasso.occurrences.iter().map(|occurrence| Occurrence {
            values: occurrence.values[..self.vars].to_vec(),
            truth: occurrence.truth.iter().take(subs).copied().collect(),
        });
        let (states, back) = lasso.main_run();
        let back = back.expect("a run that goes on for ever is a lasso");
        let marks = lasso.segments.iter().flat_map(|segment| &segment.fair);
        // What the tableau adds to the fairness constraints means nothing in the model.
        let own = self.tableau.justice..self.tableau.model.fairness.justice.len();
        let marks = marks
            .enumerate()
            .filter(|(constraint, _)| !own.contains(constraint));
        let claim = Claim::Formula(Goal::fails(self.query.formula.root()), None);
        let root = ProofNode {
            claim,
            at: OccurrenceId::new(0),
            rule: Some(Rule::Run),
            rank: None,
            premises: Vec::<ProofId>::new(),
        };
        let mut evidence = Evidence {
            shape: Shape::Lasso,
            occurrences: occurrences.collect(),
            edges: lasso.edges.clone(),
            segments: vec![Segment {
                from: None,
                serves: claim,
                states,
                main: true,
                ending: SegmentEnding::Loop(back),
                fair: marks.map(|(_, mark)| *mark).collect(),
            }],
            regions: lasso.regions.clone(),
            proof: [root].into_iter().collect(),
            minimal: lasso.minimal.clone(),
            replay: lasso.replay.clone(),
            causes: None,
        };
        evidence.minimal = lifted_minimality(&evidence, self.remembers);
        evidence
    }

    /// What became of wishes about a lasso, as wishes about the run.
    ///
    /// Of a loop that is longer in the product than in the model, each turn may miss a wish more often, so where
    /// something is missed it is not known whether a run does better.
    fn lift_wishes(self, mut wishes: Vec<WishOutcome>) -> Vec<WishOutcome> {
        let mut missed = false;
        for wish in &mut wishes {
            missed |= wish.idle || wish.turn > 0 || wish.way > 0;
            if missed && self.remembers && wish.best == WishBest::Proved {
                wish.best = WishBest::Open;
            }
        }
        wishes
    }
}

/// Runs that refute a formula, found in the product.
struct ProductRuns<'p, 'k, 'c, 's, P: StateSpace> {
    exploration: Exploration<'p, 'k, 'c, 's, P>,
    lifting: Lifting<'p>,
}

impl<P: StateSpace> ProductRuns<'_, '_, '_, '_, P> {
    fn start_anew(&mut self) {
        while self.exploration.undo() {}
    }
}

impl<P: StateSpace> RunChooser for ProductRuns<'_, '_, '_, '_, P> {
    fn set_rules(&mut self, rules: Rules) -> Run<()> {
        self.start_anew();
        self.exploration.set_rules(rules)
    }

    fn choose(&mut self, strategy: &mut dyn Strategy) -> Run<ChosenRun> {
        self.start_anew();
        self.exploration.grow(strategy, usize::MAX)?;
        // A run is whole or it refutes nothing, so what a strategy leaves open is shown all the same.
        self.exploration.grow(&mut Shortest, usize::MAX)?;
        let told = self.exploration.measured()?;
        let wishes = self.exploration.outcomes_of(&told)?;
        Ok(ChosenRun {
            evidence: self.lifting.lift(&told.evidence),
            wishes: self.lifting.lift_wishes(wishes),
        })
    }
}

/// What is known in the model of what is least in the product.
///
/// The steps of a lasso are counted alike in both, but where past operators or fairness conditions about steps remember
/// something, a loop without that may be shorter. Several states of the product may be the same state of the model.
fn lifted_minimality(evidence: &Evidence, remembers: bool) -> Minimality {
    let minimal = evidence.minimal.clone();
    match minimal.measure {
        Measure::Steps if remembers => Minimality {
            measure: Measure::ProductSteps,
            ..minimal
        },
        Measure::Nodes if !remembers => minimal,
        Measure::Nodes | Measure::States | Measure::Transitions => Minimality {
            length: minimal.measure.of(evidence),
            at_least: 0,
            ..minimal
        },
        _ => minimal,
    }
}
