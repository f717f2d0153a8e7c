//! Wishes about whole runs: they compose, and what became of each is said.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::support::{Folder, Ran};

fn folder(test: &str) -> Folder {
    let folder = Folder::new(&format!("wishes-{test}"));
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for name in ["elevator.smv", "button.smv"] {
        fs::copy(examples.join(name), folder.0.join(name)).expect("an example can be copied");
    }
    folder
}

/// What `check` says of a property of the lift that is chosen by strategies.
fn third(folder: &Folder, strategies: &[&str]) -> String {
    let mut args = vec!["check", "elevator.smv", "-p", "third", "--width", "200"];
    for strategy in strategies {
        args.extend(["--strategy", strategy]);
    }
    let ran = folder.run(&args);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    ran.out
}

/// What `explain` says to some commands.
fn explain(folder: &Folder, args: &[&str], commands: &str) -> Ran {
    let mut command = folder.command(&["explain"]);
    command.args(args).args(["--plain", "--width", "200"]);
    let command = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program is built");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(commands.as_bytes()).expect("it reads");
    drop(stdin);
    Ran::new(child.wait_with_output().expect("it ends"))
}

/// The lines of the loop of a run.
fn turn(out: &str) -> Vec<&str> {
    let bars = ['┌', '│', '└'];
    out.lines()
        .filter(|line| line.trim_start().starts_with(bars))
        .collect()
}

#[test]
fn the_way_and_the_loop_are_judged_together() {
    let folder = folder("together");
    let out = third(&folder, &["avoid:floor = 1 | floor = 2"]);
    assert!(out.contains("floor: 2 → 3"), "{out}");
    // The loop begins after the step to the third floor and changes no floor.
    assert!(
        !turn(&out).iter().any(|line| line.contains("floor:")),
        "{out}"
    );
    let said = "wish `avoid:floor = 1 | floor = 2`: not met: 4 exceptions on the way to the loop; no run does better";
    assert!(out.contains(said), "{out}");
}

#[test]
fn a_second_wish_chooses_among_what_is_best_for_the_first() {
    let folder = folder("second");
    let out = third(
        &folder,
        &["avoid:floor = 1", "avoid:floor = 2 & door = open"],
    );
    assert!(
        out.contains("wish `avoid:floor = 2 & door = open`: met"),
        "{out}"
    );
    let json = folder.run(&[
        "check",
        "elevator.smv",
        "-p",
        "third",
        "--strategy=avoid:floor = 1",
        "--strategy=avoid:floor = 2 & door = open",
        "--format=json",
    ]);
    let compact: String = json.out.split_whitespace().collect();
    let first = r#""wishes":[{"wish":"avoid:floor=1","met":false,"idle":false,"turn":0,"way":3,"best":"proved"}"#;
    assert!(compact.contains(first), "{}", json.out);
}

#[test]
fn what_is_to_alternate_alternates_for_ever() {
    let folder = folder("alternate");
    let out = third(&folder, &["alternate:floor = 1;floor = 2"]);
    let turn = turn(&out).join("\n");
    assert!(
        turn.contains("floor: 1 → 2") && turn.contains("floor: 2 → 1"),
        "{out}"
    );
    assert!(
        out.contains("not met: 4 exceptions in each turn of the loop"),
        "{out}"
    );
    let out = third(&folder, &["alternate:btn2.p;!btn2.p"]);
    assert!(
        out.contains("wish `alternate:btn2.p;!btn2.p`: met"),
        "{out}"
    );
}

