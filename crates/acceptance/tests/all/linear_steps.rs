//! Formulas of linear time that read inputs and next states: what they say of states that remember the last step, and where
//! runs could still have satisfied them.

use std::cell::Cell;
use std::rc::Rc;

use wherefore_acceptance::agreement::explicit;
use wherefore_base::Budget;
use wherefore_check::{Tableau, remembering_steps};
use wherefore_evidence::{
    Assertion, AssertionTruth, DecisiveChoice, EvidenceOptions, Finding, Investigator,
    OccurrenceId, ReachableStates, SentenceBase, SentenceChecker, Verdict,
};
use wherefore_logic::Op;
use wherefore_model::{Model, PropertyBody, Query};
use wherefore_testkit::kripke::{Kripke, nowhere};
use wherefore_testkit::{Rng, campaign};

use crate::environment::{model, structure};
use crate::linear::query;

/// A formula over a condition on states, an input and a next value.
fn formula(rng: &mut Rng, size: usize) -> String {
    if size == 0 {
        return rng.pick(&["p", "i", "next(a)", "b"]).to_string();
    }
    let left = rng.below(size);
    match rng.below(9) {
        0 => format!("!({})", formula(rng, size - 1)),
        1 => format!("X ({})", formula(rng, size - 1)),
        2 | 3 => format!("F ({})", formula(rng, size - 1)),
        4 | 5 => format!("G ({})", formula(rng, size - 1)),
        6 => format!("O ({})", formula(rng, size - 1)),
        7 => format!(
            "({}) U ({})",
            formula(rng, left),
            formula(rng, size - 1 - left)
        ),
        _ => format!(
            "({}) -> ({})",
            formula(rng, left),
            formula(rng, size - 1 - left)
        ),
    }
}

/// A model with an input whose property reads steps, often.
fn random(rng: &mut Rng) -> Model {
    let first = structure(rng);
    let second = Kripke {
        steps: structure(rng).steps,
        ..first.clone()
    };
    let size = 1 + rng.below(4);
    let spec = format!("LTLSPEC {}", formula(rng, size));
    model(&[first, second], &spec)
}

fn found(model: &Model) -> Finding {
    let tableau = Tableau::new(model, query(model), nowhere());
    let (space, product) = (explicit(model), explicit(&tableau.model));
    let investigator = Investigator::new(&space).expect("no limit");
    investigator.investigate_linear(0, &EvidenceOptions::default(), &tableau, &product)
}

#[test]
fn a_condition_on_a_step_is_what_is_remembered_at_the_next_state() {
    let (fails, steps) = (Cell::new(0), Cell::new(0));
    campaign("remembered steps", 300, |rng| {
        let model = random(rng);
        let asked = query(&model);
        let (mut remembering, told) = remembering_steps(&model, asked, nowhere());
        assert!(!remembering.reads_steps(told.atoms.as_slice()));
        steps.set(steps.get() + usize::from(model.reads_steps(asked.atoms.as_slice())));
        remembering.properties[0].body = PropertyBody::Linear(told);
        let (one, other) = (found(&model).verdict, found(&remembering).verdict);
        assert_eq!(one, other, "{}", model.properties[0].text);
        fails.set(fails.get() + usize::from(one == Verdict::Fails));
    });
    assert!(fails.get() > 50 && steps.get() > 100);
}

#[test]
fn chances_of_formulas_that_read_steps_are_confirmed() {
    let confirmed = Cell::new([0; 2]);
    campaign("chances of steps", 500, |rng| {
        let model = random(rng);
        let text = &model.properties[0].text;
        let finding = found(&model);
        let Some(run) = &finding.evidence else {
            return;
        };
        let mut formula = query(&model).formula.clone();
        formula.add(Op::Not(formula.root()), None);
        let opposite = Query {
            formula,
            ..query(&model).clone()
        };
        let tableau = Tableau::new(&model, &opposite, nowhere());
        let (space, product) = (explicit(&model), explicit(&tableau.model));
        let investigator = Investigator::new(&space).expect("no limit");
        let decision = investigator.linear_decision(0, run, &[], &tableau, &product);
        let Some(decision) = decision.expect("no limit") else {
            return;
        };
        let reachable = ReachableStates::default();
        let base = SentenceBase::new(&model, query(&model), &reachable, Budget::unlimited());
        let checker = SentenceChecker::new(Rc::new(base), Some(run));
        let said =
            |choice: DecisiveChoice| checker.decide(&Assertion::Decided(decision.sub, choice));
        let truth = said(decision.choice.clone());
        assert!(
            !matches!(truth, AssertionTruth::False(_)),
            "{text}: {truth:?}"
        );
        if !model.reads_steps(query(&model).atoms.as_slice()) || truth != AssertionTruth::True {
            return;
        }
        let [mut fated, mut free] = confirmed.get();
        // The other of the two is a lie.
        let lie = match decision.choice {
            DecisiveChoice::Fated(_) => {
                fated += 1;
                DecisiveChoice::StillFree { exit: None }
            }
            DecisiveChoice::StillFree { .. } => {
                free += 1;
                DecisiveChoice::Fated(OccurrenceId::new(0))
            }
            DecisiveChoice::Lost { .. } => panic!("{text}: more than the next state decides"),
        };
        confirmed.set([fated, free]);
        assert!(matches!(said(lie), AssertionTruth::False(_)), "{text}");
    });
    let confirmed = confirmed.get();
    assert!(confirmed.iter().all(|&count| count > 10), "{confirmed:?}");
}
