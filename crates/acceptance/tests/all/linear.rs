//! Linear-time properties: verdicts, lassos and the truth along them are what the definitions say, from
//! both engines; and nothing that is wrong stands up to the replay.

use wherefore_acceptance::agreement::{explicit, symbolic};
use wherefore_acceptance::mutants;
use wherefore_base::{Budget, Value};
use wherefore_check::Tableau;
use wherefore_evidence::{
    Evidence, EvidenceOptions, Finding, Investigator, Quantity, Replay, Verdict, replay,
};
use wherefore_logic::{Formula, PathRule, as_ctl, has_past};
use wherefore_model::{Distance, Model, PropertyBody, Query};
use wherefore_space::StateSpace;
use wherefore_testkit::kripke::{self, Kripke, StepEncoding, WithFairness, members, nowhere};
use wherefore_testkit::linear::{self, KripkeLasso};
use wherefore_testkit::{Rng, campaign};

/// Lassos are listed up to this many states.
const LONGEST: usize = 6;

/// A structure as a model whose property is one of linear time.
pub(crate) fn linear_model(kripke: &Kripke, formula: &Formula) -> Model {
    let mut model = kripke.model(formula, PathRule::FairInfinite, StepEncoding::Constraint);
    let PropertyBody::Query(query) = model.properties[0].body.clone() else {
        panic!("it asks about a formula");
    };
    model.properties[0].body = PropertyBody::Linear(query);
    model
}

pub(crate) fn query(model: &Model) -> &Query {
    model.properties[0].body.query().expect("it has a formula")
}

fn investigated<S: StateSpace, P: StateSpace>(
    space: &S,
    product: &P,
    tableau: &Tableau,
) -> Finding {
    let investigator = Investigator::new(space).expect("no limit");
    let options = EvidenceOptions::default();
    let finding = investigator.investigate_linear(0, &options, tableau, product);
    let without = investigator.holding_without_tableau(0, &options);
    let known = as_ctl(&query(space.model()).formula).is_some();
    let expected = (known && finding.verdict == Verdict::Holds).then_some(&finding);
    assert_eq!(without.expect("no limit").as_ref(), expected);
    finding
}

/// What both engines find, which is the same.
fn finding(model: &Model) -> Finding {
    let tableau = Tableau::new(model, query(model), nowhere());
    let one = investigated(&explicit(model), &explicit(&tableau.model), &tableau);
    let other = investigated(&symbolic(model), &symbolic(&tableau.model), &tableau);
    assert_eq!(one, other, "the engines find different things");
    one
}

/// The lasso of an evidence, as states of the structure.
pub(crate) fn lasso(evidence: &Evidence) -> KripkeLasso {
    let (run, back) = evidence.main_run();
    let states = run
        .iter()
        .map(|&at| match evidence.occurrences[at].values[0] {
            Value::Int(state) => usize::try_from(state).expect("states are not negative"),
            other => panic!("{other:?} is no state"),
        });
    KripkeLasso {
        states: states.collect(),
        back: back.expect("it is a lasso").index(),
    }
}

/// Whether an evidence is a fair run along which the formula fails, with the truth it notes.
pub(crate) fn stands(kripke: &Kripke, formula: &Formula, evidence: &Evidence) -> bool {
    let lasso = lasso(evidence);
    let noted = |at: usize| {
        let position = evidence.main_run().0[at];
        evidence.occurrences[position]
            .truth
            .iter()
            .copied()
            .map(|truth| truth == Some(true))
    };
    let right = |at: usize| noted(at).eq(linear::truth(kripke, formula, &lasso, at));
    let fails = !linear::truth(kripke, formula, &lasso, 0)[formula.root().index()];
    lasso.is_fair_run_of(kripke) && fails && (0..lasso.states.len()).all(right)
}

fn compare(kripke: &Kripke, formula: &Formula) -> Finding {
    let model = linear_model(kripke, formula);
    let finding = finding(&model);
    let refutes =
        |lasso: &&KripkeLasso| !linear::truth(kripke, formula, lasso, 0)[formula.root().index()];
    let lassos = linear::lassos(kripke, LONGEST);
    let shortest = lassos.iter().find(refutes).map(|lasso| lasso.states.len());
    let text = &model.properties[0].text;
    match (&finding.evidence, shortest) {
        (None, None) => assert_eq!(finding.verdict, Verdict::Holds, "{text}"),
        (None, Some(_)) => panic!("{text} fails by definition, but not for us: {kripke:?}"),
        (Some(evidence), shortest) => {
            assert_eq!(finding.verdict, Verdict::Fails, "{text}");
            assert_eq!(evidence.replay, Replay::Ok, "{text}");
            assert!(stands(kripke, formula, evidence), "{text}: {evidence:#?}");
            let ours = lasso(evidence).states.len();
            match shortest {
                Some(shortest) if has_past(formula) => assert!(ours >= shortest, "{text}"),
                Some(shortest) => assert_eq!(ours, shortest, "{text}"),
                None => assert!(ours > LONGEST || has_past(formula), "{text}"),
            }
        }
    }
    finding
}

