//! The SAT engine against the explicit one and against the definitions.

use wherefore_acceptance::agreement::explicit;
use wherefore_base::{Budget, Value};
use wherefore_check::{Checker, Tableau};
use wherefore_driver::{Engine, Event, Job, check_model};
use wherefore_evidence::{
    Evidence, EvidenceOptions, Finding, Investigator, Replay, Shape, Verdict,
};
use wherefore_logic::{Formula, LinearOp, Op, PathOp, PathRule, Quantifier};
use wherefore_model::{Model, Property, PropertyBody, PropertyKind, Query, VarId};
use wherefore_satcheck::{BoundedTrace, SatOutcome, SatQuestion, decide, loops, question};
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Explicit, ExplorationLimits, ReachedState};
use wherefore_testkit::kripke::{self, Kripke, StepEncoding, WithFairness, nowhere};
use wherefore_testkit::linear;
use wherefore_testkit::random_model::random;
use wherefore_testkit::{Rng, campaign};

/// What the explicit engine finds.
fn finding(model: &Model, property: usize) -> Finding {
    let options = EvidenceOptions {
        vacuity: false,
        ..EvidenceOptions::default()
    };
    let space = explicit(model);
    let investigator = Investigator::new(&space).expect("no limit");
    match &model.properties[property].body {
        PropertyBody::Linear(query) => {
            let tableau = Tableau::new(model, query, nowhere());
            let product = explicit(&tableau.model);
            investigator.investigate_linear(property, &options, &tableau, &product)
        }
        _ => investigator.investigate(property, &options),
    }
}

fn main_run(evidence: &Evidence) -> BoundedTrace {
    let (run, back) = evidence.main_run();
    let values = |&at: &_| -> Vec<Value> { evidence.occurrences[at].values.clone() };
    BoundedTrace {
        states: run.iter().map(values).collect(),
        back: back.map(|back| back.index()),
    }
}

/// Asserts that the SAT engine says what the explicit one says, as far as it says something.
fn compare(model: &Model) {
    for property in 0..model.properties.len() {
        let Property { text, kind, .. } = &model.properties[property];
        let outcome = decide(model, property, &Budget::unlimited()).expect("no limits");
        if let SatOutcome::Unknown(_) = outcome {
            continue;
        }
        let theirs = finding(model, property);
        match outcome {
            SatOutcome::Holds(_) => assert_eq!(theirs.verdict, Verdict::Holds, "{text}"),
            SatOutcome::Fails(ours) => {
                assert_eq!(theirs.verdict, Verdict::Fails, "{text}");
                let evidence = theirs.evidence.expect("what fails has evidence");
                if matches!(kind, PropertyKind::Invar | PropertyKind::Ltl) {
                    assert_eq!(ours.trace, main_run(&evidence), "{text}");
                }
                let minimal = &evidence.minimal;
                if ours.product.is_none() && evidence.shape == Shape::Path && minimal.proved() {
                    let least = ours.at_least as u32;
                    assert!(least <= minimal.length, "{text}");
                    let exact = model.fairness.is_empty() && !has_dead_ends(model);
                    assert!(!exact || least == minimal.length, "{text}: {least}");
                }
            }
            SatOutcome::Unknown(_) => {}
        }
    }
}

/// Whether some reachable state has no successor.
fn has_dead_ends(model: &Model) -> bool {
    let space = explicit(model);
    let going_on = space.pre(space.reachable()).expect("no limit");
    let stuck = space.minus(space.reachable(), &going_on);
    !space.is_empty(&stuck.expect("no limit"))
}

