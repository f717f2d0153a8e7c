//! `blame` for infinite-state models: the conditions that a run hinges on.

use serde_json::Value;

use crate::support::Folder;
use crate::support::infinite::has_solver;

/// A counter that shall stay below 3, with a guard that lets it go on.
const UP: &str = "\
(declare-fun c () Int) (declare-fun d () Int)
(define-fun .c () Int (! c :next d))
(define-fun .init () Bool (! (= c 0) :init true))
(define-fun .trans () Bool (! (and
   (or (< c 5) (> c 100))
   (= d (+ c 1))) :trans true))
(define-fun .low () Bool (! (< c 3) :invar-property 0))
";

#[test]
fn the_conditions_that_a_run_hinges_on_are_told() {
    if !has_solver() {
        return;
    }
    let folder = Folder::new("blame-smt");
    folder.write("up.vmt", UP.as_bytes());
    let ran = folder.run(&["blame", "up.vmt"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let guard =
        "line 5: At step 0 `(< c 5)` is TRUE; with FALSE, the next step could not be taken.";
    let said = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(guard), "{}", ran.out);
    assert!(said.contains("1 condition is excluded"), "{}", ran.out);
    assert!(
        said.contains("no changes are tried in this language"),
        "{}",
        ran.out
    );
    let ran = folder.run(&["blame", "up.vmt", "low", "--format", "json"]);
    let document: Value = serde_json::from_str(&ran.out).expect("a document");
    let property = &document["models"][0]["properties"][0];
    let places = property["blame"].as_array().expect("places");
    let guard = places
        .iter()
        .find(|place| place["line"] == 5 && place["column"] == 8);
    let guard = guard.expect("the guard is a place");
    assert_eq!(
        (&guard["role"], &guard["guarantee"]),
        (&"suspect".into(), &"open".into())
    );
    assert_eq!(guard["hinge"]["effect"], "step", "{guard}");
    assert_eq!(property["blame_search"]["excluded"], 1);
    let ran = folder.run(&["blame", "up.vmt", "low", "--write-mend", "x.vmt"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    let ran = folder.run(&["blame", "up.vmt", "high"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
}

/// A store that sells two at a time, so that it may run out.
const STOCK: &str = "MODULE main
VAR stock : integer; order : boolean;
ASSIGN
  init(stock) := 3;
  next(stock) := case
    order & stock > 1 : stock - 2;
    stock < 3 : stock + 1;
    TRUE : stock;
  esac;
INVARSPEC NAME enough := stock > 0
CTLSPEC NAME sells := EF stock = 1
";

#[test]
fn of_smv_without_bounds_solvers_say_which_changes_mend_it() {
    if !has_solver() {
        return;
    }
    let folder = Folder::new("blame-unbounded");
    folder.write("stock.smv", STOCK.as_bytes());
    let blame = ["blame", "stock.smv", "enough"];
    let ran = folder.run(&[&blame[..], &["--mend", "1", "--write-mend", "mended.smv"]].concat());
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("[2 of 2 hold]"), "{}", ran.out);
    // What is said of the change is so.
    let ran = folder.run(&["check", "mended.smv"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let ran = folder.run(&[&blame[..], &["--format", "json"]].concat());
    let document: Value = serde_json::from_str(&ran.out).expect("a document");
    let property = &document["models"][0]["properties"][0];
    let places = property["blame"].as_array().expect("places");
    let role = |line: u64| {
        let place = places.iter().find(|place| place["line"] == line);
        place.map(|place| place["role"].as_str().expect("a role").to_owned())
    };
    assert_eq!(role(6).as_deref(), Some("mend"));
    // Without the initial value there would be another run; the last branch is not taken in this one.
    assert_eq!((role(4).as_deref(), role(8)), (Some("suspect"), None));
    // A check asks solvers nothing about changes, and tells the lines that the run depends on.
    let ran = folder.run(&["check", "stock.smv", "--format", "json"]);
    let document: Value = serde_json::from_str(&ran.out).expect("a document");
    let property = &document["models"][0]["properties"][0];
    let places = property["blame"].as_array().expect("places");
    assert!(places.iter().all(|place| place["role"] == "suspect"));
    assert!(places.iter().any(|place| place["line"] == 6));
}
