//! Fuzzing of the reader of formulas and expressions over an SMV model.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_acceptance::readers::smv_formula;

fuzz_target!(|bytes: &[u8]| smv_formula(bytes));
