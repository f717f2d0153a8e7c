//! Of runs that are equal in the measure, evidence has the one with the fewest changes of variables, and
//! of these the least, against a search through all runs.

use std::fmt::Write;

use wherefore_acceptance::agreement::{explicit, symbolic};
use wherefore_base::{Budget, SourceFile, SourceMap, Value};
use wherefore_evidence::{Evidence, EvidenceOptions, Finding, Investigator, Measure};
use wherefore_model::Model;
use wherefore_space::StateSpace;
use wherefore_testkit::kripke::{self, Kripke, StateMask, members};
use wherefore_testkit::{Rng, campaign};

/// Runs with more steps than this are not tried.
const MOST_STEPS: usize = 8;

/// A run: its states, and for a lasso the position its last step goes back to.
type Told = (Vec<usize>, Option<usize>);

/// The expression that is true in these states: a state is written with three bits.
fn any_of(states: StateMask, next: bool) -> String {
    let bit = |state: usize, at: usize| {
        let name = ["a", "b", "c"][at];
        let name = if next {
            format!("next({name})")
        } else {
            name.to_string()
        };
        let not = if state >> (2 - at) & 1 == 1 { "" } else { "!" };
        format!("{not}{name}")
    };
    let cube = |state: usize| format!("({})", [0, 1, 2].map(|at| bit(state, at)).join(" & "));
    let cubes: Vec<String> = members(states).map(cube).collect();
    match cubes.is_empty() {
        true => "FALSE".to_string(),
        false => format!("({})", cubes.join(" | ")),
    }
}

fn model(kripke: &Kripke, spec: &str) -> Model {
    let mut text = String::from("MODULE main\nVAR a : boolean; b : boolean; c : boolean;\n");
    let now = |states| any_of(states, false);
    let _ = writeln!(text, "DEFINE p := {};", now(kripke.labels[0]));
    let _ = writeln!(text, "INIT {}", now(kripke.initial));
    for state in 0..8 {
        let after = kripke.steps.get(state).copied().unwrap_or(0);
        let _ = writeln!(text, "TRANS {} -> {}", now(1 << state), any_of(after, true));
    }
    for &justice in &kripke.fairness.justice {
        let _ = writeln!(text, "JUSTICE {}", now(justice));
    }
    for &(p, q) in &kripke.fairness.compassion {
        let _ = writeln!(text, "COMPASSION ({}, {})", now(p), now(q));
    }
    let _ = writeln!(text, "{spec}");
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("changes.smv", &text));
    let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    assert!(!loaded.diagnostics.iter().any(|d| d.is_error()), "{text}");
    loaded.model
}

fn finding<S: StateSpace>(space: &S, minimal: Measure) -> Finding {
    let options = EvidenceOptions {
        minimal,
        ..EvidenceOptions::default()
    };
    let investigator = Investigator::new(space).expect("no limit");
    investigator.investigate(0, &options)
}

fn evidence(model: &Model, minimal: Measure) -> Option<Evidence> {
    let found = finding(&explicit(model), minimal);
    assert_eq!(found, finding(&symbolic(model), minimal));
    found.evidence
}

fn told(evidence: &Evidence) -> Told {
    let (run, back) = evidence.main_run();
    let state = |at: &_| {
        let bits = evidence.occurrences[*at].values.iter();
        bits.fold(0, |n, &bit| 2 * n + usize::from(bit == Value::Bool(true)))
    };
    let position = back.and_then(|back| run.iter().position(|&at| at == back));
    (run.iter().map(state).collect(), position)
}

/// Every run with so many steps that starts with this one.
fn runs(kripke: &Kripke, run: &mut Vec<usize>, steps: usize, visit: &mut dyn FnMut(&[usize])) {
    visit(run);
    let last = *run.last().expect("a run has a first state");
    if run.len() <= steps {
        for next in members(kripke.steps[last]) {
            run.push(next);
            runs(kripke, run, steps, visit);
            run.pop();
        }
    }
}

fn is_fair(kripke: &Kripke, turn: &[usize]) -> bool {
    let meets = |states: StateMask| turn.iter().any(|&state| states >> state & 1 == 1);
    let pairs = &kripke.fairness.compassion;
    kripke.fairness.justice.iter().all(|&states| meets(states))
        && pairs.iter().all(|&(p, q)| !meets(p) || meets(q))
}

