//! Infinite-state models on the command line: verdicts, exit codes, documents, and life without a solver.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::infinite::{file, has_solver, text};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/smt")
        .join(name)
}

fn wherefore(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wherefore"));
    command.args(args);
    command
}

fn run(args: &[&str], file: &Path) -> Output {
    wherefore(args)
        .arg(file)
        .output()
        .expect("the program starts")
}

#[test]
fn properties_are_answered_as_their_file_expects() {
    if !has_solver() {
        return;
    }
    let output = run(
        &[
            "check",
            "--timeout",
            "120",
            "-p",
            "never-ten",
            "-p",
            "passes-five",
        ],
        &example("counter.vmt"),
    );
    let told = text(&output);
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(
        told.contains("never-ten") && told.contains("passes-five"),
        "{told}"
    );
    assert!(told.contains("The file expects it to fail"), "{told}");
}

#[test]
fn a_run_that_refutes_is_told_and_replayed() {
    if !has_solver() {
        return;
    }
    let args = ["check", "--format", "json", "-e", "(ctl.AG (not (= c 7)))"];
    let output = run(&args, &example("counter.smt2"));
    let told = text(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("\"replayed\": true") || told.contains("\"replayed\":true"),
        "{told}"
    );
    assert!(
        told.contains("P1") || told.contains("P2"),
        "steps have names: {told}"
    );
}

#[test]
fn the_theory_of_a_property_is_written_for_any_solver() {
    if !has_solver() {
        return;
    }
    let query = file("query.smt2", "");
    let args = [
        "check",
        "--engine",
        "theory",
        "-p",
        "passes-five",
        "--write-query",
    ];
    let output = wherefore(&args)
        .arg(&query)
        .arg(example("counter.smt2"))
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let written = std::fs::read_to_string(&query).expect("the query is written");
    assert!(written.contains("(check-sat)"), "{written}");
}

#[test]
fn the_finite_version_needs_no_solver() {
    let args = ["check", "--bound", "c=0..12", "-p", "never-ten"];
    let output = wherefore(&args)
        .arg(example("counter.vmt"))
        .env("PATH", "")
        .output()
        .expect("the program starts");
    let told = text(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("c=10") || told.contains("→ 10"), "{told}");
}

#[test]
fn without_a_solver_the_message_says_what_to_install() {
    let output = wherefore(&["check"])
        .arg(example("counter.vmt"))
        .env("PATH", "")
        .output()
        .expect("the program starts");
    let told = text(&output);
    assert_eq!(output.status.code(), Some(4), "{told}");
    assert!(told.contains("apt-get install z3 cvc5"), "{told}");
}

#[test]
fn errors_have_a_place_and_a_code() {
    let wrong = file(
        "wrong.vmt",
        "(declare-fun x () Int)\n(assert (and x true))\n",
    );
    let output = run(&["check"], &wrong);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    assert!(
        text(&output).contains("wrong.vmt:2:14"),
        "{}",
        text(&output)
    );
    let output = run(&["check", "-e", "(ctl.AF"], &example("counter.vmt"));
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    let output = run(&["check", "--engine", "bdd"], &example("counter.vmt"));
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    let output = run(&["check", "--bound", "y=0..3"], &example("counter.vmt"));
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
}

#[test]
fn the_explorer_serves_infinite_models_until_its_time_is_up() {
    let output = run(
        &["open", "--no-browser", "--timeout", "0.2"],
        &example("counter.vmt"),
    );
    let told = text(&output);
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(told.contains("The explorer is at"), "{told}");
}

#[test]
fn a_stricter_limit_of_the_system_keeps_no_solver_from_starting() {
    if !has_solver() {
        return;
    }
    let output = Command::new("sh")
        .args([
            "-c",
            "ulimit -t 300; exec \"$0\" check \"$1\" -p passes-five",
        ])
        .arg(env!("CARGO_BIN_EXE_wherefore"))
        .arg(example("counter.vmt"))
        .output()
        .expect("there is a shell");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}
