//! Reductions against their definitions, on systems drawn at random.

use std::collections::BTreeSet;

use wherefore_base::{Budget, Stop};
use wherefore_model::lts::{Lts, StateId};

use super::*;
use crate::small::{Random, bisimilar, from_list, listed, lts, shown};

const SEEDS: u64 = 400;

fn reduced(lts: &Lts, reduction: Reduction) -> Lts {
    reduce(lts, reduction, &Budget::unlimited()).expect("there is no limit")
}

fn random(seed: u64) -> Lts {
    Random::new(seed).lts(8, &["a", "b", "i"])
}

/// `s --a--> t` for each way from `s` over internal steps and `a` to `t`, by definition.
fn saturated(lts: &Lts) -> Lts {
    let all = listed(lts);
    let mut weak: BTreeSet<(usize, usize)> = (0..lts.states()).map(|s| (s, s)).collect();
    loop {
        let longer: Vec<(usize, usize)> = weak
            .iter()
            .flat_map(|&(s, t)| {
                let taus = all.iter().filter(move |x| x.0 == t && x.1 == "i");
                taus.map(move |x| (s, x.2))
            })
            .collect();
        let before = weak.len();
        weak.extend(longer);
        if weak.len() == before {
            break;
        }
    }
    let visible = all.iter().filter(|x| x.1 != "i");
    let steps: Vec<(usize, String, usize)> = visible
        .flat_map(|(from, label, to)| {
            let before = weak.iter().filter(move |(_, t)| t == from);
            before.map(move |(s, _)| (*s, label.clone(), *to))
        })
        .collect();
    from_list(&steps)
}

/// The visible traces up to a length, by definition.
fn traces(lts: &Lts, length: usize) -> BTreeSet<Vec<String>> {
    let all = listed(lts);
    let close = |mut states: BTreeSet<usize>| loop {
        let taus = all.iter().filter(|x| x.1 == "i" && states.contains(&x.0));
        let more: Vec<usize> = taus.map(|x| x.2).collect();
        let before = states.len();
        states.extend(more);
        if states.len() == before {
            return states;
        }
    };
    let mut found = BTreeSet::from([vec![]]);
    let mut level = vec![(vec![], close(BTreeSet::from([lts.initial().index()])))];
    for _ in 0..length {
        let mut next = Vec::new();
        for (word, states) in level {
            for label in ["a", "b"] {
                let steps = all.iter().filter(|x| x.1 == label && states.contains(&x.0));
                let to = close(steps.map(|x| x.2).collect());
                if !to.is_empty() {
                    let mut word: Vec<String> = word.clone();
                    word.push(label.to_string());
                    found.insert(word.clone());
                    next.push((word, to));
                }
            }
        }
        level = next;
    }
    found
}

/// Whether no two states of a system are bisimilar, and all are reachable.
fn is_minimal(lts: &Lts) -> bool {
    let all = listed(lts);
    let started_at = |state: usize| {
        let swap = |s: usize| match s {
            0 => state,
            s if s == state => 0,
            s => s,
        };
        let all: Vec<(usize, String, usize)> = all
            .iter()
            .map(|(from, label, to)| (swap(*from), label.clone(), swap(*to)))
            .collect();
        from_list(&all)
    };
    let pairs = (0..lts.states()).flat_map(|s| (0..s).map(move |t| (s, t)));
    let mut different = pairs.map(|(s, t)| !bisimilar(&started_at(s), &started_at(t)));
    let whole = reachable(lts, &Budget::unlimited()).expect("there is no limit");
    different.all(|different| different) && whole.states() == lts.states()
}

#[test]
fn strong_reduction_gives_the_smallest_bisimilar_system() {
    for seed in 0..SEEDS {
        let lts = random(seed);
        let small = reduced(&lts, Reduction::Strong);
        assert!(bisimilar(&lts, &small), "seed {seed}: {}", shown(&lts));
        assert!(is_minimal(&small), "seed {seed}: {}", shown(&small));
    }
}

