//! Alloy models on the command line: options, which of them fit, and exit codes of commands.

use wherefore::alloy::{
    AlloyChoices, AlloySession, Answer, Choices, Command, Edition, Fault, Options, Outcome,
    Overflow, Override,
};
use wherefore::view::alloy::Report;

use crate::args::{Check, EvidenceKind, FailOn};
use crate::exit::Exit;
use crate::models::ModelFiles;

/// The heading of these options in the help.
const HEADING: &str = "Alloy models";

/// How Alloy models are read and their commands answered.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Alloying {
    /// The edition that all files are in: 4 (a prime is part of a name) or 6 (a prime is the next state)
    /// [default: for each file the one in which it can be read]
    #[arg(long, value_name = "N", value_parser = edition, help_heading = HEADING)]
    pub(crate) alloy: Option<Edition>,

    /// Another scope than that of the commands, as Book=4, State=exactly:5, Int=6 (bits), seq=3 or
    /// steps=12 (may be given several times)
    #[arg(long, value_name = "SIG=N", value_parser = scope, help_heading = HEADING)]
    pub(crate) scope: Vec<Override>,

    /// Show up to this many instances or counterexamples of each command
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = HEADING)]
    pub(crate) instances: Option<usize>,

    /// Show the value of this expression in each instance, as -e does (may be given several times)
    #[arg(
        long,
        value_name = "EXPR",
        allow_hyphen_values = true,
        help_heading = HEADING
    )]
    pub(crate) evaluate: Vec<String>,

    /// What happens when arithmetic does not fit the bits of integers: wrap (around) or forbid (such
    /// values do not count) [default: wrap]
    #[arg(long, value_name = "HOW", value_parser = overflow, help_heading = HEADING)]
    pub(crate) overflow: Option<Overflow>,

    /// How many pairs of bits are compared to leave out symmetric instances; 0 leaves none out
    /// [default: 20]
    #[arg(long, value_name = "N", help_heading = HEADING)]
    pub(crate) symmetry: Option<usize>,

    /// Below how many universal quantifiers an existential one still gets a witness [default: 1]
    #[arg(long, value_name = "N", help_heading = HEADING)]
    pub(crate) skolem_depth: Option<usize>,
}

impl Alloying {
    /// The options that were given.
    fn given(&self) -> Vec<&'static str> {
        let given = [
            (self.alloy.is_some(), "--alloy"),
            (!self.scope.is_empty(), "--scope"),
            (self.instances.is_some(), "--instances"),
            (!self.evaluate.is_empty(), "--evaluate"),
            (self.overflow.is_some(), "--overflow"),
            (self.symmetry.is_some(), "--symmetry"),
            (self.skolem_depth.is_some(), "--skolem-depth"),
        ];
        names(&given)
    }
}

/// How commands are answered.
pub(crate) fn choices(check: &Check) -> AlloyChoices {
    let alloying = &check.alloying;
    let defaults = Options::default();
    let evaluate = alloying.evaluate.iter().chain(&check.formulas);
    AlloyChoices {
        lowering: Choices {
            scopes: alloying.scope.clone(),
            overflow: alloying.overflow.unwrap_or(Overflow::Wrap),
        },
        search: Options {
            symmetry: alloying.symmetry.unwrap_or(defaults.symmetry),
            skolem_depth: alloying.skolem_depth.unwrap_or(defaults.skolem_depth),
            ..defaults
        },
        instances: alloying.instances.unwrap_or(check.several.count).max(1),
        evaluate: evaluate.cloned().collect(),
        why: true,
    }
}

/// A message about options that mean nothing for any of the models.
pub(crate) fn misplaced(check: &Check, files: &[ModelFiles]) -> Option<String> {
    let alloy = files.iter().filter(|files| files.is_alloy()).count();
    let (options, whose) = match alloy {
        0 => (check.alloying.given(), "SMV models or systems"),
        n if n == files.len() => (elsewhere(check), "Alloy models"),
        _ => return None,
    };
    let (first, rest) = options.split_first()?;
    let have = if rest.is_empty() { "has" } else { "have" };
    let options = rest
        .iter()
        .fold(first.to_string(), |all, option| format!("{all}, {option}"));
    Some(format!("error: {options} {have} no meaning for {whose}"))
}

