//! Infinite-state models that are not called so: SMV without bounds, files and streams known by their text; and their
//! evidence in every form.
#![cfg(unix)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::infinite::{file, has_solver, text};

fn wherefore(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wherefore"));
    command.args(args).args(["--timeout", "120"]);
    command
}

fn run(args: &[&str], file: &Path) -> Output {
    wherefore(args)
        .arg(file)
        .output()
        .expect("the program starts")
}

const METER: &str = "MODULE main
VAR paid : integer; share : real; mode : {idle, busy};
ASSIGN
  init(paid) := 0; init(share) := 0.5; init(mode) := idle;
  next(paid) := paid + 1; next(share) := share / 2; next(mode) := paid > 1 ? busy : mode;
INVARSPEC NAME grows := paid >= 0
INVARSPEC NAME poor := paid < 2
CTLSPEC NAME busy := AF mode = busy
LTLSPEC NAME rich := F G paid > 3
LTLSPEC NAME odd := F (paid = 1 & X paid = 2)
LTLSPEC NAME late := F [2, 3] paid = 2
COMPUTE MIN [mode = idle, mode = busy]
";

#[test]
fn an_smv_model_without_bounds_is_asked_of_solvers() {
    if !has_solver() {
        return;
    }
    let model = file("meter.smv", METER);
    let args = [
        "check", "-p", "grows", "-p", "poor", "-p", "busy", "-p", "odd", "-p", "late",
    ];
    let output = run(&args, &model);
    let told = text(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("3 hold") && told.contains("FAILS  poor (line 7)"),
        "{told}"
    );
    assert!(told.contains("share: 1/2 → 1/4"), "{told}");
    assert!(
        told.contains("UNDECIDED  late") && told.contains("with --bound"),
        "{told}"
    );
}

const WHEEL: &str = "MODULE main
VAR w : unsigned word[3]; s : signed word[3]; turns : integer;
ASSIGN
  init(w) := 0ud3_6; init(s) := 0sd3_2; init(turns) := 0;
  next(w) := w + 0ud3_1; next(s) := s + 0sd3_1;
  next(turns) := w = 0ud3_7 ? turns + 1 : turns;
INVARSPEC NAME top := w[2:2] = 0ud1_1 -> w >= 0ud3_4
INVARSPEC NAME small := toint(s) < 4
INVARSPEC NAME masked := (w & 0ud3_1) <= w
LTLSPEC NAME again := G F w = 0ud3_0
LTLSPEC NAME after := G (w = 0ud3_7 -> X (turns > 0 & Y w = 0ud3_7))
INVARSPEC NAME low := w < 0ud3_7
";

#[test]
fn words_are_numbers_that_wrap_around() {
    if !has_solver() {
        return;
    }
    let model = file("wheel.smv", WHEEL);
    let output = run(&["check"], &model);
    let told = text(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("5 hold") && told.contains("FAILS  low (line 12)"),
        "{told}"
    );
    assert!(told.contains("w: 6 → 7"), "{told}");
}

#[test]
fn what_a_proof_refutes_is_not_told_as_work_that_had_to_stop() {
    if !has_solver() {
        return;
    }
    let down = "MODULE main\nVAR n : integer;\nINIT n >= 0\n\
                TRANS next(n) = (n > 0 ? n - 1 : n)\nCTLSPEC NAME stays := EG n > 0\n";
    let output = run(&["check"], &file("down.smv", down));
    let told = text(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("FAILS  stays")
            && told.contains("the opposite is proved of the initial state below"),
        "{told}"
    );
    assert!(!told.contains("had to stop"), "{told}");
}

#[test]
fn what_must_be_so_for_all_values_is_asked_first() {
    if !has_solver() {
        return;
    }
    let wrong =
        "MODULE main\nVAR n : integer; s : 0..9;\nASSIGN\n  next(s) := n;\nINVARSPEC s < 9\n";
    let output = run(&["check"], &file("wide.smv", wrong));
    let told = text(&output);
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(
        told.contains("wide.smv:4:3") && told.contains("cannot be assigned to the variable `s`"),
        "{told}"
    );
    let mixed = "MODULE main\nVAR n : integer; r : real;\nASSIGN\n  next(n) := r;\n";
    let output = run(&["check"], &file("mixed.smv", mixed));
    let told = text(&output);
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(
        told.contains("the value assigned to it is a real number"),
        "{told}"
    );
}

#[test]
fn the_finite_version_of_an_smv_model_needs_no_solver() {
    let model = "MODULE main\nVAR n : integer;\nASSIGN init(n) := 0; next(n) := {n + 1, 0};\n\
                 LTLSPEC F (n = 1 & X n = 2)\nINVARSPEC n < 5\n";
    let model = file("finite.smv", model);
    let ask = |args: &[&str]| {
        let output = wherefore(&["check", "--bound", "n=0..4"])
            .args(args)
            .arg(&model)
            .env("PATH", "")
            .output()
            .expect("the program starts");
        (output.status.code(), text(&output))
    };
    let (code, told) = ask(&[]);
    assert_eq!(code, Some(1), "{told}");
    assert!(
        told.contains("1 holds") && told.contains("1 FAILS"),
        "{told}"
    );
    let (code, told) = ask(&["-e", "EF n = 4"]);
    assert_eq!(code, Some(0), "{told}");
}

