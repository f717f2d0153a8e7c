//! Fuzzing of the reader of scripts that choose evidence.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_acceptance::readers::script;

fuzz_target!(|bytes: &[u8]| script(bytes));
