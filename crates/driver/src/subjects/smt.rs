//! Infinite-state models: sessions that ask solvers, and evidence from what these find.
//!
//! A [`SmtSubject`] reads VMT-LIB, relations in SMT-LIB, or SMV with variables that have no bounds. Its answers have three values: *holds* with what carries the
//! proof, *fails* with runs that our own evaluator replays, *unknown* with the bounds that were reached. The runs become
//! finite models (see [`wherefore_smt::fragments`]), and over these evidence is told as of every other model.

mod blame;
mod mend;
mod runs;
mod smv;
mod telling;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use wherefore_base::{Budget, Diagnostic, FileId, IndexVec, SourceFile, SourceMap, Span, Stop};
use wherefore_evidence::{EvidenceOptions, Finding, UnknownReason, Verdict as Found};
use wherefore_model::{FormulaReader, Model, Property as ModelProperty, TermId};
use wherefore_smt::{
    Bound, Deadlock, ExpectedVerdict, SmtProperty, SmtReading, SmtScope, TermSystem, finite,
};
use wherefore_smv::SmvDialect;
use wherefore_view::Report;
use wherefore_view::any::AnyReport;

use crate::opening::Opening;
use crate::read::read_text;
use crate::refusal::{Refusal, Rejected};
use crate::results::Results;
use crate::strategy::Strategies;
use crate::subject::{
    Answer as SubjectAnswer, Ask, Capability, Explainable, Language, Question, QuestionId, Sink,
    Subject, SubjectEvent, Wishes,
};
use crate::subjects::model::{FORMULA, ModelSubject};

use self::smv::Smv;

pub use telling::ToldRuns;
pub use wherefore_smtcheck::{
    ProcessLimits, RefutationRun, SmtAnswer, SmtCertificate, SmtEngine, SmtObligation, SmtOptions,
    SmtProof, SmtRefutation, SmtSolver, SmtVerdict,
};

/// How an engine asks solvers; one that looks at finite models leaves the choice to us.
pub fn way(engine: crate::Engine) -> SmtEngine {
    match engine {
        crate::Engine::Theory => SmtEngine::Theory,
        crate::Engine::Unroll => SmtEngine::Unroll,
        crate::Engine::Induction => SmtEngine::Induction,
        crate::Engine::Auto | crate::Engine::Explicit | crate::Engine::Bdd | crate::Engine::Sat => {
            SmtEngine::Auto
        }
    }
}

/// An infinite-state model that was read and can be asked.
///
/// ```no_run
/// use wherefore_driver::base::Budget;
/// use wherefore_driver::subjects::smt::{SmtOptions, SmtSolver, SmtSubject};
///
/// let session = SmtSubject::from_text(
///     "countdown.vmt",
///     "(declare-fun x () Int) (declare-fun x1 () Int)
///      (define-fun .x () Int (! x :next x1))
///      (define-fun .init () Bool (! (>= x 0) :init true))
///      (define-fun .trans () Bool (! (= x1 (ite (> x 0) (- x 1) x)) :trans true))
///      (define-fun .ends () Bool (! (ctl.AF (= x 0)) :ctl-property 0))",
/// )?;
/// let budget = Budget::unlimited();
/// let choices = SmtOptions { solvers: SmtSolver::installed(&budget), ..SmtOptions::default() };
/// let answer = session.answer(0, &choices, &budget);
/// assert_eq!(answer.holds(), Some(true));
/// # Ok::<(), wherefore_driver::Refusal>(())
/// ```
#[derive(Debug)]
pub struct SmtSubject {
    sources: SourceMap,
    file: FileId,
    system: TermSystem,
    written: Written,
    warnings: Vec<Diagnostic>,
    /// A model without a run, for views while nothing is known.
    unanswered: OnceLock<Box<ModelSubject>>,
    /// The proof that no run goes on for ever and is fair, once somebody looked for one.
    without_runs: OnceLock<Option<SmtProof>>,
}

/// The language of a model, with its names.
#[derive(Debug)]
enum Written {
    Smt(Box<SmtScope>),
    Smv(Box<Smv>),
}

