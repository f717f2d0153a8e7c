//! Evidence as GraphML, for yEd, Gephi and libraries of graphs: a node for each occurrence of a state with the
//! values of its attributes, an edge for each step.

use std::fmt::Write;

use super::graph::EvidenceGraph;
use super::xml;

/// The document.
pub(crate) fn render(graph: &dyn EvidenceGraph) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    let attributes = graph.attributes();
    let mut key = |id: &str, of: &str, name: &str, kind: &str| {
        let name = xml(name);
        let _ = writeln!(
            out,
            "  <key id=\"{id}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>"
        );
    };
    key("label", "node", "label", "string");
    key("step", "edge", "label", "string");
    key("property", "graph", "property", "string");
    for attribute in &attributes {
        key(&attribute.key, "node", &attribute.name, attribute.kind);
    }
    out.push_str("  <graph id=\"evidence\" edgedefault=\"directed\">\n");
    let title = xml(&graph.headline());
    let _ = writeln!(out, "    <data key=\"property\">{title}</data>");
    for id in graph.evidence().occurrences.ids() {
        let _ = writeln!(out, "    <node id=\"s{}\">", id.index());
        let text = xml(&graph.lines(id).join("\n"));
        let _ = writeln!(out, "      <data key=\"label\">{text}</data>");
        for (attribute, value) in attributes.iter().zip(graph.values(id)) {
            let (key, value) = (&attribute.key, xml(&value.text));
            let _ = writeln!(out, "      <data key=\"{key}\">{value}</data>");
        }
        out.push_str("    </node>\n");
    }
    for edge in &graph.evidence().edges {
        let (from, to) = (edge.from.index(), edge.to.index());
        let text = xml(&graph.label(edge));
        let _ = writeln!(
            out,
            "    <edge source=\"s{from}\" target=\"s{to}\"><data key=\"step\">{text}</data></edge>"
        );
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}
