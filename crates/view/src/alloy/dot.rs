//! An instance as a graph for Graphviz.
//!
//! The top-level signatures have shapes of their own, so colour says nothing that is not said without
//! it. Witnesses of the command have a double border, their arrows are dashed. The states of a trace are
//! clusters of one graph.

use std::fmt::Write;

use wherefore_relational::UniverseAtomId;

use super::graph::{InstanceGraph, InstanceState};
use super::{ShownInstance, svg};
use crate::dot::quoted;

/// The instance as one graph.
pub fn render(instance: &ShownInstance<'_>) -> String {
    let graph = InstanceGraph::new(instance);
    let mut out = String::from("digraph instance {\n");
    out.push_str("  node [fontname=\"monospace\", style=filled];\n");
    out.push_str("  edge [fontname=\"monospace\"];\n");
    for (at, state) in graph.states.iter().enumerate() {
        match &state.heading {
            Some(heading) => {
                let _ = writeln!(out, "  subgraph cluster_{at} {{");
                let _ = writeln!(out, "    label={};", quoted(heading));
                self::state(&mut out, state, at, "    ");
                out.push_str("  }\n");
            }
            None => self::state(&mut out, state, at, "  "),
        }
    }
    out.push_str("}\n");
    out
}

/// The shapes of signatures, as Graphviz knows them; see [`svg`] for how we draw them.
const SHAPES: [&str; svg::KINDS] = [
    "ellipse",
    "box",
    "hexagon",
    "octagon",
    "parallelogram",
    "trapezium",
    "invtrapezium",
    "house",
];

fn state(out: &mut String, state: &InstanceState, at: usize, indent: &str) {
    let name = |atom: UniverseAtomId| format!("s{at}_a{}", atom.index());
    for (&atom, node) in &state.nodes {
        let lines = std::iter::once(&node.title).chain(&node.lines);
        let lines: Vec<&str> = lines.map(String::as_str).collect();
        let label = centred(&lines);
        let (shape, fill) = (SHAPES[node.kind % svg::KINDS], svg::fill(node.kind));
        let witness = if node.witness { ", peripheries=2" } else { "" };
        let _ = writeln!(
            out,
            "{indent}{} [label={label}, shape={shape}, fillcolor=\"{fill}\"{witness}];",
            name(atom)
        );
    }
    for (ends, edge) in &state.edges {
        let labels: Vec<&str> = edge.labels.iter().map(String::as_str).collect();
        let label = centred(&labels);
        let witness = if ends.witness { ", style=dashed" } else { "" };
        let both = if edge.both { ", dir=both" } else { "" };
        let _ = writeln!(
            out,
            "{indent}{} -> {} [label={label}{witness}{both}];",
            name(ends.from),
            name(ends.to)
        );
    }
}

/// A string of DOT with its lines in the middle.
fn centred(lines: &[&str]) -> String {
    let quoted: Vec<String> = lines.iter().map(|line| quoted(line)).collect();
    let inner = quoted.iter().map(|line| &line[1..line.len() - 1]);
    format!("\"{}\"", inner.collect::<Vec<_>>().join("\\n"))
}
