//! Evidence and other graphs in the formats of other tools.
//!
//! Each format is a projection of the one evidence type. Formats of runs (waveforms, traces, tables, sequence
//! diagrams) know paths and lassos only: the main run is one document, and each run that branches off is one
//! of its own, from the initial state on. Formats of graphs hold the whole evidence in one document; each of
//! them is written once, over [`ExportGraph`], which tagged graphs, instances and systems implement as well.

pub mod tagged;

mod aut;
pub(crate) mod csv;
mod cypher;
pub(crate) mod dot;
pub(crate) mod evidence;
pub(crate) mod graph;
mod graphml;
mod lts;
mod mermaid;
mod nusmv;
mod plantuml;
mod run_table;
pub(crate) mod runs;
pub(crate) mod set_proof;
mod svg;
mod vcd;

use std::io::{self, Write};

use wherefore_evidence::Finding;

use crate::Report;
use crate::manner::Manner;
use crate::words::Telling;

pub use self::cypher::CypherDialect;
pub use self::graph::{
    AttributeKind, AttributeValue, ExportAttribute, ExportEdge, ExportGraph, ExportNode,
    ExportRole, GraphStyle,
};
pub use self::lts::LtsGraph;
pub use self::tagged::TaggedGraph;

use self::dot::DotCluster;
pub(crate) use self::runs::{Run, runs};

/// A format that evidence can be written in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ExportFormat {
    /// The Informal Trace Format of Apalache and Quint.
    Itf,
    /// The XML of traces of NuSMV and nuXmv.
    NuSmv,
    /// Waveforms, with the truth of sub-formulas.
    Vcd,
    /// A table, for spreadsheets.
    Csv,
    /// A sequence diagram for PlantUML.
    PlantUml,
    /// A state diagram for Mermaid, which Markdown pages show.
    Mermaid,
    /// A picture.
    Svg,
    /// A graph for editors of graphs.
    GraphMl,
    /// A labelled transition system for CADP and mCRL2.
    Aut,
    /// Statements that create the graph in a database.
    Cypher,
}

impl ExportFormat {
    /// All formats.
    pub const ALL: [ExportFormat; 10] = [
        ExportFormat::Itf,
        ExportFormat::NuSmv,
        ExportFormat::Vcd,
        ExportFormat::Csv,
        ExportFormat::PlantUml,
        ExportFormat::Mermaid,
        ExportFormat::Svg,
        ExportFormat::GraphMl,
        ExportFormat::Aut,
        ExportFormat::Cypher,
    ];

    /// How the names of its files end.
    pub fn ending(self) -> &'static str {
        match self {
            ExportFormat::Itf => ".itf.json",
            ExportFormat::NuSmv => ".xml",
            ExportFormat::Vcd => ".vcd",
            ExportFormat::Csv => ".csv",
            ExportFormat::PlantUml => ".puml",
            ExportFormat::Mermaid => ".mmd",
            ExportFormat::Svg => ".svg",
            ExportFormat::GraphMl => ".graphml",
            ExportFormat::Aut => ".aut",
            ExportFormat::Cypher => ".cypher",
        }
    }

    /// The format of a file with this name.
    pub fn of_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        ExportFormat::ALL
            .into_iter()
            .find(|format| name.ends_with(format.ending()))
    }
}

/// Evidence, written down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportDocument {
    /// 0 for the whole evidence or its main run, 1 and on for the runs that branch off.
    pub branch: usize,
    /// The text, with a line break at its end.
    pub text: String,
}

