//! `wherefore check`: collects what the worker tells, and shows it.
//!
//! Three threads share the work, so that none can keep the others from ending: the worker checks, the
//! collector prints and writes what it is told, and the first thread watches time, memory and the
//! keyboard. When the budget ends, the worker stops; when it does not, the collector goes on without
//! it; and when the collector does not come to an end, the watcher ends the process.

mod documents;
mod excerpts;

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use wherefore_base::{Budget, Stop};
use wherefore_driver::alloy::reach::{Advice, Whole};
use wherefore_driver::alloy::{AlloySession, Answer, Excerpt, Outcome};
use wherefore_driver::evidence::{
    Finding, Note, SpaceSummary, UnknownReason, Vacuity, Verdict, is_broken,
};
use wherefore_driver::view::{Report, alloy, clean, json, lts, text};
use wherefore_driver::{Event, LtsSession, OpenError, Rejected, Session};

use crate::alloy as commands;
use crate::args::{Check, FailOn, Format};
use crate::choosing;
use crate::exit::Exit;
use crate::guard;
use crate::live;
use crate::mailbox::Mailbox;
use crate::models::{self, ModelFiles, Opened};
use crate::telling::Conditions;
use crate::terminal::{self, ProgressLine};
use crate::watch::{Signal, limits, stop_on_interrupt, wait_for};
use crate::worker::{self, Message};

/// How often progress is looked at.
const TICK: Duration = Duration::from_millis(50);
/// How long the worker may take to notice that it must stop.
const GRACE: Duration = Duration::from_secs(2);

/// How long what is known may take to be shown once the work has stopped.
const PATIENCE: Duration = Duration::from_secs(10);

