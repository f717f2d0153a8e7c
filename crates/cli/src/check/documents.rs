//! What is written besides the screen: documents, pages, graphs, pictures and traces.

use std::path::Path;

use wherefore_driver::OpenError;
use wherefore_driver::alloy::{AlloySession, Found, Outcome};
use wherefore_driver::view::{Report, alloy, clean, dot, export, json, lts, markdown};
use wherefore_explorer::report::{ReportedModel, html};

use super::{Collected, File};
use crate::exit::Exit;
use crate::instances::Document;
use crate::models::Opened;
use crate::{open, terminal, writers};

impl Collected<'_> {
    pub(super) fn document(&self) -> String {
        let models = self.files.iter().filter_map(|file| self.model(file));
        json::Document::new(models.collect()).render()
    }

    /// What the document says of a model; nothing when nobody got that far.
    fn model(&self, file: &File) -> Option<json::Model> {
        let path = file.files.path.display().to_string();
        let language = file.files.language();
        match (&file.failed, &file.model) {
            (Some(OpenError::Rejected(rejected)), _) => Some(json::Model::rejected(
                &path,
                language,
                &rejected.sources,
                &rejected.diagnostics,
            )),
            (Some(error), _) => Some(json::Model::unreadable(&path, language, &error.to_string())),
            (None, Some(Opened::Lts(session))) => {
                let model = lts::json::model(&file.lts_report(session, self.check.stats));
                Some(model.with_diagnostics(session.sources(), session.warnings()))
            }
            (None, Some(Opened::Alloy(session))) => {
                let excerpts = file.excerpts();
                let report = file.alloy_report(session, &excerpts, self.check.stats);
                let model = alloy::json::model(&report);
                Some(model.with_diagnostics(session.sources(), session.warnings()))
            }
            (None, Some(Opened::Smv(session))) => {
                let mut model = json::Model::new(&file.report(session, self.check.stats));
                for (property, runs) in model.properties.iter_mut().zip(&file.runs) {
                    property.runs.clone_from(runs);
                }
                Some(model.with_diagnostics(session.sources(), session.warnings()))
            }
            (None, Some(Opened::Live(_)) | None) => None,
        }
    }

    /// The page that shows everything without a server.
    fn page(&self) -> String {
        let parts = self.files.iter().filter_map(|file| {
            let (space, findings) = (file.space.as_ref(), &file.findings[..]);
            if let Some(session) = file.smv() {
                return Some(ReportedModel::Model {
                    session,
                    space,
                    findings,
                });
            }
            if let Some(session) = file.lts() {
                return Some(ReportedModel::System {
                    session,
                    space,
                    findings,
                });
            }
            let model = Box::new(self.model(file)?);
            let shown = file.excerpts.iter().flat_map(|part| {
                let report = part.session.report(None, &part.findings);
                let findings = part.findings.iter();
                findings.map(move |finding| (part.command, report, finding))
            });
            Some(ReportedModel::Document {
                source: file
                    .alloy()
                    .map(|alloy| alloy.sources().file(alloy.file()).text()),
                shown: shown.collect(),
                model,
            })
        });
        html(parts.collect(), &open::command())
    }

    /// What there is evidence of: models, and parts of systems that show the answers to Alloy commands.
    fn reports(&self) -> Vec<Report<'_>> {
        let reports = self.files.iter().flat_map(|file| {
            let session = file.smv();
            let models = session.map(|session| file.report(session, self.check.stats));
            let parts = file.excerpts().into_iter().map(|part| part.report);
            models.into_iter().chain(parts)
        });
        reports.collect()
    }

    pub(super) fn markdown(&self) -> String {
        let pages = self.files.iter().filter_map(|file| {
            if let Some(session) = file.lts() {
                let report = file.lts_report(session, self.check.stats);
                return Some(lts::markdown::render(&report));
            }
            if let Some(session) = file.alloy() {
                let excerpts = file.excerpts();
                let report = file.alloy_report(session, &excerpts, self.check.stats);
                return Some(alloy::markdown::render(&report));
            }
            let report = file.report(file.smv()?, self.check.stats);
            let manner = file.conditions.manner(&self.check.telling);
            Some(markdown::render_in(&report, self.check.full, &manner))
        });
        pages.collect::<Vec<_>>().join("\n")
    }

    /// The evidence of all models as graphs, one after the other.
    fn graphs(&self) -> String {
        let stats = self.check.stats;
        let systems = self.files.iter().filter_map(|file| {
            let report = file.lts_report(file.lts()?, stats);
            Some(lts::dot::render(&report))
        });
        let reports = self.reports();
        let evidence = reports.iter().map(dot::render);
        let instances = self.instances().into_iter();
        let instances = instances.filter(|(_, session, command, _)| {
            self.wants_instances() || !self.has_run(session, *command)
        });
        let instances = instances
            .map(|(_, session, command, found)| Document::Dot.render(session, command, found));
        systems.chain(evidence).chain(instances).collect()
    }

    /// Whether runs show the answer to a command of an Alloy model, so that its instance adds nothing.
    fn has_run(&self, session: &AlloySession, command: usize) -> bool {
        let own = |file: &&File| {
            file.alloy()
                .is_some_and(|own| std::ptr::eq(&**own, session))
        };
        let parts = self.files.iter().filter(own).flat_map(File::excerpts);
        let mut parts = parts.filter(|part| part.command == command);
        parts.any(|part| part.has_evidence() && part.form != "whole")
    }

    /// The instances that were found of Alloy models, each with the name of its command.
    fn instances(&self) -> Vec<(String, &AlloySession, usize, &Found)> {
        let mut instances = Vec::new();
        for file in &self.files {
            let Some(session) = file.alloy() else {
                continue;
            };
            for answer in &file.answers {
                if let Outcome::Found { found, .. } = &answer.outcome {
                    let name = &session.commands()[answer.command].label;
                    let found = found.iter();
                    instances.extend(
                        found.map(|found| (name.clone(), &**session, answer.command, found)),
                    );
                }
            }
        }
        instances
    }

    /// The evidence about systems in a format, each with the name of its property and its branch; or why the
    /// format cannot hold it.
    fn evidence_of_systems(
        &self,
        format: export::Format,
    ) -> (Vec<(String, export::Document)>, Option<&'static str>) {
        let (mut documents, mut refused) = (Vec::new(), None);
        for file in &self.files {
            let Some(session) = file.lts() else {
                continue;
            };
            let report = file.lts_report(session, self.check.stats);
            for finding in report.findings {
                let name = &report.property(finding).name;
                match lts::export::export(&report, finding, format) {
                    Ok(found) => documents.extend(found.into_iter().map(|d| (name.clone(), d))),
                    Err(why) => refused = Some(why),
                }
            }
        }
        (documents, refused)
    }

    /// Writes each instance of Alloy models into a file of its own, the first into the file itself. Says
    /// whether there was any.
    fn write_instances(&self, path: &Path, document: Document) -> Result<bool, String> {
        let instances = self.instances();
        let documents = instances.iter().map(|(name, session, command, found)| {
            (name.clone(), document.render(session, *command, found))
        });
        writers::write_each(path, documents)
    }

    pub(super) fn write_documents(&mut self) {
        let (mut failures, mut notes) = (Vec::new(), Vec::new());
        if let Some(path) = &self.check.json {
            failures.extend(writers::write(path, &self.document()).err());
        }
        if let Some(path) = &self.check.html {
            failures.extend(writers::write(path, &self.page()).err());
        }
        if let Some(path) = &self.check.dot {
            failures.extend(writers::write(path, &self.graphs()).err());
        }
        let itf = self
            .check
            .itf
            .iter()
            .map(|path| (path, export::Format::Itf));
        let exports = self
            .check
            .export
            .iter()
            .map(|(path, format)| (path, *format));
        for (path, format) in itf.chain(exports) {
            let (documents, refused) = self.evidence_of_systems(format);
            notes.extend(refused.map(|why| {
                let path = terminal::shown(path);
                format!("note: {path} has no evidence about labelled transition systems. {why}")
            }));
            match writers::write_evidence(path, format, &self.reports(), documents) {
                Ok(true) => {}
                Ok(false) if refused.is_some() => {}
                Ok(false) => notes.push(format!(
                    "note: {} is not written: there is no evidence",
                    terminal::shown(path)
                )),
                Err(failure) => failures.push(failure),
            }
        }
        if let Some(path) = &self.check.effort.living.write_query {
            let written = self.files.iter().flat_map(|file| &file.queries);
            let documents = written
                .clone()
                .filter_map(|(name, query)| Some((name.clone(), query.clone().ok()?)));
            match writers::write_each(path, documents) {
                Ok(_) => {}
                Err(failure) => failures.push(failure),
            }
            for (name, query) in written {
                if let Err(why) = query {
                    notes.push(format!(
                        "note: {} has no first-order theory. {}",
                        clean(name),
                        clean(why)
                    ));
                }
            }
        }
        let alloying = &self.check.alloying;
        for (path, document) in [
            (&alloying.svg, Document::Svg),
            (&alloying.xml, Document::Xml),
        ] {
            let Some(path) = path else {
                continue;
            };
            match self.write_instances(path, document) {
                Ok(true) => {}
                Ok(false) => notes.push(format!(
                    "note: {} is not written: there is no instance",
                    terminal::shown(path)
                )),
                Err(failure) => failures.push(failure),
            }
        }
        for note in notes {
            self.say(&note);
        }
        for failure in failures {
            self.say(&failure);
            self.worse(Exit::Usage);
        }
    }
}
