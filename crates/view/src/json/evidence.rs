//! Evidence as JSON: states and steps, the runs they form, the proof, and the truth of each
//! sub-formula at each state.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value as Json};
use wherefore_evidence::{Claim, Ending, Evidence as Source, OccurrenceId, Replay, Rule, Shape};
use wherefore_model::Query;

use super::{inputs, number, state, value};
use crate::Report;
use crate::words::{Telling, sub_text};

/// What a note about a re-check starts with when the re-check is not complete.
pub(crate) const IN_PART: &str = "in part; not re-checked: ";

/// Why a property is as it is.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Evidence {
    pub shape: &'static str,
    pub minimal: Minimal,
    /// Who chose it; absent: nobody, so it is the shortest known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strategy: Vec<String>,
    pub replayed: bool,
    /// What was not re-checked, or what the re-check found wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay_note: Option<String>,
    /// Occurrences of states, in the order in which they are told.
    pub states: Vec<State>,
    pub edges: Vec<Edge>,
    /// The index in `states` where the loop of a lasso starts.
    #[serde(rename = "loop")]
    pub loop_start: Option<usize>,
    pub segments: Vec<Segment>,
    pub regions: Vec<Region>,
    /// Operands come before operators; the last is the property.
    pub formula: Vec<SubFormula>,
    pub proof: Vec<ProofNode>,
    /// For each state, the truth of each sub-formula in the order of `formula`; null where it is not known.
    pub truth: BTreeMap<usize, Vec<Option<bool>>>,
}

/// How short the evidence is.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Minimal {
    pub measure: &'static str,
    pub length: u32,
    pub proved: bool,
    pub at_least: u32,
}

/// An occurrence of a state.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct State {
    pub id: usize,
    pub values: Map<String, Json>,
    /// Expressions the user asked to see.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub shown: Map<String, Json>,
}

/// A step.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub action: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub inputs: Map<String, Json>,
    pub changes: Vec<Change>,
}

/// A variable that has another value after a step.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Change {
    pub variable: String,
    pub old: Json,
    pub new: Json,
    /// The line of the assignment, branch or constraint that made it change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// A run of states that serves one claim.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Segment {
    pub from: Option<usize>,
    pub main: bool,
    /// The sub-formula it serves, by its index in `formula`; null: it shows that a path goes on.
    pub sub: Option<usize>,
    pub holds: Option<bool>,
    pub states: Vec<usize>,
    /// `goal`, `loop`, `dead-end` or `joins`.
    pub ending: &'static str,
    /// Where the last step of a loop or a joining segment leads.
    pub to: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fair: Vec<Fair>,
}

/// Where a loop meets a fairness constraint; null: the constraint asks nothing of this loop.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Fair {
    pub constraint: String,
    pub state: Option<usize>,
}

/// A closed set of states.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Region {
    pub at: usize,
    pub sub: Option<usize>,
    pub holds: Option<bool>,
    pub size: Json,
    /// Each entry maps variables to the values they may have; the set is the union of the entries.
    pub cover: Vec<Map<String, Json>>,
    pub complete: bool,
    pub states: Option<Vec<Map<String, Json>>>,
}

/// A sub-formula.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct SubFormula {
    pub id: usize,
    pub text: String,
}

/// A node of the proof; its number is its index.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct ProofNode {
    pub state: usize,
    /// The sub-formula claimed to hold or to fail; null: a path starts here.
    pub sub: Option<usize>,
    pub holds: Option<bool>,
    /// Null for an obligation that nobody has shown yet.
    pub rule: Option<&'static str>,
    /// The number of the branch or region the rule names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub which: Option<usize>,
    /// The bounds that are left, of a bounded operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    pub premises: Vec<usize>,
}

impl Evidence {
    /// The evidence of a property that asks `query`.
    pub(crate) fn new(report: &Report<'_>, query: &Query, source: &Source) -> Self {
        let telling = Telling {
            report: *report,
            query,
            evidence: source,
        };
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
        let subs = query.formula.subs();
        let truth = source
            .occurrences
            .entries()
            .map(|(id, occurrence)| (id.index(), occurrence.truth.iter().copied().collect()));
        Self {
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
            states: states(&telling),
            edges: edges(&telling),
            loop_start,
            segments: segments(&telling),
            regions: regions(&telling),
            formula: subs
                .map(|sub| SubFormula {
                    id: sub.index(),
                    text: sub_text(report, query, sub),
                })
                .collect(),
            proof: proof(source),
            truth: truth.collect(),
        }
    }
}

