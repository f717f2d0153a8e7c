//! What is known about a subject of any language, and the ways to show it.
//!
//! The kinds of answer differ: findings about a model, findings about a labelled transition system, answers to
//! commands. Which view shows which kind is decided here and nowhere else.

use wherefore_alloy::answer::AlloyAnswer;
use wherefore_wire::ModelDoc;

use crate::{Manner, Report, alloy, dot, export, json, lts, markdown, text};

/// A report about a subject of any language.
#[derive(Debug)]
pub enum AnyReport<'a> {
    /// Findings about a model whose states are values of variables.
    Model(Report<'a>),
    /// Findings about a labelled transition system.
    Lts(lts::LtsReport<'a>),
    /// Answers to the commands of an Alloy model.
    Commands(CommandReport<'a>),
}

/// A report about commands, with the parts of systems that show their answers.
#[derive(Debug)]
pub struct CommandReport<'a> {
    /// What is found out; its parts are those below.
    pub base: alloy::AlloyReport<'a>,
    /// Parts of transition systems that show the answers.
    pub excerpts: Vec<alloy::ExcerptReport<'a>>,
}

impl CommandReport<'_> {
    /// The report that views take.
    pub fn report(&self) -> alloy::AlloyReport<'_> {
        alloy::AlloyReport {
            excerpts: &self.excerpts,
            ..self.base
        }
    }
}

impl AnyReport<'_> {
    /// The whole screen; the screens of commands are shown piece by piece instead.
    pub fn text(&self, options: &text::TextOptions<'_>) -> String {
        match self {
            AnyReport::Model(report) => text::render(report, options),
            AnyReport::Lts(report) => lts::text::render(report, options),
            AnyReport::Commands(commands) => {
                let report = commands.report();
                let piece = |answer: &AlloyAnswer| {
                    let verdict = alloy::text::verdict(&report, answer, options);
                    let reasons = alloy::text::reasons(&report, answer, options);
                    let blame = alloy::text::to_blame(&report, answer, options);
                    format!("{verdict}{reasons}{blame}\n")
                };
                let pieces: String = report.answers.iter().map(piece).collect();
                format!("{pieces}{}", alloy::text::total(&report, options))
            }
        }
    }

    /// The page.
    pub fn markdown(&self, full: bool, manner: &Manner<'_>) -> String {
        match self {
            AnyReport::Model(report) => markdown::render_in(report, full, manner),
            AnyReport::Lts(report) => lts::markdown::render(report),
            AnyReport::Commands(commands) => alloy::markdown::render(&commands.report()),
        }
    }

    /// The model in a document.
    pub fn document(&self) -> ModelDoc {
        match self {
            AnyReport::Model(report) => {
                let mut model = json::model(report);
                for (property, runs) in model.properties.iter_mut().zip(report.runs) {
                    property.runs.clone_from(runs);
                }
                model
            }
            AnyReport::Lts(report) => lts::json::model(report),
            AnyReport::Commands(commands) => alloy::json::model(&commands.report()),
        }
    }

    /// The evidence as graphs, one after the other.
    pub fn graphs(&self, manner: &Manner<'_>) -> String {
        match self {
            AnyReport::Model(report) => dot::render(report, manner),
            AnyReport::Lts(report) => lts::dot::render(report),
            AnyReport::Commands(commands) => {
                let parts = commands.excerpts.iter();
                parts
                    .map(|part| dot::render(&part.report, manner))
                    .collect()
            }
        }
    }

    /// The evidence in a format of other tools, each document with the name of its property; or why the format
    /// cannot hold it.
    pub fn exports(
        &self,
        format: export::ExportFormat,
        manner: &Manner<'_>,
    ) -> Result<Vec<(String, export::ExportDocument)>, &'static str> {
        let mut documents = Vec::new();
        match self {
            AnyReport::Model(report) => documents = exports(report, format, manner),
            AnyReport::Commands(commands) => {
                let parts = commands.excerpts.iter();
                documents.extend(parts.flat_map(|part| exports(&part.report, format, manner)));
            }
            AnyReport::Lts(report) => {
                for finding in report.findings {
                    let name = &report.property(finding).name;
                    let found = lts::export::export(report, finding, format)?;
                    documents.extend(found.into_iter().map(|d| (name.clone(), d)));
                }
            }
        }
        Ok(documents)
    }
}

/// The evidence about a model in a format of other tools, each document with the name of its property.
pub fn exports(
    report: &Report<'_>,
    format: export::ExportFormat,
    manner: &Manner<'_>,
) -> Vec<(String, export::ExportDocument)> {
    let documents = report.findings.iter().flat_map(|finding| {
        let name = &report.property(finding).name;
        let found = export::export(report, finding, format, manner).into_iter();
        found.map(move |document| (name.clone(), document))
    });
    documents.collect()
}
