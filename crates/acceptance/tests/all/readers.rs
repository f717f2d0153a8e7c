//! Torn texts for every reader. Without a wish it is a short look; `WHEREFORE_FUZZ=60` goes on for a minute each.
//!
//! Fuzzing that follows coverage is in `fuzz/`, with the same readers; this needs no other tool. What was found is pinned
//! below.

use std::time::{Duration, Instant};

use wherefore_acceptance::readers::{FuzzTarget, TARGETS};
use wherefore_testkit::campaign::{campaign_for, number_from_environment};
use wherefore_testkit::torn::{swollen, torn};

/// How many texts a reader gets in an ordinary run.
const ROUNDS: u64 = 150;

/// The longest that a reader may take for a text that is not large.
const LONGEST: Duration = Duration::from_secs(30);

/// Tokens that hurt.
const SPICE: [&str; 24] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "</",
    "/>",
    "\"",
    "'",
    ",",
    ";",
    ":",
    "..",
    "*",
    "-1",
    "0",
    "null",
    "true",
    "4294967296",
    "9223372036854775807",
    "1e999",
];

fn fuzz(name: &str) {
    let target = FuzzTarget::named(name).expect("there is such a reader");
    let seeds = target.seeds();
    let further = number_from_environment("WHEREFORE_FUZZ").map(Duration::from_secs);
    for seed in &seeds {
        (target.read)(seed.as_bytes());
    }
    campaign_for(name, ROUNDS, further, |rng| {
        let mut text = torn(rng, &seeds, &SPICE);
        if rng.chance(1, 40) {
            text = swollen(rng, &text);
        }
        let mut bytes = text.into_bytes();
        if rng.chance(1, 10) && !bytes.is_empty() {
            let at = rng.below(bytes.len());
            bytes[at] = rng.next() as u8;
        }
        let start = Instant::now();
        (target.read)(&bytes);
        assert!(start.elapsed() < LONGEST, "{name} takes long");
    });
}

macro_rules! readers {
    ($($name:ident),*) => {
        $(#[test]
        fn $name() {
            fuzz(stringify!($name));
        })*

        #[test]
        fn every_reader_is_given_torn_texts() {
            let names = [$(stringify!($name)),*];
            assert_eq!(TARGETS.map(|target| target.name).to_vec(), names);
            for name in names {
                let program = format!("{}/../../fuzz/fuzz_targets/{name}.rs", env!("CARGO_MANIFEST_DIR"));
                assert!(std::path::Path::new(&program).exists(), "{program} is missing");
            }
        }
    };
}

readers!(
    smv_load,
    smv_formula,
    aut_read,
    mcl,
    net,
    alloy_load,
    smt_read,
    query,
    document,
    alloy_document,
    http,
    strategy,
    script,
    order
);
