//! What is listed as a change, and that each is a text that means what it says.

use std::collections::BTreeSet;

use wherefore_base::{SourceFile, SourceMap};
use wherefore_model::ChangeKind;

/// The changed texts of one kind in which a line differs, by that line.
fn changed(text: &str, kind: ChangeKind, line: usize) -> BTreeSet<String> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("model.smv", text));
    let changes = super::changes(&sources, file);
    let of_kind = changes.iter().filter(|change| change.kind == kind);
    let lines = of_kind.filter(|change| sources.place(change.span).line == line);
    let texts = lines.map(|change| {
        let (start, end) = (change.span.start as usize, change.span.end as usize);
        let whole = [&text[..start], &change.text, &text[end..]].concat();
        let line = whole.lines().nth(line - 1).expect("the line is there");
        line.trim().to_owned()
    });
    texts.collect()
}

const DOOR: &str = "MODULE main
VAR open : boolean; locked : boolean; state : {idle, busy};
ASSIGN
  next(open) := case
    locked : FALSE;
    state = idle & !locked | open : TRUE;
    TRUE : open;
  esac;
INVAR state = idle | locked -> open
TRANS (open -> next(open)) | state = busy & !next(locked)
";

#[test]
fn conditions_are_strengthened_and_weakened_by_names_and_comparisons() {
    let found = changed(DOOR, ChangeKind::Added, 5);
    for wanted in [
        "locked & !open : FALSE;",
        "locked | open : FALSE;",
        "locked & state = idle : FALSE;",
    ] {
        assert!(found.contains(wanted), "{wanted}: {found:?}");
    }
    // What a condition says already is not added to it, and a value is no condition.
    for unwanted in [
        "locked & locked : FALSE;",
        "locked & !locked : FALSE;",
        "locked & idle : FALSE;",
    ] {
        assert!(!found.contains(unwanted), "{unwanted}");
    }
}

#[test]
fn what_binds_less_than_the_new_connective_gets_parentheses() {
    let found = changed(DOOR, ChangeKind::Added, 6);
    let strengthened = "(state = idle & !locked | open) & state = busy : TRUE;";
    let weakened = "state = idle & !locked | open | state = busy : TRUE;";
    assert!(found.contains(strengthened), "{found:?}");
    assert!(found.contains(weakened), "{found:?}");
    let found = changed(DOOR, ChangeKind::Added, 9);
    assert!(
        found.contains("INVAR (state = idle | locked -> open) & state = busy"),
        "{found:?}"
    );
}

#[test]
fn each_case_of_a_constraint_gets_a_further_conjunct() {
    let found = changed(DOOR, ChangeKind::Added, 10);
    for wanted in [
        "TRANS ((open -> next(open)) & locked) | state = busy & !next(locked)",
        "TRANS (open -> next(open)) | state = busy & !next(locked) & !open",
    ] {
        assert!(found.contains(wanted), "{wanted}: {found:?}");
    }
}
