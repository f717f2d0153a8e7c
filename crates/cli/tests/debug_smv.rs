//! `wherefore debug` on SMV models, as a person meets it.

use std::path::Path;

use crate::support::{Folder, Ran};

/// A folder with the examples of models.
fn folder(test: &str) -> Folder {
    let folder = Folder::new(&format!("debug-smv-{test}"));
    for name in ["button.smv", "elevator.smv", "mutex.smv"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../examples")
            .join(name);
        std::fs::copy(path, folder.0.join(name)).expect("an example can be copied");
    }
    folder
}

/// What is printed, with the exit code.
fn shown(ran: &Ran) -> String {
    let code = ran.code.unwrap_or(-1);
    format!("{}{}(exit code {code})", ran.out, ran.err)
}

#[test]
fn every_example_has_its_screen() {
    let folder = folder("examples");
    let screens: [(&str, &[&str]); 7] = [
        ("button", &["button.smv", "never_fulfilled"]),
        ("button_loop", &["button.smv", "served"]),
        (
            "elevator",
            &["elevator.smv", "-e", "AG !(floor = 3 & door = open)"],
        ),
        ("elevator_holds", &["elevator.smv", "door_shut"]),
        (
            "mutex",
            &["mutex.smv", "left_in", "--actions", "variable=move"],
        ),
        ("lamp", &["lamp.smv", "mended"]),
        ("lamp_promise", &["lamp.smv", "-e", "AF lamp = broken"]),
    ];
    for (name, args) in screens {
        let ran = folder.run(&[&["debug"], args].concat());
        insta::assert_snapshot!(format!("smv_{name}"), shown(&ran));
    }
}

#[test]
fn documents_and_pages_have_the_values() {
    let folder = folder("documents");
    for format in ["json", "md"] {
        let ran = folder.run(&["debug", "lamp.smv", "mended", "--format", format]);
        insta::assert_snapshot!(format!("smv_document_{format}"), shown(&ran));
    }
}

#[test]
fn what_cannot_be_debugged_is_said_with_advice() {
    let folder = folder("refusals");
    let mut text = String::new();
    let wrong: [&[&str]; 9] = [
        &["lamp.smv", "mendde"],
        &["lamp.smv", "shines"],
        &["lamp.smv", "later"],
        &["lamp.smv", "mended", "--actions", "inputs"],
        &["lamp.smv", "mended", "--actions", "variable=lmap"],
        &["lamp.smv", "mended", "--actions", "colours"],
        &["lamp.smv", "mended", "--engine", "bdd"],
        &["lamp.smv", "--inevitable", "A"],
        &["wrong.smv", "mended"],
    ];
    for args in wrong {
        let ran = folder.run(&[&["debug"], args].concat());
        text.push_str(&format!("$ debug {}\n{}\n\n", args.join(" "), shown(&ran)));
    }
    let large = "MODULE main\nVAR x : 0..200000;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 200001;\n\
                 INVARSPEC NAME low := x < 200000\n";
    folder.write("large.smv", large.as_bytes());
    let ran = folder.run(&["debug", "large.smv", "low"]);
    text.push_str(&shown(&ran));
    insta::assert_snapshot!("smv_refusals", text);
}
