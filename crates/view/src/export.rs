//! Evidence in the formats of other tools.
//!
//! Each format is a projection of the one evidence type. Formats of runs (waveforms, traces, tables, sequence
//! diagrams) know paths and lassos only: the main run is one document, and each run that branches off is one
//! of its own, from the initial state on. Formats of graphs hold the whole evidence in one document.

pub(crate) mod csv;
mod cypher;
pub(crate) mod graph;
mod graphml;
mod mermaid;
mod nusmv;
mod plantuml;
pub(crate) mod runs;
mod svg;
mod vcd;

use wherefore_evidence::Finding;

use crate::Report;
use crate::words::Telling;

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

/// The evidence of a finding in a format; nothing when there is no evidence.
pub fn export(report: &Report<'_>, finding: &Finding, format: ExportFormat) -> Vec<ExportDocument> {
    let Some(telling) = Telling::of(*report, finding) else {
        return vec![];
    };
    let whole = |text: String| vec![ExportDocument { branch: 0, text }];
    let each = |write: &dyn Fn(&Run) -> String| {
        let runs = runs(&telling).into_iter().enumerate();
        let written = runs.map(|(branch, run)| ExportDocument {
            branch,
            text: write(&run),
        });
        written.collect()
    };
    let property = report.property(finding);
    let graph = graph::ModelGraph {
        telling: &telling,
        property,
    };
    if let Some(text) = graph::render(&graph, format) {
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
        ExportFormat::Csv => each(&|run| csv::render(&telling, run)),
        _ => each(&|run| plantuml::render(&telling, property, run)),
    }
}

/// A text for XML.
pub(crate) fn xml(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
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
