//! Why properties of linear time fail or hold, on random systems: proofs along runs, parts that never matter, wishes and
//! further runs are what the definitions say.

use std::collections::BTreeSet;
use std::rc::Rc;

use wherefore_acceptance::agreement::explicit;
use wherefore_base::{Budget, Run, Value};
use wherefore_check::{Checker, Strengthened, Tableau};
use wherefore_evidence::{
    Assertion, AssertionTruth, Chain, Claim, Decision, DecisiveChoice, Evidence, EvidenceOptions,
    Exploring, Finding, Investigator, Missing, NoMore, OccurrenceId, Prefer, ProofId,
    ReachableStates, Replay, SentenceBase, SentenceChecker, SeveralOptions, Shortest, Shrunk,
    Strategy, Verdict, WishBest, replay,
};
use wherefore_logic::{AtomId, Formula, Op, SubId, occurrences, parts, replaced};
use wherefore_model::{Model, Query};
use wherefore_space::StateSpace;
use wherefore_testkit::kripke::{self, Kripke, nowhere};
use wherefore_testkit::linear::{self, KripkeLasso};
use wherefore_testkit::{Rng, campaign};

use crate::linear::{lasso, linear_model, query, stands};

/// Lassos are listed up to this many states.
const LONGEST: usize = 6;
const PROPOSITIONS: usize = 2;

fn random(rng: &mut Rng, past: bool) -> (Kripke, Formula) {
    let kripke = kripke::random(rng, 4, PROPOSITIONS);
    let size = 1 + rng.below(4);
    let formula = linear::random(rng, size, PROPOSITIONS, past);
    (kripke, formula)
}

/// Has a proof of a failing property explored; the verdict.
fn explained(model: &Model, visit: &mut dyn FnMut(&mut dyn Exploring) -> Run<()>) -> Verdict {
    let tableau = Tableau::new(model, query(model), nowhere());
    let (space, product) = (explicit(model), explicit(&tableau.model));
    let investigator = Investigator::new(&space).expect("no limit");
    let verdict = investigator.explain_linear(0, &tableau, &product, &mut |_, proof| visit(proof));
    verdict.expect("no limit")
}

fn found(model: &Model, options: &EvidenceOptions, strategy: &mut dyn Strategy) -> Finding {
    let tableau = Tableau::new(model, query(model), nowhere());
    let (space, product) = (explicit(model), explicit(&tableau.model));
    let investigator = Investigator::new(&space).expect("no limit");
    investigator.investigate_linear_with(0, options, strategy, &tableau, &product)
}

/// Whether the claims of a proof are so by definition, each without bounds of its own.
fn is_true_proof(kripke: &Kripke, formula: &Formula, evidence: &Evidence) -> bool {
    let run = lasso(evidence);
    evidence.proof.iter().all(|node| match node.claim {
        Claim::Formula(goal, None) => {
            let truth = linear::truth(kripke, formula, &run, node.at.index());
            truth[goal.sub.index()] == goal.holds
        }
        _ => true,
    })
}

#[test]
fn a_proof_along_a_run_says_what_the_definitions_say_whoever_chooses() {
    campaign("walks", 400, |rng| {
        let (kripke, formula) = random(rng, true);
        let model = linear_model(&kripke, &formula);
        let text = model.properties[0].text.clone();
        explained(&model, &mut |proof| {
            let mut shown = 0;
            while let Some(&leaf) = proof.leaves().first() {
                let leaves = proof.leaves();
                let leaf = leaves.get(rng.below(leaves.len())).copied().unwrap_or(leaf);
                let ways = proof.ways(leaf)?;
                assert!(!ways.is_empty(), "{text}: nothing shows a claim that is so");
                proof.take(leaf, rng.below(ways.len()))?;
                shown += 1;
                assert!(shown < 2_000, "{text}: the proof does not end");
            }
            let (evidence, nodes) = proof.evidence()?;
            assert_eq!(evidence.replay, Replay::Ok, "{text}");
            assert!(is_true_proof(&kripke, &formula, &evidence), "{text}");
            assert!(nodes.len() > 1, "{text}: nothing is explained");
            // What is taken back can be shown again.
            proof.reopen(ProofId::new(1));
            assert_eq!(proof.leaves(), [ProofId::new(1)], "{text}");
            proof.grow(&mut Shortest, usize::MAX)?;
            assert_eq!(proof.evidence()?.0.replay, Replay::Ok, "{text}");
            assert!(proof.undo() && proof.undo());
            assert_eq!(proof.evidence()?.0, evidence, "{text}");
            Ok(())
        });
    });
}

