//! Evidence that is called shortest is shortest, and of the shortest the least, against a search
//! through all runs.

use wherefore_acceptance::agreement::explicit;
use wherefore_evidence::{Evidence, EvidenceOptions, Investigator, Shape, Verdict};
use wherefore_logic::{PathRule, Quantifier};
use wherefore_model::Model;
use wherefore_testkit::formulas::{CtlTree, Operator};
use wherefore_testkit::kripke::{self, Kripke, StepEncoding, members};
use wherefore_testkit::{Rng, campaign};

/// Runs with more steps than this are not tried.
const MOST_STEPS: usize = 9;

/// A run: its states, and the position its last step goes back to.
type Lasso = (Vec<usize>, usize);

/// Every lasso with so many steps that starts with this run, least first.
fn lassos(kripke: &Kripke, run: &mut Vec<usize>, steps: usize, visit: &mut dyn FnMut(&Lasso)) {
    let last = *run.last().expect("a run has a first state");
    if run.len() == steps {
        for back in 0..run.len() {
            if kripke.steps_to(last, run[back]) {
                visit(&(run.clone(), back));
            }
        }
        return;
    }
    for next in members(kripke.steps[last]) {
        run.push(next);
        lassos(kripke, run, steps, visit);
        run.pop();
    }
}

fn is_fair(kripke: &Kripke, (run, back): &Lasso) -> bool {
    let meets = |states: u64| run[*back..].iter().any(|&state| states >> state & 1 == 1);
    let pairs = &kripke.fairness.compassion;
    kripke.fairness.justice.iter().all(|&states| meets(states))
        && pairs.iter().all(|&(p, q)| !meets(p) || meets(q))
}

/// The best fair lasso with at most [`MOST_STEPS`] steps that starts in a state and refutes: fewest
/// steps, then the shortest prefix, then the least states.
fn best(kripke: &Kripke, refutes: impl Fn(&Lasso) -> bool) -> Option<Lasso> {
    (1..=MOST_STEPS).find_map(|steps| {
        let mut best: Option<Lasso> = None;
        for start in members(kripke.initial) {
            lassos(kripke, &mut vec![start], steps, &mut |lasso| {
                let better = best
                    .as_ref()
                    .is_none_or(|best| (lasso.1, &lasso.0) < (best.1, &best.0));
                if better && is_fair(kripke, lasso) && refutes(lasso) {
                    best = Some(lasso.clone());
                }
            });
        }
        best
    })
}

fn evidence(model: &Model) -> Option<Evidence> {
    let space = explicit(model);
    let investigator = Investigator::new(&space).expect("no limit");
    let finding = investigator.investigate(0, &EvidenceOptions::default());
    match finding.verdict {
        Verdict::Fails => finding.evidence,
        _ => None,
    }
}

/// The main run of an evidence as numbers of states.
fn told(evidence: &Evidence) -> Lasso {
    let (run, back) = evidence.main_run();
    let state = |at| {
        let value = evidence.occurrences[at].values[0];
        usize::try_from(value.as_int().expect("a state is a number")).expect("not negative")
    };
    let position = run.iter().position(|&at| Some(at) == back);
    (
        run.iter().map(|&at| state(at)).collect(),
        position.expect("the run loops"),
    )
}

fn apply(operator: Operator, operands: &[CtlTree]) -> CtlTree {
    CtlTree::Apply(operator, operands.to_vec())
}

fn compare(kripke: &Kripke, formula: &CtlTree, refutes: impl Fn(&Lasso) -> bool) {
    let model = kripke.model(
        &formula.formula(),
        PathRule::FairInfinite,
        StepEncoding::Constraint,
    );
    let expected = best(kripke, refutes);
    match (evidence(&model), expected) {
        (Some(evidence), Some(expected)) => {
            assert_eq!(evidence.shape, Shape::Lasso);
            assert!(evidence.minimal.proved(), "small systems are searched");
            assert_eq!(told(&evidence), expected, "{kripke:?}");
        }
        (Some(evidence), None) => {
            let length = evidence.minimal.length as usize;
            assert!(length > MOST_STEPS, "{kripke:?}");
        }
        (None, expected) => assert_eq!(expected, None, "{kripke:?}"),
    }
}

fn structure(rng: &mut Rng) -> Kripke {
    kripke::random(rng, 6, 2)
}

#[test]
fn the_loop_that_never_reaches_something_is_the_shortest() {
    let formula = apply(Operator::Finally(Quantifier::Forall), &[CtlTree::Atom(0)]);
    campaign("AF p", 400, |rng| {
        let kripke = structure(rng);
        let p = kripke.labels[0];
        compare(&kripke, &formula, |(run, _)| {
            run.iter().all(|&state| p >> state & 1 == 0)
        });
    });
}

#[test]
fn the_request_that_is_never_answered_is_shortest_over_prefix_and_loop() {
    let answered = apply(Operator::Finally(Quantifier::Forall), &[CtlTree::Atom(1)]);
    let response = apply(Operator::Implies, &[CtlTree::Atom(0), answered]);
    let formula = apply(Operator::Globally(Quantifier::Forall), &[response]);
    campaign("AG (p -> AF q)", 400, |rng| {
        let kripke = structure(rng);
        let (p, q) = (kripke.labels[0], kripke.labels[1]);
        compare(&kripke, &formula, |(run, back)| {
            // Some request at or before the loop's start, and no answer from there on.
            (0..=*back).any(|at| {
                p >> run[at] & 1 == 1 && run[at..].iter().all(|&state| q >> state & 1 == 0)
            })
        });
    });
}
