//! Evidence as JSON: states and steps, the runs they form, the proof, and the truth of each
//! sub-formula at each state.

use wherefore_evidence::{
    Claim, Cube, Evidence, Occurrence, OccurrenceId, Replay, Rule, SegmentEnding, Shape,
};
use wherefore_model::Query;
use wherefore_wire::{
    CauseDoc, ChangeDoc, CountDoc, CubeDoc, EdgeDoc, EndingName, EvidenceDoc, FairDoc, IN_PART,
    ProofNodeDoc, RegionDoc, SegmentDoc, StateDoc, SubFormulaDoc,
};

use super::{inputs, names, state, value};
use crate::Report;
use crate::sentences::checked::SentenceJudge;
use crate::sentences::length::KnownLength;
use crate::words::{Telling, sub_text};

/// The evidence of a property that asks `query`.
pub(crate) fn evidence(report: &Report<'_>, query: &Query, source: &Evidence) -> EvidenceDoc {
    let telling = Telling::over(*report, query, source);
    let subs = query.formula.subs();
    EvidenceDoc {
        states: states(&telling),
        edges: edges(&telling),
        segments: segments(source, &telling.constraints()),
        regions: regions(&telling),
        formula: subs
            .map(|sub| SubFormulaDoc {
                id: sub.index(),
                text: sub_text(report, query, sub),
            })
            .collect(),
        causes: causes(report, source),
        ..frame(source, telling.judge.as_deref())
    }
}

/// What evidence has whatever its states are values of: shape, length, re-check, proof and truth.
pub(crate) fn frame(source: &Evidence, judge: Option<&SentenceJudge<'_>>) -> EvidenceDoc {
    let (replayed, replay_note) = replayed(&source.replay);
    let truth = |(id, occurrence): (OccurrenceId, &Occurrence)| {
        (id.index(), occurrence.truth.iter().copied().collect())
    };
    EvidenceDoc {
        shape: names::shape(source.shape),
        minimal: KnownLength::of(source, judge).document(is_open(source)),
        strategy: Vec::new(),
        replayed,
        replay_note,
        states: Vec::new(),
        edges: Vec::new(),
        loop_start: match source.shape {
            Shape::Lasso => source.main_run().1.map(OccurrenceId::index),
            Shape::Path | Shape::Tree | Shape::Region => None,
        },
        segments: Vec::new(),
        regions: Vec::new(),
        formula: Vec::new(),
        proof: proof(source),
        truth: source.occurrences.entries().map(truth).collect(),
        causes: Vec::new(),
    }
}

/// The values that the failure depends on.
fn causes(report: &Report<'_>, source: &Evidence) -> Vec<CauseDoc> {
    let all = source.causes.iter().flat_map(|causes| {
        let pairs = causes.pairs.iter();
        pairs.map(|&(state, var)| CauseDoc {
            state: state.index(),
            variable: report.model.vars[var].name.clone(),
            exact: causes.exact,
        })
    });
    all.collect()
}

/// Whether something was re-checked, and what is to be said about that.
pub(super) fn replayed(replay: &Replay) -> (bool, Option<String>) {
    match replay {
        Replay::Ok => (true, None),
        Replay::NotDone => (false, None),
        Replay::Partial(what) => (false, Some(format!("{IN_PART}{what}"))),
        Replay::Failed(why) => (false, Some(why.clone())),
    }
}

/// The values that the variables of a cube may have.
pub(super) fn cube(report: &Report<'_>, cube: &Cube) -> CubeDoc {
    let conditions = cube.values.iter().map(|(var, values)| {
        let values = values.iter().map(|&v| value(report, v)).collect();
        (report.model.vars[*var].name.clone(), values)
    });
    conditions.collect()
}

/// Whether an obligation is left.
pub(crate) fn is_open(source: &Evidence) -> bool {
    source.proof.iter().any(|node| node.rule.is_none())
}

