//! `wherefore replay`, `diff` and `shrink`: what becomes of saved evidence.

use std::fmt::Write;

use crate::support::{Folder, Ran};

/// A counter that may wait; it fails to stay small.
const COUNTER: &str = "\
MODULE main
VAR x : 0..9; mood : {calm, wild};
IVAR go : boolean;
DEFINE double := x * 2;
ASSIGN
  init(x) := 0;
  init(mood) := calm;
  next(x) := case
      !go : x;
      x < 9 : x + 1;
      TRUE : 0;
    esac;
  next(mood) := {calm, wild};
CTLSPEC NAME small := AG x < 4
CTLSPEC NAME grows := AF x = 9
CTLSPEC NAME can := EF x = 9
";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(&format!("traces-{test}"));
    folder.write("counter.smv", COUNTER.as_bytes());
    let ran = folder.run(&["check", "counter.smv", "--json", "saved.json", "-q"]);
    assert_eq!(ran.code, Some(1));
    folder
}

/// The model with a line changed.
fn change(folder: &Folder, from: &str, to: &str) {
    assert!(COUNTER.contains(from));
    let changed = COUNTER.replace(from, to);
    folder.write("changed.smv", changed.as_bytes());
}

fn assert_says(ran: &Ran, code: i32, parts: &[&str]) {
    let text = format!("{}{}", ran.out, ran.err);
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
    assert_eq!(ran.code, Some(code), "{text}");
}

/// A trace as NuSMV prints it, of the counter that waits a while at each number.
fn rambling(waits: usize) -> String {
    let mut text = String::from("Trace Type: Simulation\n");
    let mut number = 0;
    for x in 0..=9 {
        for _ in 0..=waits {
            number += 1;
            if number > 1 {
                let go = number % (waits + 1) == 1 || waits == 0;
                let go = if go { "TRUE" } else { "FALSE" };
                writeln!(text, "-> Input: 1.{number} <-\n  go = {go}").expect("a string grows");
            }
            writeln!(
                text,
                "-> State: 1.{number} <-\n  x = {x}\n  mood = calm\n  double = {}",
                2 * x
            )
            .expect("a string grows");
        }
    }
    text
}

#[test]
fn evidence_replays_on_the_model_it_was_made_for() {
    let folder = folder("same");
    for engine in ["auto", "bdd"] {
        let ran = folder.run(&["replay", "counter.smv", "saved.json", "--engine", engine]);
        let lines = [
            "small, which failed: still shows it\n",
            "grows, which failed: still shows it\n",
            "can, which held: still shows it\n",
        ];
        assert_eq!(ran.out, lines.concat());
        assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    }
    let ran = folder.run(&["replay", "counter.smv", "saved.json", "-p", "small"]);
    assert_says(&ran, 0, &["small, which failed: still shows it"]);
    let ran = folder.run(&["replay", "counter.smv", "saved.json", "-p", "smal"]);
    assert_says(
        &ran,
        2,
        &["there is no property `smal`", "small, grows, can"],
    );
}

#[test]
fn evidence_that_dies_says_where_why_and_what_was_possible() {
    let folder = folder("dies");
    change(
        &folder,
        "x < 9 : x + 1;",
        "x < 2 : x + 1;\n      x = 2 : {1, 2};",
    );
    let ran = folder.run(&["replay", "changed.smv", "saved.json", "--width", "200"]);
    assert_says(
        &ran,
        1,
        &[
            "small, which failed: dies at step 3: line 11 `x = 2 : {1, 2}` allows x = 1 or 2, not 3",
            "possible instead: x=2 by input go=TRUE; x=1 by input go=TRUE",
            "grows, which failed: still shows it",
        ],
    );
    change(&folder, "init(x) := 0;", "init(x) := 1;");
    let ran = folder.run(&["replay", "changed.smv", "saved.json", "--width", "200"]);
    assert_says(
        &ran,
        1,
        &[
            "dies at step 0: line 6 `init(x) := 1` allows x = 1, not 0",
            "possible instead: x=1",
        ],
    );
    change(
        &folder,
        "CTLSPEC NAME small",
        "TRANS x != 2 | mood = wild\nCTLSPEC NAME small",
    );
    let ran = folder.run(&["replay", "changed.smv", "saved.json", "--width", "200"]);
    assert_says(
        &ran,
        1,
        &["line 14 `x != 2 | mood = wild` is not true of this step"],
    );
}

