//! Evidence as a graph for Graphviz.
//!
//! One cluster for each property with evidence. A node is an occurrence of a state and shows what
//! changed; runs that branch off are dashed and say which sub-formula they serve; a region is a node
//! with a double border.

use std::fmt::Write;

use wherefore_evidence::{Claim, Evidence, Finding, OccurrenceId};

use crate::Report;
use crate::phrases::region_text;
use crate::words::{Telling, clean};

/// The evidence of all findings as one graph.
pub fn render(report: &Report<'_>) -> String {
    let mut out = String::from("digraph wherefore {\n");
    out.push_str("  node [shape=box, style=rounded, fontname=\"monospace\"];\n");
    out.push_str("  edge [fontname=\"monospace\"];\n");
    for (at, finding) in report.findings.iter().enumerate() {
        if let Some(telling) = Telling::of(*report, finding) {
            cluster(&mut out, &telling, finding, at);
        }
    }
    out.push_str("}\n");
    out
}

fn cluster(out: &mut String, telling: &Telling<'_>, finding: &Finding, at: usize) {
    let report = &telling.report;
    let property = report.property(finding);
    let title = format!("{}: {}", report.title(property), clean(&property.text));
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(format!("  subgraph cluster_{at} {{"));
    line(format!("    label={};", quoted(&title)));
    let evidence = telling.evidence;
    for (id, _) in evidence.occurrences.entries() {
        let first = if id.index() == 0 { ", penwidth=2" } else { "" };
        line(format!(
            "    {} [label={}{first}];",
            node(at, id),
            quoted(&label(telling, id))
        ));
    }
    for edge in &evidence.edges {
        let mut label = report.input_text(&edge.input);
        let mut style = "";
        if let Some(serves) = serves(telling, evidence, edge.from, edge.to) {
            let separator = if label.is_empty() { "" } else { "\n" };
            let _ = write!(label, "{separator}{serves}");
            style = ", style=dashed";
        }
        let (from, to) = (node(at, edge.from), node(at, edge.to));
        line(format!(
            "    {from} -> {to} [label={}{style}];",
            quoted(&label)
        ));
    }
    for (id, region) in evidence.regions.entries() {
        let mut label = region_text(telling, region).to_string().replace("; ", "\n");
        for cube in telling.cover(region) {
            let _ = write!(label, "\n{cube}");
        }
        let name = format!("e{at}_region{}", id.index());
        line(format!(
            "    {name} [label={}, peripheries=2, style=solid];",
            quoted(&label)
        ));
        line(format!(
            "    {} -> {name} [style=dotted, arrowhead=none];",
            node(at, region.at)
        ));
    }
    line("  }".to_string());
}

fn node(cluster: usize, id: OccurrenceId) -> String {
    format!("e{cluster}_s{}", id.index())
}

/// The number of the occurrence and what is new in it: all values at the first, changes later.
fn label(telling: &Telling<'_>, id: OccurrenceId) -> String {
    let report = &telling.report;
    let mut label = id.index().to_string();
    let before = telling
        .evidence
        .edges
        .iter()
        .find(|edge| edge.to == id && edge.from < id);
    let old = before.map(|edge| telling.values(edge.from));
    let new = telling.values(id);
    for thing in report.things(false) {
        if old.is_none_or(|old| thing.change(old, new).is_some()) {
            let value = report.thing_value(thing, new);
            let _ = write!(label, "\n{}={value}", report.thing_name(thing));
        }
    }
    label
}

/// What the first step of a run that branches off serves.
fn serves(
    telling: &Telling<'_>,
    evidence: &Evidence,
    from: OccurrenceId,
    to: OccurrenceId,
) -> Option<String> {
    let segment = evidence.segments.iter().find(|segment| {
        !segment.main && segment.from == Some(from) && segment.states.first() == Some(&to)
    })?;
    Some(match segment.serves {
        Claim::Formula(..) => telling.claim(segment.serves).to_string(),
        Claim::HasPath => "goes on".to_string(),
    })
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
