//! A model whose states are values of variables, its sources, and the properties asked about it.

mod changed;
mod expressions;
mod mended;
mod starts;

use std::path::Path;

use wherefore_base::{Budget, Diagnostic, FileId, IndexVec, SourceFile, SourceMap, Stop};
use wherefore_check::remembering_steps;
use wherefore_evidence::{Finding, ReachableStates, SpaceSummary};
use wherefore_logic::PathRule;
use wherefore_model::{FormulaReader, Model, Property, PropertyBody, PropertyKind, TermId, VarId};
use wherefore_smv::{LoadedSmv, SmvDialect, SmvScope};
use wherefore_space::discharge;
use wherefore_view::any::AnyReport;
use wherefore_view::{Report, Shown, StartStates, StateName};

pub use self::mended::{BrokenStep, ChangedModel, Contrary};
use crate::blame::blame;
use crate::engines::{Engine, Event, Job, check_model, check_model_with, undecided};
use crate::opening::Opening;
use crate::read::read_text;
use crate::refusal::{Refusal, Rejected};
use crate::registry::{Input, open_model};
use crate::results::Results;
use crate::strategy::Strategies;
use crate::subject::{
    Answer, Ask, Capability, Explainable, Language, Question, QuestionId, Sink, Subject,
    SubjectEvent, Wishes,
};
use crate::subjects::order_file;

/// What an expression is called in messages.
pub(crate) const EXPRESSION: &str = "<expression>";
/// What a formula is called in messages.
pub(crate) const FORMULA: &str = "<formula>";
/// What stands before a condition to make a formula of it.
pub(crate) const BEFORE: &str = "EF (";

/// A model that was read and can be asked.
#[derive(Clone, Debug)]
pub struct ModelSubject {
    sources: SourceMap,
    file: FileId,
    model: Model,
    reader: Box<dyn FormulaReader>,
    warnings: Vec<Diagnostic>,
    shown: Vec<Shown>,
    /// The path rule that was chosen for the properties.
    paths: Option<PathRule>,
    /// The states that properties are asked from, if not the initial ones.
    from: Option<StartStates>,
    /// Names for states.
    names: Vec<StateName>,
    /// Who chose the evidence, as the user wrote it.
    strategy: Vec<String>,
    distinct_by: Vec<TermId>,
    /// The state variables that the environment chooses.
    environment: Vec<VarId>,
    engine: Engine,
    /// The language that the model is written in.
    language: Language,
    /// The options with which it is read, as the command line takes them.
    reading: String,
    /// What the checker of sentences has explored. Whoever changes initial states or steps starts it anew.
    explored: ReachableStates,
}

impl ModelSubject {
    /// What models with variables can do.
    pub const CAPABILITIES: &[Capability] = &[
        Capability::Add,
        Capability::Explain,
        Capability::Explore,
        Capability::Debug,
        Capability::Several,
        Capability::Abstract,
        Capability::Strategies,
        Capability::Paths,
        Capability::From,
        Capability::Names,
        Capability::Certify,
        Capability::Shrink,
        Capability::Blame,
        Capability::Evaluate,
    ];

    /// Reads a model from a file, however long it takes.
    ///
    /// # Errors
    /// When the file cannot be read, or is no such model.
    pub fn open(path: &Path) -> Result<Self, Refusal> {
        Self::open_as(&Opening::default(), path, &Budget::unlimited())
    }

    /// Reads a model from a file, whatever its language: the complete system of an Alloy model, the finite version of
    /// an infinite-state model.
    ///
    /// # Errors
    /// When the file cannot be read, is no such model, or the budget ends.
    pub fn open_as(opening: &Opening, path: &Path, budget: &Budget) -> Result<Self, Refusal> {
        open_model(Input::new(path), opening, budget)
    }

