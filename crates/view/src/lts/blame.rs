//! Which transitions are to blame for a failure.

use std::collections::BTreeMap;

use wherefore_base::Span;
use wherefore_evidence::{
    Blame, Finding, Mend, OccurrenceId, PlacePower, Suspect, SuspectRole, Verdict,
};
use wherefore_wire::{
    BlameSearchDoc, GuaranteeName, MendDoc, SuspectDoc, SuspectEndDoc, SuspectName, TextEditDoc,
};

use super::LtsReport;
use crate::layout::Ink;
use crate::page::to_blame::diff;
use crate::page::{
    Inline, NO_EVIDENCE, Page, PageAnswer, PageBlock, PageItem, Status, Title, undecided,
};
use crate::phrases::shape_text;
use crate::sentences::Sentence;
use crate::sentences::to_blame::{ChangedLines, nothing_fails};
use crate::words::{clean, count};

/// So many lines say who is to blame, unless somebody asks for all.
const LINES: usize = 3;
/// So many steps of a counterexample are told with their transitions.
const STEPS: usize = 40;

/// The first changes that mend a failure at no cost. Those after which several labels are never taken are left to those who ask, and
/// so are those after which one is, if there are others.
pub(crate) fn blocks(report: &LtsReport<'_>, blame: &Blame) -> Vec<PageBlock> {
    let free = blame.mends();
    let free =
        free.filter(|(suspect, mend)| suspect.role == SuspectRole::Mends && mend.loses.len() <= 1);
    let mut best: Vec<(&Suspect, &Mend)> = free.take(LINES).collect();
    if best.first().is_some_and(|(_, mend)| mend.loses.is_empty()) {
        best.retain(|(_, mend)| mend.loses.is_empty());
    }
    let items: Vec<PageItem> = best
        .into_iter()
        .map(|(suspect, mend)| {
            let line = mended(report, suspect, mend).to_string();
            PageItem {
                head: Ink::plain("     "),
                text: Ink::plain(line.as_str()),
                hang: 7,
                depth: 0,
                document: Inline::prose(line),
            }
        })
        .collect();
    if items.is_empty() {
        return Vec::new();
    }
    vec![
        PageBlock::sentence(say!("To blame:")),
        PageBlock::List(items),
    ]
}

/// Everything that is known about who is to blame for the failures; `only`: of the mends of each failure the one with this
/// number, from 1.
pub(crate) fn page(report: &LtsReport<'_>, only: Option<usize>) -> Page {
    let findings = report.findings.iter();
    // What holds needs no mend.
    let open = findings.filter(|finding| finding.verdict != Verdict::Holds);
    let answers: Vec<PageAnswer> = open.map(|finding| answer(report, finding, only)).collect();
    let end = match answers.is_empty() {
        true => vec![PageBlock::sentence(nothing_fails(report.findings.len()))],
        false => vec![],
    };
    Page {
        title: Title {
            path: clean(report.path),
            ..Title::default()
        },
        answers: (!answers.is_empty()).then_some(answers),
        end,
        ..Page::default()
    }
}

fn answer(report: &LtsReport<'_>, finding: &Finding, only: Option<usize>) -> PageAnswer {
    let property = report.property(finding);
    let title = report.title(property);
    let mut blocks = vec![PageBlock::Section {
        title: title.clone(),
        which: None,
        level: 2,
    }];
    let status = match finding.verdict {
        Verdict::Fails => {
            blocks.push(match &finding.evidence {
                Some(evidence) => PageBlock::sentence(say!(
                    "counterexample: {}",
                    shape_text("initial state", evidence)
                )),
                None => PageBlock::sentence(NO_EVIDENCE),
            });
            match &finding.blame {
                Some(blame) => all(&mut blocks, report, blame, only),
                None => blocks.push(PageBlock::sentence(say!(
                    "no change of the files was tried: the system is too large for it"
                ))),
            }
            Status::Fails
        }
        _ => Status::Undecided,
    };
    PageAnswer {
        status,
        title,
        formula: clean(&property.text),
        says: undecided(finding),
        blocks,
    }
}

