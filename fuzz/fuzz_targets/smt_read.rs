//! Fuzzing of the reader of systems in VMT-LIB and SMT-LIB.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_acceptance::readers::smt;

fuzz_target!(|bytes: &[u8]| smt(bytes));
