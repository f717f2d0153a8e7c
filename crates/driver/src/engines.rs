//! From a model to findings: which engine looks, and in which order things become known.

pub(crate) mod auto;
pub(crate) mod certified;
pub(crate) mod certify;
pub(crate) mod cone;
pub(crate) mod product;
pub(crate) mod quick;
pub(crate) mod quotient;
pub(crate) mod race;
pub(crate) mod sat;
pub(crate) mod why;

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use wherefore_base::{Budget, Diagnostic, Run, Stop};
use wherefore_evidence::{
    EvidenceOptions, Finding, Investigator, Note, SpaceSummary, UnknownReason, Verdict, wishes_made,
};
use wherefore_model::{Model, PropertyBody};
use wherefore_satcheck::holds_by_form;
use wherefore_space::explicit::{Explicit, ExplorationLimits};
use wherefore_space::symbolic::Symbolic;
use wherefore_space::{StateSpace, discharge};

use self::auto::listed;
use self::product::{Linear, Product, decide, look_at_parts, strengthen};
use crate::capability::wish_refused;
use crate::strategy::Strategies;

/// Who looks at the states.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Engine {
    /// Explicit for small models, otherwise decision diagrams, and when they are stuck
    /// the others beside them.
    #[default]
    Auto,
    /// States one by one.
    Explicit,
    /// Binary decision diagrams.
    Bdd,
    /// A solver for satisfiability: runs of bounded length and proofs by induction, without a space. Where
    /// a space is needed, as [`Engine::Auto`].
    Sat,
    /// For infinite-state models: one query about the first-order theory of a property.
    Theory,
    /// For infinite-state models: steps unrolled, and runs that close a loop.
    Unroll,
    /// For infinite-state models: invariants and ranks.
    Induction,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 7] = [
        Engine::Auto,
        Engine::Explicit,
        Engine::Bdd,
        Engine::Sat,
        Engine::Theory,
        Engine::Unroll,
        Engine::Induction,
    ];

    /// The name as `--engine` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Explicit => "explicit",
            Engine::Bdd => "bdd",
            Engine::Sat => "sat",
            Engine::Theory => "theory",
            Engine::Unroll => "unroll",
            Engine::Induction => "induction",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let engine = Engine::ALL.into_iter().find(|engine| engine.name() == name);
        engine
            .ok_or_else(|| format!("there is no engine `{name}`; take auto, explicit, bdd or sat, or for infinite-state models \
                 theory, unroll or induction"))
    }
}

/// What is to be checked, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Who looks.
    pub engine: Engine,
    /// What to find out.
    pub options: EvidenceOptions,
    /// Which properties, by index, in order; `None`: all.
    pub properties: Option<Vec<usize>>,
    /// Only runs of at most so many steps are looked at, and those that go round within them, by a solver.
    pub bound: Option<usize>,
}

impl Job {
    /// The properties to check.
    pub fn selection(&self, model: &Model) -> Vec<usize> {
        match &self.properties {
            Some(properties) => properties.clone(),
            None => (0..model.properties.len()).collect(),
        }
    }
}

impl Default for Job {
    fn default() -> Self {
        Self {
            engine: Engine::Auto,
            options: EvidenceOptions::default(),
            properties: None,
            bound: None,
        }
    }
}

/// Something that became known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The model is wrong in a way that only its meaning shows: a `case` without a matching branch, a
    /// value out of range. Nothing is checked then.
    Rejected(Vec<Diagnostic>),
    /// The states are explored.
    Space(SpaceSummary),
    /// A property is answered.
    Finding(Box<Finding>),
}

/// Checks properties of a model and tells each thing as soon as it is known.
///
/// Every selected property gets exactly one finding unless the model is rejected: when the budget
/// ends, those that are left are undecided.
pub fn check_model(model: &Model, job: &Job, budget: &Budget, tell: &mut dyn FnMut(Event)) {
    check_model_with(model, job, &Strategies::default(), budget, tell);
}

/// Checks properties of a model as [`check_model`] does, with evidence as strategies choose it.
pub fn check_model_with(
    model: &Model,
    job: &Job,
    strategies: &Strategies,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) {
    if job.options.why {
        return why::last(model, job, strategies, budget, tell);
    }
    if job.options.certificate && job.selection(model).len() > 1 {
        return certified::last(model, job, strategies, budget, tell);
    }
    let mut told = HashSet::new();
    let outcome = run(model, job, strategies, budget, &mut |mut event| {
        if let Event::Finding(finding) = &mut event {
            told.insert(finding.property);
            finding.by_form =
                finding.verdict == Verdict::Holds && holds_by_form(model, finding.property);
            let notes = not_for_this(model, job, strategies, finding);
            finding.notes.extend(notes);
        }
        tell(event);
    });
    let Err(stop) = outcome else {
        return;
    };
    for property in job.selection(model) {
        if !told.contains(&property) {
            tell(Event::Finding(Box::new(undecided(model, property, stop))));
        }
    }
}

/// Which wishes of a job mean nothing for the property of a finding.
fn not_for_this(model: &Model, job: &Job, strategies: &Strategies, finding: &Finding) -> Vec<Note> {
    let body = &model.properties[finding.property].body;
    let number = matches!(body, PropertyBody::Distance(_));
    // Where nothing fails there is no counterexample to choose; a number is what was asked for.
    if !number && finding.verdict != Verdict::Fails {
        return vec![];
    }
    let led = strategies.strategy(finding.property).has_opinions();
    let mut notes: Vec<Note> = Vec::new();
    for wish in wishes_made(&job.options, led) {
        let Some(reason) = wish_refused(wish, body, finding) else {
            continue;
        };
        let known = notes.iter_mut().find_map(|note| match note {
            Note::Unavailable { wishes, why } if why == reason => Some(wishes),
            _ => None,
        });
        match known {
            Some(wishes) => wishes.push(wish),
            None => notes.push(Note::Unavailable {
                wishes: vec![wish],
                why: reason.to_string(),
            }),
        }
    }
    notes
}