/// Every transition that is known, each mend with its line before and after.
fn all(blocks: &mut Vec<PageBlock>, report: &LtsReport<'_>, blame: &Blame, only: Option<usize>) {
    if only.is_none() {
        taken(blocks, report, blame);
    }
    let mut before = None;
    for (number, (suspect, mend)) in (1..).zip(blame.mends()) {
        if only.is_some_and(|only| only != number) {
            continue;
        }
        if before != Some(suspect.role) {
            before = Some(suspect.role);
            blocks.push(PageBlock::Gap);
            blocks.push(PageBlock::sentence(match suspect.role {
                SuspectRole::MendsAtACost => "Changes that mend it at a cost:",
                _ => "Changes that mend it:",
            }));
        }
        let line = mended(report, suspect, mend).to_string();
        blocks.push(PageBlock::List(vec![PageItem {
            head: Ink::plain(format!("  {number:>2}.")),
            text: Ink::plain(line.as_str()),
            hang: 6,
            depth: 0,
            document: Inline::prose(format!("{number}. {line}")),
        }]));
        blocks.push(PageBlock::Lines(diff(&changed_lines(
            report, suspect, mend,
        ))));
    }
    if only.is_none() {
        blocks.push(PageBlock::Gap);
        blocks.push(PageBlock::sentence(search(blame)));
    }
}

/// The transitions that the counterexample takes, step by step.
fn taken(blocks: &mut Vec<PageBlock>, report: &LtsReport<'_>, blame: &Blame) {
    let mut steps: BTreeMap<OccurrenceId, Vec<Span>> = BTreeMap::new();
    for suspect in &blame.suspects {
        for &step in &suspect.steps {
            steps.entry(step).or_default().push(suspect.span);
        }
    }
    if steps.is_empty() {
        return;
    }
    blocks.push(PageBlock::Gap);
    blocks.push(PageBlock::sentence(
        "Transitions that the counterexample takes:",
    ));
    let more = steps.len().saturating_sub(STEPS);
    for (step, mut spans) in steps.into_iter().take(STEPS) {
        spans.sort_by_key(|span| (span.file, span.start));
        let each: Vec<String> = spans.iter().map(|&span| at(report, span)).collect();
        blocks.push(item(format!(
            "to step {}: {}",
            step.index(),
            each.join("; ")
        )));
    }
    if more > 0 {
        blocks.push(item(format!(
            "… and those of {}",
            count(more, "further step")
        )));
    }
}

fn item(text: String) -> PageBlock {
    PageBlock::List(vec![PageItem {
        head: Ink::plain("  -"),
        text: Ink::plain(text.as_str()),
        hang: 4,
        depth: 0,
        document: Inline::prose(format!("- {text}")),
    }])
}

/// ``sender.aut, line 4: `(2, TIMEOUT, 1)` ``
fn at(report: &LtsReport<'_>, span: Span) -> String {
    format!(
        "{}: `{}`",
        place(report, span),
        clean(report.sources.text(span))
    )
}

/// `line 4`, with the file where it is not that of the model.
fn place(report: &LtsReport<'_>, span: Span) -> String {
    let line = report.sources.place(span).line;
    match other_file(report, span) {
        Some(file) => format!("{}, line {line}", clean(&file)),
        None => format!("line {line}"),
    }
}

fn other_file(report: &LtsReport<'_>, span: Span) -> Option<String> {
    let name = report.sources.file(span.file).name();
    (name != report.path).then(|| name.to_string())
}

/// The line with a change; `None` where it is left out.
fn line_after(report: &LtsReport<'_>, suspect: &Suspect, mend: &Mend) -> Option<String> {
    let (line, change) = (suspect.span, &mend.change);
    if change.text.is_empty() {
        return None;
    }
    let text = report.sources.file(line.file).text();
    let slice = |from: u32, to: u32| &text[from as usize..to as usize];
    let parts = [
        slice(line.start, change.span.start),
        &change.text,
        slice(change.span.end, line.end),
    ];
    Some(parts.concat())
}

/// ``sender.aut, line 4: `(2, TIMEOUT, 1)` left out [3 of 3 hold]``
fn mended(report: &LtsReport<'_>, suspect: &Suspect, mend: &Mend) -> Sentence {
    let becomes = match line_after(report, suspect, mend) {
        Some(after) => format!("→ `{}`", clean(&after)),
        None => "left out".to_string(),
    };
    say!(
        "{} {} [{} of {} hold{}]",
        at(report, suspect.span),
        becomes,
        mend.holds.to_string(),
        mend.of.to_string(),
        cost(report, mend)
    )
}

