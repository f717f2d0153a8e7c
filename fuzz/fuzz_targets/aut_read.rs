//! Fuzzing of the reader of labelled transition systems in AUT files.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_acceptance::readers::aut;

fuzz_target!(|bytes: &[u8]| aut(bytes));
