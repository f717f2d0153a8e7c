//! How evidence is told, on real models: the figures of the Button, parts of properties, directions.

use crate::support::{Folder, Ran};

const BUTTON: &str = include_str!("../../../examples/button.smv");

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.write("button.smv", BUTTON.as_bytes());
    folder
}

fn run(folder: &Folder, formula: &str, more: &[&str]) -> Ran {
    let args = [&["check", "button.smv", "-e", formula][..], more].concat();
    folder.run(&args)
}

/// What is said below the line with this step.
fn step(text: &str, number: usize) -> Option<String> {
    let head = format!("    step {number}");
    let mut lines = text.lines().skip_while(|line| *line != head);
    lines.next()?;
    let rest = lines.take_while(|line| line.starts_with("      "));
    Some(rest.collect::<Vec<_>>().join("\n"))
}

#[test]
fn the_proof_like_witness_of_the_button_says_how_far_and_why() {
    let folder = folder("proof-like");
    for engine in ["explicit", "bdd"] {
        let more = ["--view", "proof", "--engine", engine];
        let text = run(&folder, "EF (f | r)", &more).out;
        let first = step(&text, 0).expect("step 0 is shown");
        assert!(
            first.contains("in exactly 2 steps, `f | r` holds"),
            "{text}"
        );
        let last = step(&text, 2).expect("step 2 is shown");
        assert!(last.contains("`f | r` holds, because `r` holds"), "{text}");
    }
}

#[test]
fn a_stop_condition_takes_its_proof_away_and_a_start_condition_all_the_rest() {
    let folder = folder("start-stop");
    let stop = run(
        &folder,
        "EF (f | r)",
        &["--view", "proof", "--stop", "((f|r))"],
    );
    let last = step(&stop.out, 2).expect("step 2 is shown");
    assert!(!last.contains('`'), "{}", stop.out);
    assert!(stop.out.contains("why `f | r` holds is not shown: --stop"));
    let start = run(
        &folder,
        "EF (f | r)",
        &["--view", "proof", "--start", "f  | r"],
    );
    assert_eq!(step(&start.out, 0), None);
    assert!(step(&start.out, 2).is_some());
    assert!(start.out.contains("2 steps before are not shown: --start"));
}

#[test]
fn start_and_stop_single_out_an_operator() {
    let folder = folder("single-out");
    let formula = "EG EF (r & EX r)";
    let parts = ["--start", "EF (r & EX r)", "--stop", "r & EX r"];
    for view in ["trace", "states", "proof"] {
        for more in [&[][..], &["--backward"], &["--why", "english"]] {
            let args = [&parts[..], &["--view", view], more].concat();
            let ran = run(&folder, formula, &args);
            assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
            assert!(ran.out.contains("is not shown: --stop"), "{}", ran.out);
        }
    }
}

#[test]
fn a_formula_that_is_no_part_is_refused_with_the_parts_there_are() {
    let folder = folder("no-part");
    let ran = run(&folder, "EF (f | r)", &["--start", "p"]);
    assert_eq!(ran.code, Some(2));
    let told = "error: --start: `p` is not part of a property that is checked; its parts are\n";
    let parts = "  EF (f | r)\n  f | r\n  r\n  f\n";
    assert_eq!(ran.err, format!("{told}{parts}"));
    assert_eq!(ran.out, "");
    let wrong = run(&folder, "EF (f | r)", &["--stop", "f |"]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.err);
    let unknown = run(&folder, "EF (f | r)", &["--view", "film"]);
    assert_eq!(unknown.code, Some(2), "{}", unknown.err);
}

#[test]
fn a_property_without_the_part_is_told_in_full() {
    let folder = folder("other-property");
    let ran = folder.run(&["check", "button.smv", "--start", "AF f"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert_eq!(
        ran.out.matches("not shown: --start").count(),
        1,
        "{}",
        ran.out
    );
}

#[test]
fn a_property_of_a_module_is_cut_by_names_of_the_whole_model() {
    let folder = folder("modules");
    let model = "MODULE cell\nVAR on : boolean;\nASSIGN init(on) := FALSE;\nCTLSPEC AG !on\n\
                 MODULE main\nVAR a : cell;\n";
    folder.write("cell.smv", model.as_bytes());
    let ran = folder.run(&["check", "cell.smv", "--start", "!a.on"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.out.contains("not shown: --start"), "{}", ran.out);
}

#[test]
fn the_proof_of_abstract_evidence_is_told_and_drawn() {
    let folder = Folder::new("set-proof");
    let check = [
        "check",
        "lamp.smv",
        "-p",
        "shines",
        "--evidence",
        "abstract",
    ];
    let written = ["--dot", "a.dot", "--export", "a.svg", "--json", "a.json"];
    let ran = folder.run(&[&check[..], &written].concat());
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    for line in [
        "proof over sets of states:  [re-checked: ok]",
        "#0 `EF lamp = on` holds in all 2 states of step 0: each has a step to a state of #1",
        "#2 `lamp = on` holds in all 2 states of step 1: the values of the states decide",
    ] {
        assert!(ran.out.contains(line), "{line}\n{}", ran.out);
    }
    let read = |name: &str| std::fs::read_to_string(folder.0.join(name)).expect("it was written");
    let dot = read("a.dot");
    assert!(dot.contains("digraph set_proof"), "{dot}");
    assert!(dot.contains("c0 -> c1 [label=\"step\"]"), "{dot}");
    assert!(read("a.branch2.svg").contains("#0 `EF lamp = on` holds"));
    assert!(read("a.json").contains("\"proof_replayed\": true"));
    let md = folder.run(&[&check[..], &["--format", "md"]].concat());
    assert!(md.out.contains("Proof over sets of states"), "{}", md.out);
}

#[test]
fn graphs_show_the_claims_that_states_serve_in_the_view_of_proofs() {
    let folder = Folder::new("annotated");
    let check = [
        "check", "lamp.smv", "-p", "mended", "--dot", "a.dot", "--export", "a.svg",
    ];
    let read = |name: &str| std::fs::read_to_string(folder.0.join(name)).expect("it was written");
    folder.run(&check);
    let divided = "\\l--\\l";
    assert!(!read("a.dot").contains(divided), "{}", read("a.dot"));
    folder.run(&[&check[..], &["--view", "proof"]].concat());
    let claim = "`lamp = broken -> EF lamp = off` is false";
    assert!(read("a.dot").contains(divided), "{}", read("a.dot"));
    assert!(read("a.dot").contains(claim), "{}", read("a.dot"));
    assert!(read("a.svg").contains("is false"), "{}", read("a.svg"));
    folder.run(&[&check[..], &["--view", "proof", "--why", "rules"]].concat());
    assert!(read("a.dot").contains("[branch]"), "{}", read("a.dot"));
}
