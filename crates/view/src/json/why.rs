//! Why a property holds, in the document.

use wherefore_evidence::{Finding, Why};
use wherefore_model::PropertyBody;
use wherefore_wire::{WhyDoc, WhyLineDoc, WhyLineName};

use crate::Report;
use crate::sentences::why::{self, WhyKind, WhyLine};
use crate::words::{clean, sub_text};

/// Why a property holds, if that was asked for.
pub(super) fn why(report: &Report<'_>, finding: &Finding) -> Option<WhyDoc> {
    let found = finding.why.as_ref()?;
    let shown = match found {
        Why::NotShown(none) => {
            return Some(WhyDoc {
                reason: Some(why::not_shown(*none).to_string()),
                ..WhyDoc::default()
            });
        }
        Why::Proved(reason) => {
            return Some(WhyDoc {
                reason: None,
                rechecked: !reason.checked_by.is_empty(),
                conditions: Some(reason.claims.len()),
                formula: None,
                lines: lines(report, found),
            });
        }
        Why::Shown(shown) => shown,
    };
    let linear = matches!(report.property(finding).body, PropertyBody::Linear(_));
    let formula = || clean(&sub_text(report, &shown.query, shown.query.formula.root()));
    Some(WhyDoc {
        reason: None,
        rechecked: true,
        conditions: Some(shown.conditions),
        formula: linear.then(formula),
        lines: lines(report, found),
    })
}

fn lines(report: &Report<'_>, found: &Why) -> Vec<WhyLineDoc> {
    let mut lines: Vec<WhyLineDoc> = Vec::new();
    for line in why::lines(report, found, true).unwrap_or_default() {
        match lines.last_mut() {
            Some(last) if line.depth > 0 => last.items.push(of(&line)),
            _ => lines.push(of(&line)),
        }
    }
    lines
}

fn of(line: &WhyLine) -> WhyLineDoc {
    let kind = match line.kind {
        WhyKind::Invariant => WhyLineName::Invariant,
        WhyKind::Clause => WhyLineName::Clause,
        WhyKind::MustHappen => WhyLineName::MustHappen,
        WhyKind::Layer => WhyLineName::Layer,
        WhyKind::CanHappen => WhyLineName::CanHappen,
        WhyKind::Ring => WhyLineName::Ring,
        WhyKind::NextStates => WhyLineName::NextStates,
        WhyKind::Claim => WhyLineName::Claim,
        WhyKind::Example => WhyLineName::Example,
        WhyKind::More => WhyLineName::More,
    };
    WhyLineDoc {
        kind,
        text: line.text.to_string(),
        states: line.states,
        items: Vec::new(),
    }
}
