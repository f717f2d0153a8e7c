//! Random finite systems: what is decided by solvers agrees with the definitions, read on sets of states.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use wherefore_base::Budget;
use wherefore_smt::Deadlock;
use wherefore_smtcheck::{SmtEngine, SmtOptions, SmtSolver, decide};

use crate::common::finite::{Formula, Kripke, Random};
use crate::common::{check_evidence, given, solvers, system};

/// How many systems are asked about in an ordinary run.
const ROUNDS: u64 = 24;

/// How long one system may take; what takes longer stays undecided.
const PATIENCE: Duration = Duration::from_secs(12);

/// Asks about one random system; says whether there was an answer.
fn agrees(solvers: &[SmtSolver], seed: u64) -> bool {
    let mut random = Random::new(seed);
    let (kripke, formula) = (Kripke::random(&mut random), Formula::random(&mut random, 2));
    let deadlock = match kripke.fair {
        // Fair paths never end.
        Some(_) => Deadlock::Vacuous,
        None => [Deadlock::Vacuous, Deadlock::Fail][random.below(2)],
    };
    let text = kripke.text(&formula);
    let model = system(&text);
    let choices = SmtOptions {
        engine: SmtEngine::Auto,
        solvers: solvers.to_vec(),
        deadlock: Some(deadlock),
        bound: 6,
        recheck: Duration::ZERO,
        ..SmtOptions::default()
    };
    let budget = Budget::new(Some(PATIENCE), None);
    let answer = decide(&model, &model.properties[0], &choices, &budget, &mut |_| {});
    check_evidence(&model, &answer);
    let holds = kripke.initial & !kripke.holds(&formula, deadlock) == 0;
    if let Some(said) = answer.holds() {
        assert_eq!(said, holds, "seed {seed}, {deadlock:?}: {text}\n{answer:?}");
    }
    answer.holds().is_some()
}

/// A long run says how far it is.
#[allow(clippy::print_stderr, reason = "nothing else tells how far it is")]
fn tell(asked: u64, decided: u64) {
    eprintln!("{asked} random systems asked, {decided} decided, all of these as they must be");
}

#[test]
fn random_finite_systems_are_decided_as_their_definitions_say() {
    let Some(solvers) = solvers() else { return };
    if let Some(seed) = given("WHEREFORE_SEED") {
        agrees(&solvers, seed);
        return;
    }
    let first = given("WHEREFORE_FIRST").unwrap_or(0);
    let longer = Duration::from_secs(given("WHEREFORE_SOAK").unwrap_or(0));
    let models = given("WHEREFORE_MODELS").unwrap_or(0).max(ROUNDS);
    let begin = Instant::now();
    let (asked, decided) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while asked.load(Ordering::Relaxed) < models || begin.elapsed() < longer {
                    let seed = asked.fetch_add(1, Ordering::Relaxed);
                    let is_decided = u64::from(agrees(&solvers, first + seed));
                    let decided = decided.fetch_add(is_decided, Ordering::Relaxed);
                    if seed > 0 && seed.is_multiple_of(100) {
                        tell(seed, decided);
                    }
                }
            });
        }
    });
    let (asked, decided) = (asked.into_inner(), decided.into_inner());
    tell(asked, decided);
    // Usually most of them; how many a slow machine decides in time is not what is tested.
    assert!(decided * 8 > asked, "only {decided} of {asked} are decided");
}
