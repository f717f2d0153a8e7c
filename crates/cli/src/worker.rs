//! The worker: reads the models and checks them on a thread of its own.
//!
//! It leaves what it finds in a mailbox as soon as it is known, so that whoever waits for it has
//! something to show even if the worker never comes to an end.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use wherefore_base::Budget;
use wherefore_driver::Opening;
use wherefore_driver::alloy::reach::Advice;
use wherefore_driver::alloy::{
    AlloyChoices, AlloySession, Answer, Edition, Excerpt, NoExcerpt, Outcome, unknown_scope,
};
use wherefore_driver::evidence::{AbstractOptions, Options, Several, Split, Width};
use wherefore_driver::live::{LiveSession, is_infinite};
use wherefore_driver::model::VarId;
use wherefore_driver::strategy::{Remark, Strategies, StrategyError, StrategySpec};
use wherefore_driver::view::json;
use wherefore_driver::{Event, Job, LtsError, LtsSession, OpenError, Rejected, Session, read_text};

use crate::alloy;
use crate::args::{Check, Environment, EvidenceKind, SplitKind, SuccessorsKind, Telling};
use crate::choosing::{self, duration};
use crate::guard;
use crate::live::{self, Living};
use crate::mailbox::Mailbox;
use crate::models::{self, ModelFiles, Opened};
use crate::telling::{Conditions, missing_part};

/// What the worker tells. Numbers are places in the list of files.
pub(crate) enum Message {
    /// A model was read.
    Loaded(usize, Opened),
    /// A model could not be read, since this file could not be.
    NotLoaded(usize, PathBuf, OpenError),
    /// Something from the command line does not fit a model: a formula, an expression.
    BadText(Rejected),
    /// A strategy from the command line cannot be used with a model.
    BadStrategy(StrategyError),
    /// A strategy has something to say.
    Remark(Remark),
    /// No model has a property with this name; these are the names there are.
    NoSuchProperty(String, Vec<String>),
    /// No selected property has a part that the command line names; the sentence says which.
    NoSuchPart(String),
    /// Where explanations of a model start and stop.
    Conditions(usize, Conditions),
    /// No model has a variable that the environment could choose by this name.
    NoSuchVariable(String),
    /// Which properties of a model are going to be checked.
    Selected(usize, Vec<usize>),
    /// Something became known about a model.
    Event(usize, Event),
    /// The verdict on a command of an Alloy model, before it is known why.
    Verdict(usize, Box<Answer>),
    /// Everything about a command of an Alloy model.
    Answer(usize, Box<Answer>),
    /// The runs of solvers that are not shown as evidence, for each of the findings that follow.
    Runs(usize, Vec<Vec<json::Run>>),
    /// The first-order theories of properties of an infinite-state model, each with the name of its property, or why
    /// there is none.
    Queries(usize, Vec<(String, Result<String, String>)>),
    /// Something that everybody is told once.
    Note(&'static str),
    /// Advice on how the transition system of an Alloy model is written.
    Advice(usize, Vec<Advice>),
    /// The smallest part of a system that shows the answer to a command of an Alloy model, or why there is none.
    Excerpt(usize, Box<Result<Excerpt, NoExcerpt>>),
    /// A model is done, after so many seconds.
    Finished(usize, f64),
    /// Everything is done.
    End,
    /// The worker found a bug of ours and told it.
    Panicked,
}

impl Message {
    /// Whether it is shown, or ends something, at once. The others are looked at now and then.
    fn rings(&self) -> bool {
        matches!(
            self,
            Message::Verdict(..) | Message::Answer(..) | Message::End | Message::Panicked
        )
    }
}

/// Starts the worker; what it tells comes into the mailbox.
pub(crate) fn start(check: &Check, files: &[ModelFiles], budget: &Budget) -> Arc<Mailbox<Message>> {
    let mailbox = Arc::new(Mailbox::default());
    let work = Work {
        files: files.to_vec(),
        internal: check.internal.clone(),
        properties: check.properties.clone(),
        formulas: check.formulas.clone(),
        show: check.show.clone(),
        telling: check.telling.clone(),
        environment: check.environment.clone(),
        strategy: check.choosing.strategy.clone(),
        distinct_by: check.several.distinct_by.clone(),
        complete: alloy::is_complete(check),
        advice: check.alloying.advice,
        without_runs: alloy::without_runs(check),
        opening: Opening {
            asymmetric: check.alloying.asking.symmetry == Some(0),
            ..check.effort.opening()
        },
        edition: check.effort.alloy.edition,
        choices: alloy::choices(check),
        living: check.effort.living.clone(),
        memory: check.effort.memory,
        job: Job {
            engine: check.effort.engine,
            options: Options {
                evidence: true,
                vacuity: !check.no_vacuity,
                witness: check.witness,
                certificate: check.certificate,
                minimal: check.minimal,
                environment: vec![],
                abstraction: abstraction(check),
                evidence_time: check.choosing.evidence_time.map(duration),
                several: Several {
                    each: check.several.each,
                    count: check.several.count,
                    distinct_by: vec![],
                },
            },
            properties: None,
            bound: check.alloying.bmc,
        },
        budget: budget.clone(),
        mailbox: Arc::clone(&mailbox),
    };
    thread::spawn(move || {
        let end = match guard::guarded(|| work.run()) {
            Some(()) => Message::End,
            None => Message::Panicked,
        };
        work.tell(end);
    });
    mailbox
}

/// Which abstract evidence is asked for, if any.
fn abstraction(check: &Check) -> Option<AbstractOptions> {
    let split = match check.split {
        SplitKind::Left => Split::Left,
        SplitKind::Right => Split::Right,
        SplitKind::Simpler => Split::Simpler,
        SplitKind::Both => Split::Both,
    };
    let width = match check.successors {
        SuccessorsKind::All => Width::All,
        SuccessorsKind::One => Width::One,
    };
    (check.evidence == EvidenceKind::Abstract).then_some(AbstractOptions { split, width })
}

struct Work {
    files: Vec<ModelFiles>,
    /// Labels of internal steps in AUT files.
    internal: Vec<String>,
    properties: Vec<String>,
    formulas: Vec<String>,
    show: Vec<String>,
    telling: Telling,
    environment: Vec<Environment>,
    strategy: Vec<StrategySpec>,
    distinct_by: Vec<String>,
    opening: Opening,
    /// Whether complete transition systems of Alloy models are checked.
    complete: bool,
    /// Whether advice on Alloy models is wanted.
    advice: bool,
    /// How Alloy models are read, and their commands answered.
    edition: Option<Edition>,
    choices: AlloyChoices,
    /// What is wrong with the command line if an Alloy model has no runs.
    without_runs: Option<String>,
    /// How infinite-state models are asked, and how many megabytes solvers may use.
    living: Living,
    memory: Option<usize>,
    job: Job,
    budget: Budget,
    mailbox: Arc<Mailbox<Message>>,
}

impl Work {
    /// Nobody listening any more is no error: the work ends with the process.
    fn tell(&self, message: Message) {
        let rings = message.rings();
        self.mailbox.put(message, rings);
    }

