//! Fuzzing of the reader of properties in MCL.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_acceptance::readers::mcl;

fuzz_target!(|bytes: &[u8]| mcl(bytes));
