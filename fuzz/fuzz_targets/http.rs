//! Fuzzing of the reader of requests to the server of the explorer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_acceptance::readers::http;

fuzz_target!(|bytes: &[u8]| http(bytes));
