//! Exports: evidence in the formats that other tools read.

use wherefore::evidence::Finding;
use wherefore::view::api::{Format, file_name};
use wherefore::view::{Report, dot, export, json, lts, markdown};

use crate::clerk::File;
use crate::problem::Problem;

/// A format of evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Json,
    Dot,
    Markdown,
    /// One of those that `check --export` writes.
    Written(export::Format),
}

/// Languages whose models have variables.
const VARIABLES: &[&str] = &["smv", "alloy"];
/// All languages whose evidence is a run.
const RUNS: &[&str] = &["smv", "alloy", "aut"];

impl Form {
    fn all() -> impl Iterator<Item = Form> {
        let written = export::Format::ALL.into_iter().map(Form::Written);
        [Form::Json, Form::Dot, Form::Markdown]
            .into_iter()
            .chain(written)
    }

    /// The format with a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::all().find(|form| form.format().name == name)
    }

    /// All formats, to be listed.
    pub(crate) fn list() -> Vec<Format> {
        Self::all().map(Form::format).collect()
    }

    fn format(self) -> Format {
        let (name, title, media, ending, languages) = match self {
            Form::Json => (
                "json",
                "JSON document of wherefore",
                "application/json",
                ".json",
                RUNS,
            ),
            Form::Dot => (
                "dot",
                "graph for Graphviz",
                "text/vnd.graphviz",
                ".dot",
                RUNS,
            ),
            Form::Markdown => ("md", "Markdown page", "text/markdown", ".md", RUNS),
            Form::Written(format) => {
                let (name, title, media) = written(format);
                let languages = match lts::export::refusal(format) {
                    Some(_) => VARIABLES,
                    None => RUNS,
                };
                (name, title, media, format.ending(), languages)
            }
        };
        Format {
            name,
            title,
            media,
            ending,
            languages,
        }
    }

    /// The evidence of a finding about a model; of several runs the one with this number.
    pub(crate) fn of(
        self,
        report: &Report<'_>,
        finding: &Finding,
        run: usize,
    ) -> Result<File, Problem> {
        let findings = std::slice::from_ref(finding);
        let report = &Report {
            findings,
            ..*report
        };
        let text = match self {
            Form::Json => json::Document::new(vec![json::Model::new(report)]).render(),
            Form::Dot => dot::render(report),
            Form::Markdown => markdown::render(report, true),
            Form::Written(format) => {
                let mut documents = export::export(report, finding, format).into_iter();
                let document = documents.nth(run).map(|document| document.text);
                document.ok_or_else(|| Problem::missing("There is no such run."))?
            }
        };
        Ok(self.file(&report.property(finding).name, text))
    }

    /// The evidence of a finding about a system; of several runs the one with this number.
    pub(crate) fn of_system(
        self,
        report: &lts::Report<'_>,
        finding: &Finding,
        run: usize,
    ) -> Result<File, Problem> {
        let findings = std::slice::from_ref(finding);
        let report = &lts::Report {
            findings,
            ..*report
        };
        let text = match self {
            Form::Json => json::Document::new(vec![lts::json::model(report)]).render(),
            Form::Dot => lts::dot::render(report),
            Form::Markdown => lts::markdown::render(report),
            Form::Written(format) => {
                let documents = lts::export::export(report, finding, format);
                let documents = documents.map_err(Problem::unsupported)?;
                let document = documents.into_iter().nth(run).map(|document| document.text);
                document.ok_or_else(|| Problem::missing("There is no such run."))?
            }
        };
        Ok(self.file(&report.property(finding).name, text))
    }

    fn file(self, property: &str, text: String) -> File {
        let format = self.format();
        File {
            name: file_name(property, format.ending),
            media: format.media,
            text,
        }
    }
}

/// The name, the title and the media type of a format.
fn written(format: export::Format) -> (&'static str, &'static str, &'static str) {
    use export::Format as F;
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