#[test]
fn evidence_that_runs_may_show_nothing_any_more() {
    let folder = folder("runs");
    change(&folder, "AG x < 4", "AG x < 5");
    let ran = folder.run(&["replay", "changed.smv", "saved.json", "--width", "200"]);
    assert_says(
        &ran,
        1,
        &[
            "small, which failed: runs, but no longer shows it: `x < 5` holds at step 4",
            "is now `AG x < 5`",
        ],
    );
    change(&folder, "AG x < 4", "AG (x < 4 | AX x = 3)");
    let ran = folder.run(&["replay", "changed.smv", "saved.json", "--width", "200"]);
    assert_says(
        &ran,
        1,
        &["small, which failed: runs, but the property is another one now"],
    );
    change(&folder, "VAR x : 0..9;", "VAR x : 0..9; fresh : boolean;");
    let ran = folder.run(&["replay", "changed.smv", "saved.json", "--width", "200"]);
    assert_says(
        &ran,
        1,
        &[
            "runs, but its proof is not re-checked",
            "do not have `fresh`",
        ],
    );
    change(&folder, "x : 0..9", "x : 0..12");
    let ran = folder.run(&["replay", "changed.smv", "saved.json"]);
    assert_says(&ran, 0, &["small, which failed: still shows it"]);
}

#[test]
fn traces_of_other_tools_run() {
    let folder = folder("foreign");
    folder.write("walk.txt", rambling(2).as_bytes());
    let ran = folder.run(&[
        "replay",
        "counter.smv",
        "walk.txt",
        "-p",
        "small",
        "-p",
        "can",
    ]);
    assert_says(
        &ran,
        0,
        &[
            "trace 1: runs: 29 steps\n",
            "the trace shows that `small` fails, in 4 steps",
            "the trace shows that `can` holds, in 9 steps",
        ],
    );
    let wrong = rambling(0).replace("double = 6", "double = 7");
    folder.write("wrong.txt", wrong.as_bytes());
    let ran = folder.run(&["replay", "counter.smv", "wrong.txt"]);
    assert_says(
        &ran,
        0,
        &["note: the trace says double = 7 at step 3, but it is 6"],
    );
    let xml = "<?xml version=\"1.0\"?>\n<counter-example type=\"0\" desc=\"a loop\">\n\
        <node><state id=\"1\"><value variable=\"x\">0</value></state>\n\
        <input id=\"2\"><value variable=\"go\">FALSE</value></input></node>\n\
        <node><state id=\"2\"><value variable=\"x\">0</value></state></node>\n\
        <loops>1</loops></counter-example>\n";
    folder.write("loop.xml", xml.as_bytes());
    let ran = folder.run(&["replay", "counter.smv", "loop.xml", "-p", "grows"]);
    assert_says(
        &ran,
        0,
        &[
            "trace 1 (a loop): runs: 1 step, the last one back to the loop",
            "the trace leaves `mood` open",
            "the trace shows that `grows` fails, in 1 step",
        ],
    );
    let itf = r##"{"vars": ["x", "y"], "states": [{"x": 0, "y": 1}, {"x": {"#bigint": "2"}, "y": [1]}]}"##;
    folder.write("far.itf.json", itf.as_bytes());
    let ran = folder.run(&["replay", "counter.smv", "far.itf.json"]);
    assert_says(
        &ran,
        1,
        &[
            "trace 1: dies at step 1",
            "the model has no `y`",
            "allows x = 1, not 2",
        ],
    );
}

