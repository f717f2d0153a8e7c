//! Something that can be asked: `file --load--> subject --answer--> answers`.
//!
//! A [`Subject`] is a model of any language that was read: it has questions, takes further ones, and answers
//! them. What comes of a question is an [`Answer`], for all languages the same type; what becomes known on the way
//! goes to a [`Sink`]. What a subject can do is data ([`Capability`]), so that a command that does not fit a language is
//! refused in one place ([`require`]), and help can list what works where.

use std::any::Any;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use wherefore_alloy::answer::CommandOutcome;
use wherefore_alloy::reach::Advice;
use wherefore_base::{Budget, Diagnostic, FileId, IndexVec, SourceMap, Span, Stop, define_id};
use wherefore_evidence::certificate::Certified;
use wherefore_evidence::{
    Blame, EvidenceOptions, Finding, Note, SpaceSummary, UnknownReason, Vacuity, Verdict, is_broken,
};
use wherefore_logic::PathRule;
use wherefore_view::any::AnyReport;
use wherefore_view::wire::RunDoc;

use crate::blame::BlameEffort;
pub use crate::capability::Capability;
use crate::capability::{unsupported, without_model};
use crate::engines::Engine;
use crate::opening::Opening;
use crate::refusal::{Refusal, Rejected};
use crate::results::Results;
use crate::strategy::{Asker, Remark, Strategies, StrategySpec};
use crate::subjects::alloy::{self, AlloyOptions, NoExcerpt, SystemExcerpt};
use crate::subjects::model::ModelSubject;
use crate::subjects::smt;

define_id!(
    /// A question of a subject: a property, or a command.
    pub struct QuestionId
);

/// A question of a subject.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// Its name.
    pub name: String,
    /// Its text as it is written, on one line.
    pub text: String,
    /// Where it stands in the sources.
    pub span: Option<Span>,
    /// Whether somebody added it after the model was read.
    pub added: bool,
    /// The answer that the model itself expects: whether it holds.
    pub expected: Option<bool>,
}

/// The name of a language, as documents have it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Language(pub &'static str);

impl Language {
    /// Alloy.
    pub const ALLOY: Language = Language("alloy");
    /// Labelled transition systems in AUT files.
    pub const AUT: Language = Language("aut");
    /// VMT-LIB and relations in SMT-LIB.
    pub const SMT: Language = Language("smt");
    /// SMV.
    pub const SMV: Language = Language("smv");
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// How questions are to be answered; each language looks at the parts that mean something to it.
#[derive(Clone, Default)]
pub struct Ask {
    /// Who looks at the states.
    pub engine: Engine,
    /// What to find out besides the verdict.
    pub options: EvidenceOptions,
    /// Who chooses the evidence, bound to the model.
    pub strategies: Rc<Strategies>,
    /// Who chooses the evidence, for what is a model only once it is found.
    pub strategy: Vec<StrategySpec>,
    /// Who answers where a strategy asks.
    pub asker: Option<Asker>,
    /// Only runs of at most so many steps are looked at.
    pub bound: Option<usize>,
    /// How commands of Alloy models are answered.
    pub alloy: AlloyOptions,
    /// Whether advice on how a transition system is written is wanted.
    pub advice: bool,
    /// What SMT solvers are asked, and which.
    pub smt: smt::SmtOptions,
    /// Whether the first-order theories of questions are wanted.
    pub theories: bool,
    /// How much is spent on the question who is to blame for failures, once everything is answered.
    pub blame: Option<BlameEffort>,
}

/// Says of a name whether it is meant.
pub type NameFilter = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// What the user wants to see, in expressions of the model's language.
#[derive(Clone, Default)]
pub struct Wishes {
    /// Expressions that every view shows beside the variables.
    pub show: Vec<String>,
    /// Expressions whose values tell runs apart.
    pub distinct_by: Vec<String>,
    /// Who chooses the evidence.
    pub strategy: Vec<StrategySpec>,
    /// Who answers where a strategy asks.
    pub asker: Option<Asker>,
    /// Whether operations of an infinite-state model are total.
    pub generators: bool,
    /// Which variables the environment chooses, by their names.
    pub environment: Option<NameFilter>,
}

/// What is found out about a question.
#[derive(Clone, Debug)]
pub enum Answer {
    /// About a property: a verdict with its evidence.
    Finding(Box<Finding>),
    /// About a command: instances, or why there are none.
    Command(Box<alloy::AlloyAnswer>),
}

/// What a verdict is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// The complete system.
    Complete,
    /// The scope of the command.
    Scope,
}

