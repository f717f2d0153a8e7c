//! Evidence as GraphML, for yEd, Gephi and libraries of graphs: a node for each occurrence of a state with the
//! values of its variables, an edge for each step.

use std::fmt::Write;

use wherefore_model::Property;

use super::graph::{label, lines};
use super::xml;
use crate::words::Telling;

/// The document.
pub(crate) fn render(telling: &Telling<'_>, property: &Property) -> String {
    let report = &telling.report;
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    let mut key = |id: &str, of: &str, name: &str| {
        let name = xml(name);
        let _ = writeln!(
            out,
            "  <key id=\"{id}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"string\"/>"
        );
    };
    key("label", "node", "label");
    key("step", "edge", "label");
    key("property", "graph", "property");
    for var in report.state_vars() {
        key(&format!("v{}", var.index()), "node", &report.name(var));
    }
    out.push_str("  <graph id=\"evidence\" edgedefault=\"directed\">\n");
    let title = crate::clean(&format!("{}: {}", property.name, property.text));
    let _ = writeln!(out, "    <data key=\"property\">{}</data>", xml(&title));
    for (id, _) in telling.evidence.occurrences.entries() {
        let _ = writeln!(out, "    <node id=\"s{}\">", id.index());
        let text = lines(telling, id).join("\n");
        let _ = writeln!(out, "      <data key=\"label\">{}</data>", xml(&text));
        for (var, value) in report.state_vars().zip(telling.values(id)) {
            let value = xml(&report.value(*value));
            let _ = writeln!(out, "      <data key=\"v{}\">{value}</data>", var.index());
        }
        out.push_str("    </node>\n");
    }
    for edge in &telling.evidence.edges {
        let (from, to) = (edge.from.index(), edge.to.index());
        let text = xml(&label(telling, edge));
        let _ = writeln!(
            out,
            "    <edge source=\"s{from}\" target=\"s{to}\"><data key=\"step\">{text}</data></edge>"
        );
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}
