//! Evidence as a state diagram for Mermaid, which many pages with Markdown show as a picture.

use std::fmt::Write;

use super::graph::EvidenceGraph;
use crate::words::clean;

/// The diagram.
pub(crate) fn render(graph: &dyn EvidenceGraph) -> String {
    let mut out = String::from("stateDiagram-v2\n");
    let evidence = graph.evidence();
    for id in evidence.occurrences.ids() {
        let _ = writeln!(out, "  s{} : {}", id.index(), label(&graph.caption(id)));
    }
    out.push_str("  [*] --> s0\n");
    for edge in &evidence.edges {
        let _ = write!(out, "  s{} --> s{}", edge.from.index(), edge.to.index());
        let text = graph.changes(edge);
        if !text.is_empty() {
            let _ = write!(out, " : {}", label(&text));
        }
        out.push('\n');
    }
    for (id, region) in evidence.regions.entries() {
        let (id, at) = (id.index(), region.at.index());
        let text = format!("a region of {} states", region.size);
        let _ = writeln!(out, "  r{id} : {text}\n  s{at} --> r{id}");
    }
    out
}

/// A label of Mermaid: the letters its grammar takes for something else become entities.
fn label(text: &str) -> String {
    let mut label = String::new();
    for c in clean(text).chars() {
        if matches!(
            c,
            '#' | ';' | ':' | '"' | '<' | '>' | '{' | '}' | '[' | ']' | '`' | '%' | '\\' | '&'
        ) {
            let _ = write!(label, "#{};", u32::from(c));
        } else {
            label.push(c);
        }
    }
    label
}