/// What an answer means to whoever has expectations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Standing {
    /// It is as it should be.
    Good,
    /// It holds, and a part of it never mattered.
    Vacuous,
    /// Nobody knows.
    Undecided,
    /// It is not as it should be.
    Bad,
    /// The model is wrong.
    WrongModel,
    /// This program made a mistake.
    Broken,
}

impl Answer {
    /// The question it answers.
    pub fn question(&self) -> QuestionId {
        match self {
            Answer::Finding(finding) => QuestionId::new(finding.property),
            Answer::Command(answer) => QuestionId::new(answer.command),
        }
    }

    /// The verdict. A `run` holds if it has an instance, a `check` if there is no counterexample in its scope.
    pub fn verdict(&self, check: bool) -> Verdict {
        match self {
            Answer::Finding(finding) => finding.verdict.clone(),
            Answer::Command(answer) => match &answer.outcome {
                CommandOutcome::Found { .. } if check => Verdict::Fails,
                CommandOutcome::Found { .. } => Verdict::Holds,
                CommandOutcome::Nothing if check => Verdict::Holds,
                CommandOutcome::Nothing => Verdict::Fails,
                CommandOutcome::Undecided { stop, .. } => {
                    Verdict::Unknown(UnknownReason::Stopped(stop.unwrap_or(Stop::TimeOut)))
                }
                CommandOutcome::Refused(refused) => Verdict::Unknown(UnknownReason::Unsupported(
                    refused.diagnostic.message.clone(),
                )),
            },
        }
    }

    /// What the verdict is about.
    pub fn reach(&self) -> Reach {
        match self {
            Answer::Finding(_) => Reach::Complete,
            Answer::Command(_) => Reach::Scope,
        }
    }

    /// Why a property holds, if somebody asked for that.
    pub fn certificate(&self) -> Option<&Certified> {
        match self {
            Answer::Finding(finding) => finding.certificate.as_ref(),
            Answer::Command(_) => None,
        }
    }

    /// What the reader must know to read the verdict rightly.
    pub fn notes(&self) -> &[Note] {
        match self {
            Answer::Finding(finding) => &finding.notes,
            Answer::Command(_) => &[],
        }
    }
}

/// A model over which the proof of an answer is explored step by step.
#[derive(Clone, Debug)]
pub struct Explainable {
    /// The model.
    pub model: ModelSubject,
    /// The question, as a property of this model.
    pub property: usize,
}

impl Explainable {
    /// The property with a name in a model.
    ///
    /// # Errors
    /// When the model has no property with this name.
    pub(crate) fn named(model: ModelSubject, name: &str) -> Result<Self, Refusal> {
        let property = model.find_property(name, None).ok_or_else(|| {
            Refusal::Unsupported(format!("`{name}` asks nothing that has a proof"))
        })?;
        Ok(Self { model, property })
    }
}

/// How a finding stands; what holds `of_nothing` does so for want of an initial state.
fn standing(finding: &Finding, of_nothing: bool, expected: Option<bool>) -> Standing {
    if is_broken(finding) {
        return Standing::Broken;
    }
    let vacuous = of_nothing
        || finding.holds_without_start()
        || finding.holds_without_run().is_some()
        || matches!(finding.vacuity, Vacuity::Vacuous { .. });
    match (&finding.verdict, expected) {
        (Verdict::Unknown(_), _) => Standing::Undecided,
        (Verdict::Fails, Some(false)) => Standing::Good,
        (Verdict::Fails, _) | (Verdict::Holds, Some(false)) => Standing::Bad,
        (Verdict::Holds, _) if vacuous => Standing::Vacuous,
        (Verdict::Holds, _) => Standing::Good,
    }
}

