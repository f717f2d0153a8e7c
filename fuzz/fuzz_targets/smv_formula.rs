//! Any text at all is a formula over a small model, or is refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherefore_base::{Budget, SourceFile, SourceMap};

const MODEL: &str = "
MODULE cell(up)
VAR v : 0..3; on : boolean;
MODULE main
VAR x : {a, b, 1}; c : cell(x = a);
IVAR i : boolean;
DEFINE d := c.v > 1;
";

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("model.smv", MODEL));
    let mut loaded = wherefore_smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    let file = sources.add(SourceFile::new("<formula>", text));
    let (model, scope) = (&mut loaded.model, &loaded.scope);
    let _ = wherefore_smv::formula(model, scope, &sources, file, "formula");
    let _ = wherefore_smv::expression(model, scope, &sources, file);
});
