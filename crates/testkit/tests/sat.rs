//! The SAT engine against the explicit one and against the definitions.

use wherefore::{Engine, Event, Job, check_model};
use wherefore_base::{Budget, IndexVec};
use wherefore_evidence::{Finding, Options, Replay, Shape, Verdict};
use wherefore_induction::{Certificate, Outcome, decide, question};
use wherefore_logic::{Formula, LinearOp, Op, PathOp, PathRule, Quantifier};
use wherefore_model::{Model, PropertyBody, PropertyKind, Query};
use wherefore_testkit::kripke::{self, Encoding};
use wherefore_testkit::linear;
use wherefore_testkit::random_model::random;
use wherefore_testkit::{Rng, campaign};

fn findings(model: &Model, engine: Engine) -> Vec<Finding> {
    let job = Job {
        engine,
        options: Options {
            vacuity: false,
            ..Options::default()
        },
        properties: None,
    };
    let mut findings = Vec::new();
    check_model(
        model,
        &job,
        &Budget::unlimited(),
        &mut |event| match event {
            Event::Finding(finding) => findings.push(*finding),
            Event::Rejected(_) => panic!("the model is right"),
            Event::Space(_) => {}
        },
    );
    findings
}

/// Asserts that the SAT engine says what the explicit one says, as far as it says something.
fn compare(model: &Model) -> usize {
    let explicit = findings(model, Engine::Explicit);
    let sat = findings(model, Engine::Sat);
    let mut answered = 0;
    for (ours, theirs) in sat.iter().zip(&explicit) {
        let property = &model.properties[theirs.property];
        if question(model, theirs.property).is_err() {
            assert!(matches!(ours.verdict, Verdict::Unknown(_)));
            continue;
        }
        answered += 1;
        assert_eq!(ours.verdict, theirs.verdict, "{}", property.text);
        let (Some(ours), Some(theirs)) = (&ours.evidence, &theirs.evidence) else {
            assert!(ours.evidence.is_none() && theirs.evidence.is_none());
            continue;
        };
        assert!(!matches!(ours.replay, Replay::Failed(_)), "{ours:#?}");
        let exact = match property.body {
            PropertyBody::Linear(_) => true,
            _ => property.kind == PropertyKind::Invar,
        };
        if exact {
            assert_eq!(ours, theirs, "{}", property.text);
        }
        let same = ours.shape == theirs.shape && ours.shape == Shape::Lasso;
        if same && ours.minimal.at_least == ours.minimal.length {
            assert_eq!(ours.minimal, theirs.minimal, "{}", property.text);
        }
    }
    answered
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
    for form in 0..6 {
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
