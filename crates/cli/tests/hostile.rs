//! Files that are no models, and models that are up to no good.

use std::fs;
use std::time::{Duration, Instant};

use crate::support::{Folder, LAMP, Ran};

/// A transition system in Alloy with one property, which holds.
const SWITCH: &str = "open ctl[State]
sig State { on: lone Light }
one sig Light {}
fact {
  all s: State | s in initialState iff no s.on
  all s, t: State | s->t in nextState iff t.on != s.on
  all s, t: State | s.on = t.on implies s = t
}
check Toggles { ctl_mc[ag[ef[{s: State | some s.on}]]] } for 2";

/// Asserts that a run refuses its file with a message, and prints nothing that steers a terminal.
fn expect_refused(ran: &Ran, code: i32, message: &str) {
    let all = format!("{}{}", ran.out, ran.err);
    assert_eq!(ran.code, Some(code), "{all}");
    assert!(ran.err.contains(message), "{message}\n{all}");
    expect_harmless(ran);
}

fn expect_harmless(ran: &Ran) {
    let all = format!("{}{}", ran.out, ran.err);
    let harmful = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}');
    assert!(!all.contains(harmful), "{all:?}");
    assert!(!all.contains("panicked"), "{all}");
    assert!(all.len() < 100_000, "{} bytes are printed", all.len());
}

#[test]
fn what_is_no_text_is_refused_with_the_reason() {
    let folder = Folder::new("no-text");
    fs::create_dir(folder.0.join("folder.smv")).expect("the folder can be made");
    let cases: [(&str, &[u8], i32, &str); 6] = [
        ("empty.smv", b"", 3, "The file has no module"),
        (
            "nul.smv",
            b"MODULE main\nVAR \0 : boolean;\n",
            3,
            "line 2 has a zero byte at offset 16",
        ),
        (
            "latin.smv",
            b"MODULE main -- caf\xe9\n",
            3,
            "line 1 has a wrong byte at offset 18",
        ),
        (
            "cut.smv",
            b"MODULE main\n-- \xc3",
            3,
            "line 2 has a wrong byte at offset 15",
        ),
        ("utf16.smv", b"\xff\xfeM\0O\0", 3, "looks like UTF-16"),
        ("mark.smv", b"\xef\xbb\xbf", 3, "The file has no module"),
    ];
    for (name, bytes, code, message) in cases {
        folder.write(name, bytes);
        expect_refused(&folder.run(&["check", name]), code, message);
        let json = folder.run(&["check", name, "--format", "json"]);
        assert_eq!(json.code, Some(code), "{}", json.out);
        assert!(json.out.contains("\"severity\": \"error\""), "{}", json.out);
    }
    expect_refused(&folder.run(&["check", "folder.smv"]), 2, "it is a folder");
}

#[test]
#[cfg(unix)]
fn a_file_that_may_not_be_read_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("locked");
    let path = folder.0.join("lamp.smv");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("it is ours");
    if fs::read(&path).is_ok() {
        return; // Nothing is forbidden to the superuser.
    }
    expect_refused(
        &folder.run(&["check", "lamp.smv"]),
        2,
        "lamp.smv: the file cannot be read",
    );
}

