//! `wherefore check` on labelled transition systems.

use crate::support::{Folder, Ran};

const DOOR: &str = "des (0, 4, 3)\n(0, OPEN, 1)\n(1, SHUT, 0)\n(1, i, 2)\n(2, BANG, 0)\n";

fn folder(test: &str, properties: &str) -> Folder {
    let folder = Folder::new(test);
    folder.write("door.aut", DOOR.as_bytes());
    folder.write("door.mcl", properties.as_bytes());
    folder
}

fn ends(ran: &Ran, code: i32, says: &str) {
    assert_eq!(ran.code, Some(code), "{}{}", ran.out, ran.err);
    let said = ran.out.contains(says) || ran.err.contains(says);
    assert!(said, "{says}: {}{}", ran.out, ran.err);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
}

#[test]
fn a_run_of_actions_shows_why_a_property_fails() {
    let folder = folder("lts-fails", "[ true* . \"BANG\" ] false");
    let ran = folder.run(&["check", "door.aut", "door.mcl"]);
    ends(
        &ran,
        1,
        "this can happen and must not: `OPEN`, then `i`, then `BANG`",
    );
    ends(
        &ran,
        1,
        "counterexample: 3 steps  [shortest: proved]  [replayed: ok]",
    );
}

#[test]
fn the_exit_code_tells_the_verdict_and_what_is_wrong() {
    let folder = folder(
        "lts-codes",
        "property can is < true* . \"BANG\" > true end property",
    );
    ends(
        &folder.run(&["check", "door.aut", "door.mcl"]),
        0,
        "HOLDS  can",
    );
    ends(&folder.run(&["check", "door.aut"]), 0, "0 properties");
    let check = |args: &[&str]| folder.run(&[&["check", "door.aut", "door.mcl"], args].concat());
    ends(
        &check(&["-p", "cannot"]),
        2,
        "there is no property `cannot`; there are can",
    );
    ends(&check(&["-e", "[ true* . \"BANG\""]), 2, "error");
    ends(
        &check(&["-e", "[ true* . \"BANG\" ] false"]),
        1,
        "FAILS  formula1",
    );
    ends(
        &check(&["nothing.mcl"]),
        2,
        "nothing.mcl: the file cannot be read",
    );
    ends(
        &folder.run(&["check", "door.mcl", "door.aut"]),
        2,
        "must stand after one",
    );
    ends(
        &folder.run(&["check", "lamp.smv", "door.mcl"]),
        2,
        "must stand after one",
    );
    folder.write("wrong.mcl", b"[ true* . ] false");
    ends(&check(&["wrong.mcl"]), 3, "wrong.mcl:1:");
    folder.write("wrong.aut", b"des (0, 1, 1)\n(0, A, 7)\n");
    ends(
        &folder.run(&["check", "wrong.aut", "door.mcl"]),
        3,
        "wrong.aut:2:",
    );
}

#[test]
fn every_view_tells_the_run() {
    let folder = folder("lts-views", "nu X . < true > X");
    let formula = ["check", "door.aut", "-e", "[ true* . \"BANG\" ] false"];
    let view = |args: &[&str]| folder.run(&[&formula[..], args].concat());
    ends(
        &view(&["--format", "md"]),
        1,
        "| 3 | `BANG` | 0 | this must not happen |",
    );
    let json = view(&["--format", "json"]);
    for part in [
        "\"language\": \"aut\"",
        "\"kind\": \"mcl\"",
        "\"class\": \"safety\"",
    ] {
        ends(&json, 1, part);
    }
    ends(&json, 1, "\"action\": \"BANG\"");
    ends(&view(&["--dot", "run.dot", "--all"]), 1, "FAILS");
    assert!(folder.read("run.dot").contains("[label=\"BANG\"]"));
    ends(
        &view(&["--strategy", "smallest"]),
        2,
        "`avoid:LABEL` and `prefer:LABEL` work",
    );
    let both = folder.run(&[
        "check", "lamp.smv", "door.aut", "door.mcl", "--format", "json",
    ]);
    ends(&both, 1, "\"language\": \"smv\"");
    ends(&both, 1, "\"language\": \"aut\"");
}