/// Properties of every form the engine answers, over the atoms of another query.
fn properties(model: &mut Model, rng: &mut Rng) {
    let Some(query) = model
        .properties
        .iter()
        .find_map(|p| p.body.query())
        .cloned()
    else {
        return;
    };
    let atoms = query.atoms.len();
    let template = model.properties[0].clone();
    let mut add = |kind, linear: bool, formula: Formula, rule| {
        let query = Query {
            formula,
            atoms: query.atoms.clone(),
            rule,
        };
        let mut property = template.clone();
        property.kind = kind;
        property.text = format!("{:?}", query.formula);
        property.body = match linear {
            true => PropertyBody::Linear(query),
            false => PropertyBody::Query(query),
        };
        model.properties.push(property);
    };
    for form in 0..9 {
        let mut formula = Formula::new();
        let mut atom = |formula: &mut Formula| {
            let atom = formula.add(Op::Atom(rng.below(atoms).into()), None);
            match rng.chance(1, 2) {
                true => formula.add(Op::Not(atom), None),
                false => atom,
            }
        };
        let p = atom(&mut formula);
        let all = |op| Op::Path(Quantifier::Forall, op);
        let rule = PathRule::FairInfinite;
        match form {
            0 | 1 => {
                formula.add(all(PathOp::Globally(p)), None);
                let (kind, rule) = match form {
                    0 => (PropertyKind::Invar, PathRule::Reach),
                    _ => (PropertyKind::Ctl, rule),
                };
                add(kind, false, formula, rule);
            }
            2 => {
                formula.add(all(PathOp::Finally(p)), None);
                add(PropertyKind::Ctl, false, formula, rule);
            }
            3 => {
                let q = atom(&mut formula);
                let q = formula.add(all(PathOp::Finally(q)), None);
                let answer = formula.add(Op::Implies(p, q), None);
                formula.add(all(PathOp::Globally(answer)), None);
                add(PropertyKind::Ctl, false, formula, rule);
            }
            4 => {
                let q = atom(&mut formula);
                formula.add(all(PathOp::Until(p, q)), None);
                add(PropertyKind::Ctl, false, formula, rule);
            }
            5 => {
                let q = atom(&mut formula);
                let q = formula.add(all(PathOp::Next(q)), None);
                let step = formula.add(Op::Implies(p, q), None);
                formula.add(all(PathOp::Globally(step)), None);
                add(PropertyKind::Ctl, false, formula, rule);
            }
            6 => {
                let (q, r) = (atom(&mut formula), atom(&mut formula));
                let r = formula.add(all(PathOp::Next(r)), None);
                let r = formula.add(all(PathOp::Next(r)), None);
                let r = formula.add(Op::Or(q, r), None);
                formula.add(all(PathOp::Release(p, r)), None);
                add(PropertyKind::Ctl, false, formula, rule);
            }
            7 => {
                let (q, r) = (atom(&mut formula), atom(&mut formula));
                let q = formula.add(all(PathOp::Next(q)), None);
                let always = formula.add(all(PathOp::Globally(p)), None);
                let both = formula.add(Op::And(q, always), None);
                formula.add(all(PathOp::WeakUntil(both, r)), None);
                add(PropertyKind::Ctl, false, formula, rule);
            }
            _ => {
                let q = atom(&mut formula);
                let q = formula.add(Op::Linear(LinearOp::Finally(q)), None);
                let answer = formula.add(Op::Or(p, q), None);
                formula.add(Op::Linear(LinearOp::Globally(answer)), None);
                add(PropertyKind::Ltl, true, formula, rule);
            }
        }
    }
}

#[test]
fn random_models_have_the_answers_and_the_runs_of_the_explicit_engine() {
    campaign("the SAT engine on random models", 60, |rng| {
        let mut model = random(rng);
        properties(&mut model, rng);
        compare(&model);
    });
}

/// What the SAT engine tells of every property.
fn told(model: &Model) -> Vec<Finding> {
    let job = Job {
        engine: Engine::Sat,
        ..Job::default()
    };
    let mut findings = Vec::new();
    check_model(model, &job, &Budget::unlimited(), &mut |event| {
        if let Event::Finding(finding) = event {
            findings.push(*finding);
        }
    });
    findings
}

/// Asserts that the truth that is noted at the states of an evidence is so among all states of the model.
fn notes_what_is_so(model: &Model, query: &Query, evidence: &Evidence) {
    let space = explicit(model);
    let checker = Checker::new(&space).expect("no limit");
    let solution = checker.solve(query).expect("no limit");
    for occurrence in evidence.occurrences.iter() {
        let values = occurrence.values.iter().enumerate();
        let values: Vec<_> = values.map(|(at, &v)| (VarId::new(at), vec![v])).collect();
        let state = space.first(&space.states_with(&values).expect("no limit"));
        let state = state.expect("no limit").expect("it is reachable");
        for (sub, truth) in occurrence.truth.entries() {
            let is = space.contains(&solution.sat[sub], &state);
            assert!(truth.is_none_or(|truth| truth == is), "{query:?} {sub:?}");
        }
    }
}

