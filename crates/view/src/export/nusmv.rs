//! A run as NuSMV and nuXmv write traces in XML. The state that a lasso comes back to stands at its end once
//! more, as it does there.

use std::fmt::Write;

use wherefore_base::Value;
use wherefore_model::{Property, VarId};

use super::{Run, xml};
use crate::words::Telling;

/// The document of a run.
pub(crate) fn render(telling: &Telling<'_>, property: &Property, run: &Run) -> String {
    let report = &telling.report;
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let description = format!("{}: {}", property.name, property.text);
    let _ = writeln!(
        out,
        "<counter-example type=\"0\" id=\"1\" desc=\"{}\">",
        xml(&crate::clean(&description))
    );
    let mut states = run.states.clone();
    states.extend(run.back.map(|back| run.states[back]));
    for (at, &state) in states.iter().enumerate() {
        let id = at + 1;
        out.push_str("  <node>\n");
        let _ = writeln!(out, "    <state id=\"{id}\">");
        let values = report.state_vars().zip(telling.values(state));
        values.for_each(|(var, value)| assignment(&mut out, telling, var, *value));
        out.push_str("    </state>\n");
        let _ = writeln!(out, "    <combinatorial id=\"{id}\"></combinatorial>");
        if let Some(&next) = states.get(id) {
            let _ = writeln!(out, "    <input id=\"{}\">", id + 1);
            for (var, value) in report.inputs(telling.input(state, next)) {
                assignment(&mut out, telling, var, value);
            }
            out.push_str("    </input>\n");
            let _ = writeln!(out, "    <combinatorial id=\"{}\"></combinatorial>", id + 1);
        }
        out.push_str("  </node>\n");
    }
    let back = run
        .back
        .map_or(String::new(), |back| format!(" {} ", back + 1));
    let _ = writeln!(out, "  <loops>{back}</loops>\n</counter-example>");
    out
}

fn assignment(out: &mut String, telling: &Telling<'_>, var: VarId, value: Value) {
    let name = xml(&crate::clean(&telling.report.model.vars[var].name));
    let value = xml(&telling.report.value(value));
    let _ = writeln!(out, "      <value variable=\"{name}\">{value}</value>");
}