#[test]
fn a_changed_proof_along_a_run_is_rejected() {
    campaign("changed walks", 200, |rng| {
        let (kripke, formula) = random(rng, true);
        let model = linear_model(&kripke, &formula);
        let mut whole = None;
        explained(&model, &mut |proof| {
            proof.grow(&mut Shortest, usize::MAX)?;
            whole = Some(proof.evidence()?.0);
            Ok(())
        });
        let Some(whole) = whole else {
            return;
        };
        let says = |evidence: &Evidence| {
            replay(&model, query(&model), false, evidence, &Budget::unlimited()).expect("no limit")
        };
        let inner: Vec<ProofId> = whole.proof.ids().skip(1).collect();
        for &node in &inner {
            let text = &model.properties[0].text;
            let mut changed = whole.clone();
            if let Claim::Formula(goal, bounds) = changed.proof[node].claim {
                changed.proof[node].claim = Claim::Formula(goal.negated(), bounds);
            }
            assert!(matches!(says(&changed), Replay::Failed(_)), "{text}");
            let mut changed = whole.clone();
            if changed.proof[node].premises.pop().is_some() {
                assert!(matches!(says(&changed), Replay::Failed(_)), "{text}");
            }
            let mut changed = whole.clone();
            let at = OccurrenceId::new(rng.below(whole.occurrences.len()));
            changed.proof[node].at = at;
            if says(&changed) == Replay::Ok {
                assert!(is_true_proof(&kripke, &formula, &changed), "{text}");
                assert!(stands(&kripke, &formula, &changed), "{text}");
            }
        }
    });
}

fn refuted_by_listing(kripke: &Kripke, formula: &Formula) -> bool {
    let root = formula.root().index();
    let lassos = linear::lassos(kripke, LONGEST);
    lassos
        .iter()
        .any(|lasso| !linear::truth(kripke, formula, lasso, 0)[root])
}

/// Whether a run refutes a query, over its product.
fn refuted(model: &Model, query: &Query) -> Run<bool> {
    let tableau = Tableau::new(model, query, nowhere());
    let product = explicit(&tableau.model);
    let checker = Checker::new(&product)?;
    let solution = checker.solve(&tableau.query)?;
    let failing = checker.failing(&tableau.query, &solution)?;
    Ok(!product.is_empty(&failing))
}

fn strengthened(model: &Model) -> Strengthened {
    let space = explicit(model);
    let investigator = Investigator::new(&space).expect("no limit");
    let found = investigator.linear_vacuity(0, &mut |query| refuted(model, query));
    found.expect("no limit").expect("the formula is small")
}

#[test]
fn parts_that_never_matter_are_those_that_no_run_tells_apart() {
    let vacuous = std::cell::Cell::new(0);
    campaign("linear vacuity", 500, |rng| {
        let (kripke, formula) = random(rng, true);
        let model = linear_model(&kripke, &formula);
        let text = model.properties[0].text.clone();
        if refuted(&model, query(&model)).expect("no limit") {
            return;
        }
        let polarity = occurrences(&formula);
        let worst = |sub: SubId| -> Vec<Formula> {
            let constants = polarity[sub].worst().iter();
            constants.map(|&by| replaced(&formula, sub, by)).collect()
        };
        let reachable = ReachableStates::default();
        let base = SentenceBase::new(&model, query(&model), &reachable, Budget::unlimited());
        let checker = SentenceChecker::new(Rc::new(base), None);
        let says = |sub: SubId| checker.decide(&Assertion::NeverMatters(sub));
        match strengthened(&model) {
            Strengthened::StillHolds(sub) => {
                vacuous.set(vacuous.get() + 1);
                for stronger in worst(sub) {
                    assert!(!refuted_by_listing(&kripke, &stronger), "{text}: {sub:?}");
                }
                let said = says(sub);
                assert!(
                    !matches!(said, AssertionTruth::False(_)),
                    "{text}: {said:?}"
                );
            }
            Strengthened::Fails(_) => {
                let leaves = formula
                    .subs()
                    .filter(|&sub| matches!(formula.op(sub), Op::Atom(_)));
                for leaf in leaves.filter(|&leaf| leaf != formula.root()) {
                    let tells = worst(leaf).into_iter().any(|stronger| {
                        let stronger = Query {
                            formula: stronger,
                            ..query(&model).clone()
                        };
                        refuted(&model, &stronger).expect("no limit")
                    });
                    assert!(tells, "{text}: {leaf:?} matters to no run");
                    assert_ne!(says(leaf), AssertionTruth::True, "{text}: {leaf:?}");
                }
            }
        }
    });
    assert!(vacuous.get() > 20, "some hold vacuously");
}