#[test]
#[cfg(unix)]
fn devices_and_pipes_are_read_no_further_than_needed() {
    let folder = Folder::new("devices");
    let ran = folder.start(&["check", "/dev/zero"]).end_within(20);
    expect_refused(&ran, 3, "/dev/zero: the file is not text");
    let ran = folder.start(&["check", "/dev/null"]).end_within(20);
    expect_refused(&ran, 3, "The file has no module");
    let made = std::process::Command::new("mkfifo")
        .arg(folder.0.join("pipe"))
        .status();
    assert!(made.expect("mkfifo starts").success());
    let ran = folder
        .start(&["check", "pipe", "--timeout", "0.2"])
        .end_within(20);
    expect_refused(
        &ran,
        4,
        "pipe: not checked, since the time limit was reached",
    );
    let running = folder.start(&["check", "pipe", "-p", "shines"]);
    fs::write(folder.0.join("pipe"), LAMP).expect("somebody reads");
    assert_eq!(running.end_within(20).code, Some(0));
    fs::rename(folder.0.join("pipe"), folder.0.join("pipe.als")).expect("it has a name");
    let running = folder.start(&["check", "pipe.als", "--reach", "complete"]);
    fs::write(folder.0.join("pipe.als"), SWITCH).expect("somebody reads");
    let ran = running.end_within(20);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    fs::rename(folder.0.join("pipe.als"), folder.0.join("pipe")).expect("it has a name");
    let running = folder.start(&["check", "pipe", "--memory", "30"]);
    // The pipe breaks when the reader has had enough.
    let _ = fs::write(folder.0.join("pipe"), vec![b' '; 200_000_000]);
    let ran = running.end_within(20);
    expect_refused(
        &ran,
        4,
        "pipe: not checked, since the memory limit was reached",
    );
}

#[test]
fn a_large_file_of_zeros_is_refused_at_once() {
    let folder = Folder::new("zeros");
    let file = fs::File::create(folder.0.join("zeros.smv")).expect("it can be made");
    file.set_len(200_000_000).expect("it can be long");
    let start = Instant::now();
    expect_refused(
        &folder.run(&["check", "zeros.smv"]),
        3,
        "a zero byte at offset 0",
    );
    file.set_len(5_000_000_000).expect("it can be longer");
    expect_refused(&folder.run(&["check", "zeros.smv"]), 3, "more than 1024 MB");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_byte_order_mark_and_carriage_returns_do_no_harm() {
    let folder = Folder::new("line-ends");
    folder.write("plain.smv", LAMP.as_bytes());
    let windows = format!("\u{feff}{}", LAMP.replace('\n', "\r\n"));
    folder.write("windows.smv", windows.as_bytes());
    let plain = folder.run(&["check", "plain.smv"]);
    let windows = folder.run(&["check", "windows.smv"]);
    assert_eq!(windows.code, Some(1));
    assert_eq!(windows.out.replace("windows.smv", "plain.smv"), plain.out);
    expect_harmless(&windows);
    folder.write(
        "wrong.smv",
        b"\xef\xbb\xbfMODULE main\r\nVAR x : 0..2;\r\nINIT y\r\n",
    );
    expect_refused(&folder.run(&["check", "wrong.smv"]), 3, "wrong.smv:3:6");
}

#[test]
fn escape_sequences_in_a_model_do_not_reach_the_terminal() {
    let folder = Folder::new("escapes");
    let cases = [
        "MODULE main\nVAR \u{1b}[31mred : boolean;\n",
        "MODULE main\nINIT y -- \u{1b}]0;title\u{7}\u{202e}\n",
        "MODULE main\nVAR x : {a\u{1b}[2J, b};\n",
        "MODULE main\nVAR x : boolean;\nINIT x /-- \u{1b}[2J \u{9b}31m\n",
        "MODULE \u{7f}main\n",
    ];
    for (at, text) in cases.iter().enumerate() {
        let name = format!("escape{at}.smv");
        folder.write(&name, text.as_bytes());
        expect_refused(&folder.run(&["check", &name]), 3, &format!("{name}:"));
    }
    let text = "MODULE main -- \u{1b}[2J\nVAR x : boolean; -- \u{7}\nCTLSPEC AG /-- \u{1b}[0m --/ x -- \u{202e}\n";
    folder.write("hidden.smv", text.as_bytes());
    let ran = folder.run(&["check", "hidden.smv"]);
    assert_eq!(ran.code, Some(1));
    expect_harmless(&ran);
    let formula = folder.run(&["check", "hidden.smv", "-e", "AG \u{1b}[31mx"]);
    expect_refused(&formula, 2, "The character U+001B");
    let property = folder.run(&["check", "hidden.smv", "-p", "\u{1b}[31m"]);
    expect_refused(&property, 2, "there is no property");
}

#[test]
#[cfg(unix)]
fn file_names_with_control_characters_or_wrong_bytes_are_shown_harmlessly() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("names");
    for (name, shown) in [
        (
            &b"na\x1b[31mme\n\x07.smv"[..],
            "na\\u{1b}[31mme\\n\\u{7}.smv",
        ),
        (b"caf\xe9.smv", "caf\u{fffd}.smv"),
    ] {
        let name = OsStr::from_bytes(name);
        let check = |wanted: i32, more: &[&str]| {
            let mut command = folder.command(&["check"]);
            let output = command.arg(name).args(more).output();
            let ran = Ran::new(output.expect("the binary starts"));
            assert_eq!(ran.code, Some(wanted), "{}{}", ran.out, ran.err);
            expect_harmless(&ran);
            let all = format!("{}{}", ran.out, ran.err);
            let page = more.contains(&"md");
            assert!(page || all.contains(shown), "{shown}\n{all}");
        };
        check(2, &[]);
        fs::write(folder.0.join(name), "MODULE main\nINIT y\n").expect("any name will do");
        check(3, &[]);
        fs::write(folder.0.join(name), LAMP).expect("any name will do");
        check(1, &[]);
        check(1, &["--format", "md"]);
        check(4, &["--timeout", "0", "-p", "mended"]);
    }
}