/// The findings of a job, in the order in which they are told.
#[cfg(test)]
pub(crate) fn findings(model: &Model, job: &Job) -> Vec<Finding> {
    let mut findings = Vec::new();
    check_model(model, job, &Budget::unlimited(), &mut |event| {
        if let Event::Finding(finding) = event {
            findings.push(*finding);
        }
    });
    findings
}

/// What is known of a property when the work stops before its answer.
pub fn undecided(model: &Model, property: usize, stop: Stop) -> Finding {
    let reason = match &model.properties[property].body {
        PropertyBody::Query(_) | PropertyBody::Linear(_) | PropertyBody::Distance(_) => {
            UnknownReason::Stopped(stop)
        }
        PropertyBody::Unsupported(why) => UnknownReason::Unsupported(why.clone()),
    };
    Finding::new(property, Verdict::Unknown(reason), None)
}

/// Something that is done over a space, whichever engine made it.
pub(crate) trait OverSpace {
    /// What comes of it.
    type Outcome;

    /// Does it.
    fn over<S: StateSpace>(self, space: &S) -> Run<Self::Outcome>;
}

/// Builds the space of a model and does something over it.
pub(crate) fn over_space<W: OverSpace>(
    model: &Model,
    engine: Engine,
    budget: &Budget,
    work: W,
) -> Run<W::Outcome> {
    budget.phase("exploring states");
    match engine {
        Engine::Auto | Engine::Sat | Engine::Theory | Engine::Unroll | Engine::Induction => {
            match listed(model, budget)? {
                Ok(space) => work.over(&space),
                Err(_) => work.over(&Symbolic::build(model, budget)?),
            }
        }
        Engine::Explicit => match Explicit::explore(model, ExplorationLimits::default(), budget)? {
            Ok(space) => work.over(&space),
            Err(_) => Err(Stop::Memory),
        },
        Engine::Bdd => work.over(&Symbolic::build(model, budget)?),
    }
}

pub(crate) fn run(
    model: &Model,
    job: &Job,
    strategies: &Strategies,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Run<()> {
    budget.phase("reading the model");
    let wrong = discharge(model, budget)?;
    if wrong.iter().any(Diagnostic::is_error) {
        tell(Event::Rejected(wrong));
        return Ok(());
    }
    if job.selection(model).is_empty() {
        return Ok(());
    }
    if job.engine == Engine::Sat || job.bound.is_some() {
        return sat::check(model, job, &|_| true, budget, tell);
    }
    if job.engine == Engine::Auto && strategies.is_empty() {
        return auto::check(model, job, budget, tell);
    }
    if job.engine == Engine::Bdd && strategies.is_empty() {
        return cone::check(model, job, &|_| true, &|_| Ok(None), budget, tell);
    }
    let listed = job.engine == Engine::Explicit && strategies.is_empty();
    if listed && quotient::may_help(model, &job.options) {
        return quotient::check(model, job, &|_| true, budget, tell);
    }
    if listed {
        return auto::by_listing(model, job, budget, tell);
    }
    let work = Investigation {
        job,
        strategies,
        budget,
        wanted: &|_| true,
        tell,
    };
    over_space(model, job.engine, budget, work)
}

/// Answering the properties of a job.
pub(crate) struct Investigation<'a> {
    pub(crate) job: &'a Job,
    pub(crate) strategies: &'a Strategies,
    pub(crate) budget: &'a Budget,
    /// Whether a property is still to be answered.
    pub(crate) wanted: &'a dyn Fn(usize) -> bool,
    pub(crate) tell: &'a mut dyn FnMut(Event),
}

impl OverSpace for Investigation<'_> {
    type Outcome = ();

    fn over<S: StateSpace>(self, space: &S) -> Run<()> {
        let Self {
            job,
            strategies,
            budget,
            wanted,
            tell,
        } = self;
        let investigator = Investigator::new(space)?;
        tell(Event::Space(investigator.summary().clone()));
        let selection = job.selection(space.model());
        for property in selection.into_iter().filter(|property| wanted(*property)) {
            if let PropertyBody::Linear(query) = &space.model().properties[property].body {
                let mut finding = match investigator.holding_without_tableau(property, &job.options)
                {
                    Ok(Some(finding)) => finding,
                    _ => {
                        let product = Product::new(space, property, query, job.engine, budget);
                        let found = product.over(Linear {
                            investigator: &investigator,
                            property,
                            options: &job.options,
                            strategy: &mut *strategies.strategy(property),
                            tableau: &product.tableau,
                        });
                        let model = space.model();
                        found.unwrap_or_else(|stop| undecided(model, property, stop))
                    }
                };
                strengthen(&investigator, job, budget, &mut finding);
                decide(&investigator, job, budget, &mut finding);
                look_at_parts(&investigator, job, budget, &mut finding);
                tell(Event::Finding(Box::new(finding)));
                continue;
            }
            let mut strategy = strategies.strategy(property);
            let finding = investigator.investigate_with(property, &job.options, &mut *strategy);
            tell(Event::Finding(Box::new(finding)));
        }
        Ok(())
    }
}
