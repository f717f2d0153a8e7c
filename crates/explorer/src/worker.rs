//! Model workers: threads that answer requests about a model, one after the other.
//!
//! The loop is the same for all languages: it takes requests, refuses what a language is not capable of,
//! keeps the status up to date, reads files again that have changed, and starts anew when memory ran out.
//! A [`ModelBackend`] is what differs: how a model of a language is opened, checked and asked.

use std::sync::mpsc::Receiver;

use wherefore_base::{Budget, Run, Stop};
use wherefore_driver::evidence::Finding;
use wherefore_driver::view::api;
use wherefore_driver::view::wire::{
    CheckingName, ListedPropertyDoc, ModelDoc, PropertyAnswer, VariableDoc,
};
use wherefore_driver::{AlloySubject, LtsSubject, Refusal, Rejected, SmtSubject, Subject};

use crate::backend::alloy::AlloyBackend;
use crate::backend::lts::LtsBackend;
use crate::backend::smt::SmtBackend;
use crate::backend::states::StatesBackend;
use crate::error::RequestError;
use crate::profile::LanguageProfile;
use crate::queue::{QueuedRequest, RequestAnswer, RequestId, RequestResult, WorkerControl};
use crate::request::ModelRequest;
use crate::stamp::FileStamps;
use crate::status::{ModelStatus, SharedStatus};
use crate::workspace::ModelSettings;

/// A model of some language that requests are answered about.
pub(crate) trait ModelBackend: Sized {
    /// What it serves.
    type Served: Subject;

    /// Serves a model that was read, with the formulas that were added to it.
    fn open(
        subject: Self::Served,
        worker: &ModelWorker<'_>,
    ) -> Result<(Self, ModelOverview), Refusal>;

    /// What the model can be asked.
    fn profile(&self) -> LanguageProfile;

    /// The number of questions: properties or commands.
    fn questions(&self) -> usize;

    /// The questions from a number on, as they are listed before they are checked.
    fn unchecked(&self, first: usize, budget: &Budget) -> Vec<ListedPropertyDoc>;

    /// Adds questions; returns the number of the first.
    fn add(&mut self, _text: &str) -> Result<usize, RequestError> {
        Err(RequestError::unsupported(self.profile().otherwise))
    }

    /// Checks questions, and emits each event as soon as it is known.
    fn check(
        &mut self,
        selection: CheckSelection,
        worker: &ModelWorker<'_>,
        emit: &mut dyn FnMut(CheckEvent),
    );

    /// Answers a request other than a check or an addition.
    fn answer(&mut self, request: &ModelRequest, worker: &ModelWorker<'_>) -> BackendResult;

    /// Answers requests until there are no more, or the files must be read again.
    ///
    /// # Errors
    /// When time or memory ran out.
    fn serve(&mut self, worker: &mut ModelWorker<'_>) -> Run<LoopExit> {
        worker.run(self, &mut Self::answer)
    }

    /// Whether a state space should be built in advance. It is asked once after each request.
    fn wants_space(&mut self) -> bool {
        false
    }
}

/// What a backend makes of a request.
pub(crate) type BackendResult = Result<BackendReply, RequestError>;

/// What a backend makes of a request.
pub(crate) enum BackendReply {
    Answer(RequestAnswer),
    /// The answer needs something that is not at hand in this loop, such as a state space. The request
    /// becomes the pending one, and the loop ends.
    Deferred,
}

impl<A: Into<RequestAnswer>> From<A> for BackendReply {
    fn from(answer: A) -> Self {
        BackendReply::Answer(answer.into())
    }
}

/// How a loop over requests ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LoopExit {
    /// The queue is closed.
    Closed,
    /// The pending request, if there is one, must be answered outside of this loop.
    Deferred,
    /// The pending request is a check, and the files have changed.
    Reread,
}

/// The questions that are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckSelection {
    All,
    /// Those from a number on, which were added.
    From(usize),
}

impl CheckSelection {
    pub(crate) fn first(self) -> usize {
        match self {
            CheckSelection::All => 0,
            CheckSelection::From(first) => first,
        }
    }
}

/// Something that becomes known in a check.
pub(crate) enum CheckEvent {
    /// The model turns out to be wrong.
    Rejected(Rejected),
    /// The size of the state space.
    Space(Box<ModelDoc>),
    /// The answer to a question.
    Answer(Box<ListedPropertyDoc>, Box<PropertyAnswer>),
    /// More about a question that was answered before.
    Update(Box<PropertyAnswer>),
}