#[test]
fn each_avoid_of_an_exploration_adds_a_wish() {
    let folder = folder("avoid");
    let args = ["elevator.smv", "third"];
    let ran = explain(
        &folder,
        &args,
        "all\nrun\navoid 0\nrun\navoid 2\nrun\navoid 3\nrun\n",
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let runs: Vec<&str> = ran.out.split("    step  what changed").skip(1).collect();
    assert_eq!(runs.len(), 4, "{}", ran.out);
    let steps = |run: &str| run.split("everything is shown").next().map(str::to_string);
    for (at, run) in runs.iter().enumerate() {
        let again = runs[..at].iter().any(|other| steps(other) == steps(run));
        assert!(!again, "the same run again: {}", ran.out);
    }
    assert_eq!(
        ran.out.matches("wish `avoid").count(),
        1 + 2 + 3,
        "{}",
        ran.out
    );
}

#[test]
fn another_strategy_shows_another_run() {
    let folder = folder("switch");
    let args = ["elevator.smv", "third"];
    let ran = explain(&folder, &args, "all\nrun\nstrategy avoid floor = 1\nrun\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let (before, after) = ran.out.rsplit_once("everything is shown").expect("twice");
    assert!(
        !before.contains("floor: 1 → 2") && after.contains("floor: 1 → 2"),
        "{}",
        ran.out
    );
}

#[test]
fn scripts_speak_in_explorations() {
    let folder = folder("scripts");
    folder.write(
        "talks.rhai",
        b"fn pick_rule(proof, leaf, ways) { print(`chosen`); [] }\n",
    );
    folder.write(
        "fails.rhai",
        b"fn pick_rule(proof, leaf, ways) { throw `lost` }\n",
    );
    let args = |script| ["button.smv", "served", script];
    let talks = explain(&folder, &args("--strategy=script:talks.rhai"), "all\n");
    assert!(
        talks.out.contains("note: talks.rhai: chosen"),
        "{}{}",
        talks.out,
        talks.err
    );
    let fails = explain(&folder, &args("--strategy=script:fails.rhai"), "all\n");
    assert!(fails.out.contains("lost"), "{}{}", fails.out, fails.err);
    let whole = explain(&folder, &args("--strategy=script:talks.rhai"), "");
    assert!(
        whole.err.contains("note: talks.rhai: chosen"),
        "{}{}",
        whole.out,
        whole.err
    );
}

#[test]
fn a_list_of_choices_is_followed() {
    let folder = folder("like");
    let args = ["elevator.smv", "third"];
    let first = explain(
        &folder,
        &args,
        "strategy avoid floor = 1\nall\nrun\nwrite x.json\n",
    );
    assert_eq!(first.code, Some(0), "{}", first.err);
    let out = third(&folder, &["like:x.choices"]);
    assert!(out.contains("floor: 1 → 2"), "{out}");
    let commands = fs::read_to_string(folder.0.join("x.choices")).expect("it was written");
    let again = explain(&folder, &args, &(commands + "run\n"));
    assert!(again.out.contains("floor: 1 → 2"), "{}", again.out);
    assert!(!again.out.contains("error"), "{}", again.out);
    folder.write("bare.choices", b"all\n");
    let refused = folder.run(&["check", "elevator.smv", "--strategy", "like:bare.choices"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("names no document"), "{}", refused.err);
}

#[test]
fn partial_leaves_open_what_takes_longer() {
    let folder = folder("partial");
    folder.write(
        "count.smv",
        b"MODULE main\nVAR x : 0..6;\nASSIGN init(x) := 0; next(x) := x < 6 ? x + 1 : x;\n\
          SPEC EG x < 6\n",
    );
    let open = |steps: &str| {
        let strategy = format!("--strategy=partial:{steps}");
        let ran = folder.run(&["check", "count.smv", &strategy, "--width", "200"]);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        ran.out.contains("1 obligation open")
    };
    let opened = ["0", "3", "5", "6", "7"].map(open);
    assert_eq!(opened, [true, true, true, false, false]);
}

#[test]
fn no_way_is_listed_twice() {
    let folder = folder("twice");
    for (args, commands) in [
        (
            ["elevator.smv", "third"],
            "strategy prefer floor = 2\nexpand\nways\n",
        ),
        (
            ["elevator.smv", "third"],
            "strategy loop-through:floor = 2\nexpand\nways\n",
        ),
        (
            ["button.smv", "served"],
            "strategy prefer p\nexpand\nexpand\nexpand\nways\n",
        ),
    ] {
        let ran = explain(&folder, &args, commands);
        let mut ways: Vec<String> = (ran.out.lines())
            .filter_map(|line| line.trim().split_once(": "))
            .filter(|(number, _)| number.parse::<usize>().is_ok())
            .map(|(_, way)| way.replace(" (planned)", ""))
            .collect();
        let listed = ways.len();
        assert!(listed > 0, "{}", ran.out);
        ways.sort();
        ways.dedup();
        assert_eq!(ways.len(), listed, "{}", ran.out);
    }
}
