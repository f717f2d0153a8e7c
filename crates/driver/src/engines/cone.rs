//! Decision diagrams, with each property in its cone of influence where that is much smaller.
//!
//! What a property does not depend on is left out of the model first. A property that holds there holds,
//! and nothing more need be known about it. Evidence speaks of all variables, so where there must be some
//! the states of the whole model are built as well.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use wherefore_base::{Budget, Run};
use wherefore_evidence::{EvidenceOptions, Finding, UnknownReason, Verdict};
use wherefore_logic::{Class, class_of};
use wherefore_model::{Model, VarId};
use wherefore_space::symbolic::Symbolic;

use crate::engines::{Engine, Event, Investigation, Job, OverSpace, over_space};
use crate::strategy::Strategies;

/// A model with no more bits in its states is looked at as a whole.
const SMALL: u32 = 24;

/// A cone is much smaller when it leaves out one bit in so many.
const SHARE: u32 = 8;

/// Answers the properties of a job that are wanted. How many steps it may take once the states of the whole
/// model are known is asked then; without an answer it may take all it needs.
pub(crate) fn check(
    model: &Model,
    job: &Job,
    wanted: &dyn Fn(usize) -> bool,
    patience: &dyn Fn(&Symbolic<'_>) -> Run<Option<u64>>,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Run<()> {
    let mut answered = HashSet::new();
    let mut failing = BTreeMap::new();
    for (cone, properties) in cones(model, job) {
        let open = properties.into_iter().filter(|&property| wanted(property));
        let inner = Job {
            properties: Some(open.collect()),
            options: EvidenceOptions {
                evidence: false,
                abstraction: None,
                ..job.options.clone()
            },
            ..job.clone()
        };
        let part = model.within(&cone);
        let mut plain = true;
        let work = Investigation {
            job: &inner,
            strategies: &Strategies::default(),
            budget,
            wanted,
            tell: &mut |event| match event {
                // What there is to tell of single states is told of whole ones.
                Event::Space(summary) => plain = summary.notes.is_empty(),
                Event::Finding(finding) if plain && finding.notes.is_empty() => {
                    match finding.verdict {
                        Verdict::Holds => {
                            answered.insert(finding.property);
                            tell(Event::Finding(finding));
                        }
                        Verdict::Fails => drop(failing.insert(finding.property, finding)),
                        Verdict::Unknown(_) => {}
                    }
                }
                _ => {}
            },
        };
        if over_space(&part, job.engine, budget, work).is_err() {
            // A cone that is too large is no reason not to look at the whole.
            budget.check()?;
        }
    }
    let left = |property: usize| !answered.contains(&property) && wanted(property);
    if !job.selection(model).into_iter().any(left) {
        return Ok(());
    }
    let mut over_whole = || -> Run<()> {
        budget.phase("exploring states");
        let space = Symbolic::build(model, budget)?;
        if let Some(steps) = patience(&space)? {
            space.allow(steps);
        }
        let mut tell_all = |event: Event| {
            // What was found in too few steps may be found better by somebody else.
            if space.gave_up() {
                return;
            }
            if let Event::Finding(finding) = &event
                && failing.contains_key(&finding.property)
            {
                if is_stopped(finding) {
                    return;
                }
                failing.remove(&finding.property);
            }
            tell(event);
        };
        let work = Investigation {
            job,
            strategies: &Strategies::default(),
            budget,
            wanted: &|property| left(property) && !space.gave_up(),
            tell: &mut tell_all,
        };
        work.over(&space)
    };
    let outcome = over_whole();
    // A verdict is better than none, unless somebody else may still find evidence as well.
    if job.engine == Engine::Bdd || budget.check().is_err() {
        for finding in failing.into_values() {
            tell(Event::Finding(finding));
        }
    }
    outcome
}

/// The cones that are much smaller than the model, and the properties to be looked at in each.
fn cones(model: &Model, job: &Job) -> Vec<(BTreeSet<VarId>, Vec<usize>)> {
    let bits = |vars: &mut dyn Iterator<Item = VarId>| -> u32 {
        let states = vars.filter(|var| var.index() < model.state_vars());
        states.map(|var| model.vars[var].domain.bits()).sum()
    };
    let all = bits(&mut model.vars.ids());
    let mut cones: Vec<(BTreeSet<VarId>, Vec<usize>)> = Vec::new();
    if all <= SMALL || job.options.certificate || job.options.witness {
        return cones;
    }
    for property in job.selection(model) {
        let Some(query) = model.properties[property].body.query() else {
            continue;
        };
        if class_of(&query.formula, !model.fairness.is_empty()) == Class::Existential {
            continue;
        }
        let cone = model.cone(query.atoms.iter().copied());
        if SHARE * (all - bits(&mut cone.iter().copied())) < all {
            continue;
        }
        match cones.iter_mut().find(|(known, _)| *known == cone) {
            Some((_, properties)) => properties.push(property),
            None => cones.push((cone, vec![property])),
        }
    }
    cones
}

fn is_stopped(finding: &Finding) -> bool {
    matches!(finding.verdict, Verdict::Unknown(UnknownReason::Stopped(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ModelSubject, check_model};

    /// Thirty-two bits that nothing depends on, beside a counter.
    const MODEL: &str = "MODULE main
        VAR n : 0..3; a : 0..65535; b : 0..65535;
        ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;
          init(a) := 0; next(a) := n = 3 ? b : a; init(b) := 1; next(b) := b;
        SPEC AG AF n = 2
        SPEC AG n < 3
        SPEC EF n = 3
        SPEC AG a < 2
        LTLSPEC G F n = 1
        LTLSPEC F G n = 1";

    fn events(engine: Engine, properties: Option<Vec<usize>>) -> (Vec<Finding>, bool) {
        let session = ModelSubject::from_text("m", MODEL).expect("it is right");
        let job = Job {
            engine,
            properties,
            ..Job::default()
        };
        let (mut findings, mut space) = (Vec::new(), false);
        let budget = Budget::unlimited();
        check_model(session.model(), &job, &budget, &mut |event| match event {
            Event::Finding(finding) => findings.push(*finding),
            Event::Space(_) => space = true,
            Event::Rejected(_) => panic!("it is right"),
        });
        findings.sort_by_key(|finding| finding.property);
        (findings, space)
    }

    #[test]
    fn what_is_found_in_cones_is_what_is_found_in_the_whole() {
        let (by_bdd, space) = events(Engine::Bdd, None);
        assert!(space, "evidence is about all variables");
        assert_eq!(by_bdd, events(Engine::Explicit, None).0);
    }

    #[test]
    fn the_whole_is_not_built_for_properties_that_hold_in_their_cones() {
        let (findings, space) = events(Engine::Bdd, Some(vec![0, 4]));
        assert!(findings.iter().all(|f| f.verdict == Verdict::Holds));
        assert!(!space);
    }

    #[test]
    fn cones_are_much_smaller_or_not_taken() {
        let session = ModelSubject::from_text("m", MODEL).expect("it is right");
        let cones = cones(session.model(), &Job::default());
        assert_eq!(cones.len(), 1, "what reads `a` needs everything");
        assert_eq!(cones[0].1, [0, 1, 4, 5]);
    }
}