#[test]
fn the_sentence_checker_decides_formulas_as_the_lassos_do() {
    campaign("listed guesses", 400, |rng| {
        let (kripke, formula) = random(rng, true);
        // That the spare part of `formula & (TRUE | TRUE)` never matters says that the formula holds.
        let mut whole = formula.clone();
        let root = whole.root();
        let [spare, other] = [true, true].map(|truth| whole.add(Op::Const(truth), None));
        let either = whole.add(Op::Or(spare, other), None);
        whole.add(Op::And(root, either), None);
        let model = linear_model(&kripke, &whole);
        let reachable = ReachableStates::default();
        let base = SentenceBase::new(&model, query(&model), &reachable, Budget::unlimited());
        let checker = SentenceChecker::new(Rc::new(base), None);
        let text = &model.properties[0].text;
        match checker.decide(&Assertion::NeverMatters(spare)) {
            AssertionTruth::True => assert!(!refuted_by_listing(&kripke, &formula), "{text}"),
            AssertionTruth::False(_) => {
                assert!(refuted(&model, query(&model)).expect("no limit"), "{text}");
            }
            AssertionTruth::NotDecided(_) => {}
        }
    });
}

/// How often a run misses that a proposition is true, in its loop and before.
fn missed(kripke: &Kripke, run: &KripkeLasso, (proposition, liked): (usize, bool)) -> (u32, u32) {
    let count = |states: &[usize]| {
        let missed = states
            .iter()
            .filter(|&&state| (kripke.labels[proposition] >> state & 1 == 1) != liked);
        u32::try_from(missed.count()).expect("runs are short")
    };
    (
        count(&run.states[run.back..]),
        count(&run.states[..=run.back]),
    )
}

#[test]
fn composed_wishes_give_the_best_run_that_refutes_a_formula() {
    let compared = std::cell::Cell::new(0);
    campaign("linear wishes", 500, |rng| {
        let (kripke, formula) = random(rng, false);
        let model = linear_model(&kripke, &formula);
        let text = &model.properties[0].text;
        let atoms = &query(&model).atoms;
        let wishes: Vec<(usize, bool)> = (0..1 + rng.below(2))
            .map(|_| (rng.below(PROPOSITIONS), rng.below(2) == 0))
            .filter(|(proposition, _)| *proposition < atoms.len())
            .collect();
        let strategies = wishes.iter().map(|&(proposition, liked)| {
            let term = atoms[AtomId::new(proposition)];
            let wish: Box<dyn Strategy> = match liked {
                true => Box::new(Prefer::new(term)),
                false => Box::new(Prefer::avoiding(term)),
            };
            wish
        });
        let mut chain = Chain::new(strategies.collect());
        let finding = found(&model, &EvidenceOptions::default(), &mut chain);
        let Some(evidence) = &finding.evidence else {
            return;
        };
        assert_eq!(evidence.replay, Replay::Ok, "{text}");
        assert!(stands(&kripke, &formula, evidence), "{text}");
        let ours = lasso(evidence);
        let cost = |run: &KripkeLasso| -> Vec<(u32, u32)> {
            wishes
                .iter()
                .map(|&wish| missed(&kripke, run, wish))
                .collect()
        };
        for (outcome, counted) in finding.wishes.iter().zip(cost(&ours)) {
            assert_eq!((outcome.turn, outcome.way), counted, "{text}");
        }
        if finding
            .wishes
            .iter()
            .all(|wish| wish.best == WishBest::Proved)
        {
            let root = formula.root().index();
            let lassos = linear::lassos(&kripke, LONGEST);
            let refuting = lassos
                .iter()
                .filter(|lasso| !linear::truth(&kripke, &formula, lasso, 0)[root]);
            let best = refuting.map(cost).min();
            let ours = cost(&ours);
            assert!(best.is_none_or(|best| ours <= best), "{text}: {wishes:?}");
            compared.set(compared.get() + usize::from(!wishes.is_empty()));
        }
    });
    assert!(compared.get() > 50, "some fail");
}

