//! Labelled transition systems in the JSON document: the same fields as for models. A state has one
//! variable, `state`; an edge has an `action`.

use wherefore_base::Value;
use wherefore_evidence::modal::state;
use wherefore_evidence::{Evidence, Finding, Verdict};
use wherefore_wire::{
    ByName, ChangeDoc, CountDoc, EdgeDoc, EvidenceDoc, LanguageName, ModelDoc, MoreDoc,
    PropertyDoc, PropertyKindName, ReachDoc, RegionDoc, SpaceDoc, StateDoc, StatsDoc,
    SubFormulaDoc, ValueDoc, ValuesDoc,
};

use super::{LtsReport, SystemTelling};
use crate::json::evidence::{claim, frame, segments};
use crate::json::{names, space, unknown_reason, verdict_name};

/// The language of systems in the document.
pub const LANGUAGE: &str = LanguageName::Aut.name();

/// What is reported about a system.
pub fn model(report: &LtsReport<'_>) -> ModelDoc {
    let findings = report.findings.iter();
    ModelDoc {
        space: report.space.map(|summary| SpaceDoc {
            symmetries: None,
            ..space(summary)
        }),
        properties: findings.map(|finding| property(report, finding)).collect(),
        stats: report.seconds.map(|seconds| StatsDoc { seconds }),
        ..ModelDoc::unread(report.path, LANGUAGE)
    }
}

/// What was found out about a property of a system.
pub fn property(report: &LtsReport<'_>, finding: &Finding) -> PropertyDoc {
    let property = report.property(finding);
    let place = property.span.map(|span| report.sources.place(span));
    let decided = matches!(finding.verdict, Verdict::Holds | Verdict::Fails);
    let evidence = finding.evidence.as_ref().map(|evidence| {
        let telling = SystemTelling::new(*report, property, evidence);
        self::evidence(&telling, evidence)
    });
    PropertyDoc {
        name: property.name.clone(),
        text: property.text.clone(),
        path: property
            .span
            .map(|span| report.sources.file(span.file).name().to_string()),
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
        kind: PropertyKindName::Mcl,
        class: finding.class.map(names::class),
        verdict: verdict_name(&finding.verdict),
        reason: unknown_reason(&finding.verdict),
        reach: decided.then(ReachDoc::complete),
        evidence,
        more: (finding.more.others.iter())
            .map(|other| MoreDoc {
                part: None,
                evidence: {
                    let telling = SystemTelling::new(*report, property, &other.evidence);
                    self::evidence(&telling, &other.evidence)
                },
                decisions: vec![],
            })
            .collect(),
        no_more: finding.more.end.map(names::no_more),
        blame: super::blame::suspects(report, finding),
        blame_search: finding.blame.as_ref().map(super::blame::search_document),
        wishes: finding.wishes.iter().map(crate::json::wish).collect(),
        ..PropertyDoc::default()
    }
}

fn evidence(telling: &SystemTelling<'_>, source: &Evidence) -> EvidenceDoc {
    let states = source.occurrences.entries();
    let equations = telling.property.question.system.equations.entries();
    EvidenceDoc {
        states: states
            .map(|(id, occurrence)| StateDoc {
                id: id.index(),
                values: values(telling, &occurrence.values),
                names: Vec::new(),
                caption: None,
                shown: ByName::default(),
            })
            .collect(),
        edges: edges(telling, source),
        segments: segments(source, &[]),
        regions: regions(telling, source),
        formula: equations
            .map(|(id, equation)| SubFormulaDoc {
                id: id.index(),
                text: equation.text.clone(),
            })
            .collect(),
        ..frame(source, Some(&telling.judge))
    }
}

fn values(telling: &SystemTelling<'_>, values: &[Value]) -> ValuesDoc {
    let state = state(telling.report.lts, values);
    let state = state.map(|state| ("state".to_string(), number(state.index())));
    state.into_iter().collect()
}

/// The number of a state, as a value.
pub(crate) fn number(state: usize) -> ValueDoc {
    ValueDoc::Int(state as i64)
}

fn edges(telling: &SystemTelling<'_>, source: &Evidence) -> Vec<EdgeDoc> {
    let edges = source.edges.iter().map(|edge| {
        let (old, new) = (telling.state(edge.from), telling.state(edge.to));
        let change = (old != new).then(|| change(old, new));
        EdgeDoc {
            from: edge.from.index(),
            to: edge.to.index(),
            action: Some(telling.plain_label(&edge.input)),
            inputs: ValuesDoc::default(),
            changes: change.into_iter().collect(),
        }
    });
    edges.collect()
}

/// The change from one state to another.
pub(crate) fn change(old: usize, new: usize) -> ChangeDoc {
    ChangeDoc {
        variable: "state".to_string(),
        old: number(old),
        new: number(new),
        line: None,
    }
}

fn regions(telling: &SystemTelling<'_>, source: &Evidence) -> Vec<RegionDoc> {
    let regions = source.regions.iter().map(|region| {
        let (sub, holds) = claim(region.claim);
        let states = region.states.as_ref();
        RegionDoc {
            at: region.at.index(),
            sub,
            holds,
            size: CountDoc::of(&region.size.to_string()),
            cover: Vec::new(),
            complete: region.cover.complete,
            states: states.map(|states| states.iter().map(|v| values(telling, v)).collect()),
        }
    });
    regions.collect()
}
