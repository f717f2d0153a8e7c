//! A property in full: its document, and its evidence in words.

use std::collections::BTreeMap;

use wherefore_evidence::{Evidence, Finding, OccurrenceId, ProofId};
use wherefore_wire::{EndingName, PropertyAnswer, ToldDoc, ToldRunDoc, ToldStepDoc};

use super::MOST_SENTENCES;
use super::formula;
use crate::Report;
use crate::because::because;
use crate::english::{answer, sentences};
use crate::excerpt::Excerpt;
use crate::explain::Explainer;
use crate::explore::Style;
use crate::json;
use crate::json::evidence::{claim, ending};
use crate::lts;
use crate::manner::Manner;
use crate::page::runs::branch_claim;
use crate::phrases::{badges_of, run_text, shape_of, shape_text};
use crate::remarks::remarks;
use crate::sentences::decisions::{decision_text, worth_telling};
use crate::sentences::readings::reading;
use crate::sentences::texts;
use crate::strands::{Strand, strands};
use crate::wished::wish_text;
use crate::words::Telling;

/// The property of a finding about a model.
pub fn property(model: usize, report: &Report<'_>, finding: &Finding) -> PropertyAnswer {
    let query = report.property(finding).body.query();
    let telling = Telling::of(*report, finding).filter(|_| finding.evidence.is_some());
    let told = telling.map(|telling| {
        let decisions = worth_telling(&telling, &finding.decisions);
        ToldDoc {
            decisions: decisions
                .map(|d| decision_text(&telling, d).to_string())
                .filter(|text| !text.is_empty())
                .collect(),
            wishes: texts(finding.wishes.iter().map(wish_text).collect()),
            ..told(&telling)
        }
    });
    PropertyAnswer {
        model,
        id: finding.property,
        from: report.from.map(json::from),
        property: json::property(report, finding),
        told,
        formula: query.map_or(vec![], |query| formula::nodes(report, query)),
    }
}

/// The property of a finding about a system.
pub fn property_of_system(
    model: usize,
    report: &lts::LtsReport<'_>,
    finding: &Finding,
) -> PropertyAnswer {
    PropertyAnswer {
        model,
        id: finding.property,
        from: None,
        property: lts::json::property(report, finding),
        told: lts::story::told(report, finding),
        formula: formula::equations(&report.property(finding).question),
    }
}

/// Evidence in words, as far as it goes.
pub(super) fn told(telling: &Telling<'_>) -> ToldDoc {
    let evidence = telling.evidence;
    let excerpt = Excerpt::new(telling, &Manner::default());
    let mut sentences = sentences(telling, &excerpt, false);
    let mut remarks = remarks(telling, &excerpt);
    let told = evidence.occurrences.ids().map(|at| ToldStepDoc {
        state: at.index(),
        sentence: sentences.remove(&at).map(|text| text.to_string()),
        remarks: texts(remarks.remove(&at).unwrap_or_default()),
    });
    ToldDoc {
        because: because(telling).to_string(),
        reading: Some(reading(telling).to_string()),
        answer: Some(answer(telling).to_string()),
        shape: shape_of(telling).to_string(),
        badges: bare(texts(badges_of(telling))),
        decisions: Vec::new(),
        wishes: Vec::new(),
        steps: told.collect(),
        runs: runs(telling.report.start(), evidence, &|strand| {
            branch_claim(telling, strand, false).to_string()
        }),
        proof: proof(telling),
    }
}

/// The evidence of a system in words.
pub(crate) fn told_of_system(
    evidence: &Evidence,
    because: String,
    badges: Vec<String>,
    mut why: BTreeMap<OccurrenceId, Vec<String>>,
    serves: &dyn Fn(&Strand<'_>) -> String,
) -> ToldDoc {
    let told = evidence.occurrences.ids().map(|at| ToldStepDoc {
        state: at.index(),
        sentence: None,
        remarks: why.remove(&at).unwrap_or_default(),
    });
    ToldDoc {
        because,
        reading: None,
        answer: None,
        shape: shape_text(INITIAL, evidence).to_string(),
        badges: bare(badges),
        decisions: Vec::new(),
        wishes: Vec::new(),
        steps: told.collect(),
        runs: runs(INITIAL, evidence, serves),
        proof: Vec::new(),
    }
}

/// Badges without their brackets.
fn bare(badges: Vec<String>) -> Vec<String> {
    let bare = |badge: String| badge.trim_matches(['[', ']']).to_string();
    badges.into_iter().map(bare).collect()
}

/// What each node of the proof says.
fn proof(telling: &Telling<'_>) -> Vec<String> {
    let evidence = telling.evidence;
    if evidence.proof.len() > MOST_SENTENCES {
        return Vec::new();
    }
    let explainer = explainer(telling);
    let nodes = evidence.proof.ids().map(|id: ProofId| explainer.node(id));
    nodes.collect()
}

/// Who puts the nodes of a proof into words.
pub(super) fn explainer<'a>(telling: &Telling<'a>) -> Explainer<'a> {
    Explainer {
        report: telling.report,
        query: telling.query,
        evidence: telling.evidence,
        style: Style {
            color: false,
            ascii: false,
            width: usize::MAX,
        },
        full: false,
        backward: false,
        vars: None,
    }
}

/// Where the runs of a labelled transition system start.
const INITIAL: &str = "initial state";

fn runs(
    start: &str,
    evidence: &Evidence,
    serves: &dyn Fn(&Strand<'_>) -> String,
) -> Vec<ToldRunDoc> {
    let runs = strands(evidence).into_iter().enumerate();
    let told = runs.map(|(at, strand)| {
        let (sub, holds) = claim(strand.serves);
        let (ending, to) = ending(strand.ending);
        let is_loop = ending == EndingName::Loop;
        let place = strand.from.map_or(0, OccurrenceId::index);
        ToldRunDoc {
            from: strand.from.map(OccurrenceId::index),
            states: strand.states.iter().map(|state| state.index()).collect(),
            back: to.filter(|_| is_loop),
            ending,
            to: to.filter(|_| !is_loop),
            sub,
            holds,
            title: match at {
                0 => format!("main run: {}", run_text(start, &strand)),
                _ if strand.fan => {
                    format!("one of the steps from step {place}: {}", serves(&strand))
                }
                _ => format!("branch at step {place}: {}", serves(&strand)),
            },
        }
    });
    told.collect()
}
