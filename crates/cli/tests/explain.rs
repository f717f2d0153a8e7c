//! `wherefore explain` in a pipe: what an exploration of a proof prints, and how it ends.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::support::{Folder, Ran};

const ENGINES: [&str; 3] = ["auto", "explicit", "bdd"];

#[test]
fn without_commands_the_whole_explanation_is_printed() {
    insta::assert_snapshot!(talk(&folder("whole"), &["elevator.smv", "upstairs"], ""));
}

#[test]
fn an_existential_property_is_explained_by_its_witness() {
    let folder = folder("witness");
    insta::assert_snapshot!(talk(&folder, &["button.smv", "-e", "EF (f | r)"], ""));
}

#[test]
fn a_universal_property_that_holds_is_explained_by_everything_that_can_follow() {
    insta::assert_snapshot!(talk(&folder("region"), &["button.smv", "never_stuck"], ""));
}

#[test]
fn a_tree_has_its_branches() {
    let formula = "AG left.at = away | AG right.at = away";
    insta::assert_snapshot!(talk(&folder("tree"), &["mutex.smv", "-e", formula], ""));
}

#[test]
fn claim_by_claim() {
    let commands = "ways\n\n\n\n\nopen\nformula 2\nwhy 2\nways\nall\nrun\nproof\nundo\nundo\nrun\n\
                    close #1\nstate 1\neval p & r\nstrategy\nquit\nall\n";
    insta::assert_snapshot!(talk(&folder("claims"), &["button.smv", "served"], commands));
}

#[test]
fn a_loop_of_four_here_or_one_step_to_the_loop_of_one() {
    let commands = "\n\nways\ntake 2\nall\nrun\nnext #5\nall\nrun\n";
    let args = ["button.smv", "-e", "EX (p & EG p)"];
    insta::assert_snapshot!(talk(&folder("loops"), &args, commands));
}

#[test]
fn mistakes_are_told_and_the_exploration_goes_on() {
    let commands = "waze\nxyzzy\nne\u{1b}[31mxt\ntake\ntake 0\ntake 99\ntake 1 #99\nexpand #7\n\
                    close #0\nclose\nwhy 9\nstate 9\nwhy\nnext\nnext #3\nundo\neval\neval nobody\n\
                    strategy fastest\nstrategy prefer nobody\nstrategy prefer\nstrategy random x\n\
                    strategy loop:x\nwrite no/such/folder/x.json\nclose #99999999999999999999\nall\nall\n";
    let args = ["button.smv", "served"];
    insta::assert_snapshot!(talk(&folder("mistakes"), &args, commands));
}

#[test]
fn help_lists_the_commands() {
    insta::assert_snapshot!(talk(&folder("help"), &["button.smv", "served"], "help\n"));
}

#[test]
fn choices_that_were_written_beside_the_model_are_suggested_next_time() {
    let folder = folder("suggested");
    let args = ["button.smv", "-e", "EF (p & EG p)"];
    let commands = "strategy loop-through:p & f\nall\nwrite\n";
    let first = run(&folder, &args, commands);
    assert_eq!((first.code, first.err.as_str()), (Some(0), ""));
    let next = run(&folder, &args, "open\n");
    let suggestion = "choices saved earlier: --strategy like:button.smv.choices.json";
    assert!(next.err.contains(suggestion), "{}", next.err);
    let like = "--strategy=like:button.smv.choices.json";
    let again = run(&folder, &[&args[..], &[like]].concat(), "all\nrun\n");
    assert!(
        again.out.contains("back to step 1, for ever"),
        "{}",
        again.out
    );
    assert_eq!(again.err, "");
}

#[test]
fn choices_that_were_written_can_be_made_again() {
    let folder = folder("choices");
    let args = ["button.smv", "served"];
    let commands =
        "take 2\n\n\nstrategy random 5\nall\nclose #1\n\nstrategy prefer p\nwrite a.json\n";
    let first = run(&folder, &args, commands);
    assert_eq!(first.code, Some(0), "{}", first.err);
    let choices = folder.read("a.choices");
    let again = run(&folder, &args, &format!("{choices}write b.json\n"));
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert_eq!(folder.read("a.json"), folder.read("b.json"), "{choices}");
    // The first line names the document.
    let list = choices.replace("a.json", "b.json");
    assert_eq!(list, folder.read("b.choices"));
}

#[test]
fn the_document_is_that_of_check() {
    let folder = folder("document");
    let json = folder.run(&["explain", "button.smv", "served", "--format", "json"]);
    assert_eq!(json.code, Some(0), "{}", json.err);
    assert!(
        json.out.contains("\"schema\": \"wherefore/1\""),
        "{}",
        json.out
    );
    assert!(json.out.contains("\"verdict\": \"fails\""));
    let page = folder.run(&["explain", "button.smv", "served", "--format", "md"]);
    assert!(page.out.starts_with("# button.smv"), "{}", page.out);
}

