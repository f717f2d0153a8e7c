//! Where the values come from that a failure depends on.

use std::collections::BTreeMap;

use wherefore_base::{Span, Value};
use wherefore_evidence::{Evidence, OccurrenceId, SlicePart, SliceRole, SliceValue};
use wherefore_model::VarId;

use super::to_blame::expression;
use super::{Sentence, list};
use crate::Report;

/// So many conditions are told of each expression.
const REASONS: usize = 4;
/// So many expressions are told of each value beside the one that gave it.
const PARTS: usize = 6;

/// ``step 3: `floor` is 1, given by line 60: `TRUE : floor`; it rests on `floor` and `door` at step 2``
pub(crate) fn value(report: &Report<'_>, evidence: &Evidence, of: &SliceValue) -> Sentence {
    let shown = report.value(evidence.occurrences[of.at].values[of.var.index()]);
    let place = of.at.index().to_string();
    let mut said = say!("step {}: `{}` is {}", place, report.name(of.var), shown);
    let giving = giving(of).map(|at| &of.parts[at]);
    if of.free {
        said = say!("{}; the text says nothing of it there", said);
    } else if let Some(part) = giving {
        let given = part_text(report, part);
        said = match (part.role, reasons(report, part)) {
            (SliceRole::Gave, Some(since)) => say!("{}, given by {}, since {}", said, given, since),
            (SliceRole::Gave, None) => say!("{}, given by {}", said, given),
            _ => say!("{}, as {} requires", said, given),
        };
    }
    let allowed: Vec<String> = of
        .allowed
        .iter()
        .map(|&other| report.value(other))
        .collect();
    if !allowed.is_empty() && !of.free {
        said = say!("{}; the text allows {}, too", said, listed(allowed));
    }
    match sources(report, &of.rests_on) {
        Some(sources) => say!("{}; it rests on {}", said, sources),
        None => said,
    }
}

/// The expressions that kept the value from being another one.
pub(crate) fn parts(report: &Report<'_>, of: &SliceValue) -> Vec<Sentence> {
    let giving = giving(of);
    let others = of.parts.iter().enumerate();
    let others = others.filter(|(at, _)| Some(*at) != giving);
    let others: Vec<&SlicePart> = others.map(|(_, part)| part).collect();
    let mut said: Vec<Sentence> = Vec::new();
    for part in others.iter().take(PARTS) {
        let text = part_text(report, part);
        let did = match part.role {
            SliceRole::NotTaken => "is not taken",
            SliceRole::Taken => "is taken",
            SliceRole::Gave => "gives it, too",
            SliceRole::Required => "requires it, too",
            SliceRole::Allowed => "allows it",
        };
        said.push(match reasons(report, part) {
            Some(since) if part.role != SliceRole::Required => {
                say!("{} {}, since {}", text, did, since)
            }
            _ => say!("{} {}", text, did),
        });
    }
    let more = others.len().saturating_sub(PARTS);
    if more > 0 {
        said.push(say!("and {} more", more.to_string()));
    }
    said
}

/// Which of the expressions gave the value.
fn giving(of: &SliceValue) -> Option<usize> {
    let first = |role: SliceRole| of.parts.iter().position(|part| part.role == role);
    first(SliceRole::Gave).or_else(|| first(SliceRole::Required))
}

fn part_text(report: &Report<'_>, part: &SlicePart) -> Sentence {
    let line = report.sources.place(part.span).line.to_string();
    say!("line {}: `{}`", line, expression(report.sources, part.span))
}

/// "`door = open` is FALSE and `btn1.r` (line 33) is FALSE"
fn reasons(report: &Report<'_>, part: &SlicePart) -> Option<Sentence> {
    let line = |span: Span| report.sources.place(span).line;
    let here = line(part.span);
    let told = part.since.iter().take(REASONS).map(|&(span, truth)| {
        let text = expression(report.sources, span);
        let place = match line(span) {
            there if there == here => String::new(),
            there => format!(" (line {there})"),
        };
        format!("`{text}`{place} is {}", report.value(Value::Bool(truth)))
    });
    let mut told: Vec<String> = told.collect();
    if part.since.len() > REASONS {
        told.push(format!(
            "{} more are as they are",
            part.since.len() - REASONS
        ));
    }
    (!told.is_empty()).then(|| listed(told))
}

/// "`floor` and `door` at step 2"
fn sources(report: &Report<'_>, of: &[(OccurrenceId, VarId)]) -> Option<Sentence> {
    let mut steps: BTreeMap<OccurrenceId, Vec<String>> = BTreeMap::new();
    let declared = of
        .iter()
        .filter(|(_, var)| report.model.vars[*var].is_declared());
    for &(at, var) in declared {
        let names = steps.entry(at).or_default();
        names.push(format!("`{}`", report.name(var)));
    }
    let each = steps
        .into_iter()
        .map(|(at, names)| say!("{} at step {}", listed(names), at.index().to_string()));
    let each: Vec<Sentence> = each.collect();
    (!each.is_empty()).then(|| list(&each))
}

/// "a, b and c"
fn listed(texts: Vec<String>) -> Sentence {
    let texts: Vec<Sentence> = texts.into_iter().map(Sentence::from).collect();
    list(&texts)
}
