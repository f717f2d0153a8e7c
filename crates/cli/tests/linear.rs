//! Properties about runs and numbers of steps, from the command line: what works, and what says that it does
//! not; files in the old dialect; the examples about them.

use crate::support::{Folder, Ran};

const PRINTER: &str = "\
MODULE main
VAR busy : boolean; jam : boolean;
IVAR order : boolean;
ASSIGN
  init(busy) := FALSE;
  init(jam) := FALSE;
  next(busy) := order | jam;
  next(jam) := busy ? {TRUE, FALSE} : jam;
LTLSPEC NAME done := G (order -> F !busy)
LTLSPEC NAME asked := G (busy & !jam -> Y order | Y jam)
LTLSPEC NAME before := G (jam -> O busy)
COMPUTE NAME soonest := MIN [!busy, jam]
";

fn printer(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.write("printer.smv", PRINTER.as_bytes());
    folder
}

fn check(folder: &Folder, args: &[&str]) -> Ran {
    folder.run(&[&["check", "printer.smv"], args].concat())
}

#[test]
fn wishes_that_mean_nothing_for_a_run_are_told() {
    let folder = printer("linear-wishes");
    let options: [(&[&str], &str); 2] = [
        (
            &["--evidence", "abstract"],
            "--evidence abstract has no effect here: whether a formula of LTL",
        ),
        (
            &["--evidence-time", "5"],
            "--evidence-time has no effect here: a run",
        ),
    ];
    for (args, told) in options {
        let ran = check(&folder, &[args, &["-p", "done"]].concat());
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.out.contains(&format!("WARN  {told}")), "{}", ran.out);
        assert!(!ran.out.contains("chosen by"), "{}", ran.out);
    }
    let ran = check(&folder, &["-p", "soonest", "--count", "2", "--each"]);
    let told = "--each and --count have no effect here: COMPUTE gives a number";
    assert!(ran.out.contains(told), "{}", ran.out);
    let json = check(
        &folder,
        &["-p", "done", "--evidence", "abstract", "--format", "json"],
    );
    assert!(
        json.out.contains("\"kind\": \"unavailable-options\""),
        "{}",
        json.out
    );
    for option in [&["--each"][..], &["--environment", "jam"]] {
        let ran = check(&folder, &[&["-p", "done"], option].concat());
        assert!(!ran.out.contains("WARN"), "{}", ran.out);
    }
    let ran = check(&folder, &["-p", "done"]);
    assert!(!ran.out.contains("WARN"), "{}", ran.out);
}

#[test]
fn the_truth_of_every_part_is_shown_at_every_step() {
    let folder = printer("linear-truth");
    for args in [&["--full"][..], &["--view", "proof"]] {
        let ran = check(&folder, &[args, &["-p", "done"]].concat());
        assert!(
            ran.out.contains("what is true (T) at each step"),
            "{}",
            ran.out
        );
        assert!(ran.out.contains("order -> F !busy"), "{}", ran.out);
    }
    let ran = check(&folder, &["-p", "done", "--full", "--format", "md"]);
    assert!(
        ran.out.contains("What is true at each step:"),
        "{}",
        ran.out
    );
    let narrow = check(&folder, &["-p", "done", "--full", "--width", "30"]);
    assert!(narrow.out.lines().all(|line| line.chars().count() <= 60));
}

#[test]
fn other_commands_say_what_they_cannot_do_with_a_run() {
    let folder = printer("linear-commands");
    folder.run(&["check", "printer.smv", "--json", "saved.json", "-q"]);
    folder.run(&[
        "check",
        "printer.smv",
        "-p",
        "done",
        "--itf",
        "run.itf.json",
        "-q",
    ]);
    let ran = folder.run(&["explain", "printer.smv", "soonest"]);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(ran.err.contains("a number of steps"), "{}", ran.err);
    let ran = folder.run(&["debug", "printer.smv", "soonest"]);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(ran.err.contains("cannot be debugged"), "{}", ran.err);
    let ran = folder.run(&["shrink", "printer.smv", "soonest", "run.itf.json"]);
    assert!(
        ran.err.contains("no counterexample to shrink"),
        "{}",
        ran.err
    );
    let replayed = folder.run(&["replay", "printer.smv", "saved.json"]);
    assert!(
        replayed.out.contains("done, which failed: still shows it"),
        "{}",
        replayed.out
    );
    let diff = folder.run(&["diff", "printer.smv", "saved.json"]);
    assert_eq!(diff.code, Some(0), "{}{}", diff.out, diff.err);
}

