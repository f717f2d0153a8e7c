//! Texts that mean harm: each is answered with a message at a place, and soon.

use std::time::Duration;

use wherefore_base::{Budget, Diagnostic, SourceFile, SourceMap};
use wherefore_smv::{expression, formula, load};

/// The errors of a text, with their lines and columns.
fn errors(text: &str) -> Vec<(usize, usize, String)> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("hostile.smv", text));
    let budget = Budget::new(Some(Duration::from_secs(60)), None);
    let loaded = load(&sources, file, &budget).expect("it is read in time");
    let told = |error: &Diagnostic| {
        let place = sources.place(error.span().expect("an error has a place"));
        (place.line, place.column, error.message.clone())
    };
    let errors = loaded.diagnostics.iter().filter(|d| d.is_error());
    errors.map(told).collect()
}

#[test]
fn what_is_too_large_is_refused_at_its_place() {
    let doubling: String = (1..60)
        .map(|n| format!("#define M{n} M{0}+M{0}\n", n - 1))
        .collect();
    let cases = [
        (
            format!("VAR a : {}boolean;", "array 0..1 of ".repeat(3000)),
            (2, 15),
        ),
        (
            format!("VAR a : {}boolean;", "array 0..1 of ".repeat(40)),
            (2, 15),
        ),
        (
            format!("VAR a : {}boolean;", "array 0..0 of ".repeat(65)),
            (2, 15),
        ),
        (
            "VAR a : array 0..2000000000 of boolean;".to_string(),
            (2, 15),
        ),
        ("VAR a : word[65];".to_string(), (2, 14)),
        ("VAR a : word[0];".to_string(), (2, 14)),
        ("VAR a : word[8];\nINVAR a = 0ud99_1".to_string(), (3, 11)),
        (
            "VAR a : word[40];\nINVAR a :: a = a :: a".to_string(),
            (3, 7),
        ),
        ("VAR a : word[99999999999999999999];".to_string(), (2, 14)),
        (
            format!("#define M0 x+x\n{doubling}VAR x : 0..1;\nINVAR M59 = 0"),
            (63, 7),
        ),
        ("VAR a : boolean;\nLTLSPEC F [3, 1] a".to_string(), (3, 12)),
    ];
    for (text, place) in cases {
        let told = errors(&format!("MODULE main\n{text}\n"));
        let (line, column, message) = told.first().expect("it is refused");
        assert_eq!((*line, *column), place, "{message}");
    }
}

#[test]
fn deep_nesting_does_no_harm() {
    const MANY: usize = 30_000;
    let nested = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(MANY), close.repeat(MANY))
    };
    let index = nested("a[", "0", "]");
    let text = format!("MODULE main\nVAR a : array 0..1 of 0..1;\nASSIGN next(a[0]) := {index};\n");
    assert_eq!(errors(&text), []);
    let word = nested("!(", "w", ")");
    let text = format!("MODULE main\nVAR w : word[4];\nASSIGN next(w) := {word};\n");
    assert_eq!(errors(&text), []);
    let next = nested("next(", "b", ")");
    let text = format!("MODULE main\nVAR b : boolean;\nTRANS {next}\n");
    assert_eq!(errors(&text)[0].2, "`next` cannot be nested");
    let steps = "X ".repeat(MANY);
    assert_eq!(
        errors(&format!(
            "MODULE main\nVAR b : boolean;\nLTLSPEC {steps}b\n"
        )),
        []
    );
    let sets = nested("{", "0", "}");
    assert_eq!(
        errors(&format!(
            "MODULE main\nVAR n : 0..1;\nASSIGN init(n) := {sets};\n"
        )),
        []
    );
}

#[test]
fn a_macro_that_names_itself_ends() {
    assert_eq!(
        errors("#define one one\nMODULE main\nVAR one : boolean;\n"),
        []
    );
    let told = errors("#define one two\n#define two one\nMODULE main\nVAR x : one;\n");
    assert_eq!((told[0].0, told[0].1), (4, 9));
}

#[test]
fn names_that_processes_need_are_refused_where_they_are_taken() {
    let with = |name: &str| {
        errors(&format!(
            "MODULE work\nFAIRNESS running\nMODULE main\nVAR {name} : boolean;\n  w : process work;\n"
        ))
    };
    for name in ["_process_selector_", "_last_process_"] {
        let told = with(name);
        assert_eq!(told, [(4, 5, format!("The name `{name}` is taken"))]);
    }
    assert_eq!(with("mine"), []);
    assert_eq!(
        errors("MODULE main\nVAR _process_selector_ : boolean;\n"),
        []
    );
}

#[test]
fn processes_may_have_processes_and_parameters() {
    let text = "MODULE leaf(v, k)\nASSIGN next(v) := k;\nFAIRNESS running\n\
                MODULE inner(v)\nVAR a : process leaf(v, 1); b : process leaf(v, 2);\n\
                MODULE main\nVAR v : 0..2; m : process inner(v);\nCTLSPEC AF v = 1\n";
    assert_eq!(errors(text), []);
    let itself = "MODULE m\nVAR p : process m;\nMODULE main\nVAR p : process m;\n";
    assert_eq!((errors(itself)[0].0, errors(itself)[0].1), (2, 9));
}

#[test]
fn formulas_from_outside_may_use_lists_and_arrays() {
    let text = "MODULE main\nVAR a : array 0..1 of boolean; n : 0..1;\n\
                DEFINE list := [a[1], [n = 0, a[n]][n]]; small := n = 0;\n";
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("model.smv", text));
    let mut loaded = load(&sources, file, &Budget::unlimited()).expect("no limit");
    assert_eq!(loaded.diagnostics, []);
    for written in [
        "AG (list[0] | small)",
        "AG list[n]",
        "G (a[n] -> F list[1])",
    ] {
        let file = sources.add(SourceFile::new("-e", written));
        let read = formula(&mut loaded.model, &loaded.scope, &sources, file, "mine");
        assert!(read.is_ok(), "{written}: {read:?}");
    }
    for written in ["list", "list[2]", "small[0]", "a"] {
        let file = sources.add(SourceFile::new("-e", written));
        let read = expression(&mut loaded.model, &loaded.scope, &sources, file);
        assert!(read.is_err(), "{written}");
    }
}
