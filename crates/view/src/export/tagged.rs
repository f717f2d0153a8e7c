//! The tagged graph: its formats by the names of files, and how it is written.
//!
//! Labels may contain anything: each format escapes what it cannot hold, or replaces it where it has no escapes.

use std::borrow::Cow;

use wherefore_tagged::query::{colour_name, node_labels, type_name, zone_name};
use wherefore_tagged::{NeighbourhoodKind, NodeId, TagTarget, Tagged, TaggedStep, Zone, ZoneTag};

use super::graph::AttributeValue::{Absent, Bool, Int, Word};
use super::graph::{
    AttributeKind, ExportAttribute, ExportEdge, ExportGraph, ExportNode, ExportRole, GraphStyle,
};
use super::{CypherDialect, GraphFormat};

/// The ends of file names, each with what is written into such a file.
pub const ENDINGS: [(&str, GraphFormat, &str); 11] = [
    (
        "nodes.csv",
        GraphFormat::NodesCsv,
        "the nodes, with headers for Neo4j",
    ),
    (
        "relationships.csv",
        GraphFormat::RelationshipsCsv,
        "the relationships, with headers for Neo4j",
    ),
    (
        "memgraph.cypher",
        GraphFormat::Cypher(CypherDialect::Memgraph),
        "a script that creates the graph in Memgraph",
    ),
    (
        ".cypher",
        GraphFormat::Cypher(CypherDialect::Neo4j),
        "a script that creates the graph in Neo4j",
    ),
    (
        ".cql",
        GraphFormat::Cypher(CypherDialect::Neo4j),
        "a script that creates the graph in Neo4j",
    ),
    (
        ".autx",
        GraphFormat::Autx,
        "the tagged LTS for CLEAR's visualizer",
    ),
    (
        ".aut",
        GraphFormat::Aut,
        "the counterexample LTS without tags",
    ),
    (".dot", GraphFormat::Dot, "a Graphviz graph"),
    (".gv", GraphFormat::Dot, "a Graphviz graph"),
    (".graphml", GraphFormat::GraphMl, "a GraphML document"),
    (".xml", GraphFormat::GraphMl, "a GraphML document"),
];

/// The format that the end of a file's name asks for.
pub fn by_name(name: &str) -> Option<GraphFormat> {
    let name = name.to_lowercase();
    let mut endings = ENDINGS.iter();
    endings
        .find(|(ending, ..)| name.ends_with(ending))
        .map(|(_, format, _)| *format)
}

/// The files that are written for a name, each with its format. `x.csv` stands for two tables,
/// `x-nodes.csv` and `x-relationships.csv`; every other name for itself.
pub fn files(name: &str) -> Option<Vec<(String, GraphFormat)>> {
    if let Some(format) = by_name(name) {
        return Some(vec![(name.to_string(), format)]);
    }
    let at = name.len().checked_sub(4)?;
    let (stem, ending) = (name.get(..at)?, name.get(at..)?);
    ending.eq_ignore_ascii_case(".csv").then(|| {
        let tables = [GraphFormat::NodesCsv, GraphFormat::RelationshipsCsv];
        let parts = ["nodes", "relationships"].map(|part| format!("{stem}-{part}{ending}"));
        parts.into_iter().zip(tables).collect()
    })
}

/// A tagged graph, ready to be written. The sink is the node -1.
#[derive(Clone, Copy, Debug)]
pub struct TaggedGraph<'a>(pub &'a Tagged<'a>);

impl ExportGraph for TaggedGraph<'_> {
    fn style(&self) -> GraphStyle {
        GraphStyle {
            name: "counterexamples",
            label: "STATE",
            edge_label: "action",
            nodes: "shape=circle",
            labelled: true,
            flows: true,
            centred: true,
            joined: false,
        }
    }

    fn initial(&self) -> Option<i64> {
        self.0.initial().map(|node| node.index() as i64)
    }

    fn nodes(&self) -> impl Iterator<Item = ExportNode> {
        let mut neighbourhoods = 0;
        let nodes = self.0.nodes().map(move |node| {
            let number = neighbourhoods;
            neighbourhoods += i64::from(self.0.kind(node).is_some());
            self.node(node, number)
        });
        let has_sink = self.0.counts().tagged(ZoneTag::Correct) > 0;
        nodes.chain(has_sink.then(|| self.sink()))
    }

    fn edges(&self) -> impl Iterator<Item = ExportEdge<'_>> {
        let nodes = self.0.nodes();
        nodes.flat_map(move |node| self.0.steps(node).map(move |step| self.step(node, step)))
    }

    fn name(&self, number: i64) -> String {
        match number {
            -1 => "sink".to_string(),
            number => number.to_string(),
        }
    }

    fn attributes(&self) -> Vec<ExportAttribute> {
        let attributes = [
            ("isFrontier", AttributeKind::Bool),
            ("nb_id", AttributeKind::Int),
            ("nb_type", AttributeKind::Text),
            ("kind", AttributeKind::Text),
            ("zone", AttributeKind::Text),
            ("state", AttributeKind::Int),
            ("monitor", AttributeKind::Int),
        ];
        attributes.map(attribute).into()
    }

    fn edge_attributes(&self) -> Vec<ExportAttribute> {
        ["type", "tag"]
            .map(|name| attribute((name, AttributeKind::Text)))
            .into()
    }
}

