//! Any text at all is an Alloy model, or is refused with diagnostics whose places lie within the text; the
//! commands of a model lower to problems whose parts fit.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_alloy::{Choices, Shape, load, lower_trace};
use wherefore_base::{Budget, Diagnostic, SourceFile, SourceMap};

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("model.als", text));
    let loaded = load(&mut sources, file, None, &mut |_| None, &Budget::unlimited());
    let loaded = loaded.expect("no limit");
    for label in loaded.diagnostics.iter().flat_map(|d| &d.labels) {
        let text = sources.file(label.span.file).text();
        let range = label.span.start as usize..label.span.end as usize;
        assert!(text.get(range).is_some());
    }
    if loaded.diagnostics.iter().any(Diagnostic::is_error) {
        return;
    }
    for command in &loaded.model.commands {
        let lowered = lower_trace(&loaded.model, command, &Choices::default(), Shape::STILL);
        if let Ok(lowered) = lowered {
            assert_eq!(lowered.problem.check(), Ok(()));
        }
    }
});
