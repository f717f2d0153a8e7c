//! Fuzzing of the reader of saved evidence: our documents, ITF, XML and listings of traces.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_acceptance::readers::document;

fuzz_target!(|bytes: &[u8]| document(bytes));
