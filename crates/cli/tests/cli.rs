//! The binary: what it prints where, what it writes, and how it ends.

use std::process::Command;

use crate::support::{Folder, Ran};

#[test]
fn exit_codes_keep_the_contract() {
    let folder = Folder::new("exit-codes");
    let cases: &[(i32, &[&str])] = &[
        (0, &["check", "lamp.smv", "-p", "shines"]),
        (0, &["check", "lamp.smv", "-p", "never"]),
        (0, &["--help"]),
        (1, &["check", "lamp.smv"]),
        (1, &["check", "lamp.smv", "-e", "AG lamp = off"]),
        (2, &["check"]),
        (2, &["check", "missing.smv"]),
        (2, &["check", "lamp.smv", "-e", "AG lamp ="]),
        (2, &["check", "lamp.smv", "-e", "AG lampp = on"]),
        (2, &["check", "lamp.smv", "--show", "next(lamp)"]),
        (2, &["check", "lamp.smv", "-p", "nothing"]),
        (2, &["check", "lamp.smv", "--engine", "magic"]),
        (2, &["check", "lamp.smv", "--format", "html"]),
        (2, &["check", "lamp.smv", "--vars", "("]),
        (2, &["check", "lamp.smv", "--minimal", "luck"]),
        (2, &["check", "lamp.smv", "--environment", "("]),
        (2, &["check", "lamp.smv", "--environment", "nobody"]),
        (1, &["check", "lamp.smv", "--environment", "la.p"]),
        (1, &["check", "lamp.smv", "--minimal", "transitions"]),
        (2, &["check", "lamp.smv", "--timeout", "soon"]),
        (
            2,
            &[
                "check",
                "lamp.smv",
                "-p",
                "shines",
                "--json",
                "no/such/folder.json",
            ],
        ),
        (3, &["check", "wrong.smv"]),
        (3, &["check", "bytes.smv"]),
        (4, &["check", "lamp.smv", "-p", "later"]),
        (4, &["check", "endless.smv", "--timeout", "0"]),
        (
            5,
            &["check", "lamp.smv", "-p", "never", "--fail-on", "vacuous"],
        ),
        // Of several files the worst counts: 3, 2, 1, 4, 5, 0.
        (3, &["check", "missing.smv", "wrong.smv", "lamp.smv"]),
        (2, &["check", "missing.smv", "lamp.smv"]),
        (1, &["check", "lamp.smv", "endless.smv", "--timeout", "1"]),
    ];
    for (code, args) in cases {
        let ran = folder.run(args);
        assert_eq!(ran.code, Some(*code), "{args:?}\n{}{}", ran.out, ran.err);
        assert!(
            *code == 0 || !ran.err.contains("panicked"),
            "{args:?}\n{}",
            ran.err
        );
    }
}

#[test]
fn json_is_the_only_thing_on_standard_output() {
    let folder = Folder::new("json");
    let ran = folder.run(&["check", "lamp.smv", "wrong.smv", "--format", "json"]);
    assert_eq!(ran.code, Some(3));
    assert!(
        ran.out.starts_with("{\n  \"schema\": \"wherefore/1\""),
        "{}",
        ran.out
    );
    assert!(ran.out.ends_with("}\n"));
    assert!(ran.out.contains("\"path\": \"wrong.smv\""), "{}", ran.out);
    assert!(!ran.out.contains("seconds"));
    assert!(ran.err.contains("wrong.smv:2:12"), "{}", ran.err);
    let again = folder.run(&["check", "lamp.smv", "wrong.smv", "--format", "json"]);
    assert_eq!(ran.out, again.out);
    let missing = folder.run(&["check", "missing.smv", "bytes.smv", "--format", "json"]);
    assert_eq!(
        missing.out.matches("\"severity\": \"error\"").count(),
        2,
        "{}",
        missing.out
    );
}

#[test]
fn both_engines_print_the_same_evidence() {
    let folder = Folder::new("engines");
    let explicit = folder.run(&["check", "lamp.smv", "--engine", "explicit"]);
    let bdd = folder.run(&["check", "lamp.smv", "--engine", "bdd"]);
    let body = |text: &str| text.lines().skip(2).collect::<Vec<_>>().join("\n");
    assert_eq!(body(&explicit.out), body(&bdd.out));
    assert!(bdd.out.contains("engine bdd"), "{}", bdd.out);
}

#[test]
fn writers_do_not_change_what_is_printed() {
    let folder = Folder::new("writers");
    let plain = folder.run(&["check", "lamp.smv"]);
    let ran = folder.run(&[
        "check",
        "lamp.smv",
        "--json",
        "a.json",
        "--dot",
        "a.dot",
        "--itf",
        "a.itf.json",
    ]);
    assert_eq!(plain.out, ran.out);
    assert_eq!(ran.err, "");
    assert!(folder.read("a.json").contains("wherefore/1"));
    assert!(folder.read("a.dot").starts_with("digraph"));
    assert!(
        folder
            .read("a.itf.json")
            .contains("\"property\": \"mended\"")
    );
    assert!(
        folder
            .read("a.shines.itf.json")
            .contains("\"property\": \"shines\"")
    );
    let none = folder.run(&["check", "lamp.smv", "-p", "stays", "--itf", "b.itf.json"]);
    assert_eq!(none.code, Some(0));
    assert_eq!(
        none.err,
        "note: b.itf.json is not written: there is no evidence\n"
    );
}