#[test]
fn tau_a_reduction_is_bisimilar_to_the_saturated_system() {
    for seed in 0..SEEDS {
        let lts = random(seed);
        let small = reduced(&lts, Reduction::TauA);
        assert!(
            bisimilar(&saturated(&lts), &small),
            "seed {seed}: {}",
            shown(&lts)
        );
        assert!(is_minimal(&small), "seed {seed}: {}", shown(&small));
        assert!(small.labels().iter().all(|label| !label.internal));
    }
}

#[test]
fn weak_trace_reduction_is_deterministic_and_has_the_same_traces() {
    for seed in 0..SEEDS {
        let lts = random(seed);
        let small = reduced(&lts, Reduction::WeakTrace);
        assert_eq!(
            traces(&lts, 6),
            traces(&small, 6),
            "seed {seed}: {}",
            shown(&lts)
        );
        for state in small.state_ids() {
            let steps = small.steps(state);
            assert!(steps.windows(2).all(|two| two[0].label != two[1].label));
        }
        assert!(is_minimal(&small), "seed {seed}: {}", shown(&small));
    }
}

#[test]
fn a_reduced_system_reduced_again_is_itself() {
    for seed in 0..SEEDS {
        let lts = random(seed);
        for reduction in Reduction::ALL {
            let once = reduced(&lts, reduction);
            assert_eq!(reduced(&once, reduction), once, "seed {seed}");
            assert_eq!(reduced(&once, Reduction::Strong), once, "seed {seed}");
        }
    }
}

#[test]
fn states_are_numbered_breadth_first_in_the_order_of_labels() {
    let lts = lts("0 b 3; 0 a 5; 5 a 4; 3 c 2; 1 a 0");
    let whole = reachable(&lts, &Budget::unlimited()).expect("there is no limit");
    assert_eq!(shown(&whole), "0 a 1; 0 b 2; 1 a 3; 2 c 4");
}

#[test]
fn a_long_chain_takes_no_longer_than_a_short_one_per_state() {
    let length = 200_000;
    let mut steps: Vec<(usize, String, usize)> = (0..length)
        .map(|state| (state, "a".to_string(), state + 1))
        .collect();
    steps.push((0, "b".to_string(), length));
    let lts = from_list(&steps);
    assert_eq!(reduced(&lts, Reduction::Strong).states(), length + 1);
    let silent: Vec<(usize, String, usize)> = (0..length)
        .map(|state| (state, "i".to_string(), state + 1))
        .collect();
    assert_eq!(reduced(&from_list(&silent), Reduction::TauA).states(), 1);
}

#[test]
fn an_exponential_determinisation_ends_with_its_budget() {
    let mut steps = vec![(0, "a".to_string(), 0), (0, "b".to_string(), 0)];
    for state in 0..40 {
        steps.push((state, "a".to_string(), state + 1));
        if state > 0 {
            steps.push((state, "b".to_string(), state + 1));
        }
    }
    let lts = from_list(&steps);
    let budget = Budget::new(Some(std::time::Duration::from_millis(50)), None);
    let result = reduce(&lts, Reduction::WeakTrace, &budget);
    assert_eq!(result, Err(LtsHalt::Stopped(Stop::TimeOut)));
}

#[test]
fn a_system_without_a_transition_stays_one_state() {
    let lts = Lts::new(vec![], 3, StateId::new(1), &[]);
    for reduction in Reduction::ALL {
        let small = reduced(&lts, reduction);
        assert_eq!((small.states(), small.transitions()), (1, 0));
        assert_eq!(small.initial(), StateId::new(0));
    }
}

#[test]
fn the_coffee_machine_that_decides_too_early() {
    let early = lts("0 coin 1; 0 coin 2; 1 coffee 0; 2 tea 0; 2 i 2");
    assert_eq!(reduced(&early, Reduction::Strong).states(), 3);
    assert_eq!(
        shown(&reduced(&early, Reduction::TauA)),
        "0 coin 1; 0 coin 2; 1 coffee 0; 2 tea 0"
    );
    assert_eq!(
        shown(&reduced(&early, Reduction::WeakTrace)),
        "0 coin 1; 1 coffee 0; 1 tea 0"
    );
}

#[test]
fn names_of_reductions_are_read_back() {
    for reduction in Reduction::ALL {
        assert_eq!(reduction.to_string().parse(), Ok(reduction));
    }
    assert!("branching".parse::<Reduction>().is_err());
}