impl SmtSubject {
    /// What infinite-state models can do.
    pub const CAPABILITIES: &[Capability] = &[
        Capability::Add,
        Capability::Explain,
        Capability::Theory,
        Capability::Blame,
    ];

    /// Reads a model from a file.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a model.
    pub fn open(path: &Path, budget: &Budget) -> Result<Self, Refusal> {
        Self::open_in(SmvDialect::default(), path, budget)
    }

    /// Reads a model from a file, which is in this dialect if it is SMV.
    ///
    /// # Errors
    /// As [`SmtSubject::open`].
    pub fn open_in(dialect: SmvDialect, path: &Path, budget: &Budget) -> Result<Self, Refusal> {
        let text = read_text(path, budget)?;
        Self::read_in(dialect, &path.display().to_string(), text, budget)
    }

    /// Reads a model from a text; `name` is what messages call it.
    ///
    /// # Errors
    /// When the text is not a model.
    pub fn from_text(name: &str, text: impl Into<String>) -> Result<Self, Refusal> {
        Self::read_in(
            SmvDialect::default(),
            name,
            text.into(),
            &Budget::unlimited(),
        )
    }

    /// Reads a model from a text, which is in this dialect if it is SMV, within a budget; `name` is what messages call it.
    ///
    /// # Errors
    /// What is wrong with the text, or that the budget ended.
    pub fn read_in(
        dialect: SmvDialect,
        name: &str,
        text: String,
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        if !is_lisp(&text) && wherefore_smv::is_unbounded(&text) {
            Self::of_smv(dialect, name, text, budget)
        } else {
            Ok(Self::of_smt(name, text)?)
        }
    }

