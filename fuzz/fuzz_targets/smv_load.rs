//! Any text at all loads, or is refused with diagnostics whose places lie within the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_base::{Budget, SourceFile, SourceMap};

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("fuzz.smv", text));
    let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    for diagnostic in &loaded.diagnostics {
        for label in &diagnostic.labels {
            assert!(label.span.start <= label.span.end);
            assert!(label.span.end as usize <= text.len());
        }
    }
});
