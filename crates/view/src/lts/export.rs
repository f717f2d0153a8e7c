//! Evidence about labelled transition systems in the formats of other tools.
//!
//! A state has a number and a step has a label; there are no variables. So formats of graphs and tables hold
//! this evidence, and formats of values of variables are refused with the reason.

use std::collections::BTreeMap;
use std::fmt::Write;

use wherefore_evidence::{Edge, Finding, OccurrenceId};
use wherefore_relational::AtomId;

use super::{Report, SystemTelling};
use crate::alloy::graph::{self, Ends, Graph, Node, State};
use crate::alloy::svg::draw;
use crate::export::csv::row;
use crate::export::mermaid::label;
use crate::export::runs::runs_of;
use crate::export::svg::{FIRST, REGION, STATE, broken};
use crate::export::{Document, Format, Run, cypher, xml};
use crate::words::clean;

/// Why a format cannot hold evidence about a labelled transition system; `None`: it can.
pub fn refusal(format: Format) -> Option<&'static str> {
    match format {
        Format::Itf | Format::NuSmv => Some(
            "This is a trace of values of variables, and a labelled transition system has none.",
        ),
        Format::Vcd => {
            Some("A waveform shows values of variables, and a labelled transition system has none.")
        }
        Format::PlantUml => Some(
            "A sequence diagram shows which part of a model changes, and a labelled transition system has no parts.",
        ),
        Format::Csv
        | Format::Mermaid
        | Format::Svg
        | Format::GraphMl
        | Format::Aut
        | Format::Cypher => None,
    }
}

/// The evidence of a finding in a format; nothing when there is no evidence.
///
/// # Errors
/// The reason why the format cannot hold it, as a sentence.
pub fn export(
    report: &Report<'_>,
    finding: &Finding,
    format: Format,
) -> Result<Vec<Document>, &'static str> {
    if let Some(why) = refusal(format) {
        return Err(why);
    }
    let Some(telling) = SystemTelling::of(*report, finding) else {
        return Ok(vec![]);
    };
    let telling = &telling;
    let text = match format {
        Format::Mermaid => mermaid(telling),
        Format::Svg => svg(telling),
        Format::GraphMl => graphml(telling),
        Format::Aut => aut(telling),
        Format::Cypher => statements(telling),
        _ => {
            let runs = runs_of(telling.evidence).into_iter().enumerate();
            let tables = runs.map(|(branch, run)| Document {
                branch,
                text: table(telling, &run),
            });
            return Ok(tables.collect());
        }
    };
    Ok(vec![Document { branch: 0, text }])
}

impl SystemTelling<'_> {
    fn headline(&self) -> String {
        clean(&format!("{}: {}", self.property.name, self.property.text))
    }

    fn ids(&self) -> impl Iterator<Item = OccurrenceId> + '_ {
        self.evidence.occurrences.ids()
    }

    fn edge_label(&self, edge: &Edge) -> String {
        self.label(&edge.input)
    }
}

/// A row for each state; the action is that of the step that leads there.
fn table(telling: &SystemTelling<'_>, run: &Run) -> String {
    let mut out = row(&["step", "action", "state", "back to"].map(str::to_owned));
    for (at, &here) in run.states.iter().enumerate() {
        let action = match at.checked_sub(1) {
            Some(before) => telling.action(run.states[before], here),
            None => String::new(),
        };
        let back = run.back.filter(|_| at + 1 == run.states.len());
        let back = back.map_or(String::new(), |back| back.to_string());
        let state = telling.state(here).to_string();
        out.push_str(&row(&[at.to_string(), action, state, back]));
    }
    // What closes the loop has an action, too.
    if let (Some(back), Some(&last)) = (run.back, run.states.last()) {
        let to = run.states[back];
        let state = telling.state(to).to_string();
        let cells = [back.to_string(), telling.action(last, to), state];
        out.push_str(&row(&[cells.as_slice(), &[String::new()]].concat()));
    }
    out
}

fn mermaid(telling: &SystemTelling<'_>) -> String {
    let mut out = String::from("stateDiagram-v2\n");
    for id in telling.ids() {
        let text = format!("{}: state {}", id.index(), telling.state(id));
        let _ = writeln!(out, "  s{} : {}", id.index(), label(&text));
    }
    out.push_str("  [*] --> s0\n");
    for edge in &telling.evidence.edges {
        let (from, to) = (edge.from.index(), edge.to.index());
        let text = telling.edge_label(edge);
        let text = if text.is_empty() { "i" } else { &text };
        let _ = writeln!(out, "  s{from} --> s{to} : {}", label(text));
    }
    for (id, region) in telling.evidence.regions.entries() {
        let text = label(&format!("a region of {} states", region.size));
        let (id, at) = (id.index(), region.at.index());
        let _ = writeln!(out, "  r{id} : {text}\n  s{at} --> r{id}");
    }
    out
}

