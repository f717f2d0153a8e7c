//! Fuzzing of the reader of orders of variables.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_acceptance::readers::order;

fuzz_target!(|bytes: &[u8]| order(bytes));