    fn run(&self) {
        let mut opened: Vec<(usize, Opened)> = Vec::new();
        let mut sessions: Vec<(usize, Arc<Session>)> = Vec::new();
        let mut conditions: Vec<Conditions> = Vec::new();
        let mut strategies: Vec<Strategies> = Vec::new();
        let mut finite: Vec<(usize, Session)> = Vec::new();
        let asker = choosing::asker(&self.budget);
        self.budget.phase("reading the model");
        for (at, files) in self.files.iter().enumerate() {
            let path = &files.path;
            if files.is_lts() {
                match self.open_lts(files) {
                    Ok(Ok(session)) => opened.push((at, Opened::Lts(Arc::new(session)))),
                    Ok(Err(rejected)) => {
                        self.tell(Message::BadText(rejected));
                        return;
                    }
                    Err(LtsError { path, why }) => self.tell(Message::NotLoaded(at, path, why)),
                }
                continue;
            }
            if files.is_alloy() && !self.complete {
                match AlloySession::open(path, self.edition, &self.budget) {
                    Ok(session) => {
                        let texts = self.choices.evaluate.iter();
                        let mut texts = texts.filter(|text| !names_a_witness(text));
                        let wrong = texts.find_map(|text| session.read_expression(text).err());
                        if let Some(rejected) = wrong {
                            self.tell(Message::BadText(rejected));
                            return;
                        }
                        let alone = self.files.iter().all(ModelFiles::is_alloy);
                        let plain = alone && !session.describes_system();
                        if let Some(text) = self.without_runs.as_ref().filter(|_| plain) {
                            self.tell(Message::NoSuchPart(text.clone()));
                            return;
                        }
                        let mut scopes = self.choices.lowering.scopes.iter();
                        let unknown = |scope| unknown_scope(session.model(), scope);
                        if let Some(text) = scopes.find_map(unknown) {
                            self.tell(Message::NoSuchPart(format!("error: {text}")));
                            return;
                        }
                        opened.push((at, Opened::Alloy(Arc::new(session))));
                    }
                    Err(error) => self.tell(Message::NotLoaded(at, path.clone(), error)),
                }
                continue;
            }
            let mut read = None;
            if !files.is_smt() && files.is_stream() {
                match read_text(path, &self.budget) {
                    Ok(text) => read = Some(text),
                    Err(error) => {
                        self.tell(Message::NotLoaded(at, path.clone(), error));
                        continue;
                    }
                }
            }
            let infinite = files.is_smt() || read.as_deref().is_some_and(is_infinite);
            if infinite {
                match self.open_live(path, read.take()) {
                    Ok(Ok(session)) if self.living.bound.is_empty() => {
                        opened.push((at, Opened::Live(Arc::new(session))));
                    }
                    Ok(Ok(session)) => match session.finite(&self.living.bound) {
                        Ok(session) => finite.push((at, session)),
                        Err(rejected) => {
                            let error = OpenError::Rejected(rejected);
                            self.tell(Message::NotLoaded(at, path.clone(), error));
                        }
                    },
                    Ok(Err(rejected)) => {
                        self.tell(Message::BadText(rejected));
                        return;
                    }
                    Err(error) => self.tell(Message::NotLoaded(at, path.clone(), error)),
                }
            }
            let made = finite
                .pop_if(|(of, _)| *of == at)
                .map(|(_, session)| session);
            if infinite && made.is_none() {
                continue;
            }
            let finite_version = made.is_some();
            let open = || match read {
                Some(text) => self.open_text(path, text),
                None => {
                    let opening = Opening {
                        command: files.command.clone(),
                        ..self.opening.clone()
                    };
                    Session::open_as(&opening, path, &self.budget)
                }
            };
            let mut session = match made.map_or_else(open, Ok) {
                Ok(session) => session,
                Err(error) => {
                    self.tell(Message::NotLoaded(at, path.clone(), error));
                    continue;
                }
            };
            if let Err(rejected) = self.add_texts(&mut session, finite_version) {
                self.tell(Message::BadText(rejected));
                return;
            }
            match Conditions::read(&self.telling, &mut session, &self.budget) {
                Ok(Ok(read)) => conditions.push(read),
                Ok(Err(rejected)) => {
                    self.tell(Message::BadText(rejected));
                    return;
                }
                Err(stop) => {
                    let error = OpenError::Stopped(stop);
                    self.tell(Message::NotLoaded(at, path.clone(), error));
                    continue;
                }
            }
            match session.strategies(&self.strategy, Some(asker.clone()), &self.budget) {
                Ok(bound) => strategies.push(bound),
                Err(error) => {
                    self.tell(Message::BadStrategy(error));
                    return;
                }
            }
            let session = Arc::new(session);
            opened.push((at, Opened::Smv(Arc::clone(&session))));
            sessions.push((at, session));
        }
        for (at, model) in &opened {
            self.tell(Message::Loaded(*at, model.clone()));
        }
        let missing = self.missing_property(&opened);
        if let Some(missing) = missing.or_else(|| self.missing_variable(&sessions)) {
            self.tell(missing);
            return;
        }
        let selections: Vec<_> = sessions
            .iter()
            .map(|(_, session)| self.selection(&Opened::Smv(Arc::clone(session))))
            .collect();
        let read = sessions.iter().zip(&conditions).zip(&selections);
        let selected = read.flat_map(|(((_, session), conditions), selection)| {
            let session: &Session = session;
            selection.iter().map(move |&at| (session, conditions, at))
        });
        if let Some(missing) =
            missing_part(&self.telling, selected).filter(|_| !sessions.is_empty())
        {
            self.tell(Message::NoSuchPart(missing));
            return;
        }
        for ((at, _), conditions) in sessions.iter().zip(conditions) {
            self.tell(Message::Conditions(*at, conditions));
        }
        for (at, model) in &opened {
            self.tell(Message::Selected(*at, self.selection(model)));
        }
        let mut work = sessions.iter().zip(selections).zip(strategies);
        for (at, model) in &opened {
            if let Opened::Lts(session) = model {
                self.check_lts(*at, session, &self.selection(model));
                continue;
            }
            if let Opened::Alloy(session) = model {
                self.answer(*at, session, &self.selection(model));
                continue;
            }
            if let Opened::Live(session) = model {
                self.ask(*at, session, &self.selection(model));
                continue;
            }
            let Some((((_, session), selection), strategies)) = work.next() else {
                continue;
            };
            let start = Instant::now();
            let mut job = Job {
                properties: Some(selection),
                ..self.job.clone()
            };
            job.options.environment = self.environment(session);
            job.options.several.distinct_by = session.distinct_by().to_vec();
            session.check_all_with(&job, &strategies, &self.budget, &mut |event| {
                self.tell(Message::Event(*at, event))
            });
            for remark in strategies.remarks() {
                self.tell(Message::Remark(remark));
            }
            self.tell(Message::Finished(*at, start.elapsed().as_secs_f64()));
        }
    }

