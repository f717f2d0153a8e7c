//! Why a property holds, and why one fails that no run alone refutes.

use wherefore_evidence::{Finding, Why};

use super::{Inline, PageBlock, PageItem, plain};
use crate::Report;
use crate::layout::{Ink, VariableRole};
use crate::sentences::{Sentence, proved, why};

/// Why a property holds, for people.
pub(crate) fn why_blocks(report: &Report<'_>, found: &Why, full: bool) -> Vec<PageBlock> {
    if let Why::NotShown(none) = found {
        return vec![PageBlock::aside(why::not_shown(*none))];
    }
    let head = Ink::new(VariableRole::Strong, "  why it");
    let (says, badge) = match found {
        Why::Proved(reason) if reason.after_run => ("fails:", Sentence::from(reason.standing())),
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
pub(crate) fn refutation(report: &Report<'_>, finding: &Finding) -> Vec<PageBlock> {
    let Some(Why::Proved(reason)) = &finding.why else {
        return vec![];
    };
    let mut findings = report.findings.iter();
    let at = findings.position(|other| std::ptr::eq(other, finding));
    let runs = at.and_then(|at| report.runs.get(at));
    let runs = runs.map(Vec::as_slice).unwrap_or_default();
    let because = super::runs::reason(&finding.verdict, proved::because(reason, runs));
    std::iter::once(because)
        .chain(plain::tables(runs))
        .collect()
}
