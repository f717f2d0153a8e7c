//! Abstract runs in words: what each position has in common, how many runs there are, or why there is
//! no abstract form.

use wherefore_base::Value;
use wherefore_evidence::{
    AbstractOptions, AbstractPosition, AbstractRun, Abstracted, NoAbstract, Replay, Split, Width,
};
use wherefore_logic::Goal;
use wherefore_model::{Query, VarId};

use super::phrases::replay_text;
use super::{Sentence, evidence_noun, formula as quoted};
use crate::Report;
use crate::words::{clean, count, sub_text};

/// Models with no more variables than this get every value at every position.
const FEW_VARIABLES: usize = 8;
/// So many names of variables that do not matter are told.
const FEW_NAMES: usize = 6;
/// Numbers with more digits are told by their first ones.
const MANY_DIGITS: usize = 60;

/// A position in words.
pub(crate) struct AbstractLine {
    /// What tells its states from the other reachable ones.
    pub(crate) formula: String,
    /// How many states it has.
    pub(crate) states: String,
    /// Variables that do not matter there.
    pub(crate) free: String,
}

/// An abstract run, or why there is none, as the lines of a table and sentences around it.
pub(crate) struct AbstractTable {
    /// What it stands for, or why there is none.
    pub(crate) lead: Sentence,
    /// What was re-checked.
    pub(crate) badge: Option<Sentence>,
    /// What the formulas are relative to.
    pub(crate) notes: Vec<&'static str>,
    /// The positions.
    pub(crate) lines: Vec<AbstractLine>,
}

/// Puts the outcome of a wish for an abstract run in words.
pub(crate) fn told(
    report: &Report<'_>,
    query: &Query,
    abstracted: &Abstracted,
    full: bool,
) -> AbstractTable {
    let sentence = |lead: Sentence| AbstractTable {
        lead,
        badge: None,
        notes: vec![],
        lines: vec![],
    };
    match abstracted {
        Abstracted::None(why) => sentence(say!(
            "there is no abstract form: {}",
            reason(report, query, *why)
        )),
        Abstracted::Stopped(stop) => sentence(say!(
            "the abstract form was not worked out, since {}",
            stop.to_string()
        )),
        Abstracted::Run(run) => match &run.replay {
            Replay::Failed(why) => sentence(say!(
                "the abstract form found is wrong and not shown: {}",
                clean(why)
            )),
            replay => run_told(report, run, replay, full),
        },
    }
}

fn run_told(report: &Report<'_>, run: &AbstractRun, replay: &Replay, full: bool) -> AbstractTable {
    let full = full || report.seen_vars(false).count() <= FEW_VARIABLES;
    let mut notes = vec!["each line tells its states from the other reachable ones"];
    let mut lines = Vec::new();
    let mut shortened = false;
    for (at, position) in run.positions.iter().enumerate() {
        let before = at.checked_sub(1).filter(|_| !full);
        let before = before.map_or(&[][..], |before| &run.positions[before].common);
        shortened |= position.common.iter().any(|fixed| before.contains(fixed));
        lines.push(AbstractLine {
            formula: formula(report, position, before),
            states: position.states.to_string(),
            free: names(report, &position.free, full),
        });
    }
    if shortened {
        notes.push("what stays as in the line before is left out; --full shows it");
    }
    AbstractTable {
        lead: lead(run),
        badge: Some(match replay {
            Replay::Failed(_) => replay_text(&Replay::NotDone),
            replay => replay_text(replay),
        }),
        notes,
        lines,
    }
}

/// `stands for 2 counterexamples of 2 steps: all shortest ones`
fn lead(run: &AbstractRun) -> Sentence {
    let noun = evidence_noun(run.claim.holds);
    let plural = match run.claim.holds {
        true => "witnesses",
        false => "counterexamples",
    };
    let length = match run.steps() {
        0 => "of one state".to_string(),
        steps => format!("of {}", count(steps, "step")),
    };
    let runs = run.runs.as_ref().map(ToString::to_string);
    let one = runs.as_deref() == Some("1");
    let number = match runs {
        Some(_) if one => format!("1 {noun}"),
        Some(runs) => format!("{} {plural}", digits(&runs)),
        None => format!("{plural}, not counted since that takes too much,"),
    };
    let which = match run.options {
        AbstractOptions {
            split: Split::Both,
            width: Width::All,
        } if one => "the only shortest one".to_string(),
        AbstractOptions {
            split: Split::Both,
            width: Width::All,
        } => "all shortest ones".to_string(),
        AbstractOptions {
            split,
            width: Width::All,
        } => format!("of the shortest ones those that {}", takes(split)),
        AbstractOptions {
            split: Split::Both,
            width: Width::One,
        } => "of the shortest ones the one that takes the least state each time".to_string(),
        AbstractOptions {
            split,
            width: Width::One,
        } => format!(
            "of the shortest ones that {} the one that takes the least state each time",
            takes(split)
        ),
    };
    say!("stands for {} {}: {}", number, length, which)
}

