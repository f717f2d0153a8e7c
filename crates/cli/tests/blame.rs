//! `blame`: what in the text is to blame for a failure, and changes that mend it.

use std::fs;

use serde_json::Value;

use crate::support::Folder;

/// A lamp that shall go off at 3, with a slip: the counter is compared with 2.
const LAMP: &str = "\
MODULE main
VAR
  on    : boolean;
  ticks : 0..4;
ASSIGN
  init(on)    := TRUE;
  init(ticks) := 0;
  next(on)    := case ticks = 2 : FALSE; TRUE : on; esac;
  next(ticks) := case on & ticks < 4 : ticks + 1; TRUE : ticks; esac;
CTLSPEC NAME lit  := AG (ticks <= 3 -> on)
CTLSPEC NAME dark := AF !on
";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("lamp.smv", LAMP.as_bytes());
    folder
}

#[test]
fn a_mend_stands_with_its_verdicts_and_its_line_before_and_after() {
    let folder = folder("blame-text");
    let ran = folder.run(&["blame", "lamp.smv", "lit"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("FAILS  lit (line 10)"), "{}", ran.out);
    assert!(ran.out.contains("[2 of 2 hold]"), "{}", ran.out);
    assert!(ran.out.contains("@@ -8 +8 @@"), "{}", ran.out);
    let before = "-  next(on)    := case ticks = 2 : FALSE; TRUE : on; esac;";
    assert!(ran.out.contains(before), "{}", ran.out);
    assert!(ran.out.contains("changes tried"), "{}", ran.out);
    // `dark` holds, and nothing is said of it.
    assert!(!ran.out.contains("dark (line"), "{}", ran.out);
}

#[test]
fn the_copy_with_a_mend_has_the_verdicts_that_were_told() {
    let folder = folder("blame-write");
    let ran = folder.run(&["blame", "lamp.smv", "lit", "--write-mend", "mended.smv"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(
        ran.err.contains("mended.smv has the model with change 1"),
        "{}",
        ran.err
    );
    let ran = folder.run(&["check", "mended.smv"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    // Every change can be written, and does what it says.
    let ran = folder.run(&["blame", "lamp.smv", "lit", "--format", "json"]);
    let document: Value = serde_json::from_str(&ran.out).expect("a document");
    let places = document["models"][0]["properties"][0]["blame"].clone();
    let mends = places.as_array().expect("places").iter();
    let mends: Vec<&Value> = mends.filter_map(|place| place.get("mend")).collect();
    assert!(mends.len() > 1, "{}", ran.out);
    for (at, mend) in mends.iter().enumerate() {
        let number = (at + 1).to_string();
        let out = format!("mended{number}.smv");
        let options = ["--mend", &number, "--write-mend", &out];
        folder.run(&[&["blame", "lamp.smv", "lit"][..], &options].concat());
        let ran = folder.run(&["check", &out, "--format", "json"]);
        let checked: Value = serde_json::from_str(&ran.out).expect("a document");
        let properties = checked["models"][0]["properties"].as_array();
        let properties = properties.expect("properties");
        assert_eq!(properties[0]["verdict"], "holds", "{mend}");
        let holding = properties.iter().filter(|p| p["verdict"] == "holds");
        assert_eq!(mend["holds"], holding.count(), "{mend}");
    }
    let text = fs::read_to_string(folder.0.join("lamp.smv")).expect("the model is there");
    assert_eq!(text, LAMP);
}

#[test]
fn the_model_itself_is_never_written() {
    let folder = folder("blame-itself");
    fs::hard_link(folder.0.join("lamp.smv"), folder.0.join("hard.smv")).expect("a link");
    let mut names = vec!["lamp.smv", "./lamp.smv", "hard.smv"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("lamp.smv", folder.0.join("soft.smv")).expect("a link");
        names.push("soft.smv");
    }
    for name in names {
        let ran = folder.run(&["blame", "lamp.smv", "lit", "--write-mend", name]);
        assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
        assert!(ran.err.contains("is the model itself"), "{}", ran.err);
    }
    let text = fs::read_to_string(folder.0.join("lamp.smv")).expect("the model is there");
    assert_eq!(text, LAMP);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let folder = folder("blame-refused");
    folder.write(
        "two.smv",
        b"MODULE main\nVAR p : boolean;\nASSIGN init(p) := FALSE; next(p) := TRUE;\n\
          CTLSPEC NAME one := AG !p\nCTLSPEC NAME two := p\nCOMPUTE NAME far := MIN [!p, p]\n",
    );
    let cases: &[(&[&str], i32, &str)] = &[
        (&["lamp.smv", "none"], 2, "there is no property `none`"),
        (
            &["lamp.smv", "lit", "--mend", "99"],
            2,
            "there is no change 99",
        ),
        (&["lamp.smv", "lit", "--mend", "0"], 2, "1 or more"),
        (&["lamp.smv", "--budget", "0"], 2, "above 0"),
        (&["lamp.smv", "--budget", "nan"], 2, "above 0"),
        (&["lamp.smv", "--write-mend", "-"], 2, "`-` is not a file"),
        (
            &["lamp.smv", "--from", "on"],
            2,
            "--from does not go with blame",
        ),
        (
            &["two.smv", "--write-mend", "out.smv"],
            2,
            "several properties fail: one, two",
        ),
        (&["two.smv", "far"], 4, "a number does not fail"),
        (&["lamp.smv", "-e", "AG ("], 2, "error"),
        (&["lamp.smv", "--timeout", "0"], 4, "since"),
        (&["missing.smv"], 2, "missing.smv"),
    ];
    for (options, code, said) in cases {
        let ran = folder.run(&[&["blame"][..], options].concat());
        let all = format!("{options:?}: {:?}\n{}{}", ran.code, ran.out, ran.err);
        assert_eq!(ran.code, Some(*code), "{all}");
        assert!(ran.err.contains(said), "{all}");
    }
    assert!(!folder.0.join("out.smv").exists());
}

#[test]
fn nothing_is_to_blame_for_what_holds() {
    let folder = folder("blame-holds");
    let ran = folder.run(&["blame", "lamp.smv", "dark", "--write-mend", "out.smv"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("the property holds: nothing is to blame"),
        "{}",
        ran.out
    );
    assert!(
        ran.err
            .contains("nothing is written, since no property fails"),
        "{}",
        ran.err
    );
    assert!(!folder.0.join("out.smv").exists());
}

#[test]
fn what_was_not_tried_is_told() {
    let folder = folder("blame-effort");
    let ran = folder.run(&["blame", "lamp.smv", "lit", "--budget", "0.0001"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    // A line may end anywhere.
    let words: Vec<&str> = ran.out.split_whitespace().collect();
    let said = words.join(" ");
    assert!(
        said.contains("not tried, since the effort was spent"),
        "{said}"
    );
    let ran = folder.run(&["blame", "lamp.smv", "--format", "json"]);
    let document: Value = serde_json::from_str(&ran.out).expect("a document");
    let search = &document["models"][0]["properties"][0]["blame_search"];
    assert_eq!(search["untried"], 0, "{search}");
    assert!(search["tried"].as_u64() > Some(0), "{search}");
}

#[test]
fn a_change_with_which_a_property_holds_vacuously_says_so_and_comes_later() {
    let folder = Folder::new("blame-vacuous");
    folder.write(
        "bell.smv",
        b"MODULE main\nVAR pressed : boolean; rings : boolean;\nASSIGN\n\
          init(pressed) := FALSE;\ninit(rings) := FALSE;\n\
          next(pressed) := {TRUE, FALSE};\n\
          next(rings) := case pressed : FALSE; TRUE : rings; esac;\n\
          CTLSPEC NAME heard := AG (pressed -> AX rings)\n",
    );
    let ran = folder.run(&["blame", "bell.smv"]);
    let first = ran.out.lines().find(|line| line.contains(" 1. line"));
    let wanted = "   1. line 7: `FALSE` \u{2192} `TRUE` [1 of 1 hold]";
    assert_eq!(first, Some(wanted), "{}", ran.out);
    let silent = "`TRUE` \u{2192} `FALSE` [1 of 1 hold; `heard` vacuously]";
    let words: Vec<&str> = ran.out.split_whitespace().collect();
    assert!(words.join(" ").contains(silent), "{}", ran.out);
    let ran = folder.run(&["blame", "bell.smv", "--format", "json"]);
    let document: Value = serde_json::from_str(&ran.out).expect("a document");
    let places = document["models"][0]["properties"][0]["blame"].clone();
    let places = places.as_array().expect("places");
    let vacuous = places
        .iter()
        .filter(|place| place["mend"]["vacuous"][0] == "heard");
    assert!(vacuous.count() >= 1, "{places:?}");
}

#[test]
fn check_does_not_look_where_nobody_wants_it() {
    let folder = folder("blame-not-wanted");
    let ran = folder.run(&["check", "lamp.smv"]);
    assert!(ran.out.contains("To blame:"), "{}", ran.out);
    let ran = folder.run(&["check", "lamp.smv", "--no-blame"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(!ran.out.contains("To blame:"), "{}", ran.out);
    let ran = folder.run(&["check", "lamp.smv", "--no-blame", "--format", "json"]);
    let document: Value = serde_json::from_str(&ran.out).expect("a document");
    let property = &document["models"][0]["properties"][0];
    assert_eq!(property["verdict"], "fails");
    assert!(property.get("blame").is_none() && property.get("blame_search").is_none());
}

#[test]
fn a_formula_of_the_command_line_is_blamed_on_the_text_too() {
    let folder = folder("blame-formula");
    let ran = folder.run(&["blame", "lamp.smv", "-e", "AG (ticks = 3 -> on)"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("[3 of 3 hold]"), "{}", ran.out);
}

#[test]
fn markdown_has_the_changes_too() {
    let folder = folder("blame-markdown");
    let ran = folder.run(&["blame", "lamp.smv", "--format", "md"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("# lamp.smv\n"), "{}", ran.out);
    assert!(ran.out.contains("## lit (line 10)"), "{}", ran.out);
    assert!(ran.out.contains("@@ -8 +8 @@"), "{}", ran.out);
}

#[test]
fn causes_are_marked_where_they_are_asked_for_and_in_documents() {
    let folder = folder("causes");
    let plain = folder.run(&["check", "lamp.smv"]);
    assert!(!plain.out.contains('•'), "{}", plain.out);
    let marked = folder.run(&["check", "lamp.smv", "--causes", "--dot", "lamp.dot"]);
    // The lamp goes off where the counter is 3: both values matter there, and no other.
    assert_eq!(marked.out.matches('•').count(), 3, "{}", marked.out);
    assert!(marked.out.contains("•on: TRUE → FALSE"), "{}", marked.out);
    assert!(marked.out.contains("•ticks: 2 → 3"), "{}", marked.out);
    assert!(
        marked.out.contains("• the failure depends on this value"),
        "{}",
        marked.out
    );
    let graph = fs::read_to_string(folder.0.join("lamp.dot")).expect("a graph");
    assert!(graph.contains("•on=FALSE"), "{graph}");
    assert_eq!(graph.matches("fillcolor").count(), 1, "{graph}");
    folder.run(&["check", "lamp.smv", "--export", "lamp.vcd"]);
    let wave = fs::read_to_string(folder.0.join("lamp.vcd")).expect("a wave");
    let (_, causes) = wave
        .split_once("$scope module cause $end")
        .expect("a scope");
    let (causes, _) = causes.split_once("$upscope").expect("its end");
    assert_eq!(causes.matches("$var wire 1").count(), 2, "{wave}");
    let ran = folder.run(&["check", "lamp.smv", "--format", "json"]);
    let document: Value = serde_json::from_str(&ran.out).expect("a document");
    let causes = document["models"][0]["properties"][0]["evidence"]["causes"].clone();
    let causes = causes.as_array().expect("causes").iter();
    let causes: Vec<(u64, &str)> = causes
        .map(|cause| {
            assert_eq!(cause["exact"], true, "{cause}");
            let (state, variable) = (cause["state"].as_u64(), cause["variable"].as_str());
            (state.expect("a state"), variable.expect("a variable"))
        })
        .collect();
    assert_eq!(causes, [(3, "on"), (3, "ticks")]);
}

/// A lamp that never burns: the switch that would light it is never on, and neither is the power.
const DARK: &str = "\
MODULE main
VAR
  switch : boolean;
  power  : boolean;
ASSIGN
  init(switch) := FALSE;
  next(switch) := FALSE;
  init(power)  := FALSE;
  next(power)  := FALSE;
DEFINE
  burns := switch & power;
CTLSPEC NAME light := EF (switch & power)
";

#[test]
fn what_no_single_place_can_mend_two_may() {
    let folder = Folder::new("blame-pairs");
    folder.write("dark.smv", DARK.as_bytes());
    let said = |options: &[&str]| {
        let ran = folder.run(&[&["blame", "dark.smv", "light"][..], options].concat());
        assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
        ran.out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let alone = said(&[]);
    assert!(alone.contains("no single place can mend it"), "{alone}");
    assert!(!alone.contains("together"), "{alone}");
    let pairs = said(&["--pairs"]);
    let wanted = "line 7: `FALSE` and line 9: `FALSE` can mend it together, neither can alone";
    assert!(pairs.contains(wanted), "{pairs}");
    let ran = folder.run(&["blame", "dark.smv", "--pairs", "--format", "json"]);
    let document: Value = serde_json::from_str(&ran.out).expect("a document");
    let search = &document["models"][0]["properties"][0]["blame_search"];
    assert_eq!(search["no_others"], true, "{search}");
    let pairs = search["pairs"].as_array().expect("pairs");
    assert!(
        pairs.iter().any(|p| p["first"] == 7 && p["second"] == 9),
        "{search}"
    );
}

#[test]
fn a_place_that_can_mend_is_told_with_the_step_that_hinges_on_it() {
    let folder = folder("blame-able");
    // Only an expression that counts further mends it, and no change that is tried does.
    let text = LAMP.replace(
        "ticks = 2 : FALSE; TRUE : on",
        "on & ticks >= 0 & ticks <= 4 : FALSE; TRUE : on",
    );
    folder.write("lamp.smv", text.as_bytes());
    let ran = folder.run(&["blame", "lamp.smv", "lit", "--format", "json"]);
    let document: Value = serde_json::from_str(&ran.out).expect("a document");
    let property = &document["models"][0]["properties"][0];
    let places = property["blame"].as_array().expect("places");
    for place in places {
        let guarantee = place["guarantee"].as_str().expect("a guarantee");
        assert_eq!(
            place.get("mend").is_some(),
            guarantee == "mended",
            "{place}"
        );
        assert_ne!(guarantee, "open", "{place}");
    }
    assert_eq!(property["blame_search"]["no_others"], true, "{property}");
    // The lamp goes off in the first step, since the condition is true at step 0.
    let condition = places.iter().find(|place| place["line"] == 8);
    let hinge = &condition.expect("the line is named")["hinge"];
    assert_eq!(hinge["state"], 0, "{hinge}");
    assert_eq!(hinge["effect"], "step", "{hinge}");
}
