//! A report for a page: a table of verdicts, and for each evidence its steps and a Mermaid diagram.

use std::fmt::Write;

use wherefore_evidence::{Finding, UnknownReason, Vacuity, Verdict};
use wherefore_model::PropertyBody;

use crate::Report;
use crate::because::because;
use crate::phrases::{badges, note_text, region_text, shape_text, vacuity_text, witness_text};
use crate::remarks::remarks;
use crate::several::pieces;
use crate::strands::{Strand, groups, strands};
use crate::table::{self, Cell, Choice, Row};
use crate::words::{Telling, clean};

/// The report about one model. `full` shows all values at every step.
pub fn render(report: &Report<'_>, full: bool) -> String {
    let mut out = format!("# {}\n\n", prose(report.path()));
    if let Some(space) = report.space {
        let _ = writeln!(out, "{} states, engine {}.\n", space.states, space.engine);
    }
    out.push_str("| property | formula | verdict |\n|---|---|---|\n");
    for finding in report.findings {
        let property = report.property(finding);
        let title = cell(&report.title(property));
        let _ = writeln!(
            out,
            "| {title} | {} | {} |",
            code(&property.text),
            verdict(report, finding)
        );
    }
    for finding in report.findings {
        let Some(telling) = Telling::of(*report, finding) else {
            continue;
        };
        if finding.evidence.is_none() {
            section(&mut out, &telling, finding, None, full);
        }
        for piece in finding
            .evidence
            .iter()
            .flat_map(|e| pieces(*report, finding, e))
        {
            let heading = piece.heading.as_deref();
            section(&mut out, &piece.telling, finding, heading, full);
            if let Some(closing) = &piece.closing {
                let _ = write!(out, "\n{}.\n", prose(closing));
            }
        }
    }
    let notes = report.space.iter().flat_map(|space| &space.notes);
    for note in notes {
        let _ = write!(out, "\n> Warning: {}\n", prose(&note_text(report, note)));
    }
    out
}

fn verdict(report: &Report<'_>, finding: &Finding) -> String {
    match (&finding.verdict, &finding.vacuity) {
        (Verdict::Fails, _) => "**fails**".to_string(),
        (Verdict::Holds, Vacuity::Vacuous { sub }) => match &report.property(finding).body {
            PropertyBody::Query(query) => {
                format!(
                    "holds vacuously: {}",
                    cell(&vacuity_text(report, query, *sub))
                )
            }
            PropertyBody::Unsupported(_) => "holds vacuously".to_string(),
        },
        (Verdict::Holds, _) => "holds".to_string(),
        (Verdict::Unknown(UnknownReason::Stopped(stop)), _) => format!("undecided: {stop}"),
        (Verdict::Unknown(UnknownReason::Unsupported(why)), _) => {
            format!("undecided: {}", cell(why))
        }
    }
}

fn section(
    out: &mut String,
    telling: &Telling<'_>,
    finding: &Finding,
    which: Option<&str>,
    full: bool,
) {
    let (report, evidence) = (&telling.report, telling.evidence);
    let property = report.property(finding);
    let which = which.map(|which| format!(", {which}"));
    let title = report.title(property) + &which.unwrap_or_default();
    let _ = write!(out, "\n## {}\n\n", prose(&title));
    let lead = match (&finding.verdict, &finding.witness) {
        (Verdict::Fails, _) => format!("Fails because {}.", because(telling)),
        (_, Some(witness)) => format!(
            "Holds, and matters: {}.",
            witness_text(report, finding, witness)
        ),
        _ => format!("Holds because {}.", because(telling)),
    };
    let _ = write!(
        out,
        "{}\n\nWitness: {}. {}\n",
        prose(&lead),
        shape_text(evidence),
        prose(&badges(evidence).join(" "))
    );
    let remarks = remarks(telling);
    let choice = Choice { full, vars: None };
    let strands = strands(evidence);
    for (at, group) in groups(&strands).into_iter().enumerate() {
        let strand = group[0];
        if strand.only_goes_on() && at > 0 && !full {
            continue;
        }
        if at > 0 {
            heading(out, telling, strand);
        }
        let rows = if strand.fan {
            table::fan_rows(telling, &group, &remarks, choice)
        } else {
            table::rows(telling, strand, &remarks, choice)
        };
        steps(out, &rows);
    }
    for region in evidence.regions.iter() {
        let text = prose(&region_text(telling, region));
        let _ = write!(out, "\nRegion at step {}: {text}.\n\n", region.at.index());
        for cube in telling.cover(region) {
            let _ = writeln!(out, "- {}", code(&cube));
        }
    }
    mermaid(out, telling);
}

