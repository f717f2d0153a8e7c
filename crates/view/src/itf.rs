//! Evidence in the Informal Trace Format (Apalache ADR-015).
//!
//! The format knows paths and lassos only: the main run of an evidence is one document, and each run
//! that branches off is a document of its own, from the initial state on.

use serde_json::{Map, Value as Json, json};
use wherefore_evidence::Finding;

use crate::Report;
use crate::export::{Run, runs};
use crate::json::{hidden, inputs, value};
use crate::words::Telling;

/// One trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ItfTrace {
    /// 0 for the main run, 1 and on for the runs that branch off.
    pub branch: usize,
    /// The document, with a line break at its end.
    pub document: String,
}

/// The traces of a finding, the main run first; none when there is no evidence.
pub fn render(report: &Report<'_>, finding: &Finding) -> Vec<ItfTrace> {
    let Some(telling) = Telling::of(*report, finding) else {
        return vec![];
    };
    let traces = runs(&telling).into_iter().enumerate().map(|(branch, run)| {
        let document = trace(&telling, finding, &run);
        let mut document = serde_json::to_string_pretty(&document).expect("a JSON value prints");
        document.push('\n');
        ItfTrace { branch, document }
    });
    traces.collect()
}

fn trace(telling: &Telling<'_>, finding: &Finding, run: &Run) -> Json {
    let report = &telling.report;
    let property = report.property(finding);
    let names = report
        .state_vars()
        .map(|var| name(&report.model.vars[var].name));
    let mut document = Map::new();
    let serves = run.serves.map(|claim| telling.claim(claim).to_string());
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
    for (index, &step) in run.states.iter().enumerate() {
        let mut meta = Map::from_iter([
            ("index".to_string(), json!(index)),
            ("step".to_string(), json!(step.index())),
        ]);
        if let Some(&before) = index
            .checked_sub(1)
            .and_then(|before| run.states.get(before))
        {
            let inputs = inputs(report, telling.input(before, step));
            if !inputs.is_empty() {
                meta.insert("inputs".to_string(), json!(inputs));
            }
        }
        let mut state = Map::from_iter([("#meta".to_string(), Json::Object(meta))]);
        for (var, &v) in report.state_vars().zip(telling.values(step)) {
            state.insert(name(&report.model.vars[var].name), json!(value(report, v)));
        }
        states.push(Json::Object(state));
    }
    document.insert("states".to_string(), Json::Array(states));
    if let Some(start) = run.back {
        document.insert("loop".to_string(), json!(start));
    }
    Json::Object(document)
}

/// A name of a variable; those that the format keeps for itself are set apart.
fn name(name: &str) -> String {
    if name.starts_with('#') {
        format!("_{name}")
    } else {
        name.to_string()
    }
}
