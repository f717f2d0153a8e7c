//! Every proof of everything small: all formulas over all structures, for truth and for refutation,
//! chosen by nobody and unfolded step by step. Replay accepts each, and rejects it once it is changed.
//!
//! The size of a formula counts its operators and its atoms; a soak goes one size further.

use wherefore_acceptance::agreement::{explicit, query};
use wherefore_acceptance::mutants::{Unnoticed, hunt};
use wherefore_base::Run;
use wherefore_evidence::{
    Evidence, Exploring, Investigator, Proof, ProofId, Replay, Rules, Shortest, Strategy, Verdict,
    Way, WayKind,
};
use wherefore_logic::PathRule;
use wherefore_model::Model;
use wherefore_space::StateSpace;
use wherefore_testkit::campaign::soaking;
use wherefore_testkit::formulas::{CtlTree, Operator, logical_operators, temporal_operators};
use wherefore_testkit::kripke::{Kripke, StepEncoding, WithFairness, every, property};

/// All formulas with exactly so many operators and atoms.
fn formulas(size: usize) -> Vec<CtlTree> {
    if size == 1 {
        return vec![CtlTree::Atom(0)];
    }
    let bounded = |operator: &Operator| {
        matches!(
            operator,
            Operator::FinallyWithin(..) | Operator::GloballyWithin(..) | Operator::UntilWithin(..)
        )
    };
    let temporal = temporal_operators().into_iter().filter(|o| !bounded(o));
    let operators: Vec<Operator> = logical_operators().into_iter().chain(temporal).collect();
    let mut trees = Vec::new();
    for operator in operators {
        let parts: Vec<Vec<CtlTree>> = match operator.arity() {
            1 => formulas(size - 1).into_iter().map(|f| vec![f]).collect(),
            _ => (1..size - 1)
                .flat_map(|left| {
                    let right = formulas(size - 1 - left);
                    let pair = move |f: CtlTree| {
                        right.clone().into_iter().map(move |g| vec![f.clone(), g])
                    };
                    formulas(left).into_iter().flat_map(pair)
                })
                .collect(),
        };
        trees.extend(
            parts
                .into_iter()
                .map(|parts| CtlTree::Apply(operator, parts)),
        );
    }
    trees
}

/// Goes step by step wherever that is possible.
struct Unfold;

impl Strategy for Unfold {
    fn pick_rule(&mut self, _: &dyn Proof, _: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        let of = |kind| (0..ways.len()).filter(move |&way| ways[way].kind == kind);
        let goals: Vec<usize> = of(WayKind::Goal).collect();
        Ok(match goals.is_empty() {
            true => of(WayKind::EveryStep).collect(),
            false => goals,
        })
    }
}

/// The proof of a property, whether it holds or fails, as a strategy chooses it.
fn prove<S: StateSpace>(
    investigator: &Investigator<'_, S>,
    property: usize,
    strategy: &mut dyn Strategy,
) -> Option<(bool, Evidence)> {
    let mut proof = None;
    let mut grow = |holds: bool, exploring: &mut dyn Exploring| {
        exploring.grow(strategy, usize::MAX)?;
        assert!(exploring.leaves().is_empty());
        proof = Some((holds, exploring.evidence()?.0));
        Ok(())
    };
    let verdict = investigator.explain(property, Rules::default(), &mut grow);
    let verdict = verdict.expect("no limit");
    if let Some((holds, _)) = proof {
        assert_eq!(holds, verdict == Verdict::Holds);
    }
    proof
}

/// One model with every formula as a property.
fn model(kripke: &Kripke, formulas: &[CtlTree], rule: PathRule) -> Model {
    let mut model = kripke.model(&formulas[0].formula(), rule, StepEncoding::Constraint);
    let atoms = query(&model, 0).atoms.clone();
    model.properties = formulas
        .iter()
        .map(|formula| {
            property(wherefore_model::Query {
                formula: formula.formula(),
                atoms: atoms.clone(),
                rule,
            })
        })
        .collect();
    model
}

/// Proves everything about a structure; of every so many proofs, one is also changed in every way.
fn prove_everything(
    kripke: &Kripke,
    formulas: &[CtlTree],
    rule: PathRule,
    change_one_of: usize,
    unnoticed: &mut Unnoticed,
) {
    let model = model(kripke, formulas, rule);
    let space = explicit(&model);
    let investigator = Investigator::new(&space).expect("no limit");
    for property in 0..model.properties.len() {
        let text = &model.properties[property].text;
        let strategies: [&mut dyn Strategy; 2] = [&mut Shortest, &mut Unfold];
        for strategy in strategies {
            let Some((holds, evidence)) = prove(&investigator, property, strategy) else {
                continue;
            };
            assert_eq!(
                evidence.replay,
                Replay::Ok,
                "{text} under {rule}: {kripke:?}"
            );
            if (property + kripke.steps.iter().sum::<u64>() as usize).is_multiple_of(change_one_of)
            {
                hunt(&space, property, holds, &evidence, unnoticed);
            }
        }
    }
}

fn prove_all(size: usize, fairness: WithFairness, rules: &[PathRule], change_one_of: usize) {
    let largest = if soaking() { 4 } else { 3 };
    let formulas: Vec<CtlTree> = (1..=largest).flat_map(formulas).collect();
    let mut unnoticed = Unnoticed::new();
    for kripke in every(size, fairness) {
        for &rule in rules {
            prove_everything(&kripke, &formulas, rule, change_one_of, &mut unnoticed);
        }
    }
    assert!(
        unnoticed.is_empty(),
        "replay does not notice {unnoticed:#?}"
    );
}

#[test]
fn every_proof_about_one_or_two_states_is_accepted_and_rejected_once_changed() {
    for fairness in [WithFairness::No, WithFairness::Justice] {
        prove_all(1, fairness, &PathRule::ALL, 1);
        prove_all(2, fairness, &PathRule::ALL, 23);
    }
}

#[test]
fn every_proof_about_three_states_without_fairness_is_accepted() {
    let rules = [PathRule::FairInfinite, PathRule::Maximal, PathRule::Reach];
    prove_all(3, WithFairness::No, &rules, 997);
}

#[test]
fn every_proof_about_three_states_with_fairness_is_accepted() {
    prove_all(3, WithFairness::Justice, &[PathRule::FairInfinite], 997);
}
