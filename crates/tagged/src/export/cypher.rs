//! A script that creates the graph in a database.
//!
//! Nodes and relationships are created in batches. A relationship has its action as its type, which cannot
//! be computed in a script, so those with the same action are collected until a batch is full.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{all_steps, has_sink, target, type_of};
use crate::query::{colour_name, node_labels, type_name, zone_name};
use crate::tagged::{NodeId, Tagged, Zone};

/// How many nodes or relationships a statement creates.
const BATCH: usize = 500;

/// The database that reads the script; they differ in how an index is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CypherDialect {
    /// Neo4j, version 4.4 or later.
    Neo4j,
    /// Memgraph.
    Memgraph,
}

/// Writes the script.
pub fn cypher(graph: &Tagged<'_>, dialect: CypherDialect, out: &mut impl Write) -> io::Result<()> {
    match dialect {
        CypherDialect::Neo4j => writeln!(
            out,
            "CREATE INDEX wherefore_id IF NOT EXISTS FOR (n:STATE) ON (n.id);"
        )?,
        CypherDialect::Memgraph => writeln!(out, "CREATE INDEX ON :STATE(id);")?,
    }
    nodes(graph, out)?;
    relationships(graph, out)
}

fn nodes(graph: &Tagged<'_>, out: &mut impl Write) -> io::Result<()> {
    // Nodes with the same labels go into the same statement.
    let mut waiting: Vec<(String, Vec<String>)> = Vec::new();
    let mut neighbourhoods = 0;
    let sink = has_sink(graph).then_some(None);
    for node in graph.nodes().map(Some).chain(sink) {
        let labels = node_labels(graph, node).join(":");
        let entry = entry(graph, node, &mut neighbourhoods);
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

/// The properties of a node; `None`: of the sink.
fn entry(graph: &Tagged<'_>, node: Option<NodeId>, neighbourhoods: &mut usize) -> String {
    let Some(node) = node else {
        return format!(
            "{{id: -1, isFrontier: false, zone: '{}'}}",
            zone_name(Zone::Good)
        );
    };
    let (id, pair, zone) = (node.index(), graph.pair(node), zone_name(graph.zone(node)));
    let kind = match graph.kind(node) {
        Some(kind) => {
            *neighbourhoods += 1;
            format!(
                "isFrontier: true, nb_id: {}, nb_type: '{}', kind: '{}'",
                *neighbourhoods - 1,
                type_name(kind),
                kind.name()
            )
        }
        None => "isFrontier: false".to_string(),
    };
    let (state, monitor) = (pair.state.index(), pair.at);
    format!("{{id: {id}, {kind}, zone: '{zone}', state: {state}, monitor: {monitor}}}")
}

fn create_nodes(labels: &str, entries: &mut Vec<String>, out: &mut impl Write) -> io::Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    writeln!(out, "UNWIND [")?;
    writeln!(out, "  {}", entries.join(",\n  "))?;
    writeln!(out, "] AS row CREATE (n:{labels}) SET n += row;")?;
    entries.clear();
    Ok(())
}

fn relationships(graph: &Tagged<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut waiting: Vec<(usize, String)> = vec![(0, String::new()); graph.lts().labels().len()];
    let create = |action: &str, rows: &mut (usize, String), out: &mut dyn Write| {
        if rows.0 == 0 {
            return Ok(());
        }
        let (name, text) = (name(type_of(action)), text(action));
        writeln!(out, "UNWIND [{}", rows.1)?;
        writeln!(
            out,
            "] AS row MATCH (a:STATE {{id: row[0]}}), (b:STATE {{id: row[1]}})"
        )?;
        writeln!(
            out,
            "CREATE (a)-[:{name} {{id: row[2], action: {text}, type: row[3], tag: row[4]}}]->(b);"
        )?;
        *rows = (0, String::new());
        Ok::<(), io::Error>(())
    };
    for (number, from, step) in all_steps(graph) {
        let rows = &mut waiting[step.label.index()];
        let comma = if rows.0 == 0 { "" } else { "," };
        let (from, to) = (from.index(), target(&step));
        let (colour, tag) = (colour_name(step.tag), step.tag.name());
        let _ = write!(
            rows.1,
            "{comma}\n  [{from}, {to}, {number}, '{colour}', '{tag}']"
        );
        rows.0 += 1;
        if rows.0 == BATCH {
            create(&graph.label(step.label).text, rows, out)?;
        }
    }
    for (label, rows) in graph.lts().labels().iter().zip(&mut waiting) {
        create(&label.text, rows, out)?;
    }
    Ok(())
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