#[test]
fn traces_that_do_not_fit_are_told_so() {
    let folder = folder("misfit");
    let cases = [
        (
            r#"{"states": [{"x": 10}]}"#,
            "x = 10 at step 0, but x is one of 0..9",
        ),
        (r#"{"states": [{"x": "red"}]}"#, "x = red at step 0"),
        (
            r#"{"states": [{"x": 99999999999999999999}]}"#,
            "at step 0, but x is one of",
        ),
        (
            r#"{"states": [{"mood": "sad"}]}"#,
            "mood is one of calm, wild",
        ),
        (
            r#"{"states": [{"other": 1}]}"#,
            "no variable of the trace is one of the model",
        ),
    ];
    for (text, part) in cases {
        folder.write("t.json", text.as_bytes());
        assert_says(
            &folder.run(&["replay", "counter.smv", "t.json"]),
            1,
            &[part],
        );
        assert_says(
            &folder.run(&["shrink", "counter.smv", "small", "t.json"]),
            1,
            &[part],
        );
    }
}

#[test]
fn files_that_are_no_traces_give_code_3_and_a_place() {
    let folder = folder("broken");
    let deep = format!(
        "{{\"states\": {}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let cases: [(&[u8], &str); 8] = [
        (b"", "The file is empty"),
        (b"{\"states\": [", "t.json:1:12"),
        (
            b"{\n \"schema\": \"wherefore/1\", \"models\": [{}]}",
            "t.json:2:",
        ),
        (
            b"{\"schema\": \"other\"}",
            "this version reads \"wherefore/1\"",
        ),
        (b"<counter-example>\n<node>", "t.json:2:7"),
        (b"-> State: 1.1 <-\n  x : 1\n", "t.json:2:1"),
        (b"MODULE main\n", "neither JSON"),
        (deep.as_bytes(), "recursion limit"),
    ];
    for (bytes, part) in cases {
        folder.write("t.json", bytes);
        for args in [
            &["replay", "counter.smv", "t.json"][..],
            &["shrink", "counter.smv", "small", "t.json"],
            &["diff", "counter.smv", "t.json"],
        ] {
            assert_says(&folder.run(args), 3, &[part]);
        }
    }
    folder.write("t.json", b"\xff\xfe");
    assert_eq!(
        folder.run(&["replay", "counter.smv", "t.json"]).code,
        Some(3)
    );
    assert_eq!(
        folder.run(&["replay", "counter.smv", "missing"]).code,
        Some(2)
    );
    assert_eq!(
        folder.run(&["replay", "wrong.smv", "saved.json"]).code,
        Some(3)
    );
    assert_eq!(folder.run(&["replay", "counter.smv", "."]).code, Some(2));
}

#[test]
fn every_cut_of_a_document_is_refused_or_read() {
    let folder = folder("cut");
    let text = folder.read("saved.json");
    for part in 0..12 {
        let cut = &text[..text.len() * part / 12];
        folder.write("cut.json", cut.as_bytes());
        let ran = folder.run(&["replay", "counter.smv", "cut.json"]);
        assert_eq!(ran.code, Some(3), "{}", ran.err);
    }
}

#[test]
fn diff_shows_verdicts_then_and_now() {
    let folder = folder("diff");
    let ran = folder.run(&["diff", "counter.smv", "saved.json"]);
    assert_says(
        &ran,
        0,
        &[
            "counter.smv against saved.json: 3 unchanged",
            "still shows it",
        ],
    );
    change(&folder, "x < 9 : x + 1;", "x < 3 : x + 1;");
    let changed = folder
        .read("changed.smv")
        .replace("NAME grows", "NAME finishes");
    let changed = format!("{changed}CTLSPEC NAME waits := EF x = 3\n");
    folder.write("changed.smv", changed.as_bytes());
    for engine in ["explicit", "bdd"] {
        let args = [
            "diff",
            "changed.smv",
            "saved.json",
            "--engine",
            engine,
            "--width",
            "160",
        ];
        let ran = folder.run(&args);
        insta::assert_snapshot!("diff", ran.out);
        assert_eq!(ran.code, Some(1), "`can` fails now");
    }
    let json = folder.run(&["diff", "changed.smv", "saved.json", "--format", "json"]);
    assert_says(
        &json,
        1,
        &[
            "\"schema\": \"wherefore-diff/1\"",
            "\"change\": \"better\"",
            "\"change\": \"new\"",
            "\"kind\": \"dies\"",
        ],
    );
    folder.run(&["check", "changed.smv", "--json", "new.json", "-q"]);
    let ran = folder.run(&["diff", "saved.json", "new.json"]);
    assert_says(
        &ran,
        1,
        &["new.json against saved.json: 1 worse, 1 better, 1 new, 1 unchanged"],
    );
    folder.write("walk.txt", rambling(0).as_bytes());
    let ran = folder.run(&["diff", "counter.smv", "walk.txt"]);
    assert_says(&ran, 2, &["`wherefore replay` runs it"]);
}

#[test]
fn formulas_of_the_command_line_are_checked_again() {
    let folder = folder("formulas");
    let args = [
        "check",
        "counter.smv",
        "-e",
        "AG x < 7",
        "--json",
        "f.json",
        "-q",
    ];
    assert_eq!(folder.run(&args).code, Some(1));
    let ran = folder.run(&["diff", "counter.smv", "f.json"]);
    assert_says(&ran, 1, &["formula1", "still shows it", "2 worse", "small"]);
    let ran = folder.run(&["replay", "counter.smv", "f.json"]);
    assert_says(&ran, 0, &["formula1, which failed: still shows it"]);
}

#[test]
fn a_long_walk_is_shrunk_within_its_states_or_the_model() {
    let folder = folder("shrink");
    folder.write("walk.txt", rambling(50).as_bytes());
    for engine in ["explicit", "bdd"] {
        let ran = folder.run(&[
            "shrink",
            "counter.smv",
            "small",
            "walk.txt",
            "--engine",
            engine,
        ]);
        assert_says(
            &ran,
            0,
            &[
                "[shortest: proved]  [replayed: ok]",
                "shrunk from 509 steps to 4: shortest within the states of the trace\n",
            ],
        );
    }
    let ran = folder.run(&[
        "shrink",
        "counter.smv",
        "small",
        "walk.txt",
        "--within",
        "model",
    ]);
    assert_says(
        &ran,
        0,
        &["shrunk from 509 steps to 4 within the model; within the states of the trace to 4\n"],
    );
    let args = [
        "shrink",
        "counter.smv",
        "small",
        "walk.txt",
        "--format",
        "json",
        "--itf",
        "short.itf.json",
    ];
    let ran = folder.run(&args);
    assert_says(
        &ran,
        0,
        &["\"measure\": \"steps\"", "\"at_least_by\": \"checker\""],
    );
    folder.write("short.json", ran.out.as_bytes());
    for trace in ["short.json", "short.itf.json"] {
        let ran = folder.run(&["replay", "counter.smv", trace]);
        assert_eq!(ran.code, Some(0), "{}", ran.out);
    }
    let ran = folder.run(&["shrink", "counter.smv", "small", "saved.json"]);
    assert_says(&ran, 0, &["shrunk from 4 steps to 4"]);
}

#[test]
fn a_trace_that_shows_nothing_is_not_shrunk() {
    let folder = folder("nothing");
    let two = r#"{"states": [{"x": 0}, {"x": 1}]}"#;
    folder.write("two.json", two.as_bytes());
    let ran = folder.run(&["shrink", "counter.smv", "small", "two.json"]);
    assert_says(
        &ran,
        1,
        &["does not show that `small` fails", "its last step, 1"],
    );
    change(&folder, "AG x < 4", "AG (x < 4 -> EF x = 0)");
    let ran = folder.run(&["shrink", "changed.smv", "small", "two.json"]);
    assert_says(&ran, 1, &["`small` holds, so no trace shows that it fails"]);
    let ran = folder.run(&["shrink", "counter.smv", "tall", "two.json"]);
    assert_says(&ran, 2, &["there is no property `tall`"]);
    let ran = folder.run(&[
        "shrink",
        "counter.smv",
        "small",
        "two.json",
        "--number",
        "2",
    ]);
    assert_says(&ran, 2, &["1 trace"]);
}

#[test]
fn limits_end_the_work() {
    let folder = folder("limits");
    let trace = r#"{"states": [{"a.v": 0, "a.w": 0, "b.v": 0, "b.w": 0, "c.v": 0, "c.w": 0, "d.v": 0, "d.w": 0}]}"#;
    folder.write("t.json", trace.as_bytes());
    let ran = folder.run(&["replay", "endless.smv", "t.json"]);
    assert_says(&ran, 0, &["runs: 0 steps"]);
    let running = folder.start(&["shrink", "endless.smv", "far", "t.json", "--timeout", "0.5"]);
    let ran = running.end_within(30);
    assert_says(&ran, 4, &["the work is not finished, since"]);
}