fn takes(split: Split) -> &'static str {
    match split {
        Split::Both => "go every way",
        Split::Left => "go the first way wherever there are several",
        Split::Right => "go the last way wherever there are several",
        Split::Simpler => "go the way with the smaller formula wherever there are several",
    }
}

/// A number, or, if it is very long, how it starts and how long it is.
fn digits(digits: &str) -> String {
    if digits.len() <= MANY_DIGITS {
        return digits.to_string();
    }
    let (first, rest) = digits.split_at(1);
    format!("{first}.{}e{} (exactly in JSON)", &rest[..5], rest.len())
}

/// Why there is no abstract form, as the end of a sentence.
pub(crate) fn reason(report: &Report<'_>, query: &Query, why: NoAbstract) -> Sentence {
    let claim = |goal: Goal| {
        let is = if goal.holds { "holds" } else { "is false" };
        say!("that {} {}", quoted(sub_text(report, query, goal.sub)), is)
    };
    match why {
        NoAbstract::EveryPath(goal) => {
            say!(
                "{} is about every path, and one run does not show it",
                claim(goal)
            )
        }
        NoAbstract::ForEver(goal) => {
            say!("{} may take a run that never ends", claim(goal))
        }
        NoAbstract::SeveralRuns(goal) => {
            say!("{} may take several runs that part", claim(goal))
        }
        NoAbstract::OnTheWay(goal) => say!(
            "{} must be shown at every state on the way, each time with a run of its own",
            claim(goal)
        ),
        NoAbstract::LongBounds(goal, most) => say!(
            "{} is about more than {} steps, and a bounded operator is unfolded step by step",
            claim(goal),
            most
        ),
        NoAbstract::TooLong(most) => {
            say!("the shortest runs have more than {} steps", most)
        }
        NoAbstract::TooManyStages => "too many parts of the property are open at once".into(),
    }
}

/// What tells the states of a position from the other reachable ones; what all of them have in common
/// is told once and first, except what `before` says already.
pub(crate) fn formula(
    report: &Report<'_>,
    position: &AbstractPosition,
    before: &[(VarId, Value)],
) -> String {
    let fixed = |var: VarId| position.common.iter().any(|(other, _)| *other == var);
    let told = position.common.iter().filter(|fact| !before.contains(fact));
    let mut parts: Vec<String> = told
        .filter_map(|&(var, value)| condition(report, var, &[value]))
        .collect();
    let cubes = position.cover.cubes.iter().map(|cube| {
        let own = cube.values.iter().filter(|(var, _)| !fixed(*var));
        let own: Vec<_> = own
            .filter_map(|(var, v)| condition(report, *var, v))
            .collect();
        own.join(" & ")
    });
    let mut distinct: Vec<String> = Vec::new();
    for cube in cubes {
        if !distinct.contains(&cube) {
            distinct.push(cube);
        }
    }
    let mut cubes = distinct;
    if !position.cover.complete {
        cubes.push("other states".to_string());
    }
    match &cubes[..] {
        cubes if cubes.iter().any(String::is_empty) => {}
        [one] => parts.push(one.clone()),
        _ => {
            let cubes = cubes.iter().map(|cube| match cube.contains(" & ") {
                true => format!("({cube})"),
                false => cube.clone(),
            });
            let any = cubes.collect::<Vec<_>>().join(" | ");
            parts.push(match parts.is_empty() {
                true => any,
                false => format!("({any})"),
            });
        }
    }
    match parts.is_empty() {
        true if before.is_empty() => "every reachable state".to_string(),
        true => "as before".to_string(),
        false => parts.join(" & "),
    }
}

/// `x = 1`, `x in {1, 2}`; of a truth value `b` or `!b`; `None`: that is not shown.
fn condition(report: &Report<'_>, var: VarId, values: &[Value]) -> Option<String> {
    if !report.model.vars[var].is_declared() {
        return report.undeclared(var, values);
    }
    let name = report.name(var);
    Some(match values {
        [Value::Bool(true)] => name,
        [Value::Bool(false)] => format!("!{name}"),
        [value] => format!("{name} = {}", report.value(*value)),
        _ => {
            let values: Vec<_> = values.iter().map(|&v| report.value(v)).collect();
            format!("{name} in {{{}}}", values.join(", "))
        }
    })
}

fn names(report: &Report<'_>, vars: &[VarId], full: bool) -> String {
    let most = if full { usize::MAX } else { FEW_NAMES };
    let seen = |var: &&VarId| report.model.vars[**var].is_declared();
    let vars: Vec<VarId> = vars.iter().filter(seen).copied().collect();
    let mut names: Vec<String> = vars.iter().take(most).map(|&v| report.name(v)).collect();
    if vars.len() > names.len() {
        names.push(format!("{} more", vars.len() - names.len()));
    }
    names.join(", ")
}
