//! Time, memory and Ctrl-C end every kind of work: the exit code says so, and what was found before
//! is printed.

use std::thread;
use std::time::Duration;

use crate::support::{Folder, Ran};

/// How long a run may take at most, on a slow machine.
const WALL: u64 = 60;

/// So many instances, each with so many variables, that reading them takes long.
fn exploding() -> String {
    let cells: String = (0..60)
        .map(|n| format!("v{n} : 0..7; w{n} : boolean;\n"))
        .collect();
    let next: String = (0..60)
        .map(|n| format!("next(v{n}) := w{n} ? (v{n} + 1) mod 8 : v{n};\n"))
        .collect();
    let mut text = String::from("MODULE main\nVAR a : m0; b : m0;\nCTLSPEC NAME low := AG TRUE\n");
    for n in 0..15 {
        let deeper = n + 1;
        text += &format!("MODULE m{n}\nVAR a : m{deeper}; b : m{deeper};\n{cells}ASSIGN\n{next}");
    }
    text + "MODULE m15\nVAR x : boolean;\n"
}

/// A product that no order of variables makes small.
const PRODUCT: &str = "\
MODULE main
FROZENVAR a : 0..8191; b : 0..8191;
VAR c : 0..8191;
ASSIGN init(c) := (a * b) mod 8192; next(c) := (c * a + b) mod 8192;
CTLSPEC NAME far := AG (a * c != b * b + 4711)
";

/// The verdict is quick, but each state of a long loop has a long way of its own to show.
fn long_winded() -> String {
    "\
MODULE main
VAR n : 0..19999; m : 0..3;
ASSIGN
  init(n) := 0; next(n) := (n + 1) mod 20000;
  init(m) := 0; next(m) := {m, (m + 1) mod 4};
CTLSPEC NAME quick := AG m = 0
CTLSPEC NAME slow := ! EG (EF (n = 7 & m = 3) & EF (n = 9 & EF (n = 5 & m = 2)))
"
    .to_owned()
}

/// A path of so many steps.
fn counter(steps: usize) -> String {
    format!(
        "MODULE main\nVAR n : 0..{steps};\n\
         ASSIGN init(n) := 0; next(n) := n < {steps} ? n + 1 : n;\n\
         CTLSPEC NAME low := AG n < {steps}\n"
    )
}

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.write("exploding.smv", exploding().as_bytes());
    folder.write("product.smv", PRODUCT.as_bytes());
    folder.write("long-winded.smv", long_winded().as_bytes());
    folder
}

/// The kinds of long work, each with what must be printed however it ends.
const WORK: [(&str, &[&str], &str); 6] = [
    ("reading", &["exploding.smv"], "exploding.smv: not checked"),
    (
        "exploring",
        &["endless.smv", "--engine", "explicit"],
        "UNDECIDED  far",
    ),
    (
        "decision diagrams",
        &["product.smv", "--engine", "bdd"],
        "UNDECIDED  far",
    ),
    (
        "fixpoints",
        &["endless.smv", "--engine", "bdd"],
        "UNDECIDED  far",
    ),
    ("either engine", &["endless.smv"], "UNDECIDED  far"),
    (
        "a formula",
        &["endless.smv", "-e", "EG a.v * b.v > c.v"],
        "UNDECIDED  formula1",
    ),
];

fn expect_undecided(ran: &Ran, what: &str, printed: &str, why: &str) {
    let all = format!("{}{}", ran.out, ran.err);
    assert_eq!(ran.code, Some(4), "{what}\n{all}");
    assert!(all.contains(printed), "{what}\n{all}");
    assert!(all.contains(why), "{what}\n{all}");
    assert!(!all.contains("panicked"), "{what}\n{all}");
}