#[test]
fn compassion_counts_in_both_logics_and_on_both_engines() {
    let folder = Folder::new("linear-compassion");
    let model = |fair: &str| {
        format!(
            "MODULE main\nVAR s : 0..2;\nASSIGN init(s) := 0;\n\
             next(s) := case s = 0 : 1; s = 1 : {{0, 2}}; TRUE : 0; esac;\n{fair}\n\
             CTLSPEC NAME branching := AG AF s = 2\nLTLSPEC NAME linear := G F s = 2\n"
        )
    };
    folder.write("strong.smv", model("COMPASSION (s = 1, s = 2)").as_bytes());
    folder.write("weak.smv", model("JUSTICE s = 1").as_bytes());
    for engine in ["explicit", "bdd"] {
        let ran = folder.run(&["check", "strong.smv", "--engine", engine]);
        assert_eq!(ran.code, Some(0), "{}", ran.out);
        let ran = folder.run(&["check", "weak.smv", "--engine", engine]);
        assert!(ran.out.contains("2 FAIL"), "{}", ran.out);
        assert!(ran.out.contains("fairness `s = 1` met"), "{}", ran.out);
    }
}

#[test]
fn old_files_are_read_by_every_command_that_reads_models() {
    let folder = Folder::new("linear-old");
    folder.write(
        "old.smv",
        b"MODULE main\nVAR on : boolean;\nASSIGN init(on) := 0; next(on) := {0, 1};\nSPEC AG (on = 0)\n",
    );
    let new = folder.run(&["check", "old.smv"]);
    assert_eq!(new.code, Some(3));
    assert!(new.err.contains("--smv-dialect old"), "{}", new.err);
    let old = ["--smv-dialect", "old"];
    let ran = folder.run(&[&["check", "old.smv", "--json", "saved.json"], &old[..]].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let hint = "wherefore check old.smv --smv-dialect old -p spec1";
    assert!(ran.out.contains(hint), "{}", ran.out);
    for command in [
        &["explain", "old.smv", "spec1", "--plain"][..],
        &["explore", "old.smv"],
        &["debug", "old.smv", "spec1"],
        &["replay", "old.smv", "saved.json"],
        &["diff", "old.smv", "saved.json"],
    ] {
        let ran = folder.run(&[command, &old[..]].concat());
        assert!(
            !matches!(ran.code, Some(2 | 3 | 70)),
            "{command:?}: {}",
            ran.err
        );
        assert_eq!(folder.run(command).code, Some(3), "{command:?}");
    }
    let unknown = folder.run(&["check", "old.smv", "--smv-dialect", "ancient"]);
    assert_eq!(unknown.code, Some(2));
    assert!(
        unknown.err.contains("there is no dialect `ancient`"),
        "{}",
        unknown.err
    );
}

#[test]
fn the_examples_with_runs_and_processes_tell_their_stories() {
    let folder = Folder::new("linear-examples");
    let stories = [
        ("crossing", "1 FAILS", "FAILS  answered", "VALUE  latest"),
        (
            "philosophers",
            "1 FAILS",
            "FAILS  never_stuck",
            "HOLDS  polite",
        ),
    ];
    for (name, count, fails, other) in stories {
        for engine in ["explicit", "bdd"] {
            folder.run(&["demo", name, "--force"]);
            let ran = folder.run(&["check", &format!("{name}.smv"), "--engine", engine]);
            assert_eq!(ran.code, Some(1), "{}", ran.err);
            for part in [count, fails, other] {
                assert!(ran.out.contains(part), "{name}: {}", ran.out);
            }
        }
    }
    let text = folder.read("philosophers.smv");
    let mended = text.replace(
        "process philosopher(fork[2], fork[0], d)",
        "process philosopher(fork[0], fork[2], d)",
    );
    assert_ne!(text, mended);
    folder.write("mended.smv", mended.as_bytes());
    assert_eq!(folder.run(&["check", "mended.smv"]).code, Some(0));
}

/// Each row says in PSL, and again in LTL, something about two values that come as they like: the two agree on every run
/// if and only if they mean the same.
#[test]
fn each_operator_of_psl_means_what_its_definition_says() {
    let same = [
        ("next p", "X p"),
        ("next! p & q", "X (p & q)"),
        ("next[3] p", "X X X p"),
        ("next_a![1:2] p", "X p & X X p"),
        ("next_e[1:2] p", "X p | X X p"),
        ("p until! q", "p U q"),
        ("p until q", "G p | (p U q)"),
        ("p until!_ q", "p U (p & q)"),
        ("p until_ q", "G p | (p U (p & q))"),
        ("p before! q", "!q U (p & !q)"),
        ("p before q", "G !q | (!q U (p & !q))"),
        ("next !p", "X !p"),
        ("p until !q", "G p | (p U !q)"),
        ("p before !q", "G q | (q U (p & q))"),
        ("eventually! !p", "F !p"),
        ("p before!_ q", "!q U p"),
        ("p before_ q", "G !q | (!q U p)"),
        ("next p until! p | q", "(X p) U (p | q)"),
        ("p -> q until! p", "p -> (q U p)"),
        ("always p -> next q", "G (p -> X q)"),
    ];
    let other = [
        ("p until q", "p U q"),
        ("p until_ q", "p until q"),
        ("p before q", "p before_ q"),
        ("next p", "p"),
    ];
    let mut model = "MODULE main\nVAR p : boolean; q : boolean;\n".to_owned();
    for (index, (psl, ltl)) in same.iter().chain(&other).enumerate() {
        model += &format!("PSLSPEC NAME row{index} := (({psl}) <-> ({ltl}));\n");
    }
    let folder = Folder::new("linear-psl");
    folder.write("psl.smv", model.as_bytes());
    let ran = folder.run(&["check", "psl.smv", "--no-vacuity"]);
    for (index, row) in same.iter().chain(&other).enumerate() {
        let verdict = if index < same.len() { "HOLDS" } else { "FAILS" };
        let told = format!("{verdict}  row{index} ");
        assert!(
            ran.out.contains(&told),
            "{row:?}:\n{}\n{}",
            ran.out,
            ran.err
        );
    }
}

#[test]
fn a_proof_walks_the_steps_of_a_run() {
    let folder = printer("linear-explain");
    let ran = folder.run(&["explain", "printer.smv", "done", "--format", "text"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let says = |text: &str| assert!(ran.out.contains(text), "{text}: {}", ran.out);
    says("#1 `G (order -> F !busy)` is false at step 0");
    says("this repeats for ever");
    says("[replayed: ok]");
    let json = folder.run(&["explain", "printer.smv", "done", "--format", "json"]);
    for rule in ["run", "goal", "continue", "branch", "state"] {
        assert!(
            json.out.contains(&format!("\"rule\": \"{rule}\"")),
            "{rule}: {}",
            json.out
        );
    }
    let holds = folder.run(&["explain", "printer.smv", "before", "--format", "text"]);
    assert_eq!(holds.code, Some(0), "{}", holds.err);
    assert!(holds.out.contains("HOLDS  before"), "{}", holds.out);
}

#[test]
fn wishes_and_counts_choose_among_runs() {
    let folder = printer("linear-chosen");
    let ran = check(&folder, &["-p", "done", "--strategy", "avoid:jam"]);
    assert!(ran.out.contains("wish `avoid:jam`: met"), "{}", ran.out);
    assert!(ran.out.contains("[chosen by: avoid:jam]"), "{}", ran.out);
    let ran = check(&folder, &["-p", "done", "--count", "3"]);
    assert!(ran.out.contains("counterexample 3 of 3"), "{}", ran.out);
    assert!(!ran.out.contains("WARN"), "{}", ran.out);
    let ran = check(
        &folder,
        &["-p", "done", "--count", "9", "--distinct-by", "0"],
    );
    assert!(!ran.out.contains("counterexample 2"), "{}", ran.out);
}

#[test]
fn a_part_that_never_matters_makes_a_property_of_runs_vacuous() {
    let folder = Folder::new("linear-vacuous");
    let text = "MODULE main VAR x : 0..3; b : boolean;\n\
        ASSIGN init(x) := 0; next(x) := x < 3 & b ? x + 1 : x;\n\
        LTLSPEC NAME never := G (x = 1 & x = 2 -> F x = 3)\n\
        LTLSPEC NAME either := G F x < 4 | F G b\n\
        PSLSPEC NAME psl := always (x = 2 & x = 1 -> eventually! b)\n\
        LTLSPEC NAME matters := F G x = 3 | F G x < 3\n";
    folder.write("v.smv", text.as_bytes());
    for engine in ["explicit", "bdd"] {
        let ran = folder.run(&["check", "v.smv", "--engine", engine, "--fail-on", "vacuous"]);
        assert_eq!(ran.code, Some(5), "{}{}", ran.out, ran.err);
        for told in [
            "`x = 1 & x = 2` is never true, so `F x = 3` has no effect",
            "`F G b` has no effect",
            "`x = 2 & x = 1` is never true, so `eventually! b` has no effect",
            "HOLDS  matters",
        ] {
            assert!(ran.out.contains(told), "{told}: {}", ran.out);
        }
    }
    let ran = folder.run(&["check", "v.smv", "--no-vacuity", "--fail-on", "vacuous"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

const CLIMB: &str = "\
MODULE main
IVAR push : boolean;
VAR x : 0..3; b : boolean;
ASSIGN
  init(x) := 0; init(b) := FALSE;
  next(x) := case b & x < 3 : x + 1; x = 3 : {1, 3}; TRUE : x; esac;
  next(b) := push;
LTLSPEC NAME live := G (x = 1 -> F x = 3)
LTLSPEC NAME lasting := F G x = 3
LTLSPEC NAME ordered := G (x = 3 -> O (x = 2 & !b))
LTLSPEC NAME parts := G (x < 3 & (b -> X !b)) & F x = 1
LTLSPEC NAME pushed := G (x = 2 -> !push)
LTLSPEC NAME calm := F G !push
";

fn climb(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.write("climb.smv", CLIMB.as_bytes());
    folder
}

#[test]
fn formulas_of_linear_time_are_debugged_whether_or_not_ctl_says_the_same() {
    let folder = climb("linear-debug");
    for property in ["live", "lasting", "ordered", "parts", "pushed", "calm"] {
        let ran = folder.run(&["debug", "climb.smv", property]);
        assert_eq!(ran.code, Some(1), "{property}: {}{}", ran.out, ran.err);
        let told = format!("FAILS  {property}");
        assert!(ran.out.contains(&told), "{}{}", ran.out, ran.err);
        let random = folder.run(&["debug", "climb.smv", property, "--random", "7"]);
        assert_eq!(random.code, Some(1), "{property}: {}", random.err);
    }
    let ran = folder.run(&["debug", "climb.smv", "ordered"]);
    let says = |text: &str| assert!(ran.out.contains(text), "{text}: {}", ran.out);
    says("some runs satisfy it, and others do not");
    says("a step is correct once every run that begins like this satisfies the property");
    says("neighbourhoods");
    let json = folder.run(&["debug", "climb.smv", "ordered", "--format", "json"]);
    assert!(json.out.contains("\"reading\": \"linear\""), "{}", json.out);
    assert!(json.out.contains("\"class\": \"safety\""), "{}", json.out);
    let ran = folder.run(&["debug", "climb.smv", "pushed"]);
    let told = "states are told apart by what was true in the step before them";
    assert!(ran.out.contains(told), "{}", ran.out);
}

#[test]
fn formulas_without_operators_may_read_the_first_step() {
    let folder = Folder::new("linear-first-step");
    let text = "MODULE main\nIVAR i : boolean; VAR p : boolean;\n\
        ASSIGN init(p) := FALSE; next(p) := i;\n\
        LTLSPEC NAME asked := i -> p\n\
        LTLSPEC NAME after := next(p) | p\n\
        LTLSPEC NAME holds := i | !p\n";
    folder.write("first.smv", text.as_bytes());
    for args in [
        &["check", "first.smv"][..],
        &["check", "first.smv", "--full", "--witness"],
    ] {
        let ran = folder.run(args);
        assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
        assert!(
            ran.out.contains("`i` holds in the first step"),
            "{}",
            ran.out
        );
        assert!(ran.out.contains("2 FAIL"), "{}", ran.out);
    }
    for property in ["asked", "after", "holds"] {
        let ran = folder.run(&["explain", "first.smv", property, "--format", "text"]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        let ran = folder.run(&["debug", "first.smv", property]);
        assert!(ran.out.contains(property), "{}{}", ran.out, ran.err);
    }
}

#[test]
fn a_trace_is_judged_by_whether_it_refutes_the_formula() {
    let folder = climb("linear-debug-trace");
    // Going round at the start for ever is a counterexample of one formula and of the other not.
    folder.write("wait.txt", b"push=FALSE\n");
    let ran = folder.run(&["debug", "climb.smv", "lasting", "--trace", "wait.txt"]);
    assert!(
        ran.out.contains("again, for ever"),
        "{}{}",
        ran.out,
        ran.err
    );
    let ran = folder.run(&["debug", "climb.smv", "ordered", "--trace", "wait.txt"]);
    let told = "the trace keeps the property: it is not broken after its 1 step";
    assert!(ran.out.contains(told), "{}{}", ran.out, ran.err);
}

#[test]
fn the_parts_of_a_formula_of_linear_time_fail_by_themselves() {
    let folder = climb("linear-each");
    let ran = folder.run(&["check", "climb.smv", "-p", "parts"]);
    let told = "3 of 3 parts fail by themselves; --each shows a run for each";
    assert!(ran.out.contains(told), "{}{}", ran.out, ran.err);
    let ran = folder.run(&[
        "check",
        "climb.smv",
        "-p",
        "parts",
        "--each",
        "--count",
        "2",
    ]);
    for told in [
        "part 1 of 3 fails: `G (x < 3)`",
        "part 2 of 3 fails: `G (b -> X !b)`",
        "part 3 of 3 fails: `F x = 1`",
    ] {
        assert!(ran.out.contains(told), "{told}: {}{}", ran.out, ran.err);
    }
    assert!(!ran.out.contains("WARN"), "{}", ran.out);
    // There is one run only on which `x` never is 1.
    assert_eq!(ran.out.matches("[replayed: ok]").count(), 5, "{}", ran.out);
}

#[test]
fn a_run_of_linear_time_is_shrunk_and_its_last_chance_says_who_had_it() {
    let folder = climb("linear-shrink");
    let write = [
        "check",
        "climb.smv",
        "-p",
        "ordered",
        "--itf",
        "run.itf.json",
        "-q",
    ];
    folder.run(&[&write[..], &["--strategy", "random:3"]].concat());
    let ran = folder.run(&["shrink", "climb.smv", "ordered", "run.itf.json"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    // The formula remembers the past, so a shorter loop might do.
    let told = "the shortest found within the states of the trace";
    assert!(ran.out.contains(told), "{}", ran.out);
    assert!(ran.out.contains("[replayed: ok]"), "{}", ran.out);
    let ran = folder.run(&["shrink", "climb.smv", "parts", "run.itf.json"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let ran = folder.run(&["check", "climb.smv", "-p", "ordered"]);
    let told = "environment could have avoided it with";
    assert!(ran.out.contains("last chance at step"), "{}", ran.out);
    assert!(ran.out.contains(told), "{}", ran.out);
    // What reads an input is decided by more than states, but that it could go on otherwise is known.
    let ran = folder.run(&["check", "climb.smv", "-p", "calm"]);
    let told = "not inevitable: from every step another run could still keep the property";
    assert!(ran.out.contains(told), "{}", ran.out);
    let ran = folder.run(&["check", "climb.smv", "-p", "pushed"]);
    let told = "`push` holds in the step after step 3";
    assert!(ran.out.contains(told), "{}", ran.out);
}
