//! `wherefore check`: collects what the worker tells, and shows it.
//!
//! Three threads share the work, so that none can keep the others from ending: the worker checks, the
//! collector prints and writes what it is told, and the first thread watches time, memory and the
//! keyboard. When the budget ends, the worker stops; when it does not, the collector goes on without
//! it; and when the collector does not come to an end, the watcher ends the process.

mod commands;
mod documents;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use wherefore_base::{Budget, Diagnostic, Stop};
use wherefore_driver::strategy::told_by_script;
use wherefore_driver::subject::{Standing, require};
use wherefore_driver::view::{clean, text};
use wherefore_driver::{
    AlloySubject, Answer, Capability, LtsSubject, ModelSubject, QuestionId, Refusal, Rejected,
    Results, Sink, Subject, SubjectEvent, read_text,
};

use crate::alloy;
use crate::args::{Check, FailOn, Format};
use crate::choosing;
use crate::exit::Exit;
use crate::guard;
use crate::live;
use crate::message_queue::MessageQueue;
use crate::models::{self, ModelFile};
use crate::refusal::{refused_file, refused_text};
use crate::telling::Conditions;
use crate::terminal::{self, ProgressLine};
use crate::watch::{Signal, limits, stop_on_interrupt, wait_for};
use crate::worker::{self, Message, Misuse};

use commands::CommandScreen;

/// How often progress is looked at.
const TICK: Duration = Duration::from_millis(50);
/// How long the worker may take to notice that it must stop.
const GRACE: Duration = Duration::from_secs(2);

/// How long what is known may take to be shown once the work has stopped.
const PATIENCE: Duration = Duration::from_secs(30);

/// Checks the models and returns the exit code.
///
/// When somebody does not stop in time, the process ends from here.
pub(crate) fn check(check: Box<Check>) -> Exit {
    let budget = limits(check.effort.timeout, check.effort.memory);
    stop_on_interrupt(&budget);
    let mut inputs = match models::models(&check.files) {
        Ok(inputs) => inputs,
        Err(message) => {
            terminal::error(&message);
            return Exit::Usage;
        }
    };
    let files: Vec<ModelFile> = inputs.iter_mut().map(ModelFile::of).collect();
    let misfit = live::misplaced(&check.effort.living, check.effort.engine, &files);
    if let Some(message) = misfit.or_else(|| alloy::misplaced(&check, &files)) {
        terminal::error(&message);
        return Exit::Usage;
    }
    let queue = worker::start(&check, inputs, &budget);
    let (settled, end) = (Mutex::new(None), Signal::default());
    thread::scope(|scope| {
        let (settled, end, budget, check) = (&settled, &end, &budget, &*check);
        let collector = scope.spawn(move || {
            let _end = end.at_the_end();
            guard::guarded(|| {
                let mut collected = Collected::new(check, files, budget);
                let answered = collected.collect(&queue, budget);
                collected.settle(budget);
                *lock(settled) = Some(collected.exit);
                (collected.finish(), answered)
            })
        });
        let patience = || match *lock(settled) {
            // Verdicts are known and nothing but the output is being waited for.
            Some(_) => GRACE,
            None => GRACE + PATIENCE,
        };
        if let Err(stop) = wait_for(end, &|| {}, budget, &patience) {
            terminal::error(&format!("error: the output is cut short, since {stop}"));
            let exit = lock(settled).unwrap_or(Exit::Undecided);
            end_now(exit.max(Exit::Undecided));
        }
        match collector.join().ok().flatten() {
            Some((exit, true)) => exit,
            Some((exit, false)) => end_now(exit),
            None => Exit::Internal,
        }
    })
}

/// Ends the process although threads are at work.
fn end_now(exit: Exit) -> ! {
    std::process::exit(i32::from(exit.code()))
}

fn lock(settled: &Mutex<Option<Exit>>) -> std::sync::MutexGuard<'_, Option<Exit>> {
    settled.lock().unwrap_or_else(|e| e.into_inner())
}

/// A system of a file, as far as it got.
#[derive(Default)]
struct Checked {
    /// The file, by its place.
    file: usize,
    subject: Option<Arc<dyn Subject>>,
    failed: Option<Refusal>,
    conditions: Conditions,
    selected: Vec<QuestionId>,
    results: Results,
    screen: CommandScreen,
    /// How long it took, once it is done.
    seconds: Option<f64>,
    printed: bool,
}

