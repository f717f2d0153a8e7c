//! Models with infinitely many states, which SMT solvers are asked about.
//!
//! The states of such a model are not at hand. What a solver finds is a run, and over this run the proof of
//! the verdict can be explored.

use std::collections::BTreeMap;

use wherefore_base::{Budget, Run, Stop};
use wherefore_driver::evidence::{EvidenceOptions, Finding};
use wherefore_driver::subjects::smt::{self, SmtOptions, SmtSolver, SmtSubject};
use wherefore_driver::view::api;
use wherefore_driver::view::json;
use wherefore_driver::view::json::diagnostics;
use wherefore_driver::view::wire::ListedPropertyDoc;
use wherefore_driver::{ModelSubject, Refusal, undecided};

use super::serve_with_parts;
use super::states::StatesBackend;
use crate::error::RequestError;
use crate::profile::LanguageProfile;
use crate::queue::RequestAnswer;
use crate::request::ModelRequest;
use crate::worker::{
    BackendReply, BackendResult, CheckEvent, CheckSelection, LoopExit, ModelBackend, ModelOverview,
    ModelWorker,
};

/// A model with infinitely many states.
pub(crate) struct SmtBackend {
    session: SmtSubject,
    choices: SmtOptions,
    answers: BTreeMap<usize, SolverAnswer>,
}

/// What is known about a property.
struct SolverAnswer {
    answer: smt::SmtAnswer,
    /// The runs that were found, as a model.
    runs: ModelSubject,
    finding: Finding,
}

impl ModelBackend for SmtBackend {
    type Served = SmtSubject;

    fn open(
        mut session: SmtSubject,
        worker: &ModelWorker<'_>,
    ) -> Result<(Self, ModelOverview), Refusal> {
        let (settings, budget) = (worker.settings, &worker.budget);
        for formula in worker.formulas() {
            session.add_formula(&formula).map_err(Refusal::Rejected)?;
        }
        let bare = session
            .tell(&[], &EvidenceOptions::default(), budget)
            .session;
        let report = bare.report(None, &[]);
        let model = json::model(&report);
        let overview = ModelOverview {
            model: model.with_diagnostics(diagnostics(session.sources(), session.warnings())),
            variables: api::variables(&report),
            source: Some(session.sources().file(session.file()).text().to_string()),
        };
        let choices = SmtOptions {
            engine: smt::way(settings.engine),
            solvers: SmtSolver::installed(budget),
            ..SmtOptions::default()
        };
        let backend = Self {
            session,
            choices,
            answers: BTreeMap::new(),
        };
        Ok((backend, overview))
    }

    fn profile(&self) -> LanguageProfile {
        LanguageProfile::SMT
    }

    fn questions(&self) -> usize {
        self.session.properties().len()
    }

    fn unchecked(&self, first: usize, budget: &Budget) -> Vec<ListedPropertyDoc> {
        let bare = self
            .session
            .tell(&[], &EvidenceOptions::default(), budget)
            .session;
        let report = bare.report(None, &[]);
        let listed = (first..self.questions()).map(|property| {
            let finding = undecided(bare.model(), property, Stop::Cancelled);
            ListedPropertyDoc::unchecked(json::property(&report, &finding), finding.property)
        });
        listed.collect()
    }

    fn add(&mut self, text: &str) -> Result<usize, RequestError> {
        Ok(self.session.add_formula(text)?)
    }

    fn check(
        &mut self,
        selection: CheckSelection,
        worker: &ModelWorker<'_>,
        emit: &mut dyn FnMut(CheckEvent),
    ) {
        let budget = &worker.budget;
        for property in selection.first()..self.questions() {
            if budget.check().is_err() {
                return;
            }
            let answer = self.session.answer(property, &self.choices, budget);
            let answers = [(property, answer)];
            let options = EvidenceOptions {
                why: true,
                ..EvidenceOptions::default()
            };
            let told = self.session.tell(&answers, &options, budget);
            let [(_, answer)] = answers;
            let finding = told.findings.into_iter().next();
            let finding = finding.expect("there is a finding for each answer");
            let report = told.session.report(None, &[]);
            let mut detail = api::property(worker.settings.id, &report, &finding);
            detail.property.runs = told.runs.into_iter().flatten().collect();
            emit(CheckEvent::answer(detail, &finding));
            let answer = SolverAnswer {
                answer,
                runs: told.session,
                finding,
            };
            self.answers.insert(property, answer);
        }
    }

    fn answer(&mut self, request: &ModelRequest, _: &ModelWorker<'_>) -> BackendResult {
        match request {
            ModelRequest::Proof(..) => Ok(BackendReply::Deferred),
            ModelRequest::Export(property, format, run) => {
                let known = self.answers.get(property);
                let known = known.ok_or(RequestError::CANCELLED)?;
                let report = known.runs.report(None, &[]);
                let file = format.of(&report, &known.finding, *run)?;
                Ok(RequestAnswer::File(file).into())
            }
            _ => Err(RequestError::Internal),
        }
    }

    fn serve(&mut self, worker: &mut ModelWorker<'_>) -> Run<LoopExit> {
        serve_with_parts(self, worker, |backend, request| {
            let runs = request.question().and_then(|property| {
                let known = backend.answers.get(&property)?;
                backend.session.fragment(property, &known.answer)
            });
            let why = "There is no run around which a proof could be explored.";
            let runs = runs.ok_or_else(|| RequestError::unsupported(why))?;
            Ok(StatesBackend::new(runs))
        })
    }
}
