//! `wherefore check` on Alloy models.

use std::fs;

use crate::support::{Folder, Ran};

const BOOK: &str = "\
sig Name, Addr {}
sig Book { addr: Name -> lone Addr }

pred show [b: Book] { #b.addr > 1 }
run show for 3 but 1 Book

pred add [b, after: Book, n: Name, a: Addr] { after.addr = b.addr + n -> a }
pred del [b, after: Book, n: Name] { after.addr = b.addr - n -> Addr }

assert undoes {
  all b, c, d: Book, n: Name, a: Addr | add[b, c, n, a] and del[c, d, n] implies b.addr = d.addr
}
check undoes for 3

assert lonely { all b: Book, n: Name | lone b.addr[n] }
check lonely for 3 expect 0
";

const TOGGLE: &str = "\
abstract sig Colour {}
one sig Red, Green extends Colour {}
one sig Light { var colour: one Colour }
var sig Waiting in Car {}
sig Car {}
fact { always (Light.colour' != Light.colour) }
fact { no Waiting and after some Waiting }
run { Light.colour = Red } for 2 but 4 steps
check { always Light.colour = Red } for 2 but 4 steps
";

const CLASH: &str = "\
sig Node { next: lone Node }
fact endless { all n: Node | some n.next }
fact ends { no n: Node | n in n.^next }
fact some_node { some Node }
check { all n: Node | lone n.next } for 4
run { some Node } for 3
run { all s: set Node | some s.next } for 2
";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.write("book.als", BOOK.as_bytes());
    folder.write("toggle.als", TOGGLE.as_bytes());
    folder.write("clash.als", CLASH.as_bytes());
    folder
}

fn ends(ran: &Ran, code: i32, says: &str) {
    assert_eq!(ran.code, Some(code), "{}{}", ran.out, ran.err);
    let said = ran.out.contains(says) || ran.err.contains(says);
    assert!(said, "{says}: {}{}", ran.out, ran.err);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
}

#[test]
fn instances_counterexamples_and_passes_are_told() {
    let ran = folder("alloy-book").run(&["check", "book.als"]);
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!("alloy_book", ran.out);
}

#[test]
fn traces_are_told_as_changes_with_their_loop() {
    let ran = folder("alloy-toggle").run(&["check", "toggle.als", "-e", "Light.colour"]);
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!("alloy_toggle", ran.out);
}

#[test]
fn facts_that_contradict_each_other_are_told_beside_every_answer() {
    let ran = folder("alloy-clash").run(&["check", "clash.als"]);
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!("alloy_clash", ran.out);
}

#[test]
fn a_page_and_a_narrow_screen_say_the_same() {
    let folder = folder("alloy-page");
    let page = folder.run(&["check", "book.als", "clash.als", "--format", "md"]);
    insta::assert_snapshot!("alloy_page", page.out);
    let narrow = folder.run(&["check", "book.als", "--width", "40", "--ascii", "--all"]);
    insta::assert_snapshot!("alloy_narrow", narrow.out);
}

#[test]
fn the_document_has_instances_cores_and_scopes() {
    let folder = folder("alloy-json");
    let ran = folder.run(&[
        "check", "book.als", "-p", "3", "-p", "show", "--format", "json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    insta::assert_snapshot!("alloy_json", ran.out);
}

#[test]
fn the_exit_code_says_whether_all_is_as_expected() {
    let folder = folder("alloy-codes");
    let check = |args: &[&str]| folder.run(&[&["check"], args].concat());
    ends(&check(&["book.als", "-p", "show"]), 0, "instance");
    ends(&check(&["book.als", "-p", "1"]), 0, "instance");
    ends(&check(&["book.als", "-p", "undoes"]), 1, "counterexample");
    let wrong = "sig A {} run { some A } expect 0 check { no A } expect 1";
    folder.write("expect.als", wrong.as_bytes());
    ends(&check(&["expect.als", "-p", "2"]), 0, "counterexample");
    ends(
        &check(&["expect.als", "-p", "1"]),
        1,
        "`expect 0` says that there is no instance",
    );
    ends(&check(&["clash.als", "-p", "1"]), 0, "every check passes");
    ends(
        &check(&["clash.als", "-p", "1", "--fail-on", "vacuous"]),
        5,
        "every check passes",
    );
    ends(
        &check(&["clash.als", "-p", "3"]),
        4,
        "no witness can be guessed",
    );
    ends(&check(&["book.als", "--timeout", "0"]), 4, "");
}

#[test]
fn scopes_instances_and_values_can_be_asked_for() {
    let folder = folder("alloy-options");
    let check = |args: &[&str]| folder.run(&[&["check"], args].concat());
    let small = ["book.als", "-p", "show", "--scope", "Addr=0"];
    ends(&check(&small), 1, "no instance in this scope");
    let exact = ["book.als", "-p", "show", "--scope", "Addr=exactly:5"];
    ends(&check(&exact), 0, "Addr$4");
    let many = ["book.als", "-p", "show", "--instances", "3"];
    ends(&check(&many), 0, "instance 3");
    let value = [
        "book.als",
        "-p",
        "show",
        "-e",
        "#Book",
        "--evaluate",
        "no Name",
    ];
    ends(&check(&value), 0, "#Book = 1");
    ends(&check(&value), 0, "no Name = false");
    ends(&check(&["book.als", "-e", "Nobody"]), 2, "Nobody");
    ends(&check(&["book.als", "-e", "Name +"]), 2, "error");
    ends(
        &check(&["book.als", "--scope", "Nook=3"]),
        2,
        "there is no signature `Nook`, which `--scope Nook=3` is for; is `Book` meant?",
    );
    let inexact = check(&["book.als", "--scope", "String=2"]);
    let told = "the scope of `String` must be exact: `--scope String=exactly:2`";
    ends(&inexact, 2, told);
    assert_eq!(inexact.err.matches("must be exact").count(), 1);
}

#[test]
fn options_of_others_are_refused() {
    let folder = folder("alloy-refused");
    let check = |args: &[&str]| folder.run(&[&["check"], args].concat());
    ends(
        &check(&["book.als", "--view", "states"]),
        2,
        "--view has no meaning for Alloy models",
    );
    ends(
        &check(&["lamp.smv", "--scope", "A=3"]),
        2,
        "--scope has no meaning for SMV models or systems",
    );
    ends(
        &folder.run(&["debug", "book.als", "x"]),
        2,
        "the language `alloy` cannot be debugged",
    );
}

#[test]
fn what_is_no_model_is_refused_with_the_reason() {
    let folder = folder("alloy-hostile");
    fs::create_dir(folder.0.join("folder.als")).expect("the folder can be made");
    folder.write("binary.als", b"sig A {}\0\xff\xfe");
    folder.write("wrong.als", b"sig A { f: B }\nrun {}\n");
    folder.write("opens.als", b"open nowhere/to_be_found\nrun {}\n");
    folder.write("loop.als", b"open loop\nsig A {}\nrun {}\n");
    folder.write(
        "deep.als",
        format!("run {{ {} }}", "(".repeat(50_000)).as_bytes(),
    );
    folder.write("scope.als", b"sig A {} sig B {} run {} for 3 A");
    let check = |args: &[&str]| folder.run(&[&["check"], args].concat());
    ends(&check(&["missing.als"]), 2, "cannot be read");
    ends(&check(&["folder.als"]), 2, "cannot be read");
    ends(&check(&["binary.als"]), 3, "zero byte");
    ends(&check(&["wrong.als"]), 3, "wrong.als:1:12");
    ends(&check(&["opens.als"]), 3, "is not found");
    ends(&check(&["deep.als"]), 3, "error");
    ends(&check(&["loop.als"]), 3, "error");
    ends(
        &check(&["scope.als"]),
        3,
        "You must specify a scope for sig `B`",
    );
    ends(
        &check(&["book.als", "-p", "shoe"]),
        2,
        "there is no command `shoe`",
    );
    ends(&check(&["book.als", "-p", "9"]), 2, "there is no command");
    for wrong in ["Addr", "Addr=x", "Addr=-1", "=2"] {
        ends(&check(&["book.als", "--scope", wrong]), 2, "--scope");
    }
    ends(&check(&["book.als", "--scope", "Int=99"]), 3, "bits");
    ends(
        &check(&["book.als", "--scope", "Name=2000000000"]),
        3,
        "atoms",
    );
}

const LAMP: &str = "\
open ctl[Lamp]
sig Lamp { lit: lone Light }
one sig Light {}
fact {
  all l: Lamp | l in initialState iff no l.lit
  all l, m: Lamp | l -> m in nextState iff (switch[l, m] or wait[l, m])
}
pred switch[l, m: Lamp] { l.lit != m.lit }
pred wait[l, m: Lamp] { l.lit = m.lit }
check goesOn { ctl_mc[af[{l: Lamp | some l.lit}]] } for 1 Lamp
run canGoOn { ctl_mc[ef[{l: Lamp | some l.lit}]] } for 1 Lamp
run anything { some Lamp } for 1 Lamp
";

#[test]
fn a_complete_system_has_every_state_whatever_the_scope_is() {
    let folder = folder("alloy-complete");
    folder.write("lamp.als", LAMP.as_bytes());
    // One lamp alone has no infinite path but that of waiting, and no way to go on.
    let scoped = folder.run(&["check", "lamp.als", "-p", "canGoOn"]);
    ends(&scoped, 1, "no instance in this scope");
    ends(&scoped, 1, "wherefore check lamp.als --reach complete");
    let complete = ["check", "lamp.als", "--reach", "complete", "-p"];
    let ran = folder.run(&[&complete[..], &["canGoOn"]].concat());
    ends(&ran, 0, "2 states");
    let ran = folder.run(&[&complete[..], &["goesOn"]].concat());
    ends(&ran, 1, "wait");
    let ran = folder.run(&[&complete[..], &["anything"]].concat());
    ends(&ran, 4, "asks for no formula");
    let ran = folder.run(&[&complete[..], &["goesOn", "--tree"]].concat());
    ends(&ran, 2, "--tree has no meaning");
    let ran = folder.run(&["explain", "lamp.als", "goesOn"]);
    ends(&ran, 0, "goesOn");
    let ran = folder.run(&["check", "book.als", "--reach", "complete"]);
    ends(&ran, 2, "describes no transition system");
}

/// Places one after the other, the last of which is a pit.
const WALK: &str = "\
open ctl[Walk]
enum Place { Home, Road, Wood, Pit }
sig Walk { at: one Place }
fact {
  all w, v: Walk | w.at = v.at implies w = v
  all w: Walk | w in initialState iff w.at = Home
  all w, v: Walk | w -> v in nextState iff w.at -> v.at in Home -> Road + Road -> Wood + Wood -> Pit + Pit -> Pit
}
check noPit { ctl_mc[ag[{w: Walk | w.at != Pit}]] } for exactly 3 Walk
check noWay { ctl_mc[ag[{w: Walk | w.at in Place}]] } for exactly 3 Walk
run flies { ctl_mc[ex[{w: Walk | w.at = Pit}]] } for exactly 3 Walk
check known { ctl_mc[ag[{w: Walk | w.at != Pit}]] } for exactly 4 Walk expect 1
";

#[test]
fn a_real_bug_beyond_the_scope_is_told_and_is_a_failure() {
    let folder = folder("alloy-reach");
    folder.write("walk.als", WALK.as_bytes());
    let check = |command: &str, more: &[&str]| {
        let start = ["check", "walk.als", "--width", "200", "-p", command];
        folder.run(&[&start[..], more].concat())
    };
    let whole = check("noPit", &[]);
    ends(&whole, 1, "no counterexample in this scope");
    ends(
        &whole,
        1,
        "A REAL BUG beyond this scope, it fails in the complete system (4 states).",
    );
    ends(&whole, 1, "A counterexample has at least 4 states.");
    let scoped = check("noPit", &["--reach", "scoped"]);
    ends(&scoped, 0, "Ambiguous for the complete system (safety)");
    let growing = check("noPit", &["--reach", "growing"]);
    ends(&growing, 0, "the steps are not written as operations");
    let json = check("noPit", &["--format", "json"]);
    ends(&json, 1, "\"system\": \"fails\"");
    ends(&json, 1, "\"kind\": \"complete\"");
    ends(&json, 1, "\"result\": \"unsat\"");
    let markdown = check("noPit", &["--format", "md"]);
    ends(&markdown, 1, "A REAL BUG beyond this scope");
    ends(&check("noWay", &[]), 0, "and so it passes in every scope.");
    ends(
        &check("flies", &[]),
        1,
        "it holds in no initial state of the complete system",
    );
    ends(
        &check("known", &[]),
        0,
        "A REAL BUG, it fails in the complete system (4 states) as well.",
    );
}

#[test]
fn the_run_of_a_scope_is_evidence_in_every_format() {
    let folder = folder("alloy-excerpt");
    folder.write("walk.als", WALK.as_bytes());
    let check = |more: &[&str]| {
        let start = ["check", "walk.als", "--reach", "scoped", "-p", "known"];
        folder.run(&[&start[..], more].concat())
    };
    let screen = check(&[]);
    ends(
        &screen,
        0,
        "the smallest run that shows it is a path of 4 states",
    );
    ends(&screen, 0, "at: Wood → Pit");
    ends(
        &screen,
        0,
        "wherefore explain walk.als --reach scoped known",
    );
    assert!(!screen.out.contains("Walk$0"), "{}", screen.out);
    ends(&check(&["--full"]), 0, "Walk$0");
    ends(&check(&["--tree"]), 0, "Walk$0");
    ends(&check(&["--format", "md"]), 0, "Wood → Pit");
    ends(&check(&["--strategy", "smallest"]), 0, "at: Wood → Pit");
    let json = check(&["--format", "json"]);
    for says in [
        "\"shape\": \"path\"",
        "\"form\": \"path\"",
        "\"determined\": true",
        "\"at\": \"Pit\"",
        "\"proof\": [",
    ] {
        ends(&json, 0, says);
    }
    for (name, says) in [
        ("run.csv", "Pit"),
        ("run.vcd", "$enddefinitions"),
        ("run.itf.json", "Pit"),
        ("run.svg", "Pit"),
        ("run.mmd", "Pit"),
        ("run.puml", "Pit"),
        ("run.graphml", "Pit"),
        ("run.xml", "Pit"),
        ("run.aut", "des ("),
        ("run.cypher", "Pit"),
    ] {
        ends(&check(&["--export", name]), 0, "path of 4 states");
        let text = folder.read(name);
        assert!(text.contains(says), "{name}: {text}");
    }
    ends(
        &check(&["--dot", "run.dot", "--html", "run.html"]),
        0,
        "path",
    );
    let dot = folder.read("run.dot");
    assert!(dot.contains("at=Pit") && !dot.contains("Walk$0"), "{dot}");
    let page = folder.read("run.html");
    assert!(page.contains("models/0/properties/0"));
    let explain = ["explain", "walk.als", "--reach", "scoped", "known"];
    let told = folder.run(&[&explain[..], &["--format", "text"]].concat());
    ends(&told, 0, "goes on to step 1");
    let none = folder.run(&["explain", "walk.als", "--reach", "scoped", "noWay"]);
    ends(&none, 0, "so there is no run to explain");
    let plain = folder.run(&["check", "book.als", "--strategy", "smallest"]);
    ends(&plain, 2, "The model describes no transition system");
}

#[test]
fn facts_that_cannot_hold_together_are_told_beside_a_missing_scope() {
    let folder = folder("alloy-missing");
    let model = "open ctl_path[S]
sig S { p: lone Bit }
one sig Bit {}
fact never { some S and no S }
fact {
  all s: S | s in initialState iff no s.p
  all s, t: S | s -> t in nextState iff s.p != t.p
}
check broken { ctl_mc[ag[{s: S | no s.p}]] } for exactly 2 S
";
    folder.write("missing.als", model.as_bytes());
    let ran = folder.run(&["check", "missing.als"]);
    ends(
        &ran,
        3,
        "You must specify a scope for sig `ctl_path/PathNode`",
    );
    ends(
        &ran,
        3,
        "With at most 3 of `ctl_path/PathNode` the facts cannot hold together",
    );
}

#[test]
fn a_fact_that_would_cut_a_step_makes_the_complete_system_inconsistent() {
    let folder = folder("alloy-cut");
    let cut = |fact: &str| {
        let fact = format!("fact {{ all w, v: Walk | w -> v in nextState implies {fact} }}\n");
        folder.write("cut.als", format!("{WALK}{fact}").as_bytes());
        folder.run(&["check", "cut.als", "--reach", "complete", "-p", "noWay"])
    };
    let refused = cut("v.at != Pit");
    ends(&refused, 3, "from (at = Wood) to (at = Pit)");
    ends(&refused, 3, "inconsistent or do not define one system");
    // A step that cannot be reached may break it.
    let start = "all w: Walk | w in initialState iff w.at = Pit";
    let text = WALK.replace("all w: Walk | w in initialState iff w.at = Home", start);
    let fact = "fact { all w, v: Walk | w -> v in nextState implies v.at = Pit }";
    folder.write("cut.als", format!("{text}{fact}").as_bytes());
    let ran = folder.run(&["check", "cut.als", "--reach", "complete", "-p", "noWay"]);
    ends(&ran, 0, "1 state");
    let ran = folder.run(&["check", "cut.als", "--advice", "-p", "noWay"]);
    ends(&ran, 0, "is written");
}

#[test]
fn a_search_without_end_ends_in_time() {
    let folder = folder("alloy-limits");
    let hard = "
        sig A { f: A -> A -> A }
        fact { all x, y: A | one x.f[y]  all x, y, z: A | x.f[y.f[z].A] = x.f[y].f[z] }
        check { no x: A | x.f.x.x in x } for 12";
    folder.write("hard.als", hard.as_bytes());
    let ran = folder.run(&["check", "hard.als", "--timeout", "1"]);
    assert!(
        matches!(ran.code, Some(0 | 1 | 3 | 4)),
        "{}{}",
        ran.out,
        ran.err
    );
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
}

#[test]
fn the_transition_systems_among_the_examples_have_the_verdicts_that_they_tell_of() {
    let fails = [
        ("musical_chairs", &["AliceAlwaysWins"][..]),
        ("data_transfer", &["NoneTwice", "ComesThrough"]),
        ("mutex", &["NeverBothAmongRudeOnes", "BGetsInAmongRudeOnes"]),
        ("traffic_light", &["NorthIsNext"]),
        ("elevator", &["Moves", "TopIsServedAlways"]),
        (
            "telephone",
            &["OneWayAtATime", "SomebodyDials", "Connected"],
        ),
    ];
    let folder = Folder::new("alloy-systems");
    for (name, fails) in fails {
        let file = format!("{name}.als");
        let path = format!("{}/../../examples/alloy/{file}", env!("CARGO_MANIFEST_DIR"));
        folder.write(&file, &std::fs::read(path).expect("the example is there"));
        let ran = folder.run(&["check", &file, "--reach", "complete"]);
        let lines = ran
            .out
            .lines()
            .filter_map(|line| line.strip_prefix("FAILS  "));
        let named: Vec<_> = lines
            .map(|line| line.split(' ').next().unwrap_or_default())
            .collect();
        assert_eq!(named, fails, "{}{}", ran.out, ran.err);
        assert!(!ran.out.contains("UNKNOWN"), "{}", ran.out);
    }
}