#[test]
fn a_new_condition_keeps_what_is_shown() {
    let folder = folder("condition");
    let ran = run(
        &folder,
        &["button.smv", "-e", "EX EX r"],
        "expand\nstrategy prefer p\nall\nrun\n",
    );
    assert!(
        ran.out
            .contains("#0 `EX EX r` holds at step 0: one step leads to step 1")
    );
    assert!(!ran.out.contains("p: TRUE"), "{}", ran.out);
}

#[test]
fn what_cannot_be_explained_gives_the_codes_of_check() {
    let folder = folder("codes");
    folder.write("none.smv", b"MODULE main VAR x : 0..1;\n");
    let nothing = "MODULE main VAR x : 0..1; INIT x > 1\nCTLSPEC AG x = 0\n";
    folder.write("nothing.smv", nothing.as_bytes());
    let cases: &[(i32, &str, &[&str])] = &[
        (
            2,
            "did you mean `served`",
            &["explain", "button.smv", "sreved"],
        ),
        (
            2,
            "there are never_fulfilled, served",
            &["explain", "button.smv", "other"],
        ),
        (2, "say which property", &["explain", "button.smv"]),
        (2, "there are no properties", &["explain", "none.smv"]),
        (2, "cannot be read", &["explain", "missing.smv", "x"]),
        (
            2,
            "cannot be used with",
            &["explain", "button.smv", "served", "-e", "EF p"],
        ),
        (2, "nobody", &["explain", "button.smv", "-e", "EF nobody"]),
        (3, "wrong.smv", &["explain", "wrong.smv", "x"]),
        (3, "not UTF-8", &["explain", "bytes.smv", "x"]),
        (4, "`later` is undecided", &["explain", "lamp.smv", "later"]),
        (
            4,
            "time limit",
            &["explain", "endless.smv", "far", "--timeout", "0"],
        ),
        (
            4,
            "time limit",
            &["explain", "endless.smv", "far", "--timeout", "1"],
        ),
        (0, "there is nothing to show", &["explain", "nothing.smv"]),
    ];
    for (code, part, args) in cases {
        let ran = folder.run(args);
        assert_eq!(ran.code, Some(*code), "{args:?}\n{}{}", ran.out, ran.err);
        assert!(ran.err.contains(part), "{args:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{args:?}");
    }
}

#[test]
fn ascii_is_plain_and_colour_is_asked_for() {
    let folder = folder("plain");
    let ran = run(&folder, &["button.smv", "served", "--ascii"], "");
    assert!(ran.out.is_ascii(), "{}", ran.out);
    let color = run(
        &folder,
        &["button.smv", "served", "--color", "always"],
        "open\n",
    );
    assert!(color.out.contains("\u{1b}["));
}

#[test]
fn states_with_very_many_variables_and_lines_of_any_length_are_no_obstacle() {
    let folder = folder("huge");
    let vars: String = (0..300).map(|n| format!("v{n} : boolean; ")).collect();
    let model = format!("MODULE main VAR {vars}\nCTLSPEC AG !(v0 & v299)\n");
    folder.write("huge.smv", model.as_bytes());
    let deep = "(".repeat(30_000) + "v0" + ")".repeat(30_000).as_str();
    let long = format!("eval {}\neval {deep}\nall\nrun\n", "x".repeat(1 << 20));
    let ran = run(&folder, &["huge.smv"], &long);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("the line is too long to be a command"));
    assert!(ran.out.contains("everything is shown"), "{}", ran.out);
}

#[test]
fn the_time_limit_holds_while_nobody_says_anything() {
    let folder = folder("silence");
    let args = ["explain", "button.smv", "served", "--timeout", "1"];
    let (silent, writer) = std::io::pipe().expect("there are pipes");
    let running = folder.start_with(&args, silent.into());
    let ran = running.end_within(20);
    drop(writer);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(ran.err.contains("since the time limit was reached"));
}

fn folder(test: &str) -> Folder {
    let folder = Folder::new(&format!("explain-{test}"));
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for name in ["button.smv", "elevator.smv", "mutex.smv"] {
        let bytes = fs::read(examples.join(name)).expect("the example is there");
        folder.write(name, &bytes);
    }
    folder
}

fn run(folder: &Folder, args: &[&str], commands: &str) -> Ran {
    let args = [&["explain"], args].concat();
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
fn talk(folder: &Folder, args: &[&str], commands: &str) -> String {
    let outputs = ENGINES.map(|engine| {
        let ran = run(folder, &[args, &["--engine", engine]].concat(), commands);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
        ran.out
    });
    let [output, explicit, bdd] = outputs;
    assert_eq!(output, explicit);
    assert_eq!(output, bdd);
    let commands = commands.trim_end().replace('\u{1b}', "<escape>");
    format!("{commands}\n----\n{output}")
}
