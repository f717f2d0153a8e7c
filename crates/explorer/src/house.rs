//! The house: all models, their clerks and boards, and the requests under way.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use wherefore_base::Budget;
use wherefore_driver::Language;
use wherefore_driver::registry::language_of;
use wherefore_driver::view::wire::{
    AboutAnswer, AnalyseRequest, CheckingName, ModelEntryDoc, ModelsAnswer, StartDoc, to_line,
};

use crate::analysis::{self, Inquire, Subject};
use crate::ask::Ask;
use crate::board::Board;
use crate::clerk::{Desk, NOBODY, Queue, guarded};
use crate::export::Form;
use crate::{ModelFiles, Settings, alloy, live, lts, shift, smv};

/// Everything that is served.
pub(crate) struct House {
    settings: Settings,
    rooms: Vec<Room>,
    requests: AtomicU64,
    /// The desks at which requests are being answered or wait.
    waiting: Mutex<BTreeMap<u64, Arc<Desk>>>,
    /// The analyses that are open; the oldest has the least number.
    analyses: Mutex<BTreeMap<u64, Arc<Queue<Inquire>>>>,
}

/// A page that starts with a property waits so long for the model to be read.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a change of a board may be missed.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// So many analyses are open at once; the oldest makes room for a new one.
const MOST_ANALYSES: usize = 8;

/// A model.
pub(crate) struct Room {
    pub(crate) board: Arc<Board>,
    pub(crate) queue: Queue<Ask>,
    plan: smv::Plan,
}

impl House {
    /// Opens the models and begins to check them.
    pub(crate) fn open(settings: Settings) -> Self {
        let mut rooms = Vec::new();
        for (id, files) in settings.models.iter().enumerate() {
            rooms.push(room(&settings, id, files));
        }
        Self {
            settings,
            rooms,
            requests: AtomicU64::new(NOBODY + 1),
            waiting: Mutex::default(),
            analyses: Mutex::default(),
        }
    }

    /// The model with a number.
    pub(crate) fn room(&self, model: usize) -> Option<&Room> {
        self.rooms.get(model)
    }

    /// What is served.
    pub(crate) fn about(&self) -> String {
        let name = self.settings.property.as_deref();
        let property = name.and_then(|name| self.first_property(name));
        let start = StartDoc { model: 0, property };
        to_line(&AboutAnswer::new(
            &self.settings.command,
            start,
            true,
            Form::list(),
        ))
    }

    /// The property of the first model with a name. A model that is still being read is waited for.
    fn first_property(&self, name: &str) -> Option<usize> {
        let board = &self.rooms.first()?.board;
        let asked = Instant::now();
        loop {
            let notes = board.read();
            let properties = &notes.entry.model.properties;
            let found = properties.iter().find(|it| it.property.name == name);
            let waits = properties.is_empty() && notes.is_checking() && notes.refused.is_none();
            if found.is_some() || !waits || asked.elapsed() > PATIENCE {
                return found.map(|listed| listed.id);
            }
            drop(notes);
            board.wait(LOOK_AGAIN);
        }
    }

    /// The list of models.
    pub(crate) fn models(&self) -> String {
        let entries: Vec<ModelEntryDoc> = self
            .rooms
            .iter()
            .map(|room| room.board.read().entry.clone())
            .collect();
        to_line(&ModelsAnswer { models: entries })
    }

    /// A new number for a request at a desk.
    pub(crate) fn begin(&self, desk: &Arc<Desk>) -> u64 {
        let id = self.requests.fetch_add(1, Ordering::Relaxed);
        self.lock().insert(id, Arc::clone(desk));
        id
    }

    /// A request is over.
    pub(crate) fn end(&self, id: u64) {
        if let Some(desk) = self.lock().remove(&id) {
            desk.forget(id);
        }
    }

    /// Cancels a request; whether there is one with this number.
    pub(crate) fn cancel(&self, id: u64) -> bool {
        let desk = self.lock().get(&id).cloned();
        if let Some(desk) = &desk {
            desk.cancel(id);
        }
        desk.is_some()
    }