#[test]
fn evidence_replays_and_notes_only_what_is_so_in_the_whole_model() {
    campaign("the evidence of the SAT engine", 60, |rng| {
        let mut model = random(rng);
        properties(&mut model, rng);
        for ours in told(&model) {
            let Property { text, body, .. } = &model.properties[ours.property];
            if let Verdict::Unknown(_) = ours.verdict {
                continue;
            }
            let theirs = finding(&model, ours.property);
            assert_eq!(ours.verdict, theirs.verdict, "{text}");
            let Some(evidence) = ours.evidence else {
                assert_eq!(ours.verdict, Verdict::Holds, "{text}");
                continue;
            };
            assert_eq!(evidence.replay, Replay::Ok, "{text}");
            if let PropertyBody::Query(query) = body {
                notes_what_is_so(&model, query, &evidence);
            }
        }
    });
}

/// A structure as a model whose property is one of linear time.
fn linear_model(kripke: &Kripke, formula: &Formula) -> Model {
    let mut model = kripke.model(formula, PathRule::FairInfinite, StepEncoding::Constraint);
    let PropertyBody::Query(query) = model.properties[0].body.clone() else {
        panic!("it asks about a formula");
    };
    model.properties[0].body = PropertyBody::Linear(query);
    model.properties[0].kind = PropertyKind::Ltl;
    model
}

#[test]
fn formulas_of_linear_time_fail_on_the_same_lasso_as_with_the_explicit_engine() {
    campaign("the SAT engine on linear-time formulas", 150, |rng| {
        let kripke = kripke::random(rng, 4, 2);
        let past = rng.chance(1, 3);
        let formula = linear::random(rng, 6, 2, past);
        compare(&linear_model(&kripke, &formula));
    });
}

#[test]
fn every_small_structure_has_the_answers_and_the_lassos_of_the_explicit_engine() {
    let mut rng = Rng::new(11);
    for fairness in WithFairness::ALL {
        for kripke in kripke::every(2, fairness) {
            let size = 1 + rng.below(3);
            let formula = linear::random(&mut rng, size, 1, true);
            compare(&linear_model(&kripke, &formula));
        }
    }
}

/// Whether a run of the product closes a fair loop, if the property is about runs.
fn closes_a_loop(model: &Model) -> Option<bool> {
    let Ok(SatQuestion::NoRun { tableau, .. }) = question(model, 0) else {
        return None;
    };
    let asked = loops(&tableau.model);
    let budget = Budget::unlimited();
    let reached = Explicit::search(
        &asked.model,
        asked.bad,
        ExplorationLimits::default(),
        &budget,
    );
    let reached = reached.expect("no limit").expect("it is small");
    Some(matches!(reached, ReachedState::Yes { .. }))
}

#[test]
fn a_fair_loop_is_closed_exactly_where_a_property_fails() {
    let mut rng = Rng::new(12);
    let mut seen = [0; 2];
    for fairness in WithFairness::ALL {
        for kripke in kripke::every(2, fairness) {
            let size = 1 + rng.below(3);
            let formula = linear::random(&mut rng, size, 1, true);
            let model = linear_model(&kripke, &formula);
            if let Some(closed) = closes_a_loop(&model) {
                let fails = finding(&model, 0).verdict == Verdict::Fails;
                assert_eq!(closed, fails, "{kripke:?} {formula:?}");
                seen[usize::from(closed)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

#[test]
fn random_models_close_a_fair_loop_exactly_where_a_property_fails() {
    campaign("fair loops of random structures", 100, |rng| {
        let kripke = kripke::random(rng, 3, 2);
        let past = rng.chance(1, 3);
        let formula = linear::random(rng, 3, 2, past);
        let model = linear_model(&kripke, &formula);
        if let Some(closed) = closes_a_loop(&model) {
            let fails = finding(&model, 0).verdict == Verdict::Fails;
            assert_eq!(closed, fails, "{kripke:?} {formula:?}");
        }
    });
}
