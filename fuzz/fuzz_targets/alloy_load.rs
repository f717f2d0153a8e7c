//! Fuzzing of the reader of Alloy models.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_acceptance::readers::alloy;

fuzz_target!(|bytes: &[u8]| alloy(bytes));
