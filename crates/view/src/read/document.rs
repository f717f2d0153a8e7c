//! Our own document, read back: the types of `crate::json` seen from the other side.
//!
//! Only what is needed to tell what was found and to rebuild the evidence is read; whatever else a
//! later version adds is skipped.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value as Json};

use super::trace::{Datum, Format, Trace, Valuation};

/// The whole document.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Document {
    pub models: Vec<Model>,
}

/// One model and its properties.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Model {
    pub path: String,
    /// Variables that the user did not declare.
    #[serde(default)]
    pub hidden: Vec<String>,
    pub properties: Vec<Property>,
}

/// What was found out about one property.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Property {
    pub name: String,
    pub text: String,
    /// Null for a formula from the command line.
    pub line: Option<usize>,
    pub verdict: String,
    #[serde(default)]
    pub vacuous: Option<String>,
    #[serde(default)]
    pub evidence: Option<Evidence>,
    #[serde(default)]
    pub witness: Option<Witness>,
    #[serde(default)]
    pub certificate: Option<crate::json::Certificate>,
}

/// A run on which a property that holds matters.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Witness {
    pub replaced: String,
    #[serde(default)]
    pub sub: Option<usize>,
    pub by: bool,
    pub evidence: Evidence,
}

/// Why a property is as it is.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Evidence {
    pub shape: String,
    pub minimal: Minimal,
    pub replayed: bool,
    #[serde(default)]
    pub replay_note: Option<String>,
    pub states: Vec<State>,
    pub edges: Vec<Edge>,
    #[serde(default)]
    pub regions: Vec<Region>,
    pub segments: Vec<Segment>,
    pub formula: Vec<SubFormula>,
    pub proof: Vec<ProofNode>,
    pub truth: BTreeMap<usize, Vec<Option<bool>>>,
}

/// How short the evidence is.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Minimal {
    pub measure: String,
    pub length: u32,
    pub at_least: u32,
}

/// An occurrence of a state.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct State {
    pub values: Map<String, Json>,
}

/// A step.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    #[serde(default)]
    pub inputs: Map<String, Json>,
}

/// A run of states that serves one claim.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Segment {
    pub from: Option<usize>,
    pub main: bool,
    pub sub: Option<usize>,
    pub holds: Option<bool>,
    pub states: Vec<usize>,
    pub ending: String,
    pub to: Option<usize>,
    #[serde(default)]
    pub fair: Vec<Fair>,
}

/// Where a loop meets a fairness constraint.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Fair {
    pub state: Option<usize>,
}

/// A closed set of states.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Region {
    pub at: usize,
    pub sub: Option<usize>,
    pub holds: Option<bool>,
    pub size: Json,
    pub cover: Vec<Map<String, Json>>,
    pub complete: bool,
    pub states: Option<Vec<Map<String, Json>>>,
}

/// A sub-formula.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct SubFormula {
    pub text: String,
}

/// A node of the proof.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct ProofNode {
    pub state: usize,
    pub sub: Option<usize>,
    pub holds: Option<bool>,
    pub rule: Option<String>,
    #[serde(default)]
    pub which: Option<usize>,
    #[serde(default)]
    pub bounds: Option<[u32; 2]>,
    #[serde(default)]
    pub rank: Option<u32>,
    pub premises: Vec<usize>,
}

impl Property {
    /// The main run of the evidence, or of the witness where there is no other; `None` when there is
    /// neither, or no run in it.
    pub fn trace(&self) -> Option<Trace> {
        let witness = self.witness.as_ref().map(|witness| &witness.evidence);
        let mut trace = self.evidence.as_ref().or(witness)?.trace()?;
        trace.title = Some(self.name.clone());
        Some(trace)
    }
}

impl Evidence {
    /// The main run; `None` when the document has none.
    pub fn trace(&self) -> Option<Trace> {
        let main: Vec<&Segment> = self.segments.iter().filter(|s| s.main).collect();
        let run: Vec<usize> = main.iter().flat_map(|s| s.states.iter().copied()).collect();
        let states = run
            .iter()
            .map(|&at| Some(valuation(&self.states.get(at)?.values)));
        let states: Vec<Valuation> = states.collect::<Option<_>>()?;
        let back = main.iter().find(|s| s.ending == "loop").and_then(|s| s.to);
        let back = back.and_then(|to| run.iter().position(|&at| at == to));
        let input = |from: usize, to: usize| {
            let edge = self.edges.iter().find(|e| e.from == from && e.to == to);
            edge.map(|edge| valuation(&edge.inputs)).unwrap_or_default()
        };
        let mut inputs: Vec<Valuation> = run.windows(2).map(|w| input(w[0], w[1])).collect();
        if let (Some(back), Some(&last)) = (back, run.last()) {
            inputs.push(input(last, run[back]));
        }
        (!states.is_empty()).then_some(Trace {
            format: Format::Document,
            title: None,
            states,
            inputs,
            back,
        })
    }
}

pub(super) fn valuation(map: &Map<String, Json>) -> Valuation {
    map.iter()
        .map(|(name, value)| (name.clone(), Datum::json(value)))
        .collect()
}
