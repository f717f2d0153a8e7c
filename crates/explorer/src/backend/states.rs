//! Models whose states are values of variables.
//!
//! Requests are answered in loops within loops: without the state space, over the state space, and over the
//! proof of a property. An inner loop also answers what an outer one can. A request that needs more than is
//! at hand is deferred: the inner loops end, and the request is answered where its needs are met.

mod blame;
mod proof;
mod space;

use std::borrow::Borrow;
use std::collections::BTreeMap;

use wherefore_base::{Budget, Run, Stop};
use wherefore_driver::blame::BlameEffort;
use wherefore_driver::evidence::{EvidenceOptions, Finding, SeveralOptions, SpaceSummary};
use wherefore_driver::explain::Tactic;
use wherefore_driver::explore::{Next, explore};
use wherefore_driver::model::{PropertyBody, Query, TermId};
use wherefore_driver::strategy::{BadSpec, StrategySpec};
use wherefore_driver::view::api;
use wherefore_driver::view::json;
use wherefore_driver::view::json::diagnostics;
use wherefore_driver::view::wire::{AnotherRequest, ListedPropertyDoc};
use wherefore_driver::{
    Answer, Ask, Capability, Event, Job, ModelSubject, QuestionId, Refusal, Subject, SubjectEvent,
    undecided,
};

use super::MOST_RUNS;
use crate::error::RequestError;
use crate::export::EvidenceFormat;
use crate::profile::LanguageProfile;
use crate::queue::{RequestAnswer, RequestResult};
use crate::request::ModelRequest;
use crate::worker::{
    BackendReply, BackendResult, CheckEvent, CheckSelection, LoopExit, ModelBackend, ModelOverview,
    ModelWorker,
};

/// A model whose states are values of variables.
pub(crate) struct StatesBackend {
    session: ModelSubject,
    space: Option<SpaceSummary>,
    /// What was found out, by property.
    findings: BTreeMap<usize, Finding>,
    /// How many times the usual effort was spent on the question what is to blame for failures, where somebody asked.
    efforts: BTreeMap<usize, f64>,
    /// Whether the state space is at hand.
    has_space: bool,
    /// Whether a check has found evidence, so that states will be asked for.
    will_need_space: bool,
    /// Formulas, expressions and strategies that were read before, by their texts.
    goals: BTreeMap<String, Query>,
    terms: BTreeMap<String, TermId>,
    tactics: BTreeMap<String, Tactic>,
}

impl Borrow<ModelSubject> for StatesBackend {
    fn borrow(&self) -> &ModelSubject {
        &self.session
    }
}

impl ModelBackend for StatesBackend {
    type Served = ModelSubject;

    fn open(
        subject: ModelSubject,
        worker: &ModelWorker<'_>,
    ) -> Result<(Self, ModelOverview), Refusal> {
        let mut session = subject.with_engine(worker.settings.engine);
        for formula in worker.formulas() {
            session.add_formula(&formula).map_err(Refusal::Rejected)?;
        }
        let report = session.report(None, &[]);
        let model = json::model(&report)
            .with_diagnostics(diagnostics(session.sources(), session.warnings()));
        let overview = ModelOverview {
            model,
            variables: api::variables(&report),
            source: Some(session.sources().file(session.file()).text().to_string()),
        };
        Ok((Self::new(session), overview))
    }

    fn profile(&self) -> LanguageProfile {
        match self.session.lists_changes() {
            true => LanguageProfile::SMV,
            false => LanguageProfile::STATES,
        }
    }

    fn questions(&self) -> usize {
        self.session.model().properties.len()
    }

