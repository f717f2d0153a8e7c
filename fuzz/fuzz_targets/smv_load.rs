//! Fuzzing of the reader of SMV models.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_acceptance::readers::smv;

fuzz_target!(|bytes: &[u8]| smv(bytes));