fn attribute((name, kind): (&'static str, AttributeKind)) -> ExportAttribute {
    ExportAttribute {
        key: name.into(),
        name: name.into(),
        kind,
    }
}

impl TaggedGraph<'_> {
    /// A node, with the number that a neighbourhood here would have. It shows its number, after `@` that of its state
    /// in the system, and the kind of a neighbourhood.
    fn node(&self, node: NodeId, neighbourhood: i64) -> ExportNode {
        let (kind, pair) = (self.0.kind(node), self.0.pair(node));
        let state = pair.state.index();
        let mut lines = vec![node.index().to_string(), format!("@{state}")];
        lines.extend(kind.map(|kind| kind.name().to_string()));
        let drawn = kind.map(|kind| match kind {
            NeighbourhoodKind::Cn => ("triangle", "#d9f0d3"),
            NeighbourhoodKind::In => ("invtriangle", "#fddbc7"),
            NeighbourhoodKind::Ci => ("diamond", "#fff3b0"),
            NeighbourhoodKind::Cin => ("hexagon", "#e6dcf5"),
        });
        ExportNode {
            number: node.index() as i64,
            lines,
            labels: node_labels(self.0, Some(node)),
            values: vec![
                Bool(kind.is_some()),
                kind.map_or(Absent, |_| Int(neighbourhood)),
                kind.map_or(Absent, |kind| Word(type_name(kind))),
                kind.map_or(Absent, |kind| Word(kind.name())),
                Word(zone_name(self.0.zone(node))),
                Int(state as i64),
                Int(i64::from(pair.at)),
            ],
            shape: drawn.map(|(shape, _)| shape),
            style: drawn.map(|_| "filled"),
            fill: drawn.map(|(_, fill)| fill),
            doubled: self.0.accepting(node),
            ..ExportNode::default()
        }
    }

    fn sink(&self) -> ExportNode {
        let zone = Word(zone_name(Zone::Good));
        ExportNode {
            number: -1,
            role: ExportRole::Outside,
            lines: vec!["safe".to_string()],
            labels: node_labels(self.0, None),
            values: vec![Bool(false), Absent, Absent, Absent, zone, Absent, Absent],
            shape: Some("box"),
            style: Some("rounded,dashed"),
            ..ExportNode::default()
        }
    }

    /// Correct steps are green and dashed, incorrect ones red and bold, neutral ones grey.
    fn step(&self, from: NodeId, step: TaggedStep) -> ExportEdge<'_> {
        let (role, colour, style, tag) = match step.tag {
            ZoneTag::Correct => (ExportRole::Outside, "#1b7837", "dashed", ":GREEN"),
            ZoneTag::Incorrect => (ExportRole::Member, "#b2182b", "bold", ":RED"),
            ZoneTag::Neutral => (ExportRole::Member, "#555555", "solid", ":BLACK"),
        };
        let kind = match self.0.kind(from) {
            None => "",
            Some(NeighbourhoodKind::Cn) => ":N:G",
            Some(NeighbourhoodKind::In) => ":N:R",
            Some(NeighbourhoodKind::Ci) => ":N:GR",
            Some(NeighbourhoodKind::Cin) => ":N:GRB",
        };
        ExportEdge {
            from: from.index() as i64,
            to: match step.to {
                TagTarget::Node(node) => node.index() as i64,
                TagTarget::Sink(_) => -1,
            },
            role,
            label: Cow::Borrowed(&self.0.label(step.label).text),
            values: vec![Word(colour_name(step.tag)), Word(step.tag.name())],
            colour: Some(colour),
            style: Some(style),
            tags: (kind, tag),
            ..ExportEdge::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_name_chooses_the_format() {
        assert_eq!(by_name("a/b.autx"), Some(GraphFormat::Autx));
        assert_eq!(by_name("x.AUT"), Some(GraphFormat::Aut));
        assert_eq!(by_name("bug-nodes.csv"), Some(GraphFormat::NodesCsv));
        assert_eq!(
            by_name("relationships.csv"),
            Some(GraphFormat::RelationshipsCsv)
        );
        assert_eq!(
            by_name("x.memgraph.cypher"),
            Some(GraphFormat::Cypher(CypherDialect::Memgraph))
        );
        assert_eq!(
            by_name("x.cypher"),
            Some(GraphFormat::Cypher(CypherDialect::Neo4j))
        );
        assert_eq!(by_name("x.csv"), None);
        let tables = files("a/x.csv").expect("two tables");
        assert_eq!(
            tables[0],
            ("a/x-nodes.csv".to_string(), GraphFormat::NodesCsv)
        );
        assert_eq!(tables[1].0, "a/x-relationships.csv");
        assert_eq!(files("csv"), None);
    }
}
