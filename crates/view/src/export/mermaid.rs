//! A state diagram for Mermaid, which many pages with Markdown show as a picture.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::graph::{ExportGraph, identifier};
use crate::words::clean;

/// Writes the diagram.
pub(super) fn write<G: ExportGraph>(graph: &G, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "stateDiagram-v2")?;
    for node in graph.nodes() {
        let caption = node.caption.unwrap_or_else(|| node.lines.join(" "));
        let (name, caption) = (identifier(graph, node.number), label(&caption));
        writeln!(out, "  {name} : {caption}")?;
    }
    if let Some(initial) = graph.initial() {
        writeln!(out, "  [*] --> {}", identifier(graph, initial))?;
    }
    for edge in graph.edges() {
        let (from, to) = (identifier(graph, edge.from), identifier(graph, edge.to));
        write!(out, "  {from} --> {to}")?;
        let text = edge.changes.as_deref().unwrap_or(&edge.label);
        if !text.is_empty() {
            write!(out, " : {}", label(text))?;
        }
        writeln!(out)?;
    }
    Ok(())
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
