//! Answers of queries: tables for people, CSV and a document for programs.
//!
//! A node is written `(7)`, a neighbourhood with its type `(7:in)`, the sink `(sink)`; a path
//! `(0)-[SEND]->(1)-[ACK]->(7:in)`.

mod json;

use std::fmt::Write;

use wherefore_tagged::query::{QueryAnswer, QueryGraph, QueryValue};

use crate::clean;

pub use json::{AskedQuery, document};

/// An answer as a table. At most `most` rows are shown, and it is said how many there are.
pub fn text(graph: &QueryGraph<'_>, answer: &QueryAnswer, most: usize) -> String {
    let shown = answer.rows.len().min(most);
    let rows: Vec<Vec<String>> = (answer.rows[..shown].iter())
        .map(|row| row.iter().map(|value| clean(&cell(graph, value))).collect())
        .collect();
    let mut out = String::new();
    if !rows.is_empty() {
        let head: Vec<String> = answer.columns.iter().map(|name| clean(name)).collect();
        let width = |text: &String| text.chars().count();
        let widths: Vec<usize> = (0..head.len())
            .map(|at| {
                let cells = rows.iter().map(|row| width(&row[at]));
                cells.chain([width(&head[at])]).max().unwrap_or(0)
            })
            .collect();
        let rule: Vec<String> = widths
            .iter()
            .map(|width| "-".repeat((*width).min(RULE)))
            .collect();
        for line in [&head, &rule].into_iter().chain(&rows) {
            let mut text = String::new();
            for (at, cell) in line.iter().enumerate() {
                let gap = if at + 1 < line.len() {
                    widths[at] - width(cell) + 2
                } else {
                    0
                };
                text.push_str(cell);
                text.extend(std::iter::repeat_n(' ', gap));
            }
            out.push_str(text.trim_end());
            out.push('\n');
        }
    }
    let count = match answer.rows.len() {
        count if answer.incomplete.is_some() => format!("{count} rows and perhaps more"),
        0 => "no rows".to_string(),
        1 => "1 row".to_string(),
        count => format!("{count} rows"),
    };
    let rest = match answer.rows.len() - shown {
        0 => String::new(),
        _ => format!(", the first {shown} are shown; --rows shows more"),
    };
    let _ = writeln!(out, "{count}{rest}");
    if let Some(note) = &answer.note {
        let _ = writeln!(out, "{}", clean(note));
    }
    out
}

/// The longest line under a head.
const RULE: usize = 40;

/// An answer as CSV: a line with the names of the columns, then one for each row.
pub fn csv(graph: &QueryGraph<'_>, answer: &QueryAnswer) -> String {
    let mut out = String::new();
    let rows = answer.rows.iter();
    let rows = rows.map(|row| row.iter().map(|value| cell(graph, value)).collect());
    for row in [answer.columns.clone()].into_iter().chain(rows) {
        let fields: Vec<String> = row.into_iter().map(field).collect();
        out.push_str(&fields.join(","));
        out.push('\n');
    }
    out
}

/// A field, between quotes where it needs them.
fn field(text: String) -> String {
    match text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

/// A value in a cell of its own.
fn cell(graph: &QueryGraph<'_>, value: &QueryValue) -> String {
    match value {
        QueryValue::Text(text) => text.to_string(),
        QueryValue::Null => String::new(),
        value => inside(graph, value),
    }
}

/// A value among others.
fn inside(graph: &QueryGraph<'_>, value: &QueryValue) -> String {
    let items = |values: &[QueryValue]| {
        let texts: Vec<String> = values.iter().map(|value| inside(graph, value)).collect();
        texts.join(", ")
    };
    match value {
        QueryValue::Null => "null".to_string(),
        QueryValue::Bool(truth) => truth.to_string(),
        QueryValue::Int(number) => number.to_string(),
        QueryValue::Float(number) => format!("{number:?}"),
        QueryValue::Text(text) => format!("'{text}'"),
        QueryValue::List(values) => format!("[{}]", items(values)),
        QueryValue::Map(entries) => {
            let entries = entries.iter();
            let texts: Vec<String> = entries
                .map(|(name, value)| format!("{name}: {}", inside(graph, value)))
                .collect();
            format!("{{{}}}", texts.join(", "))
        }
        QueryValue::Node(node) => node_text(graph, *node),
        QueryValue::Relationship(relationship) => format!("[{}]", graph.action(*relationship)),
        QueryValue::Path(path) => {
            let (start, relationships) = path.parts();
            let nodes = graph.along(start, &relationships);
            let mut text = node_text(graph, start);
            for (relationship, ends) in relationships.iter().zip(nodes.windows(2)) {
                let action = graph.action(*relationship);
                let to = node_text(graph, ends[1]);
                let _ = match graph.ends(*relationship) == (ends[0], ends[1]) {
                    true => write!(text, "-[{action}]->{to}"),
                    false => write!(text, "<-[{action}]-{to}"),
                };
            }
            text
        }
    }
}

fn node_text(graph: &QueryGraph<'_>, node: u32) -> String {
    match graph.node(node) {
        None => "(sink)".to_string(),
        Some(inner) => match graph.tagged().kind(inner) {
            None => format!("({})", inner.index()),
            Some(kind) => format!("({}:{})", inner.index(), kind.name()),
        },
    }
}
