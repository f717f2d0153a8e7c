//! Evidence as a graph for Graphviz.
//!
//! One cluster for each property with evidence. A node is an occurrence of a state and shows what
//! changed; runs that branch off are dashed and say which sub-formula they serve; a region is a node
//! with a double border. The proofs of abstract runs follow, a graph each.

use crate::Report;
use crate::export::GraphFormat;
use crate::export::evidence::{self, ModelEvidence};
use crate::export::set_proof::SetProofGraph;
use crate::manner::Manner;
use crate::words::{Telling, clean};

/// The evidence of all findings as one graph. In the view of proofs, nodes show the claims that their states serve.
pub fn render(report: &Report<'_>, manner: &Manner<'_>) -> String {
    let findings = report.findings.iter().enumerate();
    let tellings = findings.filter_map(|(at, finding)| {
        let telling = Telling::of(*report, finding)?;
        Some((at, report.property(finding), telling))
    });
    let tellings: Vec<_> = tellings.collect();
    let mut text = evidence::dot(tellings.iter().map(|(at, property, telling)| {
        let title = format!("{}: {}", report.title(property), clean(&property.text));
        (*at, title, ModelEvidence::new(telling, property, manner))
    }));
    let findings = report.findings.iter();
    for graph in findings.filter_map(|finding| SetProofGraph::of(report, finding)) {
        text.push_str(&GraphFormat::Dot.text(&graph));
    }
    text
}
