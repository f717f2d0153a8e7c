//! The worker: reads the models and has their questions answered on a thread of its own.
//!
//! It leaves what becomes known in a queue as soon as it is known, so that whoever waits for it has something to show
//! even if the worker never comes to an end.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use wherefore_base::Budget;
use wherefore_driver::blame::BlameEffort;
use wherefore_driver::evidence::{AbstractOptions, EvidenceOptions, SeveralOptions, Split, Width};
use wherefore_driver::strategy::{Asker, Strategies};
use wherefore_driver::subject::{Wishes, require};
use wherefore_driver::subjects::alloy::AlloyOptions;
use wherefore_driver::subjects::lts::LtsReading;
use wherefore_driver::{
    AlloySubject, Ask, Capability, Input, ModelSubject, Opening, QuestionId, Refusal, SmtSubject,
    Subject, SubjectEvent, load,
};

use crate::alloy;
use crate::args::{Check, EvidenceKind, SplitKind, SuccessorsKind};
use crate::choosing::{self, duration};
use crate::guard;
use crate::message_queue::MessageQueue;
use crate::models;
use crate::telling::{Conditions, missing_part};

/// What the worker tells. Systems are numbered in the order in which they are read.
pub(crate) enum Message {
    /// A system of the file with this place was read, or the file cannot be used.
    Loaded {
        system: usize,
        file: usize,
        outcome: Result<Arc<dyn Subject>, Refusal>,
    },
    /// Which questions of a system are going to be answered, and where explanations start and stop.
    Selected(usize, Vec<QuestionId>, Conditions),
    /// Something became known about a system.
    Event(usize, SubjectEvent),
    /// A system turns out to be wrong while it is asked.
    Refused(usize, Refusal),
    /// A system is done, after so many seconds.
    Finished(usize, f64),
    /// The command line does not fit the models: nothing is checked.
    Misuse(Misuse),
    /// Everything is done.
    End,
    /// The worker found a bug of ours and told it.
    Panicked,
}

/// What in the command line does not fit the models.
pub(crate) enum Misuse {
    /// A formula, an expression or a strategy.
    Text(Refusal),
    /// No model has a question with this name; these are the names there are.
    NoSuchQuestion(String, Vec<String>),
    /// Something else; the message says what.
    Message(String),
}

impl Message {
    /// Whether it is shown, or ends something, at once. The others are looked at now and then.
    fn is_urgent(&self) -> bool {
        match self {
            Message::End | Message::Panicked => true,
            Message::Event(_, SubjectEvent::Verdict(_)) => true,
            Message::Event(_, SubjectEvent::Answer(answer)) => {
                matches!(**answer, wherefore_driver::Answer::Command(_))
            }
            _ => false,
        }
    }
}

/// Starts the worker; what it tells comes into the queue.
pub(crate) fn start(
    check: &Check,
    inputs: Vec<Input>,
    budget: &Budget,
) -> Arc<MessageQueue<Message>> {
    let queue = Arc::new(MessageQueue::default());
    let mut work = CheckWorker {
        check: check.clone(),
        inputs,
        budget: budget.clone(),
        queue: Arc::clone(&queue),
    };
    thread::spawn(move || {
        let end = match guard::guarded(|| work.run()) {
            Some(Err(misuse)) => {
                work.tell(Message::Misuse(misuse));
                Message::End
            }
            Some(Ok(())) => Message::End,
            None => Message::Panicked,
        };
        work.tell(end);
    });
    queue
}

struct CheckWorker {
    check: Check,
    inputs: Vec<Input>,
    budget: Budget,
    queue: Arc<MessageQueue<Message>>,
}

/// A system that is ready to be asked.
struct Prepared {
    system: usize,
    file: usize,
    subject: Box<dyn Subject>,
    strategies: Strategies,
    conditions: Conditions,
}

/// Why a system is not asked.
enum Unprepared {
    Refused(Refusal),
    Misuse(Misuse),
}

impl CheckWorker {
    /// Nobody listening any more is no error: the work ends with the process.
    fn tell(&self, message: Message) {
        let urgent = message.is_urgent();
        self.queue.put(message, urgent);
    }