/// The size of a run in a measure, its steps, its prefix and its changes.
fn weigh(measure: Measure, (run, back): &Told) -> (usize, usize, usize, u32) {
    let mut all = run.clone();
    all.extend(back.map(|back| run[back]));
    let mut steps: Vec<(usize, usize)> = all.windows(2).map(|pair| (pair[0], pair[1])).collect();
    let changes = steps
        .iter()
        .map(|(from, to)| (from ^ to).count_ones())
        .sum();
    let length = steps.len();
    let size = match measure {
        Measure::Steps | Measure::TraceSteps | Measure::ProductSteps => length,
        Measure::Nodes => run.len(),
        Measure::States => {
            let mut states = run.clone();
            states.sort_unstable();
            states.dedup();
            states.len()
        }
        Measure::Transitions => {
            steps.sort_unstable();
            steps.dedup();
            steps.len()
        }
    };
    (size, length, back.unwrap_or(run.len()), changes)
}

/// The best of the runs that refute.
fn best(
    kripke: &Kripke,
    measure: Measure,
    refuting: impl Fn(&[usize]) -> Vec<Told>,
) -> Option<Told> {
    let mut best: Option<(_, Told)> = None;
    for start in members(kripke.initial) {
        runs(kripke, &mut vec![start], MOST_STEPS, &mut |run| {
            for told in refuting(run) {
                let key = (weigh(measure, &told), told);
                if best.as_ref().is_none_or(|best| key < *best) {
                    best = Some(key);
                }
            }
        });
    }
    best.map(|(_, told)| told)
}

fn structure(rng: &mut Rng) -> Kripke {
    let mut kripke = kripke::random(rng, 6, 1);
    // Larger numbers of states have more bits to change.
    let mut to: Vec<usize> = (0..8).collect();
    for at in (1..8).rev() {
        to.swap(at, rng.below(at + 1));
    }
    kripke.steps.resize(8, 0);
    kripke.size = 8;
    kripke.renamed(&to)
}

#[test]
fn a_path_to_what_must_not_be_has_the_fewest_changes() {
    campaign("fewest changes of paths", 400, |rng| {
        let kripke = structure(rng);
        let p = kripke.labels[0];
        let expected = best(&kripke, Measure::Steps, |run| {
            let last = *run.last().expect("a run has a first state");
            let bad = p >> last & 1 == 0;
            bad.then(|| (run.to_vec(), None)).into_iter().collect()
        });
        let model = model(&kripke, "INVARSPEC p");
        for measure in Measure::ALL {
            let found = evidence(&model, measure);
            let Some(found) = found else {
                assert_eq!(expected, None);
                return;
            };
            assert!(found.minimal.proved());
            assert_eq!(Some(told(&found)), expected, "{measure} {kripke:?}");
        }
    });
}

#[test]
fn a_fair_loop_is_least_in_each_measure_and_then_has_the_fewest_changes() {
    campaign("fewest changes of loops", 150, |rng| {
        let kripke = structure(rng);
        let p = kripke.labels[0];
        let model = model(&kripke, "CTLSPEC AF p");
        for measure in Measure::ALL {
            let expected = best(&kripke, measure, |run| {
                if run.iter().any(|&state| p >> state & 1 == 1) {
                    return vec![];
                }
                let last = *run.last().expect("a run has a first state");
                let closes = |&back: &usize| {
                    let short = run.len() <= MOST_STEPS;
                    short && kripke.steps_to(last, run[back]) && is_fair(&kripke, &run[back..])
                };
                let lassos = (0..run.len()).filter(closes);
                lassos.map(|back| (run.to_vec(), Some(back))).collect()
            });
            match (evidence(&model, measure), expected) {
                (Some(found), Some(expected)) => {
                    assert!(found.minimal.proved());
                    assert_eq!(told(&found), expected, "{measure} {kripke:?}");
                }
                (Some(found), None) => {
                    assert!(Measure::Steps.of(&found) as usize > MOST_STEPS);
                }
                (None, expected) => assert_eq!(expected, None),
            }
        }
    });
}
