//! A session: one model, its sources, and the questions asked about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use wherefore_base::{Budget, Diagnostic, FileId, Run, SourceFile, SourceMap, Stop};
use wherefore_evidence::{Finding, SpaceSummary};
use wherefore_model::{Model, PropertyBody, Query, Support, TermId, VarKind};
use wherefore_smt::Bound;
use wherefore_smv::{Dialect, Loaded, Scope};
use wherefore_space::discharge;
use wherefore_view::wire::LanguageName;
use wherefore_view::{Report, Shown, render_diagnostic};

use wherefore_alloy::{Edition, Override};

use crate::alloy::AlloySession;
use crate::debug::{Language, language};
use crate::engine::{Engine, Event, Job, check_model, check_model_with, undecided};
use crate::live::LiveSession;
use crate::order_file;
use crate::read::read_text;
use crate::strategy::Strategies;

/// What an expression is called in messages.
pub(crate) const EXPRESSION: &str = "<expression>";
/// What a formula is called in messages.
pub(crate) const FORMULA: &str = "<formula>";

/// A model that was read and can be asked.
#[derive(Debug)]
pub struct Session {
    sources: SourceMap,
    file: FileId,
    model: Model,
    scope: Scope,
    warnings: Vec<Diagnostic>,
    shown: Vec<Shown>,
    /// Who chose the evidence, as the user wrote it.
    strategy: Vec<String>,
    distinct_by: Vec<TermId>,
    engine: Engine,
    /// The language that the model is written in.
    language: LanguageName,
    /// The options with which it is read, as the command line takes them.
    reading: String,
}

/// Input that cannot be used, with the texts it stands in.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The texts.
    pub sources: SourceMap,
    /// What is wrong, and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

impl Rejected {
    /// All messages with the source lines they are about.
    pub fn render(&self, color: bool) -> String {
        let texts = self
            .diagnostics
            .iter()
            .map(|d| render_diagnostic(&self.sources, d, color));
        texts.collect::<Vec<_>>().join("\n\n")
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Rejected {}

/// How the file of a model is read.
#[derive(Clone, Default, Debug)]
pub struct Opening {
    /// Its dialect.
    pub dialect: Dialect,
    /// The file with the order of its variables in decision diagrams, if there is one.
    pub order: Option<PathBuf>,
    /// The edition of an Alloy model, if it is known.
    pub edition: Option<Edition>,
    /// Other scopes than those of the commands of an Alloy model.
    pub scopes: Vec<Override>,
    /// The command of an Alloy model whose complete system is wanted; none for that of the first.
    pub command: Option<String>,
    /// Whether several fairness constraints of an Alloy model are made one by counting them off.
    pub counted: bool,
    /// Whether symmetric states of an Alloy model are listed as others are.
    pub asymmetric: bool,
    /// Bounds that make the finite version of an infinite-state model.
    pub bounds: Vec<Bound>,
}

/// Why a file could not be opened as a model.
#[derive(Debug)]
pub enum OpenError {
    /// It could not be read.
    Io(io::Error),
    /// It is not text: where the first byte is that is not UTF-8, or is zero.
    NotText {
        /// The line, from 1.
        line: usize,
        /// The offset of the byte in the file, from 0.
        offset: usize,
        /// The byte.
        byte: u8,
    },
    /// It has more than so many bytes.
    TooLarge(usize),
    /// It is a labelled transition system where a model with variables is expected.
    System,
    /// It is an Alloy model that describes no transition system.
    Alloy,
    /// The file with the order of its variables cannot be read.
    Order(String, Box<OpenError>),
    /// The budget ended before it was read.
    Stopped(Stop),
    /// It is not a model.
    Rejected(Rejected),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Io(error) => write!(f, "the file cannot be read: {error}"),
            OpenError::Order(name, error) => write!(f, "its order file {name}: {error}"),
            OpenError::NotText {
                line,
                offset,
                byte: 0,
            } => write!(
                f,
                "the file is not text: line {line} has a zero byte at offset {offset}"
            ),
            OpenError::NotText {
                offset: 0,
                byte: 0xfe | 0xff,
                ..
            } => write!(
                f,
                "the file is not UTF-8 text but looks like UTF-16. \
                 Convert it with `iconv -f utf-16 -t utf-8`"
            ),
            OpenError::NotText { line, offset, .. } => write!(
                f,
                "the file is not UTF-8 text: line {line} has a wrong byte at offset {offset}. \
                 Save it as UTF-8, or convert it with `iconv -f latin1 -t utf-8`"
            ),
            OpenError::TooLarge(most) => write!(
                f,
                "the file has more than {} MB, which is more than this tool reads",
                most >> 20
            ),
            OpenError::System => write!(
                f,
                "this command takes SMV models, and the file is a labelled transition system; \
                 `check`, `debug`, `query` and `convert` take such"
            ),
            OpenError::Alloy => write!(
                f,
                "the Alloy model describes no transition system: it opens neither ctl nor ctlfc nor one of \
                 their relatives; `check` answers its commands in their scopes"
            ),
            OpenError::Stopped(stop) => write!(f, "the file is not read, since {stop}"),
            OpenError::Rejected(rejected) => rejected.fmt(f),
        }
    }
}

