//! Instances of Alloy models: the talk about them, and the documents they are written to.

use std::io::Write;
use std::process::Stdio;

use crate::support::{Folder, Ran};

const LIBRARY: &str = "\
module library

enum Mood { Quiet, Loud }
sig Reader { friends: set Reader, mood: one Mood }
sig Book { lent: lone Reader }
sig Rare in Book {}

fact { friends = ~friends and no iden & friends }

pred share[b: Book] { b in Rare and some b.lent.friends }
run share for 2 but exactly 2 Reader

assert NobodyAlone { all r: Reader | some r.friends }
check NobodyAlone for 1

assert Mutual { all r, s: Reader | r in s.friends implies s in r.friends }
check Mutual for 2
";

const LAMPS: &str = "\
module lamps

sig Lamp {}
var sig On in Lamp {}

fact {
  no On
  always (On = Lamp => On' = On else some l: Lamp - On | On' = On + l)
  eventually On = Lamp
}

run {} for exactly 2 Lamp, 4 steps
";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(&format!("instances-{test}"));
    folder.write("library.als", LIBRARY.as_bytes());
    folder.write("lamps.als", LAMPS.as_bytes());
    folder
}

/// Runs a talk.
fn run(folder: &Folder, args: &[&str], lines: &str) -> Ran {
    let args: Vec<&str> = ["explore"].iter().chain(args).copied().collect();
    let mut child = folder
        .command(&args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut input = child.stdin.take().expect("it is a pipe");
    // A talk that ends early reads no more lines.
    let _ = input.write_all(lines.as_bytes());
    drop(input);
    Ran::new(child.wait_with_output().expect("it ends"))
}

/// What a talk prints: each line after a sign, and then its answer.
fn talk(folder: &Folder, args: &[&str], lines: &str) -> String {
    let mut told = String::new();
    let mut before = 0;
    let mut said = String::new();
    for line in std::iter::once("").chain(lines.lines()) {
        if !line.is_empty() {
            said += &format!("{line}\n");
            told += &format!("> {line}\n");
        }
        let ran = run(folder, args, &said);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        told += &ran.out[before..];
        before = ran.out.len();
    }
    told
}

#[test]
fn a_talk_about_instances() {
    let lines = "friends\nsome r: Reader | no r.friends\n#Book\n$share_b.lent\nReader$0.mood\n\
                 next\nBook->Reader & lent\nback\nshow\ntree\ncommand\ncommand Mutual\nfriends\n\
                 c NobodyAlone\n";
    insta::assert_snapshot!(talk(&folder("talk"), &["library.als"], lines));
}

#[test]
fn a_talk_about_a_trace() {
    let lines = "On\nstate 1\nOn\nOn' - On\nalways some On\nstate\nstate 9\nnext\n";
    insta::assert_snapshot!(talk(&folder("trace"), &["lamps.als"], lines));
}

#[test]
fn mistakes_are_told_and_the_talk_goes_on() {
    let lines = "Reader.frends\nlent +\nlent + mood\nnext one\nstate x\nback\ncommand Mutal\n\
                 write\nwrite picture.png\nBook$7\n";
    insta::assert_snapshot!(talk(&folder("mistakes"), &["library.als"], lines));
}

#[test]
fn help_lists_the_commands() {
    insta::assert_snapshot!(run(&folder("help"), &["library.als", "Mutual"], "help\n").out);
}

#[test]
fn the_end_of_the_instances_is_said_and_what_was_seen_can_be_seen_again() {
    let folder = folder("end");
    let many = "n\n".repeat(200);
    let ran = run(&folder, &["library.als", "NobodyAlone"], &many);
    assert_eq!(ran.code, Some(0));
    let end = "counterexamples in this scope, the names of atoms aside.\n";
    assert!(ran.out.ends_with(end), "{}", ran.out);
    let once =
        "(Most instances that differ from others only in the names of atoms are left out.)\n";
    assert_eq!(ran.out.matches(once).count(), 1);
    let back = run(
        &folder,
        &["library.als", "NobodyAlone"],
        &format!("{many}b\nn\n"),
    );
    assert!(back.out.len() > ran.out.len());
}

#[test]
fn an_instance_is_written_from_the_talk() {
    let folder = folder("write");
    let lines =
        "write a.svg\nwrite a.dot\nwrite a.xml\nwrite a.json\nwrite a.txt\nw no/where.svg\n";
    let ran = run(&folder, &["library.als"], lines);
    assert_eq!(ran.out.matches(" is written\n").count(), 5, "{}", ran.out);
    assert!(
        ran.out.contains("no/where.svg cannot be written"),
        "{}",
        ran.out
    );
    assert!(folder.read("a.svg").starts_with("<svg "));
    assert!(folder.read("a.dot").starts_with("digraph "));
    assert!(folder.read("a.xml").starts_with("<alloy "));
    assert!(
        folder
            .read("a.json")
            .contains("\"schema\": \"wherefore-instance/1\"")
    );
    assert!(folder.read("a.txt").starts_with("Mood\n"));
}

#[test]
fn check_writes_each_instance_into_a_file_of_its_own() {
    let folder = folder("files");
    let args = [
        "check",
        "library.als",
        "--instances",
        "2",
        "--svg",
        "s.svg",
        "--xml",
        "x.xml",
        "--dot",
        "g.dot",
    ];
    let ran = folder.run(&args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    for name in [
        "s.svg",
        "s.share.svg",
        "s.NobodyAlone.svg",
        "s.NobodyAlone.2.svg",
    ] {
        assert!(folder.read(name).starts_with("<svg "), "{name}");
    }
    assert!(
        folder
            .read("x.NobodyAlone.xml")
            .contains("command=\"check NobodyAlone for 1\"")
    );
    assert_eq!(folder.read("g.dot").matches("digraph ").count(), 4);
    let none = folder.run(&["check", "library.als", "-p", "Mutual", "--xml", "none.xml"]);
    assert_eq!(none.code, Some(0));
    assert_eq!(
        none.err,
        "note: none.xml is not written: there is no instance\n"
    );
}

#[test]
fn check_shows_instances_as_trees() {
    let folder = folder("tree");
    let args = ["check", "library.als", "-p", "share", "--tree"];
    insta::assert_snapshot!(folder.run(&args).out);
}

#[test]
fn what_is_for_alloy_models_only_is_refused_elsewhere() {
    let folder = folder("refused");
    let smv = run(&folder, &["lamp.smv", "mended"], "");
    assert_eq!(smv.code, Some(2));
    assert!(
        smv.err.contains("has a meaning for Alloy models only"),
        "{}",
        smv.err
    );
    let smv = folder.run(&["check", "lamp.smv", "--svg", "x.svg"]);
    assert_eq!(smv.code, Some(2), "{}", smv.err);
    let wrong = run(&folder, &["library.als", "shore"], "");
    assert_eq!(wrong.code, Some(2));
    assert_eq!(
        wrong.err,
        "error: the model has no command `shore`; did you mean `share`?\n"
    );
}

/// The tables of an instance: what is said between the verdict and the total.
fn tables(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim_end);
    lines.filter(|line| line.starts_with("    ")).collect()
}

#[test]
fn saved_instances_are_shown_again_from_a_check_and_from_a_talk() {
    let folder = folder("shown");
    for (model, command) in [("library.als", "share"), ("lamps.als", "1")] {
        let checked = folder.run(&["check", model, "-p", command, "--json", "saved.json"]);
        let shown = folder.run(&["show", "saved.json"]);
        assert_eq!(shown.code, Some(0), "{}{}", shown.out, shown.err);
        assert!(!tables(&shown.out).is_empty(), "{}", shown.out);
        assert_eq!(tables(&shown.out), tables(&checked.out));
        talk(&folder, &[model, command], "write one.json\n");
        let alone = folder.run(&["show", "one.json"]);
        assert_eq!(tables(&alone.out), tables(&checked.out), "{}", alone.err);
    }
    let ran = folder.run(&["show", "saved.json", "-p", "nothing"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(
        ran.err
            .contains("the document has no instance of `nothing`")
    );
    let ran = folder.run(&["show", "saved.json", "--format", "md"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

/// Everything that Alloy's documents can have: modules with parameters, orders, enumerations, sequences, numbers,
/// strings, private names, subsets of several signatures, and fields of several columns.
const SHELF: &str = "\
module shelf
open util/ordering[Day] as days
open util/sequniv
private sig Day {}
abstract sig Thing { price: Int, note: lone String }
sig Book, Map extends Thing {}
one sig Shelf { row: seq Thing, kept: Day -> lone Thing, private last: lone Day }
sig Wanted in Book + Map {}
lone sig Keeper { private keys: Day -> Day -> Int }
fun dear: set Thing { { t: Thing | t.price > 2 } }
pred full[t: Thing, d: Day] {
  #Shelf.row = 2 and t in Shelf.row.elems and d->t in Shelf.kept
  t.note = \"old & \\\"rare\\\"\" and t.price = 3 and t in Wanted and some Keeper.keys
}
run full for 3
";

#[test]
fn instances_of_the_visualizer_are_read_back_and_can_be_asked() {
    let folder = folder("xml");
    folder.write("shelf.als", SHELF.as_bytes());
    let questions: [(&str, &str, &[&str]); 3] = [
        (
            "library.als",
            "share",
            &[
                "friends",
                "$share_b.lent",
                "Reader$0.mood",
                "#Book",
                "univ",
                "Rare in Book",
            ],
        ),
        (
            "shelf.als",
            "full",
            &[
                "Shelf.row",
                "Shelf.kept",
                "dear",
                "days/first",
                "days/next",
                "$full_t.note",
                "sum t: Thing | t.price",
                "note.\"old & \\\"rare\\\"\"",
                "Keeper.keys",
                "Wanted",
                "plus[7, 1]",
                "iden & (Thing -> Thing)",
                "String",
                "seq/Int",
                "all t: Thing | lone t.note",
                "Shelf.last",
                "~price",
                "Thing <: univ",
            ],
        ),
        (
            "lamps.als",
            "1",
            &[
                "On",
                "On'",
                "always some On",
                "eventually On = Lamp",
                "once no On",
                "Lamp - On",
            ],
        ),
    ];
    for (model, command, texts) in questions {
        let mut asked = vec![
            "check", model, "-p", command, "--xml", "it.xml", "--json", "it.json",
        ];
        let mut again = Vec::new();
        for &text in texts {
            asked.extend(["-e", text]);
            again.extend(["-e", text]);
        }
        let checked = folder.run(&asked);
        assert_eq!(checked.code, Some(0), "{}{}", checked.out, checked.err);
        talk(&folder, &[model, command], "write alone.json\n");
        for saved in ["it.xml", "it.json", "alone.json"] {
            let args: Vec<&str> = ["show", saved].iter().chain(&again).copied().collect();
            let shown = folder.run(&args);
            assert_eq!(
                (shown.code, shown.err.as_str()),
                (Some(0), ""),
                "{}",
                shown.out
            );
            assert_eq!(values(&checked.out, texts).len(), texts.len());
            assert_eq!(
                values(&shown.out, texts),
                values(&checked.out, texts),
                "{saved}"
            );
        }
    }
}

/// The values of expressions, each with its states.
fn values(out: &str, texts: &[&str]) -> Vec<Vec<Vec<char>>> {
    let lines: Vec<&str> = out.lines().collect();
    let begins = |line: &str, text: &str| {
        let line = line.trim();
        line == text || line.starts_with(&format!("{text} = "))
    };
    let value = |text: &&str| {
        let at = lines.iter().position(|line| begins(line, text))?;
        let states = lines[at + 1..].iter().map(|line| line.trim());
        let states = states.take_while(|line| line.starts_with("state "));
        let all = std::iter::once(lines[at].trim()).chain(states);
        Some(all.map(sorted).collect())
    };
    texts.iter().filter_map(value).collect()
}

/// The letters of a line in order: sets may be written in another order.
fn sorted(line: &str) -> Vec<char> {
    let mut letters: Vec<char> = line.chars().collect();
    letters.sort_unstable();
    letters
}

#[test]
fn an_instance_of_the_visualizer_needs_no_file_beside_it() {
    let home = folder("xml-home");
    let ran = home.run(&["check", "library.als", "-p", "share", "--xml", "it.xml"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let folder = Folder::new("instances-xml-elsewhere");
    folder.write("it.xml", home.read("it.xml").as_bytes());
    std::fs::remove_file(home.0.join("library.als")).expect("it was there");
    let shown = folder.run(&["show", "it.xml", "-e", "#Reader", "-p", "share"]);
    assert_eq!(shown.code, Some(0), "{}{}", shown.out, shown.err);
    let note = "library.als is not there; the model is read from the document\n";
    assert!(shown.err.ends_with(note), "{}", shown.err);
    assert!(shown.out.contains("#Reader = 2"), "{}", shown.out);
    let ran = folder.run(&["show", "it.xml", "-e", "Reader.frends"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("Is `friends` meant?"), "{}", ran.err);
    let cut = folder.read("it.xml").replace("</sig>", "");
    folder.write("cut.xml", cut.as_bytes());
    let ran = folder.run(&["show", "cut.xml"]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("cut.xml: Line "), "{}", ran.err);
    let less = folder.read("it.xml").replace("this/Rare", "this/Fair");
    folder.write("less.xml", less.as_bytes());
    let ran = folder.run(&["show", "less.xml"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(
        ran.err.contains("The document has no signature `Rare`."),
        "{}",
        ran.err
    );
}

#[test]
fn a_saved_instance_that_does_not_fit_the_model_any_more_is_told_of() {
    let folder = folder("shown-late");
    folder.run(&[
        "check",
        "library.als",
        "-p",
        "share",
        "--json",
        "saved.json",
    ]);
    folder.write("library.als", LIBRARY.replace("lent", "given").as_bytes());
    let ran = folder.run(&["show", "saved.json"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let says = "note: the instance of `share` does not fit library.als any more. The document has no field `Book.given`.";
    assert!(ran.err.contains(says), "{}", ran.err);
    folder.write("library.als", LIBRARY.replace("share", "split").as_bytes());
    let ran = folder.run(&["show", "saved.json"]);
    assert!(ran.err.contains("There is no such command."), "{}", ran.err);
    let half = folder
        .read("saved.json")
        .replace("\"states\"", "\"stages\"");
    folder.write("half.json", half.as_bytes());
    let ran = folder.run(&["show", "half.json"]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    assert!(
        ran.err
            .contains("half.json: This is not the document of a check")
    );
}

#[test]
fn expressions_know_the_atoms_and_the_witnesses_of_an_instance() {
    let folder = folder("named");
    let asked = [
        "check",
        "library.als",
        "-p",
        "share",
        "-e",
        "$share_b.lent",
        "-e",
        "Reader$1.mood",
    ];
    let ran = folder.run(&asked);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("$share_b.lent = {Reader$"), "{}", ran.out);
    assert!(ran.out.contains("Reader$1.mood = {"), "{}", ran.out);
    let ran = folder.run(&["check", "library.als", "-p", "share", "-e", "$shared"]);
    assert!(
        ran.out
            .contains("$shared = The name `$shared` is not known here"),
        "{}",
        ran.out
    );
}

#[test]
fn a_signature_that_changes_is_not_told_among_what_stays() {
    let folder = Folder::new("instances-changing");
    let model =
        "var sig A { f: set B, var g: set B } sig B {}\nrun { no A and eventually some A } for 1\n";
    folder.write("guests.als", model.as_bytes());
    let ran = folder.run(&["check", "guests.als"]);
    let (still, states) = ran.out.split_once("state 0").expect("there are states");
    assert!(
        still.contains("  B  ") && !still.contains("  A  "),
        "{}",
        ran.out
    );
    assert!(states.contains("A: + A$0"), "{}", ran.out);
}
