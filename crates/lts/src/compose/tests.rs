//! Compositions against their definitions, on systems drawn at random, and small nets as texts.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use wherefore_base::{Budget, FileId, SourceFile, SourceMap, Stop};
use wherefore_model::lts::Lts;

use super::*;
use crate::LtsHalt;
use crate::small::{Random, bisimilar, from_list, listed, lts, shown};

type ListedSystem = Vec<(usize, String, usize)>;

fn internal() -> Vec<String> {
    vec!["i".to_string(), "tau".to_string()]
}

fn net(text: &str) -> Net {
    Net::parse(FileId::new(0), text).unwrap_or_else(|wrong| panic!("{text}: {}", wrong.message))
}

/// Builds a net whose files are named `0`, `1`, ...
fn built(text: &str, files: &[Lts]) -> Built {
    let load = |name: &str| {
        let at = name.parse::<usize>().map_err(|e| e.to_string())?;
        files
            .get(at)
            .cloned()
            .ok_or_else(|| format!("no file {at}"))
    };
    let built = net(text).build(load, &internal(), &Budget::unlimited());
    built.unwrap_or_else(|failure| panic!("{text}: {failure}"))
}

/// Reachable steps of tuples by definition: `joint` says what branches can do together, given a choice of
/// one transition or none for each branch.
fn product(parts: &[Lts], joint: impl Fn(&[Option<&str>]) -> Option<String>) -> Lts {
    let parts: Vec<(usize, ListedSystem)> = parts
        .iter()
        .map(|part| (part.initial().index(), listed(part)))
        .collect();
    let initial: Vec<usize> = parts.iter().map(|(initial, _)| *initial).collect();
    let mut number = BTreeMap::from([(initial.clone(), 0)]);
    let mut queue = VecDeque::from([initial]);
    let mut steps = Vec::new();
    while let Some(tuple) = queue.pop_front() {
        // Every choice, as labels and the tuple it leads to.
        let mut choices: Vec<(Vec<Option<&str>>, Vec<usize>)> = vec![(vec![], vec![])];
        for (&state, (_, all)) in tuple.iter().zip(&parts) {
            let mut longer = Vec::new();
            for (labels, to) in choices {
                let mut add = |label, target| {
                    let (mut labels, mut to) = (labels.clone(), to.clone());
                    labels.push(label);
                    to.push(target);
                    longer.push((labels, to));
                };
                add(None, state);
                for (_, label, target) in all.iter().filter(|step| step.0 == state) {
                    add(Some(label.as_str()), *target);
                }
            }
            choices = longer;
        }
        for (labels, to) in choices {
            if let Some(result) = joint(&labels) {
                let fresh = number.len();
                let target = *number.entry(to.clone()).or_insert(fresh);
                if target == fresh {
                    queue.push_back(to);
                }
                steps.push((number[&tuple], result, target));
            }
        }
    }
    from_list(&steps)
}

/// The label that all who take part have.
fn common(labels: &[Option<&str>]) -> Option<String> {
    let mut some = labels.iter().flatten();
    let first = some.next()?;
    some.all(|label| label == first).then(|| first.to_string())
}

fn count(labels: &[Option<&str>]) -> usize {
    labels.iter().flatten().count()
}

fn random(seed: u64, parts: usize) -> Vec<Lts> {
    let mut random = Random::new(seed);
    let labels = ["A !1", "A !2", "B", "C", "i"];
    (0..parts).map(|_| random.lts(4, &labels)).collect()
}

/// The same steps between the same states, but for their numbers.
fn assert_same(seed: u64, ours: &Lts, theirs: &Lts) {
    assert_eq!(ours.states(), theirs.states(), "seed {seed}");
    assert_eq!(ours.transitions(), theirs.transitions(), "seed {seed}");
    assert!(
        bisimilar(ours, theirs),
        "seed {seed}: {} and {}",
        shown(ours),
        shown(theirs)
    );
}