    fn run(&mut self) -> Result<(), Misuse> {
        let prepared = self.load()?;
        self.misfits(&prepared)?;
        let selections: Vec<_> = prepared
            .iter()
            .map(|p| self.selection(&*p.subject))
            .collect();
        let selected = prepared
            .iter()
            .zip(&selections)
            .flat_map(|(one, selection)| {
                let model = one.subject.downcast_ref::<ModelSubject>();
                let questions = selection.iter().map(|question| question.index());
                model.into_iter().flat_map(move |model| {
                    questions
                        .clone()
                        .map(move |at| (model, &one.conditions, at))
                })
            });
        let any_model = prepared.iter().any(|one| one.subject.is::<ModelSubject>());
        if any_model && let Some(missing) = missing_part(&self.check.telling, selected) {
            return Err(Misuse::Message(missing));
        }
        let mut subjects = Vec::new();
        for (one, selection) in prepared.into_iter().zip(selections) {
            let Prepared {
                system,
                file,
                subject,
                strategies,
                conditions,
            } = one;
            let subject: Arc<dyn Subject> = Arc::from(subject);
            self.tell(Message::Loaded {
                system,
                file,
                outcome: Ok(Arc::clone(&subject)),
            });
            self.tell(Message::Selected(system, selection.clone(), conditions));
            subjects.push((system, subject, selection, strategies));
        }
        for (system, subject, selection, strategies) in subjects {
            self.answer(system, &*subject, &selection, strategies)?;
        }
        Ok(())
    }

    /// Reads all files, and prepares what they hold.
    fn load(&mut self) -> Result<Vec<Prepared>, Misuse> {
        self.budget.phase("reading the model");
        let opening = self.opening();
        let asker = choosing::asker(&self.budget);
        let mut prepared = Vec::new();
        let mut system = 0;
        let alone = self.inputs.len() == 1;
        for (file, input) in std::mem::take(&mut self.inputs).into_iter().enumerate() {
            for outcome in load(input, &opening, &self.budget) {
                let outcome = outcome.map_err(Unprepared::Refused);
                let outcome = outcome.and_then(|subject| self.prepare(subject, alone, &asker));
                match outcome {
                    Ok((subject, strategies, conditions)) => prepared.push(Prepared {
                        system,
                        file,
                        subject,
                        strategies,
                        conditions,
                    }),
                    Err(Unprepared::Misuse(misuse)) => return Err(misuse),
                    Err(Unprepared::Refused(refusal)) => self.tell(Message::Loaded {
                        system,
                        file,
                        outcome: Err(refusal),
                    }),
                }
                system += 1;
            }
        }
        Ok(prepared)
    }

    /// Adds to a system what the command line says about it.
    fn prepare(
        &self,
        mut subject: Box<dyn Subject>,
        alone: bool,
        asker: &Asker,
    ) -> Result<(Box<dyn Subject>, Strategies, Conditions), Unprepared> {
        let misuse = |refusal| Unprepared::Misuse(Misuse::Text(refusal));
        let check = &self.check;
        // Of several models, those that can do it are asked; of the others it is noted.
        if alone {
            for capability in models::asked(check) {
                require(&*subject, capability).map_err(Unprepared::Refused)?;
            }
        }
        if subject.can(Capability::Add) {
            for formula in &check.formulas {
                subject.add(formula).map_err(misuse)?;
            }
        }
        let environment = check.environment.clone();
        let wishes = Wishes {
            show: check.show.clone(),
            distinct_by: check.several.distinct_by.clone(),
            strategy: check.choosing.strategy.clone(),
            asker: Some(asker.clone()),
            generators: check.effort.living.generators,
            environment: Some(Arc::new(move |name: &str| {
                environment.iter().any(|wanted| wanted.means(name))
            })),
        };
        let strategies = subject.wish(&wishes, &self.budget).map_err(misuse)?;
        let conditions = match subject.downcast_mut::<ModelSubject>() {
            Some(model) => match Conditions::read(&check.telling, model, &self.budget) {
                Err(stopped @ Refusal::Stopped(_)) => return Err(Unprepared::Refused(stopped)),
                read => read.map_err(misuse)?,
            },
            None => Conditions::default(),
        };
        subject
            .examine(&self.ask(&Ask::default()))
            .map_err(misuse)?;
        if let Some(alloy) = subject.downcast_ref::<AlloySubject>()
            && !alloy.describes_system()
            && check
                .files
                .iter()
                .all(|path| Input::new(path).ends_with(&[".als"]))
            && let Some(text) = alloy::without_runs(check)
        {
            return Err(Unprepared::Misuse(Misuse::Message(text)));
        }
        Ok((subject, strategies, conditions))
    }

