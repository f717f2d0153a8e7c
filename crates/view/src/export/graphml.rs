//! GraphML, for yEd, Gephi and libraries of graphs: nodes and edges with their attributes as data.

use std::borrow::Cow;
use std::io::{self, Write};

use super::graph::{
    AttributeKind, AttributeValue, ExportAttribute, ExportGraph, identifier, member_edges, members,
};
use super::xml;

/// Writes the document. What a node shows is its label, unless nodes have labels of their own.
pub(super) fn write<G: ExportGraph>(graph: &G, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let schema = "http://graphml.graphdrawing.org/xmlns";
    writeln!(out, "<graphml xmlns=\"{schema}\">")?;
    let style = graph.style();
    let (of_nodes, of_edges) = (graph.attributes(), graph.edge_attributes());
    let label = if style.labelled { "labels" } else { "label" };
    // The key of an edge's label is never that of a node's.
    let step = if style.edge_label == "label" {
        "step"
    } else {
        style.edge_label
    };
    key("node", label, label, AttributeKind::Text, out)?;
    for attribute in &of_nodes {
        key("node", &attribute.key, &attribute.name, attribute.kind, out)?;
    }
    key("edge", step, style.edge_label, AttributeKind::Text, out)?;
    for attribute in &of_edges {
        key("edge", &attribute.key, &attribute.name, attribute.kind, out)?;
    }
    let headline = graph.headline();
    if headline.is_some() {
        key("graph", "property", "property", AttributeKind::Text, out)?;
    }
    writeln!(
        out,
        "  <graph id=\"{}\" edgedefault=\"directed\">",
        style.name
    )?;
    if let Some(headline) = headline {
        writeln!(out, "    <data key=\"property\">{}</data>", xml(&headline))?;
    }
    for node in members(graph) {
        writeln!(out, "    <node id=\"{}\">", identifier(graph, node.number))?;
        let shown = match style.labelled {
            true => node.labels.join(" "),
            false => node.lines.join("\n"),
        };
        data(label, &shown, out)?;
        all_data(&of_nodes, &node.values, out)?;
        writeln!(out, "    </node>")?;
    }
    for (number, edge) in member_edges(graph).enumerate() {
        let (from, to) = (identifier(graph, edge.from), identifier(graph, edge.to));
        writeln!(
            out,
            "    <edge id=\"e{number}\" source=\"{from}\" target=\"{to}\">"
        )?;
        data(step, &edge.label, out)?;
        all_data(&of_edges, &edge.values, out)?;
        writeln!(out, "    </edge>")?;
    }
    writeln!(out, "  </graph>")?;
    writeln!(out, "</graphml>")
}

fn key(
    of: &str,
    key: &str,
    name: &str,
    kind: AttributeKind,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (name, kind) = (xml(name), kind.name());
    writeln!(
        out,
        "  <key id=\"{key}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>"
    )
}

fn all_data(
    attributes: &[ExportAttribute],
    values: &[AttributeValue],
    out: &mut dyn Write,
) -> io::Result<()> {
    for (attribute, value) in attributes.iter().zip(values) {
        let text = match (attribute.kind, value) {
            // A variable with values of several types is a text, in which truth is written as models write it.
            (AttributeKind::Text, AttributeValue::Bool(true)) => Some(Cow::Borrowed("TRUE")),
            (AttributeKind::Text, AttributeValue::Bool(false)) => Some("FALSE".into()),
            _ => value.text(),
        };
        if let Some(text) = text {
            data(&attribute.key, &text, out)?;
        }
    }
    Ok(())
}

fn data(key: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "      <data key=\"{key}\">{}</data>", xml(text))
}