#[test]
fn quiet_prints_nothing() {
    let folder = Folder::new("quiet");
    let ran = folder.run(&["check", "lamp.smv", "-q"]);
    assert_eq!(
        (ran.code, ran.out.as_str(), ran.err.as_str()),
        (Some(1), "", "")
    );
}

#[test]
fn colour_is_for_terminals_unless_asked_for() {
    let folder = Folder::new("colour");
    assert!(!folder.run(&["check", "lamp.smv"]).out.contains('\u{1b}'));
    assert!(
        folder
            .run(&["check", "lamp.smv", "--color", "always"])
            .out
            .contains('\u{1b}')
    );
    let mut command = folder.command(&["check", "lamp.smv"]);
    let ran = Ran::new(
        command
            .env("NO_COLOR", "1")
            .output()
            .expect("the binary starts"),
    );
    assert!(!ran.out.contains('\u{1b}'));
}

#[test]
fn what_is_shown_can_be_chosen() {
    let folder = Folder::new("choice");
    let ran = folder.run(&[
        "check",
        "lamp.smv",
        "-p",
        "mended",
        "--vars",
        "^x$",
        "--show",
        "lamp = off",
    ]);
    assert!(ran.out.contains("x=0 (lamp = off)=TRUE"), "{}", ran.out);
    assert!(!ran.out.contains("lamp=off"), "{}", ran.out);
    let witness = folder.run(&["check", "lamp.smv", "-p", "stays", "--witness"]);
    assert!(
        witness.out.contains("it would fail on this run"),
        "{}",
        witness.out
    );
    let all = folder.run(&["check", "lamp.smv", "-p", "shines", "--all", "--ascii"]);
    assert!(all.out.contains("lamp: off -> on"), "{}", all.out);
    let page = folder.run(&["check", "lamp.smv", "--format", "md"]);
    assert!(page.out.starts_with("# lamp.smv\n"), "{}", page.out);
    assert!(page.out.contains("```mermaid"), "{}", page.out);
}

#[test]
fn every_command_the_screen_suggests_works() {
    let folder = Folder::new("hints");
    for selection in [
        &[][..],
        &["-p", "shines"],
        &["-p", "stays"],
        &["-p", "never"],
        &["-e", "AG lamp = off"],
    ] {
        let args: Vec<&str> = ["check", "lamp.smv"]
            .into_iter()
            .chain(selection.iter().copied())
            .collect();
        let ran = folder.run(&args);
        let hints = ran.out.lines().skip_while(|line| *line != "Try:").skip(1);
        let mut tried = 0;
        for hint in hints {
            let command = hint.trim().split("  ").next().expect("a command");
            let arguments = command
                .strip_prefix("wherefore ")
                .expect("a command of ours");
            let script = format!("\"$0\" {arguments}");
            let mut shell = Command::new("sh");
            shell
                .args(["-c", &script, env!("CARGO_BIN_EXE_wherefore")])
                .current_dir(&folder.0);
            let ran = Ran::new(shell.output().expect("a shell starts"));
            assert!(matches!(ran.code, Some(0 | 1)), "{command}\n{}", ran.err);
            tried += 1;
        }
        assert!(tried > 0, "{selection:?} suggests nothing:\n{}", ran.out);
    }
}

#[test]
fn the_demo_lists_writes_and_never_overwrites_a_different_file() {
    let folder = Folder::new("demo");
    let list = folder.run(&["demo"]);
    assert_eq!(list.code, Some(0));
    for name in ["button", "elevator", "mutex", "protocol"] {
        assert!(list.out.contains(&format!("\n  {name} ")), "{}", list.out);
    }
    assert_eq!(folder.run(&["demo", "nothing"]).code, Some(2));
    let first = folder.run(&["demo", "elevator"]);
    assert_eq!(first.code, Some(1), "{}{}", first.out, first.err);
    assert!(
        first
            .out
            .starts_with("wrote elevator.smv\n$ wherefore check elevator.smv\n"),
        "{}",
        first.out
    );
    let again = folder.run(&["demo", "elevator"]);
    assert_eq!(again.code, Some(1));
    assert!(
        again.out.starts_with("$ wherefore check elevator.smv\n"),
        "{}",
        again.out
    );
    folder.write("elevator.smv", b"MODULE main\n");
    let refused = folder.run(&["demo", "elevator"]);
    assert_eq!(refused.code, Some(2));
    assert_eq!(folder.read("elevator.smv"), "MODULE main\n");
    assert_eq!(folder.run(&["demo", "elevator", "--force"]).code, Some(1));
    assert_ne!(folder.read("elevator.smv"), "MODULE main\n");
}

#[test]
fn statistics_are_printed_only_on_request() {
    let folder = Folder::new("stats");
    let timed = |text: &str| text.lines().nth(1).is_some_and(|line| line.ends_with(" s"));
    assert!(!timed(&folder.run(&["check", "lamp.smv"]).out));
    assert!(timed(&folder.run(&["check", "lamp.smv", "--stats"]).out));
}
