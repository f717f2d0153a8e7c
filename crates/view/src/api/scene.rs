//! A proof that is being explored.

use serde::Serialize;
use serde_json::{Map, Value as Json};
use wherefore_evidence::{Claim, Evidence, OccurrenceId, Outlook, ProofId, Way};
use wherefore_model::Query;

use super::formula::{self, Node};
use super::told::{Told, explainer};
use crate::Report;
use crate::json::{self, evidence::claim};
use crate::words::Telling;

/// What a proof shows at some moment.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Scene {
    pub model: usize,
    pub property: usize,
    pub holds: bool,
    pub choices: Vec<String>,
    pub said: Option<String>,
    pub evidence: json::Evidence,
    pub told: Told,
    pub formula: Vec<Node>,
    pub nodes: Vec<usize>,
    pub sentences: Vec<String>,
    pub open: Vec<Open>,
    pub ways: Option<WaysOf>,
    pub strategy: String,
    pub strategies: Vec<&'static str>,
}

/// What a scene is made of.
pub struct SceneParts<'a> {
    /// The model.
    pub report: Report<'a>,
    /// The number of the model, and of the property.
    pub place: (usize, usize),
    /// The formula of the property.
    pub query: &'a Query,
    /// Whether it holds.
    pub holds: bool,
    /// The evidence so far.
    pub evidence: &'a Evidence,
    /// For each node of its proof, the lasting number.
    pub nodes: Vec<ProofId>,
    /// The obligations: lasting number, claim, place and rank.
    pub open: Vec<(ProofId, Claim, OccurrenceId, Option<u32>)>,
    /// What was chosen, as commands.
    pub choices: Vec<String>,
    /// Who chooses, and who else could.
    pub strategy: String,
    /// The names of strategies.
    pub strategies: Vec<&'static str>,
    /// What else is to be said.
    pub said: Option<String>,
}

/// An obligation.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Open {
    pub node: usize,
    pub claim: String,
    pub state: usize,
    pub sub: Option<usize>,
    pub holds: Option<bool>,
    pub rank: Option<u32>,
}

/// The ways to show an obligation.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct WaysOf {
    pub node: usize,
    pub ways: Vec<OneWay>,
}

/// A way to show an obligation.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct OneWay {
    pub way: usize,
    pub text: String,
    pub kind: &'static str,
    pub to: Option<Map<String, Json>>,
}

impl Scene {
    /// The scene of its parts.
    pub fn new(parts: SceneParts<'_>) -> Self {
        let telling = Telling {
            report: parts.report,
            query: parts.query,
            evidence: parts.evidence,
        };
        let told = Told::of(&telling);
        let explainer = explainer(&telling);
        let open = parts.open.iter().map(|&(node, open, at, rank)| {
            let (sub, holds) = claim(open);
            Open {
                node: node.index(),
                claim: explainer.claim(open, at, rank),
                state: at.index(),
                sub,
                holds,
                rank,
            }
        });
        Self {
            model: parts.place.0,
            property: parts.place.1,
            holds: parts.holds,
            choices: parts.choices,
            said: parts.said,
            evidence: json::Evidence::new(&parts.report, parts.query, parts.evidence),
            formula: formula::nodes(&parts.report, parts.query),
            nodes: parts.nodes.iter().map(|node| node.index()).collect(),
            sentences: told.proof.clone(),
            open: open.collect(),
            told: Told {
                proof: Vec::new(),
                ..told
            },
            ways: None,
            strategy: parts.strategy,
            strategies: parts.strategies,
        }
    }
}

impl WaysOf {
    /// The ways to show an obligation at a place of some evidence.
    pub fn new(
        (report, query, evidence): (&Report<'_>, &Query, &Evidence),
        (node, at): (ProofId, OccurrenceId),
        ways: &[(Way, Option<Outlook>)],
    ) -> Self {
        let telling = Telling {
            report: *report,
            query,
            evidence,
        };
        let explainer = explainer(&telling);
        let ways = ways
            .iter()
            .enumerate()
            .map(|(number, (way, outlook))| OneWay {
                way: number + 1,
                text: explainer.way(at, way, *outlook),
                kind: way.kind.name(),
                to: way.to.as_deref().map(|to| json::state(report, to)),
            });
        Self {
            node: node.index(),
            ways: ways.collect(),
        }
    }
}
