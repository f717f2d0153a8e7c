//! Evidence as a graph, for the formats that hold graphs.
//!
//! Each format is written once over [`EvidenceGraph`], which evidence about models and evidence about labelled
//! transition systems implement.

use std::fmt::Write;

use wherefore_base::Value;
use wherefore_evidence::{Claim, Evidence, EvidenceEdge, OccurrenceId, Region, Segment};
use wherefore_model::Property;

use super::{ExportFormat, cypher, graphml, mermaid, svg};
use crate::lts::SystemTelling;
use crate::phrases::region_text;
use crate::words::{Telling, clean};

/// An attribute of all nodes.
pub(crate) struct Attribute {
    /// Its name among the keys of a document.
    pub(crate) key: String,
    pub(crate) name: String,
    /// Its type in GraphML.
    pub(crate) kind: &'static str,
}

/// The value of an attribute.
pub(crate) struct AttributeValue {
    pub(crate) text: String,
    /// As databases write it, where that is no text.
    pub(crate) literal: Option<String>,
}

/// Evidence whose nodes are occurrences of states and whose edges are steps.
pub(crate) trait EvidenceGraph {
    fn evidence(&self) -> &Evidence;

    /// The name of the property and its formula.
    fn headline(&self) -> String;

    /// The attributes of nodes.
    fn attributes(&self) -> Vec<Attribute>;

    /// The values of the attributes of a node.
    fn values(&self, id: OccurrenceId) -> Vec<AttributeValue>;

    /// What a node shows: its number, then what is known of its state, a line each.
    fn lines(&self, id: OccurrenceId) -> Vec<String>;

    /// What a node shows in a diagram that tells changes at its arrows.
    fn caption(&self, id: OccurrenceId) -> String;

    /// What a step is called.
    fn label(&self, edge: &EvidenceEdge) -> String;

    /// What stands at an arrow where nodes tell what changes.
    fn arrow(&self, edge: &EvidenceEdge) -> String;

    /// What stands at an arrow where nodes do not tell what changes.
    fn changes(&self, edge: &EvidenceEdge) -> String;

    /// What a run that branches off serves; empty: it is only drawn in another way.
    fn serves(&self, segment: &Segment) -> String;

    /// What a region shows.
    fn region(&self, region: &Region) -> String;

    /// The states of a region as conditions.
    fn cover(&self, region: &Region) -> Vec<String>;
}

/// The evidence in a format of graphs; `None`: it is a format of runs.
pub(crate) fn render(graph: &dyn EvidenceGraph, format: ExportFormat) -> Option<String> {
    Some(match format {
        ExportFormat::Mermaid => mermaid::render(graph),
        ExportFormat::Svg => svg::render(graph),
        ExportFormat::GraphMl => graphml::render(graph),
        ExportFormat::Aut => aut(graph),
        ExportFormat::Cypher => cypher::render(graph),
        ExportFormat::Itf
        | ExportFormat::NuSmv
        | ExportFormat::Vcd
        | ExportFormat::Csv
        | ExportFormat::PlantUml => return None,
    })
}

/// The graph as a labelled transition system.
fn aut(graph: &dyn EvidenceGraph) -> String {
    let edges = &graph.evidence().edges;
    let states = graph.evidence().occurrences.len();
    let mut out = format!("des (0, {}, {states})\n", edges.len());
    for edge in edges {
        let label = graph.label(edge).replace('"', "'");
        let (from, to) = (edge.from.index(), edge.to.index());
        let _ = writeln!(out, "({from}, \"{label}\", {to})");
    }
    out
}

/// The evidence of a property of a model.
pub(crate) struct ModelGraph<'t, 'a> {
    pub(crate) telling: &'t Telling<'a>,
    pub(crate) property: &'t Property,
}

impl EvidenceGraph for ModelGraph<'_, '_> {
    fn evidence(&self) -> &Evidence {
        self.telling.evidence
    }

    fn headline(&self) -> String {
        clean(&format!("{}: {}", self.property.name, self.property.text))
    }

    fn attributes(&self) -> Vec<Attribute> {
        let report = self.telling.report;
        let attributes = report.state_vars().map(|var| Attribute {
            key: format!("v{}", var.index()),
            name: report.name(var),
            kind: "string",
        });
        attributes.collect()
    }

    fn values(&self, id: OccurrenceId) -> Vec<AttributeValue> {
        let values = self.telling.values(id).iter();
        let values = values.map(|&value| AttributeValue {
            text: self.telling.report.value(value),
            literal: match value {
                Value::Bool(truth) => Some(truth.to_string()),
                Value::Int(number) => Some(number.to_string()),
                _ => None,
            },
        });
        values.collect()
    }