    /// Has questions of a system answered.
    fn answer(
        &self,
        system: usize,
        subject: &dyn Subject,
        selection: &[QuestionId],
        strategies: Strategies,
    ) -> Result<(), Misuse> {
        let start = Instant::now();
        let check = &self.check;
        let mut ask = self.ask(&Ask {
            strategies: Rc::new(strategies),
            ..Ask::default()
        });
        if subject.is::<SmtSubject>() {
            let (living, effort) = (&check.effort.living, &check.effort);
            let choices = living.choices(effort.engine, effort.memory, &self.budget);
            ask.smt = choices.map_err(Misuse::Message)?;
        }
        let mut tell = |event| self.tell(Message::Event(system, event));
        match subject.answer_all(selection, &ask, &self.budget, &mut tell) {
            Ok(()) => {}
            // Only strategies are read while commands are answered.
            Err(refusal) if subject.is::<AlloySubject>() => return Err(Misuse::Text(refusal)),
            Err(refusal) => {
                self.tell(Message::Refused(system, refusal));
                return Ok(());
            }
        }
        self.tell(Message::Finished(system, start.elapsed().as_secs_f64()));
        Ok(())
    }

    /// How the files are read.
    fn opening(&self) -> Opening {
        let check = &self.check;
        Opening {
            asymmetric: check.alloying.asking.symmetry == Some(0),
            complete: alloy::is_complete(check),
            commands: check.properties.clone(),
            lts: LtsReading {
                internal: check.internal.clone(),
                ..LtsReading::default()
            },
            ..check.effort.opening()
        }
    }

    /// How questions are asked, besides what is known of a model.
    fn ask(&self, known: &Ask) -> Ask {
        let check = &self.check;
        let alloy: AlloyOptions = alloy::choices(check);
        Ask {
            engine: check.effort.engine,
            options: EvidenceOptions {
                evidence: true,
                vacuity: !check.no_vacuity,
                witness: check.witness,
                certificate: check.certificate,
                why: check.wants_why(),
                minimal: check.minimal,
                environment: vec![],
                abstraction: abstraction(check),
                evidence_time: check.choosing.evidence_time.map(duration),
                several: SeveralOptions {
                    each: check.several.each,
                    count: check.several.count,
                    distinct_by: vec![],
                },
            },
            strategy: check.choosing.strategy.clone(),
            asker: Some(choosing::asker(&self.budget)),
            bound: check.alloying.bmc,
            alloy,
            advice: check.alloying.advice,
            theories: check.effort.living.write_query.is_some(),
            blame: (!check.no_blame).then_some(BlameEffort::SHARE),
            ..known.clone()
        }
    }

    /// What the command line names and no model has.
    fn misfits(&self, prepared: &[Prepared]) -> Result<(), Misuse> {
        if prepared.is_empty() {
            return Ok(());
        }
        let known = |name: &String| {
            prepared
                .iter()
                .any(|one| !one.subject.named(name).is_empty())
        };
        if let Some(missing) = self.check.properties.iter().find(|name| !known(name)) {
            let mut names: Vec<String> = Vec::new();
            let mut seen: HashSet<String> = HashSet::new();
            for questions in prepared.iter().map(|one| one.subject.questions()) {
                for question in questions.iter() {
                    if seen.insert(question.name.clone()) {
                        names.push(question.name.clone());
                    }
                }
            }
            return Err(Misuse::NoSuchQuestion(missing.clone(), names));
        }
        let models = || {
            prepared
                .iter()
                .filter_map(|one| one.subject.downcast_ref::<ModelSubject>())
        };
        let vars = || models().flat_map(|model| model.model().vars.iter());
        let mut wanted = self.check.environment.iter();
        let missing = wanted.find(|wanted| !vars().any(|var| wanted.means(&var.name)));
        match missing.filter(|_| models().next().is_some()) {
            Some(missing) => Err(Misuse::Message(format!(
                "error: there is no variable `{}` that the environment could choose",
                wherefore_driver::view::clean(&missing.text)
            ))),
            None => Ok(()),
        }
    }

    /// The named questions and the formulas of the command line; without either, all questions.
    fn selection(&self, subject: &dyn Subject) -> Vec<QuestionId> {
        let questions = subject.questions();
        // An expression for an Alloy model asks about the instances of its commands.
        let added = !self.check.formulas.is_empty() && subject.can(Capability::Add);
        if self.check.properties.is_empty() && !added {
            return questions.ids().collect();
        }
        let names = self.check.properties.iter();
        let named: HashSet<QuestionId> = names.flat_map(|name| subject.named(name)).collect();
        let wanted = questions
            .entries()
            .filter(|(id, question)| question.added || named.contains(id));
        wanted.map(|(id, _)| id).collect()
    }
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