    /// Begins an analysis; its first request is still to be put.
    pub(crate) fn analyse(
        &self,
        model: usize,
        property: usize,
        wishes: AnalyseRequest,
    ) -> Option<Arc<Queue<Inquire>>> {
        let room = self.rooms.get(model)?;
        let id = self.requests.fetch_add(1, Ordering::Relaxed);
        let mut plan = room.plan.clone();
        plan.formulas
            .extend(room.board.read().added.iter().cloned());
        let subject = Subject {
            id,
            plan,
            property,
            wishes,
        };
        let (queue, jobs) = Queue::new(self.settings.memory);
        let queue = Arc::new(queue);
        let desk = Arc::clone(&queue.desk);
        thread::spawn(move || guarded(|| analysis::serve(&subject, &desk, &jobs)));
        let mut open = self.open_analyses();
        while open.len() >= MOST_ANALYSES
            && let Some((_, oldest)) = open.pop_first()
        {
            oldest.close();
        }
        open.insert(id, Arc::clone(&queue));
        Some(queue)
    }

    /// The analysis with a number.
    pub(crate) fn analysis(&self, id: u64) -> Option<Arc<Queue<Inquire>>> {
        self.open_analyses().get(&id).cloned()
    }

    /// Lets an analysis go; whether there is one with this number.
    pub(crate) fn close_analysis(&self, id: u64) -> bool {
        let closed = self.open_analyses().remove(&id);
        if let Some(queue) = &closed {
            queue.close();
        }
        closed.is_some()
    }

    /// Shows all budgets to somebody.
    pub(crate) fn watch(&self, look: &mut dyn FnMut(&Budget)) {
        for room in &self.rooms {
            look(&room.queue.desk.budget());
        }
        for queue in self.open_analyses().values() {
            look(&queue.desk.budget());
        }
    }

    /// Lets everybody go.
    pub(crate) fn close(&self) {
        for room in &self.rooms {
            room.queue.close();
        }
        for queue in self.open_analyses().values() {
            queue.close();
        }
    }

    fn open_analyses(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Queue<Inquire>>>> {
        self.analyses.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Desk>>> {
        self.waiting.lock().unwrap_or_else(|e| e.into_inner())
    }
}

/// Opens a model: its clerk begins with the check.
fn room(settings: &Settings, id: usize, files: &ModelFiles) -> Room {
    let language = language_of(&files.path);
    let path = files.path.display().to_string();
    let board = Arc::new(Board::new(ModelEntryDoc::unread(id, &path, language.0)));
    let (queue, jobs) = Queue::new(settings.memory);
    // Nobody waits for the first check: whoever is interested follows the board.
    drop(queue.put(NOBODY, Ask::Check));
    let plan = smv::Plan {
        id,
        files: files.clone(),
        formulas: match id {
            0 => settings.formulas.clone(),
            _ => Vec::new(),
        },
        opening: settings.opening.clone(),
        engine: settings.engine,
        extent: settings.extent,
    };
    let kept = plan.clone();
    let (desk, notes) = (Arc::clone(&queue.desk), Arc::clone(&board));
    // A clerk that panics has told so; its board says that there is no more to come.
    thread::spawn(move || {
        guarded(|| match language {
            Language::AUT => shift::serve::<lts::Systems>(&plan, &notes, &desk, &jobs),
            Language::ALLOY => alloy::serve(&plan, &notes, &desk, &jobs),
            Language::SMT if plan.opening.bounds.is_empty() => {
                shift::serve::<live::Asking>(&plan, &notes, &desk, &jobs);
            }
            _ => smv::serve(&plan, &notes, &desk, &jobs),
        });
        notes.write(|notes| {
            if notes.is_checking() {
                notes.entry.checking = CheckingName::Cancelled;
            }
        });
    });
    Room {
        board,
        queue,
        plan: kept,
    }
}
