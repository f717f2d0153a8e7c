//! Commands of Alloy models in their scopes: the smallest run that shows the answer is what is explained.

use wherefore_base::Budget;
use wherefore_driver::subjects::alloy::{AlloyOptions, AlloySubject, CommandOutcome, NoExcerpt};
use wherefore_driver::view::alloy::text;
use wherefore_driver::{ModelSubject, Refusal, Subject};

use super::{Failure, chosen};
use crate::alloy::Asking;
use crate::args::{Explain, Format};
use crate::exit::Exit;
use crate::terminal;

/// Why there is nothing to explain.
pub(super) enum Nothing {
    /// The file is no model that can be asked so.
    Refused(Refusal),
    /// What is known is said.
    Told(Failure),
}

impl Nothing {
    /// What is said, and the code to end with.
    pub(super) fn told(self, refused: impl FnOnce(Refusal) -> Failure) -> Failure {
        match self {
            Nothing::Refused(error) => refused(error),
            Nothing::Told(failure) => failure,
        }
    }
}

/// The part of a transition system that shows the answer to the command that is meant.
pub(super) fn excerpt(
    args: &Explain,
    session: &AlloySubject,
    budget: &Budget,
) -> Result<ModelSubject, Nothing> {
    let reading = &args.effort.alloy;
    let told = |text: String, exit| Nothing::Told((text, exit));
    let usage = |text: String| told(text, Exit::Usage);
    if !session.describes_system() {
        return Err(plain(args, session, budget));
    }
    if args.formula.is_some() {
        let text = "error: a formula of the command line is asked of the complete system; \
             give --reach complete";
        return Err(usage(text.to_string()));
    }
    let command = meant(args, session).map_err(usage)?;
    let choices = AlloyOptions {
        why: false,
        ..Asking::default().choices(reading)
    };
    let choices = AlloyOptions {
        reach: wherefore_driver::subjects::alloy::AnswerExtent::Scoped,
        ..choices
    };
    let answer = session.answer(command, &choices, budget);
    let verdict = || {
        let report = session.report(&[]);
        let text = text::head(&report, &answer, &text::TextOptions::default());
        text.trim_end().to_string()
    };
    let found = match &answer.outcome {
        CommandOutcome::Found { found, .. } => found.first(),
        CommandOutcome::Nothing => {
            let text = format!("{}\n  so there is no run to explain", verdict());
            return Err(told(text, Exit::Good));
        }
        CommandOutcome::Refused(_) => return Err(told(verdict(), Exit::Model)),
        CommandOutcome::Undecided { .. } => return Err(told(verdict(), Exit::Undecided)),
    };
    let question = session.question(command, &choices).ok().zip(found);
    let excerpt = question.map(|(question, found)| session.excerpt(&question, found, budget));
    match excerpt {
        Some(Ok(part)) => Ok(part.session),
        Some(Err(NoExcerpt::Misfit(rejected))) => {
            Err(Nothing::Refused(Refusal::Rejected(rejected)))
        }
        Some(Err(NoExcerpt::Hitch(_))) => {
            let text = "error: the search for the smallest run was stopped".to_string();
            Err(told(text, Exit::Undecided))
        }
        Some(Err(_)) | None => {
            let text = format!(
                "{}\n  it asks for no formula of CTL by `ctl_mc[..]` alone, so there is no run to explain",
                verdict()
            );
            Err(told(text, Exit::Undecided))
        }
    }
}

/// The command that is meant, or what is wrong.
fn meant(args: &Explain, session: &AlloySubject) -> Result<usize, String> {
    let named = args.property.as_ref();
    match named.and_then(|name| Subject::named(session, name).first().copied()) {
        Some(command) => Ok(command.index()),
        None => {
            let names = session.commands().iter();
            let names: Vec<String> = names.map(|command| command.label.clone()).collect();
            chosen(args, &names)
        }
    }
}

/// The answer to a command of a model without a transition system: the instance and what makes it one, or the parts of the
/// model that cannot hold together.
fn plain(args: &Explain, session: &AlloySubject, budget: &Budget) -> Nothing {
    let told = |text: String, exit| Nothing::Told((text, exit));
    if let Some(text) = misused(args) {
        return told(format!("error: {text}"), Exit::Usage);
    }
    let command = match meant(args, session) {
        Ok(command) => command,
        Err(text) => return told(text, Exit::Usage),
    };
    let choices = Asking::default().choices(&args.effort.alloy);
    let answer = session.answer(command, &choices, budget);
    let report = session.report(&[]);
    let options = text::TextOptions {
        full: true,
        all: true,
        width: args.screen.width.unwrap_or_else(terminal::width),
        ascii: args.screen.ascii,
        color: terminal::color(args.screen.color),
        ..text::TextOptions::default()
    };
    let verdict = text::verdict(&report, &answer, &options);
    let reasons = text::reasons(&report, &answer, &options);
    let exit = match &answer.outcome {
        CommandOutcome::Found { .. } | CommandOutcome::Nothing => Exit::Good,
        CommandOutcome::Refused(_) => Exit::Model,
        CommandOutcome::Undecided { .. } => Exit::Undecided,
    };
    told(format!("{verdict}{reasons}").trim_end().to_string(), exit)
}

/// What means nothing for a model without a transition system.
fn misused(args: &Explain) -> Option<&'static str> {
    if args.formula.is_some() {
        return Some(
            "a formula is asked of a transition system, and the model describes none; \
             `wherefore check -e` shows the value of an expression in each instance",
        );
    }
    if !args.strategy.is_empty() {
        return Some("--strategy chooses among runs, and the model describes no transition system");
    }
    args.format.and_then(|format| match format {
        Format::Text => None,
        _ => Some(
            "only the text of an answer is explained; `wherefore check --format` writes others",
        ),
    })
}
