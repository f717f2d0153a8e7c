//! Who is to blame for a failure.

use std::collections::BTreeMap;

use wherefore_base::{SourceMap, Span};
use wherefore_evidence::{
    Blame, Causes, Hinge, HingeEffect, Mend, PlacePower, Suspect, SuspectRole,
};
use wherefore_model::{ChangeKind, Term, TermId, TextChange, VarId};

use super::{Sentence, count};
use crate::Report;
use crate::page::CAUSE;
use crate::words::clean;

/// So many characters of an expression are shown beside a change.
const WIDTH: usize = 60;
/// So many lines say who is to blame, unless somebody asks for all.
const LINES: usize = 3;

/// What speaks against a place.
pub(crate) fn why(report: &Report<'_>, suspect: &Suspect) -> Sentence {
    let power = match &suspect.mend {
        Some(mend) => return mended(report, mend),
        None => match suspect.power {
            PlacePower::MendsAndKeeps => say!(
                "Another expression here can mend the property and keep every property that holds; no change that was tried here does."
            ),
            PlacePower::Mends => say!(
                "Another expression here can mend the property; no change that was tried here does."
            ),
            PlacePower::Open => {
                say!("Not excluded, and no change that was tried here mends the property.")
            }
            PlacePower::Untried => say!("The counterexample hinges on it; changes are not tried."),
        },
    };
    match &suspect.hinge {
        Some(hinge) => say!("{} {}", power, hinged(report, suspect.span, hinge)),
        None => power,
    }
}

/// "At step 2 `below` is FALSE; with TRUE, the step could not be taken."
fn hinged(report: &Report<'_>, span: Span, hinge: &Hinge) -> Sentence {
    let now: Vec<String> = hinge.now.iter().map(|&now| report.value(now)).collect();
    let now = match &now[..] {
        [one] => one.clone(),
        several => format!("one of {}", several.join(", ")),
    };
    let effect = match hinge.effect {
        HingeEffect::Start => "the run could not begin in this state",
        HingeEffect::State => "the run could not be in this state",
        HingeEffect::Step => "the next step could not be taken",
        HingeEffect::Condition => {
            "a condition of the property or of fairness would have another truth value there"
        }
    };
    let place = quoted_place(report.sources, span);
    let is = match is_branch(report, span) {
        // The value is that of the first branch whose condition is true, here or below.
        true => format!("the branches from {place} on give"),
        false => format!("{place} is"),
    };
    say!(
        "At step {} {} {}; with {}, {}.",
        hinge.at.index().to_string(),
        is,
        now,
        report.value(hinge.other),
        effect
    )
}

/// ``line 5: At step 2 `(> x 0)` is TRUE; with FALSE, the next step could not be taken.``
pub(crate) fn hinged_at_line(report: &Report<'_>, suspect: &Suspect) -> Option<Sentence> {
    let line = report.sources.place(suspect.span).line.to_string();
    let hinge = suspect.hinge.as_ref()?;
    Some(say!(
        "line {}: {}",
        line,
        hinged(report, suspect.span, hinge)
    ))
}

/// Whether a place is a branch, or several: what is written there chooses between a value and what stands below.
fn is_branch(report: &Report<'_>, span: Span) -> bool {
    let terms = &report.model.terms;
    let within = |inner: Span| span.start <= inner.start && inner.end <= span.end;
    let begins = |inner: Span| inner.start == span.start && within(inner);
    let all = (0..terms.len()).map(TermId::new);
    let mut here = all.filter(|&term| terms.span(term).is_some_and(begins));
    here.any(|mut term| {
        while let Term::Ite(_, _, otherwise) = terms.get(term) {
            if !terms.span(*otherwise).is_some_and(within) {
                return true;
            }
            term = *otherwise;
        }
        false
    })
}

/// The expression at a place in quotes; of an operator, what it joins.
pub(crate) fn quoted_place(sources: &SourceMap, span: Span) -> String {
    let text = expression(sources, span);
    match text.contains(|c: char| c.is_alphanumeric()) {
        true => format!("`{text}`"),
        false => format!("what `{text}` joins there"),
    }
}

