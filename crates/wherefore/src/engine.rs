//! From a model to findings: which engine looks, and in which order things become known.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use wherefore_base::{Budget, Diagnostic, Run, Stop};
use wherefore_evidence::{
    Finding, Investigator, More, Options, SpaceSummary, UnknownReason, Vacuity, Verdict,
};
use wherefore_model::{Model, PropertyBody};
use wherefore_space::explicit::{Explicit, Limits};
use wherefore_space::symbolic::Symbolic;
use wherefore_space::{StateSpace, discharge};

/// Up to this size [`Engine::Auto`] lists states one by one; beyond, it takes decision diagrams.
pub const LIMITS: Limits = Limits {
    states: 100_000,
    transitions: 1_000_000,
};

/// Who looks at the states.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Engine {
    /// Explicit while the model is within [`LIMITS`], otherwise decision diagrams. The choice counts
    /// states, not seconds, so it is the same on every machine.
    #[default]
    Auto,
    /// States one by one.
    Explicit,
    /// Binary decision diagrams.
    Bdd,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 3] = [Engine::Auto, Engine::Explicit, Engine::Bdd];

    /// The name as `--engine` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Explicit => "explicit",
            Engine::Bdd => "bdd",
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
        engine.ok_or_else(|| format!("there is no engine `{name}`; take auto, explicit or bdd"))
    }
}

/// What is to be checked, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Who looks.
    pub engine: Engine,
    /// What to find out.
    pub options: Options,
    /// Which properties, by index, in order; `None`: all.
    pub properties: Option<Vec<usize>>,
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
            options: Options::default(),
            properties: None,
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
    let mut told = HashSet::new();
    let outcome = run(model, job, budget, &mut |event| {
        if let Event::Finding(finding) = &event {
            told.insert(finding.property);
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

/// What is known of a property when the work stops before its answer.
pub fn undecided(model: &Model, property: usize, stop: Stop) -> Finding {
    let reason = match &model.properties[property].body {
        PropertyBody::Query(_) => UnknownReason::Stopped(stop),
        PropertyBody::Unsupported(why) => UnknownReason::Unsupported(why.clone()),
    };
    Finding {
        property,
        verdict: Verdict::Unknown(reason),
        class: None,
        vacuity: Vacuity::NotChecked,
        evidence: None,
        more: More::default(),
        witness: None,
        decisions: vec![],
        notes: vec![],
    }
}

fn run(model: &Model, job: &Job, budget: &Budget, tell: &mut dyn FnMut(Event)) -> Run<()> {
    budget.phase("reading the model");
    let wrong = discharge(model, budget)?;
    if wrong.iter().any(Diagnostic::is_error) {
        tell(Event::Rejected(wrong));
        return Ok(());
    }
    let limits = match job.engine {
        Engine::Auto => LIMITS,
        Engine::Explicit => Limits::default(),
        Engine::Bdd => return investigate(&Symbolic::build(model, budget)?, job, tell),
    };
    budget.phase("exploring states");
    match Explicit::explore(model, limits, budget)? {
        Ok(space) => investigate(&space, job, tell),
        Err(_) if job.engine == Engine::Auto => {
            investigate(&Symbolic::build(model, budget)?, job, tell)
        }
        Err(_) => Err(Stop::Memory),
    }
}

fn investigate<S: StateSpace>(space: &S, job: &Job, tell: &mut dyn FnMut(Event)) -> Run<()> {
    let investigator = Investigator::new(space)?;
    tell(Event::Space(investigator.summary().clone()));
    for property in job.selection(space.model()) {
        let finding = investigator.investigate(property, &job.options);
        tell(Event::Finding(Box::new(finding)));
    }
    Ok(())
}
