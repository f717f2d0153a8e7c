//! Opening: every language, from files and from texts, and what is refused.

use wherefore::base::Budget;
use wherefore::{Capability, Input, Language, Opening, Refusal};

use crate::{example, open};

#[test]
fn every_language_of_the_registry_opens() {
    for (name, language, questions) in [
        ("button.smv", Language::SMV, 6),
        ("lts/vending.aut", Language::AUT, 0),
        ("alloy/rota.als", Language::ALLOY, 2),
        ("smt/countdown.vmt", Language::SMT, 3),
    ] {
        let model = open(name);
        assert_eq!(model.language(), language, "{name}");
        assert_eq!(model.questions().len(), questions, "{name}");
        assert!(model.name().ends_with(name));
    }
}

#[test]
fn properties_in_other_files_belong_to_the_model() {
    let input = Input::new(example("lts/vending.aut"));
    let input = input.with_properties(example("lts/vending.mcl"));
    let model = wherefore::open_with(input, &Opening::default(), Budget::unlimited());
    let model = model.expect("both can be read");
    assert!(model.question("vending").is_some());
}

#[test]
fn texts_open_as_files_do() {
    for (name, text) in [
        ("a.smv", "MODULE main VAR x : boolean; CTLSPEC EF x"),
        ("a.als", "sig A {} run { some A }"),
        ("a.aut", "des (0, 1, 1)\n(0, A, 0)\n"),
    ] {
        let model = wherefore::open_text(name, text).expect("it is a model");
        assert_eq!(model.name(), name);
    }
}

#[test]
fn questions_have_names_and_formulas_and_more_can_be_added() {
    let mut model = open("button.smv");
    let served = model.question("served").expect("the model has it");
    assert_eq!(model.questions()[served].text, "AG (r -> AF f)");
    let added = model.add("EF (p & f)").expect("it is a formula");
    assert!(model.questions()[added].added);
    assert_eq!(model.question("formula1"), Some(added));
}

#[test]
fn a_wrong_text_is_refused_with_line_and_column() {
    let text = "MODULE main\nVAR x : boolean;\nASSIGN init(x) := y;\n";
    let refusal = wherefore::open_text("wrong.smv", text).expect_err("there is no y");
    let Refusal::Rejected(rejected) = &refusal else {
        panic!("{refusal}");
    };
    let wrong = &rejected.diagnostics[0];
    let span = wrong.span().expect("it has a place");
    let place = rejected.sources.place(span);
    assert_eq!((place.line, place.column), (3, 19));
    assert!(refusal.to_string().contains("wrong.smv:3:19"), "{refusal}");
}

#[test]
fn a_file_that_is_not_there_is_refused() {
    let refusal = wherefore::open(example("nobody.smv")).expect_err("it is not there");
    assert!(matches!(refusal, Refusal::Io(_)), "{refusal}");
}

#[test]
fn what_a_language_cannot_do_is_said() {
    let mut model = open("alloy/rota.als");
    assert!(!model.can(Capability::Add));
    let refusal = model
        .add("some Person")
        .expect_err("commands are not added");
    assert!(matches!(refusal, Refusal::Unsupported(_)), "{refusal}");
}
