//! Any text can be read as properties of a labelled transition system.

#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_base::{SourceFile, SourceMap};
use wherefore_lts::mcl;
use wherefore_model::lts::{Label, Lts, StateId};

fuzz_target!(|text: &str| {
    let labels = ["a", "b", "A !1 !x", "B(2)", "i"].map(|text| Label {
        text: text.to_owned(),
        internal: text == "i",
    });
    let lts = Lts::new(labels.into(), 1, StateId::new(0), &[]);
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("fuzz.mcl", text));
    let (parsed, _) = mcl::parse(file, &mut sources, &|_| None);
    for property in parsed.iter().flat_map(|parsed| parsed.properties()) {
        let _ = mcl::lower(&property, &lts);
    }
});
