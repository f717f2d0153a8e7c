//! `blame` of Alloy models: what in the text is to blame for a command that does not come out as expected.

use std::fs;

use serde_json::Value;

use crate::support::Folder;

/// A list that shall have no cycle, with a slip: only cycles of one node are forbidden.
const LIST: &str = "\
sig Node { next: lone Node, seen: set Node }
pred acyclic { no n: Node | n in n.next }
pred tidy { no seen or some seen }
run acyclic for 3
assert Ends { acyclic and tidy implies no n: Node | n in n.^next }
check Ends for 3
";

/// Facts that cannot hold together: a run has no instance.
const EMPTY: &str = "\
sig Node { next: lone Node }
fact Starts { some n: Node | no n.next }
fact Goes { all n: Node | some n.next }
run linked { some next } for 3
";

/// A light that shall go off after it was on, with a slip: it goes on again.
const LIGHT: &str = "\
one sig Light {}
var sig On in Light {}
fact Starts { no On }
fact Steps { always (no On implies after some On) and always (some On implies after some On) }
run lit { eventually some On } for 1 but 1..4 steps
check off { always (some On implies eventually no On) } for 1 but 1..4 steps
";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("list.als", LIST.as_bytes());
    folder.write("empty.als", EMPTY.as_bytes());
    folder.write("light.als", LIGHT.as_bytes());
    folder
}

fn document(folder: &Folder, options: &[&str]) -> Value {
    let ran = folder.run(&[&["blame"][..], options, &["--format", "json"]].concat());
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err))
}

#[test]
fn a_mend_stands_with_what_becomes_of_all_commands() {
    let folder = folder("blame-alloy");
    let ran = folder.run(&["blame", "list.als", "Ends"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let first = " 1. line 2: `next` → `^next` [2 of 2 commands as expected]";
    assert!(ran.out.contains(first), "{}", ran.out);
    assert!(ran.out.contains("@@ -2 +2 @@"), "{}", ran.out);
    let before = "-pred acyclic { no n: Node | n in n.next }";
    assert!(ran.out.contains(before), "{}", ran.out);
    // `tidy` is true whatever one of its parts is.
    assert!(
        ran.out
            .contains("since a counterexample stays one whatever"),
        "{}",
        ran.out
    );
    // `acyclic` is as expected, and nothing is said of it.
    assert!(!ran.out.contains("run acyclic"), "{}", ran.out);
}

#[test]
fn the_copy_with_a_mend_has_the_outcomes_that_were_told() {
    for (file, text) in [("list.als", LIST), ("empty.als", EMPTY)] {
        let folder = folder("blame-alloy-write");
        let all = document(&folder, &[file]);
        let commands = all["models"][0]["properties"].as_array().cloned();
        let commands = commands.expect("commands");
        let odd = commands.iter().position(|c| c["blame"].is_array());
        let odd = odd.expect("a command is not as expected");
        let name = commands[odd]["name"].as_str().expect("a name");
        let places = commands[odd]["blame"].as_array().expect("places").iter();
        let mends: Vec<&Value> = places.filter_map(|place| place.get("mend")).collect();
        assert!(!mends.is_empty(), "{all}");
        for (at, mend) in mends.iter().enumerate() {
            let number = (at + 1).to_string();
            let out = format!("mended{number}.als");
            let options = ["--mend", &number, "--write-mend", &out];
            let ran = folder.run(&[&["blame", file, name][..], &options].concat());
            assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
            let checked = folder.run(&["check", &out, "--format", "json"]);
            let checked: Value = serde_json::from_str(&checked.out).expect("a document");
            let checked = checked["models"][0]["properties"].as_array().cloned();
            let checked = checked.expect("commands");
            assert_eq!(checked[odd]["verdict"], "holds", "{mend}");
            let good = checked.iter().filter(|c| c["verdict"] == "holds");
            assert_eq!(mend["holds"], good.count(), "{mend}");
        }
        let kept = fs::read_to_string(folder.0.join(file)).expect("the model is there");
        assert_eq!(kept, text);
    }
}

#[test]
fn a_run_without_an_instance_has_mends() {
    let folder = folder("blame-alloy-run");
    let ran = folder.run(&["blame", "empty.als"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("[1 of 1 commands as expected]"),
        "{}",
        ran.out
    );
}

#[test]
fn what_changes_over_time_is_blamed_too() {
    let folder = folder("blame-alloy-time");
    let ran = folder.run(&["blame", "light.als", "off"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("Changes that mend it:"), "{}", ran.out);
    let mended = "always (some On implies after no On) }";
    assert!(ran.out.contains(mended), "{}", ran.out);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let folder = folder("blame-alloy-refused");
    folder.write(
        "two.als",
        b"sig A {}\ncheck first { no A } for 2\ncheck second { lone A } for 2\n",
    );
    let cases: &[(&[&str], i32, &str)] = &[
        (&["list.als", "none"], 2, "there is no command `none`"),
        (
            &["list.als", "Ends", "--mend", "999"],
            2,
            "there is no change 999",
        ),
        (
            &["list.als", "-e", "no Node"],
            2,
            "-e does not go with an Alloy model",
        ),
        (
            &["list.als", "--engine", "sat"],
            2,
            "--engine has no meaning",
        ),
        (
            &["list.als", "--reach", "complete"],
            2,
            "--reach complete does not go with blame",
        ),
        (
            &["list.als", "--from", "no Node"],
            2,
            "--from does not go with blame",
        ),
        (&["list.als", "--scope", "Knot=2"], 2, "Knot"),
        (
            &["list.als", "--write-mend", "list.als"],
            2,
            "is the model itself",
        ),
        (
            &["two.als", "--write-mend", "out.als"],
            2,
            "several commands do not come out as expected: first, second",
        ),
        (&["list.als", "--timeout", "0"], 4, "since"),
    ];
    for (options, code, said) in cases {
        let ran = folder.run(&[&["blame"][..], options].concat());
        let all = format!("{options:?}: {:?}\n{}{}", ran.code, ran.out, ran.err);
        assert_eq!(ran.code, Some(*code), "{all}");
        assert!(ran.err.contains(said), "{all}");
    }
    assert!(!folder.0.join("out.als").exists());
}

#[test]
fn nothing_is_to_blame_for_a_command_that_is_as_expected() {
    let folder = folder("blame-alloy-good");
    let ran = folder.run(&["blame", "list.als", "acyclic", "--write-mend", "out.als"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let said = "the command comes out as expected: nothing is to blame";
    assert!(ran.out.contains(said), "{}", ran.out);
    let said = "nothing is written, since every command comes out as expected";
    assert!(ran.err.contains(said), "{}", ran.err);
    assert!(!folder.0.join("out.als").exists());
}

#[test]
fn what_was_not_tried_is_told() {
    let folder = folder("blame-alloy-effort");
    let ran = folder.run(&["blame", "list.als", "--budget", "0.001"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let said = "not tried, since the effort was spent";
    assert!(ran.out.contains(said), "{}", ran.out);
    let all = document(&folder, &["list.als"]);
    let search = &all["models"][0]["properties"][1]["blame_search"];
    assert_eq!(search["untried"], 0, "{search}");
    assert!(search["tried"].as_u64() > Some(0), "{search}");
    assert!(search["excluded"].as_u64() > Some(0), "{search}");
}

#[test]
fn markdown_has_the_changes_too() {
    let folder = folder("blame-alloy-markdown");
    let ran = folder.run(&["blame", "list.als", "--format", "md"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("# list.als\n"), "{}", ran.out);
    assert!(ran.out.contains("@@ -2 +2 @@"), "{}", ran.out);
}