    fn of_smt(name: &str, text: String) -> Result<Self, Rejected> {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new(name, text));
        let read = wherefore_smt::read(name, file, sources.file(file).text());
        if !read.is_usable() {
            return Err(Rejected {
                sources,
                diagnostics: read.diagnostics,
            });
        }
        let SmtReading {
            system,
            diagnostics,
            scope,
            ..
        } = read;
        Ok(Self {
            sources,
            file,
            system,
            written: Written::Smt(Box::new(scope)),
            warnings: diagnostics,
            unanswered: OnceLock::new(),
            without_runs: OnceLock::new(),
        })
    }

    /// Adds a property, such as `(ctl.AF (> x 5))`. Returns its index.
    ///
    /// # Errors
    /// When the text is not a formula about the model.
    pub fn add_formula(&mut self, text: &str) -> Result<usize, Rejected> {
        let file = self.sources.add(SourceFile::new(FORMULA, text));
        let name = format!("formula{}", 1 + self.formulas().count());
        let added = match &mut self.written {
            Written::Smt(scope) => {
                let property = scope.property(&mut self.system, &name, file, text);
                property.map(|property| self.system.properties.push(property))
            }
            Written::Smv(smv) => smv.add_formula(&mut self.system, &self.sources, file, &name),
        };
        added.map_err(|diagnostics| self.rejected(diagnostics))?;
        Ok(self.system.properties.len() - 1)
    }

    /// The properties that [`SmtSubject::add_formula`] added, by index.
    pub fn formulas(&self) -> impl Iterator<Item = usize> + '_ {
        let properties = self.system.properties.iter().enumerate();
        let added = properties.filter(|(_, property)| property.span.file != self.file);
        added.map(|(at, _)| at)
    }

    /// Says what a state without a next one means, whatever the file says.
    pub fn set_deadlock(&mut self, deadlock: Deadlock) {
        self.system.deadlock = deadlock;
    }

    /// Adds axioms that say that every result of an operation is a state, for states of declared sorts. Returns how many.
    ///
    /// # Errors
    /// Why that makes no sense for this model: a sentence without its full stop.
    pub fn add_generators(&mut self) -> Result<usize, String> {
        self.system.add_generators()
    }

    /// The system.
    pub fn system(&self) -> &TermSystem {
        &self.system
    }

    /// The properties.
    pub fn properties(&self) -> &[SmtProperty] {
        &self.system.properties
    }

    /// What the file expects of each property: that it holds, that it fails, or nothing.
    pub fn expectations(&self) -> Vec<Option<bool>> {
        let properties = self.system.properties.iter();
        let expected = properties.map(|property| {
            property
                .expected
                .map(|expected| expected == ExpectedVerdict::Holds)
        });
        expected.collect()
    }

    /// The language that the model is written in.
    pub fn language(&self) -> Language {
        match self.written {
            Written::Smt(_) => Language::SMT,
            Written::Smv(_) => Language::SMV,
        }
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

    /// Messages about this model together with its texts.
    pub fn rejected(&self, diagnostics: Vec<Diagnostic>) -> Rejected {
        Rejected {
            sources: self.sources.clone(),
            diagnostics,
        }
    }

    /// Asks solvers about a property.
    ///
    /// # Panics
    /// When there is no property with this index.
    pub fn answer(&self, property: usize, choices: &SmtOptions, budget: &Budget) -> SmtAnswer {
        match &self.written {
            Written::Smt(_) => {
                let answer = self.decide(property, choices, budget);
                let answer = self.looked_for_runs(property, answer, choices, budget);
                self.witnessed(property, answer, choices, budget)
            }
            Written::Smv(smv) => {
                let answer = self.decide_smv(smv, property, choices, budget);
                self.witnessed(property, answer, choices, budget)
            }
        }
    }

    /// The answer with runs that show it, if the property holds because some path exists.
    fn witnessed(
        &self,
        property: usize,
        mut answer: SmtAnswer,
        choices: &SmtOptions,
        budget: &Budget,
    ) -> SmtAnswer {
        if answer.holds() == Some(true) && answer.vacuous.is_none() {
            let asked = &self.system.properties[property];
            answer.witness = wherefore_smtcheck::witness(&self.system, asked, choices, budget);
        }
        answer
    }

    /// Asks solvers whether the model is right where that depends on the values of its variables: whether each `case` of
    /// an SMV model has a branch for every situation, and each assigned value is one of its variable's.
    ///
    /// # Errors
    /// What is wrong.
    pub fn discharge(&self, choices: &SmtOptions, budget: &Budget) -> Result<(), Rejected> {
        match &self.written {
            Written::Smt(_) => Ok(()),
            Written::Smv(smv) => match smv.discharged(&self.system, choices, budget) {
                smv::Right::No(diagnostic) => Err(self.rejected(vec![diagnostic.clone()])),
                smv::Right::Yes | smv::Right::Unknown(_) => Ok(()),
            },
        }
    }

    fn decide(&self, property: usize, choices: &SmtOptions, budget: &Budget) -> SmtAnswer {
        let asked = &self.system.properties[property];
        let mut progress = |phase: &str| budget.phase(phase);
        wherefore_smtcheck::decide(&self.system, asked, choices, budget, &mut progress)
    }

    /// The first-order theory of a property (Vakili and Day 2014) as SMT-LIB text that any solver takes: `unsat` means
    /// that the property holds.
    ///
    /// # Errors
    /// Why there is none: a whole sentence.
    ///
    /// # Panics
    /// When there is no property with this index.
    pub fn query(&self, property: usize, choices: &SmtOptions) -> Result<String, String> {
        let asked = &self.system.properties[property];
        let obligations = wherefore_smtcheck::theory_query(&self.system, asked, choices)?;
        let mut text = format!("; {}: {}\n", asked.name, asked.text);
        for (at, obligation) in obligations.iter().enumerate() {
            // Each part is a query of its own.
            let reset = if at == 0 { "" } else { "(reset)\n" };
            text.push_str(&format!(
                "{reset}; {}\n{}\n",
                obligation.claim,
                obligation.query.trim_end()
            ));
        }
        Ok(text)
    }

    /// The finite version of the model within bounds, as a session that explores it.
    ///
    /// # Errors
    /// When something has no bounds or no finite version.
    pub fn finite(&self, bounds: &[Bound]) -> Result<ModelSubject, Rejected> {
        if let Written::Smv(smv) = &self.written {
            return self.finite_smv(smv, bounds);
        }
        let start = Span::new(self.file, 0, 0);
        let model = finite(&self.system, bounds, start).map_err(|why| {
            let error = Diagnostic::error(start, format!("There is no finite version of this model, since {why}"));
            self.rejected(vec![error.help(
                "`wherefore check` and `wherefore explain` ask solvers about the model as it is, without bounds.",
            )])
        })?;
        let made = self.session(model, options(bounds));
        let Written::Smt(scope) = &self.written else {
            return Ok(made);
        };
        let reader: Box<dyn FormulaReader> = Box::new(FiniteReader {
            system: self.system.clone(),
            scope: scope.clone(),
            bounds: bounds.to_vec(),
            start,
        });
        Ok(made.with_reader(reader))
    }

    /// A session over a finite model of this one.
    fn session(&self, model: Model, reading: String) -> ModelSubject {
        let warnings = self.warnings.clone();
        ModelSubject::new(
            (self.language(), reading),
            self.sources.clone(),
            self.file,
            model,
            warnings,
        )
    }
}

