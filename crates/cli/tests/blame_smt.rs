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
