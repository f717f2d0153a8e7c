//! A report for a page: a table of verdicts, and for each evidence its steps.

use std::fmt::Write;

use wherefore_evidence::{Finding, UnknownReason, Verdict};

use super::rows::{Row, fan, rows};
use super::{Report, Telling};
use crate::markdown::{cell, code, prose};
use crate::phrases::{badges, shape_text};
use crate::strands::{groups, strands};
use crate::words::count;

/// The report about one system.
pub fn render(report: &Report<'_>) -> String {
    let mut out = format!("# {}\n\n", prose(report.path));
    let states = count(report.lts.states(), "state");
    let transitions = count(report.lts.transitions(), "transition");
    let _ = writeln!(out, "{states}, {transitions}.\n");
    out.push_str("| property | formula | verdict |\n|---|---|---|\n");
    for finding in report.findings {
        let property = report.property(finding);
        let title = cell(&report.title(property));
        let text = code(&property.text);
        let _ = writeln!(out, "| {title} | {text} | {} |", verdict(finding));
    }
    for finding in report.findings {
        if let Some(telling) = Telling::of(*report, finding) {
            section(&mut out, &telling, finding);
        }
    }
    out
}

fn verdict(finding: &Finding) -> String {
    match &finding.verdict {
        Verdict::Holds => "holds".to_string(),
        Verdict::Fails => "**fails**".to_string(),
        Verdict::Unknown(UnknownReason::Stopped(stop)) => format!("undecided: {stop}"),
        Verdict::Unknown(UnknownReason::Unsupported(why)) => format!("undecided: {}", cell(why)),
    }
}

fn section(out: &mut String, telling: &Telling<'_>, finding: &Finding) {
    let word = match finding.verdict {
        Verdict::Holds => "holds",
        _ => "fails",
    };
    let _ = write!(out, "\n## {} {word}\n\n", prose(&telling.property.name));
    let _ = write!(out, "Because {}.\n\n", prose(&telling.because()));
    let badges = badges(telling.evidence).join(" ");
    let shape = shape_text(telling.evidence);
    let _ = writeln!(out, "Witness: {shape} {}", prose(&badges));
    let strands = strands(telling.evidence);
    for group in groups(&strands) {
        let strand = group[0];
        if !std::ptr::eq(strand, &strands[0]) {
            let place = strand.from.map_or(0, |from| from.index());
            let what = if strand.fan {
                "Every step from"
            } else {
                "Branch at"
            };
            let _ = write!(out, "\n{what} step {place}:\n");
        }
        match strand.fan {
            true => table(out, &fan(telling, &group)),
            false => table(out, &rows(telling, strand)),
        }
    }
    for region in telling.evidence.regions.iter() {
        let text = prose(&telling.region(region));
        let _ = write!(out, "\nRegion at step {}: {text}.\n", region.at.index());
    }
}

fn table(out: &mut String, rows: &[Row]) {
    out.push_str("\n| step | action | state | why this step matters |\n|---|---|---|---|\n");
    for row in rows {
        let action = match row.action.as_str() {
            "" => String::new(),
            action => code(action),
        };
        let why = cell(&row.why.join("; "));
        let _ = writeln!(
            out,
            "| {} | {action} | {} | {why} |",
            row.step.index(),
            row.state
        );
    }
}