/// What a mend costs, in brackets after its verdicts.
fn cost(report: &LtsReport<'_>, mend: &Mend) -> String {
    let quoted = |names: Vec<&str>| {
        let names = names.into_iter().map(|name| format!("`{}`", clean(name)));
        names.collect::<Vec<_>>().join(", ")
    };
    let mut said = String::new();
    if !mend.breaks.is_empty() {
        let names = mend.breaks.iter();
        let names = names.map(|&property| report.properties[property].name.as_str());
        said.push_str(&format!("; {} no longer", quoted(names.collect())));
    }
    if mend.ends {
        said.push_str("; some runs end then");
    }
    if mend.diverges {
        said.push_str("; internal steps can go on for ever then");
    }
    if !mend.loses.is_empty() {
        let labels = mend.loses.iter().map(String::as_str).collect();
        said.push_str(&format!("; no step is called {} then", quoted(labels)));
    }
    said
}

fn changed_lines(report: &LtsReport<'_>, suspect: &Suspect, mend: &Mend) -> ChangedLines {
    ChangedLines {
        from: report.sources.place(suspect.span).line,
        before: vec![report.sources.text(suspect.span).to_string()],
        after: line_after(report, suspect, mend).into_iter().collect(),
    }
}

/// What was tried, what was not, and why.
fn search(blame: &Blame) -> Sentence {
    if blame.tried + blame.excluded + blame.untried == 0 {
        return say!("no change of the files was tried");
    }
    let mut said = say!("{} tried", count(blame.tried, "change"));
    if blame.excluded > 0 {
        said = say!(
            "{}; {} left out, since the counterexample takes none of the transitions they change",
            said,
            blame.excluded.to_string()
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

/// The places in the document.
pub(super) fn suspects(report: &LtsReport<'_>, finding: &Finding) -> Vec<SuspectDoc> {
    let suspects = finding.blame.iter().flat_map(|blame| &blame.suspects);
    suspects
        .map(|suspect| suspect_document(report, suspect))
        .collect()
}

/// How many changes were tried.
pub(super) fn search_document(blame: &Blame) -> BlameSearchDoc {
    BlameSearchDoc {
        tried: blame.tried,
        excluded: blame.excluded,
        untried: blame.untried,
        no_others: blame.no_others,
        pairs: vec![],
    }
}

fn suspect_document(report: &LtsReport<'_>, suspect: &Suspect) -> SuspectDoc {
    let span = suspect.span;
    let start = report.sources.place(span);
    let end = report.sources.file(span.file).place(span.end as usize);
    let why = match &suspect.mend {
        Some(mend) => mended(report, suspect, mend),
        None => say!(
            "The counterexample takes this transition, and no change of it that was tried mends the property."
        ),
    };
    SuspectDoc {
        file: other_file(report, span),
        line: start.line,
        column: start.column,
        end: SuspectEndDoc {
            line: end.line,
            column: end.column,
        },
        role: match suspect.role {
            SuspectRole::Mends => SuspectName::Mend,
            SuspectRole::MendsAtACost => SuspectName::Costly,
            SuspectRole::Hinges => SuspectName::Suspect,
        },
        why: why.to_string(),
        guarantee: match (&suspect.mend, suspect.power) {
            (Some(_), _) => GuaranteeName::Mended,
            (None, PlacePower::MendsAndKeeps) => GuaranteeName::CanMendAndKeep,
            (None, PlacePower::Mends) => GuaranteeName::CanMend,
            (None, PlacePower::Open | PlacePower::Untried) => GuaranteeName::Open,
        },
        steps: suspect.steps.iter().map(|step| step.index()).collect(),
        hinge: None,
        mend: (suspect.mend.as_ref()).map(|mend| mend_document(report, suspect, mend)),
    }
}

fn mend_document(report: &LtsReport<'_>, suspect: &Suspect, mend: &Mend) -> MendDoc {
    let names = mend.breaks.iter();
    MendDoc {
        from: mend.change.span.start,
        to: mend.change.span.end,
        text: mend.change.text.clone(),
        before: clean(report.sources.text(suspect.span)),
        after: clean(&line_after(report, suspect, mend).unwrap_or_default()),
        holds: mend.holds,
        of: mend.of,
        breaks: names
            .map(|&property| report.properties[property].name.clone())
            .collect(),
        open: vec![],
        vacuous: vec![],
        ends: mend.ends,
        diverges: mend.diverges,
        loses: mend.loses.clone(),
        also: (mend.also.iter())
            .map(|edit| TextEditDoc {
                from: edit.span.start,
                to: edit.span.end,
                text: edit.text.clone(),
            })
            .collect(),
    }
}
