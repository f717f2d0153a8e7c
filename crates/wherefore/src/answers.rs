//! Answers, one after the other: `questions --worker thread--> answers`.
//!
//! Engines tell an answer when they have it, and an iterator is asked for one. Between the two there is a thread that
//! waits, once it has an answer, until somebody takes it.

use std::mem;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use wherefore_driver::alloy::answer::{
    AlloyAnswer as CommandAnswer, AnswerInstance, CommandOutcome,
};
use wherefore_driver::base::{Budget, Stop};
use wherefore_driver::evidence::{Evidence, Finding, Verdict};
use wherefore_driver::subject::{Question, Standing, SubjectEvent};
use wherefore_driver::view::any::AnyReport;
use wherefore_driver::view::wire::CheckDocument;
use wherefore_driver::view::{Manner, alloy, json, text};
use wherefore_driver::{
    AlloySubject, Answer, Ask, ModelSubject, QuestionId, Refusal, Results, Sink, Subject,
};

use crate::open_model::{OpenModel, answer};

/// A question that was answered, with everything that is needed to tell the answer.
#[derive(Debug)]
pub struct Answered<'m> {
    model: &'m OpenModel,
    id: QuestionId,
    /// Invariant: one finding or one command, and what belongs to it.
    results: Results,
}

impl<'m> Answered<'m> {
    pub(crate) fn new(model: &'m OpenModel, id: QuestionId, results: Results) -> Self {
        Self { model, id, results }
    }

    /// The id of the question.
    pub fn id(&self) -> QuestionId {
        self.id
    }

    /// The question.
    pub fn question(&self) -> Question {
        self.model.questions()[self.id].clone()
    }

    /// The verdict. A `run` of an Alloy model holds if it has an instance, a `check` if there is no counterexample in
    /// its scope.
    pub fn verdict(&self) -> Verdict {
        match (
            self.finding(),
            self.command(),
            self.model.subject.downcast_ref::<AlloySubject>(),
        ) {
            (None, Some(command), Some(alloy)) => {
                let check = alloy.commands()[command.command].check;
                Answer::Command(Box::new(command.clone())).verdict(check)
            }
            (finding, ..) => {
                let finding = finding.expect("what is no command has a finding");
                finding.verdict.clone()
            }
        }
    }

    /// What the verdict means to whoever wrote the model: good, bad, vacuous, undecided.
    pub fn standing(&self) -> Standing {
        self.model.subject.standings(&self.results)[0]
    }

    /// Everything that is known about a property; `None` for a command.
    pub fn finding(&self) -> Option<&Finding> {
        self.results.findings.first()
    }

    /// The evidence: states, runs, and the proof that they show the verdict.
    pub fn evidence(&self) -> Option<&Evidence> {
        self.finding()?.evidence.as_ref()
    }

    /// Everything that is known about a command of an Alloy model; `None` for a property.
    pub fn command(&self) -> Option<&CommandAnswer> {
        self.results.commands.first()
    }

    /// The instances of a command, as many as [`AlloyOptions::instances`](crate::subjects::alloy::AlloyOptions) asks for.
    pub fn instances(&self) -> &[AnswerInstance] {
        match self.command().map(|command| &command.outcome) {
            Some(CommandOutcome::Found { found, .. }) => found,
            _ => &[],
        }
    }

    /// Everything that became known with the answer.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// What views take.
    pub fn report(&self) -> AnyReport<'_> {
        self.model.subject.report(&self.results)
    }

    /// The answer as the screen of `wherefore check` shows it.
    pub fn text(&self, options: &text::TextOptions<'_>) -> String {
        match self.report() {
            AnyReport::Model(model) => text::findings(&model, options),
            AnyReport::Commands(commands) => alloy::text::render(&commands.report(), options),
            report @ AnyReport::Lts(_) => report.text(options),
        }
    }

    /// The answer as a page of Markdown.
    pub fn markdown(&self) -> String {
        self.report().markdown(false, &Manner::default())
    }

    /// The answer as the JSON document of `wherefore check --format json`.
    pub fn json(&self) -> String {
        let subject = &*self.model.subject;
        let warnings = json::diagnostics(subject.sources(), subject.warnings());
        let model = self.report().document().with_diagnostics(warnings);
        CheckDocument::new(vec![model]).render()
    }
}

/// The answers to questions, each as soon as it is known: an iterator.
///
/// The work begins with the first call of `next` and is at most one answer ahead. Dropping the iterator ends the work
/// and waits until it has ended. Questions that nobody answered because the budget ended come last, undecided. Of a
/// model that turns out to be wrong there is one [`Refusal`] and nothing more.
#[derive(Debug)]
pub struct Answers<'m> {
    model: &'m OpenModel,
    /// The questions without an answer so far.
    left: Vec<QuestionId>,
    state: AnswersState,
}

