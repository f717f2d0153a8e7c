//! A shrunk run is as short as its states allow, against a search through all runs.

use std::collections::{BTreeSet, VecDeque};

use wherefore_acceptance::agreement::{explicit, symbolic};
use wherefore_base::Value;
use wherefore_evidence::{Evidence, Investigator, Replay, Shrunk};
use wherefore_logic::{PathRule, Quantifier};
use wherefore_space::StateSpace;
use wherefore_testkit::formulas::{CtlTree, Operator};
use wherefore_testkit::kripke::{self, Kripke, StepEncoding, members};
use wherefore_testkit::{Rng, campaign};

fn apply(operator: Operator, operands: &[CtlTree]) -> CtlTree {
    CtlTree::Apply(operator, operands.to_vec())
}

/// A random walk from an initial state.
fn walk(rng: &mut Rng, kripke: &Kripke, most: usize) -> Vec<usize> {
    let starts: Vec<usize> = members(kripke.initial).collect();
    if starts.is_empty() {
        return vec![];
    }
    let mut walk = vec![*rng.pick(&starts)];
    while walk.len() <= most {
        let next: Vec<usize> = members(kripke.steps[walk[walk.len() - 1]]).collect();
        match next.is_empty() {
            true => break,
            false => walk.push(*rng.pick(&next)),
        }
    }
    walk
}

/// What both engines make of a walk; they agree, and the evidence replays and stays within the walk.
fn shrunk(kripke: &Kripke, formula: &CtlTree, rule: PathRule, walk: &[usize]) -> Option<Evidence> {
    let model = kripke.model(&formula.formula(), rule, StepEncoding::Constraint);
    let states: Vec<Vec<Value>> = walk.iter().map(|&s| vec![Value::Int(s as i64)]).collect();
    let by_explicit = shrink(&explicit(&model), &states);
    assert_eq!(by_explicit, shrink(&symbolic(&model), &states));
    let Shrunk::Found(finding) = by_explicit else {
        return None;
    };
    let evidence = finding.evidence.expect("a run was found");
    assert_eq!(evidence.replay, Replay::Ok);
    assert!(evidence.minimal.proved());
    for at in evidence.main_run().0 {
        assert!(states.contains(&evidence.occurrences[at].values));
    }
    Some(evidence)
}

fn shrink<S: StateSpace>(space: &S, states: &[Vec<Value>]) -> Shrunk {
    let investigator = Investigator::new(space).expect("no limit");
    let query = space.model().properties[0].body.query();
    let query = query.expect("a property of CTL");
    investigator.shrink(0, query, states).expect("no limit")
}

/// The length of the shortest path within some states from an initial one to a goal.
fn shortest_path(kripke: &Kripke, within: &BTreeSet<usize>, goal: u64) -> Option<usize> {
    let starts = members(kripke.initial).filter(|state| within.contains(state));
    let mut open: VecDeque<(usize, usize)> = starts.map(|state| (state, 0)).collect();
    let mut seen: BTreeSet<usize> = open.iter().map(|&(state, _)| state).collect();
    while let Some((state, depth)) = open.pop_front() {
        if goal >> state & 1 == 1 {
            return Some(depth);
        }
        for next in members(kripke.steps[state]).filter(|next| within.contains(next)) {
            if seen.insert(next) {
                open.push_back((next, depth + 1));
            }
        }
    }
    None
}

/// The least number of steps of a lasso within some states from an initial one.
fn shortest_lasso(kripke: &Kripke, within: &BTreeSet<usize>) -> Option<usize> {
    fn extend(
        kripke: &Kripke,
        within: &BTreeSet<usize>,
        run: &mut Vec<usize>,
        steps: usize,
    ) -> bool {
        let last = run[run.len() - 1];
        if run.len() == steps {
            return run.iter().any(|&state| kripke.steps_to(last, state));
        }
        let next = members(kripke.steps[last]).filter(|next| within.contains(next));
        next.into_iter().any(|next| {
            if run.contains(&next) {
                return false;
            }
            run.push(next);
            let found = extend(kripke, within, run, steps);
            run.pop();
            found
        })
    }
    (1..=within.len()).find(|&steps| {
        let mut starts = members(kripke.initial).filter(|state| within.contains(state));
        starts.any(|start| extend(kripke, within, &mut vec![start], steps))
    })
}

#[test]
fn a_walk_into_a_bad_state_is_shrunk_to_the_shortest_path_through_its_states() {
    let formula = apply(Operator::Globally(Quantifier::Forall), &[CtlTree::Atom(0)]);
    campaign("shrink AG p", 400, |rng| {
        let kripke = kripke::random(rng, 12, 1);
        let walk = walk(rng, &kripke, 40);
        let within: BTreeSet<usize> = walk.iter().copied().collect();
        let expected = shortest_path(&kripke, &within, !kripke.labels[0]);
        let found = shrunk(&kripke, &formula, PathRule::Reach, &walk);
        let steps = found.as_ref().map(Evidence::main_steps);
        assert_eq!(steps, expected, "{kripke:?} {walk:?}");
        assert!(steps.is_none_or(|steps| steps < walk.len()));
    });
}

#[test]
fn a_walk_around_a_loop_is_shrunk_to_the_shortest_lasso_through_its_states() {
    let formula = apply(Operator::Finally(Quantifier::Forall), &[CtlTree::Atom(0)]);
    campaign("shrink AF p", 400, |rng| {
        let mut kripke = kripke::random(rng, 7, 1);
        kripke.fairness = Default::default();
        let walk = walk(rng, &kripke, 20);
        let bad = |state: &usize| kripke.labels[0] >> state & 1 == 0;
        let within: BTreeSet<usize> = walk.iter().copied().filter(bad).collect();
        let expected = shortest_lasso(&kripke, &within);
        let found = shrunk(&kripke, &formula, PathRule::FairInfinite, &walk);
        let steps = found.as_ref().map(Evidence::main_steps);
        assert_eq!(steps, expected, "{kripke:?} {walk:?}");
    });
}

#[test]
fn whatever_the_formula_a_shrunk_walk_replays() {
    campaign("shrink anything", 300, |rng| {
        let kripke = kripke::random(rng, 7, 2);
        let walk = walk(rng, &kripke, 20);
        let size = 1 + rng.below(5);
        let formula = wherefore_testkit::formulas::random(rng, size, 2);
        for rule in PathRule::ALL {
            shrunk_at_all(&kripke, &formula, rule, &walk);
        }
    });
}

fn shrunk_at_all(kripke: &Kripke, formula: &CtlTree, rule: PathRule, walk: &[usize]) {
    let model = kripke.model(&formula.formula(), rule, StepEncoding::Constraint);
    let states: Vec<Vec<Value>> = walk.iter().map(|&s| vec![Value::Int(s as i64)]).collect();
    let by_explicit = shrink(&explicit(&model), &states);
    assert_eq!(by_explicit, shrink(&symbolic(&model), &states));
    if let Shrunk::Found(finding) = by_explicit {
        let evidence = finding.evidence.expect("a run was found");
        assert_eq!(evidence.replay, Replay::Ok);
    }
}
