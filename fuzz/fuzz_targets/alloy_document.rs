//! Fuzzing of the reader of saved instances of Alloy models: our documents, and XML of the visualizer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_acceptance::readers::alloy_document;

fuzz_target!(|bytes: &[u8]| alloy_document(bytes));
