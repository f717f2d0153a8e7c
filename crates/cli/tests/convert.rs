//! `wherefore convert`: what it writes, what it refuses, and how it ends.
#![cfg(unix)]

use crate::support::{Folder, Ran};

const WORKER: &str = "des (0, 3, 3)\n(0, TAKE, 1)\n(1, WORK, 2)\n(2, GIVE, 0)\n";
const KEY: &str = "des (0, 2, 2)\n(0, TAKE, 1)\n(1, GIVE, 0)\n";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(&format!("convert-{test}"));
    folder.write("worker.aut", WORKER.as_bytes());
    folder.write("key.aut", KEY.as_bytes());
    folder
}

fn convert(folder: &Folder, args: &[&str]) -> Ran {
    let all: Vec<&str> = std::iter::once("convert")
        .chain(args.iter().copied())
        .collect();
    folder.run(&all)
}

#[test]
fn systems_are_composed_on_gates_and_written() {
    let folder = folder("gates");
    let ran = convert(&folder, &["worker.aut", "key.aut", "--sync", "TAKE,GIVE"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), WORKER),
        "{}",
        ran.err
    );
    assert_eq!(ran.err, "composed: 3 states, 3 transitions, 3 labels\n");
    let ran = convert(&folder, &["worker.aut", "worker.aut", "--interleave"]);
    assert!(ran.err.contains("9 states, 18 transitions"), "{}", ran.err);
    let ran = convert(
        &folder,
        &[
            "worker.aut",
            "worker.aut",
            "key.aut",
            "--sync",
            "TAKE#2,GIVE#2",
        ],
    );
    assert!(ran.err.contains("composed: "), "{}", ran.err);
}

#[test]
fn labels_are_renamed_then_hidden_then_reduced() {
    let folder = folder("labels");
    let args = [
        "worker.aut",
        "--rename",
        "(TAKE|GIVE)=KEY !$1",
        "--hide",
        "KEY.*",
        "--reduce",
        "tau-a",
    ];
    let ran = convert(&folder, &args);
    assert_eq!(ran.out, "des (0, 1, 1)\n(0, WORK, 0)\n");
    assert_eq!(
        ran.err,
        "read: 3 states, 3 transitions, 2 labels\nreduced (tau-a): 1 state, 1 transition, 1 label\n"
    );
}

