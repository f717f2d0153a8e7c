//! A proof that is being explored.

use wherefore_evidence::{Claim, Evidence, OccurrenceId, Outlook, ProofId, Way, WishOutcome};
use wherefore_model::Query;
use wherefore_wire::{ObligationDoc, ProofAnswer, ToldDoc, WayDoc, WaysDoc};

use super::formula;
use super::told::{explainer, told};
use crate::Report;
use crate::json::{self, evidence, names};
use crate::sentences::texts;
use crate::wished::wish_text;
use crate::words::Telling;

/// A property by the number of its model and its own.
#[derive(Clone, Copy, Debug)]
pub struct PropertyPlace {
    /// The number of the model.
    pub model: usize,
    /// The number of the property.
    pub property: usize,
}

/// What is shown of a proof.
pub struct ProofParts<'a> {
    /// The model.
    pub report: Report<'a>,
    /// The property.
    pub place: PropertyPlace,
    /// The formula of the property.
    pub query: &'a Query,
    /// Whether it holds.
    pub holds: bool,
    /// The evidence so far.
    pub evidence: &'a Evidence,
    /// For each node of its proof, the lasting number.
    pub nodes: Vec<ProofId>,
    /// The obligations.
    pub open: Vec<OpenClaim>,
    /// What was chosen, as commands.
    pub choices: Vec<String>,
    /// Who chooses, and who else could.
    pub strategy: String,
    /// The names of strategies.
    pub strategies: Vec<String>,
    /// What became of wishes about whole runs.
    pub wishes: &'a [WishOutcome],
    /// What else is to be said.
    pub said: Option<String>,
}

/// A proof obligation.
#[derive(Clone, Copy, Debug)]
pub struct OpenClaim {
    /// Its lasting number.
    pub node: ProofId,
    /// What is to be shown.
    pub claim: Claim,
    /// Where.
    pub at: OccurrenceId,
    /// Within how many steps, where something must be reached.
    pub rank: Option<u32>,
}

/// What a proof shows at some moment.
pub fn proof(parts: ProofParts<'_>) -> ProofAnswer {
    let telling = Telling::over(parts.report, parts.query, parts.evidence);
    let told = told(&telling);
    let explainer = explainer(&telling);
    let open = parts.open.iter().map(|open| {
        let (sub, holds) = evidence::claim(open.claim);
        ObligationDoc {
            node: open.node.index(),
            claim: explainer.claim(open.claim, open.at, open.rank),
            state: open.at.index(),
            sub,
            holds,
            rank: open.rank,
        }
    });
    ProofAnswer {
        model: parts.place.model,
        property: parts.place.property,
        holds: parts.holds,
        choices: parts.choices,
        said: parts.said,
        evidence: evidence::evidence(&parts.report, parts.query, parts.evidence),
        formula: formula::nodes(&parts.report, parts.query),
        nodes: parts.nodes.iter().map(|node| node.index()).collect(),
        sentences: told.proof.clone(),
        open: open.collect(),
        told: ToldDoc {
            proof: Vec::new(),
            wishes: texts(parts.wishes.iter().map(wish_text).collect()),
            ..told
        },
        ways: None,
        strategy: parts.strategy,
        strategies: parts.strategies,
    }
}

/// The ways to show an obligation of some evidence.
pub fn ways(
    (report, query, evidence): (&Report<'_>, &Query, &Evidence),
    (node, at): (ProofId, OccurrenceId),
    ways: &[(Way, Option<Outlook>)],
) -> WaysDoc {
    let telling = Telling::over(*report, query, evidence);
    let explainer = explainer(&telling);
    let ways = ways.iter().enumerate();
    let ways = ways.map(|(number, (way, outlook))| WayDoc {
        way: number + 1,
        text: explainer.way(at, way, *outlook),
        kind: names::way(way.kind),
        to: way.to.as_deref().map(|to| json::state(report, to)),
    });
    WaysDoc {
        node: node.index(),
        ways: ways.collect(),
    }
}