impl std::error::Error for OpenError {}

impl Session {
    /// Reads a model from a file, however long it takes.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_within(path, &Budget::unlimited())
    }

    /// Reads a model from a file within a budget.
    pub fn open_within(path: &Path, budget: &Budget) -> Result<Self, OpenError> {
        Self::open_as(&Opening::default(), path, budget)
    }

    /// Reads a model from a file, and the order of its variables from another, within a budget.
    pub fn open_as(opening: &Opening, path: &Path, budget: &Budget) -> Result<Self, OpenError> {
        match language(path) {
            Language::Aut => return Err(OpenError::System),
            Language::Alloy => {
                let alloy = AlloySession::open(path, opening.edition, budget)?;
                let command = opening.command.as_deref();
                let mut session =
                    alloy.complete_with(&opening.scopes, command, opening.counted, budget)?;
                if opening.asymmetric {
                    session.model.swaps.clear();
                }
                return Ok(session);
            }
            Language::Smt => {
                let live = LiveSession::open_in(opening.dialect, path, budget)?;
                return live.finite(&opening.bounds).map_err(OpenError::Rejected);
            }
            Language::Smv => {}
        }
        let text = read_text(path, budget)?;
        let read = Self::read_in(opening.dialect, &path.display().to_string(), text, budget);
        let read = read.map_err(OpenError::Stopped)?;
        let mut session = read.map_err(OpenError::Rejected)?;
        if let Some(order) = &opening.order {
            let name = order.display().to_string();
            let text = match read_text(order, budget) {
                Err(OpenError::Stopped(stop)) => return Err(OpenError::Stopped(stop)),
                read => read.map_err(|error| OpenError::Order(name.clone(), Box::new(error)))?,
            };
            let set = session.set_order(&name, &text);
            set.map_err(OpenError::Rejected)?;
        }
        Ok(session)
    }

    /// Reads a model from a text; `name` is what messages call it.
    pub fn from_text(name: &str, text: impl Into<String>) -> Result<Self, Rejected> {
        let read = Self::read(name, text.into(), &Budget::unlimited());
        read.expect("nobody stops this budget")
    }

    /// Reads a model from a text within a budget; `name` is what messages call it.
    ///
    /// # Errors
    /// When the budget ends; inside, what is wrong with the text.
    pub fn read(name: &str, text: String, budget: &Budget) -> Run<Result<Self, Rejected>> {
        Self::read_in(Dialect::default(), name, text, budget)
    }

    /// Reads a model in a dialect of its language from a text, as [`Session::read`].
    ///
    /// # Errors
    /// As [`Session::read`].
    pub fn read_in(
        dialect: Dialect,
        name: &str,
        text: String,
        budget: &Budget,
    ) -> Run<Result<Self, Rejected>> {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new(name, text));
        let loaded = wherefore_smv::load_in(dialect, &sources, file, budget)?;
        if loaded.diagnostics.iter().any(Diagnostic::is_error) {
            return Ok(Err(Rejected {
                sources,
                diagnostics: loaded.diagnostics,
            }));
        }
        Ok(Ok(Self::of_smv(
            (dialect, String::new()),
            sources,
            file,
            loaded,
        )))
    }

    /// A session over an SMV model that was read and has no error, with these further options of the command line.
    pub(crate) fn of_smv(
        (dialect, options): (Dialect, String),
        sources: SourceMap,
        file: FileId,
        loaded: Loaded,
    ) -> Self {
        let dialect = match dialect {
            Dialect::New => "",
            Dialect::Old => " --smv-dialect old",
        };
        let reading = (LanguageName::Smv, format!("{dialect}{options}"));
        let made = Self::of_model(reading, sources, file, loaded.model, loaded.diagnostics);
        Self {
            scope: loaded.scope,
            ..made
        }
    }

    /// A session over a model of another language, whose texts are these.
    pub(crate) fn of_model(
        (language, reading): (LanguageName, String),
        sources: SourceMap,
        file: FileId,
        model: Model,
        warnings: Vec<Diagnostic>,
    ) -> Self {
        Self {
            sources,
            file,
            model,
            scope: Scope::default(),
            warnings,
            shown: Vec::new(),
            strategy: Vec::new(),
            distinct_by: Vec::new(),
            engine: Engine::Auto,
            language,
            reading,
        }
    }

    /// Takes another engine than [`Engine::Auto`].
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// Takes the order of variables in decision diagrams from the text of an order file; `name` is
    /// what messages call it.
    ///
    /// # Errors
    /// When the text is not an order file. Names that no variable has are warnings.
    pub fn set_order(&mut self, name: &str, text: &str) -> Result<(), Rejected> {
        let file = self.sources.add(SourceFile::new(name, text));
        let (order, messages) = order_file::read(&self.model, file, text);
        if messages.iter().any(Diagnostic::is_error) {
            return Err(self.rejected(messages));
        }
        self.model.order = order;
        self.warnings.extend(messages);
        Ok(())
    }

    /// The engine that was asked for; the summary of a space says which one looked.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Adds a property; its atoms are expressions of the model's language. Returns its index.
    pub fn add_formula(&mut self, text: &str) -> Result<usize, Rejected> {
        let file = self.sources.add(SourceFile::new(FORMULA, text));
        let number = 1 + self.formulas().count();
        let name = format!("formula{number}");
        let property =
            wherefore_smv::formula(&mut self.model, &self.scope, &self.sources, file, &name)
                .map_err(|diagnostics| self.rejected(diagnostics))?;
        self.model.properties.push(property);
        Ok(self.model.properties.len() - 1)
    }

    /// The properties that [`Session::add_formula`] added, by index.
    pub fn formulas(&self) -> impl Iterator<Item = usize> + '_ {
        let properties = self.model.properties.iter().enumerate();
        properties
            .filter(|(_, property)| property.span.file != self.file)
            .map(|(at, _)| at)
    }

    /// Adds an expression over the present state that every view shows next to the variables.
    pub fn show(&mut self, text: &str) -> Result<(), Rejected> {
        let term = self.term(text)?;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.shown.push(Shown { text, term });
        Ok(())
    }

    /// Adds an expression over the present state; runs along which all of these take the same values can
    /// be taken as the same.
    pub fn add_distinct_by(&mut self, text: &str) -> Result<(), Rejected> {
        let term = self.term(text)?;
        self.distinct_by.push(term);
        Ok(())
    }

    /// The expressions that [`Session::add_distinct_by`] added, for the options of a job.
    pub fn distinct_by(&self) -> &[TermId] {
        &self.distinct_by
    }

    /// Reads an expression over the present state and makes sure that it has a value in every state.
    ///
    /// # Errors
    /// When the budget ends; inside, what is wrong with the expression.
    pub fn expression(&mut self, text: &str, budget: &Budget) -> Run<Result<TermId, Rejected>> {
        let before = self.model.obligations.len();
        match self.term(text) {
            Ok(term) => Ok(self.sound(before, budget)?.map(|()| term)),
            Err(rejected) => Ok(Err(rejected)),
        }
    }

    /// Reads a formula without adding it to the properties, and makes sure that its atoms have a value
    /// in every state.
    ///
    /// # Errors
    /// When the budget ends; inside, what is wrong with the formula.
    pub fn query(&mut self, text: &str, budget: &Budget) -> Run<Result<Query, Rejected>> {
        let before = self.model.obligations.len();
        let file = self.sources.add(SourceFile::new(FORMULA, text));
        let read = wherefore_smv::formula(&mut self.model, &self.scope, &self.sources, file, "");
        let property = match read {
            Ok(property) => property,
            Err(diagnostics) => return Ok(Err(self.rejected(diagnostics))),
        };
        let sound = self.sound(before, budget)?;
        Ok(sound.and_then(|()| match property.body {
            PropertyBody::Query(query) => Ok(query),
            PropertyBody::Linear(_) | PropertyBody::Distance(_) => {
                let why = "this asks for a formula about a state, of CTL";
                Err(self.rejected(vec![Diagnostic::error(property.span, why)]))
            }
            PropertyBody::Unsupported(why) => {
                Err(self.rejected(vec![Diagnostic::error(property.span, why)]))
            }
        }))
    }

    /// Reads an expression over the present state.
    fn term(&mut self, text: &str) -> Result<TermId, Rejected> {
        let file = self.sources.add(SourceFile::new(EXPRESSION, text));
        let term = wherefore_smv::expression(&mut self.model, &self.scope, &self.sources, file)
            .map_err(|diagnostics| self.rejected(diagnostics))?;
        let support = Support::of(&self.model, [term]);
        let input = |var: &_| self.model.vars[*var].kind == VarKind::Input;
        if !support.next.is_empty() || support.now.iter().any(input) {
            let span = wherefore_base::Span::new(file, 0, text.len());
            let message = "a shown expression speaks about one state, but this one reads an input or the next state";
            return Err(self.rejected(vec![Diagnostic::error(span, message)]));
        }
        Ok(term)
    }

    /// Discharges the obligations from a number on, which then are no longer needed.
    fn sound(&mut self, before: usize, budget: &Budget) -> Run<Result<(), Rejected>> {
        let fresh = self.model.obligations.split_off(before);
        if fresh.is_empty() {
            return Ok(Ok(()));
        }
        let probe = Model {
            obligations: fresh,
            ..self.model.clone()
        };
        let wrong = discharge(&probe, budget)?;
        if wrong.iter().any(Diagnostic::is_error) {
            return Ok(Err(self.rejected(wrong)));
        }
        Ok(Ok(()))
    }

    /// Adds a text that messages can point to.
    pub(crate) fn add_source(&mut self, name: &str, text: &str) -> FileId {
        self.sources.add(SourceFile::new(name, text))
    }

    /// Says who chooses the evidence, for the views.
    pub(crate) fn chosen_by(&mut self, strategy: Vec<String>) {
        self.strategy = strategy;
    }

    /// Messages about this model together with its texts.
    pub fn rejected(&self, diagnostics: Vec<Diagnostic>) -> Rejected {
        Rejected {
            sources: self.sources.clone(),
            diagnostics,
        }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The texts of the model and of everything added to it.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// The file of the model.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// What was odd about the model without making it useless.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Everything about one property, however long it takes; an error if the model turns out to be
    /// wrong once its meaning is looked at.
    ///
    /// Each call explores the model anew; [`Session::check_all`] answers many properties at once.
    ///
    /// # Panics
    /// When the model has no property with this index.
    pub fn check(&self, property: usize) -> Result<Finding, Rejected> {
        let job = Job {
            engine: self.engine,
            properties: Some(vec![property]),
            ..Job::default()
        };
        let mut answer = None;
        self.check_all(&job, &Budget::unlimited(), &mut |event| match event {
            Event::Rejected(diagnostics) => answer = Some(Err(self.rejected(diagnostics))),
            Event::Finding(finding) => answer = Some(Ok(*finding)),
            Event::Space(_) => {}
        });
        answer.unwrap_or_else(|| Ok(undecided(&self.model, property, Stop::Cancelled)))
    }

    /// Checks what the job selects and tells each thing as soon as it is known.
    pub fn check_all(&self, job: &Job, budget: &Budget, tell: &mut dyn FnMut(Event)) {
        check_model(&self.model, job, budget, tell);
    }

    /// The same with evidence as strategies choose it.
    pub fn check_all_with(
        &self,
        job: &Job,
        strategies: &Strategies,
        budget: &Budget,
        tell: &mut dyn FnMut(Event),
    ) {
        check_model_with(&self.model, job, strategies, budget, tell);
    }

    /// What views need to tell these findings.
    pub fn report<'a>(
        &'a self,
        space: Option<&'a SpaceSummary>,
        findings: &'a [Finding],
    ) -> Report<'a> {
        Report {
            sources: &self.sources,
            file: self.file,
            language: self.language,
            reading: &self.reading,
            model: &self.model,
            space,
            findings,
            shown: &self.shown,
            strategy: &self.strategy,
            seconds: None,
        }
    }
}
