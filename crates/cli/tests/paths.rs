//! `--paths`, and what is said where no run counts.

use crate::support::Folder;

/// A count that ends.
const COUNT: &str = "MODULE main
VAR c : 0..5;
INIT c = 0
TRANS next(c) = c + 1
SPEC NAME below := AG c < 5
SPEC NAME seven := EF c = 7
SPEC NAME five := AF c = 5
";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.write("count.smv", COUNT.as_bytes());
    folder
}

#[test]
fn a_model_whose_runs_all_end_is_not_called_right() {
    let folder = folder("paths-empty");
    for engine in ["auto", "explicit", "bdd", "sat"] {
        let check = [
            "check",
            "count.smv",
            "--engine",
            engine,
            "--fail-on",
            "vacuous",
        ];
        let ran = folder.run(&check);
        assert_eq!(ran.code, Some(5), "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("3 hold vacuously"), "{}", ran.out);
        let why = "holds, but only because no run goes on for ever: deadlock at step 5";
        assert_eq!(ran.out.matches(why).count(), 3, "{}", ran.out);
        let hint = "wherefore check count.smv --paths maximal";
        assert!(ran.out.contains(hint), "{}", ran.out);
        let md = folder.run(&[&check[..], &["--format", "md"]].concat());
        let why = "holds vacuously: only because no run goes on for ever: deadlock at step 5";
        assert_eq!(md.out.matches(why).count(), 3, "{}", md.out);
        let json = folder.run(&[&check[..], &["--format", "json"]].concat());
        assert_eq!(
            json.out.matches("\"of_nothing\"").count(),
            3,
            "{}",
            json.out
        );
    }
}

#[test]
fn a_path_rule_that_is_chosen_is_obeyed_recorded_and_used_again() {
    let folder = folder("paths-rules");
    let outcomes = [
        ("fair", "3 hold vacuously"),
        ("plain-fair", "2 hold vacuously   1 FAILS"),
        ("maximal", "1 holds   2 FAIL"),
        ("finite", "3 FAIL"),
        ("all", "1 holds vacuously   2 FAIL"),
    ];
    for (rule, counts) in outcomes {
        let check = [
            "check",
            "count.smv",
            "--paths",
            rule,
            "--json",
            "saved.json",
        ];
        let ran = folder.run(&check);
        assert!(ran.out.contains(counts), "{rule}: {}{}", ran.out, ran.err);
        let replayed = folder.run(&["replay", "count.smv", "saved.json"]);
        assert_eq!(replayed.code, Some(0), "{rule}: {}", replayed.out);
        assert!(!replayed.out.contains("no longer"), "{}", replayed.out);
    }
    let explained = folder.run(&["explain", "count.smv", "below", "--paths", "maximal"]);
    assert!(
        explained.out.contains("counterexample: 5 steps"),
        "{}",
        explained.out
    );
    let nothing = folder.run(&["explain", "count.smv", "below"]);
    assert_eq!(nothing.code, Some(0));
    assert!(
        nothing.err.contains("there is nothing to show"),
        "{}",
        nothing.err
    );
}

#[test]
fn what_has_no_path_rule_refuses_one_in_the_words_of_all_capabilities() {
    let folder = folder("paths-refused");
    folder.write("loop.aut", b"des (0, 1, 1)\n(0, \"a\", 0)\n");
    let ran = folder.run(&[
        "check",
        "loop.aut",
        "-e",
        "[true] true",
        "--paths",
        "maximal",
    ]);
    assert_eq!(ran.code, Some(2), "{}", ran.out);
    let why = "cannot be asked under another path rule; what works: check";
    assert!(ran.err.contains(why), "{}", ran.err);
    let ran = folder.run(&["check", "count.smv", "--paths", "long"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("there is no path rule `long`"),
        "{}",
        ran.err
    );
}

#[test]
fn deadlocks_that_change_a_verdict_are_told_with_it() {
    let folder = folder("paths-matter");
    let trap = "MODULE main VAR room : {hall, attic, trap};
        INIT room = hall
        TRANS room = hall & next(room) in {attic, trap} | room = attic & next(room) = hall
        SPEC NAME safe := AG room != trap
        SPEC NAME up := EF room = attic";
    folder.write("trap.smv", trap.as_bytes());
    let ran = folder.run(&["check", "trap.smv"]);
    let fails = "it fails if runs that end in a deadlock count, too (--paths maximal)";
    assert_eq!(ran.out.matches(fails).count(), 1, "{}", ran.out);
    assert!(ran.out.contains("count runs that end, too"), "{}", ran.out);
    let maximal = folder.run(&["check", "trap.smv", "--paths", "maximal"]);
    assert!(maximal.out.contains("FAILS  safe"), "{}", maximal.out);
    assert!(
        !maximal.out.contains("count runs that end, too"),
        "{}",
        maximal.out
    );
}

#[test]
fn what_is_compared_is_asked_under_the_chosen_rule() {
    let folder = folder("paths-diff");
    folder.run(&["check", "count.smv", "--json", "saved.json", "-q"]);
    let same = folder.run(&["diff", "count.smv", "saved.json"]);
    assert_eq!(same.code, Some(0), "{}{}", same.out, same.err);
    let maximal = folder.run(&["diff", "count.smv", "saved.json", "--paths", "maximal"]);
    assert_eq!(maximal.code, Some(1), "{}{}", maximal.out, maximal.err);
    // A rule that the document remembers is used, unless the command line says otherwise.
    let check = ["check", "count.smv", "--json", "saved.json", "-q"];
    folder.run(&[&check[..], &["--paths", "maximal"]].concat());
    let same = folder.run(&["diff", "count.smv", "saved.json"]);
    assert_eq!(same.code, Some(0), "{}{}", same.out, same.err);
    let fair = folder.run(&["diff", "count.smv", "saved.json", "--paths", "fair"]);
    assert_ne!(fair.out, same.out);
}
