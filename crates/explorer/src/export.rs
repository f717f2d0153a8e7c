//! Exports: evidence in the formats that other tools read.

use wherefore::evidence::Finding;
use wherefore::view::api::{Format, file_name};
use wherefore::view::{Report, dot, itf, json, lts, markdown};

use crate::clerk::File;
use crate::problem::Problem;

/// A format of evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Json,
    Itf,
    Dot,
    Markdown,
}

/// Languages whose models have variables.
const VARIABLES: &[&str] = &["smv", "alloy"];
/// All languages whose evidence is a run.
const RUNS: &[&str] = &["smv", "alloy", "aut"];

impl Form {
    const ALL: [Form; 4] = [Form::Json, Form::Itf, Form::Dot, Form::Markdown];

    /// The format with a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|form| form.format().name == name)
    }

    /// All formats, to be listed.
    pub(crate) fn list() -> Vec<Format> {
        Self::ALL.into_iter().map(Form::format).collect()
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
            Form::Itf => (
                "itf",
                "ITF trace",
                "application/json",
                ".itf.json",
                VARIABLES,
            ),
            Form::Dot => (
                "dot",
                "graph for Graphviz",
                "text/vnd.graphviz",
                ".dot",
                RUNS,
            ),
            Form::Markdown => ("md", "Markdown page", "text/markdown", ".md", RUNS),
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
            Form::Itf => {
                let mut traces = itf::render(report, finding).into_iter();
                let trace = traces.nth(run).map(|trace| trace.document);
                trace.ok_or_else(|| Problem::missing("There is no such run."))?
            }
        };
        Ok(self.file(&report.property(finding).name, text))
    }

    /// The evidence of a finding about a system.
    pub(crate) fn of_system(
        self,
        report: &lts::Report<'_>,
        finding: &Finding,
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
            Form::Itf => {
                let message = "An ITF trace has values of variables, and a labelled transition system has none.";
                return Err(Problem::unsupported(message));
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
