//! The workspace: all models with their workers, the analyses, and the requests under way.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use tokio::time::timeout;
use wherefore_base::Budget;
use wherefore_driver::registry::{self, language_of};
use wherefore_driver::subjects::alloy::AnswerExtent;
use wherefore_driver::view::wire::{
    AboutAnswer, AnalyseRequest, CheckingName, ModelEntryDoc, ModelsAnswer, StartDoc, to_line,
};
use wherefore_driver::{Engine, Input, Opening, Refusal, Subject};

use crate::analysis::{self, AnalysisRequest, AnalysisSettings};
use crate::error::RequestError;
use crate::export::EvidenceFormat;
use crate::queue::{RequestId, RequestQueue, WorkerControl, guarded, lock};
use crate::request::ModelRequest;
use crate::status::SharedStatus;
use crate::{ModelFiles, Settings, worker};

/// A page that starts with a property waits so long for the model to be read.
const START_PATIENCE: Duration = Duration::from_secs(10);

/// The most analyses that are open at once; a new one closes the oldest.
const MOST_ANALYSES: usize = 8;

/// Everything that is served.
pub(crate) struct Workspace {
    settings: Settings,
    models: Vec<Arc<ServedModel>>,
    /// The number of the next request or analysis.
    next_number: AtomicU64,
    /// The workers that answer the requests under way.
    active: Mutex<BTreeMap<u64, Arc<WorkerControl>>>,
    /// The analyses that are open; the oldest has the least number.
    analyses: Mutex<BTreeMap<u64, Arc<RequestQueue<AnalysisRequest>>>>,
}

/// How a model is read and checked.
#[derive(Clone, Debug)]
pub(crate) struct ModelSettings {
    /// The number of the model.
    pub(crate) id: usize,
    pub(crate) files: ModelFiles,
    /// Formulas to check besides its properties.
    pub(crate) formulas: Vec<String>,
    pub(crate) opening: Opening,
    pub(crate) engine: Engine,
    /// How far answers to the commands of an Alloy model reach; nothing: a model that describes a transition
    /// system completely is served as one.
    pub(crate) extent: Option<AnswerExtent>,
}

impl ModelSettings {
    /// Reads the model.
    ///
    /// # Errors
    /// When it cannot be used, or the budget ends.
    pub(crate) fn read(&self, budget: &Budget) -> Result<Box<dyn Subject>, Refusal> {
        let mut input = Input::new(&self.files.path);
        input.properties = self.files.properties.clone();
        registry::open(input, &self.opening, budget)
    }
}

/// A model that is served.
pub(crate) struct ServedModel {
    pub(crate) status: Arc<SharedStatus>,
    pub(crate) queue: RequestQueue<ModelRequest>,
    settings: ModelSettings,
}

/// A request under way. When it is dropped before the answer is there, the work for it is stopped.
pub(crate) struct ActiveRequest {
    workspace: Arc<Workspace>,
    pub(crate) control: Arc<WorkerControl>,
    pub(crate) number: u64,
}

impl ActiveRequest {
    pub(crate) fn id(&self) -> RequestId {
        RequestId::Client(self.number)
    }
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        lock(&self.workspace.active).remove(&self.number);
        self.control.abandon(self.id());
    }
}

impl Workspace {
    /// Opens the models and begins to check them.
    pub(crate) fn open(settings: Settings) -> Self {
        let files = settings.models.iter().enumerate();
        let models = files.map(|(id, files)| Arc::new(ServedModel::open(&settings, id, files)));
        Self {
            models: models.collect(),
            settings,
            next_number: AtomicU64::new(1),
            active: Mutex::default(),
            analyses: Mutex::default(),
        }
    }

    /// The model with a number.
    pub(crate) fn model(&self, number: usize) -> Result<&Arc<ServedModel>, RequestError> {
        let model = self.models.get(number);
        model.ok_or_else(|| RequestError::missing("There is no such model."))
    }

    /// The document that says what is served.
    pub(crate) async fn about(&self) -> String {
        let property = match &self.settings.property {
            Some(name) => self.first_property(name).await,
            None => None,
        };
        let start = StartDoc { model: 0, property };
        let formats = EvidenceFormat::list();
        to_line(&AboutAnswer::new(
            &self.settings.command,
            start,
            true,
            formats,
        ))
    }

    /// The number of a property of the first model. A model that is still being read is waited for.
    async fn first_property(&self, name: &str) -> Option<usize> {
        let mut status = self.models.first()?.status.subscribe();
        let deadline = Instant::now() + START_PATIENCE;
        loop {
            {
                let status = status.borrow_and_update();
                let properties = &status.entry.model.properties;
                let found = properties.iter().find(|it| it.property.name == name);
                let is_unread =
                    properties.is_empty() && status.is_checking() && status.refused.is_none();
                if found.is_some() || !is_unread {
                    return found.map(|listed| listed.id);
                }
            }
            let left = deadline.saturating_duration_since(Instant::now());
            timeout(left, status.changed()).await.ok()?.ok()?;
        }
    }

