//! Why a property holds, and why one fails that no run alone refutes.

use wherefore_evidence::{Finding, ProofStart, Why};
use wherefore_wire::RunDoc;

use super::{Inline, PageBlock, PageItem, plain};
use crate::Report;
use crate::layout::{Ink, VariableRole};
use crate::sentences::{Sentence, count, proved, why};

/// Why a property holds, for people.
pub(crate) fn why_blocks(report: &Report<'_>, found: &Why, full: bool) -> Vec<PageBlock> {
    if let Why::NotShown(none) = found {
        return vec![PageBlock::aside(why::not_shown(*none))];
    }
    let head = Ink::new(VariableRole::Strong, "  why it");
    let (says, badge) = match found {
        Why::Proved(reason) if reason.start != ProofStart::Initial => {
            ("fails:", Sentence::from(reason.standing()))
        }
        Why::Proved(reason) => ("holds:", Sentence::from(reason.standing())),
        _ => ("holds:", Sentence::from("re-checked: ok")),
    };
    let mut heading = PageBlock::headed(head, "Why it", says);
    if let PageBlock::Paragraph(paragraph) = &mut heading {
        paragraph.badges.push(say!("[{}]", badge));
    }
    let lines = why::lines(report, found, full).unwrap_or_default();
    let items = lines.into_iter().map(|line| {
        let text = line.text.to_string();
        PageItem {
            head: Ink::plain(" ".repeat(2 * line.depth + 3)),
            text: Ink::plain(text.as_str()),
            hang: 2 * line.depth + 6,
            depth: line.depth,
            document: Inline::prose(text),
        }
    });
    vec![heading, PageBlock::List(items.collect())]
}

/// The runs of a refutation that a proof closes.
pub(crate) fn refutation(report: &Report<'_>, finding: &Finding, full: bool) -> Vec<PageBlock> {
    let Some(Why::Proved(reason)) = &finding.why else {
        return vec![];
    };
    let runs = runs(report, finding);
    let because = super::runs::reason(&finding.verdict, proved::because(reason, runs));
    std::iter::once(because)
        .chain(plain::tables(runs, &[], &extent(report, finding, full)))
        .collect()
}

/// The runs that show, together with proofs about their states, that a property holds.
pub(crate) fn witness(report: &Report<'_>, finding: &Finding, full: bool) -> Vec<PageBlock> {
    let runs = runs(report, finding);
    let (Some(Why::Proved(reason)), [first, ..]) = (&finding.why, runs) else {
        return vec![];
    };
    let last = first.states.len().saturating_sub(1);
    let shape = match first.back {
        Some(0) => say!("a loop of {}", count(last + 1, "step")),
        Some(back) => say!(
            "{}, then a loop of {}",
            count(back, "step"),
            count(last + 1 - back, "step")
        ),
        None if last == 0 => say!("the {}", report.start()),
        None => count(last, "step"),
    };
    let shape = match runs.len() {
        1 => shape,
        2 => say!("{}, and 1 branch", shape),
        more => say!("{}, and {} branches", shape, more - 1),
    };
    let mut blocks = vec![super::runs::witnessed("witness", shape, vec![])];
    let extent = extent(report, finding, full);
    blocks.extend(plain::tables(runs, &reason.at_states, &extent));
    blocks
}

/// How much is shown of runs that show a finding.
fn extent<'a>(report: &Report<'a>, finding: &Finding, full: bool) -> plain::RunExtent<'a> {
    plain::RunExtent {
        full,
        about: &report.property(finding).text,
    }
}

/// The runs of a finding that are no evidence by themselves.
fn runs<'a>(report: &Report<'a>, finding: &Finding) -> &'a [RunDoc] {
    let mut findings = report.findings.iter();
    let at = findings.position(|other| std::ptr::eq(other, finding));
    let runs = at.and_then(|at| report.runs.get(at));
    runs.map(Vec::as_slice).unwrap_or_default()
}
