//! A model that was read and can be asked.

use std::fmt;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use wherefore_driver::base::{Budget, Diagnostic, IndexVec, Run, Stop};
use wherefore_driver::evidence::{UnknownReason, Verdict};
use wherefore_driver::explain::{self, Inquiry, Next, Past, Tactic};
use wherefore_driver::explore::{self, World};
use wherefore_driver::subject::{Question, Sink, Wishes, require};
use wherefore_driver::subjects::smt::SmtSolver;
use wherefore_driver::view::explore::WorldTeller;
use wherefore_driver::{
    Ask, Capability, Input, Language, ModelSubject, Opening, QuestionId, Refusal, Results,
    SmtSubject, Subject, registry,
};

use crate::answers::{Answered, Answers};
use crate::explanation::{Explanation, STYLE};

/// Reads a model from a file. The end of its name says the language; where it does not, the text does.
///
/// # Errors
/// When the file cannot be read, or is no model: then the [`Refusal`] has diagnostics with lines and columns.
pub fn open(path: impl Into<PathBuf>) -> Result<OpenModel, Refusal> {
    open_with(Input::new(path), &Opening::default(), Budget::unlimited())
}

/// Reads a model from a text. Messages call it `name`, and the end of the name says the language, as in `lamp.smv`.
///
/// # Errors
/// What is wrong with the text.
pub fn open_text(name: &str, text: impl Into<String>) -> Result<OpenModel, Refusal> {
    let input = Input::of_text(name, text);
    open_with(input, &Opening::default(), Budget::unlimited())
}

/// Reads a model as the [`Opening`] says, within a budget, which the model keeps for its questions. The [`Input`] may
/// name files of properties that belong to the model. The complete systems of an Alloy model are read by
/// [`registry::load`], and each becomes an `OpenModel` by `From`.
///
/// # Errors
/// As [`open`], and when the budget ends.
pub fn open_with(input: Input, opening: &Opening, budget: Budget) -> Result<OpenModel, Refusal> {
    let mut model = OpenModel::from(registry::open(input, opening, &budget)?);
    model.budget = budget;
    Ok(model)
}

/// A model that was read and can be asked: `file --open--> model --check--> answers`.
pub struct OpenModel {
    pub(crate) subject: Arc<dyn Subject>,
    /// How questions are answered: the engine, what is found out beside the verdict, scopes, solvers. Strategies are
    /// named in [`Ask::strategy`] and bound for each check; [`Ask::asker`] is asked by [`OpenModel::check`] only.
    pub ask: Ask,
    /// What answers may cost: time from the moment it was made, memory, and whether somebody cancelled. Clones are one
    /// budget, so another thread can [stop](Budget::stop) the work.
    pub budget: Budget,
}

impl fmt::Debug for OpenModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut model = f.debug_tuple("OpenModel");
        model.field(&self.name()).finish_non_exhaustive()
    }
}

impl From<Box<dyn Subject>> for OpenModel {
    /// Asks the SMT solvers that are installed, if it is a model for them.
    fn from(subject: Box<dyn Subject>) -> Self {
        let (mut ask, budget) = (Ask::default(), Budget::unlimited());
        if subject.is::<SmtSubject>() {
            ask.smt.solvers = SmtSolver::installed(&budget);
        }
        Self {
            subject: Arc::from(subject),
            ask,
            budget,
        }
    }
}

impl OpenModel {
    /// The name the user knows it by.
    pub fn name(&self) -> &str {
        self.subject.name()
    }

    /// The language it is written in.
    pub fn language(&self) -> Language {
        self.subject.language()
    }

    /// Whether its language allows something.
    pub fn can(&self, capability: Capability) -> bool {
        self.subject.can(capability)
    }

    /// What is odd about it without making it useless.
    pub fn warnings(&self) -> &[Diagnostic] {
        self.subject.warnings()
    }

    /// What was read, for what this façade leaves out.
    pub fn subject(&self) -> &dyn Subject {
        &*self.subject
    }

    /// Its questions by their ids, in the order of their places: properties, or commands of an Alloy model.
    pub fn questions(&self) -> IndexVec<QuestionId, Question> {
        self.subject.questions()
    }

    /// The first question with a name.
    pub fn question(&self, name: &str) -> Option<QuestionId> {
        self.subject.named(name).into_iter().next()
    }

    /// Adds a question in the model's language, as `AG (request -> AF grant)`.
    ///
    /// # Errors
    /// When the text is no such question, or the language takes none.
    pub fn add(&mut self, text: &str) -> Result<QuestionId, Refusal> {
        self.subject_mut()?.add(text)
    }

    /// Takes what the user wants to see: further expressions in every view, and strategies that choose the evidence.
    ///
    /// # Errors
    /// When an expression or a strategy does not fit the model, or the budget ends.
    pub fn wish(&mut self, wishes: Wishes) -> Result<(), Refusal> {
        let budget = self.budget.clone();
        self.subject_mut()?.wish(&wishes, &budget)?;
        self.ask.strategy = wishes.strategy;
        self.ask.asker = wishes.asker;
        Ok(())
    }

