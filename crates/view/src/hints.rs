//! Commands to try next. Only commands that exist, with arguments that work.

use wherefore_evidence::{Finding, Note, UnknownReason, Vacuity, Verdict};
use wherefore_logic::{Op, PathOp, PathRule, Quantifier};
use wherefore_model::{PropertyBody, SpaceEngine};

use crate::Report;
use crate::words::{clean, sub_text};

/// A command, and what it is good for.
pub(crate) type Hint = (String, &'static str);

/// Up to four commands that go on from a screen that was shown with these options.
pub(crate) fn hints(report: &Report<'_>, full: bool, all: bool) -> Vec<Hint> {
    let mut hints = of_findings(report, full, all);
    hints.extend(ending_runs(report));
    hints
}

/// The command that counts runs that end in a deadlock, where these matter.
fn ending_runs(report: &Report<'_>) -> Option<Hint> {
    let matters = |note: &Note| match note {
        Note::NoFairState(why) => why.deadlock.is_some(),
        Note::DeadlocksMatter(_) => true,
        _ => false,
    };
    let asked = |finding: &&Finding| match &report.property(finding).body {
        PropertyBody::Query(query) => query.rule != PathRule::Maximal,
        _ => false,
    };
    let mut findings = report.findings.iter().filter(asked);
    let known = report.paths.is_none() && clean(report.path()) == report.path();
    let matter = known && findings.any(|finding| finding.notes.iter().any(matters));
    let file = format!("{}{}", quoted(report.path()), report.reading);
    let command = format!("wherefore check {file} --paths maximal");
    matter.then_some((command, "count runs that end, too"))
}

/// Commands that go on from what was found out.
fn of_findings(report: &Report<'_>, full: bool, all: bool) -> Vec<Hint> {
    // A name that cannot be printed as it is cannot be copied into a command either.
    let plain = |finding: &&Finding| {
        let property = report.property(finding);
        [report.path(), &property.name, &property.text]
            .iter()
            .all(|text| clean(text) == **text)
    };
    let first =
        |is: &dyn Fn(&Finding) -> bool| report.findings.iter().filter(plain).find(|f| is(f));
    let file = format!("{}{}", quoted(report.path()), report.reading);
    let command = |finding: &Finding, rest: &str| {
        let property = report.property(finding);
        let select = if property.span.file == report.file {
            format!("-p {}", quoted(&property.name))
        } else {
            format!("-e {}", quoted(&property.text))
        };
        format!("wherefore check {file} {select} {rest}")
    };
    let explain = |finding: &Finding| {
        let property = report.property(finding);
        let select = if property.span.file == report.file {
            quoted(&property.name)
        } else {
            format!("-e {}", quoted(&property.text))
        };
        format!("wherefore explain {file} {select}")
    };
    if let Some(finding) = first(&|f| f.verdict == Verdict::Fails && f.evidence.is_some()) {
        let dot = format!("--dot {}.dot", file_stem(&report.property(finding).name));
        let mut hints = vec![
            (explain(finding), "why, claim by claim"),
            (command(finding, "--full"), "every value at every step"),
            (command(finding, &dot), "draw it"),
        ];
        if let PropertyBody::Linear(_) = report.property(finding).body {
            hints.remove(0);
            hints[0].1 = "every value and every truth at every step";
        }
        hints.retain(|(command, _)| !(full && command.ends_with("--full")));
        return hints;
    }
    let stopped = first(&|f| matches!(f.verdict, Verdict::Unknown(UnknownReason::Stopped(_))));
    if let (Some(finding), Some(space)) = (stopped, report.space) {
        let other = match space.engine {
            SpaceEngine::Bdd => "--engine explicit",
            SpaceEngine::Explicit => "--engine bdd",
        };
        return vec![(command(finding, other), "another engine")];
    }
    let mut vacuous = report
        .findings
        .iter()
        .filter(plain)
        .filter_map(|f| never_true(report, f));
    if let Some(condition) = vacuous.next() {
        let formula = quoted(&format!("EF ({condition})"));
        return vec![(
            format!("wherefore check {file} -e {formula}"),
            "can it ever be true?",
        )];
    }
    let matters = |f: &Finding| f.vacuity == Vacuity::Matters && f.witness.is_none();
    if let Some(finding) = first(&matters) {
        return vec![(command(finding, "--witness"), "a run on which it matters")];
    }
    match first(&|f| f.verdict == Verdict::Holds && f.evidence.is_some()) {
        Some(finding) if !all => vec![(command(finding, "--all"), "the witness, step by step")],
        _ => vec![],
    }
}

/// The left side of an implication that is never true, as an expression of the whole model.
fn never_true(report: &Report<'_>, finding: &Finding) -> Option<String> {
    let property = report.property(finding);
    let (PropertyBody::Query(query), Vacuity::Vacuous { sub }) = (&property.body, &finding.vacuity)
    else {
        return None;
    };
    let formula = &query.formula;
    let Op::Path(Quantifier::Forall, PathOp::Globally(body)) = formula.op(formula.root()) else {
        return None;
    };
    match formula.op(body) {
        Op::Implies(left, right) if right == *sub && property.instance.is_empty() => {
            Some(sub_text(report, query, left)).filter(|text| clean(text) == *text)
        }
        _ => None,
    }
}

/// A name that a file can have, from the name of a property.
pub(crate) fn file_stem(name: &str) -> String {
    let letter = |c: char| {
        if c.is_ascii_alphanumeric() || "_-".contains(c) {
            c
        } else {
            '_'
        }
    };
    let stem: String = name.chars().map(letter).collect();
    let stem = stem.trim_start_matches('-');
    if stem.is_empty() {
        "evidence".to_string()
    } else {
        stem.to_string()
    }
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_only_where_a_shell_needs_it() {
        assert_eq!(quoted("a/b.smv"), "a/b.smv");
        assert_eq!(quoted("AG (it's)"), "'AG (it'\\''s)'");
    }
}