/// Whether an obligation is left.
pub(crate) fn is_open(source: &Source) -> bool {
    source.proof.iter().any(|node| node.rule.is_none())
}

fn states(telling: &Telling<'_>) -> Vec<State> {
    let report = &telling.report;
    let states = telling
        .evidence
        .occurrences
        .entries()
        .map(|(id, occurrence)| State {
            id: id.index(),
            values: state(report, &occurrence.values),
            shown: (report.shown.iter())
                .map(|shown| {
                    let value = report.shown_value(shown.term, &occurrence.values);
                    (shown.text.clone(), Json::String(value))
                })
                .collect(),
        });
    states.collect()
}

fn edges(telling: &Telling<'_>) -> Vec<Edge> {
    let report = &telling.report;
    let edges = telling.evidence.edges.iter().map(|edge| {
        let inputs = inputs(report, &edge.input);
        let action = report.action_text(&edge.input);
        Edge {
            from: edge.from.index(),
            to: edge.to.index(),
            action: (!action.is_empty()).then_some(action),
            inputs,
            changes: telling
                .changes(edge)
                .map(|change| Change {
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

fn segments(telling: &Telling<'_>) -> Vec<Segment> {
    let constraints = telling.constraints();
    let segments = telling.evidence.segments.iter().map(|segment| {
        let (ending, to) = match segment.ending {
            Ending::Goal => ("goal", None),
            Ending::Loop(to) => ("loop", Some(to)),
            Ending::DeadEnd => ("dead-end", None),
            Ending::Joins(to) => ("joins", Some(to)),
        };
        let (sub, holds) = claim(segment.serves);
        let fair = constraints
            .iter()
            .zip(&segment.fair)
            .map(|(constraint, at)| Fair {
                constraint: constraint.clone(),
                state: at.map(OccurrenceId::index),
            });
        Segment {
            from: segment.from.map(OccurrenceId::index),
            main: segment.main,
            sub,
            holds,
            states: segment.states.iter().map(|state| state.index()).collect(),
            ending,
            to: to.map(OccurrenceId::index),
            fair: fair.collect(),
        }
    });
    segments.collect()
}

fn regions(telling: &Telling<'_>) -> Vec<Region> {
    let report = &telling.report;
    let regions = telling.evidence.regions.iter().map(|region| {
        let (sub, holds) = claim(region.claim);
        let cover = region.cover.cubes.iter().map(|cube| {
            let conditions = cube.values.iter().map(|(var, values)| {
                let values = values.iter().map(|&v| value(report, v)).collect();
                (report.model.vars[*var].name.clone(), Json::Array(values))
            });
            conditions.collect()
        });
        let states = region.states.as_ref();
        Region {
            at: region.at.index(),
            sub,
            holds,
            size: number(&region.size.to_string()),
            cover: cover.collect(),
            complete: region.cover.complete,
            states: states
                .map(|states| states.iter().map(|values| state(report, values)).collect()),
        }
    });
    regions.collect()
}

pub(crate) fn proof(source: &Source) -> Vec<ProofNode> {
    let nodes = source.proof.iter().map(|node| {
        let (sub, holds) = claim(node.claim);
        let (rule, which) = match node.rule {
            None => (None, None),
            Some(Rule::State) => (Some("state"), None),
            Some(Rule::Branch(branch)) => (Some("branch"), Some(branch)),
            Some(Rule::Step) => (Some("step"), None),
            Some(Rule::EveryStep) => (Some("every-step"), None),
            Some(Rule::Goal) => (Some("goal"), None),
            Some(Rule::Continue) => (Some("continue"), None),
            Some(Rule::DeadEnd) => (Some("dead-end"), None),
            Some(Rule::Stop) => (Some("stop"), None),
            Some(Rule::Region(region)) => (Some("region"), Some(region.index())),
            Some(Rule::Total) => (Some("total"), None),
            Some(Rule::Run) => (Some("run"), None),
        };
        let bounds = match node.claim {
            Claim::Formula(_, bounds) => bounds.map(|bounds| [bounds.least, bounds.most]),
            Claim::HasPath => None,
        };
        ProofNode {
            state: node.at.index(),
            sub,
            holds,
            rule,
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
