//! Evidence as a graph for Graphviz.
//!
//! One cluster for each property with evidence. A node is an occurrence of a state and shows what
//! changed; runs that branch off are dashed and say which sub-formula they serve; a region is a node
//! with a double border.

use crate::Report;
use crate::export::evidence::{self, ModelEvidence};
use crate::words::{Telling, clean};

/// The evidence of all findings as one graph.
pub fn render(report: &Report<'_>) -> String {
    let findings = report.findings.iter().enumerate();
    let tellings = findings.filter_map(|(at, finding)| {
        let telling = Telling::of(*report, finding)?;
        Some((at, report.property(finding), telling))
    });
    let tellings: Vec<_> = tellings.collect();
    evidence::dot(tellings.iter().map(|(at, property, telling)| {
        let title = format!("{}: {}", report.title(property), clean(&property.text));
        (*at, title, ModelEvidence { telling, property })
    }))
}