    fn lines(&self, id: OccurrenceId) -> Vec<String> {
        let report = &self.telling.report;
        let before = self.telling.evidence.edges.iter();
        let before = before.filter(|edge| edge.to == id && edge.from < id);
        let before = before.map(|edge| edge.from).min();
        let old = before.map(|from| self.telling.values(from));
        let new = self.telling.values(id);
        let things = report.things(false).into_iter();
        let told = things.filter(|thing| old.is_none_or(|old| thing.change(old, new).is_some()));
        let told = told.map(|thing| {
            let value = report.thing_value(thing, new);
            format!("{}={value}", report.thing_name(thing))
        });
        std::iter::once(id.index().to_string())
            .chain(told)
            .collect()
    }

    fn caption(&self, id: OccurrenceId) -> String {
        match id.index() {
            0 => {
                let values = self.telling.values(id);
                format!("0: {}", self.telling.report.state_text(values, false))
            }
            number => number.to_string(),
        }
    }

    fn label(&self, edge: &EvidenceEdge) -> String {
        let report = &self.telling.report;
        let (old, new) = (self.telling.values(edge.from), self.telling.values(edge.to));
        let things = report.things(false).into_iter();
        let changed = things.filter(|thing| thing.change(old, new).is_some());
        let changes = changed.map(|thing| report.thing_change(thing, old, new));
        let changes: Vec<String> = changes.collect();
        match self.arrow(edge) {
            input if !input.is_empty() => input,
            _ if changes.is_empty() => "nothing changes".to_string(),
            _ => changes.join(", "),
        }
    }

    fn arrow(&self, edge: &EvidenceEdge) -> String {
        self.telling.report.input_text(&edge.input)
    }

    fn changes(&self, edge: &EvidenceEdge) -> String {
        let report = &self.telling.report;
        let changes = self.telling.changes(edge);
        let changes = changes.filter(|change| report.model.vars[change.var].is_declared());
        let changes = changes.map(|change| {
            let (old, new) = (report.value(change.old), report.value(change.new));
            format!("{}: {old} → {new}", report.name(change.var))
        });
        let input = Some(self.arrow(edge)).filter(|input| !input.is_empty());
        let texts: Vec<String> = input.into_iter().chain(changes).collect();
        texts.join(", ")
    }

    fn serves(&self, segment: &Segment) -> String {
        match segment.serves {
            Claim::Formula(..) => self.telling.claim(segment.serves).to_string(),
            Claim::HasPath => "goes on".to_string(),
        }
    }

    fn region(&self, region: &Region) -> String {
        region_text(self.telling, region).to_string()
    }

    fn cover(&self, region: &Region) -> Vec<String> {
        self.telling.cover(region)
    }
}

impl EvidenceGraph for SystemTelling<'_> {
    fn evidence(&self) -> &Evidence {
        self.evidence
    }

    fn headline(&self) -> String {
        clean(&format!("{}: {}", self.property.name, self.property.text))
    }

    fn attributes(&self) -> Vec<Attribute> {
        vec![Attribute {
            key: "state".to_string(),
            name: "state".to_string(),
            kind: "long",
        }]
    }

    fn values(&self, id: OccurrenceId) -> Vec<AttributeValue> {
        let text = self.state(id).to_string();
        let literal = Some(text.clone());
        vec![AttributeValue { text, literal }]
    }

    fn lines(&self, id: OccurrenceId) -> Vec<String> {
        let state = format!("state {}", self.state(id));
        vec![id.index().to_string(), state]
    }

    fn caption(&self, id: OccurrenceId) -> String {
        format!("{}: state {}", id.index(), self.state(id))
    }

    fn label(&self, edge: &EvidenceEdge) -> String {
        SystemTelling::label(self, &edge.input)
    }

    fn arrow(&self, edge: &EvidenceEdge) -> String {
        SystemTelling::label(self, &edge.input)
    }

    fn changes(&self, edge: &EvidenceEdge) -> String {
        match SystemTelling::label(self, &edge.input) {
            // The empty label is that of a step which cannot be seen.
            label if label.is_empty() => "i".to_string(),
            label => label,
        }
    }

    fn serves(&self, _: &Segment) -> String {
        String::new()
    }

    fn region(&self, region: &Region) -> String {
        SystemTelling::region(self, region).to_string()
    }

    fn cover(&self, _: &Region) -> Vec<String> {
        vec![]
    }
}
