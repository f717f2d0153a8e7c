//! States one by one, up to symmetry.
//!
//! Where a model has many states, and swaps that are proved to leave it and what a property asks as they are, one state
//! stands for all that these turn into each other. The verdicts are those of the whole, since what is left is
//! bisimilar to it (Emerson and Sistla 1996). Its paths are none of the model: runs are looked for in the model itself,
//! by a solver, and where that finds none, among all states as always.

use std::collections::{BTreeMap, HashSet};

use wherefore_base::{Budget, Run, Stop};
use wherefore_evidence::{Evidence, EvidenceOptions, Finding, Note, Verdict};
use wherefore_logic::Class;
use wherefore_model::{Model, PropertyBody, Swap};
use wherefore_satcheck::symmetries;
use wherefore_space::explicit::{Explicit, ExplorationLimits};

use crate::engines::auto::small;
use crate::engines::sat;
use crate::engines::{Engine, Event, Investigation, Job, OverSpace, over_space, undecided};
use crate::strategy::Strategies;

/// How often a solver that looks for a run may ask for more time.
const EFFORT: u64 = 2_000_000;

/// What is said where a verdict is all there is.
const ALONE: &str = "decided up to symmetry; there was no room to look for a run among all states";

/// Whether there may be symmetries, and nothing is wanted that takes all states.
pub(crate) fn may_help(model: &Model, options: &EvidenceOptions) -> bool {
    !model.swaps.is_empty() && !options.certificate && !options.witness
}

/// Answers the properties of a job that are wanted.
pub(crate) fn check(
    model: &Model,
    job: &Job,
    wanted: &dyn Fn(usize) -> bool,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Run<()> {
    let strategies = &Strategies::default();
    if let Ok(space) = small(model, budget)? {
        let work = Investigation {
            job,
            strategies,
            budget,
            wanted,
            tell,
        };
        return work.over(&space);
    }
    let mut answered = HashSet::new();
    let mut alone = BTreeMap::new();
    let mut open = job.selection(model);
    open.retain(|&property| wanted(property));
    for &property in &open {
        // No state says more about it.
        if let PropertyBody::Unsupported(_) = &model.properties[property].body {
            answered.insert(property);
            let finding = undecided(model, property, Stop::Cancelled);
            tell(Event::Finding(Box::new(finding)));
        }
    }
    for (swaps, properties) in groups(model, &open, budget)? {
        let inner = Job {
            properties: Some(properties),
            options: EvidenceOptions {
                evidence: false,
                abstraction: None,
                ..job.options.clone()
            },
            ..job.clone()
        };
        let space = Explicit::explore_up_to(model, &swaps, ExplorationLimits::default(), budget);
        let Ok(Ok(space)) = space else { continue };
        let work = Investigation {
            job: &inner,
            strategies,
            budget,
            wanted,
            tell: &mut |event| match event {
                Event::Finding(mut finding) if is_exact(&finding) => {
                    if needs_run(&finding, &job.options) {
                        finding.evidence = run(model, &finding, &job.options, budget);
                        if finding.evidence.is_none() {
                            alone.insert(finding.property, finding);
                            return;
                        }
                    }
                    answered.insert(finding.property);
                    tell(Event::Finding(finding));
                }
                Event::Finding(_) => {}
                Event::Space(mut summary) => {
                    summary.notes.iter_mut().for_each(count_up_to_symmetry);
                    tell(Event::Space(summary));
                }
                event => tell(event),
            },
        };
        // What was told before work ended stays told, and what is left is looked at as a whole.
        let _ = work.over(&space);
    }
    let left = |property: usize| !answered.contains(&property) && wanted(property);
    if !open.into_iter().any(left) {
        return Ok(());
    }
    let work = Investigation {
        job,
        strategies,
        budget,
        wanted: &left,
        tell: &mut |event| {
            if let Event::Finding(finding) = &event {
                match finding.verdict {
                    Verdict::Unknown(_) if alone.contains_key(&finding.property) => return,
                    _ => drop(alone.remove(&finding.property)),
                }
            }
            tell(event);
        },
    };
    let outcome = over_space(model, Engine::Explicit, budget, work);
    // A verdict is better than none, unless somebody else may still find evidence as well.
    if job.engine == Engine::Explicit || budget.check().is_err() {
        for mut finding in alone.into_values() {
            finding.notes.push(Note::Said(ALONE.to_owned()));
            tell(Event::Finding(finding));
        }
    }
    outcome
}

/// Properties that have the same symmetries, with these; those without any are left out.
fn groups<'m>(
    model: &'m Model,
    open: &[usize],
    budget: &Budget,
) -> Run<Vec<(Vec<&'m Swap>, Vec<usize>)>> {
    let mut groups: Vec<(Vec<&Swap>, Vec<usize>)> = Vec::new();
    for (swaps, &property) in symmetries(model, open, budget)?.into_iter().zip(open) {
        match groups.iter_mut().find(|(known, _)| *known == swaps) {
            Some((_, properties)) => properties.push(property),
            None if swaps.is_empty() => {}
            None => groups.push((swaps, vec![property])),
        }
    }
    Ok(groups)
}

/// Whether a finding up to symmetry is one about all states: numbers of states are not.
fn is_exact(finding: &Finding) -> bool {
    let counts = |note: &Note| matches!(note, Note::UnfairInitialStates(..));
    !matches!(finding.verdict, Verdict::Unknown(_)) && !finding.notes.iter().any(counts)
}

/// Whether a finding is to have evidence.
fn needs_run(finding: &Finding, options: &EvidenceOptions) -> bool {
    let existential = finding.class == Some(Class::Existential);
    let shown = finding.verdict == Verdict::Fails || existential;
    shown && (options.evidence || options.abstraction.is_some())
}

/// Evidence from a run that a solver finds, if it is the one that every engine shows.
fn run(
    model: &Model,
    finding: &Finding,
    options: &EvidenceOptions,
    budget: &Budget,
) -> Option<Evidence> {
    let plain = EvidenceOptions {
        vacuity: options.vacuity,
        evidence_time: options.evidence_time,
        environment: options.environment.clone(),
        ..EvidenceOptions::default()
    };
    if *options != plain {
        return None;
    }
    sat::shown(model, finding, options, &budget.counted(EFFORT)).ok()?
}

/// Says of a number of states that it is one up to symmetry.
fn count_up_to_symmetry(note: &mut Note) {
    if let Note::Deadlocks {
        count, distance, ..
    } = note
    {
        let said = format!(
            "reachable states without a successor, up to symmetry: {count}; the nearest: {distance} steps from the start"
        );
        *note = Note::Said(said);
    }
}