/// The options that were given and mean nothing for an Alloy model.
fn elsewhere(check: &Check) -> Vec<&'static str> {
    let (effort, telling) = (&check.effort, &check.telling);
    let given = [
        (effort.engine != Default::default(), "--engine"),
        (effort.smv_dialect != Default::default(), "--smv-dialect"),
        (effort.order.is_some(), "--order"),
        (!check.internal.is_empty(), "--internal"),
        (check.several.each, "--each"),
        (!check.several.distinct_by.is_empty(), "--distinct-by"),
        (!check.choosing.strategy.is_empty(), "--strategy"),
        (check.choosing.evidence_time.is_some(), "--evidence-time"),
        (check.vars.is_some(), "--vars"),
        (!check.show.is_empty(), "--show"),
        (check.witness, "--witness"),
        (check.certificate, "--certificate"),
        (!check.environment.is_empty(), "--environment"),
        (check.evidence == EvidenceKind::Abstract, "--evidence"),
        (check.dot.is_some(), "--dot"),
        (check.itf.is_some(), "--itf"),
        (telling.view != Default::default(), "--view"),
        (telling.why.is_some(), "--why"),
        (telling.backward, "--backward"),
        (telling.start.is_some(), "--start"),
        (telling.stop.is_some(), "--stop"),
        (check.minimal != Default::default(), "--minimal"),
        (check.no_vacuity, "--no-vacuity"),
    ];
    names(&given)
}

fn names(given: &[(bool, &'static str)]) -> Vec<&'static str> {
    let given = given.iter().filter(|(given, _)| *given);
    given.map(|(_, option)| *option).collect()
}

/// The commands with a name, or with a number from 1 on.
pub(crate) fn commands(session: &AlloySession, name: &str) -> Vec<usize> {
    let commands = session.commands().iter().enumerate();
    let named = commands.filter(|(_, command)| command.label == name);
    let named: Vec<usize> = named.map(|(at, _)| at).collect();
    match named.is_empty() {
        true => session.command(name).into_iter().collect(),
        false => named,
    }
}

/// What is reported about a model.
pub(crate) fn report<'a>(
    session: &'a AlloySession,
    answers: &'a [Answer],
    seconds: Option<f64>,
) -> Report<'a> {
    Report {
        path: session.sources().file(session.file()).name(),
        model: session.model(),
        sources: session.sources(),
        answers,
        seconds,
    }
}

/// What an answer means for the exit code: what counts is what is expected.
pub(crate) fn exit_of(answer: &Answer, command: &Command, fail_on: Option<FailOn>) -> Exit {
    match &answer.outcome {
        Outcome::Refused(refused) => match refused.fault {
            Fault::Model => Exit::Model,
            Fault::Limits => Exit::Undecided,
            Fault::Mistake => Exit::Internal,
        },
        Outcome::Undecided { .. } => Exit::Undecided,
        _ if answer.as_expected(command) == Some(false) => Exit::Fails,
        _ if answer.is_vacuous(command) && fail_on == Some(FailOn::Vacuous) => Exit::Vacuous,
        _ => Exit::Good,
    }
}

fn edition(text: &str) -> Result<Edition, String> {
    match text {
        "4" | "5" => Ok(Edition::Four),
        "6" => Ok(Edition::Six),
        _ => Err("take 4 or 6".to_string()),
    }
}

fn overflow(text: &str) -> Result<Overflow, String> {
    match text {
        "wrap" => Ok(Overflow::Wrap),
        "forbid" => Ok(Overflow::Forbid),
        _ => Err("take wrap or forbid".to_string()),
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if count >= 1 => Ok(count),
        _ => Err("give a number of instances, 1 or more".to_string()),
    }
}

/// `Book=4`, `Book=exactly:4`, `Book=exactly 4`
fn scope(text: &str) -> Result<Override, String> {
    const HOW: &str = "write it as Book=4 or Book=exactly:4";
    let (name, number) = text.split_once('=').ok_or(HOW)?;
    let exact = number.trim().strip_prefix("exactly");
    let number = exact.map_or(number, |rest| rest.trim_start_matches([':', ' ']));
    let number = number.trim().parse::<i32>().ok().filter(|n| *n >= 0);
    match (name.trim(), number) {
        ("", _) | (_, None) => Err(HOW.to_string()),
        (name, Some(number)) => Ok(Override {
            name: name.to_string(),
            number,
            exactly: exact.is_some(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_read_in_both_ways() {
        let read = |text: &str| scope(text).map(|s| (s.name, s.number, s.exactly));
        assert_eq!(read("Book=4"), Ok(("Book".to_string(), 4, false)));
        assert_eq!(read("Book=exactly:4"), Ok(("Book".to_string(), 4, true)));
        assert_eq!(read("Book=exactly 4"), Ok(("Book".to_string(), 4, true)));
        for wrong in ["Book", "Book=", "=4", "Book=-1", "Book=x", "Book=exactly"] {
            assert!(scope(wrong).is_err(), "{wrong}");
        }
    }
}