#[test]
fn gates_synchronise_all_branches_and_other_labels_interleave() {
    for seed in 0..150 {
        let parts = random(seed, 3);
        let ours = built(r#"par A, B in "0" || "1" || "2" end par"#, &parts).lts;
        let theirs = product(&parts, |labels| {
            let label = common(labels)?;
            let all = match gate(&label) {
                "A" | "B" => 3,
                _ => 1,
            };
            (count(labels) == all).then_some(label)
        });
        assert_same(seed, &ours, &theirs);
    }
}

#[test]
fn some_among_many_meet_on_a_gate() {
    for seed in 0..150 {
        let parts = random(seed, 3);
        let ours = built(r#"par A#2, C#1 in "0" || "1" || "2" end par"#, &parts).lts;
        let theirs = product(&parts, |labels| {
            let label = common(labels)?;
            let together = if gate(&label) == "A" { 2 } else { 1 };
            (count(labels) == together).then_some(label)
        });
        assert_same(seed, &ours, &theirs);
    }
}

#[test]
fn a_gate_that_branches_name_concerns_only_them() {
    for seed in 0..150 {
        let parts = random(seed, 3);
        let ours = built(r#"par C in A -> "0" || "1" || B, A -> "2" end par"#, &parts).lts;
        let theirs = product(&parts, |labels| {
            let label = common(labels)?;
            let here = |branch: usize| labels[branch].is_some();
            let right = match gate(&label) {
                "C" => count(labels) == 3,
                "A" => {
                    [here(0), here(1), here(2)] == [true, false, true]
                        || [here(0), here(1), here(2)] == [false, true, false]
                }
                _ => count(labels) == 1,
            };
            right.then_some(label)
        });
        assert_same(seed, &ours, &theirs);
    }
}

#[test]
fn vectors_join_labels_whose_groups_agree() {
    let text = r#"par A * _ * 'A (.*)' -> 'J$1', _ * "B" * "C" -> i in "0" || "1" || "2" end par"#;
    for seed in 0..150 {
        let parts = random(seed, 3);
        let ours = built(text, &parts).lts;
        let theirs = product(&parts, |labels| match labels {
            [Some("A !1"), None, Some("A !1")] => None,
            [None, Some("B"), Some("C")] => Some("i".to_string()),
            [Some(l), None, None] if gate(l) != "A" => Some(l.to_string()),
            [None, Some(l), None] if *l != "B" => Some(l.to_string()),
            [None, None, Some(l)] if gate(l) != "A" && *l != "C" => Some(l.to_string()),
            _ => None,
        });
        // What follows the gate begins with a space there and not here, so these never agree.
        assert_same(seed, &ours, &theirs);
    }
    let text = r#"par A * _ * A -> J, _ * 'B|C' * 'C|B' -> "k" in "0" || "1" || "2" end par"#;
    for seed in 0..150 {
        let parts = random(seed, 3);
        let ours = built(text, &parts).lts;
        let theirs = product(&parts, |labels| match labels {
            [Some(l), None, Some(r)] if gate(l) == "A" && l == r => Some(l.replace('A', "J")),
            [None, Some("B" | "C"), Some("B" | "C")] => Some("k".to_string()),
            [Some(l), None, None] if gate(l) != "A" => Some(l.to_string()),
            [None, Some(l), None] if !["B", "C"].contains(l) => Some(l.to_string()),
            [None, None, Some("i")] => Some("i".to_string()),
            _ => None,
        });
        assert_same(seed, &ours, &theirs);
    }
}

#[test]
fn a_net_within_a_net_is_the_same_as_its_system() {
    for seed in 0..100 {
        let parts = random(seed, 3);
        let nested = r#"par B in par A in "0" || "1" end par rename C -> D || "2" end par cut D"#;
        let nested = built(nested, &parts).lts;
        let inner = built(r#"par A in "0" || "1" end par rename C -> D"#, &parts).lts;
        let outer = built(
            r#"par B in "0" || "1" end par cut D"#,
            &[inner, parts[2].clone()],
        )
        .lts;
        assert!(bisimilar(&nested, &outer), "seed {seed}");
        let text = r#"par B in par A in "0" || "1" end par rename C -> D reduce strong || "2" end par cut D"#;
        assert!(bisimilar(&built(text, &parts).lts, &outer), "seed {seed}");
    }
}

/// All contents of a buffer as a system of its own, by definition.
fn queue(messages: &[&str], bound: usize, fifo: bool) -> Lts {
    let mut contents: Vec<Vec<usize>> = vec![vec![]];
    let mut steps = Vec::new();
    let mut at = 0;
    while at < contents.len() {
        let here = contents[at].clone();
        for (message, name) in messages.iter().enumerate() {
            let mut after = Vec::new();
            if here.len() < bound {
                let mut more = here.clone();
                more.push(message);
                after.push((format!("{name}_EM"), more));
            }
            for place in 0..here.len() {
                if here[place] == message && (place == 0 || !fifo) {
                    let mut less = here.clone();
                    less.remove(place);
                    after.push((format!("{name}_REC"), less));
                }
            }
            for (label, mut to) in after {
                if !fifo {
                    to.sort_unstable();
                }
                let known = contents.iter().position(|content| *content == to);
                let target = known.unwrap_or_else(|| {
                    contents.push(to);
                    contents.len() - 1
                });
                steps.push((at, label, target));
            }
        }
        at += 1;
    }
    from_list(&steps)
}

#[test]
fn a_buffer_is_a_system_that_takes_part_in_what_is_sent_and_received() {
    let labels = ["X_EM", "Y_EM", "X_REC", "Y_REC", "work", "i"];
    for seed in 0..120 {
        let mut random = Random::new(seed);
        let peers = [random.lts(4, &labels), random.lts(4, &labels)];
        for (kind, fifo) in [("fifo", true), ("bag", false)] {
            let text =
                format!(r#"par in "0" || "1" end par buffer {kind} 2 '(.*)_EM' -> '(.*)_REC'"#);
            let ours = built(&text, &peers).lts;
            let parts = [
                peers[0].clone(),
                peers[1].clone(),
                queue(&["X", "Y"], 2, fifo),
            ];
            let theirs = product(&parts, |labels| {
                let label = common(labels)?;
                let by_buffer = label.contains('_');
                let buffer = labels[2].is_some();
                let peers = count(&labels[..2]);
                (peers == 1 && buffer == by_buffer).then_some(label)
            });
            assert!(bisimilar(&ours, &theirs), "seed {seed} {kind}");
            assert_eq!(ours.states(), theirs.states(), "seed {seed} {kind}");
        }
    }
}

#[test]
fn hide_cut_and_rename_change_labels_one_by_one() {
    let files = [lts("0 A !1 1; 0 A !2 2; 1 B 0; 2 C 3; 3 i 0")];
    let of = |operations: &str| shown(&built(&format!("\"0\" {operations}"), &files).lts);
    assert_eq!(of("hide A"), "0 i 1; 0 i 2; 1 B 0; 2 C 3; 3 i 0");
    assert_eq!(of("hide 'A.*1', C"), "0 A !2 2; 0 i 1; 1 B 0; 2 i 3; 3 i 0");
    assert_eq!(
        of("hide all but A"),
        "0 A !1 1; 0 A !2 2; 1 i 0; 2 i 3; 3 i 0"
    );
    assert_eq!(of("cut \"A !2\""), "0 A !1 1; 1 B 0");
    assert_eq!(of("cut all but A, B"), "0 A !1 1; 0 A !2 2; 1 B 0");
    assert_eq!(
        of("rename A -> X, 'A (.*)' -> 'never', C -> \"c !1\""),
        "0 X !1 1; 0 X !2 2; 1 B 0; 2 c !1 3; 3 i 0"
    );
    assert_eq!(
        of("rename 'A !(.)' -> 'A$1 of $$'"),
        "0 A1 of $ 1; 0 A2 of $ 2; 1 B 0; 2 C 3; 3 i 0"
    );
    assert_eq!(
        of("rename B -> i hide C rename i -> \"no\""),
        "0 A !1 1; 0 A !2 2; 1 i 0; 2 i 3; 3 i 0"
    );
}

#[test]
fn what_is_called_as_internal_steps_are_becomes_one_and_says_nothing_else() {
    let files = [lts("0 A !1 1; 0 A !2 2; 1 B 0")];
    let of = |operations: &str| shown(&built(&format!("\"0\" {operations}"), &files).lts);
    assert_eq!(of("rename A -> tau"), "0 i 1; 0 i 2; 1 B 0");
    assert_eq!(
        shown(&built(r#"par A * A -> i in "0" || "0" end par hide B"#, &files).lts),
        "0 i 1; 0 i 2; 1 i 3; 1 i 4; 3 i 0; 4 i 0"
    );
}

#[test]
fn a_net_of_one_file_is_the_file() {
    let odd = Lts::new(vec![], 3, 2.into(), &[]);
    assert_eq!(built("\"0\"", std::slice::from_ref(&odd)).lts, odd);
}

#[test]
fn two_workers_and_a_lock() {
    let worker = "0 TAKE 1; 1 WORK 2; 2 GIVE 0";
    let files = [lts(worker), lts("0 TAKE 1; 1 GIVE 0")];
    let text = "par TAKE, GIVE in
                  par in \"0\" rename 'WORK' -> 'WORK !1' || \"0\" rename 'WORK' -> 'WORK !2' end par
                  || \"1\"
                end par";
    let Built { lts, notes } = built(text, &files);
    assert_eq!(notes, []);
    assert_eq!(
        shown(&lts),
        "0 TAKE 1; 0 TAKE 2; 1 WORK !1 3; 2 WORK !2 4; 3 GIVE 0; 4 GIVE 0"
    );
}

#[test]
fn probable_mistakes_are_noted() {
    let files = [lts("0 SEND 1"), lts("0 RECV 1")];
    let notes = |text: &str| {
        let notes = built(text, &files).notes;
        let notes = notes
            .into_iter()
            .map(|n| (n.message, n.help.unwrap_or_default()));
        notes.collect::<Vec<_>>()
    };
    let note = |message: &str, help: &str| vec![(message.to_string(), help.to_string())];
    assert_eq!(
        notes(r#"par SENT in "0" || "1" end par"#),
        note(
            "No branch that synchronises on `SENT` has such a label",
            "Did you mean `SEND`?"
        )
    );
    assert_eq!(
        notes(r#"par SEND * SEND -> X in "0" || "1" end par"#),
        note("Branch 2 has no label for this vector", "")
    );
    assert_eq!(
        notes(r#"par in "0" || "1" end par buffer fifo 1 GIVE -> TAKE"#),
        note("No label sends into this buffer", "")
    );
    assert_eq!(
        notes(r#"par in "0" || "1" end par buffer fifo 1 '(SEND)' -> '(RECV)'"#),
        note("`RECV` receives a message that nobody sends", "")
    );
}

#[test]
fn composing_without_end_ends_with_its_budget() {
    let cycle: ListedSystem = (0..1000)
        .map(|s| (s, "a".to_string(), (s + 1) % 1000))
        .collect();
    let cycle = from_list(&cycle);
    let text = r#"par in "0" || "0" || "0" || "0" || "0" end par"#;
    let budget = Budget::new(Some(std::time::Duration::from_millis(50)), None);
    let load = |_: &str| Ok::<Lts, String>(cycle.clone());
    let built = net(text).build(load, &internal(), &budget);
    assert!(matches!(
        built,
        Err(BuildFailure::Halted(LtsHalt::Stopped(Stop::TimeOut)))
    ));
}

#[test]
fn nets_nested_a_hundred_thousand_levels_deep_are_only_slow() {
    let depth = 100_000;
    let text = format!(
        "{}\"0\"{}",
        "par in ".repeat(depth),
        " end par".repeat(depth)
    );
    let files = [lts("0 a 0")];
    assert_eq!(shown(&built(&text, &files).lts), "0 a 0");
    let text = format!("\"0\"{}", " hide 'b'".repeat(depth));
    assert_eq!(shown(&built(&text, &files).lts), "0 a 0");
}

#[test]
fn the_order_of_states_is_the_same_every_time() {
    for seed in 0..20 {
        let parts = random(seed, 3);
        let text = r#"par A#2 in "0" || "1" || "2" end par"#;
        let first = built(text, &parts).lts;
        assert_eq!(first, built(text, &parts).lts);
        let again = crate::reduce::reachable(&first, &Budget::unlimited());
        assert_eq!(
            again,
            Ok(first),
            "it is breadth first in the order of labels"
        );
    }
}

#[test]
fn malformed_nets_have_a_place_and_a_reason() {
    let cases = [
        "",
        "par in",
        "par GAME #0 in \"0\" end par",
        "par GAME #3 in \"0\" || \"1\" end par",
        "par GAME, GAME in \"0\" end par",
        "par \"A !1\" in \"0\" end par",
        "par \"A\" * _ -> B in \"0\" end par",
        "par _ * _ -> B in \"0\" || \"1\" end par",
        "par A * A -> '$2' in \"0\" || \"1\" end par",
        "par A in \"0\" | \"1\" end par",
        "par A in \"0\" || \"1\" hide B",
        "par in \"0\" || \"1\" end",
        "\"0\" || \"1\"",
        "worker.aut",
        "'worker.aut'",
        "\"0\" hyde A",
        "\"0\" hide 'A['",
        "\"0\" hide",
        "\"0\" hide all A",
        "\"0\" rename A",
        "\"0\" rename A -> '$x'",
        "\"0\" reduce stronk",
        "\"0\" reduce",
        "\"0\" buffer lifo 2 A -> B",
        "\"0\" buffer fifo 0 A -> B",
        "\"0\" buffer fifo 2 '(A)' -> 'B'",
        "\"0\" hide \"A",
        "\"0\"\n  hide\n  reduce strong",
        "par A in par B in \"0\" || \"1\" end par",
    ];
    let told: Vec<String> = cases
        .iter()
        .map(|case| {
            let wrong = Net::parse(FileId::new(0), case).expect_err(case);
            let mut sources = SourceMap::default();
            sources.add(SourceFile::new("a.net", *case));
            wherefore_diagnostics::render_diagnostic(&sources, &wrong, false)
        })
        .collect();
    insta::assert_snapshot!(told.join("\n\n"));
}

#[test]
fn internal_steps_do_not_synchronise() {
    let load = |_: &str| Ok::<Lts, String>(lts("0 i 0"));
    for text in [
        r#"par i in "0" || "0" end par"#,
        r#"par in i -> "0" || "0" end par"#,
    ] {
        let built = net(text).build(load, &internal(), &Budget::unlimited());
        let Err(BuildFailure::Wrong(note)) = built else {
            panic!("{text} is built");
        };
        assert_eq!(
            note.message,
            "Internal steps do not synchronise, and `i` is one"
        );
        assert!(note.span.is_some());
    }
}

#[test]
fn labels_that_send_and_receive_at_once_are_refused() {
    let load = |_: &str| Ok::<Lts, String>(lts("0 A 0"));
    let built =
        net("\"0\" buffer bag 1 'A|B' -> 'A|C'").build(load, &internal(), &Budget::unlimited());
    assert!(matches!(built, Err(BuildFailure::Wrong(_))));
}

#[test]
fn a_file_is_asked_for_once_and_its_absence_has_a_place() {
    let mut asked = BTreeSet::new();
    let load = |name: &str| {
        assert!(asked.insert(name.to_string()), "{name} is asked for twice");
        match name {
            "a" => Ok(lts("0 x 0")),
            _ => Err("it is not there"),
        }
    };
    let text = r#"par in "a" || "a" || "b" end par"#;
    let built = net(text).build(load, &internal(), &Budget::unlimited());
    let Err(BuildFailure::File(_, Some(span))) = built else {
        panic!("it is built");
    };
    assert_eq!(&text[span.start as usize..span.end as usize], "\"b\"");
}