#[test]
fn long_lines_and_long_names_are_shortened_in_messages() {
    let folder = Folder::new("long-lines");
    let name = "y".repeat(1_000_000);
    let cases = [
        format!(
            "MODULE main VAR x : boolean; INIT {}yy & x\n",
            "x & ".repeat(200_000)
        ),
        format!("MODULE main VAR x : boolean; INIT {name}\n"),
        format!("MODULE main VAR {name} : boolean; {name} : boolean;\n"),
        format!("MODULE main VAR {name} : {name}({name});\n"),
        format!("MODULE main {name}\n"),
    ];
    for (at, text) in cases.iter().enumerate() {
        let file = format!("long{at}.smv");
        folder.write(&file, text.as_bytes());
        let ran = folder.start(&["check", &file]).end_within(30);
        expect_refused(&ran, 3, &format!("{file}:1:"));
        let longest = ran.err.lines().map(|line| line.chars().count()).max();
        assert!(longest < Some(500), "{longest:?}");
    }
}

#[test]
fn formulas_of_any_depth_are_refuted_and_told() {
    let folder = Folder::new("deep");
    for (operator, depth) in [
        ("AG ", 20_000),
        ("!!", 10_000),
        ("AX ", 1_000),
        ("AF ", 1_000),
    ] {
        let formula = operator.repeat(depth);
        let model = format!("MODULE main\nVAR p : boolean;\nCTLSPEC {formula}p\n");
        folder.write("deep.smv", model.as_bytes());
        for view in ["trace", "states"] {
            let ran = folder.run(&["check", "deep.smv", "--view", view]);
            assert_eq!(ran.code, Some(1), "{}", ran.err);
            assert!(ran.out.contains("[replayed: ok]"), "{operator}");
        }
    }
}

#[test]
fn a_dash_is_no_file_to_write_to() {
    let folder = Folder::new("dash");
    folder.write("lamp.smv", LAMP.as_bytes());
    for option in ["--json", "--dot", "--html"] {
        let ran = folder.run(&["check", "lamp.smv", option, "-"]);
        expect_refused(&ran, 2, "`-` is not a file; `--format` says what to print");
        assert!(!folder.0.join("-").exists());
    }
}

#[test]
fn the_exit_codes_have_a_page_of_their_own() {
    let folder = Folder::new("help");
    let page = folder.run(&["help", "exit-codes"]);
    assert_eq!(page.code, Some(0));
    assert!(page.out.starts_with("Exit codes:\n   0  "), "{}", page.out);
    for command in [&["--help"][..], &["check", "--help"]] {
        assert!(folder.run(command).out.contains(page.out.trim_end()));
    }
    assert_eq!(folder.run(&["help", "check"]).code, Some(0));
    assert_eq!(folder.run(&["help", "nothing"]).code, Some(2));
}