/// Checks the models and returns the exit code.
///
/// When somebody does not stop in time, the process ends from here.
pub(crate) fn check(check: Box<Check>) -> Exit {
    let budget = limits(check.effort.timeout, check.effort.memory);
    stop_on_interrupt(&budget);
    let files = match models::models(&check.files) {
        Ok(files) => files,
        Err(message) => {
            terminal::error(&message);
            return Exit::Usage;
        }
    };
    let misfit = live::misplaced(&check.effort.living, check.effort.engine, &files);
    if let Some(message) = misfit.or_else(|| commands::misplaced(&check, &files)) {
        terminal::error(&message);
        return Exit::Usage;
    }
    let files = commands::by_system(&check, files, &budget);
    let mailbox = worker::start(&check, &files, &budget);
    let (settled, end) = (Mutex::new(None), Signal::default());
    thread::scope(|scope| {
        let (settled, end, budget, check) = (&settled, &end, &budget, &*check);
        let collector = scope.spawn(move || {
            let _end = end.at_the_end();
            guard::guarded(|| {
                let mut collected = Collected::new(check, files);
                let answered = collected.collect(&mailbox, budget);
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

/// A model, as far as it got.
struct File {
    files: ModelFiles,
    model: Option<Opened>,
    failed: Option<OpenError>,
    conditions: Conditions,
    selected: Vec<usize>,
    space: Option<SpaceSummary>,
    findings: Vec<Finding>,
    /// What is known about commands of an Alloy model; so many are printed.
    answers: Vec<Answer>,
    told: usize,
    /// Parts of transition systems that show the answers to commands.
    excerpts: Vec<Excerpt>,
    /// An answer whose instances are not printed, since perhaps a run says more.
    unshown: Option<Answer>,
    /// Advice on how the transition system of an Alloy model is written, if that was asked for.
    advice: Option<Vec<Advice>>,
    /// An answer whose verdict is printed and whose reasons are not known yet.
    pending: Option<Answer>,
    seconds: Option<f64>,
    printed: bool,
    /// What an infinite-state model expects of its properties.
    expected: Vec<Option<bool>>,
    /// The theories of properties of an infinite-state model, each with its name.
    queries: Vec<(String, Result<String, String>)>,
    /// The runs of solvers that are not shown as evidence, finding by finding.
    runs: Vec<Vec<json::Run>>,
}

impl File {
    /// The session of an SMV model that was read and is right.
    fn smv(&self) -> Option<&Arc<Session>> {
        match (&self.model, &self.failed) {
            (Some(Opened::Smv(session)), None) => Some(session),
            _ => None,
        }
    }

    /// The session of a system that was read and is right.
    fn lts(&self) -> Option<&Arc<LtsSession>> {
        match (&self.model, &self.failed) {
            (Some(Opened::Lts(session)), None) => Some(session),
            _ => None,
        }
    }

    /// The session of an Alloy model that was read and is right.
    fn alloy(&self) -> Option<&Arc<AlloySession>> {
        match (&self.model, &self.failed) {
            (Some(Opened::Alloy(session)), None) => Some(session),
            _ => None,
        }
    }

    /// The parts of systems that show answers, for the views.
    fn excerpts(&self) -> Vec<alloy::Excerpt<'_>> {
        self.excerpts.iter().map(Excerpt::shown).collect()
    }

    fn alloy_report<'a>(
        &'a self,
        session: &'a AlloySession,
        excerpts: &'a [alloy::Excerpt<'a>],
        stats: bool,
    ) -> alloy::Report<'a> {
        alloy::Report {
            excerpts,
            advice: self.advice.as_deref(),
            ..commands::report(session, &self.answers, self.seconds.filter(|_| stats))
        }
    }

    fn lts_report<'a>(&'a self, session: &'a LtsSession, stats: bool) -> lts::Report<'a> {
        let seconds = self.seconds.filter(|_| stats);
        models::lts_report(session, self.space.as_ref(), &self.findings, seconds)
    }

    fn report<'a>(&'a self, session: &'a Session, stats: bool) -> Report<'a> {
        Report {
            seconds: self.seconds.filter(|_| stats),
            ..session.report(self.space.as_ref(), &self.findings)
        }
    }
}

struct Collected<'a> {
    check: &'a Check,
    files: Vec<File>,
    exit: Exit,
    progress: ProgressLine,
    /// The command line does not fit the models: nothing was checked.
    refused: bool,
}

impl<'a> Collected<'a> {
    fn new(check: &'a Check, files: Vec<ModelFiles>) -> Self {
        let files = files.into_iter().map(|files| File {
            files,
            model: None,
            failed: None,
            conditions: Conditions::default(),
            selected: Vec::new(),
            space: None,
            findings: Vec::new(),
            answers: Vec::new(),
            told: 0,
            excerpts: Vec::new(),
            unshown: None,
            advice: None,
            pending: None,
            seconds: None,
            printed: false,
            expected: Vec::new(),
            queries: Vec::new(),
            runs: Vec::new(),
        });
        Self {
            check,
            files: files.collect(),
            exit: Exit::Good,
            progress: ProgressLine::new(),
            refused: false,
        }
    }

    fn worse(&mut self, exit: Exit) {
        self.exit = self.exit.max(exit);
    }

    /// Listens until the end; whether the worker came to it.
    fn collect(&mut self, mailbox: &Mailbox<Message>, budget: &Budget) -> bool {
        let mut stopped: Option<Instant> = None;
        loop {
            let messages = mailbox.take(TICK);
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
            Message::Loaded(at, model) => {
                if let Opened::Live(session) = &model {
                    self.files[at].expected = session.expectations();
                }
                self.files[at].model = Some(model);
            }
            Message::Queries(at, queries) => self.files[at].queries = queries,
            Message::Runs(at, runs) => self.files[at].runs = runs,
            Message::Note(note) => {
                if !self.check.quiet {
                    self.say(note);
                }
            }
            Message::NotLoaded(at, path, error) => {
                self.not_loaded(&path, &error);
                self.files[at].failed = Some(error);
            }
            Message::BadText(rejected) => {
                self.say_rejected(&rejected);
                self.refused = true;
                self.worse(Exit::Usage);
            }
            Message::BadStrategy(error) => {
                self.refused = true;
                let (text, exit) = choosing::refusal(&error, self.check.screen.color);
                self.say(&text);
                self.worse(exit);
            }
            Message::Remark(remark) => {
                if !self.check.quiet {
                    self.say(&choosing::remark(&remark, self.check.screen.color));
                }
            }
            Message::NoSuchProperty(name, names) => {
                self.refused = true;
                let there_are = match &names[..] {
                    [] => "there are no properties".to_string(),
                    names => format!("there are {}", terminal::some_of(names)),
                };
                let alloy = self.files.iter().all(|file| file.files.is_alloy());
                let what = if alloy { "command" } else { "property" };
                let there_are = match alloy {
                    true => there_are.replace("properties", "commands"),
                    false => there_are,
                };
                self.say(&format!(
                    "error: there is no {what} `{}`; {there_are}",
                    clean(&name)
                ));
                self.worse(Exit::Usage);
            }
            Message::NoSuchPart(text) => {
                self.refused = true;
                self.say(&text);
                self.worse(Exit::Usage);
            }
            Message::Conditions(at, conditions) => self.files[at].conditions = conditions,
            Message::NoSuchVariable(name) => {
                self.refused = true;
                self.say(&format!(
                    "error: there is no variable `{}` that the environment could choose",
                    clean(&name)
                ));
                self.worse(Exit::Usage);
            }
            Message::Selected(at, selected) => self.files[at].selected = selected,
            Message::Event(at, Event::Rejected(diagnostics)) => {
                let path = self.files[at].files.path.clone();
                if let Some(session) = self.files[at].smv().cloned() {
                    let error = OpenError::Rejected(session.rejected(diagnostics));
                    self.not_loaded(&path, &error);
                    self.files[at].failed = Some(error);
                }
            }
            Message::Event(at, Event::Space(space)) => self.files[at].space = Some(space),
            Message::Event(at, Event::Finding(finding)) => self.files[at].findings.push(*finding),
            Message::Verdict(at, answer) => {
                self.tell_verdict(at, &answer);
                self.files[at].pending = Some(*answer);
            }
            Message::Answer(at, answer) => {
                self.tell_reasons(at, &answer);
                self.files[at].pending = None;
                self.files[at].answers.push(*answer);
            }
            Message::Advice(at, advice) => self.files[at].advice = Some(advice),
            Message::Excerpt(at, excerpt) => self.tell_excerpt(at, *excerpt),
            Message::Finished(at, seconds) => {
                self.files[at].seconds = Some(seconds);
                self.print_text(at);
            }
            Message::End | Message::Panicked => {}
        }
    }

    fn say(&mut self, text: &str) {
        self.progress.clear();
        terminal::error(text);
    }

    fn say_rejected(&mut self, rejected: &Rejected) {
        let text = rejected.render(terminal::error_color(self.check.screen.color));
        self.say(&text);
    }

    fn not_loaded(&mut self, path: &Path, error: &OpenError) {
        let path = terminal::shown(path);
        match error {
            OpenError::Io(_) | OpenError::Order(..) | OpenError::System | OpenError::Alloy => {
                self.say(&format!("error: {path}: {error}"));
                self.worse(Exit::Usage);
            }
            OpenError::Stopped(stop) => {
                self.say(&format!("error: {path}: not checked, since {stop}"));
                self.worse(Exit::Undecided);
            }
            OpenError::NotText { .. } | OpenError::TooLarge(_) => {
                self.say(&format!("error: {path}: {error}"));
                self.worse(Exit::Model);
            }
            OpenError::Rejected(rejected) => {
                self.say_rejected(rejected);
                self.worse(Exit::Model);
            }
        }
    }

    /// Fills in what nobody answered; then the exit code is known, unless writing fails.
    fn settle(&mut self, budget: &Budget) {
        self.progress.clear();
        if self.refused {
            return;
        }
        let stop = budget.check().err();
        for at in 0..self.files.len() {
            if let Some(Opened::Live(session)) = &self.files[at].model {
                // Nobody came back with an answer: there are no runs to show.
                self.files[at].model = Some(Opened::Smv(Arc::new(live::unanswered(session))));
            }
            self.fill_in(at, stop);
        }
        for file in &self.files {
            let mut notes = file.space.iter().flat_map(|space| &space.notes);
            let of_nothing = notes.any(|note| *note == Note::NoInitialState);
            for finding in file.findings.iter() {
                let exit = match live::is_unexpected(finding, &file.expected) {
                    _ if is_broken(finding) => Exit::Internal,
                    Some(true) => Exit::Fails,
                    Some(false) if finding.verdict == Verdict::Fails => Exit::Good,
                    _ => exit_of(finding, of_nothing, self.check.fail_on),
                };
                self.exit = self.exit.max(exit);
            }
            for answer in file.answers.iter() {
                let Some(session) = file.alloy() else {
                    continue;
                };
                let command = &session.commands()[answer.command];
                let exit = commands::exit_of(answer, command, self.check.fail_on);
                self.exit = self.exit.max(exit);
            }
        }
    }

    /// Prints what is not printed yet and writes the documents.
    fn finish(mut self) -> Exit {
        if self.refused {
            return self.exit;
        }
        for at in 0..self.files.len() {
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

    fn fill_in(&mut self, at: usize, stop: Option<Stop>) {
        let file = &mut self.files[at];
        let Some(model) = file.model.clone() else {
            if let (None, Some(stop)) = (&file.failed, stop) {
                let path = terminal::shown(&file.files.path);
                let text = format!("error: {path}: not checked, since {stop}");
                self.say(&text);
                self.worse(Exit::Undecided);
            }
            return;
        };
        if file.failed.is_some() {
            return;
        }
        let stop = stop.unwrap_or(Stop::Cancelled);
        if file.selected.is_empty() && file.seconds.is_none() {
            file.selected = (0..model.names().len()).collect();
        }
        if let Opened::Alloy(_) = model {
            self.fill_in_answers(at, stop);
            return;
        }
        let answered: HashSet<usize> = file.findings.iter().map(|f| f.property).collect();
        let open = file.selected.iter().filter(|at| !answered.contains(at));
        let open = open.filter_map(|&at| model.undecided(at, stop));
        file.findings.extend(open);
        file.findings.sort_by_key(|finding| finding.property);
    }

    /// Says of the commands that nobody answered that they are undecided.
    fn fill_in_answers(&mut self, at: usize, stop: Stop) {
        if let Some(answer) = self.files[at].pending.take() {
            self.tell_reasons(at, &answer);
            self.files[at].answers.push(answer);
        }
        let file = &mut self.files[at];
        let answered: HashSet<usize> = file.answers.iter().map(|a| a.command).collect();
        let open = file.selected.iter().filter(|at| !answered.contains(at));
        let undecided = || Outcome::Undecided {
            stop: Some(stop),
            reached: None,
        };
        let open: Vec<Answer> = open.map(|&at| Answer::new(at, undecided())).collect();
        file.answers.extend(open);
        file.answers.sort_by_key(|answer| answer.command);
    }

    /// Prints the verdict on a command of an Alloy model.
    fn tell_verdict(&mut self, at: usize, answer: &Answer) {
        self.progress.clear();
        let Some(session) = self.files[at].alloy().cloned() else {
            return;
        };
        if self.check.format != Format::Text {
            return;
        }
        let file = &self.files[at];
        let first = file.told == 0 && file.pending.is_none();
        let several = self.files[..at].iter().any(|file| file.printed);
        if first && several {
            self.print("\n");
        }
        if first && !session.warnings().is_empty() && !self.check.quiet {
            self.say_rejected(&session.rejected(session.warnings().to_vec()));
        }
        let report = commands::report(&session, &[], None);
        if session.describes_system() && matches!(answer.outcome, Outcome::Found { .. }) {
            self.print(&alloy::text::head(&report, answer, &self.screen()));
            self.files[at].unshown = Some(answer.clone());
            return;
        }
        self.print(&alloy::text::verdict(&report, answer, &self.screen()));
    }

    /// Prints what there is to add to the verdict on a command of an Alloy model.
    fn tell_reasons(&mut self, at: usize, answer: &Answer) {
        self.progress.clear();
        let Some(session) = self.files[at].alloy().cloned() else {
            return;
        };
        if self.check.format != Format::Text {
            return;
        }
        let report = commands::report(&session, &self.files[at].answers, None);
        let reasons = alloy::text::reasons(&report, answer, &self.screen());
        let waiting = self.files[at].unshown.is_some();
        let end = if waiting { "" } else { "\n" };
        self.print(&format!("{reasons}{end}"));
        self.files[at].told += 1;
    }

    /// Prints the rest of the screen of an Alloy model.
    fn print_commands(&mut self, at: usize, session: &AlloySession) {
        let told = self.files[at].told;
        let open = self.files[at].answers.split_off(told);
        for answer in open {
            self.tell_verdict(at, &answer);
            self.tell_reasons(at, &answer);
            self.files[at].answers.push(answer);
        }
        self.show_instances(at);
        let excerpts = self.files[at].excerpts();
        let report = self.files[at].alloy_report(session, &excerpts, self.check.stats);
        let advice = alloy::text::advice(&report, &self.screen());
        if !advice.is_empty() {
            self.print(&format!("{advice}\n"));
        }
        let total = alloy::text::total(&report, &self.screen());
        self.print(&total);
        if session.describes_system() {
            let mut hints = excerpts
                .iter()
                .flat_map(|part| text::hints_of(&part.report));
            let explain = hints.find(|hint| hint.starts_with("wherefore explain"));
            let explained = explain.map_or(String::new(), |hint| {
                format!("\nWhy, claim by claim:\n  {hint}\n")
            });
            self.print(&explained);
            // It was told where something does not fit the complete system.
            let reaches = self.files[at]
                .answers
                .iter()
                .filter_map(|answer| answer.reach.as_ref());
            let mut wholes = reaches.map(|reach| &reach.whole).peekable();
            let refused = |whole: &Whole| matches!(whole, Whole::Unknown(_, Some(_)));
            if wholes.peek().is_none() || !wholes.all(refused) {
                let path = terminal::shown(&self.files[at].files.path);
                self.print(&format!(
                    "\nThe model describes a transition system. For runs through all of it:\n  \
                     wherefore check {path} --reach complete\n"
                ));
            }
        }
        self.files[at].printed = true;
    }

    /// How an Alloy model is shown.
    fn screen(&self) -> text::Options<'static> {
        text::Options {
            color: terminal::color(self.check.screen.color),
            ascii: self.check.screen.ascii,
            width: self.check.screen.width.unwrap_or_else(terminal::width),
            full: self.check.full,
            all: self.check.all,
            tree: self.check.alloying.tree,
            ..text::Options::default()
        }
    }

    fn print(&self, text: &str) {
        if !self.check.quiet {
            terminal::print(text);
        }
    }

    /// Prints the screen of a model, once.
    fn print_text(&mut self, at: usize) {
        self.progress.clear();
        let several = self.files[..at].iter().any(|file| file.printed);
        let file = &self.files[at];
        if file.model.is_none() || file.failed.is_some() {
            return;
        }
        if self.check.format != Format::Text || file.printed {
            return;
        }
        if let Some(session) = file.alloy().cloned() {
            self.print_commands(at, &session);
            return;
        }
        let wanted = |name: &str| {
            self.check
                .vars
                .as_ref()
                .is_none_or(|regex| regex.is_match(name))
        };
        let options = text::Options {
            color: terminal::color(self.check.screen.color),
            ascii: self.check.screen.ascii,
            width: self.check.screen.width.unwrap_or_else(terminal::width),
            full: self.check.full,
            all: self.check.all,
            tree: false,
            vars: Some(&wanted),
            hints: true,
            manner: file.conditions.manner(&self.check.telling),
        };
        let stats = self.check.stats;
        let (screen, warnings) = match &file.model {
            Some(Opened::Smv(session)) => {
                let warnings = session.rejected(session.warnings().to_vec());
                (
                    text::render(&file.report(session, stats), &options),
                    warnings,
                )
            }
            Some(Opened::Lts(session)) => {
                let warnings = session.rejected(session.warnings().to_vec());
                let report = file.lts_report(session, stats);
                (lts::text::render(&report, &options), warnings)
            }
            Some(Opened::Alloy(_) | Opened::Live(_)) | None => return,
        };
        let is_lts = file.files.is_lts();
        let rejected = (!warnings.diagnostics.is_empty()).then_some(warnings);
        if let Some(warnings) = rejected.filter(|_| !self.check.quiet) {
            self.say_rejected(&warnings);
        }
        if is_lts && !self.check.quiet {
            self.say_without_effect(at);
        }
        self.print(&if several {
            format!("\n{screen}")
        } else {
            screen
        });
        let path = &self.files[at].files.path;
        if let Some(hint) = choosing::hint(path, &self.check.choosing.strategy).filter(|_| !is_lts)
        {
            self.print(&format!("\n{hint}\n"));
        }
        self.files[at].printed = true;
    }

    /// Says which options mean nothing for a system.
    fn say_without_effect(&mut self, at: usize) {
        let options = models::without_effect(self.check);
        if !options.is_empty() {
            let path = terminal::shown(&self.files[at].files.path);
            let have = if options.len() == 1 { "has" } else { "have" };
            self.say(&format!(
                "note: {} {have} no effect on {path}",
                options.join(", ")
            ));
        }
    }
}

/// The exit code of a finding; what holds `of_nothing` does so for want of an initial state.
fn exit_of(finding: &Finding, of_nothing: bool, fail_on: Option<FailOn>) -> Exit {
    if is_broken(finding) {
        return Exit::Internal;
    }
    let vacuous = of_nothing || matches!(finding.vacuity, Vacuity::Vacuous { .. });
    match finding.verdict {
        Verdict::Fails => Exit::Fails,
        Verdict::Unknown(UnknownReason::Stopped(_) | UnknownReason::Unsupported(_)) => {
            Exit::Undecided
        }
        Verdict::Holds if vacuous && fail_on == Some(FailOn::Vacuous) => Exit::Vacuous,
        Verdict::Holds => Exit::Good,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> Vec<ModelFiles> {
        models::models(&[name.into()]).expect("it is a model")
    }

    #[test]
    fn a_worker_that_does_not_stop_is_left_behind() {
        let check = Check {
            quiet: true,
            ..Check::default()
        };
        let messages = Mailbox::<Message>::default();
        let budget = Budget::unlimited();
        budget.stop(Stop::TimeOut);
        let mut collected = Collected::new(&check, file("slow.smv"));
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
        let messages = Mailbox::<Message>::default();
        let mut collected = Collected::new(&check, file("bug.smv"));
        messages.put(Message::Panicked, true);
        assert!(collected.collect(&messages, &Budget::unlimited()));
        collected.settle(&Budget::unlimited());
        assert_eq!(collected.finish(), Exit::Internal);
    }
}
