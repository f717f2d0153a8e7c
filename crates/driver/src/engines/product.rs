//! Linear-time properties, over the product of a space with their tableau.

use wherefore_base::{Budget, Run};
use wherefore_check::{Checker, Strengthened, Tableau};
use wherefore_evidence::{
    Decision, Evidence, EvidenceOptions, Exploring, Finding, Investigator, PartFinding,
    PropertyWitness, Rules, Strategy, Vacuity, Verdict,
};
use wherefore_logic::{FormulaPart, Op};
use wherefore_model::{PropertyBody, Query, SpaceEngine, VarId};
use wherefore_space::StateSpace;

use super::auto::listed_product;
use super::{Engine, Job, OverSpace, over_space};

/// The product with a tableau of more variables than this is wide: decision diagrams look at it, even where
/// the states of the model are listed.
const WIDE: usize = 6;

/// How often the budget is asked while products are built to see whether parts of a property matter, at most.
const EFFORT: u64 = 20_000;

/// The product of a space with the tableau of a property, given by its index.
pub(crate) struct Product<'a, S: StateSpace> {
    space: &'a S,
    pub(crate) tableau: Tableau,
    engine: Engine,
    budget: &'a Budget,
}

impl<'a, S: StateSpace> Product<'a, S> {
    /// The product for a linear-time query; `engine` is who looked at the space.
    pub(crate) fn new(
        space: &'a S,
        property: usize,
        query: &Query,
        engine: Engine,
        budget: &'a Budget,
    ) -> Self {
        let model = space.model();
        let engine = match space.engine() {
            SpaceEngine::Bdd => Engine::Bdd,
            SpaceEngine::Explicit => engine,
        };
        Self {
            space,
            tableau: Tableau::new(model, query, model.properties[property].span),
            engine,
            budget,
        }
    }

    /// Builds it and does something over it.
    pub(crate) fn over<W: OverSpace>(&self, work: W) -> Run<W::Outcome> {
        let product = &self.tableau.model;
        let guesses = product.state_vars() - self.space.model().state_vars();
        match self.engine {
            Engine::Auto if guesses > WIDE => over_space(product, Engine::Bdd, self.budget, work),
            Engine::Auto => match listed_product(self.space, product, self.budget)? {
                Ok(listed) => work.over(&listed),
                Err(_) => over_space(product, Engine::Bdd, self.budget, work),
            },
            engine => over_space(product, engine, self.budget, work),
        }
    }
}

/// Answering a linear-time property.
pub(crate) struct Linear<'a, 's, S: StateSpace> {
    pub(crate) investigator: &'a Investigator<'s, S>,
    pub(crate) property: usize,
    pub(crate) options: &'a EvidenceOptions,
    pub(crate) strategy: &'a mut dyn Strategy,
    pub(crate) tableau: &'a Tableau,
}

impl<S: StateSpace> OverSpace for Linear<'_, '_, S> {
    type Outcome = Finding;

    fn over<P: StateSpace>(self, product: &P) -> Run<Finding> {
        let Self {
            investigator,
            property,
            options,
            strategy,
            tableau,
        } = self;
        Ok(investigator.investigate_linear_with(property, options, strategy, tableau, product))
    }
}

/// Looking for a run that refutes a query.
struct Refuting<'a, 's, S: StateSpace> {
    investigator: &'a Investigator<'s, S>,
    query: &'a Query,
    tableau: &'a Tableau,
    /// Whether the run is wanted, or only whether there is one.
    shown: bool,
}

/// Whether a run refutes a query, and which, if that was wanted.
enum Refuted {
    Not,
    By(Option<Box<Evidence>>),
}

impl<S: StateSpace> OverSpace for Refuting<'_, '_, S> {
    type Outcome = Refuted;