    /// Opens a system with its properties; inside, what is wrong with a formula of the command line.
    fn open_lts(&self, files: &ModelFiles) -> Result<Result<LtsSession, Rejected>, LtsError> {
        let (path, properties) = (&files.path, &files.properties);
        let reading = models::read_options(&self.internal);
        let mut session = LtsSession::open(path, properties, &reading, &self.budget)?;
        for formula in &self.formulas {
            if let Err(rejected) = session.add_formula(formula) {
                return Ok(Err(rejected));
            }
        }
        Ok(Ok(session))
    }

    /// Opens a model whose text was read.
    fn open_text(&self, path: &Path, text: String) -> Result<Session, OpenError> {
        let name = path.display().to_string();
        let read = Session::read_in(self.opening.dialect, &name, text, &self.budget);
        read.map_err(OpenError::Stopped)?
            .map_err(OpenError::Rejected)
    }

    /// Opens an infinite-state model, perhaps with a text that was read; inside, what is wrong with a formula of the
    /// command line.
    fn open_live(
        &self,
        path: &Path,
        text: Option<String>,
    ) -> Result<Result<LiveSession, Rejected>, OpenError> {
        let dialect = self.opening.dialect;
        let mut session = match text {
            None => LiveSession::open_in(dialect, path, &self.budget)?,
            Some(text) => {
                let name = path.display().to_string();
                let read = LiveSession::read_in(dialect, &name, text, &self.budget);
                read.map_err(OpenError::Stopped)?
                    .map_err(OpenError::Rejected)?
            }
        };
        if let Err(rejected) = live::prepare(&mut session, &self.living) {
            return Ok(Err(rejected));
        }
        for formula in &self.formulas {
            if let Err(rejected) = session.add_formula(formula) {
                return Ok(Err(rejected));
            }
        }
        Ok(Ok(session))
    }

