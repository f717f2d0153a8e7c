//! Alloy models whose commands are answered in their scopes.
//!
//! Commands have instances: further ones can be asked for, and the values of expressions in them. Models
//! that describe a transition system completely are served by [`states`](super::states), unless the
//! settings say otherwise.

use std::collections::BTreeMap;

use wherefore_base::{Budget, Diagnostic, Run, Severity, Stop};
use wherefore_driver::blame::BlameEffort;
use wherefore_driver::evidence::Blame;
use wherefore_driver::subjects::alloy::{
    AlloyAnswer, AlloyOptions, AlloySubject, CommandOutcome, LoweringOptions, NoValue,
    SystemExcerpt,
};
use wherefore_driver::view::alloy::{self, AlloyReport, ShownInstance, json, value_text};
use wherefore_driver::view::api;
use wherefore_driver::view::json::diagnostics;
use wherefore_driver::view::wire::{
    ListedPropertyDoc, PropertyAnswer, ValueRequest, ValuesAnswer, to_line,
};
use wherefore_driver::{Refusal, SubjectEvent};

use super::states::StatesBackend;
use super::{MOST_RUNS, serve_with_parts};
use crate::error::RequestError;
use crate::export::EvidenceFormat;
use crate::profile::LanguageProfile;
use crate::queue::{RequestAnswer, RequestResult};
use crate::request::ModelRequest;
use crate::worker::{
    BackendReply, BackendResult, CheckEvent, CheckSelection, LoopExit, ModelBackend, ModelOverview,
    ModelWorker,
};
use crate::workspace::ModelSettings;

/// An Alloy model whose commands are answered in their scopes.
pub(crate) struct AlloyBackend {
    session: AlloySubject,
    choices: AlloyOptions,
    answers: BTreeMap<usize, CommandAnswer>,
}

/// What is known about a command.
struct CommandAnswer {
    answer: AlloyAnswer,
    /// The part of a transition system that shows the answer, if the model describes one.
    excerpt: Option<SystemExcerpt>,
}

impl ModelBackend for AlloyBackend {
    type Served = AlloySubject;

    fn open(
        session: AlloySubject,
        worker: &ModelWorker<'_>,
    ) -> Result<(Self, ModelOverview), Refusal> {
        let ModelSettings {
            opening,
            extent,
            formulas,
            ..
        } = worker.settings;
        let mut found = session.warnings().to_vec();
        if extent.is_none()
            && session.describes_system()
            && let Err(Refusal::Rejected(misfit)) =
                session.complete(&opening.scopes, &worker.budget)
        {
            // The system is not complete, which is no error here.
            found.extend(misfit.diagnostics.into_iter().map(|it| Diagnostic {
                severity: Severity::Warning,
                ..it
            }));
        }
        for expression in formulas {
            let read = session.read_expression(expression);
            read.map_err(Refusal::Rejected)?;
        }
        let choices = AlloyOptions {
            lowering: LoweringOptions {
                scopes: opening.scopes.clone(),
                ..LoweringOptions::default()
            },
            evaluate: formulas.clone(),
            reach: extent.unwrap_or_default(),
            ..AlloyOptions::default()
        };
        let backend = Self {
            session,
            choices,
            answers: BTreeMap::new(),
        };
        let report = backend.report(&[], &[]);
        let overview = ModelOverview {
            model: json::model(&report).with_diagnostics(diagnostics(report.sources, &found)),
            variables: Vec::new(),
            source: Some(
                report
                    .sources
                    .file(backend.session.file())
                    .text()
                    .to_string(),
            ),
        };
        Ok((backend, overview))
    }

    fn profile(&self) -> LanguageProfile {
        if self.session.describes_system() {
            LanguageProfile::ALLOY_SYSTEM
        } else {
            LanguageProfile::ALLOY
        }
    }

    fn questions(&self) -> usize {
        self.session.commands().len()
    }

    fn unchecked(&self, first: usize, _: &Budget) -> Vec<ListedPropertyDoc> {
        let report = self.report(&[], &[]);
        let listed = (first..self.questions()).map(|command| {
            let stopped = CommandOutcome::Undecided {
                stop: Some(Stop::Cancelled),
                reached: None,
            };
            let property = json::property(&report, &AlloyAnswer::new(command, stopped));
            ListedPropertyDoc::unchecked(property, command)
        });
        listed.collect()
    }