    fn over<P: StateSpace>(self, product: &P) -> Run<Refuted> {
        let Self {
            investigator,
            query,
            tableau,
            shown,
        } = self;
        if shown {
            let run = investigator.refuting_run(query, tableau, product)?;
            return Ok(run.map_or(Refuted::Not, |run| Refuted::By(Some(Box::new(run)))));
        }
        let checker = Checker::new(product)?;
        let solution = checker.solve(&tableau.query)?;
        let refuted = checker.failing(&tableau.query, &solution)?;
        Ok(match product.is_empty(&refuted) {
            true => Refuted::Not,
            false => Refuted::By(None),
        })
    }
}

/// Says of a linear-time property that holds whether each of its parts matters, and on which run, if that is asked for.
/// Where it takes too long nobody knows.
pub(crate) fn strengthen<S: StateSpace>(
    investigator: &Investigator<'_, S>,
    job: &Job,
    budget: &Budget,
    finding: &mut Finding,
) {
    let asked = job.options.vacuity || job.options.witness;
    let space = investigator.checker().space();
    let PropertyBody::Linear(query) = &space.model().properties[finding.property].body else {
        return;
    };
    let empty = finding.holds_without_run().is_some() || space.is_empty(space.initial());
    if !asked || finding.verdict != Verdict::Holds || empty {
        return;
    }
    let budget = budget.counted(EFFORT);
    let property = finding.property;
    let refuted = |query: &Query, shown: bool| {
        let product = Product::new(space, property, query, job.engine, &budget);
        product.over(Refuting {
            investigator,
            query,
            tableau: &product.tableau,
            shown,
        })
    };
    let mut is_refuted = |query: &Query| Ok(matches!(refuted(query, false)?, Refuted::By(_)));
    let strengthened = investigator.linear_vacuity(property, &mut is_refuted);
    finding.vacuity = match &strengthened {
        Ok(Some(Strengthened::StillHolds(sub))) => Vacuity::Vacuous { sub: *sub },
        Ok(Some(Strengthened::Fails(_))) => Vacuity::Matters,
        Ok(None) | Err(_) => Vacuity::NotChecked,
    };
    let Ok(Some(Strengthened::Fails(Some(stronger)))) = strengthened else {
        return;
    };
    if !job.options.witness {
        return;
    }
    let query = Query {
        formula: stronger.formula,
        ..query.clone()
    };
    if let Ok(Refuted::By(Some(evidence))) = refuted(&query, true) {
        finding.witness = Some(PropertyWitness {
            query,
            replaced: stronger.replaced,
            by: stronger.by,
            evidence: *evidence,
        });
    }
}

/// Looking where runs that refute a property could still have satisfied it.
struct Deciding<'a, 's, S: StateSpace> {
    investigator: &'a Investigator<'s, S>,
    property: usize,
    runs: Vec<&'a Evidence>,
    environment: &'a [VarId],
    tableau: &'a Tableau,
}

impl<S: StateSpace> OverSpace for Deciding<'_, '_, S> {
    type Outcome = Vec<Option<Decision>>;

    fn over<P: StateSpace>(self, product: &P) -> Run<Self::Outcome> {
        let Self {
            investigator,
            property,
            runs,
            environment,
            tableau,
        } = self;
        let decide =
            |run| investigator.linear_decision(property, run, environment, tableau, product);
        runs.into_iter().map(decide).collect()
    }
}

/// Says of the runs that refute a linear-time property where they could still have satisfied it. Where it takes too long
/// nobody knows.
pub(crate) fn decide<S: StateSpace>(
    investigator: &Investigator<'_, S>,
    job: &Job,
    budget: &Budget,
    finding: &mut Finding,
) {
    let space = investigator.checker().space();
    let model = space.model();
    let PropertyBody::Linear(query) = &model.properties[finding.property].body else {
        return;
    };
    let Some(first) = &finding.evidence else {
        return;
    };
    let others = finding.more.others.iter().map(|other| &other.evidence);
    let mut formula = query.formula.clone();
    formula.add(Op::Not(formula.root()), None);
    let opposite = Query {
        formula,
        ..query.clone()
    };
    let budget = budget.counted(EFFORT);
    let product = Product::new(space, finding.property, &opposite, job.engine, &budget);
    let decided = product.over(Deciding {
        investigator,
        property: finding.property,
        runs: std::iter::once(first).chain(others).collect(),
        environment: &job.options.environment,
        tableau: &product.tableau,
    });
    let mut decided = decided.unwrap_or_default().into_iter();
    finding.decisions.extend(decided.next().flatten());
    for (other, decision) in finding.more.others.iter_mut().zip(decided) {
        other.decisions.extend(decision);
    }
}

