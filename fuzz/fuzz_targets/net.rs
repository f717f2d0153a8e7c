//! Fuzzing of the reader of nets of labelled transition systems.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_acceptance::readers::net;

fuzz_target!(|bytes: &[u8]| net(bytes));