#[test]
fn a_time_limit_ends_every_kind_of_work() {
    let folder = folder("time-limit");
    for (what, work, printed) in WORK {
        let args = [&["check", "--timeout", "0.4"], work].concat();
        let ran = folder.start(&args).end_within(WALL);
        expect_undecided(&ran, what, printed, "the time limit was reached");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_memory_limit_ends_every_kind_of_work() {
    let folder = folder("memory-limit");
    for (what, work, printed) in WORK {
        let args = [&["check", "--memory", "40"], work].concat();
        let ran = folder.start(&args).end_within(WALL);
        expect_undecided(&ran, what, printed, "the memory limit was reached");
    }
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_every_kind_of_work() {
    let folder = folder("interrupts");
    for (what, work, printed) in WORK {
        let args = [&["check", "--memory", "8000"], work].concat();
        let running = folder.start(&args);
        // Long enough to be at work, not long enough to use that much memory.
        thread::sleep(Duration::from_millis(300));
        running.interrupt();
        let ran = running.end_within(WALL);
        expect_undecided(&ran, what, printed, "it was cancelled");
    }
}

#[test]
#[cfg(unix)]
fn what_was_found_before_an_interrupt_is_shown() {
    let folder = folder("interrupt");
    let running = folder.start(&["check", "lamp.smv", "endless.smv"]);
    running.wait_for_output("UNDECIDED  later");
    running.interrupt();
    let ran = running.end_within(WALL);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("FAILS  mended"), "{}", ran.out);
    assert!(ran.out.contains("UNDECIDED  far"), "{}", ran.out);
    assert!(ran.out.contains("it was cancelled"), "{}", ran.out);
}

#[test]
fn a_verdict_stays_when_its_evidence_takes_too_long() {
    let folder = folder("evidence");
    let work = ["check", "long-winded.smv", "--no-vacuity"];
    let limits: [&[&str]; 3] = [
        &["--engine", "explicit", "--timeout", "4"],
        &["--engine", "explicit", "--memory", "150", "--timeout", "30"],
        &["--engine", "bdd", "--timeout", "4"],
    ];
    for limit in limits {
        let ran = folder.start(&[&work[..], limit].concat()).end_within(WALL);
        expect_no_evidence(&ran, &format!("{limit:?}"));
    }
    #[cfg(unix)]
    {
        let running = folder.start(&work);
        thread::sleep(Duration::from_secs(3));
        running.interrupt();
        expect_no_evidence(&running.end_within(WALL), "interrupt");
    }
}

/// The verdict is there without its evidence; only a slow machine may not come as far as that.
fn expect_no_evidence(ran: &Ran, what: &str) {
    let all = format!("{}{}", ran.out, ran.err);
    assert!(all.contains("quick (line 6)"), "{what}\n{all}");
    if all.contains("FAILS  slow (line 7)") {
        assert_eq!(ran.code, Some(1), "{what}\n{all}");
        assert!(all.contains("before the work had to stop"), "{what}\n{all}");
    } else {
        assert!(matches!(ran.code, Some(1 | 4)), "{what}\n{all}");
        assert!(all.contains("UNDECIDED  slow (line 7)"), "{what}\n{all}");
    }
}

#[test]
fn a_path_of_many_steps_is_printed_in_every_format() {
    let folder = Folder::new("many-steps");
    folder.write("counter.smv", counter(20_000).as_bytes());
    for (format, last) in [
        ("text", "\n    20000  n: 19999 → 20000"),
        ("json", "\"n\": 20000"),
        ("md", "20000"),
    ] {
        let args = ["check", "counter.smv", "--format", format, "--full"];
        let ran = folder.start(&args).end_within(WALL);
        assert_eq!(ran.code, Some(1), "{format}\n{}", ran.err);
        assert!(ran.out.contains(last), "{format}");
    }
    let args = [
        "check",
        "counter.smv",
        "-q",
        "--json",
        "a",
        "--dot",
        "b",
        "--itf",
        "c",
    ];
    let ran = folder.start(&args).end_within(WALL);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    for file in ["a", "b", "c"] {
        assert!(folder.read(file).contains("20000"), "{file}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn writing_more_than_memory_allows_ends_too() {
    let folder = Folder::new("large-output");
    folder.write("counter.smv", counter(20_000).as_bytes());
    let args = ["check", "counter.smv", "--format", "json", "--memory", "30"];
    let ran = folder.start(&args).end_within(WALL);
    assert!(matches!(ran.code, Some(1 | 4)), "{}", ran.err);
}

#[test]
#[cfg(unix)]
fn a_reader_that_never_reads_does_not_hold_the_process() {
    let folder = Folder::new("stuck-output");
    let made = std::process::Command::new("mkfifo")
        .arg(folder.0.join("pipe"))
        .status();
    assert!(made.expect("mkfifo starts").success());
    let work = ["check", "lamp.smv", "-p", "mended", "--json", "pipe"];
    let limited = folder
        .start(&[&work[..], &["--timeout", "2"]].concat())
        .end_within(WALL);
    let interrupted = folder.start(&work);
    interrupted.wait_for_output("FAILS  mended");
    interrupted.interrupt();
    let interrupted = interrupted.end_within(WALL);
    for (ran, why) in [
        (limited, "the time limit was reached"),
        (interrupted, "it was cancelled"),
    ] {
        assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("FAILS  mended"), "{}", ran.out);
        let message = format!("error: the output is cut short, since {why}\n");
        assert_eq!(ran.err, message);
    }
}