impl Checked {
    /// The system, if it was read and is right.
    fn usable(&self) -> Option<&Arc<dyn Subject>> {
        self.subject.as_ref().filter(|_| self.failed.is_none())
    }
}

struct Collected<'a> {
    check: &'a Check,
    files: Vec<ModelFile>,
    /// The systems of the files, in the order in which they are read.
    systems: Vec<Checked>,
    exit: Exit,
    progress: ProgressLine,
    /// The command line does not fit the models: nothing was checked.
    refused: bool,
    budget: Budget,
}

impl<'a> Collected<'a> {
    fn new(check: &'a Check, files: Vec<ModelFile>, budget: &Budget) -> Self {
        Self {
            check,
            files,
            systems: Vec::new(),
            exit: Exit::Good,
            progress: ProgressLine::new(),
            refused: false,
            budget: budget.clone(),
        }
    }

    fn worse(&mut self, exit: Exit) {
        self.exit = self.exit.max(exit);
    }

    /// Listens until the end; whether the worker came to it.
    fn collect(&mut self, queue: &MessageQueue<Message>, budget: &Budget) -> bool {
        let mut stopped: Option<Instant> = None;
        loop {
            let messages = queue.take(TICK);
            if messages.is_empty() {
                self.progress.show(&budget.progress());
            }
            for message in messages {
                match message {
                    Message::End => return true,
                    Message::Panicked => {
                        self.worse(Exit::Internal);
                        return true;
                    }
                    message => self.take(message),
                }
            }
            if budget.check().is_err() {
                let since = stopped.get_or_insert_with(Instant::now);
                if since.elapsed() > GRACE {
                    return false;
                }
            }
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Loaded {
                system,
                file,
                outcome,
            } => {
                if self.systems.len() <= system {
                    self.systems.resize_with(system + 1, Checked::default);
                }
                self.systems[system].file = file;
                match outcome {
                    Ok(subject) => self.systems[system].subject = Some(subject),
                    Err(refusal) => self.fail(system, refusal),
                }
            }
            Message::Selected(at, selected, conditions) => {
                self.systems[at].selected = selected;
                self.systems[at].conditions = conditions;
            }
            Message::Event(at, event) => self.take_event(at, event),
            Message::Refused(at, refusal) => self.fail(at, refusal),
            Message::Finished(at, seconds) => {
                self.systems[at].seconds = Some(seconds);
                self.systems[at].results.seconds = self.check.stats.then_some(seconds);
                self.tell_by_script(at);
                self.print_text(at);
            }
            Message::Misuse(misuse) => self.misuse(misuse),
            Message::End | Message::Panicked => {}
        }
    }

    fn take_event(&mut self, at: usize, event: SubjectEvent) {
        match event {
            SubjectEvent::Verdict(answer) => {
                if let Answer::Command(answer) = *answer {
                    self.take_verdict(at, *answer);
                }
            }
            SubjectEvent::Answer(answer) => match *answer {
                Answer::Command(answer) => self.take_command(at, *answer),
                answer => self.systems[at].results.push(answer),
            },
            SubjectEvent::Excerpt(excerpt) => self.take_excerpt(at, *excerpt),
            SubjectEvent::Remark(remark) if !self.check.quiet => {
                self.say(&choosing::remark(&remark, self.check.screen.color));
            }
            SubjectEvent::Note(note) if !self.check.quiet => self.say(note),
            event => self.systems[at].results.tell(event),
        }
    }

    /// Has a script say how the evidence about a model is told, if the user gave one.
    fn tell_by_script(&mut self, at: usize) {
        let Some(path) = self.check.telling.tell.clone() else {
            return;
        };
        let Some(subject) = self.systems[at].usable().cloned() else {
            return;
        };
        let file = terminal::shown(&path);
        let Some(model) = subject.downcast_ref::<ModelSubject>() else {
            let path = terminal::shown(&self.files[self.systems[at].file].path);
            return self.say(&format!("note: --tell has no effect on {path}"));
        };
        let budget = self.budget.clone();
        let text = match read_text(&path, &budget) {
            Ok(text) => text,
            Err(why) => {
                self.say(&format!("error: {file}: {why}"));
                return self.worse(Exit::Usage);
            }
        };
        let findings = &self.systems[at].results.findings;
        let Ok(told) = told_by_script(&file, &text, model.model(), findings, &budget) else {
            return self.say("note: the script of --tell was not run to its end");
        };
        for line in told.printed {
            self.say(&format!("note: {file}: {line}"));
        }
        if let Some(wrong) = &told.wrong {
            self.say_rejected(wrong);
            if wrong.diagnostics.iter().any(Diagnostic::is_error) {
                self.worse(Exit::Usage);
            }
        }
        self.systems[at].results.captions = told.wrong.is_none().then_some(told.captions);
    }

