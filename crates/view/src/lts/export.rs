//! Evidence about labelled transition systems in the formats of other tools.
//!
//! A state has a number and a step has a label; there are no variables. So formats of graphs and tables hold
//! this evidence, and formats of values of variables are refused with the reason.

use wherefore_evidence::Finding;

use super::{LtsReport, SystemTelling};
use crate::export::csv::row;
use crate::export::runs::runs_of;
use crate::export::{ExportDocument, ExportFormat, Run, evidence};

/// Why a format cannot hold evidence about a labelled transition system; `None`: it can.
pub fn refusal(format: ExportFormat) -> Option<&'static str> {
    match format {
        ExportFormat::Itf | ExportFormat::NuSmv => Some(
            "This is a trace of values of variables, and a labelled transition system has none.",
        ),
        ExportFormat::Vcd => {
            Some("A waveform shows values of variables, and a labelled transition system has none.")
        }
        ExportFormat::PlantUml => Some(
            "A sequence diagram shows which part of a model changes, and a labelled transition system has no parts.",
        ),
        ExportFormat::Csv
        | ExportFormat::Mermaid
        | ExportFormat::Svg
        | ExportFormat::GraphMl
        | ExportFormat::Aut
        | ExportFormat::Cypher => None,
    }
}

/// The evidence of a finding in a format; nothing when there is no evidence.
///
/// # Errors
/// The reason why the format cannot hold it, as a sentence.
pub fn export(
    report: &LtsReport<'_>,
    finding: &Finding,
    format: ExportFormat,
) -> Result<Vec<ExportDocument>, &'static str> {
    if let Some(why) = refusal(format) {
        return Err(why);
    }
    let Some(telling) = SystemTelling::of(*report, finding) else {
        return Ok(vec![]);
    };
    if let Some(text) = evidence::render(&telling, format) {
        return Ok(vec![ExportDocument { branch: 0, text }]);
    }
    let runs = runs_of(telling.evidence).into_iter().enumerate();
    let tables = runs.map(|(branch, run)| ExportDocument {
        branch,
        text: table(&telling, &run),
    });
    Ok(tables.collect())
}

/// A row for each state; the action is that of the step that leads there.
fn table(telling: &SystemTelling<'_>, run: &Run) -> String {
    let mut out = row(&["step", "action", "state", "back to"].map(str::to_owned));
    for (at, &here) in run.states.iter().enumerate() {
        let action = match at.checked_sub(1) {
            Some(before) => telling.action(run.states[before], here),
            None => String::new(),
        };
        let back = run.back.filter(|_| at + 1 == run.states.len());
        let back = back.map_or(String::new(), |back| back.to_string());
        let state = telling.state(here).to_string();
        out.push_str(&row(&[at.to_string(), action, state, back]));
    }
    // What closes the loop has an action, too.
    if let (Some(back), Some(&last)) = (run.back, run.states.last()) {
        let to = run.states[back];
        let state = telling.state(to).to_string();
        let cells = [back.to_string(), telling.action(last, to), state];
        out.push_str(&row(&[cells.as_slice(), &[String::new()]].concat()));
    }
    out
}