    fn subject_mut(&mut self) -> Result<&mut (dyn Subject + 'static), Refusal> {
        // Iterators borrow the model and end their threads when they are dropped: only one that was leaked is in the way.
        Arc::get_mut(&mut self.subject).ok_or_else(|| {
            Refusal::Unsupported("a check that was never ended is still at work".to_string())
        })
    }

    /// Answers a question. When the budget ends first, the verdict is unknown.
    ///
    /// # Errors
    /// When the model turns out to be wrong once its meaning is looked at.
    ///
    /// # Panics
    /// When the model has no such question.
    pub fn check(&self, question: QuestionId) -> Result<Answered<'_>, Refusal> {
        let mut results = Results::default();
        let ask = self.ask.clone();
        match answer(&*self.subject, &[question], ask, &self.budget, &mut results) {
            Ok(()) | Err(Refusal::Stopped(_)) => {}
            Err(refusal) => return Err(refusal),
        }
        let stop = self.budget.check().err().unwrap_or(Stop::Cancelled);
        results.complete(&*self.subject, &[question], stop);
        Ok(Answered::new(self, question, results))
    }

    /// Answers all questions, each as soon as it is known. Nothing is done before the first answer is asked for, and the
    /// work ends when the iterator is dropped.
    pub fn check_all(&self) -> Answers<'_> {
        self.check_some(self.questions().ids().collect())
    }

    /// Answers some questions, as [`OpenModel::check_all`] does.
    pub fn check_some(&self, questions: Vec<QuestionId>) -> Answers<'_> {
        Answers::new(self, questions)
    }

    /// Opens the proof of an answer, of which at first nothing is shown but the claim, and lets the caller show more of
    /// it. Returns what the visit returns; `None` when there is nothing to prove, since no initial state counts.
    ///
    /// The proof of a command of an Alloy model is over its complete system, that of an infinite-state model over the
    /// runs that refute the property.
    ///
    /// # Errors
    /// When the answer has no proof that can be explored, or the budget ends.
    pub fn explain<T>(
        &self,
        question: QuestionId,
        visit: impl FnOnce(&mut Explanation<'_>) -> Run<T>,
    ) -> Result<Option<T>, Refusal> {
        require(&*self.subject, Capability::Explain)?;
        let (ask, budget) = (&self.ask, &self.budget);
        let mut explainable = self.subject.explainable(question, ask, budget)?;
        let (model, property) = (&mut explainable.model, explainable.property);
        let tactic = Tactic::given(&ask.strategy, property, model, budget)?;
        let (mut visit, mut outcome) = (Some(visit), None);
        let mut once = |model: &mut _, opened: explain::OpenedProof<'_>| {
            let mut past = Past::led_by(tactic.clone());
            let inquiry = Inquiry::new(opened, &mut past)?;
            let mut explanation = Explanation::new(inquiry, model, property);
            if let Some(visit) = visit.take() {
                outcome = Some(visit(&mut explanation)?);
            }
            Ok(Next::Done)
        };
        match explain::explain(model, property, ask.engine, budget, &mut once)? {
            Verdict::Unknown(UnknownReason::Unsupported(why)) => Err(Refusal::Unsupported(why)),
            Verdict::Unknown(UnknownReason::Stopped(stop)) => Err(Refusal::Stopped(stop)),
            Verdict::Holds | Verdict::Fails => Ok(outcome),
        }
    }

    /// Lets the caller walk through the states. The [`World`] says where one can go from a state and what is true there,
    /// the [`WorldTeller`] puts states and steps into words.
    ///
    /// # Errors
    /// When the model has no states that can be listed, or the budget ends.
    pub fn explore<T>(
        &self,
        visit: impl FnOnce(&dyn World, &WorldTeller<'_>) -> Run<T>,
    ) -> Result<T, Refusal> {
        require(&*self.subject, Capability::Explore)?;
        let first = QuestionId::new(0);
        let mut model = match self.subject.downcast_ref::<ModelSubject>() {
            Some(model) => model.clone(),
            None => (self.subject.explainable(first, &self.ask, &self.budget)?).model,
        };
        let (mut visit, mut outcome) = (Some(visit), None);
        let mut once = |model: &mut ModelSubject, world: &dyn World| {
            let summary = world.summary()?;
            let report = model.report(Some(&summary), &[]);
            let style = STYLE;
            if let Some(visit) = visit.take() {
                outcome = Some(visit(world, &WorldTeller { report, style })?);
            }
            Ok(Next::Done)
        };
        explore::explore(&mut model, self.ask.engine, &self.budget, &mut once)?;
        Ok(outcome.expect("a world was visited"))
    }
}

/// Answers questions, with evidence as strategies choose it.
pub(crate) fn answer(
    subject: &dyn Subject,
    questions: &[QuestionId],
    mut ask: Ask,
    budget: &Budget,
    sink: &mut dyn Sink,
) -> Result<(), Refusal> {
    let model = subject.downcast_ref::<ModelSubject>();
    let Some(model) = model.filter(|_| !ask.strategy.is_empty()) else {
        return subject.answer_all(questions, &ask, budget, sink);
    };
    // Strategies read expressions into the model. A copy has the old terms under their old numbers.
    let mut model = model.clone();
    let strategies = model.strategies(&ask.strategy, ask.asker.take(), budget)?;
    ask.strategies = Rc::new(strategies);
    model.answer_all(questions, &ask, budget, sink)
}