impl CheckEvent {
    /// The answer to a question that a finding is about.
    pub(crate) fn answer(detail: PropertyAnswer, finding: &Finding) -> Self {
        let listed = api::listed(detail.property.clone(), finding, detail.told.as_ref());
        CheckEvent::Answer(Box::new(listed), Box::new(detail))
    }
}

/// What is shown of a model before it is checked.
pub(crate) struct ModelOverview {
    pub(crate) model: ModelDoc,
    pub(crate) variables: Vec<VariableDoc>,
    /// The text of the model, if it is shown.
    pub(crate) source: Option<String>,
}

/// Answers requests until the queue is closed.
pub(crate) fn serve(
    settings: &ModelSettings,
    status: &SharedStatus,
    control: &WorkerControl,
    requests: &Receiver<QueuedRequest<ModelRequest>>,
) {
    let mut worker = ModelWorker {
        settings,
        status,
        control,
        budget: control.budget(),
        requests: Some(requests),
        pending: None,
        stamps: FileStamps::of(&settings.files),
    };
    loop {
        worker.budget = control.renew();
        match worker.open_and_serve() {
            Ok(LoopExit::Reread) => status.write(ModelStatus::reset),
            Ok(_) => return,
            Err(stop) => {
                worker.reply_pending(stop.into());
                // Everything but the status is forgotten, and nothing is done again before somebody asks.
                worker.pending = requests.recv().ok();
                if worker.pending.is_none() {
                    return;
                }
            }
        }
    }
}

/// The worker of a model.
pub(crate) struct ModelWorker<'w> {
    pub(crate) settings: &'w ModelSettings,
    pub(crate) status: &'w SharedStatus,
    pub(crate) control: &'w WorkerControl,
    pub(crate) budget: Budget,
    /// Where requests come from; nothing: only the pending one is answered.
    requests: Option<&'w Receiver<QueuedRequest<ModelRequest>>>,
    /// A request that was taken and not answered yet.
    pending: Option<QueuedRequest<ModelRequest>>,
    /// How the files were when they were read.
    stamps: FileStamps,
}

impl<'w> ModelWorker<'w> {
    /// Does something as a part of reading the model.
    fn reading<T>(&self, work: impl FnOnce() -> T) -> T {
        // A check cannot be cancelled before the model is read.
        let _ = self.control.begin(RequestId::Check);
        self.budget.phase("reading the model");
        let result = work();
        self.control.end();
        result
    }

    /// Reads the model and answers requests.
    fn open_and_serve(&mut self) -> Run<LoopExit> {
        self.stamps = FileStamps::of(&self.settings.files);
        let subject = match self.reading(|| self.settings.read(&self.budget)) {
            Ok(subject) => subject,
            Err(refusal) => return self.refuse_all(&refusal),
        };
        let subject = match subject.downcast::<LtsSubject>() {
            Ok(system) => return self.serve_with::<LtsBackend>(system),
            Err(subject) => subject,
        };
        let subject = match subject.downcast::<SmtSubject>() {
            Ok(infinite) => return self.serve_with::<SmtBackend>(infinite),
            Err(subject) => subject,
        };
        let opening = &self.settings.opening;
        let model = match subject.downcast::<AlloySubject>() {
            Ok(alloy) if self.settings.extent.is_some() => {
                return self.serve_with::<AlloyBackend>(alloy);
            }
            Ok(alloy) => {
                let command = opening.command.as_deref();
                match self.reading(|| alloy.complete_with(opening, command, &self.budget)) {
                    Err(refusal) if !matches!(refusal, Refusal::Stopped(_)) => {
                        return self.serve_with::<AlloyBackend>(alloy);
                    }
                    complete => complete,
                }
            }
            Err(subject) => self.reading(|| subject.into_model(opening, &self.budget)),
        };
        match model {
            Ok(model) => self.serve_with::<StatesBackend>(model),
            Err(refusal) => self.refuse_all(&refusal),
        }
    }

    /// Answers requests about a model that was read.
    fn serve_with<B: ModelBackend>(&mut self, subject: B::Served) -> Run<LoopExit> {
        match self.reading(|| B::open(subject, self)) {
            Ok((mut backend, overview)) => {
                self.show(&backend, overview);
                backend.serve(self)
            }
            Err(refusal) => self.refuse_all(&refusal),
        }
    }

    /// Refuses what is asked about a model that cannot be used.
    fn refuse_all(&mut self, refusal: &Refusal) -> Run<LoopExit> {
        if let Refusal::Stopped(stop @ (Stop::Memory | Stop::TimeOut)) = refusal {
            return Err(*stop);
        }
        let why = self.refuse(refusal);
        Ok(self.refuse_requests(&why))
    }