/// The evidence of a finding in a format; nothing when there is no evidence. In the view of proofs, the nodes of graphs
/// show the claims that their states serve.
pub fn export(
    report: &Report<'_>,
    finding: &Finding,
    format: ExportFormat,
    manner: &Manner<'_>,
) -> Vec<ExportDocument> {
    let Some(telling) = Telling::of(*report, finding) else {
        return vec![];
    };
    // The proof of an abstract run is a picture of its own beside that of the evidence.
    let set_proof = || {
        let format = match format {
            ExportFormat::Svg => GraphFormat::Svg,
            ExportFormat::Mermaid => GraphFormat::Mermaid,
            ExportFormat::GraphMl => GraphFormat::GraphMl,
            _ => return None,
        };
        let graph = set_proof::SetProofGraph::of(report, finding)?;
        let text = format.text(&graph);
        Some(ExportDocument { branch: 1, text })
    };
    let whole = |text: String| {
        let evidence = ExportDocument { branch: 0, text };
        [evidence].into_iter().chain(set_proof()).collect()
    };
    let each = |write: &dyn Fn(&Run) -> String| {
        let runs = runs(&telling).into_iter().enumerate();
        let written = runs.map(|(branch, run)| ExportDocument {
            branch,
            text: write(&run),
        });
        written.collect()
    };
    let property = report.property(finding);
    let graph = evidence::ModelEvidence::new(&telling, property, manner);
    if let Some(text) = evidence::render(&graph, format) {
        return whole(text);
    }
    match format {
        ExportFormat::Itf => {
            let traces = crate::itf::render(report, finding).into_iter();
            let documents = traces.map(|trace| ExportDocument {
                branch: trace.branch,
                text: trace.document,
            });
            documents.collect()
        }
        ExportFormat::NuSmv => each(&|run| nusmv::render(&telling, property, run)),
        ExportFormat::Vcd => each(&|run| vcd::render(&telling, property, run)),
        ExportFormat::Csv => each(&|run| run_table::render(&telling, run)),
        _ => each(&|run| plantuml::render(&telling, property, run)),
    }
}

/// A format that holds a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphFormat {
    /// A labelled transition system.
    Aut,
    /// The same with tags, for the visualizer of Barbon, Leroy and Salaün (2019).
    Autx,
    /// The nodes as a table with Neo4j's headers.
    NodesCsv,
    /// The relationships as a table with Neo4j's headers.
    RelationshipsCsv,
    /// A script that creates a graph of any size in a database.
    Cypher(CypherDialect),
    /// One statement that creates a small graph in a database.
    CypherStatement,
    /// Graphviz.
    Dot,
    /// GraphML.
    GraphMl,
    /// A state diagram for Mermaid.
    Mermaid,
    /// A picture.
    Svg,
}

impl GraphFormat {
    /// Writes the graph, as it goes; only a picture is laid out as a whole first.
    pub fn write<G: ExportGraph>(self, graph: &G, out: &mut dyn Write) -> io::Result<()> {
        match self {
            GraphFormat::Aut => aut::write(graph, false, out),
            GraphFormat::Autx => aut::write(graph, true, out),
            GraphFormat::NodesCsv => csv::nodes(graph, out),
            GraphFormat::RelationshipsCsv => csv::relationships(graph, out),
            GraphFormat::Cypher(dialect) => cypher::script(graph, dialect, out),
            GraphFormat::CypherStatement => cypher::statement(graph, out),
            GraphFormat::Dot => {
                let whole = DotCluster {
                    number: 0,
                    prefix: String::new(),
                    title: None,
                    graph,
                };
                dot::write(graph.style(), &[whole], out)
            }
            GraphFormat::GraphMl => graphml::write(graph, out),
            GraphFormat::Mermaid => mermaid::write(graph, out),
            GraphFormat::Svg => out.write_all(svg::render(graph).as_bytes()),
        }
    }

    /// The graph as a text.
    pub fn text<G: ExportGraph>(self, graph: &G) -> String {
        text(|out| self.write(graph, out))
    }
}

/// What is written, as a text.
pub(crate) fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("all formats are UTF-8")
}

/// A text for XML. Characters that XML cannot hold become U+FFFD.
pub(crate) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            // Readers would take it for a line feed.
            '\r' => out.push_str("&#13;"),
            '\t' | '\n' => out.push(c),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_says_its_format() {
        for format in ExportFormat::ALL {
            let name = format!("out{}", format.ending().to_uppercase());
            assert_eq!(ExportFormat::of_name(&name), Some(format));
        }
        assert_eq!(ExportFormat::of_name("out.json"), None);
        assert_eq!(ExportFormat::of_name("out"), None);
    }
}
