//! Why properties hold, looked for when all are answered.
//!
//! No verdict waits for it, and no engine works otherwise for its sake: the properties that hold are looked at once more,
//! within an effort that is counted. States are listed or kept in diagrams, whatever fits; where neither does, an
//! invariant of the SAT engine may be the reason.

use std::collections::BTreeMap;

use wherefore_base::{Budget, Run, Stop};
use wherefore_evidence::certificate::{Certified, NoCertificate, Over, why_of};
use wherefore_evidence::{EvidenceOptions, Finding, Investigator, Verdict, Why};
use wherefore_logic::Class;
use wherefore_model::{Model, PropertyBody};
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Explicit, ExplorationLimits};
use wherefore_space::symbolic::Symbolic;

use crate::engines::{Engine, Event, Job, OverSpace, check_model_with, sat};
use crate::strategy::Strategies;

/// At most so many states and transitions are listed.
const LISTED: ExplorationLimits = ExplorationLimits {
    states: 100_000,
    transitions: 2_000_000,
};
/// So often may the work over all states ask whether to go on.
const QUESTIONS: u64 = 300_000;
/// So often may solvers ask, of all properties together.
const ASKED: u64 = 30_000;

/// Checks properties of a model, and then says of those that hold why.
pub(crate) fn last(
    model: &Model,
    job: &Job,
    strategies: &Strategies,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) {
    let answers = Job {
        options: EvidenceOptions {
            why: false,
            ..job.options.clone()
        },
        ..job.clone()
    };
    let mut holding: BTreeMap<usize, Box<Finding>> = BTreeMap::new();
    check_model_with(model, &answers, strategies, budget, &mut |event| {
        match event {
            Event::Finding(finding) if is_asked(model, &finding) => {
                holding.insert(finding.property, finding);
            }
            event => tell(event),
        };
    });
    let open: Vec<usize> = holding.keys().copied().collect();
    let listing = job.engine != Engine::Sat && job.bound.is_none();
    let mut found = reasons(model, &open, listing, budget);
    for mut finding in holding.into_values() {
        finding.why = found.remove(&finding.property);
        tell(Event::Finding(finding));
    }
}

/// Why a property of a model holds that is known to hold, within a counted effort; `None` where its witness or its form
/// says all there is to say.
///
/// # Panics
/// When the model has no property with this index.
pub fn why_holds(model: &Model, finding: &Finding, budget: &Budget) -> Option<Why> {
    let property = finding.property;
    is_asked(model, finding).then(|| reasons(model, &[property], true, budget).remove(&property))?
}

/// The reasons of properties that hold: one for each.
fn reasons(model: &Model, open: &[usize], listing: bool, budget: &Budget) -> BTreeMap<usize, Why> {
    let mut found: BTreeMap<usize, Why> = BTreeMap::new();
    if !open.is_empty() && listing {
        // What was found before the effort was spent stays found.
        let _ = by_states(model, open, budget, &mut found);
    }
    let asked = budget.counted(ASKED);
    for &property in open {
        let known = found.remove(&property);
        let why = match known {
            Some(why @ Why::Shown(_)) => why,
            known => by_solver(model, property, &asked)
                .or(known)
                .unwrap_or(Why::NotShown(NoCertificate::Effort)),
        };
        let why = match (why, budget.check()) {
            (why @ Why::Shown(_), _) => why,
            (_, Err(stop)) => Why::NotShown(NoCertificate::Stopped(stop)),
            // Only the counted part of the budget has ended.
            (Why::NotShown(NoCertificate::Stopped(_)), Ok(())) => {
                Why::NotShown(NoCertificate::Effort)
            }
            (why, Ok(())) => why,
        };
        found.insert(property, why);
    }
    found
}

/// Whether there is anything to say about why a property holds that its witness or its form does not say.
fn is_asked(model: &Model, finding: &Finding) -> bool {
    let number = matches!(
        model.properties[finding.property].body,
        PropertyBody::Distance(_)
    );
    let shown = finding.class == Some(Class::Existential) && finding.evidence.is_some();
    finding.verdict == Verdict::Holds && !finding.by_form && !number && !shown
}

/// Looks for reasons over all states.
fn by_states(
    model: &Model,
    open: &[usize],
    budget: &Budget,
    found: &mut BTreeMap<usize, Why>,
) -> Run<()> {
    budget.phase("exploring states");
    let counted = budget.counted(QUESTIONS);
    let listed = match Explicit::explore_on(model, LISTED, 1, &counted) {
        Ok(Ok(space)) => Some(space),
        Ok(Err(_)) => None,
        Err(Stop::TimeOut) if budget.check().is_ok() => None,
        Err(stop) => return Err(stop),
    };
    let work = Reasons { open, found };
    match listed {
        Some(space) => work.over(&space),
        None => {
            let counted = budget.counted(QUESTIONS);
            work.over(&Symbolic::build(model, &counted)?)
        }
    }
}

/// Looking for the reasons of properties.
struct Reasons<'a> {
    open: &'a [usize],
    found: &'a mut BTreeMap<usize, Why>,
}

impl OverSpace for Reasons<'_> {
    type Outcome = ();

    fn over<S: StateSpace>(self, space: &S) -> Run<()> {
        let investigator = Investigator::new(space)?;
        for &property in self.open {
            if let Some(why) = investigator.why(property)? {
                self.found.insert(property, why);
            }
        }
        Ok(())
    }
}

/// Asks the SAT engine for an invariant that shows it.
fn by_solver(model: &Model, property: usize, counted: &Budget) -> Option<Why> {
    let PropertyBody::Query(query) = &model.properties[property].body else {
        return None;
    };
    let job = Job {
        engine: Engine::Sat,
        properties: Some(vec![property]),
        options: EvidenceOptions {
            evidence: false,
            vacuity: false,
            certificate: true,
            ..EvidenceOptions::default()
        },
        ..Job::default()
    };
    let mut why = None;
    // What is cut short is not shown.
    let _ = sat::check(model, &job, &|_| true, counted, &mut |event| {
        if let Event::Finding(finding) = event
            && let Some(Certified::Given {
                certificate,
                over: Over::Model,
                ..
            }) = finding.certificate
        {
            why = Some(why_of(model, query, *certificate, counted));
        }
    });
    why
}
