//! A property in full: its document, and its evidence in words.

use std::collections::BTreeMap;

use serde::Serialize;
use wherefore_evidence::{Claim, Ending, Evidence, Finding, OccurrenceId, ProofId};

use super::formula::{self, Node};
use super::{MOST_SENTENCES, render};
use crate::Report;
use crate::because::because;
use crate::english::{answer, reading, sentences};
use crate::excerpt::Excerpt;
use crate::explain::Explainer;
use crate::explore::Style;
use crate::json::{self, evidence::claim};
use crate::lts;
use crate::manner::Manner;
use crate::phrases::{badges_of, decision_text, run_text, shape_text};
use crate::remarks::remarks;
use crate::sentences::texts;
use crate::strands::{Strand, strands};
use crate::words::Telling;

/// A property with everything that is known about it.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Detail {
    pub model: usize,
    pub id: usize,
    pub property: json::Property,
    pub told: Option<Told>,
    pub formula: Vec<Node>,
}

/// Evidence in words.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Told {
    pub because: String,
    /// What the property says; null for a system.
    pub reading: Option<String>,
    pub answer: Option<String>,
    pub shape: String,
    pub badges: Vec<String>,
    pub decisions: Vec<String>,
    pub steps: Vec<ToldStep>,
    pub runs: Vec<ToldRun>,
    /// For each node of the proof, what it says; empty where there are very many.
    pub proof: Vec<String>,
}

/// What is said about a state.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct ToldStep {
    pub state: usize,
    pub sentence: Option<String>,
    pub remarks: Vec<String>,
}

/// A run as it is read.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct ToldRun {
    pub from: Option<usize>,
    pub states: Vec<usize>,
    #[serde(rename = "loop")]
    pub back: Option<usize>,
    pub ending: &'static str,
    /// Where the last step leads, of a run that joins another.
    pub to: Option<usize>,
    pub sub: Option<usize>,
    pub holds: Option<bool>,
    pub title: String,
}

impl Detail {
    /// The property of a finding about a model.
    pub fn of(model: usize, report: &Report<'_>, finding: &Finding) -> Self {
        let query = report.property(finding).body.query();
        let telling = Telling::of(*report, finding).filter(|_| finding.evidence.is_some());
        Self {
            model,
            id: finding.property,
            property: json::property(report, finding),
            told: telling.map(|telling| Told::new(&telling, finding)),
            formula: query.map_or(vec![], |query| formula::nodes(report, query)),
        }
    }

    /// The property of a finding about a system.
    pub fn of_system(model: usize, report: &lts::Report<'_>, finding: &Finding) -> Self {
        Self {
            model,
            id: finding.property,
            property: lts::json::property(report, finding),
            told: lts::story::told(report, finding),
            formula: formula::equations(&report.property(finding).question),
        }
    }

    /// Its text.
    pub fn render(&self) -> String {
        render(self)
    }
}

impl Told {
    fn new(telling: &Telling<'_>, finding: &Finding) -> Self {
        let decisions = finding.decisions.iter();
        let mut told = Self::of(telling);
        told.decisions = decisions
            .map(|d| decision_text(telling, d).to_string())
            .collect();
        told
    }

    /// Evidence in words, as far as it goes.
    pub(super) fn of(telling: &Telling<'_>) -> Self {
        let evidence = telling.evidence;
        let excerpt = Excerpt::new(telling, &Manner::default());
        let mut sentences = sentences(telling, &excerpt, false);
        let mut remarks = remarks(telling, &excerpt);
        let told = evidence.occurrences.ids().map(|at| ToldStep {
            state: at.index(),
            sentence: sentences.remove(&at).map(|text| text.to_string()),
            remarks: texts(remarks.remove(&at).unwrap_or_default()),
        });
        Self {
            because: because(telling).to_string(),
            reading: Some(reading(telling).to_string()),
            answer: Some(answer(telling).to_string()),
            shape: shape_text(evidence).to_string(),
            badges: bare(texts(badges_of(&telling.report, evidence))),
            decisions: Vec::new(),
            steps: told.collect(),
            runs: runs(evidence, &|strand| match strand.serves {
                Claim::Formula(..) => format!("why {} there", telling.claim(strand.serves)),
                Claim::HasPath => telling.claim(strand.serves).to_string(),
            }),
            proof: proof(telling),
        }
    }

    /// The evidence of a system in words.
    pub(crate) fn of_system(
        evidence: &Evidence,
        because: String,
        badges: Vec<String>,
        mut why: BTreeMap<OccurrenceId, Vec<String>>,
        serves: &dyn Fn(&Strand<'_>) -> String,
    ) -> Self {
        let told = evidence.occurrences.ids().map(|at| ToldStep {
            state: at.index(),
            sentence: None,
            remarks: why.remove(&at).unwrap_or_default(),
        });
        Self {
            because,
            reading: None,
            answer: None,
            shape: shape_text(evidence).to_string(),
            badges: bare(badges),
            decisions: Vec::new(),
            steps: told.collect(),
            runs: runs(evidence, serves),
            proof: Vec::new(),
        }
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

fn runs(evidence: &Evidence, serves: &dyn Fn(&Strand<'_>) -> String) -> Vec<ToldRun> {
    let runs = strands(evidence).into_iter().enumerate();
    let told = runs.map(|(at, strand)| {
        let (sub, holds) = claim(strand.serves);
        let (ending, back, to) = match strand.ending {
            Ending::Goal => ("goal", None, None),
            Ending::Loop(to) => ("loop", Some(to), None),
            Ending::DeadEnd => ("dead-end", None, None),
            Ending::Joins(to) => ("joins", None, Some(to)),
        };
        let place = strand.from.map_or(0, OccurrenceId::index);
        ToldRun {
            from: strand.from.map(OccurrenceId::index),
            states: strand.states.iter().map(|state| state.index()).collect(),
            back: back.map(OccurrenceId::index),
            ending,
            to: to.map(OccurrenceId::index),
            sub,
            holds,
            title: match at {
                0 => format!("main run: {}", run_text(&strand)),
                _ if strand.fan => {
                    format!("one of the steps from step {place}: {}", serves(&strand))
                }
                _ => format!("branch at step {place}: {}", serves(&strand)),
            },
        }
    });
    told.collect()
}
