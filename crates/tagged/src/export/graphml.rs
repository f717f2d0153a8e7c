//! GraphML, with the properties as data.

use std::io::{self, Write};

use super::{all_steps, has_sink, target};
use crate::query::{colour_name, node_labels, type_name, zone_name};
use crate::tagged::{NodeId, Tagged, Zone};

/// The data: where it belongs, its name, its type.
const KEYS: [(&str, &str, &str); 11] = [
    ("node", "labels", "string"),
    ("node", "isFrontier", "boolean"),
    ("node", "nb_id", "int"),
    ("node", "nb_type", "string"),
    ("node", "kind", "string"),
    ("node", "zone", "string"),
    ("node", "state", "int"),
    ("node", "monitor", "int"),
    ("edge", "action", "string"),
    ("edge", "type", "string"),
    ("edge", "tag", "string"),
];

/// Writes the document.
pub fn graphml(graph: &Tagged<'_>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
    )?;
    for (of, name, sort) in KEYS {
        writeln!(
            out,
            "  <key id=\"{name}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{sort}\"/>"
        )?;
    }
    writeln!(
        out,
        "  <graph id=\"counterexamples\" edgedefault=\"directed\">"
    )?;
    let mut neighbourhoods = 0;
    for node in graph.nodes() {
        writeln!(out, "    <node id=\"n{}\">", node.index())?;
        labels(graph, Some(node), out)?;
        let kind = graph.kind(node);
        data("isFrontier", &kind.is_some().to_string(), out)?;
        if let Some(kind) = kind {
            data("nb_id", &neighbourhoods.to_string(), out)?;
            data("nb_type", type_name(kind), out)?;
            data("kind", kind.name(), out)?;
            neighbourhoods += 1;
        }
        data("zone", zone_name(graph.zone(node)), out)?;
        let pair = graph.pair(node);
        data("state", &pair.state.index().to_string(), out)?;
        data("monitor", &pair.at.to_string(), out)?;
        writeln!(out, "    </node>")?;
    }
    if has_sink(graph) {
        writeln!(out, "    <node id=\"sink\">")?;
        labels(graph, None, out)?;
        data("isFrontier", "false", out)?;
        data("zone", zone_name(Zone::Good), out)?;
        writeln!(out, "    </node>")?;
    }
    for (number, from, step) in all_steps(graph) {
        let to = match target(&step) {
            -1 => "sink".to_string(),
            to => format!("n{to}"),
        };
        let from = from.index();
        writeln!(
            out,
            "    <edge id=\"e{number}\" source=\"n{from}\" target=\"{to}\">"
        )?;
        data("action", &escaped(&graph.label(step.label).text), out)?;
        data("type", colour_name(step.tag), out)?;
        data("tag", step.tag.name(), out)?;
        writeln!(out, "    </edge>")?;
    }
    writeln!(out, "  </graph>")?;
    writeln!(out, "</graphml>")
}

fn labels(graph: &Tagged<'_>, node: Option<NodeId>, out: &mut impl Write) -> io::Result<()> {
    data("labels", &node_labels(graph, node).join(" "), out)
}

fn data(key: &str, text: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "      <data key=\"{key}\">{text}</data>")
}

/// A text in XML. Characters that XML cannot hold become U+FFFD.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            '\t' => result.push_str("&#9;"),
            '\n' => result.push_str("&#10;"),
            '\r' => result.push_str("&#13;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => result.push('\u{fffd}'),
            c => result.push(c),
        }
    }
    result
}