    /// Asks solvers about an infinite-state model.
    fn ask(&self, at: usize, session: &LiveSession, selection: &[usize]) {
        let (engine, memory) = (self.job.engine, self.memory);
        let choices = match self.living.choices(engine, memory, &self.budget) {
            Ok(choices) => choices,
            Err(text) => {
                self.tell(Message::NoSuchPart(text));
                return;
            }
        };
        if self.living.write_query.is_some() {
            let queries = live::queries(session, selection, &choices);
            self.tell(Message::Queries(at, queries));
        }
        if choices.solvers.is_empty() {
            self.tell(Message::Note(live::NO_SOLVER));
        } else if let Err(rejected) = session.discharge(&choices, &self.budget) {
            let path = session.sources().file(session.file()).name().into();
            self.tell(Message::NotLoaded(at, path, OpenError::Rejected(rejected)));
            return;
        }
        let (told, seconds) = live::check(
            session,
            selection,
            &choices,
            &self.job.options,
            &self.budget,
        );
        self.tell(Message::Loaded(at, Opened::Smv(Arc::new(told.session))));
        self.tell(Message::Runs(at, told.runs));
        for finding in told.findings {
            self.tell(Message::Event(at, Event::Finding(Box::new(finding))));
        }
        self.tell(Message::Finished(at, seconds));
    }

    fn check_lts(&self, at: usize, session: &LtsSession, selection: &[usize]) {
        let start = Instant::now();
        session.check_all(selection, &self.budget, &mut |event| {
            self.tell(Message::Event(at, event))
        });
        self.tell(Message::Finished(at, start.elapsed().as_secs_f64()));
    }

