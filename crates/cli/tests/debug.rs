//! `wherefore debug` as a person meets it: every screen, every answer, every wrong input.

use std::path::Path;

use crate::support::{Folder, Ran};

/// A folder with the examples of labelled transition systems.
fn folder(test: &str) -> Folder {
    let folder = Folder::new(&format!("debug-{test}"));
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/lts");
    for entry in std::fs::read_dir(examples).expect("there are examples") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().expect("a file has a name");
        std::fs::copy(&path, folder.0.join(name)).expect("an example can be copied");
    }
    folder
}

/// What is printed, with the exit code.
fn shown(ran: &Ran) -> String {
    let code = ran.code.unwrap_or(-1);
    format!("{}{}(exit code {code})", ran.out, ran.err)
}

#[test]
fn every_example_tells_its_story() {
    let folder = folder("stories");
    for (name, code) in [
        ("vending", 1),
        ("workers", 0),
        ("early", 1),
        ("lost", 1),
        ("careless", 1),
        ("unchecked", 1),
        ("endless", 1),
        ("tournament", 1),
    ] {
        let ran = folder.run(&["debug", &format!("{name}.aut"), &format!("{name}.mcl")]);
        assert_eq!(ran.code, Some(code), "{name}: {}", ran.err);
        insta::assert_snapshot!(format!("story_{name}"), shown(&ran));
    }
}

#[test]
fn every_option_has_its_screen() {
    let folder = folder("options");
    folder.write("mine.txt", b"OPEN\nTURN !CONSUME\nPREPARE\nCONSUME !B\n");
    let early = ["debug", "early.aut", "early.mcl"];
    let lost = ["debug", "lost.aut", "lost.mcl"];
    let screens: [(&str, [&str; 3], &[&str]); 11] = [
        ("random", early, &["--random", "7"]),
        ("trace", early, &["--trace", "mine.txt"]),
        (
            "nearest",
            ["debug", "tournament.aut", "tournament.mcl"],
            &["--nearest"],
        ),
        ("type", lost, &["--type", "in"]),
        (
            "no_such_type",
            lost,
            &[
                "--nearest",
                "--type",
                "in",
                "--pattern",
                "OPEN ... 'LOOK .*'",
            ],
        ),
        ("pattern", lost, &["--pattern", "OPEN ... 'LOOK .*'"]),
        (
            "no_such_pattern",
            lost,
            &[
                "--nearest",
                "--pattern",
                "'LOOK .*' ... 'PRODUCE .*' ... 'PRODUCE .*'",
            ],
        ),
        ("neighbourhoods", lost, &["--neighbourhoods"]),
        ("neighbourhood", early, &["--neighbourhood", "0"]),
        ("no_such_neighbourhood", early, &["--neighbourhood", "4711"]),
        ("narrow", early, &["--width", "40", "--ascii"]),
    ];
    for (name, command, options) in screens {
        let ran = folder.run(&[&command[..], options].concat());
        assert_eq!(ran.code, Some(1), "{name}: {}", ran.err);
        insta::assert_snapshot!(format!("option_{name}"), shown(&ran));
    }
    let inevitable = folder.run(&["debug", "workers.aut", "--inevitable", "'CONSUME .*', REST"]);
    insta::assert_snapshot!("option_inevitable", shown(&inevitable));
    let page = folder.run(&["debug", "vending.aut", "vending.mcl", "--format", "md"]);
    insta::assert_snapshot!("option_markdown", shown(&page));
    let document = folder.run(&["debug", "vending.aut", "vending.mcl", "--format", "json"]);
    insta::assert_snapshot!("option_json", shown(&document));
}

