//! Commands of Alloy models that do not come out as expected, and changes with which they do.

use wherefore_base::{Budget, Stop};
use wherefore_driver::blame::BlameEffort;
use wherefore_driver::evidence::Mend;
use wherefore_driver::subject::{Ask, Standing};
use wherefore_driver::subjects::alloy::{AlloyAnswer, AnswerExtent};
use wherefore_driver::view::wire::CheckDocument;
use wherefore_driver::view::{alloy, clean};
use wherefore_driver::{AlloySubject, QuestionId, Results, Subject};

use super::{Blame, Failure, WriteWords, cut_short, has_mend, refused, write};
use crate::args::Format;
use crate::exit::Exit;
use crate::saved::SavedDesk;
use crate::terminal;

/// Finds what is to blame for commands.
pub(super) fn blame(
    args: &Blame,
    desk: SavedDesk<'_>,
    subject: &AlloySubject,
) -> Result<Exit, Exit> {
    if let Some(why) = misuse(args) {
        return Err(desk.refuse(&why));
    }
    desk.screen.warn(subject, desk.color);
    let asked = select(args, desk, subject)?;
    let results = answer(args, desk, subject, &asked)?;
    if let Err(stop) = desk.budget.check() {
        desk.screen.say(&format!("note: {}", cut_short(stop)));
    }
    let odd = results.commands.iter().filter(|answer| {
        let command = &subject.commands()[answer.command];
        answer.as_expected(command) == Some(false)
    });
    let failures: Vec<Failure<'_>> = odd.map(|answer| failure(subject, answer)).collect();
    if let Some(number) = args.mend {
        has_mend(desk, &failures, number)?;
    }
    let report = subject.report(&results.commands);
    desk.screen.print(&match args.format {
        Format::Text => {
            let options = terminal::all_of(&args.screen, false);
            alloy::text::all_to_blame(&report, args.mend, &options)
        }
        Format::Markdown => alloy::markdown::all_to_blame(&report, args.mend),
        Format::Json => CheckDocument::new(vec![alloy::json::model(&report)]).render(),
    });
    if let Some(path) = &args.write_mend {
        let words = WriteWords {
            none: "every command comes out as expected",
            several: "several commands do not come out as expected",
            mended: "comes out as expected",
        };
        let text = |mend: &Mend| ("the model".to_owned(), subject.changed_text(&mend.change));
        write(args, desk, &failures, words, &text, path)?;
    }
    Ok(outcome(subject, &results))
}

fn failure<'a>(subject: &AlloySubject, answer: &'a AlloyAnswer) -> Failure<'a> {
    let blame = answer.blame.iter();
    Failure {
        name: clean(&subject.commands()[answer.command].label).to_string(),
        mends: blame
            .flat_map(|blame| blame.mends().map(|(_, mend)| mend))
            .collect(),
    }
}

/// What is wrong with options that mean nothing here.
fn misuse(args: &Blame) -> Option<String> {
    let effort = &args.effort;
    if args.formula.is_some() {
        return Some(
            "-e does not go with an Alloy model: what is to blame is asked about its commands"
                .to_string(),
        );
    }
    if effort.alloy.is_complete() {
        return Some(
            "--reach complete does not go with blame: changes are tried in the scopes of commands"
                .to_string(),
        );
    }
    let given = [
        (effort.engine != Default::default(), "--engine"),
        (effort.smv_dialect != Default::default(), "--smv-dialect"),
        (effort.order.is_some(), "--order"),
        (effort.paths.is_some(), "--paths"),
        (!effort.names.is_empty(), "--name"),
    ];
    let mut given = given.iter().filter(|(given, _)| *given);
    let option = given.next()?.1;
    Some(format!(
        "{option} has no meaning where commands of an Alloy model are asked"
    ))
}

/// The commands that are asked.
fn select(
    args: &Blame,
    desk: SavedDesk<'_>,
    subject: &AlloySubject,
) -> Result<Vec<QuestionId>, Exit> {
    let Some(name) = &args.property() else {
        return Ok((0..subject.commands().len()).map(QuestionId::new).collect());
    };
    let named = subject.named(name);
    if named.is_empty() {
        let commands = subject.commands().iter();
        let names: Vec<String> = commands.map(|command| command.label.clone()).collect();
        let there_are = match &names[..] {
            [] => "there are no commands".to_string(),
            names => format!("there are {}", terminal::some_of(names)),
        };
        let name = clean(name);
        return Err(desk.refuse(&format!("there is no command `{name}`; {there_are}")));
    }
    Ok(named)
}

/// Answers the commands, and looks for what is to blame for those that are not as expected.
fn answer(
    args: &Blame,
    desk: SavedDesk<'_>,
    subject: &AlloySubject,
    asked: &[QuestionId],
) -> Result<Results, Exit> {
    let mut choices = args.asking.choices(&args.effort.alloy);
    // A change is judged in the scope of the command, and so is the command.
    choices.reach = AnswerExtent::Scoped;
    choices.why = false;
    let ask = Ask {
        alloy: choices,
        blame: Some(BlameEffort::ASKED.times(args.budget)),
        ..Ask::default()
    };
    let examined = subject.examine(&ask);
    examined.map_err(|refusal| refused(args, desk, &refusal))?;
    let mut results = Results::default();
    let answered = subject.answer_all(asked, &ask, desk.budget, &mut results);
    answered.map_err(|refusal| refused(args, desk, &refusal))?;
    results.complete(subject, asked, stopped(desk.budget));
    Ok(results)
}

fn stopped(budget: &Budget) -> Stop {
    budget.check().err().unwrap_or(Stop::Cancelled)
}

fn outcome(subject: &AlloySubject, results: &Results) -> Exit {
    let standings = subject.standings(results).into_iter();
    let exits = standings.map(|standing| match standing {
        Standing::Good | Standing::Vacuous => Exit::Good,
        Standing::Undecided => Exit::Undecided,
        Standing::Bad => Exit::Fails,
        Standing::WrongModel => Exit::Model,
        Standing::Broken => Exit::Internal,
    });
    exits.max().unwrap_or(Exit::Good)
}