/// Reads formulas about the finite version of an infinite-state model: in its own language, and then within bounds.
#[derive(Clone, Debug)]
struct FiniteReader {
    system: TermSystem,
    scope: Box<SmtScope>,
    bounds: Vec<Bound>,
    start: Span,
}

impl FormulaReader for FiniteReader {
    fn formula(
        &mut self,
        model: &mut Model,
        sources: &SourceMap,
        file: FileId,
        name: &str,
    ) -> Result<ModelProperty, Vec<Diagnostic>> {
        let text = sources.file(file).text();
        let property = self.scope.property(&mut self.system, name, file, text)?;
        self.system.properties.push(property);
        let wrong = |why| {
            let message = format!("There is no finite version of this formula, since {why}");
            vec![Diagnostic::error(Span::new(file, 0, text.len()), message)]
        };
        let mut made = finite(&self.system, &self.bounds, self.start).map_err(wrong)?;
        let added = made.properties.pop();
        *model = made;
        added.ok_or_else(|| wrong("it is none".to_string()))
    }

    fn expression(
        &self,
        model: &mut Model,
        sources: &SourceMap,
        file: FileId,
    ) -> Result<TermId, Vec<Diagnostic>> {
        wherefore_smv::SmvScope::default().expression(model, sources, file)
    }

    fn boxed(&self) -> Box<dyn FormulaReader> {
        Box::new(self.clone())
    }
}

impl Subject for SmtSubject {
    fn name(&self) -> &str {
        self.sources.file(self.file).name()
    }

    fn language(&self) -> Language {
        self.language()
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
        let questions = self.system.properties.iter().map(|property| Question {
            name: property.name.clone(),
            text: property.text.clone(),
            span: Some(property.span),
            added: property.span.file != self.file,
            expected: property
                .expected
                .map(|expected| expected == ExpectedVerdict::Holds),
        });
        questions.collect()
    }