/// The expression at a place, on one line and not too long.
pub(crate) fn expression(sources: &SourceMap, span: Span) -> String {
    let text = sources.file(span.file).text();
    let text = one_line(&text[span.start as usize..span.end as usize]);
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// ``line 44: `door = open` → `door != open` [7 of 7 hold]``, or ``line 44: a further branch `idle : open` [7 of 7 hold]``
pub(crate) fn mended(report: &Report<'_>, mend: &Mend) -> Sentence {
    if mend.change.kind == ChangeKind::Branch {
        return say!(
            "line {}: a further branch `{}` [{} of {} hold{}]",
            report.sources.place(mend.change.span).line.to_string(),
            one_line(&mend.change.text).trim_end_matches(';'),
            mend.holds.to_string(),
            mend.of.to_string(),
            cost(report, mend)
        );
    }
    let (before, after) = before_and_after(report.sources, &mend.change);
    say!(
        "line {}: `{}` → `{}` [{} of {} hold{}]",
        report.sources.place(mend.change.span).line.to_string(),
        before,
        after,
        mend.holds.to_string(),
        mend.of.to_string(),
        cost(report, mend)
    )
}

/// What a mend costs, in brackets after its verdicts.
fn cost(report: &Report<'_>, mend: &Mend) -> String {
    let properties = &report.model.properties;
    let listed = |which: &[usize]| {
        let names = which.iter().map(|&p| format!("`{}`", properties[p].name));
        names.collect::<Vec<String>>().join(", ")
    };
    let mut said = String::new();
    if !mend.breaks.is_empty() {
        said.push_str(&format!("; {} no longer", listed(&mend.breaks)));
    }
    if !mend.open.is_empty() {
        said.push_str(&format!("; {} not decided", listed(&mend.open)));
    }
    if !mend.vacuous.is_empty() {
        said.push_str(&format!("; {} vacuously", listed(&mend.vacuous)));
    }
    if mend.ends {
        said.push_str("; some runs end then");
    }
    said
}

/// The lines that say who is to blame: the first changes that mend the property at no cost, then places that can mend it.
pub(crate) fn lines(report: &Report<'_>, blame: &Blame) -> Vec<Sentence> {
    let mends = blame.mends();
    let free = mends.filter(|(suspect, _)| suspect.role == SuspectRole::Mends);
    let free = free.map(|(_, mend)| mended(report, mend));
    let able = able(blame).map(|suspect| can_mend(report, suspect));
    free.chain(able).take(LINES).collect()
}

/// The places that can mend the property though no change that was tried there does, those that can keep the others first.
pub(crate) fn able(blame: &Blame) -> impl Iterator<Item = &Suspect> {
    let of = |power: PlacePower| {
        let all = blame.suspects.iter();
        all.filter(move |suspect| suspect.mend.is_none() && suspect.power == power)
    };
    of(PlacePower::MendsAndKeeps).chain(of(PlacePower::Mends))
}

/// ``line 44: another expression for `door = open` can mend it``, or ``line 44: another branch for `door = open : closed` ...``
fn can_mend(report: &Report<'_>, suspect: &Suspect) -> Sentence {
    let keeps = match suspect.power {
        PlacePower::MendsAndKeeps => " and keep what holds",
        PlacePower::Mends | PlacePower::Open | PlacePower::Untried => "",
    };
    let other = match is_branch(report, suspect.span) {
        true => "branch",
        false => "expression",
    };
    say!(
        "line {}: another {} for {} can mend it{}",
        report.sources.place(suspect.span).line.to_string(),
        other,
        quoted_place(report.sources, suspect.span),
        keeps
    )
}

/// The same, with the point at which the counterexample hinges on the place.
pub(crate) fn can_mend_and_why(report: &Report<'_>, suspect: &Suspect) -> Sentence {
    let place = can_mend(report, suspect);
    match &suspect.hinge {
        Some(hinge) => say!("{}. {}", place, hinged(report, suspect.span, hinge)),
        None => place,
    }
}

/// The lines of which nobody knows, and whether all others are known not to mend.
pub(crate) fn others(report: &Report<'_>, blame: &Blame) -> Vec<Sentence> {
    let lines = other_lines(report.sources, blame);
    let mut said: Vec<Sentence> = Vec::new();
    said.extend(lines.map(|lines| {
        say!(
            "{}: not excluded, and no change that was tried there mends the property",
            lines
        )
    }));
    for &(first, second) in &blame.pairs {
        said.push(say!(
            "{} and {} can mend it together, neither can alone",
            line_and_text(report.sources, first, blame),
            line_and_text(report.sources, second, blame)
        ));
    }
    if blame.no_others {
        said.push(match blame.suspects.is_empty() {
            true => say!(
                "no single place can mend it: whatever one expression is replaced with, the property fails or runs end"
            ),
            false => say!(
                "no other single place can mend it: whatever stands there, the property fails or runs end"
            ),
        });
    }
    said
}

/// ``line 5: `FALSE` ``, with its column where the pairs have another place that looks the same.
fn line_and_text(sources: &SourceMap, span: Span, blame: &Blame) -> String {
    let text = expression(sources, span);
    let line = sources.place(span).line;
    let mut places = blame
        .pairs
        .iter()
        .flat_map(|&(first, second)| [first, second]);
    let alike = places.any(|other| {
        other != span && sources.place(other).line == line && expression(sources, other) == text
    });
    match alike {
        true => format!(
            "line {line}, column {}: `{text}`",
            sources.place(span).column
        ),
        false => format!("line {line}: `{text}`"),
    }
}

/// The lines of which nobody knows: "lines 3, 5, the likeliest first".
fn other_lines(sources: &SourceMap, blame: &Blame) -> Option<String> {
    let others = blame
        .suspects
        .iter()
        .filter(|suspect| suspect.mend.is_none() && suspect.power == PlacePower::Open);
    let numbers = others.map(|suspect| sources.place(suspect.span).line);
    let listed: Vec<String> = numbers.map(|number| number.to_string()).collect();
    let lines = listed_lines(&listed)?;
    Some(match &listed[..] {
        [_] => lines,
        _ => format!("{lines}, the likeliest first"),
    })
}

/// "line 3", or "lines 3, 5".
pub(crate) fn listed_lines(numbers: &[String]) -> Option<String> {
    match numbers {
        [] => None,
        [line] => Some(format!("line {line}")),
        lines => Some(format!("lines {}", lines.join(", "))),
    }
}

/// What was tried, what was not, and why.
pub(crate) fn search(blame: &Blame) -> Sentence {
    let depends = "no step of the counterexample depends on their places";
    tried(blame, depends)
}

/// What was tried, and what was not; `excluded` says why changes were left out.
pub(crate) fn tried(blame: &Blame, excluded: &str) -> Sentence {
    let changes = |n: usize| count(n, "change");
    if blame.hinges_only {
        return match blame.excluded {
            0 => say!("no changes are tried in this language"),
            1 => say!(
                "1 condition is excluded: whatever it says, the run stays one; no changes are tried in this language"
            ),
            n => say!(
                "{} conditions are excluded: whatever one of them says, the run stays one; no changes are tried in this language",
                n.to_string()
            ),
        };
    }
    if blame.tried + blame.excluded + blame.untried == 0 {
        return say!("no change of the text was tried");
    }
    let mut said = say!("{} tried", changes(blame.tried));
    if blame.excluded > 0 {
        said = say!(
            "{}; {} left out, since {}",
            said,
            blame.excluded.to_string(),
            excluded
        );
    }
    if blame.untried > 0 {
        said = say!(
            "{}; {} not tried, since the effort was spent",
            said,
            blame.untried.to_string()
        );
    }
    said
}

/// What the marks before values mean.
pub(crate) fn legend(causes: &Causes) -> Sentence {
    if causes.pairs.is_empty() {
        return say!("the failure depends on no value of the run");
    }
    match causes.exact {
        true => say!(
            "{} the failure depends on this value: with another one here, perhaps together with others elsewhere, the run would not refute the property",
            CAUSE
        ),
        false => say!(
            "{} the failure may depend on this value, by an approximation: a proof that the run refutes the property rests on it",
            CAUSE
        ),
    }
}

/// The values that a failure depends on, variable by variable: "`floor` at steps 3 and 4".
pub(crate) fn causes(report: &Report<'_>, causes: &Causes) -> Option<Sentence> {
    let mut steps: BTreeMap<VarId, Vec<usize>> = BTreeMap::new();
    for &(at, var) in &causes.pairs {
        steps.entry(var).or_default().push(at.index());
    }
    let each = steps.into_iter().map(|(var, steps)| {
        let listed: Vec<String> = steps.iter().map(usize::to_string).collect();
        let noun = if listed.len() == 1 { "step" } else { "steps" };
        format!("`{}` at {noun} {}", report.name(var), listed.join(", "))
    });
    let each: Vec<String> = each.collect();
    let depends = match causes.exact {
        true => "the failure depends on the values of",
        false => "by an approximation, the failure depends on the values of",
    };
    (!each.is_empty()).then(|| say!("{} {}", depends, each.join("; ")))
}

/// Said where no property fails.
pub(crate) fn nothing_fails(asked: usize) -> Sentence {
    match asked {
        0 => say!("there is no property that could fail"),
        1 => say!("the property holds: nothing is to blame"),
        _ => say!("no property fails: nothing is to blame"),
    }
}

/// Said where no command is to be mended.
pub(crate) fn all_as_expected(asked: usize) -> Sentence {
    match asked {
        0 => say!("the model has no commands"),
        1 => say!("the command comes out as expected: nothing is to blame"),
        _ => say!("every command comes out as expected: nothing is to blame"),
    }
}

/// The lines of a text that a change is about.
pub(crate) struct ChangedLines {
    /// The number of the first one.
    pub(crate) from: usize,
    /// The lines as they are.
    pub(crate) before: Vec<String>,
    /// The lines with the change.
    pub(crate) after: Vec<String>,
}

/// The lines that a mend changes.
pub(crate) fn changed_lines(sources: &SourceMap, change: &TextChange) -> ChangedLines {
    let text = sources.file(change.span.file).text();
    let (start, end) = (change.span.start as usize, change.span.end as usize);
    let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let to = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let lines = |text: &str| text.lines().map(str::to_string).collect();
    let after = [&text[from..start], &change.text, &text[end..to]].concat();
    ChangedLines {
        from: sources.place(change.span).line,
        before: lines(&text[from..to]),
        after: lines(&after),
    }
}

/// An expression as it is and with a change; of a long one what is near the change.
pub(crate) fn before_and_after(sources: &SourceMap, change: &TextChange) -> (String, String) {
    let text = sources.file(change.span.file).text();
    let whole = change.place.to(change.span);
    let long = |span: Span| (span.end - span.start) as usize > WIDTH;
    let shown = if long(whole) {
        near(text, change.span)
    } else {
        whole
    };
    let slice = |from: u32, to: u32| &text[from as usize..to as usize];
    let before = slice(shown.start, shown.end).to_owned();
    let after = [
        slice(shown.start, change.span.start),
        &change.text,
        slice(change.span.end, shown.end),
    ];
    (one_line(&before), one_line(&after.concat()))
}

/// The words right before and after a change, on its lines.
fn near(text: &str, span: Span) -> Span {
    let (start, end) = (span.start as usize, span.end as usize);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let before = text[line_start..start].trim_end();
    let mut from = before
        .rfind(char::is_whitespace)
        .map_or(line_start, |at| line_start + at + 1);
    let after = text[end..line_end].trim_start();
    let skipped = line_end - end - after.len();
    let to = end + skipped + after.find([' ', '\t', ';']).unwrap_or(after.len());
    // Two words before the sign of an operator say more than one.
    if let Some(at) = text[line_start..from].trim_end().rfind(char::is_whitespace) {
        from = from.min(line_start + at + 1);
    }
    Span::new(span.file, from, to.max(end))
}

fn one_line(text: &str) -> String {
    clean(&text.split_whitespace().collect::<Vec<_>>().join(" ")).to_string()
}
