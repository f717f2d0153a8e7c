//! Random tests that can be repeated.
//!
//! A campaign runs a test on one seed after the other. When a test fails, the seed is printed; with
//! `WHEREFORE_SEED=n` in the environment a campaign runs that seed only, with `WHEREFORE_SOAK=seconds`
//! it goes on with fresh seeds for that long.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

pub use wherefore_base::Rng;

/// Runs a test with the seeds `0..rounds`, or as the environment says.
///
/// # Panics
/// When the test does; the seed is printed before.
pub fn campaign(name: &str, rounds: u64, test: impl Fn(&mut Rng)) {
    let further = number_from_environment("WHEREFORE_SOAK");
    campaign_for(name, rounds, further.map(Duration::from_secs), test);
}

/// The same, and then with fresh seeds for a time.
///
/// # Panics
/// When the test does; the seed is printed before.
#[allow(clippy::print_stderr)]
pub fn campaign_for(name: &str, rounds: u64, further: Option<Duration>, test: impl Fn(&mut Rng)) {
    let run = |seed: u64| {
        let outcome = catch_unwind(AssertUnwindSafe(|| test(&mut Rng::new(seed))));
        if let Err(panic) = outcome {
            eprintln!("{name} fails with seed {seed}; WHEREFORE_SEED={seed} repeats it");
            resume_unwind(panic);
        }
    };
    if let Some(seed) = number_from_environment("WHEREFORE_SEED") {
        return run(seed);
    }
    (0..rounds).for_each(run);
    if let Some(further) = further {
        let end = Instant::now() + further;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let mut seed = now.map_or(rounds, |now| now.as_secs() << 20);
        while Instant::now() < end {
            run(seed);
            seed += 1;
        }
    }
}

/// Whether this is a soak, in which tests may take long.
pub fn soaking() -> bool {
    number_from_environment("WHEREFORE_SOAK").is_some()
}

/// A number in the environment.
pub fn number_from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_and_another_seed_others() {
        let numbers = |seed| {
            let mut rng = Rng::new(seed);
            (0..8).map(|_| rng.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
    }

    #[test]
    fn between_reaches_both_ends() {
        let mut rng = Rng::new(3);
        let seen: Vec<i64> = (0..100).map(|_| rng.between(-1, 1)).collect();
        assert!([-1, 0, 1].iter().all(|n| seen.contains(n)));
        assert!(seen.iter().all(|n| (-1..=1).contains(n)));
    }
}