#[test]
fn wrong_input_is_answered_with_its_place() {
    let folder = folder("wrong");
    folder.write(
        "short.aut",
        b"des (0, 2, 2)\n(0, \"A\", 1)\n(1, \"B\", 2)\n",
    );
    folder.write("open.mcl", b"(* never *)\n[ true* . \"OPEN\" false\n");
    folder.write(
        "two.mcl",
        b"property a is [true] false end property\nproperty b is [true] false end property\n",
    );
    folder.write("bad.trace", b"\"OPEN\n");
    folder.write("foreign.txt", b"OPEN\nFLY\n");
    let cases: [(&[&str], i32); 11] = [
        (&["short.aut", "early.mcl"], 3),
        (&["early.aut", "open.mcl"], 3),
        (&["early.aut", "-e", "[ true* . \"OPEN\" false"], 2),
        (&["early.aut", "two.mcl"], 2),
        (&["early.aut", "two.mcl", "-p", "c"], 2),
        (&["missing.aut", "early.mcl"], 2),
        (&["early.aut", "missing.mcl"], 2),
        (&["early.aut", "early.mcl", "--pattern", "OPNE"], 2),
        (&["early.aut", "early.mcl", "--trace", "foreign.txt"], 1),
        (&["early.aut", "early.mcl", "--export", "bad.pdf"], 2),
        (&["early.aut", "-e", "< true* . \"OPEN\" > true"], 4),
    ];
    let mut all = String::new();
    for (args, code) in cases {
        let ran = folder.run(&[&["debug"], args].concat());
        assert_eq!(ran.code, Some(code), "{args:?}: {}{}", ran.out, ran.err);
        let answer = ran.out.lines().find(|line| line.starts_with("It is no"));
        let said = answer.unwrap_or(&ran.err);
        all += &format!("$ wherefore debug {}\n{said}\n", args.join(" "));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_property_that_does_not_end_with_true_star_means_the_same() {
    let folder = folder("ending");
    let both = [
        "[ true* . \"LOSE\" ] false",
        "[ true* . \"LOSE\" . true* ] false",
    ];
    let said = both.map(|formula| {
        let ran = folder.run(&["debug", "lost.aut", "-e", formula]);
        let lines = ran.out.lines().filter(|line| !line.contains("true*"));
        lines.collect::<Vec<_>>().join("\n")
    });
    assert_eq!(said[0], said[1]);
}

#[test]
fn labels_can_neither_steer_the_screen_nor_fill_it() {
    let folder = folder("hostile");
    let long = "x".repeat(100_000);
    let mut text = String::from("des (0, 20003, 3)\n");
    text += &format!("(0, \"\u{1b}[2J\u{7}EVIL\", 1)\n(0, \"{long}\", 2)\n(1, \"BAD\", 2)\n");
    for number in 0..20_000 {
        text += &format!("(0, \"GOOD !{number}\", 2)\n");
    }
    folder.write("hostile.aut", text.as_bytes());
    let formula = "[ true* . \"BAD\" ] false";
    for format in ["text", "md"] {
        let ran = folder.run(&["debug", "hostile.aut", "-e", formula, "--format", format]);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        let raw = |c: char| c.is_control() && c != '\n';
        assert!(!ran.out.contains(raw), "{format}");
        assert!(ran.out.len() < 5000, "{format} has {} bytes", ran.out.len());
        assert!(ran.out.contains("more"), "{}", ran.out);
    }
    let ran = folder.run(&["debug", "hostile.aut", "-e", formula, "--color", "always"]);
    assert!(!ran.out.contains("\u{1b}[2J"));
}

#[test]
fn threads_change_nothing_and_limits_hold() {
    let folder = folder("limits");
    let run = |more: &[&str]| {
        folder.run(&[&["debug", "tournament.aut", "tournament.mcl"], more].concat())
    };
    assert_eq!(run(&["--threads", "1"]).out, run(&["--threads", "2"]).out);
    let stopped = run(&["--timeout", "0"]);
    assert_eq!(stopped.code, Some(4), "{}", stopped.out);
    assert!(run(&["--stats"]).out.contains(" s\n"));
    let quiet = run(&["--quiet", "--json", "out.json", "--export", "out.autx"]);
    assert_eq!((quiet.code, quiet.out.as_str()), (Some(1), ""));
    assert!(
        folder
            .read("out.json")
            .starts_with("{\n  \"schema\": \"wherefore/1\"")
    );
    assert!(folder.read("out.autx").starts_with("des (0, "));
}

#[test]
fn the_pages_speak_of_every_option() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let pages = ["debug.md", "debug-smv.md"]
        .map(|page| std::fs::read_to_string(docs.join(page)).expect("the page is there"));
    // The short help has no table of exit codes, which speaks of another command.
    let help = folder("help").run(&["debug", "-h"]).out;
    let is_option = |word: &&str| {
        let name = word.strip_prefix("--");
        name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    let options = help.split_whitespace().filter(is_option);
    let told = |option: &str| option == "--help" || pages.concat().contains(option);
    let silent: Vec<&str> = options.filter(|option| !told(option)).collect();
    assert_eq!(silent, Vec::<&str>::new());
}