/// Something that became known while questions are answered.
#[derive(Debug)]
pub enum SubjectEvent {
    /// The states are explored.
    Space(SpaceSummary),
    /// The verdict on a command, before it is known why.
    Verdict(Box<Answer>),
    /// Everything about a question.
    Answer(Box<Answer>),
    /// The smallest part of a system that shows the answer to a command, or why there is none.
    Excerpt(Box<Result<SystemExcerpt, NoExcerpt>>),
    /// The runs that solvers found, as a model over which the findings that follow are told.
    Fragment(Arc<ModelSubject>),
    /// The runs of the finding that follows which are not shown as evidence.
    Runs(Vec<RunDoc>),
    /// The first-order theory of a question, or why there is none.
    Theory(String, Result<String, String>),
    /// Advice on how a transition system is written.
    Advice(Vec<Advice>),
    /// The places that are to blame for the failure of a question that was answered before.
    Blame(QuestionId, Box<Blame>),
    /// Something that a strategy says.
    Remark(Remark),
    /// Something that everybody is told once.
    Note(&'static str),
}

/// Takes what becomes known, as soon as it is known.
pub trait Sink {
    /// Takes one thing.
    fn tell(&mut self, event: SubjectEvent);
}

impl<F: FnMut(SubjectEvent)> Sink for F {
    fn tell(&mut self, event: SubjectEvent) {
        self(event);
    }
}

/// A model that was read and can be asked.
pub trait Subject: Any + fmt::Debug + Send + Sync {
    /// The name the user knows it by.
    fn name(&self) -> &str;

    /// Its language.
    fn language(&self) -> Language;

    /// All its texts.
    fn sources(&self) -> &SourceMap;

    /// The file of the model, where it has a text.
    fn file(&self) -> Option<FileId>;

    /// What is odd about it without making it useless.
    fn warnings(&self) -> &[Diagnostic];

    /// Its questions, in the order of their places.
    fn questions(&self) -> IndexVec<QuestionId, Question>;

    /// The questions that a name means.
    fn named(&self, name: &str) -> Vec<QuestionId> {
        let questions = self.questions();
        let named = questions.entries().filter(|(_, q)| q.name == name);
        named.map(|(id, _)| id).collect()
    }

    /// What it can do.
    fn capabilities(&self) -> &'static [Capability];

    /// What is said where it cannot do something.
    fn refusal(&self, capability: Capability) -> Refusal {
        unsupported(self.language(), capability, self.capabilities())
    }

    /// Adds a question in the model's language.
    ///
    /// # Errors
    /// When the text is no such question, or none can be added.
    fn add(&mut self, text: &str) -> Result<QuestionId, Refusal> {
        let _ = text;
        Err(self.refusal(Capability::Add))
    }

    /// Takes what the user wants to see; returns who chooses the evidence. What means nothing to a language is left
    /// out of account.
    ///
    /// # Errors
    /// When an expression is wrong, or the budget ends.
    fn wish(&mut self, wishes: &Wishes, budget: &Budget) -> Result<Strategies, Refusal> {
        let _ = (wishes, budget);
        Ok(Strategies::default())
    }

    /// Has its properties, and those that are added, asked under another path rule than that of its language. What
    /// means something under one rule only is asked under that.
    ///
    /// # Errors
    /// When its questions have no path rule that could be another one.
    fn set_paths(&mut self, rule: PathRule) -> Result<(), Refusal> {
        let _ = rule;
        Err(self.refusal(Capability::Paths))
    }

    /// Has its properties asked from the states where a condition in the model's language is true, instead of the initial
    /// states: from the reachable ones, if there are any.
    ///
    /// # Errors
    /// When the condition is wrong or no state satisfies it, when properties are not asked from states, or when the
    /// budget ends.
    fn ask_from(&mut self, condition: &str, budget: &Budget) -> Result<(), Refusal> {
        let _ = (condition, budget);
        Err(self.refusal(Capability::From))
    }

    /// Takes a name for the states where a condition in the model's language is true: `Idle: floor = 1`.
    ///
    /// # Errors
    /// When there is no name or the condition is wrong, when its states have no names, or when the budget ends.
    fn name_states(&mut self, text: &str, budget: &Budget) -> Result<(), Refusal> {
        let _ = (text, budget);
        Err(self.refusal(Capability::Names))
    }

    /// Makes sure that questions can be asked so.
    ///
    /// # Errors
    /// What in the way of asking does not fit the model.
    fn examine(&self, ask: &Ask) -> Result<(), Refusal> {
        let _ = ask;
        Ok(())
    }

