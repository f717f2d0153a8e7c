//! Evidence in the Informal Trace Format (Apalache ADR-015).
//!
//! The format knows paths and lassos only: the main run of an evidence is one document, and each run
//! that branches off is a document of its own, from the initial state on.

use serde_json::{Map, Value as Json, json};
use wherefore_evidence::{Claim, Ending, Finding, OccurrenceId};

use crate::Report;
use crate::json::{hidden, inputs, value};
use crate::strands::{Strand, strands};
use crate::words::Telling;

/// One trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// 0 for the main run, 1 and on for the runs that branch off.
    pub branch: usize,
    /// The document, with a line break at its end.
    pub document: String,
}

/// The traces of a finding, the main run first; none when there is no evidence.
pub fn render(report: &Report<'_>, finding: &Finding) -> Vec<Trace> {
    let Some(telling) = Telling::of(*report, finding) else {
        return vec![];
    };
    let strands = strands(telling.evidence);
    let told = strands
        .iter()
        .enumerate()
        .filter(|(at, strand)| *at == 0 || strand.serves != Claim::HasPath);
    let traces = told.enumerate().map(|(branch, (_, strand))| {
        let document = trace(&telling, finding, &strands, strand);
        let mut document = serde_json::to_string_pretty(&document).expect("a JSON value prints");
        document.push('\n');
        Trace { branch, document }
    });
    traces.collect()
}

fn trace(
    telling: &Telling<'_>,
    finding: &Finding,
    all: &[Strand<'_>],
    strand: &Strand<'_>,
) -> Json {
    let report = &telling.report;
    let property = report.property(finding);
    let mut run: Vec<OccurrenceId> = Vec::new();
    let mut at = strand.from;
    while let Some(step) = at {
        run.push(step);
        at = before(all, step);
    }
    run.reverse();
    run.extend(&strand.states);
    let start = match strand.ending {
        Ending::Loop(to) => run.iter().rposition(|&step| step == to),
        Ending::Goal | Ending::DeadEnd | Ending::Joins(_) => None,
    };
    let names = report
        .state_vars()
        .map(|var| name(&report.model.vars[var].name));
    let mut document = Map::new();
    let serves = strand.from.map(|_| telling.claim(strand.serves));
    let mut meta = json!({
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "source": report.path(),
            "property": property.name,
            "formula": property.text,
            "description": serves,
    });
    let hidden = hidden(report);
    if !hidden.is_empty() {
        meta["hidden"] = json!(hidden);
    }
    document.insert("#meta".to_string(), meta);
    document.insert("vars".to_string(), names.map(Json::String).collect());
    let mut states = Vec::new();
    for (index, &step) in run.iter().enumerate() {
        let mut meta = Map::from_iter([
            ("index".to_string(), json!(index)),
            ("step".to_string(), json!(step.index())),
        ]);
        if let Some(&before) = index.checked_sub(1).and_then(|before| run.get(before)) {
            let inputs = inputs(report, telling.input(before, step));
            if !inputs.is_empty() {
                meta.insert("inputs".to_string(), Json::Object(inputs));
            }
        }
        let mut state = Map::from_iter([("#meta".to_string(), Json::Object(meta))]);
        for (var, &v) in report.state_vars().zip(telling.values(step)) {
            state.insert(name(&report.model.vars[var].name), value(report, v));
        }
        states.push(Json::Object(state));
    }
    document.insert("states".to_string(), Json::Array(states));
    if let Some(start) = start {
        document.insert("loop".to_string(), json!(start));
    }
    Json::Object(document)
}

/// The occurrence before another one.
fn before(all: &[Strand<'_>], step: OccurrenceId) -> Option<OccurrenceId> {
    let strand = all.iter().find(|strand| strand.states.contains(&step))?;
    let at = strand.states.iter().position(|&state| state == step)?;
    match at.checked_sub(1) {
        Some(before) => Some(strand.states[before]),
        None => strand.from,
    }
}

/// A name of a variable; those that the format keeps for itself are set apart.
fn name(name: &str) -> String {
    if name.starts_with('#') {
        format!("_{name}")
    } else {
        name.to_string()
    }
}
