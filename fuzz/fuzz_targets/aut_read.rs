//! Any bytes at all are read as an AUT file, or refused with a place that lies within the line shown.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_base::Budget;
use wherefore_lts::aut::{ReadOptions, parse};

fuzz_target!(|bytes: &[u8]| {
    let budget = Budget::new(None, Some(1 << 28));
    if let Ok(Err(error)) = parse(bytes, &ReadOptions::default(), &budget) {
        let (sources, diagnostic) = error.diagnostic("fuzz.aut");
        for label in &diagnostic.labels {
            assert!(label.span.start <= label.span.end);
            assert!(label.span.end as usize <= sources.file(label.span.file).text().len());
        }
    }
});