/// Looking at a part of a property.
struct Part<'a, 's, S: StateSpace> {
    investigator: &'a Investigator<'s, S>,
    query: &'a Query,
    options: &'a EvidenceOptions,
    tableau: &'a Tableau,
}

impl<S: StateSpace> OverSpace for Part<'_, '_, S> {
    type Outcome = PartFinding;

    fn over<P: StateSpace>(self, product: &P) -> Run<PartFinding> {
        let Self {
            investigator,
            query,
            options,
            tableau,
        } = self;
        investigator.linear_part(query, options, tableau, product)
    }
}

/// Says which parts of a linear-time property fail, if it has several, and, if wanted, why. Where it takes too long nobody
/// knows.
pub(crate) fn look_at_parts<S: StateSpace>(
    investigator: &Investigator<'_, S>,
    job: &Job,
    budget: &Budget,
    finding: &mut Finding,
) {
    let space = investigator.checker().space();
    let PropertyBody::Linear(query) = &space.model().properties[finding.property].body else {
        return;
    };
    if finding.evidence.is_none() || finding.verdict != Verdict::Fails {
        return;
    }
    let parts = wherefore_logic::parts(&query.formula);
    if parts.len() < 2 {
        return;
    }
    budget.phase("looking at the parts of the property");
    let budget = budget.counted(EFFORT);
    let part = |FormulaPart { formula, .. }| {
        let query = Query {
            formula,
            ..query.clone()
        };
        let product = Product::new(space, finding.property, &query, job.engine, &budget);
        product.over(Part {
            investigator,
            query: &query,
            options: &job.options,
            tableau: &product.tableau,
        })
    };
    let parts: Run<Vec<PartFinding>> = parts.into_iter().map(part).collect();
    finding.more.parts = parts.unwrap_or_default();
}

/// Who explores a proof: it is told whether the property holds.
type ProofVisit<'v> = &'v mut dyn FnMut(bool, &mut dyn Exploring) -> Run<()>;

/// Exploring why a linear-time property fails.
struct Explained<'a, 's, 'v, S: StateSpace> {
    investigator: &'a Investigator<'s, S>,
    property: usize,
    tableau: &'a Tableau,
    visit: ProofVisit<'v>,
}

impl<S: StateSpace> OverSpace for Explained<'_, '_, '_, S> {
    type Outcome = Verdict;

    fn over<P: StateSpace>(self, product: &P) -> Run<Verdict> {
        let Self {
            investigator,
            property,
            tableau,
            visit,
        } = self;
        investigator.explain_linear(property, tableau, product, visit)
    }
}

/// Lets somebody explore the proof of a property of a model, given by its index: of CTL over its states, of linear time
/// along a run of the product. Returns the verdict; nobody is asked where there is nothing to prove.
pub(crate) fn explain<S: StateSpace>(
    investigator: &Investigator<'_, S>,
    property: usize,
    engine: Engine,
    budget: &Budget,
    visit: ProofVisit<'_>,
) -> Run<Verdict> {
    let space = investigator.checker().space();
    let PropertyBody::Linear(query) = &space.model().properties[property].body else {
        return investigator.explain(property, Rules::default(), visit);
    };
    let product = Product::new(space, property, query, engine, budget);
    product.over(Explained {
        investigator,
        property,
        tableau: &product.tableau,
        visit,
    })
}