    fn answer(&self, at: usize, session: &AlloySession, selection: &[usize]) {
        let start = Instant::now();
        for &command in selection {
            let mut tell =
                |answer: &Answer| self.tell(Message::Verdict(at, Box::new(answer.clone())));
            let answer = session.answer_telling(command, &self.choices, &self.budget, &mut tell);
            let found = match &answer.outcome {
                Outcome::Found { found, .. } => found.first().cloned(),
                _ => None,
            };
            self.tell(Message::Answer(at, Box::new(answer)));
            if let Some(found) = found
                && session.describes_system()
                && let Ok(question) = session.question(command, &self.choices)
            {
                let mut excerpt = session.excerpt(&question, &found, &self.budget);
                if let Ok(part) = &mut excerpt
                    && let Err(message) = self.choose(part)
                {
                    self.tell(message);
                    return;
                }
                self.tell(Message::Excerpt(at, Box::new(excerpt)));
            }
        }
        if self.advice && session.describes_system() {
            let advice = session.advice(selection, &self.choices, &self.budget);
            self.tell(Message::Advice(at, advice.unwrap_or_default()));
        }
        self.tell(Message::Finished(at, start.elapsed().as_secs_f64()));
    }

    /// Looks at a part of a system again as the command line asks for.
    fn choose(&self, part: &mut Excerpt) -> Result<(), Message> {
        let certificate = self.job.options.certificate;
        if self.strategy.is_empty() && !certificate {
            return Ok(());
        }
        let asker = choosing::asker(&self.budget);
        let strategies = part
            .session
            .strategies(&self.strategy, Some(asker), &self.budget)
            .map_err(Message::BadStrategy)?;
        let job = Job {
            options: Options {
                certificate,
                ..Options::default()
            },
            ..Job::default()
        };
        part.check(&job, &strategies, &self.budget)
            .map_err(Message::BadText)?;
        for remark in strategies.remarks() {
            self.tell(Message::Remark(remark));
        }
        Ok(())
    }

    fn add_texts(&self, session: &mut Session, has_formulas: bool) -> Result<(), Rejected> {
        for formula in self.formulas.iter().filter(|_| !has_formulas) {
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
    fn missing_property(&self, opened: &[(usize, Opened)]) -> Option<Message> {
        if opened.is_empty() || self.properties.is_empty() {
            return None;
        }
        let mut names: Vec<&String> = Vec::new();
        let mut known: HashSet<&String> = HashSet::new();
        for name in opened.iter().flat_map(|(_, model)| model.names()) {
            if known.insert(name) {
                names.push(name);
            }
        }
        let missing = self.properties.iter().find(|name| {
            let has = |(_, model): &(usize, Opened)| !model.named(name).is_empty();
            !opened.iter().any(has)
        })?;
        let names = names.into_iter().cloned().collect();
        Some(Message::NoSuchProperty(missing.clone(), names))
    }

    /// A name of the environment that no model has a variable with.
    fn missing_variable(&self, sessions: &[(usize, Arc<Session>)]) -> Option<Message> {
        let models = || sessions.iter().map(|(_, session)| session.model());
        let vars = || models().flat_map(|model| model.vars.iter());
        let mut wanted = self.environment.iter();
        let missing = wanted.find(|wanted| !vars().any(|var| wanted.means(&var.name)))?;
        let known = !sessions.is_empty();
        known.then(|| Message::NoSuchVariable(missing.text.clone()))
    }

    /// The state variables of a model that the environment chooses.
    fn environment(&self, session: &Session) -> Vec<VarId> {
        let model = session.model();
        let means = |var: &VarId| {
            let name = &model.vars[*var].name;
            self.environment.iter().any(|wanted| wanted.means(name))
        };
        let state_vars = model.vars.ids().take(model.state_vars());
        state_vars.filter(means).collect()
    }

    /// The named properties and the formulas of the command line; without either, all properties.
    fn selection(&self, model: &Opened) -> Vec<usize> {
        let names = model.names();
        let all = 0..names.len();
        // An expression for an Alloy model asks about the instances of its commands.
        let formulas = self.formulas.is_empty() || matches!(model, Opened::Alloy(_));
        if self.properties.is_empty() && formulas {
            return all.collect();
        }
        let mut wanted: HashSet<usize> = model.formulas().into_iter().collect();
        wanted.extend(self.properties.iter().flat_map(|name| model.named(name)));
        all.filter(|at| wanted.contains(at)).collect()
    }
}

/// Whether an expression has a name as `$show_b`, which is known only once there is an instance.
fn names_a_witness(text: &str) -> bool {
    let outside = |c: char| !(c.is_alphanumeric() || "_$'\"".contains(c));
    text.split(outside).any(|word| word.starts_with('$'))
}
