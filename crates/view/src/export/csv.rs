//! Tables with commas (RFC 4180), and two of them for a graph, with the headers that Neo4j's import tool reads.

use std::borrow::Cow;
use std::io::{self, Write};

use super::cypher::relationship_type;
use super::graph::{
    AttributeKind, AttributeValue, ExportAttribute, ExportGraph, labels, member_edges, members,
};

/// Writes the nodes.
pub(super) fn nodes<G: ExportGraph>(graph: &G, out: &mut dyn Write) -> io::Result<()> {
    write!(out, ":ID,id:int")?;
    headers(&graph.attributes(), out)?;
    writeln!(out, ",:LABEL")?;
    for node in members(graph) {
        write!(out, "{0},{0}", node.number)?;
        values(&node.values, out)?;
        writeln!(out, ",{}", labels(graph.style(), &node, ";"))?;
    }
    Ok(())
}

/// Writes the relationships.
pub(super) fn relationships<G: ExportGraph>(graph: &G, out: &mut dyn Write) -> io::Result<()> {
    let label = graph.style().edge_label;
    write!(out, ":START_ID,:END_ID,:TYPE,id:int,{label}")?;
    headers(&graph.edge_attributes(), out)?;
    writeln!(out)?;
    for (number, edge) in member_edges(graph).enumerate() {
        let kind = quoted(relationship_type(&edge.label));
        let (from, to, label) = (edge.from, edge.to, quoted(&edge.label));
        write!(out, "{from},{to},{kind},{number},{label}")?;
        values(&edge.values, out)?;
        writeln!(out)?;
    }
    Ok(())
}

fn headers(attributes: &[ExportAttribute], out: &mut dyn Write) -> io::Result<()> {
    for attribute in attributes {
        let name = &attribute.name;
        match attribute.kind {
            AttributeKind::Text => write!(out, ",{}", cell(name))?,
            kind => write!(out, ",{}", cell(&format!("{name}:{}", kind.name())))?,
        }
    }
    Ok(())
}

fn values(values: &[AttributeValue], out: &mut dyn Write) -> io::Result<()> {
    for value in values {
        match value {
            // The import takes a cell that is empty and has no quotes for one without a value.
            AttributeValue::Text(text) => write!(out, ",{}", quoted(text))?,
            _ => write!(out, ",{}", value.text().unwrap_or_default())?,
        }
    }
    Ok(())
}

/// A row of a table of a run.
pub(crate) fn row(cells: &[String]) -> String {
    let cells: Vec<_> = cells.iter().map(|text| cell(text)).collect();
    format!("{}\r\n", cells.join(","))
}

/// A cell, between quotes where it must be.
fn cell(text: &str) -> Cow<'_, str> {
    match text.contains([',', '"', '\n', '\r']) {
        true => quoted(text).into(),
        false => text.into(),
    }
}

/// A text between quotes, which are doubled inside.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_and_quotes_are_quoted() {
        let cells = ["a", "b,c", "d\"e"].map(str::to_owned);
        assert_eq!(row(&cells), "a,\"b,c\",\"d\"\"e\"\r\n");
    }
}