fn svg(telling: &SystemTelling<'_>) -> String {
    let place = |id: OccurrenceId| AtomId::new(id.index());
    let node = |title: String, lines: Vec<String>, kind: usize, witness: bool| Node {
        title,
        lines,
        kind,
        witness,
    };
    let drawn = |labels: Vec<String>| graph::Edge {
        labels,
        both: false,
    };
    let mut state = State {
        heading: None,
        nodes: BTreeMap::new(),
        edges: BTreeMap::new(),
    };
    for id in telling.ids() {
        let kind = if id.index() == 0 { FIRST } else { STATE };
        let lines = vec![format!("state {}", telling.state(id))];
        let box_ = node(id.index().to_string(), lines, kind, false);
        state.nodes.insert(place(id), box_);
    }
    for edge in &telling.evidence.edges {
        let ends = Ends {
            from: place(edge.from),
            to: place(edge.to),
            witness: false,
        };
        let labels = broken(&telling.edge_label(edge));
        let arrow = state.edges.entry(ends).or_insert_with(|| drawn(vec![]));
        arrow.labels.extend(labels);
    }
    for (id, region) in telling.evidence.regions.entries() {
        let atom = AtomId::new(telling.evidence.occurrences.len() + id.index());
        let lines = broken(&telling.region(region).to_string());
        let box_ = node("region".into(), lines, REGION, true);
        state.nodes.insert(atom, box_);
        let ends = Ends {
            from: place(region.at),
            to: atom,
            witness: true,
        };
        state.edges.insert(ends, drawn(vec!["from here on".into()]));
    }
    draw(&Graph {
        states: vec![state],
    })
}

fn graphml(telling: &SystemTelling<'_>) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n  \
         <key id=\"state\" for=\"node\" attr.name=\"state\" attr.type=\"long\"/>\n  \
         <key id=\"step\" for=\"edge\" attr.name=\"label\" attr.type=\"string\"/>\n  \
         <key id=\"property\" for=\"graph\" attr.name=\"property\" attr.type=\"string\"/>\n  \
         <graph id=\"evidence\" edgedefault=\"directed\">\n",
    );
    let title = xml(&telling.headline());
    let _ = writeln!(out, "    <data key=\"property\">{title}</data>");
    for id in telling.ids() {
        let (id, state) = (id.index(), telling.state(id));
        let data = format!("<data key=\"state\">{state}</data>");
        let _ = writeln!(out, "    <node id=\"s{id}\">{data}</node>");
    }
    for edge in &telling.evidence.edges {
        let (from, to) = (edge.from.index(), edge.to.index());
        let data = format!(
            "<data key=\"step\">{}</data>",
            xml(&telling.edge_label(edge))
        );
        let _ = writeln!(
            out,
            "    <edge source=\"s{from}\" target=\"s{to}\">{data}</edge>"
        );
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}

fn aut(telling: &SystemTelling<'_>) -> String {
    let edges = &telling.evidence.edges;
    let states = telling.evidence.occurrences.len();
    let mut out = format!("des (0, {}, {states})\n", edges.len());
    for edge in edges {
        let label = telling.edge_label(edge).replace('"', "'");
        let (from, to) = (edge.from.index(), edge.to.index());
        let _ = writeln!(out, "({from}, \"{label}\", {to})");
    }
    out
}

fn statements(telling: &SystemTelling<'_>) -> String {
    let title = cypher::text(&telling.headline());
    let mut out = format!("CREATE (p:Property {{text: {title}}})\n");
    for id in telling.ids() {
        let (id, state) = (id.index(), telling.state(id));
        let _ = writeln!(out, "CREATE (s{id}:State {{step: {id}, `state`: {state}}})");
    }
    out.push_str("CREATE (p)-[:STARTS]->(s0)\n");
    for edge in &telling.evidence.edges {
        let (from, to) = (edge.from.index(), edge.to.index());
        let label = cypher::text(&telling.edge_label(edge));
        let _ = writeln!(out, "CREATE (s{from})-[:STEP {{label: {label}}}]->(s{to})");
    }
    out.push_str(";\n");
    out
}