    fn capabilities(&self) -> &'static [Capability] {
        Self::CAPABILITIES
    }

    fn add(&mut self, text: &str) -> Result<QuestionId, Refusal> {
        Ok(QuestionId::new(self.add_formula(text)?))
    }

    fn wish(&mut self, wishes: &Wishes, _: &Budget) -> Result<Strategies, Refusal> {
        if wishes.generators {
            self.add_generators().map_err(|why| {
                let start = Span::new(self.file, 0, 0);
                let message = format!("--generators is of no use for this model, since {why}");
                self.rejected(vec![Diagnostic::error(start, message)])
            })?;
        }
        Ok(Strategies::default())
    }

    fn answer_all(
        &self,
        questions: &[QuestionId],
        ask: &Ask,
        budget: &Budget,
        sink: &mut dyn Sink,
    ) -> Result<(), Refusal> {
        let choices = &ask.smt;
        if ask.theories {
            for question in questions {
                let name = self.system.properties[question.index()].name.clone();
                let theory = self.query(question.index(), choices);
                sink.tell(SubjectEvent::Theory(name, theory));
            }
        }
        if choices.solvers.is_empty() {
            sink.tell(SubjectEvent::Note(NO_SOLVER));
        } else {
            self.discharge(choices, budget)?;
        }
        let mut answers: Vec<(usize, SmtAnswer)> = Vec::new();
        for question in questions {
            let property = question.index();
            answers.push((property, self.answer(property, choices, budget)));
            if budget.check().is_err() {
                break;
            }
        }
        let told = self.tell(&answers, &ask.options, budget);
        sink.tell(SubjectEvent::Fragment(Arc::new(told.session)));
        for (finding, runs) in told.findings.into_iter().zip(told.runs) {
            sink.tell(SubjectEvent::Runs(runs));
            sink.tell(SubjectEvent::Answer(Box::new(SubjectAnswer::Finding(
                Box::new(finding),
            ))));
        }
        if let Some(effort) = ask.blame.filter(|_| !choices.solvers.is_empty()) {
            for (property, blame) in self.mends(&answers, choices, effort, budget) {
                let question = QuestionId::new(property);
                sink.tell(SubjectEvent::Blame(question, Box::new(blame)));
            }
        }
        Ok(())
    }

    fn undecided(&self, question: QuestionId, stop: Stop) -> SubjectAnswer {
        let verdict = Found::Unknown(UnknownReason::Stopped(stop));
        SubjectAnswer::Finding(Box::new(Finding::new(question.index(), verdict, None)))
    }

    fn explainable(
        &self,
        question: QuestionId,
        ask: &Ask,
        budget: &Budget,
    ) -> Result<Explainable, Refusal> {
        let property = &self.system.properties[question.index()];
        self.discharge(&ask.smt, budget)?;
        let answer = self.answer(question.index(), &ask.smt, budget);
        let fragment = self.fragment(question.index(), &answer).ok_or_else(|| {
            let name = &property.name;
            let why = format!("there is no run that refutes `{name}`, and only runs are explored");
            Refusal::Unsupported(why)
        })?;
        Explainable::named(fragment, &property.name)
    }

    fn report<'a>(&'a self, results: &'a Results) -> AnyReport<'a> {
        let model = match &results.fragment {
            Some(fragment) => fragment,
            None => &**self.unanswered.get_or_init(|| {
                let budget = Budget::unlimited();
                Box::new(self.tell(&[], &EvidenceOptions::default(), &budget).session)
            }),
        };
        AnyReport::Model(Report {
            seconds: results.seconds,
            runs: &results.runs,
            ..model.report(results.space.as_ref(), &results.findings)
        })
    }

    fn into_model(self: Box<Self>, opening: &Opening, _: &Budget) -> Result<ModelSubject, Refusal> {
        Ok(self.finite(&opening.bounds)?)
    }
}

/// What somebody without a solver is told.
pub const NO_SOLVER: &str = "note: no SMT solver is found, so properties of infinite-state models stay undecided. \
     Install z3 and cvc5, on Debian and Ubuntu with `apt-get install z3 cvc5`, or name one with --solver. \
     With --bound the finite version is checked without any.";

/// Whether a text looks like an infinite-state model: VMT-LIB, relations `Init` and `Next`, or SMV with variables that
/// have no bounds.
pub fn is_infinite(text: &str) -> bool {
    wherefore_smt::is_model(text) || (!is_lisp(text) && wherefore_smv::is_unbounded(text))
}

/// Bounds as the command line takes them.
fn options(bounds: &[Bound]) -> String {
    let options = bounds
        .iter()
        .map(|bound| format!(" --bound {}={}..{}", bound.name, bound.low, bound.high));
    options.collect()
}

/// Whether a text begins as lists in parentheses do.
fn is_lisp(text: &str) -> bool {
    let first = text
        .lines()
        .map(str::trim_start)
        .find(|line| !line.is_empty() && !line.starts_with(';'));
    first.is_some_and(|line| line.starts_with('('))
}
