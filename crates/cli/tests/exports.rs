//! `wherefore check --export`: evidence in the formats of other tools, read again by readers that are not ours
//! where there are some.
#![cfg(unix)]

use std::process::Command;

use crate::support::{Folder, Ran, has};

/// Every format by the ending of its files.
const ENDINGS: [&str; 10] = [
    "itf.json", "xml", "vcd", "csv", "puml", "mmd", "svg", "graphml", "aut", "cypher",
];

/// A model whose names and values mean something in every format, with words, numbers and an input.
const HOSTILE: &str = r#"MODULE part(go)
VAR at : {a$b, away, waiting};
ASSIGN
  init(at) := away;
  next(at) := case go : waiting; TRUE : at; esac;
MODULE main
IVAR go : boolean;
VAR
  left : part(go);
  a#b : 0..3;
  w : unsigned word[4];
  r-x : boolean;
ASSIGN
  init(a#b) := 0; next(a#b) := a#b < 3 ? a#b + 1 : 0;
  init(w) := 0ud4_3; next(w) := w + 0ud4_1;
CTLSPEC NAME counts := AG (a#b = 3 -> AF left.at = waiting)
CTLSPEC NAME branches := AG (a#b < 2 | EG r-x) | EX EX a#b = 3
"#;

fn export(folder: &Folder, model: &str) -> Ran {
    export_of(folder, &[model])
}

fn export_of(folder: &Folder, models: &[&str]) -> Ran {
    let mut args = [&["check", "-q"], models].concat();
    let files = ENDINGS.map(|ending| format!("out.{ending}"));
    for file in &files {
        args.extend(["--export", file.as_str()]);
    }
    folder.run(&args)
}

/// The folder with the evidence of a model in every format.
fn exported(test: &str, text: &[u8]) -> Folder {
    let folder = Folder::new(&format!("exports-{test}"));
    folder.write("model.smv", text);
    let ran = export(&folder, "model.smv");
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{}", ran.out);
    folder
}

fn example(name: &str) -> Vec<u8> {
    let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).expect("the example is there")
}

/// Asks a program, in the folder, and expects that it is content.
fn content(folder: &Folder, program: &str, args: &[&str]) {
    let here = folder.command(&[]);
    let here = here.get_current_dir().expect("commands run in the folder");
    let output = Command::new(program).args(args).current_dir(here).output();
    let output = output.expect("it is there");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {args:?}: {said}");
}

#[test]
fn other_programs_read_what_is_written() {
    for (test, text) in [
        ("mutex", example("mutex.smv")),
        ("button", example("button.smv")),
        ("hostile", HOSTILE.as_bytes().to_vec()),
    ] {
        let folder = exported(test, &text);
        if has("python3") {
            let parse = "import sys, xml.dom.minidom as d\nfor f in sys.argv[1:]: d.parse(f)";
            content(
                &folder,
                "python3",
                &["-c", parse, "out.xml", "out.graphml", "out.svg"],
            );
            let table = "import csv\nrows = list(csv.reader(open('out.csv', newline='')))\n\
                         assert len(rows) > 1 and len({len(row) for row in rows}) == 1, rows";
            content(&folder, "python3", &["-c", table]);
        }
        if has("vcd2fst") {
            content(&folder, "vcd2fst", &["out.vcd", "out.fst"]);
        }
        let ran = folder.run(&["check", "-q", "model.smv", "--dot", "out.dot"]);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        if has("dot") {
            content(&folder, "dot", &["-Tsvg", "out.dot", "-o", "drawn.svg"]);
        }
    }
}

#[test]
fn evidence_about_systems_is_written_in_every_format_that_can_hold_it() {
    let folder = Folder::new("exports-systems");
    folder.write("vending.aut", &example("lts/vending.aut"));
    folder.write("vending.mcl", &example("lts/vending.mcl"));
    let ran = export_of(&folder, &["vending.aut", "vending.mcl"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    for ending in ["csv", "mmd", "svg", "graphml", "aut", "cypher"] {
        let text = folder.read(&format!("out.{ending}"));
        assert!(text.contains("WANT !BEER"), "{ending}: {text}");
    }
    for refused in ["out.itf.json", "out.xml", "out.vcd", "out.puml"] {
        assert!(!folder.0.join(refused).exists(), "{refused}");
        let note = format!("note: {refused} has no evidence about labelled transition systems. ");
        assert!(ran.err.contains(&note), "{}", ran.err);
    }
    assert!(ran.err.contains("no parts"), "{}", ran.err);
    let table = folder.read("out.csv");
    assert!(
        table.starts_with("step,action,state,back to\r\n0,,0,"),
        "{table}"
    );
    if has("python3") {
        let parse = "import sys, xml.dom.minidom as d\nfor f in sys.argv[1:]: d.parse(f)";
        content(&folder, "python3", &["-c", parse, "out.graphml", "out.svg"]);
    }
    let args = [
        "check",
        "-q",
        "vending.aut",
        "vending.mcl",
        "--dot",
        "out.dot",
    ];
    let ran = folder.run(&args);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    if has("dot") {
        content(&folder, "dot", &["-Tsvg", "out.dot", "-o", "drawn.svg"]);
    }
    // What is written as a system breaks the property as well.
    let ran = folder.run(&["check", "out.aut", "vending.mcl", "-q"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
}

#[test]
fn plantuml_accepts_our_sequence_diagrams() {
    if !has("plantuml") {
        return;
    }
    for (test, text) in [
        ("plantuml-mutex", example("mutex.smv")),
        ("plantuml-hostile", HOSTILE.as_bytes().to_vec()),
    ] {
        let folder = exported(test, &text);
        content(
            &folder,
            "plantuml",
            &["-checkonly", "-failfast2", "out.puml"],
        );
    }
}

#[test]
fn what_is_written_as_a_trace_or_a_system_is_read_again() {
    for (test, text) in [
        ("again", example("mutex.smv")),
        ("again-hostile", HOSTILE.as_bytes().to_vec()),
    ] {
        let folder = exported(test, &text);
        for trace in ["out.xml", "out.itf.json"] {
            let ran = folder.run(&["replay", "model.smv", trace]);
            assert_eq!(ran.code, Some(0), "{trace}: {}{}", ran.out, ran.err);
            assert!(ran.out.contains("runs: "), "{}", ran.out);
        }
        let ran = folder.run(&["convert", "out.aut", "-o", "again.aut"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    }
}

#[test]
fn waves_have_the_truth_of_every_sub_formula_and_show_where_a_run_repeats() {
    let folder = exported("waves", &example("mutex.smv"));
    let waves = folder.read("out.vcd");
    for part in [
        "left.at_=_waiting $end",
        "AF_left.at_=_inside $end",
        "repeats $end",
        "after moment 4 comes moment 1 again",
        "swaiting ",
    ] {
        assert!(waves.contains(part), "{part}\n{waves}");
    }
}

#[test]
fn each_evidence_has_a_file_of_its_own_and_so_has_each_run_that_branches_off() {
    let folder = exported("files", &example("mutex.smv"));
    for ending in ENDINGS {
        assert!(!folder.read(&format!("out.both_wait.{ending}")).is_empty());
    }
    let diagram = folder.read("out.puml");
    assert!(diagram.contains("loop for ever"), "{diagram}");
    assert!(diagram.contains("participant \"left\""), "{diagram}");
}

#[test]
fn names_that_say_no_format_are_refused_and_no_evidence_is_noted() {
    let folder = Folder::new("exports-wrong");
    folder.write(
        "model.smv",
        b"MODULE main\nVAR x : boolean;\nSPEC AG (x | !x)\n",
    );
    let ran = folder.run(&["check", "model.smv", "--export", "out.json"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(
        ran.err.contains("ends with none of .itf.json"),
        "{}",
        ran.err
    );
    let ran = folder.run(&["check", "model.smv", "-q", "--export", "out.vcd"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.contains("there is no evidence"), "{}", ran.err);
}

#[test]
fn saved_evidence_is_shown_again_while_the_model_still_has_it() {
    let folder = Folder::new("exports-show");
    folder.write("mutex.smv", &example("mutex.smv"));
    let checked = folder.run(&["check", "mutex.smv", "--json", "saved.json", "--all"]);
    let ran = folder.run(&["show", "saved.json", "--export", "again.csv"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    for line in checked.out.lines().filter(|line| line.starts_with("  ┌")) {
        assert!(ran.out.contains(line), "{line}\n{}", ran.out);
    }
    assert!(folder.read("again.csv").starts_with("step,"));
    let ran = folder.run(&["show", "saved.json", "-p", "both_wait"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let ran = folder.run(&["show", "saved.json", "-p", "nothing"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let changed = String::from_utf8(example("mutex.smv")).expect("it is text");
    folder.write(
        "mutex.smv",
        changed.replace("waiting", "queueing").as_bytes(),
    );
    let ran = folder.run(&["show", "saved.json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(!ran.out.contains("FAILS"), "{}", ran.out);
    let ran = folder.run(&["check", "mutex.smv", "-q", "--export", "trace.itf.json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let ran = folder.run(&["show", "trace.itf.json"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("wherefore replay FILE"), "{}", ran.err);
}
