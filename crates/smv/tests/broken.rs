//! What we tell about broken models.

use wherefore_base::{Budget, Diagnostic, SourceFile, SourceMap};
use wherefore_diagnostics::render_diagnostic;
use wherefore_smv::{LoadedSmv, load};

fn read(name: &str, text: String) -> (SourceMap, LoadedSmv) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(name, text));
    let loaded = load(&sources, file, &Budget::unlimited()).expect("no limit");
    (sources, loaded)
}

/// Models that use the whole language between them.
const MODELS: [&str; 2] = [
    include_str!("models/tour.smv"),
    include_str!("models/machine.smv"),
];

#[test]
fn every_broken_model_is_rejected_with_a_message_that_helps() {
    insta::glob!("broken/*.smv", |path| {
        let text = std::fs::read_to_string(path).expect("the model is readable");
        let name = path
            .file_name()
            .expect("a file has a name")
            .to_string_lossy()
            .into_owned();
        let (sources, loaded) = read(&name, text);
        assert!(
            loaded.diagnostics.iter().any(Diagnostic::is_error),
            "{name} is not rejected"
        );
        let shown = loaded
            .diagnostics
            .iter()
            .map(|d| render_diagnostic(&sources, d, false));
        insta::assert_snapshot!(shown.collect::<Vec<_>>().join("\n\n"));
    });
}

#[test]
fn every_prefix_of_a_model_is_read_without_a_panic() {
    for text in MODELS {
        for (end, _) in text.char_indices() {
            let (sources, loaded) = read("prefix.smv", text[..end].to_owned());
            for diagnostic in &loaded.diagnostics {
                render_diagnostic(&sources, diagnostic, false);
            }
        }
    }
}

#[test]
fn a_model_with_a_token_left_out_is_read_without_a_panic() {
    let holes = MODELS.into_iter().flat_map(|text| {
        let words: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
        (0..words.len()).map(move |out| (words.clone(), out))
    });
    for (words, out) in holes {
        let rest: String = words
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != out)
            .map(|(_, word)| *word)
            .collect();
        let (sources, loaded) = read("hole.smv", rest);
        for diagnostic in &loaded.diagnostics {
            render_diagnostic(&sources, diagnostic, false);
        }
    }
}

#[test]
fn at_most_twenty_errors_are_told() {
    let lines: String = (0..1000).map(|n| format!("INIT wrong{n}\n")).collect();
    let (_, loaded) = read("many.smv", format!("MODULE main\n{lines}"));
    assert_eq!(loaded.diagnostics.len(), 20);
}

#[test]
fn a_model_that_unfolds_to_too_many_instances_is_rejected() {
    let mut text = String::from("MODULE main\nVAR a : m0; b : m0;\n");
    for n in 0..40 {
        let next = n + 1;
        text += &format!("MODULE m{n}\nVAR a : m{next}; b : m{next};\n");
    }
    text += "MODULE m40\nVAR x : boolean;\n";
    let (_, loaded) = read("wide.smv", text);
    let first = loaded.diagnostics.first().expect("it is rejected");
    assert_eq!(first.message, "The model has too many instances of modules");
}