    /// Shows the model in the status.
    fn show<B: ModelBackend>(&self, backend: &B, overview: ModelOverview) {
        let unchecked = backend.unchecked(0, &self.budget);
        self.status.write(|status| {
            // After memory ran out, answers that were found before are kept.
            if status.is_blank() {
                status.entry.tell(overview.model, unchecked);
            }
            if !overview.variables.is_empty() {
                status.entry.variables = overview.variables;
            }
            if let Some(source) = overview.source {
                status.entry.show_source(&source);
            }
            status.set_profile(&backend.profile());
        });
    }

    /// Refuses all requests, since the model cannot be used, until its files have changed.
    fn refuse_requests(&mut self, why: &str) -> LoopExit {
        while let Some(queued) = self.next() {
            if self.must_reread(&queued) {
                self.pending = Some(queued);
                return LoopExit::Reread;
            }
            self.status
                .write(|status| status.set_check(CheckingName::Failed));
            queued.reply(Err(RequestError::unsupported(why.to_string())));
        }
        LoopExit::Closed
    }

    /// Records that the model cannot be used; returns why.
    fn refuse(&self, error: &Refusal) -> String {
        self.status.refuse(&self.settings.files.path, error)
    }

    /// The next request: the pending one, or the next one of the queue.
    fn next(&mut self) -> Option<QueuedRequest<ModelRequest>> {
        let pending = self.pending.take();
        pending.or_else(|| self.requests?.recv().ok())
    }

    /// Whether a request is a check of files that have changed.
    fn must_reread(&self, queued: &QueuedRequest<ModelRequest>) -> bool {
        matches!(queued.request, ModelRequest::Check) && self.stamps.are_stale()
    }

