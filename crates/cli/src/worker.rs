//! The worker: reads the models and checks them on a thread of its own.
//!
//! It tells what it finds through a channel as soon as it is known, so that whoever waits for it has
//! something to show even if the worker never comes to an end.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;

use wherefore::evidence::{Options, Several};
use wherefore::{Event, Job, OpenError, Rejected, Session};
use wherefore_base::Budget;

use crate::args::Check;
use crate::guard;

/// What the worker tells. Numbers are places in the list of files.
pub(crate) enum Message {
    /// A model was read.
    Loaded(usize, Arc<Session>),
    /// A model could not be read.
    NotLoaded(usize, OpenError),
    /// Something from the command line does not fit a model: a formula, an expression.
    BadText(Rejected),
    /// No model has a property with this name; these are the names there are.
    NoSuchProperty(String, Vec<String>),
    /// Which properties of a model are going to be checked.
    Selected(usize, Vec<usize>),
    /// Something became known about a model.
    Event(usize, Event),
    /// A model is done, after so many seconds.
    Finished(usize, f64),
    /// Everything is done.
    End,
    /// The worker found a bug of ours and told it.
    Panicked,
}

/// Starts the worker.
pub(crate) fn start(check: &Check, budget: &Budget) -> Receiver<Message> {
    let (sender, receiver) = channel();
    let work = Work {
        files: check.files.clone(),
        properties: check.properties.clone(),
        formulas: check.formulas.clone(),
        show: check.show.clone(),
        distinct_by: check.several.distinct_by.clone(),
        job: Job {
            engine: check.effort.engine,
            options: Options {
                evidence: true,
                vacuity: !check.no_vacuity,
                witness: check.witness,
                several: Several {
                    each: check.several.each,
                    count: check.several.count,
                    distinct_by: vec![],
                },
            },
            properties: None,
        },
        budget: budget.clone(),
        sender,
    };
    thread::spawn(move || {
        let end = match guard::guarded(|| work.run()) {
            Some(()) => Message::End,
            None => Message::Panicked,
        };
        work.tell(end);
    });
    receiver
}

struct Work {
    files: Vec<PathBuf>,
    properties: Vec<String>,
    formulas: Vec<String>,
    show: Vec<String>,
    distinct_by: Vec<String>,
    job: Job,
    budget: Budget,
    sender: Sender<Message>,
}

impl Work {
    /// Nobody listening any more is no error: the work ends with the process.
    fn tell(&self, message: Message) {
        let _ = self.sender.send(message);
    }

    fn run(&self) {
        let mut sessions: Vec<(usize, Arc<Session>)> = Vec::new();
        self.budget.phase("reading the model");
        for (at, path) in self.files.iter().enumerate() {
            let mut session = match Session::open_within(path, &self.budget) {
                Ok(session) => session,
                Err(error) => {
                    self.tell(Message::NotLoaded(at, error));
                    continue;
                }
            };
            if let Err(rejected) = self.add_texts(&mut session) {
                self.tell(Message::BadText(rejected));
                return;
            }
            let session = Arc::new(session);
            self.tell(Message::Loaded(at, Arc::clone(&session)));
            sessions.push((at, session));
        }
        if let Some(missing) = self.missing_property(&sessions) {
            self.tell(missing);
            return;
        }
        let selections: Vec<_> = sessions
            .iter()
            .map(|(_, session)| self.selection(session))
            .collect();
        for ((at, _), selection) in sessions.iter().zip(&selections) {
            self.tell(Message::Selected(*at, selection.clone()));
        }
        for ((at, session), selection) in sessions.iter().zip(selections) {
            let start = Instant::now();
            let mut job = Job {
                properties: Some(selection),
                ..self.job.clone()
            };
            job.options.several.distinct_by = session.distinct_by().to_vec();
            session.check_all(&job, &self.budget, &mut |event| {
                self.tell(Message::Event(*at, event))
            });
            self.tell(Message::Finished(*at, start.elapsed().as_secs_f64()));
        }
    }

    fn add_texts(&self, session: &mut Session) -> Result<(), Rejected> {
        for formula in &self.formulas {
            session.add_formula(formula)?;
        }
        for expression in &self.show {
            session.show(expression)?;
        }
        for expression in &self.distinct_by {
            session.add_distinct_by(expression)?;
        }
        Ok(())
    }

    /// A name from the command line that no model has a property with.
    fn missing_property(&self, sessions: &[(usize, Arc<Session>)]) -> Option<Message> {
        if sessions.is_empty() || self.properties.is_empty() {
            return None;
        }
        let all = sessions
            .iter()
            .flat_map(|(_, session)| &session.model().properties);
        let mut names: Vec<&String> = Vec::new();
        let mut known: HashSet<&String> = HashSet::new();
        for property in all {
            if known.insert(&property.name) {
                names.push(&property.name);
            }
        }
        let missing = self.properties.iter().find(|name| !known.contains(name))?;
        let names = names.into_iter().cloned().collect();
        Some(Message::NoSuchProperty(missing.clone(), names))
    }

    /// The named properties and the formulas of the command line; without either, all properties.
    fn selection(&self, session: &Session) -> Vec<usize> {
        let properties = &session.model().properties;
        let all = 0..properties.len();
        if self.properties.is_empty() && self.formulas.is_empty() {
            return all.collect();
        }
        let formulas: Vec<usize> = session.formulas().collect();
        let wanted =
            |at: &usize| self.properties.contains(&properties[*at].name) || formulas.contains(at);
        all.filter(wanted).collect()
    }
}
