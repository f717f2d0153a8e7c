//! Labelled transition systems in the JSON document: the same fields as for models. A state has one
//! variable, `state`; an edge has an `action`.

use serde_json::{Map, Value as Json};
use wherefore_base::Value;
use wherefore_evidence::modal::state;
use wherefore_evidence::{Ending, Evidence as Source, Finding, OccurrenceId, Replay, Shape};
use wherefore_evidence::{UnknownReason, Verdict};

use super::{Report, SystemTelling};
use crate::json::evidence::{claim, is_open, proof};
use crate::json::{
    Change, Edge, Evidence, IN_PART, Minimal, Model, Property, Reach, Region, Segment, Space,
    State, Stats, SubFormula, number,
};

/// The language of systems in the document.
pub const LANGUAGE: &str = "aut";

/// What is reported about a system.
pub fn model(report: &Report<'_>) -> Model {
    let space = report.space.map(|space| Space {
        engine: space.engine,
        states: number(&space.states.to_string()),
        transitions: space.transitions.map(|n| number(&n.to_string())),
        symmetries: None,
    });
    let findings = report.findings.iter();
    Model {
        path: report.path.to_string(),
        language: LANGUAGE,
        space,
        hidden: Vec::new(),
        diagnostics: Vec::new(),
        properties: findings.map(|finding| property(report, finding)).collect(),
        notes: Vec::new(),
        stats: report.seconds.map(|seconds| Stats { seconds }),
    }
}

pub(crate) fn property(report: &Report<'_>, finding: &Finding) -> Property {
    let property = report.property(finding);
    let place = property.span.map(|span| report.sources.place(span));
    let (verdict, reason) = match &finding.verdict {
        Verdict::Holds => ("holds", None),
        Verdict::Fails => ("fails", None),
        Verdict::Unknown(UnknownReason::Stopped(stop)) => ("unknown", Some(stop.to_string())),
        Verdict::Unknown(UnknownReason::Unsupported(why)) => ("unknown", Some(why.clone())),
    };
    let decided = matches!(finding.verdict, Verdict::Holds | Verdict::Fails);
    let evidence = finding.evidence.as_ref().map(|evidence| {
        let telling = SystemTelling::new(*report, property, evidence);
        self::evidence(&telling, evidence)
    });
    Property {
        name: property.name.clone(),
        text: property.text.clone(),
        path: property
            .span
            .map(|span| report.sources.file(span.file).name().to_string()),
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
        kind: "mcl",
        class: finding.class.map(|class| class.name()),
        verdict,
        reason,
        reach: decided.then_some(Reach {
            kind: "complete",
            meaning: "real",
            of_system: None,
        }),
        evidence,
        ..Property::default()
    }
}

fn evidence(telling: &SystemTelling<'_>, source: &Source) -> Evidence {
    let (replayed, replay_note) = match &source.replay {
        Replay::Ok => (true, None),
        Replay::NotDone => (false, None),
        Replay::Partial(what) => (false, Some(format!("{IN_PART}{what}"))),
        Replay::Failed(why) => (false, Some(why.clone())),
    };
    let loop_start = match source.shape {
        Shape::Lasso => source.main_run().1.map(OccurrenceId::index),
        Shape::Path | Shape::Tree | Shape::Region => None,
    };
    let occurrences = || source.occurrences.entries();
    let states = occurrences().map(|(id, occurrence)| State {
        id: id.index(),
        values: values(telling, &occurrence.values),
        shown: Map::new(),
    });
    let equations = telling.property.question.system.equations.entries();
    Evidence {
        shape: source.shape.name(),
        minimal: Minimal {
            measure: source.minimal.measure.name(),
            length: source.minimal.length,
            proved: source.minimal.proved() && !is_open(source),
            at_least: source.minimal.at_least,
        },
        strategy: Vec::new(),
        replayed,
        replay_note,
        states: states.collect(),
        edges: edges(telling, source),
        loop_start,
        segments: segments(source),
        regions: regions(telling, source),
        formula: equations
            .map(|(id, equation)| SubFormula {
                id: id.index(),
                text: equation.text.clone(),
            })
            .collect(),
        proof: proof(source),
        truth: occurrences()
            .map(|(id, occurrence)| (id.index(), occurrence.truth.iter().copied().collect()))
            .collect(),
    }
}

fn values(telling: &SystemTelling<'_>, values: &[Value]) -> Map<String, Json> {
    let state = state(telling.report.lts, values).map_or(Json::Null, |s| Json::from(s.index()));
    Map::from_iter([("state".to_string(), state)])
}

fn edges(telling: &SystemTelling<'_>, source: &Source) -> Vec<Edge> {
    let edges = source.edges.iter().map(|edge| {
        let (old, new) = (telling.state(edge.from), telling.state(edge.to));
        let change = (old != new).then(|| Change {
            variable: "state".to_string(),
            old: Json::from(old),
            new: Json::from(new),
            line: None,
        });
        Edge {
            from: edge.from.index(),
            to: edge.to.index(),
            action: Some(telling.plain_label(&edge.input)),
            inputs: Map::new(),
            changes: change.into_iter().collect(),
        }
    });
    edges.collect()
}

fn segments(source: &Source) -> Vec<Segment> {
    let segments = source.segments.iter().map(|segment| {
        let (ending, to) = match segment.ending {
            Ending::Goal => ("goal", None),
            Ending::Loop(to) => ("loop", Some(to)),
            Ending::DeadEnd => ("dead-end", None),
            Ending::Joins(to) => ("joins", Some(to)),
        };
        let (sub, holds) = claim(segment.serves);
        Segment {
            from: segment.from.map(OccurrenceId::index),
            main: segment.main,
            sub,
            holds,
            states: segment.states.iter().map(|state| state.index()).collect(),
            ending,
            to: to.map(OccurrenceId::index),
            fair: Vec::new(),
        }
    });
    segments.collect()
}

fn regions(telling: &SystemTelling<'_>, source: &Source) -> Vec<Region> {
    let regions = source.regions.iter().map(|region| {
        let (sub, holds) = claim(region.claim);
        let states = region.states.as_ref();
        Region {
            at: region.at.index(),
            sub,
            holds,
            size: number(&region.size.to_string()),
            cover: Vec::new(),
            complete: region.cover.complete,
            states: states.map(|states| states.iter().map(|v| values(telling, v)).collect()),
        }
    });
    regions.collect()
}
