//! A new language is a crate and one line in the registry.

use std::fs;
use std::path::{Path, PathBuf};

use wherefore_base::Budget;
use wherefore_driver::explore::{Next, explore};
use wherefore_driver::registry::TextFiles;
use wherefore_driver::{
    Answer, Ask, Capability, Engine, FrontEnd, Input, Opening, QuestionId, Refusal, Subject,
};
use wherefore_evidence::Verdict;

#[path = "../../toy/lib.rs"]
#[allow(unreachable_pub)]
mod toy;

const LIGHT: &str = include_str!("../../toy/light.toy");

fn read(text: &str) -> Result<Box<dyn Subject>, Refusal> {
    let input = Input::of_text("light.toy", text);
    TextFiles(&toy::Toy).load(input, &Opening::default(), &Budget::unlimited())
}

#[test]
fn a_toy_language_is_answered_with_evidence_that_replays() {
    let subject = read(LIGHT).expect("it is right");
    assert_eq!(subject.language().0, "toy");
    let question = subject.named("never_amber")[0];
    assert_eq!(question, QuestionId::new(0));
    let (ask, budget) = (Ask::default(), Budget::unlimited());
    let answer = subject.answer(question, &ask, &budget, &mut |_| {});
    let Ok(Answer::Finding(finding)) = answer else {
        panic!("a property has a finding");
    };
    assert_eq!(finding.verdict, Verdict::Fails);
    let evidence = finding.evidence.expect("what fails has a counterexample");
    assert_eq!(evidence.minimal.length, 2); // red, green, amber
}

#[test]
fn a_toy_language_is_explored_and_debugged() {
    let subject = read(LIGHT).expect("it is right");
    for capability in [
        Capability::Explain,
        Capability::Explore,
        Capability::Debug,
        Capability::Certify,
    ] {
        assert!(subject.can(capability), "{capability}");
    }
    let budget = Budget::unlimited();
    let model = subject.into_model(&Opening::default(), &budget);
    let mut model = model.expect("a model with variables is one");
    let mut visited = false;
    let outcome = explore(&mut model, Engine::Auto, &budget, &mut |_, _| {
        visited = true;
        Ok(Next::Done)
    });
    assert!(outcome.is_ok() && visited);
}

#[test]
fn what_is_wrong_with_a_toy_has_its_place_and_advice() {
    let Err(Refusal::Rejected(rejected)) = read("start red\nred -> green\nif red\n") else {
        panic!("the third line is no line of the language");
    };
    let text = rejected.render(false);
    assert!(text.contains("light.toy:3:1"), "{text}");
    assert!(text.contains("write `start A`"), "{text}");
}

/// The sources below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn only_the_registry_and_the_subjects_name_a_language() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for room in ["driver", "wherefore", "explorer", "cli"] {
        sources(&crates.join(room).join("src"), &mut found);
    }
    let naming = |path: &&PathBuf| {
        let text = fs::read_to_string(path).expect("a source is text");
        ["ALLOY", "AUT", "SMT", "SMV"]
            .iter()
            .any(|name| text.contains(&format!("Language::{name}")))
    };
    let mut naming: Vec<String> = found
        .iter()
        .filter(naming)
        .map(|path| {
            let path = path.strip_prefix(&crates).expect("it is below");
            path.display().to_string().replace('\\', "/")
        })
        .collect();
    naming.sort();
    let expected = [
        "driver/src/registry.rs",
        "driver/src/subjects/alloy/complete.rs",
        "driver/src/subjects/alloy/excerpt.rs",
        "driver/src/subjects/alloy/subject.rs",
        "driver/src/subjects/lts.rs",
        "driver/src/subjects/model.rs",
        "driver/src/subjects/smt.rs",
    ];
    assert_eq!(naming, expected);
}
