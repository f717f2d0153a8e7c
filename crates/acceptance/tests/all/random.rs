//! Random systems: the engines agree with the definitions, with the plain interpreter, and with each
//! other, down to the last bit of their evidence; and all evidence stands up to its replay.

use std::cell::RefCell;
use std::collections::BTreeSet;

use wherefore_acceptance::agreement::{
    check_structures, compare_graph, compare_sets, explicit, list, query, symbolic,
};
use wherefore_check::Checker;
use wherefore_evidence::{
    Evidence, EvidenceOptions, Finding, Investigator, Measure, Replay, Shape,
};
use wherefore_logic::PathRule;
use wherefore_model::Model;
use wherefore_space::StateSpace;
use wherefore_testkit::formulas;
use wherefore_testkit::kripke::{self, Kripke, StepEncoding};
use wherefore_testkit::{Rng, campaign, random_model};

const ENCODINGS: [StepEncoding; 2] = [StepEncoding::Constraint, StepEncoding::Assignment];

#[test]
fn nested_formulas_mean_what_the_definitions_say_in_larger_structures() {
    campaign("nested formulas", 300, |rng| {
        let kripke = kripke::random(rng, 8, 2);
        let trees: Vec<_> = (0..12)
            .map(|_| {
                let size = 1 + rng.below(7);
                formulas::random(rng, size, 2)
            })
            .collect();
        let encoding = *rng.pick(&ENCODINGS);
        check_structures(&[kripke], &trees, encoding, |model, expected| {
            compare_sets(&explicit(model), expected);
            compare_sets(&symbolic(model), expected);
        });
    });
}

#[test]
fn both_engines_find_the_states_and_steps_that_the_interpreter_finds() {
    campaign("states and steps", 150, |rng| {
        let model = random_model::random(rng);
        compare_graph(&explicit(&model));
        compare_graph(&symbolic(&model));
    });
}

/// Where every sub-formula of a property holds, as both engines must say it.
fn answers<S: StateSpace>(space: &S, property: usize) -> Vec<Vec<Vec<wherefore_base::Value>>> {
    let query = query(space.model(), property);
    let checker = Checker::new(space).expect("no limit");
    let solution = checker.solve(query).expect("no limit");
    let failing = checker.failing(query, &solution).expect("no limit");
    let sets = solution.sat.iter().chain([&failing]);
    sets.map(|set| list(space, set)).collect()
}

#[test]
fn both_engines_give_the_same_answers_about_random_models() {
    campaign("answers", 150, |rng| {
        let model = random_model::random(rng);
        let (explicit, symbolic) = (explicit(&model), symbolic(&model));
        for property in 0..model.properties.len() {
            let (a, b) = (answers(&explicit, property), answers(&symbolic, property));
            assert_eq!(a, b, "{}", model.properties[property].text);
        }
    });
}

fn findings<S: StateSpace>(space: &S) -> Vec<Finding> {
    let investigator = Investigator::new(space).expect("no limit");
    // Each property in another measure, and some with a variable of the environment.
    let options = |property: usize| EvidenceOptions {
        evidence: true,
        vacuity: true,
        witness: true,
        minimal: Measure::ALL[property % Measure::ALL.len()],
        environment: space.model().vars.ids().take(property % 2).collect(),
        abstraction: None,
        ..EvidenceOptions::default()
    };
    let properties = 0..space.model().properties.len();
    properties
        .map(|property| investigator.investigate(property, &options(property)))
        .collect()
}

fn replayed(evidence: &Evidence) {
    assert_eq!(evidence.replay, Replay::Ok, "{evidence:#?}");
}

/// The findings of both engines are equal, and all evidence replays; returns the shapes of the evidence.
fn compare_findings(model: &Model) -> Vec<Shape> {
    let by_explicit = findings(&explicit(model));
    let by_symbolic = findings(&symbolic(model));
    let mut shapes = Vec::new();
    for (a, b) in by_explicit.iter().zip(&by_symbolic) {
        let property = &model.properties[a.property];
        assert_eq!(
            a, b,
            "the engines find different things about {}",
            property.text
        );
        for evidence in a.evidences() {
            replayed(evidence);
            shapes.push(evidence.shape);
        }
    }
    shapes
}

/// Runs a campaign over evidence and asserts that every shape came up.
fn evidence_campaign(name: &str, rounds: u64, shapes: impl Fn(&mut Rng) -> Vec<Shape>) {
    let seen = RefCell::new(BTreeSet::new());
    campaign(name, rounds, |rng| seen.borrow_mut().extend(shapes(rng)));
    let all = [Shape::Path, Shape::Lasso, Shape::Tree, Shape::Region];
    let one_seed = std::env::var_os("WHEREFORE_SEED").is_some();
    let missing: Vec<_> = all
        .iter()
        .filter(|shape| !seen.borrow().contains(shape))
        .collect();
    assert!(
        one_seed || missing.is_empty(),
        "{name}: there is no {missing:?}"
    );
}

#[test]
fn the_evidence_of_both_engines_is_the_same_and_replays_for_random_models() {
    evidence_campaign("evidence for models", 150, |rng| {
        let model = random_model::random(rng);
        compare_findings(&model)
    });
}

#[test]
fn the_evidence_of_both_engines_is_the_same_and_replays_for_random_structures() {
    evidence_campaign("evidence for structures", 300, |rng| {
        let kripke: Kripke = kripke::random(rng, 7, 2);
        let size = 1 + rng.below(5);
        let formula = formulas::random(rng, size, 2).formula();
        let rules = PathRule::ALL.into_iter();
        rules
            .flat_map(|rule| {
                let encoding = *rng.pick(&ENCODINGS);
                compare_findings(&kripke.model(&formula, rule, encoding))
            })
            .collect()
    });
}
