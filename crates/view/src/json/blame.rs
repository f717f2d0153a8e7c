//! What is to blame for a failure, in the document.

use wherefore_base::{Place, SourceMap, Span};
use wherefore_evidence::{
    Blame, Finding, Hinge, HingeEffect, Mend, PlacePower, SlicePart, SliceRole, SliceValue,
    Suspect, SuspectRole,
};
use wherefore_wire::{
    BlameSearchDoc, GuaranteeName, HingeDoc, HingeName, MendDoc, SliceName, SlicePartDoc,
    SliceReasonDoc, SliceSourceDoc, SliceValueDoc, SuspectDoc, SuspectEndDoc, SuspectName,
    SuspectPairDoc,
};

use super::value;
use crate::Report;
use crate::sentences::{Sentence, slice, to_blame};

/// The places that may be to blame, the likeliest first.
pub(super) fn blame(report: &Report<'_>, finding: &Finding) -> Vec<SuspectDoc> {
    let suspects = finding.blame.iter().flat_map(|blame| &blame.suspects);
    suspects
        .map(|suspect| of_suspect(report, suspect))
        .collect()
}

/// How many changes were tried.
pub(crate) fn search(sources: &SourceMap, blame: &Blame) -> BlameSearchDoc {
    let line = |span| sources.place(span).line;
    let pairs = blame.pairs.iter().map(|&(first, second)| SuspectPairDoc {
        first: line(first),
        first_text: to_blame::expression(sources, first),
        second: line(second),
        second_text: to_blame::expression(sources, second),
    });
    BlameSearchDoc {
        tried: blame.tried,
        excluded: blame.excluded,
        untried: blame.untried,
        no_others: blame.no_others,
        pairs: pairs.collect(),
    }
}

/// Where the values come from that the failure depends on.
pub(super) fn slice(report: &Report<'_>, finding: &Finding) -> Vec<SliceValueDoc> {
    let (Some(blame), Some(evidence)) = (&finding.blame, &finding.evidence) else {
        return Vec::new();
    };
    let of_value = |known: &SliceValue| {
        let now = evidence.occurrences[known.at].values[known.var.index()];
        let rests_on = known.rests_on.iter().map(|&(at, var)| SliceSourceDoc {
            state: at.index(),
            variable: report.model.vars[var].name.clone(),
        });
        SliceValueDoc {
            state: known.at.index(),
            variable: report.model.vars[known.var].name.clone(),
            value: value(report, now),
            allowed: (known.allowed.iter())
                .map(|&other| value(report, other))
                .collect(),
            free: known.free,
            parts: known
                .parts
                .iter()
                .map(|part| slice_part(report, part))
                .collect(),
            rests_on: rests_on.collect(),
            says: slice::value(report, evidence, known).to_string(),
            kept: (slice::parts(report, known).iter())
                .map(Sentence::to_string)
                .collect(),
        }
    };
    blame.slice.values.iter().map(of_value).collect()
}

fn slice_part(report: &Report<'_>, part: &SlicePart) -> SlicePartDoc {
    let sources = report.sources;
    let (start, end) = range(sources, part.span);
    let since = part.since.iter().map(|&(span, truth)| SliceReasonDoc {
        line: sources.place(span).line,
        text: to_blame::expression(sources, span),
        truth,
    });
    SlicePartDoc {
        line: start.line,
        column: start.column,
        end,
        text: to_blame::expression(sources, part.span),
        role: match part.role {
            SliceRole::NotTaken => SliceName::NotTaken,
            SliceRole::Taken => SliceName::Taken,
            SliceRole::Gave => SliceName::Gave,
            SliceRole::Required => SliceName::Required,
            SliceRole::Allowed => SliceName::Allowed,
        },
        since: since.collect(),
    }
}

/// Where a place begins and ends.
fn range(sources: &SourceMap, span: Span) -> (Place, SuspectEndDoc) {
    let end = sources.file(span.file).place(span.end as usize);
    let end = SuspectEndDoc {
        line: end.line,
        column: end.column,
    };
    (sources.place(span), end)
}

/// What is known for sure of a place.
fn guarantee(suspect: &Suspect) -> GuaranteeName {
    match (&suspect.mend, suspect.power) {
        (Some(_), _) => GuaranteeName::Mended,
        (None, PlacePower::MendsAndKeeps) => GuaranteeName::CanMendAndKeep,
        (None, PlacePower::Mends) => GuaranteeName::CanMend,
        (None, PlacePower::Open | PlacePower::Untried) => GuaranteeName::Open,
    }
}

fn of_hinge(report: &Report<'_>, hinge: &Hinge) -> HingeDoc {
    HingeDoc {
        state: hinge.at.index(),
        now: hinge.now.iter().map(|&now| value(report, now)).collect(),
        other: value(report, hinge.other),
        effect: match hinge.effect {
            HingeEffect::Start => HingeName::Start,
            HingeEffect::State => HingeName::State,
            HingeEffect::Step => HingeName::Step,
            HingeEffect::Condition => HingeName::Condition,
        },
    }
}

fn of_suspect(report: &Report<'_>, suspect: &Suspect) -> SuspectDoc {
    let name = |property: usize| report.model.properties[property].name.clone();
    SuspectDoc {
        hinge: (suspect.hinge.as_ref()).map(|hinge| of_hinge(report, hinge)),
        ..suspect_doc(
            report.sources,
            suspect,
            &to_blame::why(report, suspect),
            &name,
        )
    }
}

/// A place in the texts of any language, with the names of its questions.
pub(crate) fn suspect_doc(
    sources: &SourceMap,
    suspect: &Suspect,
    why: &Sentence,
    name: &dyn Fn(usize) -> String,
) -> SuspectDoc {
    let (start, end) = range(sources, suspect.span);
    SuspectDoc {
        file: None,
        steps: vec![],
        line: start.line,
        column: start.column,
        end,
        role: match suspect.role {
            SuspectRole::Mends => SuspectName::Mend,
            SuspectRole::MendsAtACost => SuspectName::Costly,
            SuspectRole::Hinges => SuspectName::Suspect,
        },
        why: why.to_string(),
        guarantee: guarantee(suspect),
        hinge: None,
        mend: suspect
            .mend
            .as_ref()
            .map(|mend| of_mend(sources, mend, name)),
    }
}

fn of_mend(sources: &SourceMap, mend: &Mend, name: &dyn Fn(usize) -> String) -> MendDoc {
    let (before, after) = to_blame::before_and_after(sources, &mend.change);
    MendDoc {
        diverges: false,
        loses: vec![],
        also: vec![],
        from: mend.change.span.start,
        to: mend.change.span.end,
        text: mend.change.text.clone(),
        before,
        after,
        holds: mend.holds,
        of: mend.of,
        breaks: mend.breaks.iter().map(|&question| name(question)).collect(),
        open: mend.open.iter().map(|&question| name(question)).collect(),
        vacuous: mend
            .vacuous
            .iter()
            .map(|&question| name(question))
            .collect(),
        ends: mend.ends,
    }
}
