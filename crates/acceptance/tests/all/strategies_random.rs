//! Every built-in strategy, and chains of them, on random systems: the proof is valid and the same from
//! both engines.

use std::collections::BTreeMap;

use wherefore_acceptance::agreement::{explicit, symbolic};
use wherefore_base::Value;
use wherefore_evidence::{
    Arrow, Automaton, BestLoop, Chain, Cheapest, Claim, DistanceStrategy, Evidence,
    EvidenceOptions, Follow, Investigator, KnownStrategy, Like, Partial, Prefer, Random, Replay,
    Rule, Shortest, SmallestGoal, StayFirst, Strategy,
};
use wherefore_logic::PathRule;
use wherefore_model::{Model, PropertyBody, TermId, VarId};
use wherefore_space::StateSpace;
use wherefore_testkit::kripke::{self, StepEncoding};
use wherefore_testkit::{Rng, campaign, formulas, random_model};

/// How many kinds of strategies [`simple`] makes.
const KINDS: usize = 15;

/// What conditions and values a strategy may speak of.
struct Words {
    conditions: Vec<TermId>,
    values: Vec<(VarId, Value)>,
}

fn words(model: &Model, rng: &mut Rng) -> Words {
    let mut conditions: Vec<TermId> = Vec::new();
    for property in &model.properties {
        if let PropertyBody::Query(query) = &property.body {
            conditions.extend(query.atoms.iter());
        }
    }
    let variables = 0..model.state_vars();
    let values = variables.map(|variable| {
        let variable = VarId::new(variable);
        let domain = &model.vars[variable].domain;
        let values: Vec<Value> = domain.values().collect();
        (variable, *rng.pick(&values))
    });
    Words {
        values: values.collect(),
        conditions,
    }
}

/// One of the strategies; those about conditions only where there are some.
fn simple(rng: &mut Rng, words: &Words) -> Box<dyn Strategy> {
    let kind = rng.below(KINDS);
    if words.conditions.is_empty() && (9..KINDS).contains(&kind) {
        return Box::new(StayFirst);
    }
    let condition = |rng: &mut Rng| *rng.pick(&words.conditions);
    match kind {
        0 => Box::new(Random::new(rng.next())),
        1 => Box::new(SmallestGoal),
        2 => Box::new(KnownStrategy::explored()),
        3 => Box::new(KnownStrategy::fresh()),
        4 => Box::new(StayFirst),
        5 => Box::new(DistanceStrategy::nearest(words.values.clone())),
        6 => Box::new(DistanceStrategy::farthest(words.values.clone())),
        7 => Box::new(BestLoop::within(rng.below(6) as u32)),
        8 => match rng.chance(1, 2) {
            true => Box::new(Cheapest::new(rng.below(100))),
            false => Box::new(Partial::new(rng.below(4) as u32)),
        },
        9 | 10 => Box::new(Prefer::new(condition(rng))),
        11 => Box::new(Prefer::avoiding(condition(rng))),
        12 => Box::new(Follow::alternate(condition(rng), condition(rng))),
        13 => Box::new(BestLoop::through(condition(rng))),
        _ => {
            let size = 1 + rng.below(4);
            let arrow = |rng: &mut Rng| Arrow {
                condition: condition(rng),
                truth: rng.chance(1, 2),
                to: rng.below(size),
            };
            let arrows = (0..size).map(|_| (0..rng.below(3)).map(|_| arrow(rng)).collect());
            let arrows = arrows.collect();
            let again = (0..size).filter(|_| rng.chance(1, 4)).collect();
            Box::new(Follow::automaton(Automaton { arrows, again }))
        }
    }
}

/// A strategy, or a chain of a few.
fn strategy(seed: u64, words: &Words) -> Box<dyn Strategy> {
    let rng = &mut Rng::new(seed);
    match rng.below(3) {
        0 | 1 => simple(rng, words),
        _ => {
            let members = 1 + rng.below(3);
            let members = (0..members).map(|_| simple(rng, words));
            Box::new(Chain::new(members.collect()))
        }
    }
}

