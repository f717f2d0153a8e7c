//! Exports: evidence in the formats of other tools.

use wherefore_driver::evidence::Finding;
use wherefore_driver::view::api::file_name;
use wherefore_driver::view::wire::{CheckDocument, ExportFormatDoc};
use wherefore_driver::view::{Manner, Report, alloy, dot, export, json, lts, markdown};

use crate::error::RequestError;
use crate::queue::Attachment;

/// A format of evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EvidenceFormat {
    Json,
    Dot,
    Markdown,
    /// For the Alloy visualizer and Sterling.
    AlloyXml,
    /// One of those that `check --export` writes.
    Written(export::ExportFormat),
}

/// The name in lists of languages for commands of Alloy models that are answered by instances.
const INSTANCE: &str = "instance";
/// Languages whose models have variables.
const VARIABLES: &[&str] = &["smv", "alloy", "smt"];
/// Languages whose evidence has runs.
const RUNS: &[&str] = &["smv", "alloy", "smt", "aut"];
/// All languages.
const ALL: &[&str] = &["smv", "alloy", "smt", "aut", INSTANCE];

/// What is known of a form.
struct FormFacts {
    name: &'static str,
    title: &'static str,
    media: &'static str,
    ending: &'static str,
    languages: &'static [&'static str],
}

impl EvidenceFormat {
    fn all() -> impl Iterator<Item = EvidenceFormat> {
        let written = export::ExportFormat::ALL
            .into_iter()
            .map(EvidenceFormat::Written);
        [
            EvidenceFormat::Json,
            EvidenceFormat::Dot,
            EvidenceFormat::Markdown,
            EvidenceFormat::AlloyXml,
        ]
        .into_iter()
        .chain(written)
    }