#[test]
fn formats_follow_the_option_or_the_name() {
    let folder = folder("formats");
    let hidden = ["worker.aut", "--hide", "WORK"];
    let ran = convert(&folder, &[&hidden[..], &["--format", "mcrl2"]].concat());
    assert!(ran.out.contains("(1, \"tau\", 2)"), "{}", ran.out);
    let ran = convert(&folder, &[&hidden[..], &["-o", "out.dot"]].concat());
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
    assert!(folder.read("out.dot").starts_with("digraph"));
    for name in ["out.aut", "out.aut.gz", "out.aut.zst"] {
        let ran = convert(&folder, &["worker.aut", "-o", name]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert_eq!(convert(&folder, &[name]).out, WORKER, "{name}");
    }
}

#[test]
fn further_labels_can_be_internal() {
    let folder = folder("internal");
    let ran = convert(
        &folder,
        &["worker.aut", "--internal", "WORK", "--reduce", "tau-a"],
    );
    assert_eq!(ran.out, "des (0, 2, 2)\n(0, TAKE, 1)\n(1, GIVE, 0)\n");
}

#[test]
fn a_composition_file_finds_its_systems_where_it_is() {
    let folder = folder("net");
    std::fs::create_dir_all(folder.0.join("deep")).expect("the folder can be made");
    folder.write("deep/worker.aut", WORKER.as_bytes());
    folder.write(
        "deep/two.net",
        b"par TAKE in \"worker.aut\" || \"worker.aut\" end par",
    );
    let ran = convert(&folder, &["deep/two.net"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    folder.write("deep/two.txt", b"par in \"../worker.aut\" end par");
    let ran = convert(&folder, &["--net", "deep/two.txt"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), WORKER),
        "{}",
        ran.err
    );
}

#[test]
fn wrong_command_lines_are_told_and_end_with_2() {
    let folder = folder("usage");
    folder.write("a.net", b"\"worker.aut\"");
    for (args, said) in [
        (&[][..], "required"),
        (&["worker.aut", "key.aut"], "--sync GATE,.."),
        (
            &["worker.aut", "key.aut", "--sync", "TAKE#3"],
            "needs 3 systems at a time, and there are 2",
        ),
        (
            &["worker.aut", "key.aut", "--sync", "TAKE,TAKE"],
            "listed twice",
        ),
        (
            &["worker.aut", "--sync", "TAKE !1"],
            "a gate is the first word",
        ),
        (&["worker.aut", "a.net"], "stands alone"),
        (&["a.net", "--sync", "TAKE"], "says itself"),
        (&["--net", "a.net", "worker.aut"], "cannot be used with"),
        (&["worker.aut", "--hide", "A["], "unclosed"),
        (&["worker.aut", "--rename", "A"], "RE=NEW"),
        (
            &["worker.aut", "--reduce", "branching"],
            "take strong, tau-a or weak-trace",
        ),
        (&["worker.aut", "-o", "out.bcg"], "bcg_io out.aut out.bcg"),
        (
            &["worker.aut", "-o", "no/such/folder.aut"],
            "cannot be written",
        ),
        (&["missing.aut"], "missing.aut: the file cannot be read"),
        (&["missing.net"], "missing.net: the file cannot be read"),
        (&["."], "it is a folder"),
    ] {
        let ran = convert(&folder, args);
        assert_eq!(ran.code, Some(2), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(said), "{args:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{args:?}");
    }
}

#[test]
fn wrong_files_are_told_with_a_place_and_end_with_3() {
    let folder = folder("wrong");
    folder.write("short.aut", b"des (0, 2, 2)\n(0, a, 1)\n");
    folder.write("hyde.net", b"-- no such word\n\"worker.aut\" hyde TAKE");
    folder.write("inner.net", b"par in \"short.aut\" end par");
    folder.write("gate.net", b"par i in \"worker.aut\" end par");
    folder.write("bytes.net", b"par \xff");
    folder.write("x.bcg", b"\x00\x01");
    for (args, said) in [
        (["short.aut"], "short.aut:1:9"),
        (["hyde.net"], "hyde.net:2:14"),
        (["inner.net"], "short.aut:1:9"),
        (["gate.net"], "gate.net:1:5"),
        (["bytes.net"], "bytes.net"),
        (["x.bcg"], "bcg_io x.bcg x.aut"),
    ] {
        let ran = convert(&folder, &args);
        assert_eq!(ran.code, Some(3), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(said), "{args:?}: {}", ran.err);
    }
    folder.write("lost.net", b"par in \"gone.aut\" end par");
    let ran = convert(&folder, &["lost.net"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("gone.aut"), "{}", ran.err);
}

#[test]
fn probable_mistakes_are_warned_about() {
    let folder = folder("warning");
    let ran = convert(&folder, &["worker.aut", "key.aut", "--sync", "TAEK,GIVE"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.err.contains("warning") && ran.err.contains("Did you mean `TAKE`?"),
        "{}",
        ran.err
    );
}

#[test]
fn limits_end_the_work_with_4() {
    let folder = folder("limits");
    let mut cycle = String::from("des (0, 1000, 1000)\n");
    for state in 0..1000 {
        cycle.push_str(&format!("({state}, a, {})\n", (state + 1) % 1000));
    }
    folder.write("cycle.aut", cycle.as_bytes());
    let args = ["cycle.aut"; 4];
    let ran = convert(
        &folder,
        &[&args[..], &["--interleave", "--timeout", "0.3"]].concat(),
    );
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(
        ran.err.contains("since the time limit was reached"),
        "{}",
        ran.err
    );
}

#[test]
fn an_error_of_a_format_leaves_no_file() {
    let folder = folder("refused");
    folder.write("quote.aut", b"des (0, 1, 1)\n(0, \"say \"hi\"\", 0)\n");
    let ran = convert(
        &folder,
        &["quote.aut", "--format", "mcrl2", "-o", "out.aut"],
    );
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(!folder.0.join("out.aut").exists());
}

#[test]
fn the_system_of_an_alloy_model_is_written_as_smv_and_gives_the_same_verdicts() {
    let folder = Folder::new("convert-alloy");
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/alloy/mutex.als"
    );
    let model = std::fs::read(path).expect("the example is there");
    folder.write("mutex.als", &model);
    let ran = convert(&folder, &["mutex.als", "--to", "smv", "-o", "mutex.smv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.err, "read: 11 variables, 6 properties\n");
    for property in ["NeverBoth", "BothMove", "AGetsIn", "BFirst"] {
        let ran = folder.run(&["check", "mutex.smv", "-p", property]);
        assert_eq!(ran.code, Some(0), "{property}: {}", ran.out);
    }
    for property in ["NeverBothAmongRudeOnes", "BGetsInAmongRudeOnes"] {
        let ran = folder.run(&["check", "mutex.smv", "-p", property]);
        assert_eq!(ran.code, Some(1), "{property}: {}", ran.out);
    }
    for wrong in [
        &["mutex.als", "--to", "aut"][..],
        &["mutex.als", "--hide", "a"],
        &["mutex.als", "mutex.als"],
    ] {
        let ran = convert(&folder, wrong);
        assert_eq!(ran.code, Some(2), "{wrong:?}: {}", ran.err);
    }
    folder.write("worker.aut", WORKER.as_bytes());
    for wrong in [
        &["worker.aut", "--to", "smv"][..],
        &["worker.aut", "--scope", "A=2"],
    ] {
        let ran = convert(&folder, wrong);
        assert_eq!(ran.code, Some(2), "{wrong:?}: {}", ran.err);
    }
}