fn evidence<S: StateSpace>(
    space: &S,
    property: usize,
    strategy: &mut dyn Strategy,
) -> Option<Evidence> {
    let investigator = Investigator::new(space).expect("no limit");
    let options = EvidenceOptions {
        evidence: true,
        vacuity: false,
        witness: false,
        ..EvidenceOptions::default()
    };
    let finding = investigator.investigate_with(property, &options, strategy);
    if let Some(evidence) = &finding.evidence
        && let Replay::Failed(why) = &evidence.replay
    {
        let text = &space.model().properties[property].text;
        panic!("{text}: {why}\n{evidence:#?}");
    }
    finding.evidence
}

fn compare(model: &Model, rng: &mut Rng) {
    let words = words(model, rng);
    let (explicit, symbolic) = (explicit(model), symbolic(model));
    for property in 0..model.properties.len() {
        let seed = rng.next();
        let chosen = evidence(&explicit, property, &mut *strategy(seed, &words));
        let same = chosen == evidence(&symbolic, property, &mut *strategy(seed, &words));
        assert!(same, "the engines differ");
        if let Some(chosen) = chosen {
            let again = evidence(&explicit, property, &mut Like::from_evidence(&chosen));
            assert!(again.is_some());
        }
    }
}

fn random_structure(rng: &mut Rng) -> Model {
    let kripke = kripke::random(rng, 8, 2);
    let size = 1 + rng.below(6);
    let formula = formulas::random(rng, size, 2).formula();
    let rule = *rng.pick(&PathRule::ALL);
    kripke.model(&formula, rule, StepEncoding::Constraint)
}

#[test]
fn every_strategy_gives_valid_proofs_that_are_the_same_from_both_engines() {
    campaign("strategies", 3000, |rng| {
        compare(&random_structure(rng), rng);
    });
}

#[test]
fn every_strategy_gives_valid_proofs_in_models_with_inputs() {
    campaign("strategies in models", 100, |rng| {
        compare(&random_model::random(rng), rng);
    });
}

/// A choice: the kind of rule, and the states that its premises are about.
type Made = (std::mem::Discriminant<Rule>, Vec<Vec<Value>>);

/// For each claim at a state, what was chosen; several things where it is shown several times.
fn made(evidence: &Evidence) -> BTreeMap<(Claim, Vec<Value>), Vec<Made>> {
    let values = |at| evidence.occurrences[at].values.clone();
    let mut made: BTreeMap<_, Vec<Made>> = BTreeMap::new();
    for node in evidence.proof.iter() {
        let rule = node.rule.expect("everything is shown");
        let premises = node.premises.iter();
        let to = premises.map(|&premise| values(evidence.proof[premise].at));
        let choice = (std::mem::discriminant(&rule), to.collect());
        let known = made.entry((node.claim, values(node.at))).or_default();
        if !known.contains(&choice) {
            known.push(choice);
        }
    }
    made
}

#[test]
fn the_choices_of_an_evidence_are_made_again() {
    campaign("choices of evidence", 500, |rng| {
        let model = random_structure(rng);
        let space = explicit(&model);
        if let Some(shortest) = evidence(&space, 0, &mut Shortest) {
            let again = evidence(&space, 0, &mut Like::from_evidence(&shortest));
            let again = again.expect("there is evidence");
            let before = made(&shortest);
            for (claim, now) in made(&again) {
                // Where a claim was shown in several ways, it may be any of them.
                match before.get(&claim).map(Vec::as_slice) {
                    Some([choice]) => assert_eq!(now, std::slice::from_ref(choice)),
                    Some(choices) => assert!(now.iter().all(|choice| choices.contains(choice))),
                    None => {}
                }
            }
        }
    });
}