    fn check(
        &mut self,
        selection: CheckSelection,
        worker: &ModelWorker<'_>,
        emit: &mut dyn FnMut(CheckEvent),
    ) {
        for command in selection.first()..self.questions() {
            if worker.budget.check().is_err() {
                return;
            }
            let (listed, detail) = self.solve(worker, command, 1);
            emit(CheckEvent::Answer(Box::new(listed), Box::new(detail)));
        }
        for command in self.blame(worker) {
            let (_, detail) = self.told(worker, command);
            emit(CheckEvent::Update(Box::new(detail)));
        }
    }

    fn answer(&mut self, request: &ModelRequest, worker: &ModelWorker<'_>) -> BackendResult {
        let answer = match request {
            ModelRequest::Proof(..) => return Ok(BackendReply::Deferred),
            ModelRequest::Another(command, options) => {
                let count = options.count.unwrap_or(1).clamp(1, MOST_RUNS);
                let (listed, detail) = self.solve(worker, *command, count);
                let document = worker.record(listed, &detail);
                worker.budget.check()?;
                Ok(document)
            }
            ModelRequest::Value(command, wanted) => self.value(worker, *command, wanted),
            ModelRequest::Export(command, format, run) => self.export(*command, *format, *run),
            ModelRequest::Instance(command, format, number) => {
                self.instance(*command, *format, *number)
            }
            _ => Err(RequestError::Internal),
        };
        Ok(answer?.into())
    }

    fn serve(&mut self, worker: &mut ModelWorker<'_>) -> Run<LoopExit> {
        serve_with_parts(self, worker, |backend, request| {
            let unsupported = || RequestError::unsupported(backend.profile().otherwise);
            let ModelRequest::Proof(command, _) = request else {
                return Err(RequestError::Internal);
            };
            let known = backend.answers.get(command);
            let excerpt = known.and_then(|known| known.excerpt.as_ref());
            let part = StatesBackend::new(excerpt.ok_or_else(unsupported)?.session.clone());
            // The formula of the command is the only property of the part.
            *command = 0;
            Ok(part)
        })
    }
}

impl AlloyBackend {
    /// Answers a command with so many instances.
    fn solve(
        &mut self,
        worker: &ModelWorker<'_>,
        command: usize,
        instances: usize,
    ) -> (ListedPropertyDoc, PropertyAnswer) {
        let choices = AlloyOptions {
            instances,
            ..self.choices.clone()
        };
        let mut answer = self.session.answer(command, &choices, &worker.budget);
        let excerpt = self.excerpt(&answer, worker);
        // Further instances leave it as it is who is to blame.
        let known = self.answers.remove(&command);
        answer.blame = known.and_then(|known| known.answer.blame);
        self.answers
            .insert(command, CommandAnswer { answer, excerpt });
        self.told(worker, command)
    }

    /// Finds who is to blame for commands that are not as expected; returns those for which somebody is.
    fn blame(&mut self, worker: &ModelWorker<'_>) -> Vec<usize> {
        let answers = self
            .answers
            .iter()
            .map(|(command, known)| AlloyAnswer::new(*command, known.answer.outcome.clone()));
        let answers: Vec<AlloyAnswer> = answers.collect();
        let mut found: Vec<(usize, Blame)> = Vec::new();
        let mut sink = |event| {
            if let SubjectEvent::Blame(question, blame) = event {
                found.push((question.index(), *blame));
            }
        };
        let (effort, budget) = (BlameEffort::SHARE, &worker.budget);
        self.session
            .tell_blame(&answers, &self.choices, effort, budget, &mut sink);
        let mut blamed = Vec::new();
        for (command, blame) in found {
            if let Some(known) = self.answers.get_mut(&command) {
                known.answer.blame = Some(blame);
                blamed.push(command);
            }
        }
        blamed
    }

