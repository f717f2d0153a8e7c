//! Boards: what is known about a model, for everybody to read at any time.
//!
//! The clerk of a model writes on its board as things become known; whoever wants to know looks there and
//! never has to wait for the clerk.

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use wherefore_driver::Refusal;
use wherefore_driver::view::json;
use wherefore_driver::view::wire::{CheckingName, ListedPropertyDoc, ModelDoc, ModelEntryDoc};

/// What is known about a model.
#[derive(Debug)]
pub(crate) struct Board {
    notes: Mutex<Notes>,
    changed: Condvar,
}

/// What stands on a board.
#[derive(Debug)]
pub(crate) struct Notes {
    /// The model, as in the list.
    pub(crate) entry: ModelEntryDoc,
    /// The documents of properties that were answered.
    details: Vec<Option<Arc<str>>>,
    /// Properties in the order in which they were answered.
    pub(crate) answered: Vec<usize>,
    /// Formulas that were added to the properties.
    pub(crate) added: Vec<String>,
    /// Why the model cannot be used.
    pub(crate) refused: Option<String>,
}

impl Notes {
    /// Whether the check goes on or is still to come.
    pub(crate) fn is_checking(&self) -> bool {
        matches!(
            self.entry.checking,
            CheckingName::Waiting | CheckingName::Running
        )
    }

    /// Whether no property is answered yet.
    pub(crate) fn is_blank(&self) -> bool {
        self.details.is_empty()
    }

    /// The document of a property.
    pub(crate) fn detail(&self, property: usize) -> Option<Arc<str>> {
        self.details.get(property).cloned().flatten()
    }

    /// Forgets everything but what was added, since the files are read again.
    pub(crate) fn begin_anew(&mut self) {
        self.forget();
        self.refused = None;
        self.entry.variables.clear();
    }

    /// Forgets all answers.
    pub(crate) fn forget(&mut self) {
        self.details.clear();
        self.answered.clear();
    }

    /// Writes down an answer.
    pub(crate) fn answer(&mut self, listed: ListedPropertyDoc, detail: String) {
        let property = listed.id;
        if self.details.len() <= property {
            self.details.resize(property + 1, None);
        }
        self.details[property] = Some(detail.into());
        self.answered.push(property);
        self.entry.tell_property(listed);
    }
}

impl Board {
    pub(crate) fn new(entry: ModelEntryDoc) -> Self {
        Self {
            notes: Mutex::new(Notes {
                entry,
                details: Vec::new(),
                answered: Vec::new(),
                added: Vec::new(),
                refused: None,
            }),
            changed: Condvar::new(),
        }
    }

    /// Notes that a model cannot be used; returns why.
    pub(crate) fn refuse(&self, path: &Path, error: &Refusal) -> String {
        let why = error.to_string();
        let path = path.display().to_string();
        self.write(|notes| {
            let language = notes.entry.model.language.clone();
            let model = match error {
                Refusal::Rejected(rejected) => {
                    json::rejected(&path, &language, &rejected.sources, &rejected.diagnostics)
                }
                _ => ModelDoc::unreadable(&path, &language, &why),
            };
            notes.entry.tell(model, vec![]);
            notes.entry.checking = CheckingName::Failed;
            notes.refused = Some(why.clone());
        });
        why
    }

    /// What stands there now.
    pub(crate) fn read(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Changes what stands there, and tells everybody.
    pub(crate) fn write<T>(&self, change: impl FnOnce(&mut Notes) -> T) -> T {
        let result = change(&mut self.read());
        self.changed.notify_all();
        result
    }

    /// Waits until something changes, or for a while.
    pub(crate) fn wait(&self, time: Duration) {
        let notes = self.read();
        // Whoever waits looks again in any case.
        let _ = self.changed.wait_timeout(notes, time);
    }
}
