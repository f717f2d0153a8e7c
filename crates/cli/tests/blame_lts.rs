//! `blame` for labelled transition systems: which transitions of which files are to blame, and changes that mend a failure.

use std::fs;
use std::path::Path;

use serde_json::Value;
use wherefore_driver::base::Budget;
use wherefore_driver::blame::BlameEffort;
use wherefore_driver::evidence::{Mend, Verdict};
use wherefore_driver::subject::Ask;
use wherefore_driver::subjects::lts::LtsReading;
use wherefore_driver::{LtsSubject, QuestionId, Results, Subject};

use crate::support::Folder;

const FILES: [&str; 5] = [
    "train.aut",
    "gate.aut",
    "control.aut",
    "crossing.net",
    "crossing.mcl",
];

/// A folder with the crossing of the examples, whose control has a slip in line 6.
fn crossing(test: &str) -> Folder {
    let folder = Folder::new(test);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/net");
    for name in FILES {
        let text = fs::read(examples.join(name)).expect("the example is there");
        folder.write(name, &text);
    }
    folder
}

fn document(text: &str) -> Value {
    serde_json::from_str(text).expect("a document")
}

#[test]
fn a_composition_is_checked_and_its_states_are_those_of_its_parts() {
    let folder = crossing("blame-net-check");
    let ran = folder.run(&["check", "crossing.net", "crossing.mcl", "-p", "later"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("APPROACH  1.0.1"), "{}", ran.out);
    assert!(ran.out.contains("To blame:"), "{}", ran.out);
    let ran = folder.run(&["check", "crossing.net", "crossing.mcl", "-p", "first"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

#[test]
fn the_slip_is_found_and_a_copy_of_its_file_mends_all() {
    let folder = crossing("blame-net-mend");
    let blame = ["blame", "crossing.net", "crossing.mcl", "later"];
    let ran = folder.run(&blame);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let best = "1. control.aut, line 6: `(4, RAISE, 4)` → `(4, RAISE, 0)` [3 of 3 hold]";
    assert!(ran.out.contains(best), "{}", ran.out);
    let taken = "to step 1: train.aut, line 2: `(0, APPROACH, 1)`; control.aut, line 2:";
    assert!(ran.out.contains(taken), "{}", ran.out);
    let ran = folder.run(&[&blame[..], &["--write-mend", "mended.aut"]].concat());
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let said = "mended.aut has control.aut with change 1";
    assert!(ran.err.contains(said), "{}", ran.err);
    fs::rename(folder.0.join("mended.aut"), folder.0.join("control.aut")).expect("it is there");
    let ran = folder.run(&["check", "crossing.net", "crossing.mcl"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

#[test]
fn documents_have_the_file_the_steps_and_the_change() {
    let folder = crossing("blame-net-json");
    let ran = folder.run(&[
        "blame",
        "crossing.net",
        "crossing.mcl",
        "later",
        "--format",
        "json",
    ]);
    let document = document(&ran.out);
    let property = &document["models"][0]["properties"][0];
    let best = &property["blame"][0];
    assert_eq!(best["file"], "control.aut", "{best}");
    assert_eq!((&best["line"], &best["role"]), (&6.into(), &"mend".into()));
    assert_eq!(best["steps"], serde_json::json!([5]), "{best}");
    assert_eq!(best["mend"]["after"], "(4, RAISE, 0)", "{best}");
    let search = &property["blame_search"];
    assert!(search["excluded"].as_u64() > Some(0), "{search}");
    assert_eq!(search["untried"], 0, "{search}");
}

#[test]
fn a_plain_file_has_transitions_to_blame_too() {
    let folder = Folder::new("blame-aut");
    let text = "des (0, 4, 3)\n(0, OPEN, 1)\n(1, SHUT, 0)\n(1, i, 2)\n(2, BANG, 0)\n";
    folder.write("door.aut", text.as_bytes());
    let formula = "[ true* . \"BANG\" ] false";
    let ran = folder.run(&["blame", "door.aut", "-e", formula]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    // Without the internal step nothing but the noise is lost.
    let first = "1. line 5: `(2, BANG, 0)` → `(2, i, 0)` [1 of 1 hold";
    assert!(
        ran.out.contains(first) || ran.out.contains("line 4: `(1, i, 2)` left out"),
        "{}",
        ran.out
    );
    let left_out = ["--mend", "1", "--write-mend", "mended.aut"];
    let ran = folder.run(&[&["blame", "door.aut", "-e", formula][..], &left_out].concat());
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let ran = folder.run(&["check", "mended.aut", "-e", formula]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let ran = folder.run(&[
        "blame",
        "door.aut",
        "-e",
        formula,
        "--write-mend",
        "door.aut",
    ]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    let same = fs::read_to_string(folder.0.join("door.aut")).expect("it is there");
    assert_eq!(same, text);
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let folder = crossing("blame-net-wrong");
    folder.write(
        "lost.net",
        b"par APPROACH in\n  \"train.aut\" || \"nothing.aut\"\nend par\n",
    );
    let ran = folder.run(&["check", "lost.net"]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("lost.net:2:"), "{}", ran.err);
    folder.write("broken.net", b"par in \"train.aut\"\n");
    let ran = folder.run(&["blame", "broken.net"]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    let ran = folder.run(&["blame", "crossing.net", "crossing.mcl", "last"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    assert!(
        ran.err.contains("there are first, later, alive"),
        "{}",
        ran.err
    );
    let ran = folder.run(&["blame", "lamp.smv", "crossing.mcl"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    let ran = folder.run(&["blame", "crossing.net", "crossing.mcl", "first", "later"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    // A text that comes from elsewhere names no files.
    let ran = folder.run(&["blame", "crossing.net", "crossing.mcl", "later", "--pairs"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
}

/// Numbers that look random, the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % most
    }
}

const NETS: [&str; 5] = [
    "par A in \"one.aut\" || \"two.aut\" end par",
    "par A #2 in \"one.aut\" || \"two.aut\" || \"one.aut\" end par",
    "par \"A\" * \"B\" -> \"C\" in \"one.aut\" || \"two.aut\" end par rename C -> B",
    "par in \"one.aut\" cut B || \"two.aut\" hide C end par buffer fifo 1 A -> B",
    "par A, B in par C in \"one.aut\" || \"two.aut\" end par || \"two.aut\" reduce strong end par",
];

const PROPERTIES: &str = "property no_c is [ true* . \"C\" ] false end property\n\
    property no_ab is [ true* . \"A\" . \"B\" ] false end property\n\
    property can_b is [ true* ] < true* . \"B\" > true end property\n\
    property b_comes is mu X . (< true > true and [ not \"B\" ] X) end property\n";

fn random_aut(numbers: &mut Numbers) -> String {
    let states = 1 + numbers.below(3);
    let lines = 1 + numbers.below(5);
    let mut text = format!("des (0, {lines}, {states})\n");
    for _ in 0..lines {
        let label = ["A", "B", "\"C\"", "i"][numbers.below(4)];
        let (from, to) = (numbers.below(states), numbers.below(states));
        text.push_str(&format!("({from}, {label}, {to})\n"));
    }
    text
}

fn opened(folder: &Folder) -> LtsSubject {
    let properties = [folder.0.join("p.mcl")];
    let path = folder.0.join("whole.net");
    let opened = LtsSubject::compose(
        &path,
        &properties,
        &LtsReading::default(),
        &Budget::unlimited(),
    );
    opened.expect("the network is right")
}

fn verdicts(subject: &LtsSubject) -> Vec<bool> {
    let all = 0..subject.properties().len();
    let check = |at| subject.check(at, &Budget::unlimited()).verdict == Verdict::Holds;
    all.map(check).collect()
}

/// The network with another text of a file.
fn with_text(folder: &Folder, name: &str, text: &str) -> Vec<bool> {
    let path = folder.0.join(name);
    let before = fs::read_to_string(&path).expect("it is there");
    folder.write(name, text.as_bytes());
    let found = verdicts(&opened(folder));
    folder.write(name, before.as_bytes());
    found
}

fn file_of(subject: &LtsSubject, mend: &Mend) -> String {
    let path = subject.sources().file(mend.change.span.file).name();
    let name = Path::new(path).file_name().expect("a file has a name");
    name.to_string_lossy().into_owned()
}

#[test]
fn every_mend_of_random_networks_is_one_and_what_is_excluded_is_none() {
    let mut numbers = Numbers(7);
    let folder = Folder::new("blame-net-random");
    folder.write("p.mcl", PROPERTIES.as_bytes());
    let (mut mends, mut excluded) = (0, 0);
    for round in 0..80 {
        let texts = [random_aut(&mut numbers), random_aut(&mut numbers)];
        folder.write("one.aut", texts[0].as_bytes());
        folder.write("two.aut", texts[1].as_bytes());
        let net = NETS[round % NETS.len()];
        folder.write("whole.net", net.as_bytes());
        let subject = opened(&folder);
        let asked: Vec<QuestionId> = subject.questions().ids().collect();
        let ask = Ask {
            blame: Some(BlameEffort::ASKED),
            ..Ask::default()
        };
        let mut results = Results::default();
        let answered = subject.answer_all(&asked, &ask, &Budget::unlimited(), &mut results);
        answered.expect("the network is right");
        for finding in &results.findings {
            let Some(blame) = &finding.blame else {
                assert_eq!(finding.verdict, Verdict::Holds, "{net}\n{texts:#?}");
                continue;
            };
            let told = || format!("{net}\n{texts:#?}\n{finding:#?}");
            assert_eq!(blame.untried, 0, "{}", told());
            for (_, mend) in blame.mends().take(6) {
                let name = file_of(&subject, mend);
                let found = with_text(&folder, &name, &subject.changed_text(mend));
                assert!(found[finding.property], "{mend:#?}\n{}", told());
                let holds = found.iter().filter(|holds| **holds).count();
                assert_eq!(mend.holds, holds, "{mend:#?}\n{}", told());
                mends += 1;
            }
            if blame.excluded == 0 {
                continue;
            }
            // Without a line that no step takes, the property fails as before.
            for (at, text) in texts.iter().enumerate() {
                let name = ["one.aut", "two.aut"][at];
                let lines: Vec<&str> = text.lines().collect();
                for line in 1..lines.len() {
                    let taken = blame.suspects.iter().any(|suspect| {
                        let file = subject.sources().file(suspect.span.file).name();
                        let place = subject.sources().place(suspect.span);
                        file.ends_with(name) && place.line == line + 1
                    });
                    let twin =
                        (1..lines.len()).any(|other| other != line && lines[other] == lines[line]);
                    if taken || twin || net.contains("reduce") {
                        continue;
                    }
                    let mut fewer = lines.clone();
                    fewer.remove(line);
                    let head = lines[0].replacen(
                        &format!(", {},", lines.len() - 1),
                        &format!(", {},", lines.len() - 2),
                        1,
                    );
                    fewer[0] = &head;
                    let found = with_text(&folder, name, &format!("{}\n", fewer.join("\n")));
                    assert!(!found[finding.property], "{name} {line}\n{}", told());
                    excluded += 1;
                }
            }
        }
    }
    assert!(
        mends > 50 && excluded > 100,
        "{mends} mends, {excluded} excluded"
    );
}
