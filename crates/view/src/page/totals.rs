//! How many answers there are, and how they came out.

use wherefore_alloy::answer::{AlloyAnswer, CommandOutcome, Facts};
use wherefore_alloy::model::Command;

use super::{PageFact, Title};
use crate::Report;
use crate::alloy::AlloyReport;
use crate::layout::{Ink, VariableRole};
use crate::phrases::up_to;
use crate::report::Counts;
use crate::sentences;
use crate::words::{clean, count};

/// `3 properties`, and how many of them came out which way.
pub(crate) fn of_properties(counts: Counts) -> (String, Vec<Ink>) {
    let total = match counts.hold + counts.vacuous + counts.fail + counts.undecided {
        1 => "1 property".to_string(),
        n => format!("{n} properties"),
    };
    let holds = |n: usize| if n == 1 { "holds" } else { "hold" };
    let fails = if counts.fail == 1 { "FAILS" } else { "FAIL" };
    let vacuously = format!("{} vacuously", holds(counts.vacuous));
    let tally = [
        (
            counts.hold,
            VariableRole::Good,
            holds(counts.hold).to_string(),
        ),
        (counts.vacuous, VariableRole::Warn, vacuously),
        (counts.fail, VariableRole::Bad, fails.to_string()),
        (
            counts.undecided,
            VariableRole::Warn,
            "undecided".to_string(),
        ),
    ];
    let tally = tally.into_iter().filter(|(n, ..)| *n > 0);
    let tally = tally.map(|(n, role, word)| Ink::new(role, format!("{n} {word}")));
    (total, tally.collect())
}

/// How many commands there are, and what came of them.
pub(crate) fn of_commands(report: &AlloyReport<'_>) -> Title {
    let mut tally = tally(report);
    let seconds = report.seconds;
    tally.extend(seconds.map(|seconds| Ink::new(VariableRole::Dim, format!("{seconds:.2} s"))));
    Title {
        path: clean(report.path),
        total: count(report.answers.len(), "command"),
        tally,
    }
}

/// How many commands came out how.
fn tally(report: &AlloyReport<'_>) -> Vec<Ink> {
    let of = |wanted: &dyn Fn(&AlloyAnswer, &Command) -> bool| {
        let answers = report.answers.iter();
        let wanted = answers.filter(|answer| wanted(answer, report.command(answer)));
        wanted.count()
    };
    let found = |check: bool, found: bool| {
        of(&|answer, command| command.check == check && answer.satisfiable() == Some(found))
    };
    let bugs = |found: Option<bool>| {
        of(&|answer, command| answer.is_real_bug(command) && answer.satisfiable() == found)
    };
    let refused = of(&|answer, _| matches!(answer.outcome, CommandOutcome::Refused(_)));
    let undecided = of(&|answer, _| matches!(answer.outcome, CommandOutcome::Undecided { .. }));
    let vacuous = of(&|answer, _| answer.facts == Facts::Inconsistent);
    let unexpected = of(&|answer, command| answer.as_expected(command) == Some(false));
    let beyond = "with a REAL BUG beyond the scope";
    let tally = [
        (found(false, true), VariableRole::Plain, "with an instance"),
        (
            found(false, false),
            VariableRole::Plain,
            "without an instance",
        ),
        (
            found(true, true),
            VariableRole::Plain,
            "with a counterexample",
        ),
        (
            found(true, false),
            VariableRole::Plain,
            "without a counterexample",
        ),
        (refused, VariableRole::Bad, "not answered"),
        (undecided, VariableRole::Warn, "undecided"),
        (vacuous, VariableRole::Warn, "with inconsistent facts"),
        (bugs(None), VariableRole::Bad, "with a REAL BUG"),
        (bugs(Some(false)), VariableRole::Bad, beyond),
        (unexpected, VariableRole::Bad, "NOT AS EXPECTED"),
    ];
    let tally = tally.into_iter().filter(|(n, ..)| *n > 0);
    tally
        .map(|(n, role, word)| Ink::new(role, format!("{n} {word}")))
        .collect()
}

/// How large the model is, and what looked at it.
pub(crate) fn facts(report: &Report<'_>) -> Vec<PageFact> {
    let fact = |text: String, lasting: bool| PageFact { text, lasting };
    let Some(space) = report.space else {
        return vec![];
    };
    let states = match space.states.to_string().as_str() {
        "1" => "1 state".to_string(),
        n => format!("{n} states"),
    };
    let transitions = space.transitions.map(|n| {
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        fact(sentences::count(n, "transition").to_string(), false)
    });
    let seconds = report.seconds;
    let seconds = seconds.map(|seconds| fact(format!("{seconds:.2} s"), false));
    let states = fact(format!("{states}{}", up_to(space)), true);
    let engine = fact(format!("engine {}", space.engine), true);
    let facts = [Some(states), transitions, Some(engine), seconds];
    facts.into_iter().flatten().collect()
}
