//! Commands of Alloy models in their scopes: the smallest run that shows the answer is what is explained.

use wherefore_base::Budget;
use wherefore_driver::subjects::alloy::{
    AlloyOptions, AlloySubject, CommandOutcome, NoExcerpt, no_system,
};
use wherefore_driver::view::alloy::text;
use wherefore_driver::{ModelSubject, Refusal, Subject};

use super::{Failure, chosen};
use crate::alloy::Asking;
use crate::args::Explain;
use crate::exit::Exit;

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
    if !session.describes_system() {
        return Err(Nothing::Refused(no_system()));
    }
    let told = |text: String, exit| Nothing::Told((text, exit));
    let usage = |text: String| told(text, Exit::Usage);
    if args.formula.is_some() {
        let text = "error: a formula of the command line is asked of the complete system; \
             give --reach complete";
        return Err(usage(text.to_string()));
    }
    let named = args.property.as_ref();
    let command = match named.and_then(|name| Subject::named(session, name).first().copied()) {
        Some(command) => command.index(),
        None => {
            let names = session.commands().iter();
            let names: Vec<String> = names.map(|command| command.label.clone()).collect();
            chosen(args, &names).map_err(usage)?
        }
    };
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
