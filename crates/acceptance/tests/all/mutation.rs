//! Replay rejects evidence that was changed by hand, whatever was changed.

use std::cell::RefCell;

use wherefore_acceptance::agreement::explicit;
use wherefore_acceptance::mutants::{Unnoticed, hunt};
use wherefore_evidence::{EvidenceOptions, Investigator, Verdict};
use wherefore_logic::PathRule;
use wherefore_model::Model;
use wherefore_testkit::kripke::{self, Kripke, StepEncoding};
use wherefore_testkit::{campaign, formulas, random_model};

/// Changes the evidence for every property of a model and adds what replay does not notice.
fn hunt_all(model: &Model, unnoticed: &mut Unnoticed) {
    let space = explicit(model);
    let investigator = Investigator::new(&space).expect("no limit");
    for property in 0..model.properties.len() {
        let finding = investigator.investigate(property, &EvidenceOptions::default());
        let holds = finding.verdict == Verdict::Holds;
        if let Some(evidence) = finding.evidence {
            hunt(&space, property, holds, &evidence, unnoticed);
        }
    }
}

#[test]
fn replay_rejects_every_change_of_evidence_about_structures() {
    let unnoticed = RefCell::new(Unnoticed::new());
    campaign("mutants of structures", 60, |rng| {
        let kripke: Kripke = kripke::random(rng, 5, 2);
        let size = 1 + rng.below(4);
        let formula = formulas::random(rng, size, 2).formula();
        for rule in PathRule::ALL {
            let model = kripke.model(&formula, rule, StepEncoding::Constraint);
            hunt_all(&model, &mut unnoticed.borrow_mut());
        }
    });
    let unnoticed = unnoticed.into_inner();
    assert!(
        unnoticed.is_empty(),
        "replay does not notice {unnoticed:#?}"
    );
}

#[test]
fn replay_rejects_every_change_of_evidence_about_models() {
    let unnoticed = RefCell::new(Unnoticed::new());
    campaign("mutants of models", 30, |rng| {
        let model = random_model::random(rng);
        hunt_all(&model, &mut unnoticed.borrow_mut());
    });
    let unnoticed = unnoticed.into_inner();
    assert!(
        unnoticed.is_empty(),
        "replay does not notice {unnoticed:#?}"
    );
}
