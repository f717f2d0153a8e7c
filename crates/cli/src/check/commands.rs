//! Commands of Alloy models on the screen, piece by piece: the verdict first, then why, then the run that shows it.

use wherefore_driver::alloy::reach::Whole;
use wherefore_driver::subjects::alloy::{
    AlloyAnswer, CommandOutcome, ExtractForm, NoExcerpt, SystemExcerpt,
};
use wherefore_driver::view::any::AnyReport;
use wherefore_driver::view::{alloy, text};
use wherefore_driver::{AlloySubject, Subject};

use super::Collected;
use crate::args::Format;
use crate::terminal;

/// What was printed of the commands of a model.
#[derive(Default)]
pub(super) struct CommandScreen {
    /// So many answers are printed.
    told: usize,
    /// An answer whose verdict is printed and whose reasons are not known yet.
    pending: Option<AlloyAnswer>,
    /// An answer whose instances are not printed, since perhaps a run says more.
    unshown: Option<AlloyAnswer>,
}

impl Collected<'_> {
    /// Takes the verdict on a command, before it is known why.
    pub(super) fn take_verdict(&mut self, at: usize, answer: AlloyAnswer) {
        self.tell_verdict(at, &answer);
        self.systems[at].screen.pending = Some(answer);
    }

    /// Takes everything about a command.
    pub(super) fn take_command(&mut self, at: usize, answer: AlloyAnswer) {
        self.tell_reasons(at, &answer);
        self.systems[at].screen.pending = None;
        self.systems[at].results.commands.push(answer);
    }

    /// Takes an answer for complete that has a verdict and no reasons, since nobody will give them any more.
    pub(super) fn take_pending(&mut self, at: usize) {
        if let Some(answer) = self.systems[at].screen.pending.take() {
            self.tell_reasons(at, &answer);
            self.systems[at].results.commands.push(answer);
        }
    }

    /// Prints the verdict on a command.
    fn tell_verdict(&mut self, at: usize, answer: &AlloyAnswer) {
        self.progress.clear();
        let Some(subject) = self.systems[at].usable().cloned() else {
            return;
        };
        let (Some(alloy), Format::Text) =
            (subject.downcast_ref::<AlloySubject>(), self.check.format)
        else {
            return;
        };
        let screen = &self.systems[at].screen;
        let first = screen.told == 0 && screen.pending.is_none();
        let several = self.systems[..at].iter().any(|system| system.printed);
        if first && several {
            self.print("\n");
        }
        if first {
            self.say_warnings(&*subject);
        }
        let report = alloy.report(&[]);
        if alloy.describes_system() && matches!(answer.outcome, CommandOutcome::Found { .. }) {
            self.print(&alloy::text::head(&report, answer, &self.command_options()));
            self.systems[at].screen.unshown = Some(answer.clone());
            return;
        }
        self.print(&alloy::text::verdict(
            &report,
            answer,
            &self.command_options(),
        ));
    }

    /// Prints what there is to add to the verdict on a command.
    fn tell_reasons(&mut self, at: usize, answer: &AlloyAnswer) {
        self.progress.clear();
        let Some(subject) = self.systems[at].usable().cloned() else {
            return;
        };
        let (Some(alloy), Format::Text) =
            (subject.downcast_ref::<AlloySubject>(), self.check.format)
        else {
            return;
        };
        let report = alloy.report(&self.systems[at].results.commands);
        let reasons = alloy::text::reasons(&report, answer, &self.command_options());
        let waiting = self.systems[at].screen.unshown.is_some();
        let end = if waiting { "" } else { "\n" };
        self.print(&format!("{reasons}{end}"));
        self.systems[at].screen.told += 1;
    }

    /// Takes the part of a system that shows the answer to a command, or why there is none, and prints it; the
    /// instance only where it says more.
    pub(super) fn take_excerpt(&mut self, at: usize, excerpt: Result<SystemExcerpt, NoExcerpt>) {
        self.progress.clear();
        let (why, part, whole) = match &excerpt {
            Ok(part) => (None, true, part.form == ExtractForm::Whole),
            Err(none) => (none.sentence(), false, false),
        };
        self.systems[at].results.excerpts.extend(excerpt.ok());
        let Some(subject) = self.systems[at].usable().cloned() else {
            return;
        };
        let (Some(alloy), Format::Text) =
            (subject.downcast_ref::<AlloySubject>(), self.check.format)
        else {
            return;
        };
        let wanted = |name: &str| self.shows(name);
        let system = &self.systems[at];
        let options = text::TextOptions {
            all: true,
            vars: self.check.vars.as_ref().map(|_| &wanted as _),
            manner: system.conditions.manner(&self.check.telling),
            ..self.command_options()
        };
        let shown = system.results.excerpts.last().map(SystemExcerpt::shown);
        let shown = shown.filter(|shown| part && shown.has_evidence());
        let shown = shown.map(|part| alloy::text::excerpt(&alloy.report(&[]), &part, &options));
        if let Some(shown) = &shown {
            self.print(&format!("{}\n\n", shown.trim_end()));
        }
        if whole || shown.is_none() || self.wants_instances() {
            self.show_instances(at, alloy);
        }
        self.systems[at].screen.unshown = None;
        if let Some(why) = why {
            self.print(&format!("{why}\n\n"));
        }
    }

    /// Prints the rest of the screen of an Alloy model.
    pub(super) fn print_commands(&mut self, at: usize, alloy: &AlloySubject) {
        let told = self.systems[at].screen.told;
        let open = self.systems[at].results.commands.split_off(told);
        for answer in open {
            self.tell_verdict(at, &answer);
            self.tell_reasons(at, &answer);
            self.systems[at].results.commands.push(answer);
        }
        self.show_instances(at, alloy);
        let system = &self.systems[at];
        let AnyReport::Commands(commands) = Subject::report(alloy, &system.results) else {
            return;
        };
        let (report, options) = (commands.report(), self.command_options());
        for answer in report.answers {
            let blame = alloy::text::to_blame(&report, answer, &options);
            if !blame.is_empty() {
                self.print(&format!("{blame}\n"));
            }
        }
        let advice = alloy::text::advice(&report, &options);
        if !advice.is_empty() {
            self.print(&format!("{advice}\n"));
        }
        self.print(&alloy::text::total(&report, &options));
        if !alloy.describes_system() {
            return;
        }
        let parts = commands.excerpts.iter();
        let mut hints = parts.flat_map(|part| text::hints_of(&part.report));
        if let Some(hint) = hints.find(|hint| hint.starts_with("wherefore explain")) {
            self.print(&format!("\nWhy, claim by claim:\n  {hint}\n"));
        }
        // It was told where something does not fit the complete system.
        let answers = system.results.commands.iter();
        let reaches = answers.filter_map(|answer| answer.reach.as_ref());
        let mut wholes = reaches.map(|reach| &reach.whole).peekable();
        let refused = |whole: &Whole| matches!(whole, Whole::Unknown(_, Some(_)));
        if wholes.peek().is_none() || !wholes.all(refused) {
            let path = terminal::shown(&self.files[system.file].path);
            self.print(&format!(
                "\nThe model describes a transition system. For runs through all of it:\n  \
                 wherefore check {path} --reach complete\n"
            ));
        }
    }

    /// How the commands of an Alloy model are shown.
    fn command_options(&self) -> text::TextOptions<'static> {
        text::TextOptions {
            color: terminal::color(self.check.screen.color),
            ascii: self.check.screen.ascii,
            width: self.check.screen.width.unwrap_or_else(terminal::width),
            full: self.check.full,
            all: self.check.all,
            tree: self.check.alloying.tree,
            ..text::TextOptions::default()
        }
    }

    /// Whether somebody asks for more of instances than that there is one.
    pub(super) fn wants_instances(&self) -> bool {
        let alloying = &self.check.alloying;
        let several = alloying.instances.is_some() || self.check.several.count > 1;
        let valued = !alloying.evaluate.is_empty() || !self.check.formulas.is_empty();
        self.check.full || alloying.tree || several || valued
    }

    /// Prints instances that nobody needs to wait for any longer.
    fn show_instances(&mut self, at: usize, alloy: &AlloySubject) {
        if let Some(answer) = self.systems[at].screen.unshown.take() {
            let report = alloy.report(&[]);
            let shown = alloy::text::instances(&report, &answer, &self.command_options());
            self.print(&format!("{shown}\n"));
        }
    }
}
