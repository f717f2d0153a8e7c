//! Evidence as a plain graph: what its nodes and arrows are called.

use std::fmt::Write;

use wherefore_evidence::{Edge, OccurrenceId};

use crate::words::Telling;

/// What a node shows: its number, all values at the first occurrence and changes later.
pub(crate) fn lines(telling: &Telling<'_>, id: OccurrenceId) -> Vec<String> {
    let report = &telling.report;
    let before = telling.evidence.edges.iter();
    let before = before
        .filter(|edge| edge.to == id && edge.from < id)
        .map(|edge| edge.from);
    let old = before.min().map(|from| telling.values(from));
    let new = telling.values(id);
    let mut lines = vec![id.index().to_string()];
    for thing in report.things(false) {
        if old.is_none_or(|old| thing.change(old, new).is_some()) {
            let value = report.thing_value(thing, new);
            lines.push(format!("{}={value}", report.thing_name(thing)));
        }
    }
    lines
}

/// What a step is called: by its input, or else by what it changes.
pub(crate) fn label(telling: &Telling<'_>, edge: &Edge) -> String {
    let report = &telling.report;
    let input = report.input_text(&edge.input);
    if !input.is_empty() {
        return input;
    }
    let (old, new) = (telling.values(edge.from), telling.values(edge.to));
    let things = report.things(false).into_iter();
    let changed = things.filter(|thing| thing.change(old, new).is_some());
    let changes: Vec<_> = changed
        .map(|thing| report.thing_change(thing, old, new))
        .collect();
    match changes.is_empty() {
        true => "nothing changes".into(),
        false => changes.join(", "),
    }
}

/// The graph as a labelled transition system.
pub(crate) fn aut(telling: &Telling<'_>) -> String {
    let edges = &telling.evidence.edges;
    let states = telling.evidence.occurrences.len();
    let mut out = format!("des (0, {}, {states})\n", edges.len());
    for edge in edges {
        let label = label(telling, edge).replace('"', "'");
        let (from, to) = (edge.from.index(), edge.to.index());
        let _ = writeln!(out, "({from}, \"{label}\", {to})");
    }
    out
}
