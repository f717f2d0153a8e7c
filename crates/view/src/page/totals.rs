//! How many answers there are, and how they came out.

use wherefore_alloy::answer::{Answer, Facts, Outcome};
use wherefore_alloy::model::Command;

use super::Title;
use crate::alloy::Report;
use crate::layout::{Ink, Role};
use crate::report::Counts;
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
        (counts.hold, Role::Good, holds(counts.hold).to_string()),
        (counts.vacuous, Role::Warn, vacuously),
        (counts.fail, Role::Bad, fails.to_string()),
        (counts.undecided, Role::Warn, "undecided".to_string()),
    ];
    let tally = tally.into_iter().filter(|(n, ..)| *n > 0);
    let tally = tally.map(|(n, role, word)| Ink::new(role, format!("{n} {word}")));
    (total, tally.collect())
}

/// How many commands there are, and what came of them.
pub(crate) fn of_commands(report: &Report<'_>) -> Title {
    let mut tally = tally(report);
    let seconds = report.seconds;
    tally.extend(seconds.map(|seconds| Ink::new(Role::Dim, format!("{seconds:.2} s"))));
    Title {
        path: clean(report.path),
        total: count(report.answers.len(), "command"),
        tally,
    }
}

/// How many commands came out how.
fn tally(report: &Report<'_>) -> Vec<Ink> {
    let of = |wanted: &dyn Fn(&Answer, &Command) -> bool| {
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
    let refused = of(&|answer, _| matches!(answer.outcome, Outcome::Refused(_)));
    let undecided = of(&|answer, _| matches!(answer.outcome, Outcome::Undecided { .. }));
    let vacuous = of(&|answer, _| answer.facts == Facts::Inconsistent);
    let unexpected = of(&|answer, command| answer.as_expected(command) == Some(false));
    let beyond = "with a REAL BUG beyond the scope";
    let tally = [
        (found(false, true), Role::Plain, "with an instance"),
        (found(false, false), Role::Plain, "without an instance"),
        (found(true, true), Role::Plain, "with a counterexample"),
        (found(true, false), Role::Plain, "without a counterexample"),
        (refused, Role::Bad, "not answered"),
        (undecided, Role::Warn, "undecided"),
        (vacuous, Role::Warn, "with inconsistent facts"),
        (bugs(None), Role::Bad, "with a REAL BUG"),
        (bugs(Some(false)), Role::Bad, beyond),
        (unexpected, Role::Bad, "NOT AS EXPECTED"),
    ];
    let tally = tally.into_iter().filter(|(n, ..)| *n > 0);
    tally
        .map(|(n, role, word)| Ink::new(role, format!("{n} {word}")))
        .collect()
}
