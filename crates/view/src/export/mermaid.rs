//! Evidence as a state diagram for Mermaid, which many pages with Markdown show as a picture.

use std::fmt::Write;

use crate::words::{Telling, clean};

/// The diagram.
pub(crate) fn render(telling: &Telling<'_>) -> String {
    let mut out = String::from("stateDiagram-v2\n");
    let report = &telling.report;
    for (id, occurrence) in telling.evidence.occurrences.entries() {
        let text = if id.index() == 0 {
            format!(
                "{}: {}",
                id.index(),
                report.state_text(&occurrence.values, false)
            )
        } else {
            id.index().to_string()
        };
        let _ = writeln!(out, "  s{} : {}", id.index(), label(&text));
    }
    out.push_str("  [*] --> s0\n");
    for edge in &telling.evidence.edges {
        let changes = telling.changes(edge);
        let changes = changes.filter(|change| report.model.vars[change.var].is_declared());
        let changes = changes.map(|change| {
            format!(
                "{}: {} → {}",
                report.name(change.var),
                report.value(change.old),
                report.value(change.new)
            )
        });
        let input = report.input_text(&edge.input);
        let input = (!input.is_empty()).then_some(input);
        let text: Vec<_> = input.into_iter().chain(changes).collect();
        let _ = write!(out, "  s{} --> s{}", edge.from.index(), edge.to.index());
        if !text.is_empty() {
            let _ = write!(out, " : {}", label(&text.join(", ")));
        }
        out.push('\n');
    }
    for (id, region) in telling.evidence.regions.entries() {
        let text = format!("a region of {} states", region.size);
        let _ = writeln!(
            out,
            "  r{} : {text}\n  s{} --> r{0}",
            id.index(),
            region.at.index()
        );
    }
    out
}

/// A label of Mermaid: the letters its grammar takes for something else become entities.
pub(crate) fn label(text: &str) -> String {
    let mut label = String::new();
    for c in clean(text).chars() {
        if matches!(
            c,
            '#' | ';' | ':' | '"' | '<' | '>' | '{' | '}' | '[' | ']' | '`' | '%' | '\\' | '&'
        ) {
            let _ = write!(label, "#{};", u32::from(c));
        } else {
            label.push(c);
        }
    }
    label
}