fn small(rng: &mut Rng) -> Kripke {
    kripke::random(rng, 4, 2)
}

#[test]
fn formulas_of_the_future_fail_on_the_shortest_lasso_that_refutes_them() {
    campaign("future", 400, |rng| {
        let kripke = small(rng);
        let size = 1 + rng.below(4);
        let formula = linear::random(rng, size, 2, false);
        compare(&kripke, &formula);
    });
}

#[test]
fn formulas_with_past_operators_mean_what_the_definitions_say() {
    campaign("past", 400, |rng| {
        let kripke = small(rng);
        let size = 1 + rng.below(4);
        let formula = linear::random(rng, size, 2, true);
        compare(&kripke, &formula);
    });
}

#[test]
fn every_small_structure_answers_by_definition() {
    let mut rng = Rng::new(7);
    for fairness in WithFairness::ALL {
        for kripke in kripke::every(2, fairness) {
            let size = 1 + rng.below(3);
            let formula = linear::random(&mut rng, size, 1, true);
            compare(&kripke, &formula);
        }
    }
}

#[test]
fn changed_evidence_is_rejected_unless_it_is_true() {
    campaign("mutants", 60, |rng| {
        let kripke = kripke::random(rng, 3, 2);
        let formula = linear::random(rng, 2, 2, true);
        let finding = compare(&kripke, &formula);
        let Some(evidence) = finding.evidence else {
            return;
        };
        let model = linear_model(&kripke, &formula);
        for (what, mutant) in mutants::mutants(&model, &formula, &evidence) {
            let said = replay(&model, query(&model), false, &mutant, &Budget::unlimited());
            if said.expect("no limit") == Replay::Ok {
                let same_proof = mutant.proof == evidence.proof;
                assert!(same_proof && stands(&kripke, &formula, &mutant), "{what}");
            }
        }
        let holds = replay(&model, query(&model), true, &evidence, &Budget::unlimited());
        assert!(matches!(holds.expect("no limit"), Replay::Failed(_)));
    });
}

/// The fewest or most steps between two sets, by listing runs; `None`: more than can be listed.
fn listed(kripke: &Kripke, longest: bool, from: u64, to: u64) -> Option<u32> {
    let mut layer: Vec<usize> = members(kripke.reachable() & from).collect();
    for steps in 0..=u32::try_from(kripke.size).expect("few states") {
        let arrived = |state: &usize| to >> state & 1 == 1;
        if !longest && layer.iter().any(arrived) {
            return Some(steps);
        }
        if longest {
            layer.retain(|state| !arrived(state));
            if layer.is_empty() {
                return Some(steps);
            }
        }
        let next = layer
            .iter()
            .fold(0, |all, &state| all | kripke.steps[state]);
        layer = members(next).collect();
    }
    None
}

#[test]
fn numbers_of_steps_are_those_of_the_runs() {
    campaign("distances", 300, |rng| {
        let mut kripke = small(rng);
        kripke.fairness = Default::default();
        for next in kripke.steps.iter_mut().filter(|next| **next == 0) {
            *next = 1;
        }
        let mut formula = Formula::new();
        formula.add(wherefore_logic::Op::Const(true), None);
        let mut model = kripke.model(&formula, PathRule::FairInfinite, StepEncoding::Constraint);
        let atoms = query(&model).atoms.clone();
        let mut atoms = atoms.iter().copied();
        let (from, to) = (atoms.next().expect("two"), atoms.next().expect("two"));
        for longest in [false, true] {
            model.properties[0].body = PropertyBody::Distance(Distance { longest, from, to });
            let ask = |finding: Finding| finding.quantity.expect("it is computed");
            let options = EvidenceOptions::default();
            let one = Investigator::new(&explicit(&model))
                .expect("no limit")
                .investigate(0, &options);
            let other = Investigator::new(&symbolic(&model))
                .expect("no limit")
                .investigate(0, &options);
            assert_eq!(one, other);
            let starts = kripke.reachable() & kripke.labels[0];
            let expected = match listed(&kripke, longest, kripke.labels[0], kripke.labels[1]) {
                _ if starts == 0 => Quantity::Undefined,
                Some(steps) => Quantity::Steps(steps),
                None => Quantity::Infinite,
            };
            assert_eq!(ask(one), expected, "longest: {longest}, {kripke:?}");
        }
    });
}
