//! Why there is nothing that a property could be false of, and what becomes of it where runs that end count.

use wherefore_evidence::{Deadlocked, Finding, NoRun, UnmetFairness};

use wherefore_logic::PathRule;

use super::{Sentence, count, formula};
use crate::Report;

/// Why a run goes on everywhere, under a rule.
pub(crate) fn total(rule: PathRule) -> &'static str {
    match rule {
        PathRule::Maximal => "every run goes on, or ends in a deadlock",
        _ => "every state has a successor",
    }
}

/// Why a property holds where there is nothing that it could be false of.
const NO_START: &str = "only because there is no initial state";

/// Why a property holds, if there is nothing that it could be false of.
pub(crate) fn of_nothing_text(report: &Report<'_>, finding: &Finding) -> Option<Sentence> {
    if report.holds_without_start(finding) {
        return Some(NO_START.into());
    }
    let why = finding.holds_without_run()?;
    Some(say!("only because {}", no_run(report, why)))
}

/// That the verdict is another one where runs that end count.
pub(crate) fn deadlocks_matter(holds: bool) -> Sentence {
    let verb = if holds { "holds" } else { "fails" };
    say!(
        "it {} if runs that end in a deadlock count, too (--paths maximal)",
        verb
    )
}

/// Why no run counts.
pub(crate) fn no_run(report: &Report<'_>, why: NoRun) -> Sentence {
    let deadlock = why.deadlock.map(|deadlock| match deadlock {
        Deadlocked::Only(steps) => say!("deadlock at step {}", steps),
        Deadlocked::Nearest(steps) => say!("nearest deadlock at step {}", steps),
        Deadlocked::Within(steps) => {
            say!(
                "every run ends after {} at most",
                count(steps as usize, "step")
            )
        }
    });
    let fairness = &report.model.fairness;
    let unmet = match why.unfair {
        None => {
            return match deadlock {
                Some(deadlock) => say!("no run goes on for ever: {}", deadlock),
                None => "no run goes on for ever".into(),
            };
        }
        Some(UnmetFairness::Justice(at)) => match fairness.justice.get(at) {
            Some(&condition) => say!(
                "no run comes to {} again and again",
                formula(report.fairness_text(condition))
            ),
            None => NOT_ALL_MET.into(),
        },
        Some(UnmetFairness::Compassion(at)) => match fairness.compassion.get(at) {
            Some(&(p, q)) => say!(
                "every run that goes on for ever comes to {} again and again, but not to {}",
                formula(report.term(p)),
                formula(report.term(q))
            ),
            None => NOT_ALL_MET.into(),
        },
        Some(UnmetFairness::Together) => NOT_ALL_MET.into(),
    };
    match deadlock {
        Some(deadlock) => say!("there is no fair run: {}; {}", unmet, deadlock),
        None => say!("there is no fair run: {}", unmet),
    }
}

/// That no run meets all fairness constraints.
const NOT_ALL_MET: &str = "no run meets all fairness constraints";
