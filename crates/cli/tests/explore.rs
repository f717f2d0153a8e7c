//! `wherefore explore`: what a walk through the states prints, and how it ends.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::support::{Folder, Ran};

/// Two initial states; the lamp breaks and then nothing happens any more.
const BREAKS: &str = "\
MODULE main
VAR lamp : {off, on, broken}; x : 0..1;
IVAR hit : boolean; warm : boolean;
ASSIGN
  init(lamp) := off;
  next(x) := x;
  next(lamp) := case
      lamp = off : on;
      hit & warm : broken;
      TRUE : {off, on};
    esac;
TRANS lamp != broken
CTLSPEC NAME shines := AG (lamp = off -> EX lamp = on)
PSLSPEC NAME later := {lamp = on; lamp = off}
";

const ENGINES: [&str; 3] = ["auto", "explicit", "bdd"];

#[test]
fn a_walk_through_the_lift() {
    let commands = "next\n2\nwatch floor + 1\n\nn 1\nback\ntrace\nbefore\n\
                    path floor = 3 & door = open\ntruth third\ntruth upstairs\n\
                    show floor|idle\neval floor * 2\npath AG floor = 3\npath door = open\ndeadlock\n";
    insta::assert_snapshot!(walk(&folder("lift"), "elevator.smv", commands));
}

#[test]
fn a_walk_with_inputs() {
    let commands = "n\n1\n\n0\nf\nr\nr 0\nt\np sender = ready_resend\n\
                    p sender = ready_resend & receiver = ready_receive_next\nt\nv\n";
    insta::assert_snapshot!(walk(&folder("protocol"), "protocol.smv", commands));
}

#[test]
fn a_walk_into_a_deadlock() {
    let commands = "start\nstart 1\nbefore\ndeadlock\nnext\nnext 0\ndeadlock\ntruth\nback\n\
                    next\npath lamp = off & x = 0\n";
    let folder = folder("deadlock");
    folder.write("breaks.smv", BREAKS.as_bytes());
    insta::assert_snapshot!(walk(&folder, "breaks.smv", commands));
}

#[test]
fn mistakes_are_told_and_the_walk_goes_on() {
    let commands = "nexd\nxyzzy\nne\u{1b}[31mxt\nnext one\nnext 99\nnext -1\n\
                    next 99999999999999999999\nstart 7\nbefore 99\nback\nback 2\n\
                    show (\nshow nothing_is_called_so\ntruth thrid\neval\neval flor\n\
                    eval next(floor)\neval 1 / (floor - 1)\npath floor\npath floor = \n\
                    watch AG floor = 1\n1\n";
    insta::assert_snapshot!(walk(&folder("mistakes"), "elevator.smv", commands));
}

#[test]
fn help_lists_the_commands() {
    insta::assert_snapshot!(walk(&folder("help"), "elevator.smv", "help\n"));
}

#[test]
fn of_many_states_the_first_twenty_are_listed_and_the_others_counted() {
    let folder = folder("many");
    folder.write("many.smv", b"MODULE main VAR x : 0..49; y : boolean;\n");
    let ran = run(
        &folder,
        "many.smv",
        &[],
        "next\nnext 99\nbefore\nstart 100\n",
    );
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.out.matches("  and 80 more\n").count(), 3, "{}", ran.out);
    assert!(ran.out.contains("\nstep 1: x: 0 → 49  y: FALSE → TRUE\n"));
    let beyond = "error: there is no initial state 100; the last is 99\n";
    assert!(ran.out.ends_with(beyond), "{}", ran.out);
}

#[test]
fn more_states_than_fit_a_number_are_no_obstacle() {
    let folder = folder("huge");
    let vars: String = (0..70).map(|n| format!("v{n} : boolean; ")).collect();
    folder.write("huge.smv", format!("MODULE main VAR {vars}\n").as_bytes());
    let ran = run(&folder, "huge.smv", &[], "next 1\npath v0 & v69\n");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("  and more than can be counted\n"));
    assert!(ran.out.contains("\nstep 1: v69: FALSE → TRUE\n"));
    assert!(
        ran.out.ends_with("       2  v0: FALSE → TRUE\n"),
        "{}",
        ran.out
    );
}

#[test]
fn without_an_initial_state_there_is_nowhere_to_go() {
    let folder = folder("nowhere");
    folder.write("nowhere.smv", b"MODULE main VAR x : 0..1; INIT x > 1\n");
    let ran = run(&folder, "nowhere.smv", &[], "next\nshow\nhelp\n");
    assert_eq!(ran.code, Some(0));
    let nowhere = "there is no initial state, so there is nowhere to go\n";
    assert_eq!(ran.out.matches(nowhere).count(), 3, "{}", ran.out);
}

