//! openCypher that creates the graph in a database: one statement, or a script for graphs of any size.
//!
//! In a script nodes and relationships are created in batches. A relationship has its label as its type, which cannot
//! be computed in a script, so those with the same label are collected until a batch is full.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::graph::{
    AttributeValue, ExportAttribute, ExportGraph, ExportNode, identifier, labels, member_edges,
    members,
};

/// How many nodes or relationships a statement of a script creates.
const BATCH: usize = 500;

/// The database that reads a script; they differ in how an index is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CypherDialect {
    /// Neo4j, version 4.4 or later.
    Neo4j,
    /// Memgraph.
    Memgraph,
}

/// Writes one statement: what the graph is about, its nodes by their numbers, and its edges.
pub(super) fn statement<G: ExportGraph>(graph: &G, out: &mut dyn Write) -> io::Result<()> {
    let headline = graph.headline();
    if let Some(headline) = &headline {
        writeln!(out, "CREATE (p:Property {{text: {}}})", text(headline))?;
    }
    let (style, attributes) = (graph.style(), graph.attributes());
    for node in members(graph) {
        let (name, labels) = (identifier(graph, node.number), labels(style, &node, ":"));
        let properties = properties("step", &node, &attributes);
        writeln!(out, "CREATE ({name}:{labels} {properties})")?;
    }
    if let (Some(_), Some(initial)) = (headline, graph.initial()) {
        let name = identifier(graph, initial);
        writeln!(out, "CREATE (p)-[:STARTS]->({name})")?;
    }
    for edge in member_edges(graph) {
        let (from, to) = (identifier(graph, edge.from), identifier(graph, edge.to));
        let label = text(&edge.label);
        writeln!(out, "CREATE ({from})-[:STEP {{label: {label}}}]->({to})")?;
    }
    writeln!(out, ";")
}

/// Writes a script.
pub(super) fn script<G: ExportGraph>(
    graph: &G,
    dialect: CypherDialect,
    out: &mut dyn Write,
) -> io::Result<()> {
    let label = graph.style().label;
    match dialect {
        CypherDialect::Neo4j => writeln!(
            out,
            "CREATE INDEX wherefore_id IF NOT EXISTS FOR (n:{label}) ON (n.id);"
        )?,
        CypherDialect::Memgraph => writeln!(out, "CREATE INDEX ON :{label}(id);")?,
    }
    script_nodes(graph, out)?;
    script_relationships(graph, out)
}

fn script_nodes<G: ExportGraph>(graph: &G, out: &mut dyn Write) -> io::Result<()> {
    let (style, attributes) = (graph.style(), graph.attributes());
    // Nodes with the same labels go into the same statement; statements come in the order of their first nodes.
    let mut waiting: Vec<(String, Vec<String>)> = Vec::new();
    for node in members(graph) {
        let labels = labels(style, &node, ":");
        let entry = properties("id", &node, &attributes);
        let at = waiting.iter().position(|(known, _)| *known == labels);
        let at = at.unwrap_or_else(|| {
            waiting.push((labels, Vec::new()));
            waiting.len() - 1
        });
        let (labels, entries) = &mut waiting[at];
        entries.push(entry);
        if entries.len() == BATCH {
            create_nodes(labels, entries, out)?;
        }
    }
    for (labels, entries) in &mut waiting {
        create_nodes(labels, entries, out)?;
    }
    Ok(())
}

fn create_nodes(labels: &str, entries: &mut Vec<String>, out: &mut dyn Write) -> io::Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    writeln!(out, "UNWIND [")?;
    writeln!(out, "  {}", entries.join(",\n  "))?;
    writeln!(out, "] AS row CREATE (n:{labels}) SET n += row;")?;
    entries.clear();
    Ok(())
}

fn script_relationships<G: ExportGraph>(graph: &G, out: &mut dyn Write) -> io::Result<()> {
    let (style, attributes) = (graph.style(), graph.edge_attributes());
    let mut further = String::new();
    for (at, attribute) in attributes.iter().enumerate() {
        let _ = write!(further, ", {}: row[{}]", key(attribute), at + 3);
    }
    let create = |label: &str, rows: &mut Vec<String>, out: &mut dyn Write| {
        if rows.is_empty() {
            return Ok(());
        }
        let (nodes, called) = (style.label, style.edge_label);
        let (name, text) = (name(relationship_type(label)), text(label));
        writeln!(out, "UNWIND [\n  {}", rows.join(",\n  "))?;
        writeln!(
            out,
            "] AS row MATCH (a:{nodes} {{id: row[0]}}), (b:{nodes} {{id: row[1]}})"
        )?;
        writeln!(
            out,
            "CREATE (a)-[:{name} {{id: row[2], {called}: {text}{further}}}]->(b);"
        )?;
        rows.clear();
        Ok::<(), io::Error>(())
    };
    let mut waiting: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (number, edge) in member_edges(graph).enumerate() {
        let mut row = format!("[{}, {}, {number}", edge.from, edge.to);
        for value in &edge.values {
            let _ = write!(row, ", {}", literal(value).as_deref().unwrap_or("null"));
        }
        row.push(']');
        // Most labels are known already, and the map is asked without a copy of them.
        let rows = match waiting.get_mut(&*edge.label) {
            Some(rows) => rows,
            None => waiting.entry(edge.label.to_string()).or_default(),
        };
        rows.push(row);
        if rows.len() == BATCH {
            create(&edge.label, rows, out)?;
        }
    }
    for (label, rows) in &mut waiting {
        create(label, rows, out)?;
    }
    Ok(())
}

/// The type of the relationships of a label: databases want it not to be empty.
pub(super) fn relationship_type(label: &str) -> &str {
    if label.is_empty() { "(empty)" } else { label }
}

/// The properties of a node, the number first.
fn properties(numbered: &str, node: &ExportNode, attributes: &[ExportAttribute]) -> String {
    let mut properties = format!("{{{numbered}: {}", node.number);
    for (attribute, value) in attributes.iter().zip(&node.values) {
        if let Some(value) = literal(value) {
            let _ = write!(properties, ", {}: {value}", key(attribute));
        }
    }
    properties.push('}');
    properties
}

/// A value as the language writes it; `None`: there is none.
fn literal(value: &AttributeValue) -> Option<String> {
    match value {
        AttributeValue::Word(word) => Some(text(word)),
        AttributeValue::Text(words) => Some(text(words)),
        _ => value.text().map(|text| text.into_owned()),
    }
}

/// The name of a property; only one that differs from its key may need quotes.
fn key(attribute: &ExportAttribute) -> String {
    match attribute.key == attribute.name {
        true => attribute.name.to_string(),
        false => name(&attribute.name),
    }
}

/// A name between backticks, which are doubled inside.
fn name(text: &str) -> String {
    format!("`{}`", text.replace('`', "``"))
}

/// A text between quotes, with escapes.
fn text(text: &str) -> String {
    let mut quoted = String::from("'");
    for c in text.chars() {
        match c {
            '\\' => quoted.push_str("\\\\"),
            '\'' => quoted.push_str("\\'"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('\'');
    quoted
}