    /// Reads an SMV model from a text; `name` is what messages call it.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn from_text(name: &str, text: impl Into<String>) -> Result<Self, Refusal> {
        let opening = Opening::default();
        Self::read(&opening, name, text.into(), &Budget::unlimited())
    }

    /// Reads an SMV model from a text within a budget; `name` is what messages call it.
    ///
    /// # Errors
    /// What is wrong with the text or the order of variables, or that the budget ended.
    pub fn read(
        opening: &Opening,
        name: &str,
        text: String,
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new(name, text));
        let loaded = wherefore_smv::load_in(opening.dialect, &sources, file, budget)?;
        if loaded.diagnostics.iter().any(Diagnostic::is_error) {
            return Err(Refusal::Rejected(Rejected {
                sources,
                diagnostics: loaded.diagnostics,
            }));
        }
        let mut subject = Self::of_smv((opening.dialect, String::new()), sources, file, loaded);
        if let Some(order) = &opening.order {
            let text = read_text(order, budget);
            let text = text.map_err(|why| why.in_companion("its order file ", order))?;
            subject.set_order(&order.display().to_string(), &text)?;
        }
        Ok(subject)
    }

    /// An SMV model that was read and has no error, with these further options of the command line.
    pub(crate) fn of_smv(
        (dialect, options): (SmvDialect, String),
        sources: SourceMap,
        file: FileId,
        loaded: LoadedSmv,
    ) -> Self {
        let dialect = match dialect {
            SmvDialect::New => "",
            SmvDialect::Old => " --smv-dialect old",
        };
        let reading = (Language::SMV, format!("{dialect}{options}"));
        let made = Self::new(reading, sources, file, loaded.model, loaded.diagnostics);
        let reader: Box<dyn FormulaReader> = Box::new(loaded.scope);
        made.with_reader(reader)
    }

    /// A model of some language, whose texts are these; `reading` are the options of the command line with which it is
    /// read.
    pub fn new(
        (language, reading): (Language, String),
        sources: SourceMap,
        file: FileId,
        model: Model,
        warnings: Vec<Diagnostic>,
    ) -> Self {
        Self {
            sources,
            file,
            model,
            reader: Box::new(SmvScope::default()),
            warnings,
            shown: Vec::new(),
            paths: None,
            from: None,
            names: Vec::new(),
            strategy: Vec::new(),
            distinct_by: Vec::new(),
            environment: Vec::new(),
            engine: Engine::Auto,
            language,
            reading,
            explored: ReachableStates::default(),
        }
    }

    /// Takes a reader of formulas and expressions, if there is one.
    #[must_use]
    pub fn with_reader(mut self, reader: impl Into<Option<Box<dyn FormulaReader>>>) -> Self {
        if let Some(reader) = reader.into() {
            self.reader = reader;
        }
        self
    }

    /// Lists symmetric states as others are.
    #[must_use]
    pub(crate) fn without_symmetry(mut self) -> Self {
        self.model.swaps.clear();
        self
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
        let read = (self.reader).formula(&mut self.model, &self.sources, file, &name);
        let mut property = read.map_err(|diagnostics| self.rejected(diagnostics))?;
        if let Some(rule) = self.paths {
            ask_under(&mut property, rule);
        }
        self.model.properties.push(property);
        Ok(self.model.properties.len() - 1)
    }

    /// Asks a property under a path rule, given by its index.
    ///
    /// # Panics
    /// When the model has no property with this index.
    pub fn set_rule(&mut self, property: usize, rule: PathRule) {
        ask_under(&mut self.model.properties[property], rule);
    }

    /// The properties that [`ModelSubject::add_formula`] added, by index.
    pub fn formulas(&self) -> impl Iterator<Item = usize> + '_ {
        let properties = self.model.properties.iter().enumerate();
        properties
            .filter(|(_, property)| property.span.file != self.file)
            .map(|(at, _)| at)
    }

    /// The same with a linear-time property asked as the formula of CTL that says the same; `None` if none is known.
    pub(crate) fn in_ctl(&self, property: usize) -> Option<Self> {
        let PropertyBody::Linear(query) = &self.model.properties[property].body else {
            return None;
        };
        let query = self.model.in_ctl(query)?;
        let mut asked = self.clone();
        asked.model.properties[property].body = PropertyBody::Query(query);
        Some(asked)
    }

    /// The same with a linear-time property that reads inputs or next states asked about states that remember the last step;
    /// `None` if it reads states only.
    pub(crate) fn remembering_steps(&self, property: usize) -> Option<Self> {
        let Property { body, span, .. } = &self.model.properties[property];
        let PropertyBody::Linear(query) = body else {
            return None;
        };
        if !self.model.reads_steps(query.atoms.as_slice()) {
            return None;
        }
        let (model, query) = remembering_steps(&self.model, query, *span);
        let mut asked = self.clone();
        asked.model = model;
        asked.model.properties[property].body = PropertyBody::Linear(query);
        Some(asked)
    }

    /// Makes sure that the meaning of the model is right, too: no `case` without a branch, no value out
    /// of range.
    ///
    /// # Errors
    /// What is wrong, or that the budget ended.
    pub fn examine(&self, budget: &Budget) -> Result<(), Refusal> {
        self.discharge(&self.model, budget)
    }

    fn discharge(&self, model: &Model, budget: &Budget) -> Result<(), Refusal> {
        let wrong = discharge(model, budget)?;
        if wrong.iter().any(Diagnostic::is_error) {
            return Err(self.rejected(wrong).into());
        }
        Ok(())
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
    /// Each call explores the model anew; [`ModelSubject::check_all`] answers many properties at once.
    ///
    /// # Panics
    /// When the model has no property with this index.
    pub fn check(&self, property: usize) -> Result<Finding, Refusal> {
        let job = Job {
            engine: self.engine,
            properties: Some(vec![property]),
            ..Job::default()
        };
        let mut answer = None;
        self.check_all(&job, &Budget::unlimited(), &mut |event| match event {
            Event::Rejected(diagnostics) => answer = Some(Err(self.rejected(diagnostics).into())),
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
            language: self.language.0,
            reading: &self.reading,
            model: &self.model,
            space,
            findings,
            runs: &[],
            shown: &self.shown,
            paths: self.paths,
            from: self.from.as_ref(),
            names: &self.names,
            captions: None,
            strategy: &self.strategy,
            seconds: None,
            explored: Some(&self.explored),
        }
    }
}

/// Asks a property under a path rule.
fn ask_under(property: &mut Property, rule: PathRule) {
    match &mut property.body {
        // An invariant is about the states that finite paths reach, by its definition.
        PropertyBody::Query(query) if property.kind != PropertyKind::Invar => query.rule = rule,
        PropertyBody::Linear(_)
            if !matches!(rule, PathRule::FairInfinite | PathRule::PlainFair) =>
        {
            property.body = PropertyBody::Unsupported(format!(
                "a formula of linear time is about fair infinite runs, and the path rule `{rule}` is for CTL"
            ));
        }
        _ => {}
    }
}

impl Subject for ModelSubject {
    fn name(&self) -> &str {
        self.sources.file(self.file).name()
    }

    fn language(&self) -> Language {
        self.language
    }

    fn sources(&self) -> &SourceMap {
        &self.sources
    }

    fn file(&self) -> Option<FileId> {
        Some(self.file)
    }

    fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    fn questions(&self) -> IndexVec<QuestionId, Question> {
        let questions = self.model.properties.iter().map(|property| Question {
            name: property.name.clone(),
            text: property.text.clone(),
            span: Some(property.span),
            added: property.span.file != self.file,
            expected: None,
        });
        questions.collect()
    }

    fn capabilities(&self) -> &'static [Capability] {
        Self::CAPABILITIES
    }

    fn add(&mut self, text: &str) -> Result<QuestionId, Refusal> {
        Ok(QuestionId::new(self.add_formula(text)?))
    }

    fn wish(&mut self, wishes: &Wishes, budget: &Budget) -> Result<Strategies, Refusal> {
        for expression in &wishes.show {
            self.show(expression)?;
        }
        for expression in &wishes.distinct_by {
            self.add_distinct_by(expression)?;
        }
        if let Some(chooses) = &wishes.environment {
            let vars = self.model.vars.ids().take(self.model.state_vars());
            let chosen = vars.filter(|var| chooses(&self.model.vars[*var].name));
            self.environment = chosen.collect();
        }
        self.strategies(&wishes.strategy, wishes.asker.clone(), budget)
    }

    fn set_paths(&mut self, rule: PathRule) -> Result<(), Refusal> {
        for property in &mut self.model.properties {
            ask_under(property, rule);
        }
        self.paths = Some(rule);
        self.reading.push_str(&format!(" --paths {rule}"));
        Ok(())
    }

    fn ask_from(&mut self, condition: &str, budget: &Budget) -> Result<(), Refusal> {
        self.start_where(condition, budget)
    }

    fn name_states(&mut self, text: &str, budget: &Budget) -> Result<(), Refusal> {
        self.add_name(text, budget)
    }

    fn answer_all(
        &self,
        questions: &[QuestionId],
        ask: &Ask,
        budget: &Budget,
        sink: &mut dyn Sink,
    ) -> Result<(), Refusal> {
        let mut job = Job {
            engine: ask.engine,
            options: ask.options.clone(),
            properties: Some(questions.iter().map(|question| question.index()).collect()),
            bound: ask.bound,
        };
        job.options.environment.clone_from(&self.environment);
        job.options
            .several
            .distinct_by
            .clone_from(&self.distinct_by);
        let mut outcome = Ok(());
        let mut findings: Vec<Finding> = Vec::new();
        self.check_all_with(&job, &ask.strategies, budget, &mut |event| match event {
            Event::Rejected(diagnostics) => outcome = Err(self.rejected(diagnostics).into()),
            Event::Space(space) => sink.tell(SubjectEvent::Space(space)),
            Event::Finding(mut finding) => {
                if ask.blame.is_some() {
                    self.find_causes(&mut finding, budget);
                    findings.push(Finding {
                        evidence: finding.evidence.clone(),
                        ..Finding::new(finding.property, finding.verdict.clone(), None)
                    });
                }
                sink.tell(SubjectEvent::Answer(Box::new(Answer::Finding(finding))));
            }
        });
        for remark in ask.strategies.remarks() {
            sink.tell(SubjectEvent::Remark(remark));
        }
        if let Some(effort) = ask.blame {
            for (property, blame) in blame(self, &findings, effort, budget) {
                let question = QuestionId::new(property);
                sink.tell(SubjectEvent::Blame(question, Box::new(blame)));
            }
        }
        outcome
    }

    fn undecided(&self, question: QuestionId, stop: Stop) -> Answer {
        Answer::Finding(Box::new(undecided(&self.model, question.index(), stop)))
    }

    fn explainable(
        &self,
        question: QuestionId,
        _: &Ask,
        _: &Budget,
    ) -> Result<Explainable, Refusal> {
        Ok(Explainable {
            model: self.clone(),
            property: question.index(),
        })
    }

    fn report<'a>(&'a self, results: &'a Results) -> AnyReport<'a> {
        AnyReport::Model(Report {
            seconds: results.seconds,
            captions: results.captions.as_ref(),
            runs: &results.runs,
            ..self.report(results.space.as_ref(), &results.findings)
        })
    }

    fn into_model(self: Box<Self>, _: &Opening, _: &Budget) -> Result<ModelSubject, Refusal> {
        Ok(*self)
    }
}
