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
pub use cypher::{Dialect, cypher};
pub use dot::dot;
pub use graphml::graphml;

use crate::tagged::{NodeId, Tag, Tagged, TaggedStep, Target};

/// A format of other tools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// The counterexample LTS without tags, as AUT.
    Aut,
    /// The tagged LTS for the visualizer of Barbon, Leroy and Salaün (2019).
    Autx,
    /// The nodes as a table with Neo4j's headers.
    NodesCsv,
    /// The relationships as a table with Neo4j's headers.
    RelationshipsCsv,
    /// A script that creates the graph in a database.
    Cypher(Dialect),
    /// Graphviz.
    Dot,
    /// GraphML.
    Graphml,
}

/// The ends of file names, each with what is written into such a file.
pub const ENDINGS: [(&str, Format, &str); 11] = [
    (
        "nodes.csv",
        Format::NodesCsv,
        "the nodes, with headers for Neo4j",
    ),
    (
        "relationships.csv",
        Format::RelationshipsCsv,
        "the relationships, with headers for Neo4j",
    ),
    (
        "memgraph.cypher",
        Format::Cypher(Dialect::Memgraph),
        "a script that creates the graph in Memgraph",
    ),
    (
        ".cypher",
        Format::Cypher(Dialect::Neo4j),
        "a script that creates the graph in Neo4j",
    ),
    (
        ".cql",
        Format::Cypher(Dialect::Neo4j),
        "a script that creates the graph in Neo4j",
    ),
    (
        ".autx",
        Format::Autx,
        "the tagged LTS for CLEAR's visualizer",
    ),
    (".aut", Format::Aut, "the counterexample LTS without tags"),
    (".dot", Format::Dot, "a Graphviz graph"),
    (".gv", Format::Dot, "a Graphviz graph"),
    (".graphml", Format::Graphml, "a GraphML document"),
    (".xml", Format::Graphml, "a GraphML document"),
];

/// The format that the end of a file's name asks for.
pub fn by_name(name: &str) -> Option<Format> {
    let name = name.to_lowercase();
    let mut endings = ENDINGS.iter();
    endings
        .find(|(ending, ..)| name.ends_with(ending))
        .map(|(_, format, _)| *format)
}

/// The files that are written for a name, each with its format. `x.csv` stands for two tables,
/// `x-nodes.csv` and `x-relationships.csv`; every other name for itself.
pub fn files(name: &str) -> Option<Vec<(String, Format)>> {
    if let Some(format) = by_name(name) {
        return Some(vec![(name.to_string(), format)]);
    }
    let at = name.len().checked_sub(4)?;
    let (stem, ending) = (name.get(..at)?, name.get(at..)?);
    ending.eq_ignore_ascii_case(".csv").then(|| {
        let tables = [Format::NodesCsv, Format::RelationshipsCsv];
        let parts = ["nodes", "relationships"].map(|part| format!("{stem}-{part}{ending}"));
        parts.into_iter().zip(tables).collect()
    })
}

impl Format {
    /// Writes the graph.
    pub fn write(self, graph: &Tagged<'_>, out: &mut impl Write) -> io::Result<()> {
        match self {
            Format::Aut => aut(graph, out),
            Format::Autx => autx(graph, out),
            Format::NodesCsv => nodes_csv(graph, out),
            Format::RelationshipsCsv => relationships_csv(graph, out),
            Format::Cypher(dialect) => cypher(graph, dialect, out),
            Format::Dot => dot(graph, out),
            Format::Graphml => graphml(graph, out),
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
        Target::Node(node) => node.index() as i64,
        Target::Sink(_) => -1,
    }
}

/// Whether there is a sink.
fn has_sink(graph: &Tagged<'_>) -> bool {
    graph.counts().tagged(Tag::Correct) > 0
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
        assert_eq!(by_name("a/b.autx"), Some(Format::Autx));
        assert_eq!(by_name("x.AUT"), Some(Format::Aut));
        assert_eq!(by_name("bug-nodes.csv"), Some(Format::NodesCsv));
        assert_eq!(by_name("relationships.csv"), Some(Format::RelationshipsCsv));
        assert_eq!(
            by_name("x.memgraph.cypher"),
            Some(Format::Cypher(Dialect::Memgraph))
        );
        assert_eq!(by_name("x.cypher"), Some(Format::Cypher(Dialect::Neo4j)));
        assert_eq!(by_name("x.csv"), None);
        let tables = files("a/x.csv").expect("two tables");
        assert_eq!(tables[0], ("a/x-nodes.csv".to_string(), Format::NodesCsv));
        assert_eq!(tables[1].0, "a/x-relationships.csv");
        assert_eq!(files("csv"), None);
    }
}
