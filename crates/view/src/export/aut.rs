//! AUT, and AUT with tags for the visualizer of Barbon, Leroy and Salaün (2019).
//!
//! `(12:N:GR, "LOSS":RED, 15)`: the source with the type of its neighbourhood, the label with its tag, the
//! target; what lies outside is -1 and counts as a state. Neither format has escapes: a quote in a label stays as
//! it is (readers take the outermost ones), a line break becomes a space.

use std::borrow::Cow;
use std::io::{self, Write};

use super::graph::{ExportGraph, ExportRole};

/// Writes the graph as a labelled transition system, without tags or with them and with what lies outside.
pub(super) fn write<G: ExportGraph>(
    graph: &G,
    tagged: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let belongs = |role: ExportRole| match role {
        ExportRole::Member => true,
        ExportRole::Outside => tagged,
        ExportRole::Remark => false,
    };
    let (mut states, mut outside) = (i64::from(!tagged), 0);
    for node in graph.nodes().filter(|node| belongs(node.role)) {
        states = states.max(node.number + 1);
        outside += i64::from(node.number < 0);
    }
    let edges = || graph.edges().filter(|edge| belongs(edge.role));
    let (initial, transitions) = (graph.initial().unwrap_or(0), edges().count());
    writeln!(out, "des ({initial}, {transitions}, {})", states + outside)?;
    for edge in edges() {
        let (from, to, label) = (edge.from, edge.to, on_a_line(&edge.label));
        let (kind, tag) = if tagged { edge.tags } else { ("", "") };
        writeln!(out, "({from}{kind}, \"{label}\"{tag}, {to})")?;
    }
    Ok(())
}

fn on_a_line(label: &str) -> Cow<'_, str> {
    match label.contains(char::is_control) {
        true => label.replace(char::is_control, " ").into(),
        false => label.into(),
    }
}