    /// Says what in the command line does not fit the models.
    fn misuse(&mut self, misuse: Misuse) {
        self.refused = true;
        let color = self.check.screen.color;
        let (text, exit) = match misuse {
            Misuse::Text(refusal) => refused_text(&refusal, terminal::error_color(color)),
            Misuse::Message(text) => (text, Exit::Usage),
            Misuse::NoSuchQuestion(name, names) => {
                let alloy = self
                    .files
                    .iter()
                    .all(|file| file.can(Capability::Enumerate));
                let (one, many) = match alloy {
                    true => ("command", "commands"),
                    false => ("property", "properties"),
                };
                let there_are = match &names[..] {
                    [] => format!("there are no {many}"),
                    names => format!("there are {}", terminal::some_of(names)),
                };
                let text = format!("error: there is no {one} `{}`; {there_are}", clean(&name));
                (text, Exit::Usage)
            }
        };
        self.say(&text);
        self.worse(exit);
    }

    fn say(&mut self, text: &str) {
        self.progress.clear();
        terminal::error(text);
    }

    fn say_rejected(&mut self, rejected: &Rejected) {
        let text = rejected.render(terminal::error_color(self.check.screen.color));
        self.say(&text);
    }

    /// Says the warnings about a model.
    fn say_warnings(&mut self, subject: &dyn Subject) {
        let warnings = subject.warnings();
        if !warnings.is_empty() && !self.check.quiet {
            self.say_rejected(&subject.rejected(warnings.to_vec()));
        }
    }

    /// Says why a system is not checked.
    fn fail(&mut self, at: usize, refusal: Refusal) {
        let path = self.files[self.systems[at].file].path.clone();
        let color = terminal::error_color(self.check.screen.color);
        let (text, exit) = refused_file(&path, &refusal, "checked", color);
        self.say(&text);
        self.worse(exit);
        self.systems[at].failed = Some(refusal);
    }

    /// Fills in what nobody answered; then the exit code is known, unless writing fails.
    fn settle(&mut self, budget: &Budget) {
        self.progress.clear();
        if self.refused {
            return;
        }
        let stop = budget.check().err();
        for file in 0..self.files.len() {
            let read = self.systems.iter().any(|system| {
                system.file == file && (system.subject.is_some() || system.failed.is_some())
            });
            if let (false, Some(stop)) = (read, stop) {
                let path = terminal::shown(&self.files[file].path);
                self.say(&format!("error: {path}: not checked, since {stop}"));
                self.worse(Exit::Undecided);
            }
        }
        for at in 0..self.systems.len() {
            self.fill_in(at, stop.unwrap_or(Stop::Cancelled));
        }
        for system in &self.systems {
            let Some(subject) = system.usable() else {
                continue;
            };
            for standing in subject.standings(&system.results) {
                self.exit = self.exit.max(exit_of(standing, self.check.fail_on));
            }
        }
    }

    /// Prints what is not printed yet and writes the documents.
    fn finish(mut self) -> Exit {
        if self.refused {
            return self.exit;
        }
        for at in 0..self.systems.len() {
            self.print_text(at);
        }
        match self.check.format {
            Format::Json => self.print(&self.document()),
            Format::Markdown => self.print(&self.markdown()),
            Format::Text => {}
        }
        self.write_documents();
        self.exit
    }

    /// Says of the questions that nobody answered that they are undecided.
    fn fill_in(&mut self, at: usize, stop: Stop) {
        let Some(subject) = self.systems[at].usable().cloned() else {
            return;
        };
        self.take_pending(at);
        let system = &mut self.systems[at];
        if system.selected.is_empty() && system.seconds.is_none() {
            system.selected = subject.questions().ids().collect();
        }
        system.results.complete(&*subject, &system.selected, stop);
    }

    fn print(&self, text: &str) {
        if !self.check.quiet {
            terminal::print(text);
        }
    }

