//! Words for more than one: the evidence of a finding piece by piece, and what is said between them.

use wherefore_evidence::{Decision, Evidence, Finding, NoMore, Verdict};
use wherefore_model::Query;

use super::checked::SentenceJudge;
use super::phrases::{badges_of, checked_badges};
use super::{Sentence, SentenceAssertion, evidence_noun, formula, joined};
use crate::Report;
use crate::words::{Telling, sub_text};

/// One evidence of a finding, as it is shown.
pub(crate) struct Piece<'a> {
    /// "counterexample 2 of 3"; `None` for the only one.
    pub(crate) heading: Option<Sentence>,
    pub(crate) telling: Telling<'a>,
    pub(crate) decisions: &'a [Decision],
    /// Said after it: why there are not more.
    pub(crate) closing: Option<Sentence>,
    /// It is not the first one of its claim.
    pub(crate) further: bool,
}

impl Piece<'_> {
    /// What is known of its length and of its replay. That a further one is longer than the first says
    /// nothing.
    pub(crate) fn badges(&self) -> Vec<Sentence> {
        let evidence = self.telling.evidence;
        if !self.further {
            return badges_of(&self.telling);
        }
        let mut badges = checked_badges(&self.telling);
        if !evidence.minimal.proved() {
            badges.remove(0);
        }
        badges
    }
}

/// Every evidence of a finding in the order in which it is shown: with evidence for each part that
/// fails, part by part, otherwise the first one and the others.
pub(crate) fn pieces<'a>(
    report: Report<'a>,
    finding: &'a Finding,
    evidence: &'a Evidence,
) -> Vec<Piece<'a>> {
    let noun = evidence_noun(finding.verdict == Verdict::Holds);
    let more = &finding.more;
    let mut all = Vec::new();
    if more.parts.iter().any(|part| !part.evidence.is_empty()) {
        for (at, part) in more.parts.iter().enumerate() {
            let text = part_text(&report, &part.query);
            let total = more.parts.len();
            let title = say!("part {} of {} fails: {}", at + 1, total, formula(text));
            let evidence = part.evidence.iter();
            let evidence = evidence.map(|another| (&another.evidence, &another.decisions[..]));
            let base = SentenceJudge::base(&report, &part.query);
            let tell = |evidence| Telling::over_base(report, &part.query, evidence, base.as_ref());
            all.extend(group(tell, evidence, noun, Some(title), part.end));
        }
    } else if let Some(first) = Telling::new(report, finding, evidence) {
        let others = more.others.iter();
        let others = others.map(|another| (&another.evidence, &another.decisions[..]));
        let evidence = std::iter::once((evidence, &finding.decisions[..])).chain(others);
        let base = SentenceJudge::base(&report, first.query);
        let tell = |evidence| Telling::over_base(report, first.query, evidence, base.as_ref());
        all.extend(group(tell, evidence, noun, None, more.end));
    }
    all
}

/// For a property that fails: which of its parts do, in a sentence; `None` when it has but one, or when
/// each is shown anyway.
pub(crate) fn parts_text(report: &Report<'_>, finding: &Finding) -> Option<Sentence> {
    let parts = &finding.more.parts;
    if parts.is_empty() || parts.iter().any(|part| !part.evidence.is_empty()) {
        return None;
    }
    let total = parts.len();
    let failing: Vec<&Query> = (parts.iter().filter(|part| part.fails))
        .map(|part| &part.query)
        .collect();
    let sentence = match &failing[..] {
        [] => return None,
        [only] => say!(
            "of {} parts only one fails: {}",
            total,
            formula(part_text(report, only))
        ),
        failing => say!(
            "{} of {} parts fail by themselves; --each shows a run for each",
            failing.len(),
            total
        ),
    };
    let failing = failing.len();
    Some(sentence.asserting(SentenceAssertion::PartsFail(failing, total)))
}

/// The text of a part of a property.
pub(crate) fn part_text(report: &Report<'_>, query: &Query) -> String {
    sub_text(report, query, query.formula.root())
}

fn group<'a>(
    tell: impl Fn(&'a Evidence) -> Telling<'a>,
    evidence: impl Iterator<Item = (&'a Evidence, &'a [Decision])>,
    noun: &str,
    title: Option<Sentence>,
    end: Option<NoMore>,
) -> Vec<Piece<'a>> {
    let evidence: Vec<_> = evidence.collect();
    let total = evidence.len();
    let pieces = evidence
        .into_iter()
        .enumerate()
        .map(|(at, (evidence, decisions))| {
            let number = (total > 1).then(|| say!("{} {} of {}", noun, at + 1, total));
            let heading: Vec<Sentence> = title.iter().cloned().chain(number).collect();
            let closing = end.filter(|_| at + 1 == total);
            Piece {
                heading: (!heading.is_empty()).then(|| joined(&heading, ", ")),
                telling: tell(evidence),
                decisions,
                closing: closing.map(|end| no_more_text(end, noun, total)),
                further: at > 0,
            }
        });
    pieces.collect()
}

pub(crate) fn no_more_text(end: NoMore, noun: &str, total: usize) -> Sentence {
    let sentence: Sentence = match (end, total) {
        (NoMore::AllFound, 1) => {
            say!(
                "there is no other {}: every other run only adds a detour to this one",
                noun
            )
        }
        (NoMore::AllFound, _) => {
            "there are no more: every other run only adds a detour to one of these".into()
        }
        (NoMore::AllDistinct, _) => {
            "there are no more: every other run agrees with one of these in what --distinct-by compares, or adds a detour to a run that does"
                .into()
        }
        (NoMore::NotWithinSearch, _) => {
            "no more are found within the limits of the search; there may be more".into()
        }
        (NoMore::Stopped, _) => "the work had to stop before more were found".into(),
        (NoMore::NoMainRun, _) => {
            "others are not looked for, since this evidence is not one run".into()
        }
    };
    sentence.asserting(SentenceAssertion::NoMoreEvidence(end, total))
}