/// The first states of a run, so many that equal ones make equal runs.
fn word(run: &KripkeLasso) -> Vec<usize> {
    let turn = run.states.len() - run.back;
    let state = |at: usize| match at.checked_sub(run.back) {
        Some(since) => run.states[run.back + since % turn],
        None => run.states[at],
    };
    (0..200).map(state).collect()
}

#[test]
fn further_runs_are_different_and_none_of_the_shortest_is_left_out() {
    let several = std::cell::Cell::new(0);
    campaign("linear counts", 300, |rng| {
        let (kripke, formula) = random(rng, false);
        let model = linear_model(&kripke, &formula);
        let text = &model.properties[0].text;
        let options = EvidenceOptions {
            several: SeveralOptions {
                count: 40,
                ..SeveralOptions::default()
            },
            ..EvidenceOptions::default()
        };
        let finding = found(&model, &options, &mut Shortest);
        let Some(first) = &finding.evidence else {
            return;
        };
        let others = finding.more.others.iter().map(|other| &other.evidence);
        let runs: Vec<&Evidence> = std::iter::once(first).chain(others).collect();
        for run in &runs {
            assert_eq!(run.replay, Replay::Ok, "{text}");
            assert!(stands(&kripke, &formula, run), "{text}");
        }
        let runs: Vec<KripkeLasso> = runs.into_iter().map(lasso).collect();
        let words: BTreeSet<Vec<usize>> = runs.iter().map(word).collect();
        assert_eq!(words.len(), runs.len(), "{text}: a run is told twice");
        several.set(several.get() + usize::from(runs.len() > 1));
        let lengths: Vec<usize> = runs.iter().map(|run| run.states.len()).collect();
        assert!(lengths.is_sorted(), "{text}: {lengths:?}");
        // Where the list ends, or goes on to longer runs, no shortest one is missing.
        let longer = lengths.last() > lengths.first();
        let ended = longer || finding.more.end == Some(NoMore::AllFound);
        let shortest = lengths[0];
        if !ended || shortest > LONGEST {
            return;
        }
        let root = formula.root().index();
        let listed: BTreeSet<Vec<usize>> = linear::lassos(&kripke, shortest)
            .iter()
            .filter(|lasso| !linear::truth(&kripke, &formula, lasso, 0)[root])
            .map(word)
            .collect();
        assert!(
            listed.is_subset(&words),
            "{text}: a shortest run is missing"
        );
    });
    assert!(several.get() > 50, "some have several runs");
}

/// Whether some run that begins with these states satisfies a formula, among the lassos that are listed.
fn some_keeps(kripke: &Kripke, formula: &Formula, lassos: &[KripkeLasso], begin: &[usize]) -> bool {
    let root = formula.root().index();
    lassos.iter().any(|lasso| {
        word(lasso).starts_with(begin) && linear::truth(kripke, formula, lasso, 0)[root]
    })
}