#[test]
fn the_walk_ends_with_the_input_or_when_the_walker_quits() {
    let folder = folder("end");
    let end = run(&folder, "elevator.smv", &[], "");
    let quit = run(&folder, "elevator.smv", &[], "quit\nnext\n");
    let cut = run(&folder, "elevator.smv", &[], "back");
    assert_eq!((end.code, quit.code, cut.code), (Some(0), Some(0), Some(0)));
    assert_eq!(end.out, quit.out);
    assert!(cut.out.ends_with("there is no step to undo\n"));
}

#[test]
fn there_is_no_prompt_in_a_pipe_and_ascii_is_plain() {
    let folder = folder("plain");
    let ran = run(&folder, "elevator.smv", &["--ascii"], "next\n1\ntrace\n");
    assert!(ran.out.is_ascii(), "{}", ran.out);
    assert!(!ran.out.contains("> s"));
    assert!(ran.out.contains("btn3.p: FALSE -> TRUE"));
    let color = run(&folder, "elevator.smv", &["--color", "always"], "truth\n");
    assert!(color.out.contains("\u{1b}["));
}

#[test]
fn a_model_that_cannot_be_explored_gives_the_codes_of_check() {
    let folder = folder("codes");
    folder.write(
        "hole.smv",
        b"MODULE main VAR x : 0..1; ASSIGN next(x) := x + 1;\n",
    );
    let cases: &[(i32, &[&str])] = &[
        (2, &["explore"]),
        (2, &["explore", "missing.smv"]),
        (2, &["explore", "lamp.smv", "--engine", "magic"]),
        (3, &["explore", "wrong.smv"]),
        (3, &["explore", "bytes.smv"]),
        (3, &["explore", "hole.smv"]),
        (4, &["explore", "endless.smv", "--timeout", "0"]),
        (4, &["explore", "endless.smv", "--timeout", "1"]),
    ];
    for (code, args) in cases {
        let ran = folder.run(args);
        assert_eq!(ran.code, Some(*code), "{args:?}\n{}{}", ran.out, ran.err);
        assert_eq!(ran.out, "", "{args:?}");
        assert!(!ran.err.is_empty(), "{args:?}");
    }
}

#[test]
fn the_time_limit_holds_while_nobody_says_anything() {
    let folder = folder("silence");
    let args = ["explore", "elevator.smv", "--timeout", "1"];
    let mut command = folder.command(&args);
    let child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.expect("the binary starts");
    let silent = child.stdin.take();
    let ran = Ran::new(child.wait_with_output().expect("it ends"));
    drop(silent);
    assert_eq!(ran.code, Some(4));
    assert!(ran.out.contains("step 0:"));
    assert!(ran.err.contains("since the time limit was reached"));
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_the_walk_with_what_was_said() {
    let folder = folder("interrupt");
    let (silent, _writer) = std::io::pipe().expect("there are pipes");
    let running = folder.start_with(&["explore", "elevator.smv"], silent.into());
    running.wait_for_output("step 0:");
    running.interrupt();
    let ran = running.end_within(20);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(ran.err.contains("since it was cancelled"), "{}", ran.err);
}

#[test]
fn a_command_deeper_than_any_stack_is_answered() {
    let folder = folder("deep");
    let deep = format!(
        "path {}floor = 2{}\n",
        "(".repeat(30_000),
        ")".repeat(30_000)
    );
    let long = format!("eval {}\nback\n", "x".repeat(1 << 20));
    let ran = run(&folder, "elevator.smv", &[], &(deep + long.as_str()));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("the line is too long to be a command"));
    assert!(ran.out.contains("\n       3  floor: 1 → 2 (line 58)\n"));
    assert!(ran.out.contains("\nstep 2: "), "{}", ran.out);
}

fn folder(test: &str) -> Folder {
    let folder = Folder::new(&format!("explore-{test}"));
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for name in ["elevator.smv", "protocol.smv"] {
        let bytes = fs::read(examples.join(name)).expect("the example is there");
        folder.write(name, &bytes);
    }
    folder
}

fn run(folder: &Folder, model: &str, options: &[&str], commands: &str) -> Ran {
    let args = [&["explore", model], options].concat();
    let mut command = folder.command(&args);
    let child = command
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.expect("the binary starts");
    let mut input = child.stdin.take().expect("it has an input");
    // Whoever quits early does not read the rest.
    let _ = input.write_all(commands.as_bytes());
    drop(input);
    Ran::new(child.wait_with_output().expect("it ends"))
}

/// The commands and what they print, which is the same from every engine.
fn walk(folder: &Folder, model: &str, commands: &str) -> String {
    let outputs = ENGINES.map(|engine| {
        let ran = run(folder, model, &["--engine", engine], commands);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
        ran.out
    });
    let [output, explicit, bdd] = outputs;
    assert_eq!(output, explicit);
    assert_eq!(output, bdd);
    let commands = commands.trim_end().replace('\u{1b}', "<escape>");
    format!("{commands}\n----\n{output}")
}
