//! Sentences that were once false: each is asked for again, and compared with what the model says.

use std::io::Write;
use std::process::Stdio;

use crate::support::{Folder, Ran};

const BUTTON: &str = include_str!("../demos/button.smv");

fn checked(name: &str, model: &str, args: &[&str]) -> String {
    let folder = Folder::new(name);
    folder.write("model.smv", model.as_bytes());
    let ran = folder.run(&[&["check", "model.smv"], args].concat());
    // A false sentence ends a debug build.
    assert!(matches!(ran.code, Some(0 | 1)), "{}{}", ran.out, ran.err);
    ran.out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs a program that is told what to do line by line.
fn run_with(folder: &Folder, args: &[&str], commands: &str) -> Ran {
    let mut command = folder.command(args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut input = child.stdin.take().expect("it reads");
    input.write_all(commands.as_bytes()).expect("it reads all");
    drop(input);
    Ran::new(child.wait_with_output().expect("it ends"))
}

fn explained(name: &str, model: &str, formula: &str, commands: &str) -> String {
    let folder = Folder::new(name);
    folder.write("model.smv", model.as_bytes());
    let ran = run_with(&folder, &["explain", "model.smv", "-e", formula], commands);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    ran.out
}

#[test]
fn what_holds_at_once_is_not_said_to_need_all_that_follows() {
    let out = checked("at-once", BUTTON, &["-e", "AG !(r & AF r)"]);
    // Three states can follow.
    assert!(!out.contains("the only state"), "{out}");
    assert!(
        out.contains("every path reaches `r`: `r` holds there"),
        "{out}"
    );
}

#[test]
fn successors_are_counted_without_what_a_path_keeps_to() {
    let out = explained("successors", BUTTON, "AG EF f", "take 2\nproof\nquit\n");
    assert!(
        out.contains("in every successor (2): step 0 and 1"),
        "{out}"
    );
}

#[test]
fn a_region_that_is_left_says_how_far_it_reaches() {
    let count = "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0;\nnext(x) := case x < 3 : x + 1; TRUE : x; esac;\n";
    let out = checked("regions", count, &["-e", "EG x > 0"]);
    assert!(!out.contains("way out"), "{out}");
    assert!(
        out.contains("`EG x > 0` is false, since `x > 0` is false there"),
        "{out}"
    );
    let out = checked("regions-far", count, &["-e", "EX EG x < 3"]);
    assert!(
        out.contains("in all 3 states on the way, up to where `x < 3` is false"),
        "{out}"
    );
    for formula in [
        "E [x < 2 U x = 0 & x = 1]",
        "!AF x = 3",
        "!A [x < 3 U x = 3]",
    ] {
        let out = checked("regions-more", count, &["-e", formula]);
        assert!(!out.contains("every way out leads"), "{out}");
    }
}

#[test]
fn a_state_that_leads_nowhere_else_is_not_counted_among_those_that_follow() {
    let count = "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := {0, 1};\nnext(x) := case x < 3 : x + 1; TRUE : x; esac;\n";
    let out = checked("reachable", count, &["-e", "EF x = 0"]);
    // The run starts at 1, and 0 is reachable.
    assert!(!out.contains("no reachable state satisfies"), "{out}");
    assert!(
        out.contains("all 3 states from there on are checked"),
        "{out}"
    );
}

#[test]
fn what_fairness_remembers_makes_no_loop_longer_than_it_is_said_to_be() {
    let model = "MODULE main\nIVAR i : boolean;\nVAR x : boolean;\nASSIGN init(x) := FALSE;\nnext(x) := x;\n\
                 FAIRNESS i\nCTLSPEC AF x\nLTLSPEC F x\n";
    // With i = TRUE at every step, the only state is a loop of one step.
    let out = checked("fair-input", model, &[]);
    assert_eq!(
        out.matches("a loop of 1 step [shortest: proved]").count(),
        2,
        "{out}"
    );
    // Which of the two processes runs first is remembered, too, and makes a loop longer.
    let model = "MODULE main\nVAR x : boolean;\na : process m(x);\nb : process m(x);\nASSIGN init(x) := FALSE;\n\
                 CTLSPEC AF x\nMODULE m(x)\nASSIGN next(x) := x;\nFAIRNESS running\n";
    let out = checked("fair-process", model, &[]);
    assert!(!out.contains("[shortest: proved]"), "{out}");
    assert!(out.contains("[shortest in the product: proved]"), "{out}");
}

#[test]
fn every_step_is_said_only_where_all_are_listed() {
    let model = "MODULE main\nVAR x : 0..4;\nASSIGN init(x) := 0;\n\
                 next(x) := case x = 0 : {1, 2, 3, 4}; TRUE : x; esac;\n";
    let formula = "!(AX AG x > 0 & EX x = 1)";
    // The step to 1 is on the main run, so that three of four are listed.
    let out = checked("fans", model, &["-e", formula, "--full"]);
    assert!(!out.contains("every step from step 0"), "{out}");
    assert!(
        out.contains("steps from step 0: why `AX AG x > 0` holds"),
        "{out}"
    );
    let out = checked("all-fans", model, &["-e", "EX x > 4", "--full"]);
    assert!(out.contains("every step from step 0: why"), "{out}");
}

#[test]
fn what_a_strategy_takes_is_not_said_to_be_the_best_known() {
    let elevator = include_str!("../demos/elevator.smv");
    let out = checked("chosen", elevator, &["--strategy", "random:3"]);
    assert!(!out.contains("best known"), "{out}");
    assert!(out.contains("none has fewer than"), "{out}");
}

#[test]
fn an_invariant_of_an_infinite_system_is_told_from_its_condition() {
    let folder = Folder::new("smt-invariant");
    let model = "(declare-fun c () Int)\n(declare-fun cn () Int)\n(define-fun sc () Int (! c :next cn))\n\
                 (define-fun init () Bool (! (= c 0) :init true))\n\
                 (define-fun trans () Bool (! (= cn (+ c 1)) :trans true))\n\
                 (define-fun p () Bool (! (not (= c 3)) :invar-property 0))\n";
    folder.write("c.vmt", model.as_bytes());
    let args = ["explain", "c.vmt", "--bound", "Int=0..9", "p"];
    let ran = run_with(&folder, &args, "all\nproof\nquit\n");
    assert!(
        !ran.out.contains("#0 `not (= c 3)` is false at step 0"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("`AG (not (= c 3))` is false at step 0"),
        "{}{}",
        ran.out,
        ran.err
    );
}

#[test]
fn a_trace_of_another_tool_runs_whatever_fairness_remembers_of_processes() {
    let folder = Folder::new("process-trace");
    let model = "MODULE main\nVAR turn : boolean;\na : process user(turn, FALSE);\nb : process user(turn, TRUE);\n\
                 ASSIGN init(turn) := FALSE;\nSPEC AG !(a.s = crit)\n\
                 MODULE user(turn, me)\nVAR s : {idle, try, crit};\nASSIGN init(s) := idle;\n\
                 next(s) := case s = idle : {idle, try}; s = try & turn = me : crit; s = crit : idle; TRUE : s; esac;\n\
                 next(turn) := case s = crit : !me; TRUE : turn; esac;\nFAIRNESS running\n";
    // As NuSMV writes it: the loop closes, though another process ran last than before it.
    let trace = "Trace Description: CTL Counterexample\nTrace Type: Counterexample\n\
                 -> State: 1.1 <-\n  turn = FALSE\n  a.s = idle\n  b.s = idle\n\
                 -> Input: 1.2 <-\n  _process_selector_ = a\n  running = FALSE\n  b.running = FALSE\n  a.running = TRUE\n\
                 -- Loop starts here\n-> State: 1.2 <-\n\
                 -> Input: 1.3 <-\n  _process_selector_ = main\n  running = TRUE\n  a.running = FALSE\n\
                 -> State: 1.3 <-\n\
                 -> Input: 1.4 <-\n  _process_selector_ = b\n  running = FALSE\n  b.running = TRUE\n\
                 -> State: 1.4 <-\n";
    folder.write("two.smv", model.as_bytes());
    folder.write("loop.txt", trace.as_bytes());
    let ran = folder.run(&["replay", "two.smv", "loop.txt"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(
        ran.out
            .contains("runs: 3 steps, the last one back to the loop"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("the model has no"), "{}", ran.out);
}
