//! Fuzzing of the reader of queries in openCypher.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_acceptance::readers::query;

fuzz_target!(|bytes: &[u8]| query(bytes));