    /// Answers questions and tells each thing as soon as it is known. When the budget ends, the questions that
    /// are left have no answer.
    ///
    /// # Errors
    /// When the model turns out to be wrong once its meaning is looked at.
    fn answer_all(
        &self,
        questions: &[QuestionId],
        ask: &Ask,
        budget: &Budget,
        sink: &mut dyn Sink,
    ) -> Result<(), Refusal>;

    /// Answers one question.
    ///
    /// # Errors
    /// As [`Subject::answer_all`].
    fn answer(
        &self,
        question: QuestionId,
        ask: &Ask,
        budget: &Budget,
        sink: &mut dyn Sink,
    ) -> Result<Answer, Refusal> {
        let mut answer = None;
        self.answer_all(&[question], ask, budget, &mut |event| match event {
            SubjectEvent::Answer(known) => answer = Some(*known),
            event => sink.tell(event),
        })?;
        Ok(answer.unwrap_or_else(|| self.undecided(question, Stop::Cancelled)))
    }

    /// What there is to say about a question that nobody answered.
    fn undecided(&self, question: QuestionId, stop: Stop) -> Answer;

    /// The model over which the answer to a question is explained step by step: the model itself, the complete system of
    /// an Alloy model, or the runs that refute a property of an infinite-state model.
    ///
    /// # Errors
    /// When there is none, or the budget ends.
    fn explainable(
        &self,
        question: QuestionId,
        ask: &Ask,
        budget: &Budget,
    ) -> Result<Explainable, Refusal> {
        let _ = (question, ask, budget);
        Err(self.refusal(Capability::Explain))
    }

    /// What each answer means to whoever has expectations.
    fn standings(&self, results: &Results) -> Vec<Standing> {
        let questions = self.questions();
        let of_nothing = results.is_of_nothing();
        let findings = results.findings.iter().map(|finding| {
            let question = questions.get(QuestionId::new(finding.property));
            standing(finding, of_nothing, question.and_then(|q| q.expected))
        });
        findings.collect()
    }

    /// Everything that is known, for the views.
    fn report<'a>(&'a self, results: &'a Results) -> AnyReport<'a>;

    /// The model with variables that it is or stands for: the complete system of an Alloy model, the finite version
    /// of an infinite-state model.
    ///
    /// # Errors
    /// When there is none, or the budget ends.
    fn into_model(
        self: Box<Self>,
        opening: &Opening,
        budget: &Budget,
    ) -> Result<ModelSubject, Refusal> {
        let _ = (opening, budget);
        Err(without_model(self.language(), self.capabilities()))
    }

    /// The complete systems that its questions are about, each with its own outcome; none where it is one itself.
    fn systems(
        &self,
        opening: &Opening,
        budget: &Budget,
    ) -> Option<Vec<Result<ModelSubject, Refusal>>> {
        let _ = (opening, budget);
        None
    }

    /// Messages about this model together with its texts.
    fn rejected(&self, diagnostics: Vec<Diagnostic>) -> Rejected {
        Rejected {
            sources: self.sources().clone(),
            diagnostics,
        }
    }
}

impl dyn Subject {
    /// The subject as what it is, if it is of this type.
    pub fn downcast_ref<S: Subject>(&self) -> Option<&S> {
        (self as &dyn Any).downcast_ref()
    }

    /// The same to be changed.
    pub fn downcast_mut<S: Subject>(&mut self) -> Option<&mut S> {
        (self as &mut dyn Any).downcast_mut()
    }

    /// Whether it is of this type.
    pub fn is<S: Subject>(&self) -> bool {
        (self as &dyn Any).is::<S>()
    }

    /// The subject as what it is, or unchanged if it is of another type.
    ///
    /// # Errors
    /// The subject, when it is of another type.
    pub fn downcast<S: Subject>(self: Box<Self>) -> Result<S, Box<Self>> {
        if self.is::<S>() {
            let subject: Box<dyn Any> = self;
            Ok(*subject.downcast().expect("its type was just asked"))
        } else {
            Err(self)
        }
    }

    /// Whether it can do something.
    pub fn can(&self, capability: Capability) -> bool {
        self.capabilities().contains(&capability)
    }
}

/// Makes sure that a subject can do something.
///
/// # Errors
/// When it cannot: "not for this language yet".
pub fn require(subject: &dyn Subject, capability: Capability) -> Result<(), Refusal> {
    if subject.can(capability) {
        Ok(())
    } else {
        Err(subject.refusal(capability))
    }
}