    /// Answers requests by a function of the backend, until it defers one or there are no more.
    ///
    /// # Errors
    /// When time or memory ran out.
    pub(crate) fn run<B: ModelBackend>(
        &mut self,
        backend: &mut B,
        answer: &mut dyn FnMut(&mut B, &ModelRequest, &ModelWorker<'w>) -> BackendResult,
    ) -> Run<LoopExit> {
        while let Some(queued) = self.next() {
            if self.must_reread(&queued) {
                self.pending = Some(queued);
                return Ok(LoopExit::Reread);
            }
            if queued.is_abandoned() {
                continue;
            }
            if self.control.begin(queued.id).is_err() {
                if let ModelRequest::Check = queued.request {
                    self.status
                        .write(|status| status.set_check(CheckingName::Cancelled));
                }
                queued.reply(Err(RequestError::CANCELLED));
                continue;
            }
            let reply = self.dispatch(backend, &queued.request, answer);
            self.control.end();
            let result = match reply {
                Ok(BackendReply::Answer(answer)) => Ok(answer),
                Ok(BackendReply::Deferred) => {
                    self.pending = Some(queued);
                    return Ok(LoopExit::Deferred);
                }
                Err(error) => Err(error),
            };
            let exhausted = result.as_ref().err().and_then(RequestError::exhausted);
            queued.reply(result);
            if let Some(stop) = exhausted {
                return Err(stop);
            }
            if backend.wants_space() {
                return Ok(LoopExit::Deferred);
            }
        }
        Ok(LoopExit::Closed)
    }

    /// Answers what is the same for all languages, and has the backend answer the rest.
    fn dispatch<B: ModelBackend>(
        &self,
        backend: &mut B,
        request: &ModelRequest,
        answer: &mut dyn FnMut(&mut B, &ModelRequest, &ModelWorker<'w>) -> BackendResult,
    ) -> BackendResult {
        let profile = backend.profile();
        if request
            .question()
            .is_some_and(|it| it >= backend.questions())
        {
            let what = profile.question;
            return Err(RequestError::missing(format!("There is no such {what}.")));
        }
        if request.capability().is_some_and(|it| !profile.can(it)) {
            return Err(RequestError::unsupported(profile.otherwise));
        }
        match request {
            ModelRequest::Check => Ok(self.check(backend)?.into()),
            ModelRequest::Add(text) => Ok(self.add(backend, text)?.into()),
            request => answer(backend, request, self),
        }
    }

    /// Checks all questions.
    fn check(&self, backend: &mut impl ModelBackend) -> RequestResult {
        self.status.write(|status| {
            status.forget_answers();
            status.set_check(CheckingName::Running);
        });
        let mut rejected = None;
        backend.check(CheckSelection::All, self, &mut |event| match event {
            CheckEvent::Rejected(wrong) => rejected = Some(wrong),
            CheckEvent::Space(model) => {
                self.status.write(|status| status.entry.tell_space(*model));
            }
            CheckEvent::Answer(listed, detail) => {
                self.record(*listed, &detail);
            }
            CheckEvent::Update(detail) => {
                self.update(&detail);
            }
        });
        if let Some(rejected) = rejected {
            let why = self.refuse(&Refusal::Rejected(rejected));
            return Err(RequestError::unsupported(why));
        }
        let stopped = self.budget.check();
        let state = match stopped {
            Ok(()) => CheckingName::Done,
            Err(_) => CheckingName::Cancelled,
        };
        self.status.write(|status| status.set_check(state));
        stopped?;
        Ok(self.status.read().entry.render().into())
    }

    /// Adds questions and checks them; the answer is about the first of them.
    fn add(&self, backend: &mut impl ModelBackend, text: &str) -> RequestResult {
        let first = backend.add(text)?;
        let unchecked = backend.unchecked(first, &self.budget);
        self.status.write(|status| {
            for listed in unchecked {
                status.entry.tell_property(listed);
            }
            status.added.push(text.to_string());
        });
        let (mut rejected, mut answer) = (None, None);
        backend.check(
            CheckSelection::From(first),
            self,
            &mut |event| match event {
                CheckEvent::Rejected(wrong) => rejected = Some(wrong),
                // The state space of a part of the model says nothing about the whole.
                CheckEvent::Space(_) => {}
                CheckEvent::Answer(listed, detail) if self.budget.check().is_ok() => {
                    let is_first = listed.id == first;
                    let document = self.record(*listed, &detail);
                    answer = answer.take().or(is_first.then_some(document));
                }
                CheckEvent::Answer(..) => {}
                CheckEvent::Update(detail) => {
                    let is_first = detail.id == first;
                    let document = self.update(&detail);
                    answer = is_first.then_some(document).or(answer.take());
                }
            },
        );
        self.budget.check()?;
        match rejected {
            Some(rejected) => Err(rejected.into()),
            None => answer.ok_or(RequestError::Internal),
        }
    }

    /// Records the answer to a question in the status; returns its document.
    pub(crate) fn record(
        &self,
        listed: ListedPropertyDoc,
        detail: &PropertyAnswer,
    ) -> RequestAnswer {
        let document: std::sync::Arc<str> = detail.render().into();
        self.status
            .write(|status| status.record(listed, document.clone()));
        RequestAnswer::Document(document)
    }

    /// Records more about a question that was answered before; returns its document.
    pub(crate) fn update(&self, detail: &PropertyAnswer) -> RequestAnswer {
        let document: std::sync::Arc<str> = detail.render().into();
        self.status
            .write(|status| status.update(detail.id, document.clone()));
        RequestAnswer::Document(document)
    }

    /// The formulas to check besides the properties of the model: given ones, and those that were added.
    pub(crate) fn formulas(&self) -> Vec<String> {
        let added = self.status.read().added.clone();
        let given = self.settings.formulas.iter().cloned();
        given.chain(added).collect()
    }

    /// The pending request.
    pub(crate) fn pending(&mut self) -> Option<&mut ModelRequest> {
        self.pending.as_mut().map(|queued| &mut queued.request)
    }

    /// Begins to work for the pending request, or, without one, in advance. Whether there is work to do:
    /// the request may have been cancelled.
    pub(crate) fn begin_pending(&mut self) -> bool {
        let pending = self.pending.as_ref();
        let id = pending.map_or(RequestId::Prefetch, |queued| queued.id);
        let is_abandoned = pending.is_some_and(QueuedRequest::is_abandoned);
        let begun = !is_abandoned && self.control.begin(id).is_ok();
        if !begun {
            self.reply_pending(RequestError::CANCELLED);
        }
        begun
    }

    /// Answers the pending request, if there is one, with an error.
    pub(crate) fn reply_pending(&mut self, error: RequestError) {
        if let Some(queued) = self.pending.take() {
            queued.reply(Err(error));
        }
    }

    /// A worker for the pending request alone.
    pub(crate) fn for_pending(&mut self) -> ModelWorker<'w> {
        ModelWorker {
            budget: self.budget.clone(),
            requests: None,
            pending: self.pending.take(),
            stamps: self.stamps.clone(),
            ..*self
        }
    }
}
