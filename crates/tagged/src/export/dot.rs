//! Graphviz: tags as colours and as strokes, types of neighbourhoods as shapes.

use std::io::{self, Write};

use super::{all_steps, has_sink, target};
use crate::tagged::{NeighbourhoodKind, Tagged, ZoneTag};

/// Writes the graph. A node has its number, and after `@` that of its state in the system. Correct steps are green and dashed, incorrect ones red and bold, neutral ones grey.
pub fn dot(graph: &Tagged<'_>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "digraph counterexamples {{")?;
    writeln!(out, "  rankdir=LR;")?;
    writeln!(out, "  node [shape=circle, fontname=\"sans-serif\"];")?;
    writeln!(out, "  edge [fontname=\"sans-serif\", fontsize=10];")?;
    if graph.initial().is_some() {
        writeln!(out, "  start [shape=point];")?;
        writeln!(out, "  start -> 0;")?;
    }
    for node in graph.nodes() {
        let (id, state) = (node.index(), graph.pair(node).state.index());
        let kind = graph.kind(node);
        let (shape, fill) = match kind {
            None => ("circle", "#ffffff"),
            Some(NeighbourhoodKind::Cn) => ("triangle", "#d9f0d3"),
            Some(NeighbourhoodKind::In) => ("invtriangle", "#fddbc7"),
            Some(NeighbourhoodKind::Ci) => ("diamond", "#fff3b0"),
            Some(NeighbourhoodKind::Cin) => ("hexagon", "#e6dcf5"),
        };
        let lines = if graph.accepting(node) {
            ", peripheries=2"
        } else {
            ""
        };
        match kind {
            None => writeln!(out, "  {id} [label=\"{id}\\n@{state}\"{lines}];")?,
            Some(kind) => writeln!(
                out,
                "  {id} [label=\"{id}\\n@{state}\\n{}\", shape={shape}, style=filled, fillcolor=\"{fill}\"{lines}];",
                kind.name()
            )?,
        }
    }
    if has_sink(graph) {
        writeln!(
            out,
            "  sink [label=\"safe\", shape=box, style=\"rounded,dashed\"];"
        )?;
    }
    for (_, from, step) in all_steps(graph) {
        let (colour, style) = match step.tag {
            ZoneTag::Correct => ("#1b7837", "dashed"),
            ZoneTag::Incorrect => ("#b2182b", "bold"),
            ZoneTag::Neutral => ("#555555", "solid"),
        };
        let to = match target(&step) {
            -1 => "sink".to_string(),
            to => to.to_string(),
        };
        let label = escaped(&graph.label(step.label).text);
        writeln!(
            out,
            "  {} -> {to} [label=\"{label}\", color=\"{colour}\", fontcolor=\"{colour}\", style={style}];",
            from.index()
        )?;
    }
    writeln!(out, "}}")
}

fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            c if c.is_control() => result.push(' '),
            c => result.push(c),
        }
    }
    result
}