    /// The list of models.
    pub(crate) fn models(&self) -> String {
        let entries = self
            .models
            .iter()
            .map(|model| model.status.read().entry.clone());
        let entries: Vec<ModelEntryDoc> = entries.collect();
        to_line(&ModelsAnswer { models: entries })
    }

    fn number(&self) -> u64 {
        self.next_number.fetch_add(1, Ordering::Relaxed)
    }

    /// Registers a request that a worker is to answer.
    pub(crate) fn begin(self: &Arc<Self>, control: &Arc<WorkerControl>) -> ActiveRequest {
        let number = self.number();
        lock(&self.active).insert(number, Arc::clone(control));
        ActiveRequest {
            workspace: Arc::clone(self),
            control: Arc::clone(control),
            number,
        }
    }

    /// Cancels a request; whether there is one with this number.
    pub(crate) fn cancel(&self, number: u64) -> bool {
        let control = lock(&self.active).get(&number).cloned();
        if let Some(control) = &control {
            control.cancel(RequestId::Client(number));
        }
        control.is_some()
    }

    /// Starts the worker of an analysis; its first request is still to be put.
    pub(crate) fn analyse(
        &self,
        model: &ServedModel,
        property: usize,
        options: AnalyseRequest,
    ) -> Arc<RequestQueue<AnalysisRequest>> {
        let number = self.number();
        let mut settings = model.settings.clone();
        let added = model.status.read().added.clone();
        settings.formulas.extend(added);
        let settings = AnalysisSettings {
            number,
            model: settings,
            property,
            options,
        };
        let (queue, requests) = RequestQueue::new(self.settings.memory);
        let queue = Arc::new(queue);
        let control = Arc::clone(&queue.control);
        thread::spawn(move || guarded(|| analysis::serve(&settings, &control, &requests)));
        let mut open = lock(&self.analyses);
        while open.len() >= MOST_ANALYSES
            && let Some((_, oldest)) = open.pop_first()
        {
            oldest.close();
        }
        open.insert(number, Arc::clone(&queue));
        queue
    }

    /// The analysis with a number.
    pub(crate) fn analysis(
        &self,
        number: u64,
    ) -> Result<Arc<RequestQueue<AnalysisRequest>>, RequestError> {
        let analysis = lock(&self.analyses).get(&number).cloned();
        analysis.ok_or_else(|| RequestError::missing("There is no such analysis."))
    }

    /// Closes an analysis; whether there is one with this number.
    pub(crate) fn close_analysis(&self, number: u64) -> bool {
        let closed = lock(&self.analyses).remove(&number);
        if let Some(queue) = &closed {
            queue.close();
        }
        closed.is_some()
    }

    /// Shows the budgets of all workers.
    pub(crate) fn watch(&self, look: &mut dyn FnMut(&Budget)) {
        for model in &self.models {
            look(&model.queue.control.budget());
        }
        for queue in lock(&self.analyses).values() {
            look(&queue.control.budget());
        }
    }

    /// Ends all workers.
    pub(crate) fn close(&self) {
        for model in &self.models {
            model.queue.close();
        }
        for queue in lock(&self.analyses).values() {
            queue.close();
        }
    }
}

impl ServedModel {
    /// Starts the worker of a model, which begins with the check.
    fn open(settings: &Settings, id: usize, files: &ModelFiles) -> Self {
        let language = language_of(&mut Input::new(&files.path)).0;
        let path = files.path.display().to_string();
        let status = Arc::new(SharedStatus::new(ModelEntryDoc::unread(
            id, &path, language,
        )));
        let (queue, requests) = RequestQueue::new(settings.memory);
        // The answer goes nowhere: whoever is interested follows the status.
        drop(queue.put(RequestId::Check, ModelRequest::Check));
        let settings = ModelSettings {
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
        let (used, shared, control) = (settings.clone(), status.clone(), queue.control.clone());
        thread::spawn(move || {
            guarded(|| worker::serve(&used, &shared, &control, &requests));
            // After a panic there is no more to come.
            shared.write(|status| {
                if status.is_checking() {
                    status.set_check(CheckingName::Cancelled);
                }
            });
        });
        Self {
            status,
            queue,
            settings,
        }
    }

    /// Starts the check anew, unless it is running or still to come.
    pub(crate) fn recheck(&self) {
        let is_idle = self.status.write(|status| {
            let is_idle = !status.is_checking();
            if is_idle {
                status.set_check(CheckingName::Waiting);
            }
            is_idle
        });
        if is_idle {
            drop(self.queue.put(RequestId::Check, ModelRequest::Check));
        }
    }

    /// Cancels the check; whether it was running.
    pub(crate) fn cancel_check(&self) -> bool {
        let is_running = self.status.read().check() == CheckingName::Running;
        if is_running {
            self.queue.control.cancel(RequestId::Check);
        }
        is_running
    }
}
