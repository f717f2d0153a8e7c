//! Evidence about labelled transition systems as a graph for Graphviz.

use std::fmt::Write;

use wherefore_evidence::OccurrenceId;

use super::{Report, SystemTelling};
use crate::dot::quoted;
use crate::words::clean;

/// The evidence of all findings as one graph: a cluster for each property, a node for each occurrence of
/// a state, and actions beside the arrows.
pub fn render(report: &Report<'_>) -> String {
    let mut out = String::from("digraph wherefore {\n");
    out.push_str("  node [shape=box, style=rounded, fontname=\"monospace\"];\n");
    out.push_str("  edge [fontname=\"monospace\"];\n");
    for (at, finding) in report.findings.iter().enumerate() {
        if let Some(telling) = SystemTelling::of(*report, finding) {
            cluster(&mut out, &telling, at);
        }
    }
    out.push_str("}\n");
    out
}

fn cluster(out: &mut String, telling: &SystemTelling<'_>, at: usize) {
    let property = telling.property;
    let title = format!(
        "{}: {}",
        telling.report.title(property),
        clean(&property.text)
    );
    let node = |id: OccurrenceId| format!("e{at}_s{}", id.index());
    let _ = writeln!(out, "  subgraph cluster_{at} {{");
    let _ = writeln!(out, "    label={};", quoted(&title));
    for id in telling.evidence.occurrences.ids() {
        let first = if id.index() == 0 { ", penwidth=2" } else { "" };
        let label = quoted(&format!("{}\nstate {}", id.index(), telling.state(id)));
        let _ = writeln!(out, "    {} [label={label}{first}];", node(id));
    }
    for edge in &telling.evidence.edges {
        let beside = telling.evidence.segments.iter().any(|segment| {
            !segment.main
                && segment.from == Some(edge.from)
                && segment.states.first() == Some(&edge.to)
        });
        let style = if beside { ", style=dashed" } else { "" };
        let label = quoted(&telling.label(&edge.input));
        let (from, to) = (node(edge.from), node(edge.to));
        let _ = writeln!(out, "    {from} -> {to} [label={label}{style}];");
    }
    for (id, region) in telling.evidence.regions.entries() {
        let name = format!("e{at}_region{}", id.index());
        let label = quoted(&telling.region(region).to_string());
        let _ = writeln!(
            out,
            "    {name} [label={label}, peripheries=2, style=solid];"
        );
        let from = node(region.at);
        let _ = writeln!(out, "    {from} -> {name} [style=dotted, arrowhead=none];");
    }
    out.push_str("  }\n");
}
