//! Fuzzing of the reader of strategies.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_acceptance::readers::strategy;

fuzz_target!(|bytes: &[u8]| strategy(bytes));
