//! Model status: what is known about a model, readable at any time.
//!
//! The worker of a model writes its status as answers become known. Readers never wait for the worker:
//! they read the latest status and are woken up when it changes.

use std::path::Path;
use std::sync::Arc;

use tokio::sync::watch;
use wherefore_driver::Refusal;
use wherefore_driver::view::json;
use wherefore_driver::view::wire::{CheckingName, ListedPropertyDoc, ModelDoc, ModelEntryDoc};

use crate::error::RequestError;
use crate::profile::LanguageProfile;

/// What is known about a model.
#[derive(Debug)]
pub(crate) struct ModelStatus {
    check: CheckingName,
    /// The model, as in the list of models.
    pub(crate) entry: ModelEntryDoc,
    /// The documents of questions that were answered.
    details: Vec<Option<Arc<str>>>,
    /// Questions in the order in which they were answered.
    pub(crate) answered: Vec<usize>,
    /// Formulas that were added as questions.
    pub(crate) added: Vec<String>,
    /// Why the model cannot be used.
    pub(crate) refused: Option<String>,
}

impl ModelStatus {
    fn new(entry: ModelEntryDoc) -> Self {
        let mut status = Self {
            check: CheckingName::Waiting,
            entry,
            details: Vec::new(),
            answered: Vec::new(),
            added: Vec::new(),
            refused: None,
        };
        status.set_check(CheckingName::Waiting);
        status
    }

    pub(crate) fn check(&self) -> CheckingName {
        self.check
    }

    pub(crate) fn set_check(&mut self, check: CheckingName) {
        self.check = check;
        self.entry.checking = check;
    }

    /// Whether the check is running or still to come.
    pub(crate) fn is_checking(&self) -> bool {
        matches!(self.check, CheckingName::Waiting | CheckingName::Running)
    }

    /// Whether no question is answered yet.
    pub(crate) fn is_blank(&self) -> bool {
        self.details.is_empty()
    }

    /// The document of a question, or why there is none. Nothing: it is still to come.
    pub(crate) fn detail(&self, question: usize) -> Option<Result<Arc<str>, RequestError>> {
        if let Some(Some(detail)) = self.details.get(question) {
            return Some(Ok(Arc::clone(detail)));
        }
        if let Some(why) = &self.refused {
            return Some(Err(RequestError::unsupported(why.clone())));
        }
        let questions = self.entry.model.properties.len();
        // Before the model is read, its questions are not known.
        let is_unread = self.check == CheckingName::Waiting && questions == 0;
        match question < questions {
            false if is_unread => None,
            false => Some(Err(RequestError::missing("There is no such property."))),
            true if self.is_checking() => None,
            true => Some(Err(RequestError::CANCELLED)),
        }
    }

    /// Says what can be asked about the model.
    pub(crate) fn set_profile(&mut self, profile: &LanguageProfile) {
        self.entry.abilities = profile.abilities();
    }

    /// Forgets everything but added formulas, since the files are read again.
    pub(crate) fn reset(&mut self) {
        self.forget_answers();
        self.refused = None;
        self.entry.variables.clear();
    }

    pub(crate) fn forget_answers(&mut self) {
        self.details.clear();
        self.answered.clear();
    }

    /// Records the answer to a question.
    pub(crate) fn record(&mut self, listed: ListedPropertyDoc, detail: Arc<str>) {
        let question = listed.id;
        if self.details.len() <= question {
            self.details.resize(question + 1, None);
        }
        self.details[question] = Some(detail);
        self.answered.push(question);
        self.entry.tell_property(listed);
    }

    /// Records more about a question that was answered before.
    pub(crate) fn update(&mut self, question: usize, detail: Arc<str>) {
        if let Some(known @ Some(_)) = self.details.get_mut(question) {
            *known = Some(detail);
        }
    }
}

/// The status of a model, shared between its worker and its readers.
#[derive(Debug)]
pub(crate) struct SharedStatus(watch::Sender<ModelStatus>);

impl SharedStatus {
    pub(crate) fn new(entry: ModelEntryDoc) -> Self {
        Self(watch::Sender::new(ModelStatus::new(entry)))
    }

    /// The latest status. The worker waits while it is being read.
    pub(crate) fn read(&self) -> watch::Ref<'_, ModelStatus> {
        self.0.borrow()
    }

    /// Changes the status and wakes up its readers.
    pub(crate) fn write<T>(&self, change: impl FnOnce(&mut ModelStatus) -> T) -> T {
        let mut result = None;
        self.0.send_modify(|status| result = Some(change(status)));
        result.expect("the change was made")
    }

    /// A reader that can wait for changes.
    pub(crate) fn subscribe(&self) -> watch::Receiver<ModelStatus> {
        self.0.subscribe()
    }

    /// Records that a model cannot be used; returns why.
    pub(crate) fn refuse(&self, path: &Path, error: &Refusal) -> String {
        let why = error.to_string();
        let path = path.display().to_string();
        self.write(|status| {
            let language = status.entry.model.language.clone();
            let model = match error {
                Refusal::Rejected(rejected) => {
                    json::rejected(&path, &language, &rejected.sources, &rejected.diagnostics)
                }
                _ => ModelDoc::unreadable(&path, &language, &why),
            };
            status.entry.tell(model, vec![]);
            status.set_check(CheckingName::Failed);
            status.refused = Some(why.clone());
        });
        why
    }
}
