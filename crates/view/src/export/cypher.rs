//! Evidence as statements of openCypher that create it in a database of graphs.

use std::fmt::Write;

use super::graph::EvidenceGraph;

/// The statement.
pub(crate) fn render(graph: &dyn EvidenceGraph) -> String {
    let title = text(&graph.headline());
    let mut out = format!("CREATE (p:Property {{text: {title}}})\n");
    let attributes = graph.attributes();
    for id in graph.evidence().occurrences.ids() {
        let _ = write!(out, "CREATE (s{}:State {{step: {0}", id.index());
        for (attribute, value) in attributes.iter().zip(graph.values(id)) {
            let value = value.literal.unwrap_or_else(|| text(&value.text));
            let _ = write!(out, ", {}: {value}", name(&attribute.name));
        }
        out.push_str("})\n");
    }
    out.push_str("CREATE (p)-[:STARTS]->(s0)\n");
    for edge in &graph.evidence().edges {
        let (from, to) = (edge.from.index(), edge.to.index());
        let label = text(&graph.label(edge));
        let _ = writeln!(out, "CREATE (s{from})-[:STEP {{label: {label}}}]->(s{to})");
    }
    out.push_str(";\n");
    out
}

/// A text in quotes.
fn text(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

fn name(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}
