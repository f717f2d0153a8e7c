//! Everything small: all Kripke structures up to three states, all operators, all path rules, with and
//! without fairness, both engines, against the definitions.

use wherefore_acceptance::agreement::{check_structures, compare_sets, explicit, symbolic};
use wherefore_testkit::formulas::{CtlTree, Operator, all_of_size, temporal_operators};
use wherefore_testkit::kripke::{Kripke, StepEncoding, WithFairness, every};

/// Every temporal operator over `p`, `!p` and `TRUE`.
fn one_operator() -> Vec<CtlTree> {
    let p = CtlTree::Atom(0);
    let not_p = CtlTree::Apply(Operator::Not, vec![p.clone()]);
    all_of_size(1, &[p, not_p, CtlTree::Const(true)], &temporal_operators())
}

/// Every temporal operator over every other without bounds.
fn two_operators() -> Vec<CtlTree> {
    let unbounded = |operator: &Operator| {
        let bounded = matches!(
            operator,
            Operator::FinallyWithin(..) | Operator::GloballyWithin(..) | Operator::UntilWithin(..)
        );
        !bounded
    };
    let operators: Vec<Operator> = temporal_operators().into_iter().filter(unbounded).collect();
    all_of_size(2, &[CtlTree::Atom(0)], &operators)
}

/// Structures side by side, as many as fit in 64 states.
fn batches(size: usize, fairness: WithFairness) -> Vec<Vec<Kripke>> {
    let structures: Vec<Kripke> = every(size, fairness).collect();
    structures
        .chunks(64 / size)
        .map(<[Kripke]>::to_vec)
        .collect()
}

#[test]
fn both_engines_agree_with_the_definitions_on_everything_up_to_two_states() {
    for fairness in WithFairness::ALL {
        for batch in batches(1, fairness).iter().chain(&batches(2, fairness)) {
            for encoding in [StepEncoding::Constraint, StepEncoding::Assignment] {
                check_structures(batch, &one_operator(), encoding, |model, expected| {
                    compare_sets(&explicit(model), expected);
                    compare_sets(&symbolic(model), expected);
                });
            }
        }
    }
}

#[test]
fn both_engines_agree_with_the_definitions_on_everything_of_three_states() {
    for fairness in [WithFairness::No, WithFairness::Justice] {
        for batch in batches(3, fairness) {
            check_structures(
                &batch,
                &one_operator(),
                StepEncoding::Constraint,
                |model, expected| {
                    compare_sets(&explicit(model), expected);
                    compare_sets(&symbolic(model), expected);
                },
            );
        }
    }
}

#[test]
fn nested_operators_agree_with_the_definitions_up_to_two_states() {
    for fairness in WithFairness::ALL {
        for batch in batches(2, fairness) {
            for trees in two_operators().chunks(400) {
                check_structures(
                    &batch,
                    trees,
                    StepEncoding::Assignment,
                    |model, expected| {
                        compare_sets(&explicit(model), expected);
                    },
                );
            }
        }
    }
}