#[test]
fn a_last_chance_is_where_runs_that_satisfy_the_formula_part_from_the_run() {
    let lost = std::cell::Cell::new(0);
    campaign("linear decisions", 1_500, |rng| {
        let (kripke, formula) = random(rng, true);
        let model = linear_model(&kripke, &formula);
        let text = &model.properties[0].text;
        let finding = found(&model, &EvidenceOptions::default(), &mut Shortest);
        let Some(run) = &finding.evidence else {
            return;
        };
        let opposite = {
            let mut formula = formula.clone();
            formula.add(Op::Not(formula.root()), None);
            Query {
                formula,
                ..query(&model).clone()
            }
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
        let said = checker.decide(&Assertion::Decided(decision.sub, decision.choice.clone()));
        assert!(
            !matches!(said, AssertionTruth::False(_)),
            "{text}: {said:?}"
        );
        let states = word(&lasso(run));
        let lassos = linear::lassos(&kripke, LONGEST);
        let keeps = |begin: &[usize]| some_keeps(&kripke, &formula, &lassos, begin);
        match &decision.choice {
            DecisiveChoice::Fated(_) => assert!(!keeps(&states[..1]), "{text}"),
            DecisiveChoice::StillFree { .. } => {}
            DecisiveChoice::Lost { from, instead, .. } => {
                lost.set(lost.get() + 1);
                assert!(!keeps(&states[..from.index() + 2]), "{text}");
                for other in instead {
                    assert_ne!(
                        other,
                        &run.occurrences[decision_target(&decision)].values,
                        "{text}"
                    );
                }
                // Another place for it is a lie, unless it is not decided.
                let mut moved = decision.choice.clone();
                if let DecisiveChoice::Lost { from, .. } = &mut moved {
                    *from = OccurrenceId::new((from.index() + 1) % run.occurrences.len());
                }
                if moved != decision.choice {
                    let said = checker.decide(&Assertion::Decided(decision.sub, moved));
                    assert_ne!(said, AssertionTruth::True, "{text}");
                }
            }
        }
    });
    assert!(
        lost.get() > 10,
        "some runs lose their last chance: {}",
        lost.get()
    );
}

/// Where the step leads with which the last chance is lost.
fn decision_target(decision: &Decision) -> OccurrenceId {
    match &decision.choice {
        DecisiveChoice::Lost { to, .. } => *to,
        _ => OccurrenceId::new(0),
    }
}

#[test]
fn the_parts_of_a_formula_are_true_together_exactly_where_it_is() {
    let split = std::cell::Cell::new(0);
    campaign("linear parts", 600, |rng| {
        let kripke = kripke::random(rng, 3, PROPOSITIONS);
        let size = 2 + rng.below(5);
        let formula = linear::random(rng, size, PROPOSITIONS, true);
        let parts = parts(&formula);
        split.set(split.get() + usize::from(parts.len() > 1));
        for lasso in linear::lassos(&kripke, 4) {
            let holds = |formula: &Formula| {
                let truth = linear::truth(&kripke, formula, &lasso, 0);
                truth[formula.root().index()]
            };
            let all = parts.iter().all(|part| holds(&part.formula));
            assert_eq!(all, holds(&formula), "{formula:?} on {lasso:?}");
        }
    });
    assert!(split.get() > 50, "{} come apart", split.get());
}

#[test]
fn a_shrunk_run_is_the_shortest_through_the_states_that_are_given() {
    let found = std::cell::Cell::new([0; 2]);
    campaign("shrunk lassos", 400, |rng| {
        let (kripke, formula) = random(rng, false);
        let model = linear_model(&kripke, &formula);
        let text = &model.properties[0].text;
        let given: Vec<usize> = (0..kripke.size).filter(|_| rng.chance(3, 4)).collect();
        let values = given.iter().map(|&state| vec![Value::Int(state as i64)]);
        let values: Vec<Vec<Value>> = values.collect();
        let tableau = Tableau::new(&model, query(&model), nowhere());
        let (space, product) = (explicit(&model), explicit(&tableau.model));
        let investigator = Investigator::new(&space).expect("no limit");
        let shrunk = investigator.shrink_linear(0, &values, &tableau, &product);
        let root = formula.root().index();
        let lassos = linear::lassos(&kripke, LONGEST);
        let mut refuting = lassos
            .iter()
            .filter(|lasso| !linear::truth(&kripke, &formula, lasso, 0)[root]);
        let some = refuting.clone().next().is_some();
        let shortest = refuting.find(|lasso| lasso.states.iter().all(|s| given.contains(s)));
        let shortest = shortest.map(|lasso| lasso.states.len());
        let [mut shown, mut missing] = found.get();
        match shrunk.expect("no limit") {
            Shrunk::Found(finding) => {
                shown += 1;
                let evidence = finding.evidence.expect("it was found");
                assert_eq!(evidence.replay, Replay::Ok, "{text}");
                let run = lasso(&evidence);
                assert!(run.states.iter().all(|s| given.contains(s)), "{text}");
                match shortest {
                    Some(shortest) => assert_eq!(run.states.len(), shortest, "{text}"),
                    None => assert!(run.states.len() > LONGEST, "{text}"),
                }
            }
            Shrunk::Nothing(Missing::Holds) => assert!(!some, "{text}"),
            Shrunk::Nothing(Missing::NoRun) => {
                missing += 1;
                assert_eq!(shortest, None, "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
        found.set([shown, missing]);
    });
    let found = found.get();
    assert!(found.iter().all(|&count| count > 20), "{found:?}");
}