    fn unchecked(&self, first: usize, _: &Budget) -> Vec<ListedPropertyDoc> {
        let report = self.session.report(None, &[]);
        let properties = first..self.questions();
        let listed = properties.map(|property| {
            let finding = undecided(self.session.model(), property, Stop::Cancelled);
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
        let all = selection == CheckSelection::All;
        let questions = selection.first()..self.questions();
        let questions: Vec<QuestionId> = questions.map(QuestionId::new).collect();
        let ask = Ask {
            engine: worker.settings.engine,
            blame: Some(BlameEffort {
                slice: true,
                ..BlameEffort::SHARE
            }),
            ..Ask::default()
        };
        let Self {
            session,
            space,
            findings,
            efforts,
            ..
        } = self;
        let mut sink = |event| match event {
            SubjectEvent::Space(known) => {
                let model = json::model(&session.report(Some(&known), &[]));
                if all {
                    *space = Some(known);
                }
                emit(CheckEvent::Space(Box::new(model)));
            }
            SubjectEvent::Answer(answer) => {
                let Answer::Finding(finding) = *answer else {
                    return;
                };
                let report = session.report(space.as_ref(), &[]);
                let detail = api::property(worker.settings.id, &report, &finding);
                emit(CheckEvent::answer(detail, &finding));
                efforts.remove(&finding.property);
                findings.insert(finding.property, *finding);
            }
            SubjectEvent::Blame(question, blame) => {
                let Some(finding) = findings.get_mut(&question.index()) else {
                    return;
                };
                finding.blame = Some(*blame);
                let report = session.report(space.as_ref(), &[]);
                let detail = api::property(worker.settings.id, &report, finding);
                emit(CheckEvent::Update(Box::new(detail)));
            }
            _ => {}
        };
        let answered = session.answer_all(&questions, &ask, &worker.budget, &mut sink);
        if let Err(Refusal::Rejected(rejected)) = answered {
            emit(CheckEvent::Rejected(rejected));
        }
        let mut findings = self.findings.values();
        self.will_need_space = all && findings.any(|finding| finding.evidence.is_some());
    }

    fn answer(&mut self, request: &ModelRequest, worker: &ModelWorker<'_>) -> BackendResult {
        self.check_support(request)?;
        let answer = match request {
            request if request.needs_space() => return Ok(BackendReply::Deferred),
            ModelRequest::Another(property, options) => self.another(worker, *property, options),
            ModelRequest::Blame(property, wanted) => self.blame(worker, *property, wanted),
            ModelRequest::Mend(property, wanted) => self.mend(worker, *property, wanted),
            ModelRequest::Evaluate(evaluate) => self.evaluate(worker, evaluate),
            ModelRequest::Blocked(blocked) => self.blocked(worker, blocked),
            ModelRequest::Export(property, format, run) => self.export(*property, *format, *run),
            _ => Err(RequestError::Internal),
        };
        Ok(answer?.into())
    }

    fn serve(&mut self, worker: &mut ModelWorker<'_>) -> Run<LoopExit> {
        loop {
            let mut exit = worker.run(self, &mut Self::answer)?;
            if exit == LoopExit::Deferred {
                exit = self.serve_with_space(worker)?;
            }
            if exit != LoopExit::Deferred {
                return Ok(exit);
            }
        }
    }

    fn wants_space(&mut self) -> bool {
        std::mem::take(&mut self.will_need_space) && !self.has_space
    }
}

impl StatesBackend {
    pub(super) fn new(session: ModelSubject) -> Self {
        Self {
            session,
            space: None,
            findings: BTreeMap::new(),
            efforts: BTreeMap::new(),
            has_space: false,
            will_need_space: false,
            goals: BTreeMap::new(),
            terms: BTreeMap::new(),
            tactics: BTreeMap::new(),
        }
    }

    /// Builds the state space for the pending request, or in advance, and answers requests over it. When a
    /// request needs terms that the space does not know, the space is built again.
    fn serve_with_space(&mut self, worker: &mut ModelWorker<'_>) -> Run<LoopExit> {
        if !worker.begin_pending() {
            return Ok(LoopExit::Deferred);
        }
        let (engine, budget) = (worker.settings.engine, worker.budget.clone());
        let mut exit = LoopExit::Deferred;
        let explored = explore(self, engine, &budget, &mut |backend, world| {
            worker.control.end();
            backend.has_space = true;
            exit = backend.serve_over(world, worker)?;
            if exit != LoopExit::Deferred {
                return Ok(Next::Done);
            }
            worker.begin_pending();
            Ok(Next::Again)
        });
        worker.control.end();
        self.has_space = false;
        match explored.map_err(RequestError::from) {
            Ok(()) => Ok(exit),
            Err(error) => {
                let exhausted = error.exhausted();
                worker.reply_pending(error);
                exhausted.map_or(Ok(LoopExit::Deferred), Err)
            }
        }
    }

    /// Why a request about a property makes no sense, if it does not.
    fn check_support(&self, request: &ModelRequest) -> Result<(), RequestError> {
        let Some(property) = request.question() else {
            return Ok(());
        };
        let model = self.session.model();
        let body = &model.properties[property].body;
        let why = match (body, request) {
            (PropertyBody::Unsupported(why), ModelRequest::Another(..)) => Some(why.clone()),
            (body, ModelRequest::Proof(..)) => Capability::Explain.refused_for(body),
            (body, ModelRequest::Blame(..) | ModelRequest::Mend(..)) => {
                Capability::Blame.refused_for(body)
            }
            _ => None,
        };
        match why {
            Some(why) => Err(RequestError::unsupported(format!("{why}."))),
            None => Ok(()),
        }
    }

    /// Further evidence for a property.
    fn another(
        &mut self,
        worker: &ModelWorker<'_>,
        property: usize,
        wanted: &AnotherRequest,
    ) -> RequestResult {
        let options = self.options(worker, wanted)?;
        let avoid = wanted.avoid.iter().map(|text| format!("avoid:{text}"));
        let specs = avoid.chain(wanted.strategy.iter().cloned());
        let specs = specs
            .map(|text| strategy(&text))
            .collect::<Result<Vec<_>, _>>()?;
        let budget = &worker.budget;
        let mut asked = self.asked(wanted, budget)?;
        let session = asked.as_mut().unwrap_or(&mut self.session);
        let strategies = session.strategies(&specs, None, budget)?;
        let job = Job {
            engine: worker.settings.engine,
            options,
            properties: Some(vec![property]),
            bound: None,
        };
        let (mut found, mut space) = (None, self.space.clone());
        session.check_all_with(&job, &strategies, budget, &mut |event| {
            match event {
                Event::Finding(finding) => found = Some(*finding),
                // Other states may be reachable from those that are asked from.
                Event::Space(known) if wanted.from.is_some() => space = Some(known),
                _ => {}
            }
        });
        budget.check()?;
        let mut finding = found.ok_or(RequestError::Internal)?;
        session.find_causes(&mut finding, budget);
        let report = session.report(space.as_ref(), &[]);
        let detail = api::property(worker.settings.id, &report, &finding);
        Ok(detail.render().into())
    }

    /// The model with the path rule and the states to start from that are wanted; `None` if nobody wants others.
    fn asked(
        &self,
        wanted: &AnotherRequest,
        budget: &Budget,
    ) -> Result<Option<ModelSubject>, RequestError> {
        if wanted.from.is_none() && wanted.paths.is_none() {
            return Ok(None);
        }
        let mut session = self.session.clone();
        if let Some(paths) = &wanted.paths {
            let rule = paths.parse();
            let rule = rule.map_err(|wrong| RequestError::bad(format!("{wrong}.")))?;
            session.set_paths(rule)?;
        }
        if let Some(from) = &wanted.from {
            session.ask_from(from, budget)?;
        }
        Ok(Some(session))
    }

    /// The options of a check for further evidence.
    fn options(
        &mut self,
        worker: &ModelWorker<'_>,
        wanted: &AnotherRequest,
    ) -> Result<EvidenceOptions, RequestError> {
        let mut distinct_by = Vec::new();
        for text in &wanted.distinct_by {
            distinct_by.push(self.term(text, &worker.budget)?);
        }
        let minimal = wanted.minimal.as_deref().map(str::parse).transpose();
        let minimal = minimal.map_err(|wrong| RequestError::bad(format!("{wrong}.")))?;
        Ok(EvidenceOptions {
            witness: wanted.witness,
            certificate: wanted.certificate,
            why: wanted.why,
            minimal: minimal.unwrap_or_default(),
            several: SeveralOptions {
                each: wanted.each,
                count: wanted.count.unwrap_or(1).clamp(1, MOST_RUNS),
                distinct_by,
            },
            ..EvidenceOptions::default()
        })
    }

    /// The evidence for a property as a file.
    fn export(&self, property: usize, format: EvidenceFormat, run: usize) -> RequestResult {
        let finding = self.findings.get(&property);
        let finding = finding.ok_or(RequestError::CANCELLED)?;
        let report = self.session.report(self.space.as_ref(), &[]);
        format.of(&report, finding, run).map(RequestAnswer::File)
    }
}

/// A strategy that reads no file and asks nobody.
fn strategy(text: &str) -> Result<StrategySpec, RequestError> {
    let spec: Result<StrategySpec, BadSpec> = text.parse();
    let spec = spec.map_err(|bad| RequestError::wrong(format!("{bad}.")))?;
    if !spec.is_self_contained() {
        let why = "Strategies that read a file or ask questions work on the command line only.";
        return Err(RequestError::unsupported(why));
    }
    Ok(spec)
}
