//! Proofs that grow by any choices whatever: all are valid, whole and in part.

use std::cell::RefCell;
use std::rc::Rc;

use wherefore_acceptance::agreement::{explicit, symbolic};
use wherefore_base::Run;
use wherefore_evidence::{
    Evidence, EvidenceOptions, Exploring, Guide, Investigator, Proof, ProofId, Replay, Rules,
    Shortest, Strategy, Way,
};
use wherefore_logic::PathRule;
use wherefore_model::Model;
use wherefore_space::StateSpace;
use wherefore_testkit::kripke::{self, StepEncoding};
use wherefore_testkit::{Rng, campaign, formulas, random_model};

/// Chooses anything, and now and then wants nothing more.
struct Wild {
    rng: Rc<RefCell<Rng>>,
    stops: bool,
}

impl Strategy for Wild {
    fn init(&mut self, rules: &mut Rules) -> Run<()> {
        let mut rng = self.rng.borrow_mut();
        for guide in [Guide::Here, Guide::Explored(true), Guide::Explored(false)] {
            if rng.chance(1, 2) {
                rules.add(guide);
            }
        }
        if rng.chance(1, 4) {
            rules.remove("goal");
        }
        Ok(())
    }

    fn pick_leaf(&mut self, _: &dyn Proof, leaves: &[ProofId]) -> Run<Vec<ProofId>> {
        let mut rng = self.rng.borrow_mut();
        if leaves.is_empty() || self.stops && rng.chance(1, 12) {
            return Ok(vec![]);
        }
        Ok(vec![*rng.pick(leaves)])
    }

    fn pick_rule(&mut self, _: &dyn Proof, _: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        Ok(vec![self.rng.borrow_mut().below(ways.len())])
    }
}

fn wild_evidence<S: StateSpace>(space: &S, property: usize, seed: u64) -> Option<Evidence> {
    let rng = Rc::new(RefCell::new(Rng::new(seed)));
    let stops = rng.borrow_mut().chance(1, 2);
    let investigator = Investigator::new(space).expect("no limit");
    let options = EvidenceOptions {
        evidence: true,
        vacuity: false,
        witness: false,
        ..EvidenceOptions::default()
    };
    let mut wild = Wild { rng, stops };
    investigator
        .investigate_with(property, &options, &mut wild)
        .evidence
}

/// Explores a proof by fits and starts: shows some of it, takes some back, and in the end shows all.
fn wander<S: StateSpace>(space: &S, property: usize, seed: u64) -> Option<Evidence> {
    let rng = Rc::new(RefCell::new(Rng::new(seed)));
    let mut wild = Wild {
        rng: rng.clone(),
        stops: true,
    };
    let mut rules = Rules::default();
    wild.init(&mut rules).expect("no limit");
    let mut told = None;
    let investigator = Investigator::new(space).expect("no limit");
    let mut visit = |_: bool, exploring: &mut dyn Exploring| {
        for _ in 0..6 {
            exploring.grow(&mut wild, 8)?;
            let nodes = exploring.evidence()?.1;
            let node = nodes[ProofId::new(rng.borrow_mut().below(nodes.len()))];
            match rng.borrow_mut().below(3) {
                0 if exploring.nodes()[node].rule.is_some() => exploring.reopen(node),
                1 => {
                    exploring.undo();
                }
                _ => {}
            }
            let (evidence, _) = exploring.evidence()?;
            assert!(
                !matches!(evidence.replay, Replay::Failed(_)),
                "{evidence:#?}"
            );
        }
        exploring.grow(&mut Shortest, usize::MAX)?;
        told = Some(exploring.evidence()?.0);
        Ok(())
    };
    let verdict = investigator.explain(property, rules, &mut visit);
    verdict.expect("no limit");
    told
}

fn try_wildly(model: &Model, seed: u64) {
    let (explicit, symbolic) = (explicit(model), symbolic(model));
    for property in 0..model.properties.len() {
        let evidence = wild_evidence(&explicit, property, seed);
        if let Some(evidence) = &evidence
            && let Replay::Failed(why) = &evidence.replay
        {
            let text = &model.properties[property].text;
            panic!("{text}: {why}\n{evidence:#?}");
        }
        let same = evidence == wild_evidence(&symbolic, property, seed);
        assert!(same, "the engines differ");
        let told = wander(&explicit, property, seed);
        if let Some(evidence) = &told {
            assert!(
                !matches!(evidence.replay, Replay::Failed(_)),
                "{evidence:#?}"
            );
            assert!(evidence.proof.iter().all(|node| node.rule.is_some()));
        }
        assert!(
            told == wander(&symbolic, property, seed),
            "the engines differ"
        );
    }
}

#[test]
fn whatever_a_strategy_chooses_the_proof_is_valid() {
    campaign("wild strategies", 300, |rng| {
        let kripke = kripke::random(rng, 8, 2);
        let size = 1 + rng.below(6);
        let formula = formulas::random(rng, size, 2).formula();
        let rule = *rng.pick(&PathRule::ALL);
        let model = kripke.model(&formula, rule, StepEncoding::Constraint);
        try_wildly(&model, rng.next());
    });
}

#[test]
fn whatever_a_strategy_chooses_the_proof_is_valid_in_models_with_inputs() {
    campaign("wild strategies in models", 60, |rng| {
        let model = random_model::random(rng);
        try_wildly(&model, rng.next());
    });
}