    /// What is known about a command that was answered.
    fn told(
        &self,
        worker: &ModelWorker<'_>,
        command: usize,
    ) -> (ListedPropertyDoc, PropertyAnswer) {
        let CommandAnswer { answer, excerpt } = &self.answers[&command];
        let shown = excerpt.as_ref().map(SystemExcerpt::shown);
        let report = self.report(std::slice::from_ref(answer), shown.as_slice());
        let property = json::property(&report, answer);
        let part = report.excerpt(answer);
        let part = part.and_then(|part| Some((part.report, part.report.findings.first()?)));
        let model = worker.settings.id;
        match part {
            Some((report, finding)) => {
                let detail = PropertyAnswer {
                    id: command,
                    property,
                    ..api::property(model, &report, finding)
                };
                let told = detail.told.as_ref();
                let mut listed = api::listed(detail.property.clone(), finding, told);
                listed.id = command;
                let variables = api::variables(&report);
                worker
                    .status
                    .write(|status| status.entry.add_variables(variables));
                (listed, detail)
            }
            None => {
                let listed = ListedPropertyDoc::new(property.clone(), command, None);
                let detail = PropertyAnswer {
                    model,
                    id: command,
                    property,
                    from: None,
                    told: None,
                    formula: Vec::new(),
                };
                (listed, detail)
            }
        }
    }

    /// The part of a transition system that shows an answer, if there is one.
    fn excerpt(&self, answer: &AlloyAnswer, worker: &ModelWorker<'_>) -> Option<SystemExcerpt> {
        let CommandOutcome::Found { found, .. } = &answer.outcome else {
            return None;
        };
        let question = self.session.question(answer.command, &self.choices).ok()?;
        let excerpt = self
            .session
            .excerpt(&question, found.first()?, &worker.budget);
        excerpt.ok()
    }

    /// The values of an expression in the states of an instance.
    fn value(
        &self,
        worker: &ModelWorker<'_>,
        command: usize,
        wanted: &ValueRequest,
    ) -> RequestResult {
        let known = self.answers.get(&command);
        let Some(CommandOutcome::Found { found, .. }) = known.map(|known| &known.answer.outcome)
        else {
            return Err(RequestError::missing("The command has no instance."));
        };
        let found = found.get(wanted.instance);
        let found = found.ok_or_else(|| RequestError::missing("There is no such instance."))?;
        let question = self.session.question(command, &self.choices);
        let question = question.map_err(|_| RequestError::Internal)?;
        let text = &wanted.expression;
        let values = (0..found.scene.moments.len()).map(|state| {
            let value = self
                .session
                .evaluate(&question, found, text, state, &worker.budget);
            match value {
                Ok(value) => Ok(value_text(&found.scene, &value)),
                Err(NoValue::Stopped(stop)) => Err(RequestError::from(stop)),
                Err(NoValue::Rejected(rejected)) => Err(rejected.into()),
            }
        });
        let answer = ValuesAnswer {
            expression: text.clone(),
            values: values.collect::<Result<_, _>>()?,
        };
        Ok(to_line(&answer).into())
    }

    /// The evidence for a command as a file; where there is none, its first instance.
    fn export(&self, command: usize, format: EvidenceFormat, run: usize) -> RequestResult {
        let known = self.answers.get(&command);
        let Some(excerpt) = &known.ok_or(RequestError::CANCELLED)?.excerpt else {
            return self.instance(command, format, run);
        };
        let part = excerpt.shown().report;
        let finding = part.findings.first().ok_or(RequestError::Internal)?;
        format.of(&part, finding, run).map(RequestAnswer::File)
    }

    /// An instance of a command as a file.
    fn instance(&self, command: usize, format: EvidenceFormat, number: usize) -> RequestResult {
        let known = self.answers.get(&command);
        let answer = &known.ok_or(RequestError::CANCELLED)?.answer;
        let report = self.report(std::slice::from_ref(answer), &[]);
        let instance = match &answer.outcome {
            CommandOutcome::Found { found, .. } => found.get(number).map(|found| ShownInstance {
                model: report.model,
                command: report.command(answer),
                scene: &found.scene,
            }),
            _ => None,
        };
        let named = |name: &str| self.session.whole_name(name);
        let file = format.of_command(&report, instance.as_ref(), &named);
        file.map(RequestAnswer::File)
    }

    fn report<'a>(
        &'a self,
        answers: &'a [AlloyAnswer],
        excerpts: &'a [alloy::ExcerptReport<'a>],
    ) -> AlloyReport<'a> {
        let sources = self.session.sources();
        AlloyReport {
            path: sources.file(self.session.file()).name(),
            model: self.session.model(),
            sources,
            answers,
            excerpts,
            advice: None,
            seconds: None,
        }
    }
}
