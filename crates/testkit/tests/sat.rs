//! The SAT engine against the explicit one and against the definitions.

use wherefore_base::{Budget, Value};
use wherefore_check::Tableau;
use wherefore_evidence::{Evidence, Finding, Investigator, Options, Verdict};
use wherefore_induction::{Outcome, Trace, decide};
use wherefore_logic::{Formula, LinearOp, Op, PathOp, PathRule, Quantifier};
use wherefore_model::{Model, Property, PropertyBody, PropertyKind, Query};
use wherefore_testkit::agreement::explicit;
use wherefore_testkit::kripke::{self, Encoding, Kripke, WithFairness, nowhere};
use wherefore_testkit::linear;
use wherefore_testkit::random_model::random;
use wherefore_testkit::{Rng, campaign};

/// What the explicit engine finds.
fn finding(model: &Model, property: usize) -> Finding {
    let options = Options {
        vacuity: false,
        ..Options::default()
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

fn main_run(evidence: &Evidence) -> Trace {
    let (run, back) = evidence.main_run();
    let values = |&at: &_| -> Vec<Value> { evidence.occurrences[at].values.clone() };
    Trace {
        states: run.iter().map(values).collect(),
        back: back.map(|back| back.index()),
    }
}

/// Asserts that the SAT engine says what the explicit one says, as far as it says something.
fn compare(model: &Model) {
    for property in 0..model.properties.len() {
        let Property { text, kind, .. } = &model.properties[property];
        let outcome = decide(model, property, &Budget::unlimited()).expect("no limits");
        if let Outcome::Unknown(_) = outcome {
            continue;
        }
        let theirs = finding(model, property);
        match outcome {
            Outcome::Holds(_) => assert_eq!(theirs.verdict, Verdict::Holds, "{text}"),
            Outcome::Fails(ours) => {
                assert_eq!(theirs.verdict, Verdict::Fails, "{text}");
                let evidence = theirs.evidence.expect("what fails has evidence");
                if matches!(kind, PropertyKind::Invar | PropertyKind::Ltl) {
                    assert_eq!(ours.trace, main_run(&evidence), "{text}");
                }
            }
            Outcome::Unknown(_) => {}
        }
    }
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

/// A structure as a model whose property is one of linear time.
fn linear_model(kripke: &Kripke, formula: &Formula) -> Model {
    let mut model = kripke.model(formula, PathRule::FairInfinite, Encoding::Constraint);
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
    for fairness in [
        WithFairness::No,
        WithFairness::Justice,
        WithFairness::Compassion,
    ] {
        for kripke in kripke::every(2, fairness) {
            let size = 1 + rng.below(3);
            let formula = linear::random(&mut rng, size, 1, true);
            compare(&linear_model(&kripke, &formula));
        }
    }
}
