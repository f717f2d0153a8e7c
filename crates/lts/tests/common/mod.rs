//! What the tests of MCL share.

use wherefore_base::{Diagnostic, SourceFile, SourceMap};
use wherefore_diagnostics::render_diagnostic;
use wherefore_lts::mcl::{self, LoweredMcl, Parsed};
use wherefore_model::lts::{ActionLabel, Lts, StateId};

pub(crate) fn label(text: &str) -> ActionLabel {
    ActionLabel {
        text: text.to_owned(),
        internal: text == "i",
    }
}

/// A system with one state and these labels.
pub(crate) fn labels(labels: Vec<ActionLabel>) -> Lts {
    Lts::new(labels, 1, StateId::new(0), &[])
}

/// A system with one state and labels with these texts.
pub(crate) fn lts(texts: &[&str]) -> Lts {
    labels(texts.iter().map(|text| label(text)).collect())
}

pub(crate) fn parsed(
    text: &str,
    library: &dyn Fn(&str) -> Option<SourceFile>,
) -> (SourceMap, Option<Parsed>, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("property.mcl", text));
    let (parsed, diagnostics) = mcl::parse(file, &mut sources, library);
    (sources, parsed, diagnostics)
}

fn render(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let shown = diagnostics
        .iter()
        .map(|d| render_diagnostic(sources, d, false));
    shown.collect::<Vec<_>>().join("\n\n")
}

/// Reads and lowers the first property of a text.
pub(crate) fn read(text: &str, lts: &Lts) -> (Result<LoweredMcl, String>, String) {
    let (sources, parsed, diagnostics) = parsed(text, &|_| None);
    let Some(parsed) = parsed else {
        return (Err(render(&sources, &diagnostics)), String::new());
    };
    let property = parsed.properties().next().expect("there is one");
    match mcl::lower(&property, lts) {
        Ok(lowered) => {
            let mut told = diagnostics;
            told.extend(lowered.warnings.iter().cloned());
            (Ok(lowered), render(&sources, &told))
        }
        Err(wrong) => (Err(render(&sources, &wrong)), String::new()),
    }
}

/// Reads and lowers a text in which nothing is wrong.
pub(crate) fn lowered(text: &str, lts: &Lts) -> LoweredMcl {
    match read(text, lts).0 {
        Ok(lowered) => lowered,
        Err(wrong) => panic!("{wrong}"),
    }
}

/// What is wrong with a text.
pub(crate) fn wrong(text: &str, lts: &Lts) -> String {
    match read(text, lts).0 {
        Ok(_) => panic!("nothing is wrong with {text}"),
        Err(wrong) => wrong,
    }
}

/// What is told of a text in which nothing is wrong.
pub(crate) fn warnings(text: &str, lts: &Lts) -> String {
    let (lowered, told) = read(text, lts);
    lowered.expect("nothing is wrong");
    told
}
