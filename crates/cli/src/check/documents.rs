//! What is written besides the screen: documents, pages, graphs, pictures and traces.

use std::path::Path;

use wherefore_driver::subjects::alloy::{AnswerInstance, CommandOutcome};
use wherefore_driver::view::wire::{CheckDocument, ExcerptFormName, ModelDoc};
use wherefore_driver::view::{clean, export, json};
use wherefore_driver::{AlloySubject, LtsSubject, Refusal};
use wherefore_explorer::report::{ReportedModel, html};

use super::{Checked, Collected};
use crate::exit::Exit;
use crate::instances::Document;
use crate::{open, terminal, writers};

/// An instance that was found of a command of an Alloy model.
struct FoundInstance<'a> {
    name: &'a str,
    alloy: &'a AlloySubject,
    command: usize,
    found: &'a AnswerInstance,
    /// Whether runs show the answer to the command, so that the instance adds nothing.
    has_run: bool,
}

impl FoundInstance<'_> {
    fn render(&self, document: Document) -> String {
        document.render(self.alloy, self.command, self.found)
    }
}

impl Collected<'_> {
    pub(super) fn document(&self) -> String {
        let models = self.systems.iter().filter_map(|system| self.model(system));
        CheckDocument::new(models.collect()).render()
    }

    /// What the document says of a system; nothing when nobody got that far.
    fn model(&self, system: &Checked) -> Option<ModelDoc> {
        let file = &self.files[system.file];
        let path = file.path.display().to_string();
        match system.failed.as_ref().map(Refusal::root) {
            Some(Refusal::Rejected(rejected)) => Some(json::rejected(
                &path,
                file.language,
                &rejected.sources,
                &rejected.diagnostics,
            )),
            Some(refusal) => {
                let why = refusal.to_string();
                Some(ModelDoc::unreadable(&path, file.language, &why))
            }
            None => {
                let subject = system.subject.as_ref()?;
                let model = subject.report(&system.results).document();
                let warnings = json::diagnostics(subject.sources(), subject.warnings());
                Some(model.with_diagnostics(warnings))
            }
        }
    }

    /// The page that shows everything without a server.
    fn page(&self) -> String {
        let parts = self.systems.iter().filter_map(|system| {
            Some(ReportedModel {
                subject: system.usable().map(|subject| &**subject),
                results: &system.results,
                model: self.model(system)?,
            })
        });
        html(parts.collect(), &open::command())
    }

    pub(super) fn markdown(&self) -> String {
        let pages = self.systems.iter().filter_map(|system| {
            let report = system.usable()?.report(&system.results);
            let manner = system.conditions.manner(&self.check.telling);
            Some(report.markdown(self.check.full, &manner))
        });
        pages.collect::<Vec<_>>().join("\n")
    }

    /// The evidence of all systems as graphs, one after the other.
    fn graphs(&self) -> String {
        // Labelled transition systems come first, instances last.
        let (systems, others): (Vec<&Checked>, Vec<&Checked>) = self
            .systems
            .iter()
            .partition(|system| system.usable().is_some_and(|s| s.is::<LtsSubject>()));
        let evidence = systems.into_iter().chain(others).filter_map(|system| {
            let report = system.usable()?.report(&system.results);
            Some(report.graphs(&system.conditions.manner(&self.check.telling)))
        });
        let instances = self.instances().into_iter();
        let instances = instances.filter(|one| self.wants_instances() || !one.has_run);
        evidence
            .chain(instances.map(|one| one.render(Document::Dot)))
            .collect()
    }

    /// The instances that were found of Alloy models.
    fn instances(&self) -> Vec<FoundInstance<'_>> {
        let mut instances = Vec::new();
        for system in &self.systems {
            let Some(alloy) = system
                .usable()
                .and_then(|subject| subject.downcast_ref::<AlloySubject>())
            else {
                continue;
            };
            for answer in &system.results.commands {
                let CommandOutcome::Found { found, .. } = &answer.outcome else {
                    continue;
                };
                let parts = system.results.excerpts.iter().map(|part| part.shown());
                let mut parts = parts.filter(|part| part.command == answer.command);
                let has_run =
                    parts.any(|part| part.has_evidence() && part.form != ExcerptFormName::Whole);
                instances.extend(found.iter().map(|found| FoundInstance {
                    name: &alloy.commands()[answer.command].label,
                    alloy,
                    command: answer.command,
                    found,
                    has_run,
                }));
            }
        }
        instances
    }

    /// The evidence in a format, each document with the name of its property; and why the format cannot hold that of
    /// some system.
    fn evidence(
        &self,
        format: export::ExportFormat,
    ) -> (Vec<(String, export::ExportDocument)>, Option<&'static str>) {
        let (mut documents, mut of_systems, mut refused) = (Vec::new(), Vec::new(), None);
        for system in &self.systems {
            let Some(subject) = system.usable() else {
                continue;
            };
            let manner = system.conditions.manner(&self.check.telling);
            match subject.report(&system.results).exports(format, &manner) {
                Ok(found) if subject.is::<LtsSubject>() => of_systems.extend(found),
                Ok(found) => documents.extend(found),
                Err(why) => refused = Some(why),
            }
        }
        documents.extend(of_systems);
        (documents, refused)
    }

    /// Writes each instance of Alloy models into a file of its own, the first into the file itself. Says
    /// whether there was any.
    fn write_instances(&self, path: &Path, document: Document) -> Result<bool, String> {
        let instances = self.instances();
        let documents = instances
            .iter()
            .map(|one| (one.name.to_string(), one.render(document)));
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
            .map(|path| (path, export::ExportFormat::Itf));
        let exports = self
            .check
            .export
            .iter()
            .map(|(path, format)| (path, *format));
        for (path, format) in itf.chain(exports) {
            let (documents, refused) = self.evidence(format);
            notes.extend(refused.map(|why| {
                let path = terminal::shown(path);
                format!("note: {path} has no evidence about labelled transition systems. {why}")
            }));
            match writers::write_evidence(path, &documents) {
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
            let systems = self.systems.iter();
            let written = systems.flat_map(|system| &system.results.theories);
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
