//! Evidence as a graph for Graphviz.
//!
//! One cluster for each property with evidence. A node is an occurrence of a state and shows what
//! changed; runs that branch off are dashed and say which sub-formula they serve; a region is a node
//! with a double border.

use std::fmt::Write;

use wherefore_evidence::{OccurrenceId, Segment};

use crate::Report;
use crate::export::graph::{EvidenceGraph, ModelGraph};
use crate::words::{Telling, clean};

/// The evidence of all findings as one graph.
pub fn render(report: &Report<'_>) -> String {
    let clusters = report
        .findings
        .iter()
        .enumerate()
        .filter_map(|(at, finding)| {
            let telling = &Telling::of(*report, finding)?;
            let property = report.property(finding);
            let title = format!("{}: {}", report.title(property), clean(&property.text));
            let graph = ModelGraph { telling, property };
            Some(cluster(&graph, &title, at))
        });
    document(clusters)
}

/// Clusters as one graph.
pub(crate) fn document(clusters: impl Iterator<Item = String>) -> String {
    let mut out = String::from("digraph wherefore {\n");
    out.push_str("  node [shape=box, style=rounded, fontname=\"monospace\"];\n");
    out.push_str("  edge [fontname=\"monospace\"];\n");
    out.extend(clusters);
    out.push_str("}\n");
    out
}

/// The evidence of a property as a part of a graph.
pub(crate) fn cluster(graph: &dyn EvidenceGraph, title: &str, at: usize) -> String {
    let evidence = graph.evidence();
    let node = |id: OccurrenceId| format!("e{at}_s{}", id.index());
    let mut out = format!("  subgraph cluster_{at} {{\n    label={};\n", quoted(title));
    for id in evidence.occurrences.ids() {
        let first = if id.index() == 0 { ", penwidth=2" } else { "" };
        let label = quoted(&graph.lines(id).join("\n"));
        let _ = writeln!(out, "    {} [label={label}{first}];", node(id));
    }
    for edge in &evidence.edges {
        let branches = |segment: &&Segment| {
            let starts =
                segment.from == Some(edge.from) && segment.states.first() == Some(&edge.to);
            !segment.main && starts
        };
        let branch = evidence.segments.iter().find(branches);
        let serves = branch.map(|segment| graph.serves(segment));
        let style = if serves.is_some() {
            ", style=dashed"
        } else {
            ""
        };
        let texts = [graph.arrow(edge), serves.unwrap_or_default()];
        let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        let (from, to, label) = (node(edge.from), node(edge.to), quoted(&texts.join("\n")));
        let _ = writeln!(out, "    {from} -> {to} [label={label}{style}];");
    }
    for (id, region) in evidence.regions.entries() {
        let mut label = graph.region(region).replace("; ", "\n");
        for cube in graph.cover(region) {
            let _ = write!(label, "\n{cube}");
        }
        let (name, label) = (format!("e{at}_region{}", id.index()), quoted(&label));
        let from = node(region.at);
        let _ = writeln!(
            out,
            "    {name} [label={label}, peripheries=2, style=solid];"
        );
        let _ = writeln!(out, "    {from} -> {name} [style=dotted, arrowhead=none];");
    }
    out.push_str("  }\n");
    out
}

/// A string of DOT. Lines are set to the left.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        for c in line.chars() {
            match c {
                '"' => quoted.push_str("\\\""),
                '\\' => quoted.push_str("\\\\"),
                _ => quoted.push(c),
            }
        }
        if lines.peek().is_some() || text.contains('\n') {
            quoted.push_str("\\l");
        }
    }
    quoted.push('"');
    quoted
}
