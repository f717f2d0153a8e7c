//! Evidence as statements of openCypher that create it in a database of graphs.

use std::fmt::Write;

use wherefore_base::Value;
use wherefore_model::Property;

use super::graph::label;
use crate::words::Telling;

/// The statement.
pub(crate) fn render(telling: &Telling<'_>, property: &Property) -> String {
    let report = &telling.report;
    let title = crate::clean(&format!("{}: {}", property.name, property.text));
    let mut out = format!("CREATE (p:Property {{text: {}}})\n", text(&title));
    for (id, _) in telling.evidence.occurrences.entries() {
        let _ = write!(out, "CREATE (s{}:State {{step: {0}", id.index());
        for (var, value) in report.state_vars().zip(telling.values(id)) {
            let value = match value {
                Value::Bool(b) => b.to_string(),
                Value::Int(n) => n.to_string(),
                other => text(&report.value(*other)),
            };
            let _ = write!(out, ", {}: {value}", name(&report.name(var)));
        }
        out.push_str("})\n");
    }
    out.push_str("CREATE (p)-[:STARTS]->(s0)\n");
    for edge in &telling.evidence.edges {
        let (from, to) = (edge.from.index(), edge.to.index());
        let label = text(&label(telling, edge));
        let _ = writeln!(out, "CREATE (s{from})-[:STEP {{label: {label}}}]->(s{to})");
    }
    out.push_str(";\n");
    out
}

/// A text in quotes.
pub(crate) fn text(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

fn name(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}