    /// The format with a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::all().find(|format| format.format().name == name)
    }

    /// All formats, to be listed.
    pub(crate) fn list() -> Vec<ExportFormatDoc> {
        let formats = Self::all().map(Self::format);
        let formats = formats.map(|format| ExportFormatDoc {
            name: format.name.to_string(),
            title: format.title.to_string(),
            media: format.media.to_string(),
            ending: format.ending.to_string(),
            languages: format.languages.iter().map(|l| l.to_string()).collect(),
        });
        formats.collect()
    }

    fn format(self) -> FormFacts {
        let (name, title, media, ending, languages) = match self {
            EvidenceFormat::Json => (
                "json",
                "JSON document of wherefore",
                "application/json",
                ".json",
                ALL,
            ),
            EvidenceFormat::Dot => (
                "dot",
                "graph for Graphviz",
                "text/vnd.graphviz",
                ".dot",
                ALL,
            ),
            EvidenceFormat::Markdown => ("md", "Markdown page", "text/markdown", ".md", ALL),
            EvidenceFormat::Written(format) => {
                let (name, title, media) = written(format);
                let languages = match (format, lts::export::refusal(format)) {
                    (export::ExportFormat::Svg, _) => ALL,
                    (_, Some(_)) => VARIABLES,
                    (_, None) => RUNS,
                };
                (name, title, media, format.ending(), languages)
            }
            EvidenceFormat::AlloyXml => (
                "alloy-xml",
                "instance for the Alloy visualizer and Sterling",
                "application/xml",
                ".xml",
                &[INSTANCE][..],
            ),
        };
        FormFacts {
            name,
            title,
            media,
            ending,
            languages,
        }
    }

    /// The evidence of a finding about a model as a file; of several runs, the one with this number.
    pub(crate) fn of(
        self,
        report: &Report<'_>,
        finding: &Finding,
        run: usize,
    ) -> Result<Attachment, RequestError> {
        let findings = std::slice::from_ref(finding);
        let report = &Report {
            findings,
            ..*report
        };
        let text = match self {
            EvidenceFormat::Json => CheckDocument::new(vec![json::model(report)]).render(),
            EvidenceFormat::Dot => dot::render(report, &Manner::default()),
            EvidenceFormat::Markdown => markdown::render(report, true),
            EvidenceFormat::Written(format) => {
                let written = export::export(report, finding, format, &Manner::default());
                let mut documents = written.into_iter();
                let document = documents.nth(run).map(|document| document.text);
                document.ok_or_else(|| RequestError::missing("There is no such run."))?
            }
            EvidenceFormat::AlloyXml => {
                return Err(RequestError::unsupported("This format is for instances."));
            }
        };
        Ok(self.file(&report.property(finding).name, text))
    }

    /// The evidence of a finding about a labelled transition system as a file.
    pub(crate) fn of_system(
        self,
        report: &lts::LtsReport<'_>,
        finding: &Finding,
        run: usize,
    ) -> Result<Attachment, RequestError> {
        let findings = std::slice::from_ref(finding);
        let report = &lts::LtsReport {
            findings,
            ..*report
        };
        let text = match self {
            EvidenceFormat::Json => CheckDocument::new(vec![lts::json::model(report)]).render(),
            EvidenceFormat::Dot => lts::dot::render(report),
            EvidenceFormat::Markdown => lts::markdown::render(report),
            EvidenceFormat::Written(format) => {
                let documents = lts::export::export(report, finding, format);
                let documents = documents.map_err(RequestError::unsupported)?;
                let document = documents.into_iter().nth(run).map(|document| document.text);
                document.ok_or_else(|| RequestError::missing("There is no such run."))?
            }
            EvidenceFormat::AlloyXml => {
                return Err(RequestError::unsupported("This format is for instances."));
            }
        };
        Ok(self.file(&report.property(finding).name, text))
    }

    /// The answer to a command, or an instance of it, as a file.
    pub(crate) fn of_command(
        self,
        report: &alloy::AlloyReport<'_>,
        instance: Option<&alloy::ShownInstance<'_>>,
        named: &dyn Fn(&str) -> String,
    ) -> Result<Attachment, RequestError> {
        let answer = report.answers.first().ok_or(RequestError::Internal)?;
        let there = || instance.ok_or_else(|| RequestError::missing("There is no such instance."));
        let text = match self {
            EvidenceFormat::Json => CheckDocument::new(vec![alloy::json::model(report)]).render(),
            EvidenceFormat::Markdown => alloy::markdown::render(report),
            EvidenceFormat::Dot => alloy::dot::render(there()?),
            EvidenceFormat::Written(export::ExportFormat::Svg) => alloy::svg::render(there()?),
            EvidenceFormat::AlloyXml => {
                alloy::xml::with_sources(there()?, report.sources, report.path, named)
            }
            EvidenceFormat::Written(_) => {
                let message = "This format holds runs, and an instance is none.";
                return Err(RequestError::unsupported(message));
            }
        };
        Ok(self.file(&report.command(answer).label, text))
    }

    fn file(self, property: &str, text: String) -> Attachment {
        let format = self.format();
        Attachment {
            name: file_name(property, format.ending),
            media: format.media,
            text,
        }
    }
}

/// The name, the title and the media type of a format.
fn written(format: export::ExportFormat) -> (&'static str, &'static str, &'static str) {
    use export::ExportFormat as F;
    match format {
        F::Itf => ("itf", "ITF trace", "application/json"),
        F::NuSmv => ("nusmv", "trace as NuSMV writes it", "application/xml"),
        F::Vcd => ("vcd", "waveform", "text/plain"),
        F::Csv => ("csv", "table", "text/csv"),
        F::PlantUml => ("puml", "sequence diagram for PlantUML", "text/plain"),
        F::Mermaid => ("mmd", "state diagram for Mermaid", "text/plain"),
        F::Svg => ("svg", "picture", "image/svg+xml"),
        F::GraphMl => ("graphml", "GraphML", "application/xml"),
        F::Aut => ("aut", "labelled transition system", "text/plain"),
        F::Cypher => ("cypher", "openCypher", "text/plain"),
    }
}