#[test]
fn commands_that_list_states_say_that_there_is_no_end_of_them() {
    let model = file("endless.smv", METER);
    let output = Command::new(env!("CARGO_BIN_EXE_wherefore"))
        .args(["explore"])
        .arg(&model)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let told = text(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(
        told.contains("--bound") || told.contains("no bounds"),
        "{told}"
    );
}

const COUNTER: &str = "(declare-fun c () Int) (declare-fun d () Int)
(define-fun .c () Int (! c :next d))
(define-fun .init () Bool (! (= c 0) :init true))
(define-fun .trans () Bool (! (= d (+ c 1)) :trans true))
(define-fun .never-two () Bool (! (not (= c 2)) :invar-property 0))
";

#[test]
fn a_model_is_known_by_its_text_whatever_it_is_called_and_on_standard_input() {
    if !has_solver() {
        return;
    }
    for name in ["counter.txt", "counter.smt2", "counter"] {
        let output = run(&["check", "--engine", "unroll"], &file(name, COUNTER));
        assert_eq!(output.status.code(), Some(1), "{name}: {}", text(&output));
    }
    for model in [COUNTER, METER] {
        let mut child = wherefore(&["check", "-", "--engine", "unroll"])
            .args(if model == METER {
                &["-p", "poor"][..]
            } else {
                &[]
            })
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("it has an input");
        input
            .write_all(model.as_bytes())
            .expect("it reads its input");
        drop(input);
        let output = child.wait_with_output().expect("it comes to an end");
        assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    }
}

#[test]
fn runs_of_integers_reals_and_constants_are_written_in_every_form() {
    if !has_solver() {
        return;
    }
    let model = file("forms.smv", METER);
    let folder = model.parent().expect("a file is in a folder").to_path_buf();
    for (ending, part) in [
        ("vcd", "s1/4"),
        ("xml", "<value variable=\"share\">1/4</value>"),
        ("csv", "2,2,1/8,idle"),
        ("puml", "1/4"),
        ("mmd", "1/4"),
        ("svg", "1/4"),
        ("graphml", "1/4"),
        ("cypher", "1/4"),
        ("itf.json", "1/4"),
    ] {
        let out = folder.join(format!("run.{ending}"));
        let name = out.display().to_string();
        let output = run(
            &[
                "check", "--engine", "unroll", "-p", "poor", "--export", &name,
            ],
            &model,
        );
        assert_eq!(output.status.code(), Some(1), "{ending}: {}", text(&output));
        let written = std::fs::read_to_string(&out).expect("it is written");
        assert!(written.contains(part), "{ending}: {written}");
    }
    let page = folder.join("page.html");
    let name = page.display().to_string();
    let output = run(
        &[
            "check", "--engine", "unroll", "-p", "poor", "--html", &name, "--format", "json",
        ],
        &model,
    );
    let told = text(&output);
    assert!(
        told.contains("\"language\": \"smv\"") && told.contains("\"share\": \"1/4\""),
        "{told}"
    );
    assert!(
        std::fs::read_to_string(&page)
            .expect("it is written")
            .contains("1/4")
    );
    let mut explained = Command::new(env!("CARGO_BIN_EXE_wherefore"));
    let output = explained
        .args(["explain", "--engine", "unroll", "--timeout", "120"])
        .arg(&model)
        .arg("poor")
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    assert!(text(&output).contains("paid: 1 → 2"), "{}", text(&output));
}

#[test]
fn a_run_that_is_not_the_whole_reason_is_in_the_document() {
    if !has_solver() {
        return;
    }
    let model =
        "MODULE main\nVAR n : integer;\nASSIGN init(n) := 0; next(n) := n + 1;\nCTLSPEC EF n < 0\n";
    let output = run(&["check", "--format", "json"], &file("below.smv", model));
    let told = text(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("\"runs\"") && told.contains("\"n\": 0"),
        "{told}"
    );
}

#[test]
fn operations_are_total_on_request() {
    let model = file("numbers.vmt", COUNTER);
    let output = run(&["check", "--generators"], &model);
    let told = text(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(
        told.contains("no part of the state is a value of a declared sort"),
        "{told}"
    );
    if !has_solver() {
        return;
    }
    let stack = file(
        "stack.smt2",
        "(declare-sort State 0) (declare-fun size (State) Int)
         (define-fun Init ((s State)) Bool (= (size s) 2))
         (define-fun pop ((s State) (t State)) Bool (and (> (size s) 0) (= (size t) (- (size s) 1))))
         (define-fun Next ((s State) (t State)) Bool (pop s t))
         (define-fun emptied ((s State)) Bool (! (ctl.EF (= (size s) 0)) :ctl-property 0))",
    );
    let with = run(&["check", "--engine", "theory", "--generators"], &stack);
    assert_eq!(with.status.code(), Some(0), "{}", text(&with));
    let without = Command::new(env!("CARGO_BIN_EXE_wherefore"))
        .args(["check", "--engine", "theory", "--timeout", "10"])
        .arg(&stack)
        .output()
        .expect("the program starts");
    assert_ne!(without.status.code(), Some(0), "{}", text(&without));
}

#[test]
fn words_as_wide_as_they_may_be_keep_their_bounds_in_infinite_state_models() {
    if !has_solver() {
        return;
    }
    let text_of_model = "MODULE main
VAR n : integer; w : unsigned word[64]; v : unsigned word[63];
ASSIGN
  init(n) := 0; next(n) := n + 1;
  init(w) := 0ud64_0; next(w) := w + 0ud64_1;
  init(v) := 0ud63_0; next(v) := v - 0ud63_1;
INVARSPEC NAME third := w != 0ud64_3
INVARSPEC NAME top := v != 0ud63_9223372036854775807
INVARSPEC NAME all := w >= 0ud64_0
";
    let output = run(&["check"], &file("widest.smv", text_of_model));
    let told = text(&output);
    assert!(
        told.contains("FAILS  third") && told.contains("FAILS  top"),
        "{told}"
    );
    assert!(told.contains("1 holds"), "{told}");
}
