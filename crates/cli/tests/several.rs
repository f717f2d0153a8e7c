//! `check --each`, `--count` and `--distinct-by`.

use crate::support::Folder;

#[test]
fn each_part_that_fails_gets_a_run_of_its_own() {
    let folder = Folder::new("several-each");
    let formula = "AG (lamp = off & (lamp = on -> lamp = off) & TRUE)";
    let ran = folder.run(&["check", "lamp.smv", "-e", formula]);
    assert_eq!(ran.code, Some(1));
    let line = "2 of 3 parts fail by themselves; --each shows a run for each";
    assert!(ran.out.contains(line), "{}", ran.out);
    let ran = folder.run(&["check", "lamp.smv", "-e", formula, "--each"]);
    assert_eq!(ran.code, Some(1));
    for heading in ["part 1 of 3 fails: `AG ", "part 2 of 3 fails: `AG "] {
        assert!(ran.out.contains(heading), "{}", ran.out);
    }
    assert!(!ran.out.contains("part 3 of 3"), "{}", ran.out);
}

#[test]
fn different_runs_are_numbered_and_the_end_is_told() {
    let folder = Folder::new("several-count");
    let ran = folder.run(&["check", "lamp.smv", "-e", "AG lamp = off", "--count", "9"]);
    assert_eq!(ran.code, Some(1));
    let ended = ran.out.contains("there is no other counterexample")
        || ran.out.contains("there are no more: every other run");
    assert!(ended, "{}", ran.out);
    let json = ["--count", "9", "--format", "json"];
    let ran = folder.run(&[&["check", "lamp.smv", "-e", "AG lamp = off"], &json[..]].concat());
    assert!(
        ran.out.contains("\"no_more\": \"all-found\""),
        "{}",
        ran.out
    );
}

#[test]
fn nonsense_is_refused() {
    let folder = Folder::new("several-wrong");
    for args in [
        ["--count", "0"],
        ["--count", "many"],
        ["--count", "-1"],
        ["--distinct-by", "lampp"],
        ["--distinct-by", "next(lamp)"],
    ] {
        let ran = folder.run(&[&["check", "lamp.smv"], &args[..]].concat());
        assert_eq!(ran.code, Some(2), "{args:?} {}{}", ran.out, ran.err);
        assert!(!ran.err.contains("panicked"), "{args:?} {}", ran.err);
    }
}

#[test]
fn astronomically_many_counterexamples_end_quickly_with_as_many_as_wanted() {
    let folder = Folder::new("several-many");
    let free: String = (0..40).map(|n| format!("  b{n} : boolean;\n")).collect();
    let model = format!(
        "MODULE main\nVAR\n  n : 0..9;\n{free}ASSIGN\n  init(n) := 0;\n  next(n) := case n < 9 : n + 1; TRUE : 9; esac;\nCTLSPEC AG n != 9\n"
    );
    folder.write("many.smv", model.as_bytes());
    let ran = folder.run(&["check", "many.smv", "--count", "5", "--vars", "^n$"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("counterexample 5 of 5"), "{}", ran.out);
    let limited = ["--count", "1000000", "--timeout", "3", "--vars", "^n$"];
    let ran = folder.run(&[&["check", "many.smv"], &limited[..]].concat());
    // How many are found in that time, and whether all of them are printed, is up to the machine.
    assert!(matches!(ran.code, Some(1 | 4)), "{}", ran.err);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
}
