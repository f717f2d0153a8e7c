//! Abstract runs as JSON.

use wherefore_evidence::{
    AbstractPosition, AbstractRun, Abstracted, ClaimStates, SetRule, Split, Width,
};
use wherefore_model::Query;
use wherefore_wire::{
    AbstractDoc, AbstractRunDoc, AbstractShapeName, CountDoc, PositionDoc, SetClaimDoc,
    SetRuleName, SplitName, WidthName,
};

use super::evidence::{cube, replayed};
use super::value;
use crate::Report;
use crate::abstracted::{formula, reason};
use crate::sentences::set_proof::SetProofWords;

/// All shortest evidence at once, or why there is no such form.
pub(super) fn abstracted(report: &Report<'_>, query: &Query, source: &Abstracted) -> AbstractDoc {
    let (reason, run) = match source {
        Abstracted::None(why) => (Some(reason(report, query, *why).to_string()), None),
        Abstracted::Stopped(stop) => (Some(stop.to_string()), None),
        Abstracted::Run(run) => (None, Some(self::run(report, query, run))),
    };
    AbstractDoc {
        shape: AbstractShapeName::Abstract,
        reason,
        run,
    }
}

fn run(report: &Report<'_>, query: &Query, source: &AbstractRun) -> AbstractRunDoc {
    let (replayed, replay_note) = replayed(&source.replay);
    let options = source.options;
    let split = match options.split {
        Split::Both => SplitName::Both,
        Split::Left => SplitName::Left,
        Split::Right => SplitName::Right,
        Split::Simpler => SplitName::Simpler,
    };
    let width = match options.width {
        Width::All => WidthName::All,
        Width::One => WidthName::One,
    };
    let positions = source.positions.iter();
    AbstractRunDoc {
        steps: source.steps(),
        runs: source
            .runs
            .as_ref()
            .map(|runs| CountDoc::of(&runs.to_string())),
        all: options.split == Split::Both && options.width == Width::All,
        split,
        width,
        replayed,
        replay_note,
        positions: positions.map(|source| position(report, source)).collect(),
        proof_replayed: source.proof_replayed,
        proof: proof(report, query, source),
    }
}

fn position(report: &Report<'_>, source: &AbstractPosition) -> PositionDoc {
    let name = |var| report.model.vars[var].name.clone();
    let common = source.common.iter();
    let cover = source.cover.cubes.iter();
    PositionDoc {
        text: formula(report, source, &[]),
        states: CountDoc::of(&source.states.to_string()),
        common: common
            .map(|&(var, v)| (name(var), value(report, v)))
            .collect(),
        cover: cover.map(|cover| cube(report, cover)).collect(),
        complete: source.cover.complete,
        free: source.free.iter().map(|&var| name(var)).collect(),
    }
}

fn proof(report: &Report<'_>, query: &Query, source: &AbstractRun) -> Vec<SetClaimDoc> {
    let words = SetProofWords::new(*report, query, source);
    let claims = source.proof.iter().enumerate().map(|(at, claim)| {
        let (rule, which) = match claim.rule {
            SetRule::Atomic => (SetRuleName::Atomic, None),
            SetRule::Split => (SetRuleName::Split, None),
            SetRule::Branch(number) => (SetRuleName::Branch, Some(number)),
            SetRule::Step => (SetRuleName::Step, None),
            SetRule::Arrive => (SetRuleName::Goal, None),
            SetRule::Continue => (SetRuleName::Continue, None),
        };
        SetClaimDoc {
            position: claim.position,
            states: CountDoc::of(&claim.states.to_string()),
            part: match &claim.of {
                ClaimStates::Described(described) => Some(position(report, described)),
                ClaimStates::Position | ClaimStates::NotDescribed => None,
            },
            text: words.as_ref().and_then(|words| words.document(at)),
            sub: claim.goal.sub.index(),
            holds: claim.goal.holds,
            rule,
            which,
            premises: claim.premises.clone(),
        }
    });
    claims.collect()
}