fn states(telling: &Telling<'_>) -> Vec<StateDoc> {
    let report = &telling.report;
    let states = telling
        .evidence
        .occurrences
        .entries()
        .map(|(id, occurrence)| StateDoc {
            id: id.index(),
            values: state(report, &occurrence.values),
            names: report.names_of(&occurrence.values),
            caption: (report.captions)
                .and_then(|captions| captions.states.get(&occurrence.values))
                .map(|caption| caption.text.clone())
                .filter(|text| !text.is_empty()),
            shown: (report.shown.iter())
                .map(|shown| {
                    let value = report.shown_value(shown.term, &occurrence.values);
                    (shown.text.clone(), value)
                })
                .collect(),
        });
    states.collect()
}

fn edges(telling: &Telling<'_>) -> Vec<EdgeDoc> {
    let report = &telling.report;
    let edges = telling.evidence.edges.iter().map(|edge| {
        let inputs = inputs(report, &edge.input);
        let action = report.action_text(&edge.input);
        EdgeDoc {
            from: edge.from.index(),
            to: edge.to.index(),
            action: (!action.is_empty()).then_some(action),
            inputs,
            changes: telling
                .changes(edge)
                .map(|change| ChangeDoc {
                    variable: report.model.vars[change.var].name.clone(),
                    old: value(report, change.old),
                    new: value(report, change.new),
                    line: change.line,
                })
                .collect(),
        }
    });
    edges.collect()
}

/// The segments of evidence, given the texts of the fairness constraints.
pub(crate) fn segments(source: &Evidence, constraints: &[String]) -> Vec<SegmentDoc> {
    let segments = source.segments.iter().map(|segment| {
        let (ending, to) = ending(segment.ending);
        let (sub, holds) = claim(segment.serves);
        let fair = constraints
            .iter()
            .zip(&segment.fair)
            .map(|(constraint, at)| FairDoc {
                constraint: constraint.clone(),
                state: at.map(OccurrenceId::index),
            });
        SegmentDoc {
            from: segment.from.map(OccurrenceId::index),
            main: segment.main,
            sub,
            holds,
            states: segment.states.iter().map(|state| state.index()).collect(),
            ending,
            to,
            fair: fair.collect(),
        }
    });
    segments.collect()
}

/// How a run ends, and where its last step leads.
pub(crate) fn ending(ending: SegmentEnding) -> (EndingName, Option<usize>) {
    match ending {
        SegmentEnding::Goal => (EndingName::Goal, None),
        SegmentEnding::Loop(to) => (EndingName::Loop, Some(to.index())),
        SegmentEnding::DeadEnd => (EndingName::DeadEnd, None),
        SegmentEnding::Joins(to) => (EndingName::Joins, Some(to.index())),
    }
}

fn regions(telling: &Telling<'_>) -> Vec<RegionDoc> {
    let report = &telling.report;
    let regions = telling.evidence.regions.iter().map(|region| {
        let (sub, holds) = claim(region.claim);
        let cover = region.cover.cubes.iter();
        let states = region.states.as_ref();
        RegionDoc {
            at: region.at.index(),
            sub,
            holds,
            size: CountDoc::of(&region.size.to_string()),
            cover: cover.map(|cover| cube(report, cover)).collect(),
            complete: region.cover.complete,
            states: states
                .map(|states| states.iter().map(|values| state(report, values)).collect()),
        }
    });
    regions.collect()
}

fn proof(source: &Evidence) -> Vec<ProofNodeDoc> {
    let nodes = source.proof.iter().map(|node| {
        let (sub, holds) = claim(node.claim);
        let which = match node.rule {
            Some(Rule::Branch(branch)) => Some(branch),
            Some(Rule::Region(region)) => Some(region.index()),
            _ => None,
        };
        let bounds = match node.claim {
            Claim::Formula(_, bounds) => bounds.map(|bounds| [bounds.least, bounds.most]),
            Claim::HasPath => None,
        };
        ProofNodeDoc {
            state: node.at.index(),
            sub,
            holds,
            rule: node.rule.map(names::rule),
            which,
            bounds,
            rank: node.rank,
            premises: node
                .premises
                .iter()
                .map(|premise| premise.index())
                .collect(),
        }
    });
    nodes.collect()
}

pub(crate) fn claim(claim: Claim) -> (Option<usize>, Option<bool>) {
    match claim {
        Claim::Formula(goal, _) => (Some(goal.sub.index()), Some(goal.holds)),
        Claim::HasPath => (None, None),
    }
}