/// How far the work is.
#[derive(Debug)]
enum AnswersState {
    Unstarted,
    Running(AnswerWorker),
    Ended,
}

/// A thread that answers questions.
#[derive(Debug)]
struct AnswerWorker {
    budget: Budget,
    answers: Receiver<(QuestionId, Results)>,
    thread: JoinHandle<Result<(), Refusal>>,
}

impl<'m> Answers<'m> {
    pub(crate) fn new(model: &'m OpenModel, questions: Vec<QuestionId>) -> Self {
        Self {
            model,
            left: questions,
            state: AnswersState::Unstarted,
        }
    }
}

impl<'m> Iterator for Answers<'m> {
    type Item = Result<Answered<'m>, Refusal>;

    fn next(&mut self) -> Option<Self::Item> {
        let first = *self.left.first()?;
        let model = self.model;
        if let AnswersState::Unstarted = self.state {
            self.state = AnswersState::Running(AnswerWorker::start(model, self.left.clone()));
        }
        if let AnswersState::Running(worker) = &self.state
            && let Ok((id, results)) = worker.answers.recv()
        {
            self.left.retain(|other| *other != id);
            return Some(Ok(Answered::new(model, id, results)));
        }
        if let AnswersState::Running(worker) = mem::replace(&mut self.state, AnswersState::Ended)
            && let Some(refusal) = worker.end()
        {
            self.left.clear();
            return Some(Err(refusal));
        }
        self.left.remove(0);
        let stop = model.budget.check().err().unwrap_or(Stop::Cancelled);
        let mut results = Results::default();
        results.complete(&*model.subject, &[first], stop);
        Some(Ok(Answered::new(model, first, results)))
    }
}

impl Drop for Answers<'_> {
    fn drop(&mut self) {
        if let AnswersState::Running(worker) = mem::replace(&mut self.state, AnswersState::Ended) {
            worker.budget.cancel_part();
            // The worker waits until its answer is taken, or nobody can take it any more.
            drop(worker.answers);
            let _ = worker.thread.join();
        }
    }
}

impl AnswerWorker {
    fn start(model: &OpenModel, questions: Vec<QuestionId>) -> Self {
        let budget = model.budget.part();
        let (sender, answers) = sync_channel(0);
        let (subject, limits) = (Arc::clone(&model.subject), budget.clone());
        // All of it but bound strategies and whoever is asked, which stay on their thread.
        let Ask {
            engine,
            options,
            strategy,
            bound,
            alloy,
            advice,
            smt,
            theories,
            blame,
            strategies: _,
            asker: _,
        } = model.ask.clone();
        let thread = thread::spawn(move || {
            let ask = Ask {
                engine,
                options,
                strategy,
                bound,
                alloy,
                advice,
                smt,
                theories,
                blame,
                ..Ask::default()
            };
            answer_each(&*subject, &questions, &ask, &limits, &sender)
        });
        Self {
            budget,
            answers,
            thread,
        }
    }

    /// Waits for the end, after the last answer; why the model is refused, if it is.
    fn end(self) -> Option<Refusal> {
        match self.thread.join() {
            Ok(Ok(()) | Err(Refusal::Stopped(_))) => None,
            Ok(Err(refusal)) => Some(refusal),
            Err(panic) => resume_unwind(panic),
        }
    }
}

/// Answers questions and hands each answer over with what belongs to it.
fn answer_each(
    subject: &dyn Subject,
    questions: &[QuestionId],
    ask: &Ask,
    budget: &Budget,
    answers: &SyncSender<(QuestionId, Results)>,
) -> Result<(), Refusal> {
    if subject.is::<ModelSubject>() {
        // All questions at once, since they share the states of the model.
        let mut known = Results::default();
        return answer(
            subject,
            questions,
            ask.clone(),
            budget,
            &mut |event| match event {
                SubjectEvent::Answer(answer) => {
                    let mut results = Results {
                        space: known.space.clone(),
                        ..Results::default()
                    };
                    let question = answer.question();
                    results.push(*answer);
                    // Nobody takes it when the iterator was dropped; then the budget has ended, too.
                    let _ = answers.send((question, results));
                }
                event => known.tell(event),
            },
        );
    }
    for question in questions {
        budget.check()?;
        let mut results = Results::default();
        answer(subject, &[*question], ask.clone(), budget, &mut results)?;
        if answers.send((*question, results)).is_err() {
            break;
        }
    }
    Ok(())
}
