//! The tagged graph for other tools.
//!
//! Every format is written as it goes, in the order of the nodes, so that graphs of any size can be
//! exported; the same graph gives the same bytes. Labels may contain anything: each format escapes what it
//! cannot hold, or replaces it where it has no escapes.

mod aut;
mod csv;
mod cypher;
mod dot;
mod graphml;

use std::io::{self, Write};

pub use aut::{aut, autx};
pub use csv::{nodes_csv, relationships_csv};
pub use cypher::{CypherDialect, cypher};
pub use dot::dot;
pub use graphml::graphml;

use crate::tagged::{NodeId, TagTarget, Tagged, TaggedStep, ZoneTag};

/// A format of other tools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphFormat {
    /// The counterexample LTS without tags, as AUT.
    Aut,
    /// The tagged LTS for the visualizer of Barbon, Leroy and Salaün (2019).
    Autx,
    /// The nodes as a table with Neo4j's headers.
    NodesCsv,
    /// The relationships as a table with Neo4j's headers.
    RelationshipsCsv,
    /// A script that creates the graph in a database.
    Cypher(CypherDialect),
    /// Graphviz.
    Dot,
    /// GraphML.
    Graphml,
}

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
    (".graphml", GraphFormat::Graphml, "a GraphML document"),
    (".xml", GraphFormat::Graphml, "a GraphML document"),
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

impl GraphFormat {
    /// Writes the graph.
    pub fn write(self, graph: &Tagged<'_>, out: &mut impl Write) -> io::Result<()> {
        match self {
            GraphFormat::Aut => aut(graph, out),
            GraphFormat::Autx => autx(graph, out),
            GraphFormat::NodesCsv => nodes_csv(graph, out),
            GraphFormat::RelationshipsCsv => relationships_csv(graph, out),
            GraphFormat::Cypher(dialect) => cypher(graph, dialect, out),
            GraphFormat::Dot => dot(graph, out),
            GraphFormat::Graphml => graphml(graph, out),
        }
    }
}

/// All steps, with their sources and numbers.
fn all_steps<'a>(graph: &'a Tagged<'a>) -> impl Iterator<Item = (usize, NodeId, TaggedStep)> + 'a {
    let steps = graph
        .nodes()
        .flat_map(move |node| graph.steps(node).map(move |step| (node, step)));
    steps
        .enumerate()
        .map(|(number, (node, step))| (number, node, step))
}

/// The number of the node that a step enters; that of the sink is -1.
fn target(step: &TaggedStep) -> i64 {
    match step.to {
        TagTarget::Node(node) => node.index() as i64,
        TagTarget::Sink(_) => -1,
    }
}

/// Whether there is a sink.
fn has_sink(graph: &Tagged<'_>) -> bool {
    graph.counts().tagged(ZoneTag::Correct) > 0
}

/// The name of the relationships of a label: databases want it not to be empty.
fn type_of(action: &str) -> &str {
    if action.is_empty() { "(empty)" } else { action }
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