fn heading(out: &mut String, telling: &Telling<'_>, strand: &Strand<'_>) {
    let place = strand.from.map_or(0, |from| from.index());
    let what = if strand.fan {
        "Every step from"
    } else {
        "Branch at"
    };
    let _ = write!(
        out,
        "\n{what} step {place}: {}.\n",
        prose(&telling.claim(strand.serves))
    );
}

fn steps(out: &mut String, rows: &[Row]) {
    let inputs = rows.iter().any(|row| !row.input.is_empty());
    let (head, rule) = if inputs {
        (" input |", "---|")
    } else {
        ("", "")
    };
    let _ = write!(
        out,
        "\n| step |{head} what changed | why this step matters |\n|---|{rule}---|---|\n"
    );
    for row in rows {
        let input = if inputs {
            format!(" {} |", cell(&row.input))
        } else {
            String::new()
        };
        let mut changes: Vec<String> = row.cells.iter().map(change).collect();
        if row.hidden > 0 {
            changes.push(format!("({} more)", row.hidden));
        }
        changes.extend(row.instead.map(str::to_string));
        let why = cell(&row.why.join("; "));
        let _ = writeln!(
            out,
            "| {} |{input} {} | {why} |",
            row.step.index(),
            changes.join("<br>")
        );
    }
}

fn change(change: &Cell) -> String {
    match change {
        Cell::First { name, value } | Cell::Same { name, value } => {
            code(&format!("{name}={value}"))
        }
        Cell::Changed {
            name,
            old,
            new,
            line,
        } => {
            let line = line
                .map(|line| format!(" (line {line})"))
                .unwrap_or_default();
            format!("{}{line}", code(&format!("{name}: {old} → {new}")))
        }
    }
}

fn mermaid(out: &mut String, telling: &Telling<'_>) {
    out.push_str("\n```mermaid\nstateDiagram-v2\n");
    let report = &telling.report;
    for (id, occurrence) in telling.evidence.occurrences.entries() {
        let text = if id.index() == 0 {
            format!("{}: {}", id.index(), report.state_text(&occurrence.values))
        } else {
            id.index().to_string()
        };
        let _ = writeln!(out, "  s{} : {}", id.index(), label(&text));
    }
    out.push_str("  [*] --> s0\n");
    for edge in &telling.evidence.edges {
        let changes = telling.changes(edge).map(|change| {
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
    out.push_str("```\n");
}

/// A label of Mermaid: the letters its grammar takes for something else become entities.
fn label(text: &str) -> String {
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

/// Running text: `code` stays code, everything else is taken literally.
fn prose(text: &str) -> String {
    let text = clean(text);
    let mut out = String::new();
    let mut in_code = false;
    for c in text.chars() {
        match c {
            '`' => {
                in_code = !in_code;
                out.push(c);
            }
            '*' | '_' | '<' | '>' | '[' | ']' | '#' | '|' | '\\' | '&' if !in_code => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

/// Text within a cell of a table, where a bar must be escaped even inside code.
fn cell(text: &str) -> String {
    let text = clean(text);
    let mut out = String::new();
    let mut in_code = false;
    for c in text.chars() {
        match c {
            '`' => {
                in_code = !in_code;
                out.push(c);
            }
            '|' => out.push_str("\\|"),
            '*' | '_' | '<' | '>' | '[' | ']' | '#' | '\\' | '&' if !in_code => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

/// Code within a cell of a table.
fn code(text: &str) -> String {
    let text = clean(text).replace('|', "\\|");
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}