    /// Whether a variable is shown.
    fn shows(&self, name: &str) -> bool {
        let vars = self.check.vars.as_ref();
        vars.is_none_or(|regex| regex.is_match(name))
    }

    /// Prints the screen of a model, once.
    fn print_text(&mut self, at: usize) {
        self.progress.clear();
        let Some(subject) = self.systems[at].usable().cloned() else {
            return;
        };
        if self.check.format != Format::Text || self.systems[at].printed {
            return;
        }
        match subject.downcast_ref::<AlloySubject>() {
            Some(alloy) => self.print_commands(at, alloy),
            None => self.print_findings(at, &*subject),
        }
        self.systems[at].printed = true;
    }

    /// Prints the screen of a model whose questions are properties.
    fn print_findings(&mut self, at: usize, subject: &dyn Subject) {
        let system = &self.systems[at];
        let wanted = |name: &str| self.shows(name);
        let options = text::TextOptions {
            color: terminal::color(self.check.screen.color),
            ascii: self.check.screen.ascii,
            width: self.check.screen.width.unwrap_or_else(terminal::width),
            full: self.check.full,
            all: self.check.all,
            tree: false,
            vars: self.check.vars.as_ref().map(|_| &wanted as _),
            hints: true,
            manner: system.conditions.manner(&self.check.telling),
        };
        let screen = subject.report(&system.results).text(&options);
        let several = self.systems[..at].iter().any(|system| system.printed);
        let path = self.files[self.systems[at].file].path.clone();
        self.say_warnings(subject);
        let is_lts = subject.is::<LtsSubject>();
        if !self.check.quiet {
            for capability in models::asked(self.check) {
                if let Err(refusal) = require(subject, capability) {
                    self.say(&format!("note: {}: {refusal}", terminal::shown(&path)));
                }
            }
            if is_lts {
                self.say_without_effect(&path);
            }
        }
        let space = if several { "\n" } else { "" };
        self.print(&format!("{space}{screen}"));
        let hint = choosing::hint(&path, &self.check.choosing.strategy);
        if let Some(hint) = hint.filter(|_| !is_lts) {
            self.print(&format!("\n{hint}\n"));
        }
    }

    /// Says which options mean nothing for a system.
    fn say_without_effect(&mut self, path: &Path) {
        let options = models::without_effect(self.check);
        if !options.is_empty() {
            let path = terminal::shown(path);
            let have = if options.len() == 1 { "has" } else { "have" };
            self.say(&format!(
                "note: {} {have} no effect on {path}",
                options.join(", ")
            ));
        }
    }
}

/// The exit code for how an answer stands.
fn exit_of(standing: Standing, fail_on: Option<FailOn>) -> Exit {
    match standing {
        Standing::Vacuous if fail_on == Some(FailOn::Vacuous) => Exit::Vacuous,
        Standing::Good | Standing::Vacuous => Exit::Good,
        Standing::Undecided => Exit::Undecided,
        Standing::Bad => Exit::Fails,
        Standing::WrongModel => Exit::Model,
        Standing::Broken => Exit::Internal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> Vec<ModelFile> {
        let mut inputs = models::models(&[name.into()]).expect("it is a model");
        inputs.iter_mut().map(ModelFile::of).collect()
    }

    #[test]
    fn a_worker_that_does_not_stop_is_left_behind() {
        let check = Check {
            quiet: true,
            ..Check::default()
        };
        let messages = MessageQueue::<Message>::default();
        let budget = Budget::unlimited();
        budget.stop(Stop::TimeOut);
        let mut collected = Collected::new(&check, file("slow.smv"), &budget);
        let start = Instant::now();
        assert!(!collected.collect(&messages, &budget));
        assert!(start.elapsed() >= GRACE);
        collected.settle(&budget);
        assert_eq!(collected.finish(), Exit::Undecided);
    }

    #[test]
    fn a_worker_that_panics_is_an_internal_error() {
        let check = Check {
            quiet: true,
            ..Check::default()
        };
        let messages = MessageQueue::<Message>::default();
        let mut collected = Collected::new(&check, file("bug.smv"), &Budget::unlimited());
        messages.put(Message::Panicked, true);
        assert!(collected.collect(&messages, &Budget::unlimited()));
        collected.settle(&Budget::unlimited());
        assert_eq!(collected.finish(), Exit::Internal);
    }
}
