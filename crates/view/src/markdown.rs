//! A report for a page: a table of verdicts, and for each evidence its steps and a Mermaid diagram.

use std::fmt::Write;

use wherefore_evidence::{Finding, Note, UnknownReason, Vacuity, Verdict};

use crate::Report;
use crate::abstracted;
use crate::because::because;
use crate::english;
use crate::excerpt::Excerpt;
use crate::manner::{Manner, View, Why};
use crate::phrases::{
    BY_FORM, NO_START, badges, badges_of, note_text, quantity_text, region_text, shape_text, up_to,
    vacuity_text, witness_text,
};
use crate::several::pieces;
use crate::strands::{Strand, groups, strands};
use crate::table::{Cell, Choice, Row};
use crate::told::{self, Notes, Told};
use crate::truths::Truths;
use crate::words::{Telling, clean};

/// The report about one model. `full` shows all values at every step.
pub fn render(report: &Report<'_>, full: bool) -> String {
    render_in(report, full, &Manner::default())
}

/// The report about one model, told in a manner.
pub fn render_in(report: &Report<'_>, full: bool, manner: &Manner<'_>) -> String {
    let mut out = format!("# {}\n\n", prose(report.path()));
    if let Some(space) = report.space {
        let _ = writeln!(
            out,
            "{} states{}, engine {}.\n",
            space.states,
            up_to(space),
            space.engine
        );
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
    evidence(&mut out, report, full, manner);
    for finding in report.findings {
        let title = report.title(report.property(finding));
        for note in &finding.notes {
            if let Note::Said(sentence) = note {
                let _ = write!(out, "\n{}\n", prose(&format!("{title}: {sentence}.")));
            }
        }
        if !finding.by_form {
            continue;
        }
        let text = format!("{title} holds {BY_FORM}.");
        let _ = write!(out, "\n{}\n", prose(&text));
    }
    let notes = report.space.iter().flat_map(|space| &space.notes);
    for note in notes {
        let _ = write!(out, "\n> Warning: {}\n", prose(&note_text(report, note)));
    }
    out
}

/// A section for each evidence.
pub(crate) fn evidence(out: &mut String, report: &Report<'_>, full: bool, manner: &Manner<'_>) {
    for finding in report.findings {
        let Some(telling) = Telling::of(*report, finding) else {
            continue;
        };
        if finding.evidence.is_none() {
            section(out, &telling, finding, None, full, manner);
        }
        for piece in finding
            .evidence
            .iter()
            .flat_map(|e| pieces(*report, finding, e))
        {
            let heading = piece.heading.as_deref();
            section(out, &piece.telling, finding, heading, full, manner);
            if let Some(closing) = &piece.closing {
                let _ = write!(out, "\n{}.\n", prose(closing));
            }
        }
    }
}

fn verdict(report: &Report<'_>, finding: &Finding) -> String {
    match (&finding.verdict, &finding.vacuity) {
        (Verdict::Fails, _) => "**fails**".to_string(),
        _ if report.holds_of_nothing(finding) => format!("holds vacuously: {NO_START}"),
        (Verdict::Holds, Vacuity::Vacuous { sub }) => match report.property(finding).body.query() {
            Some(query) => {
                format!(
                    "holds vacuously: {}",
                    cell(&vacuity_text(report, query, *sub))
                )
            }
            None => "holds vacuously".to_string(),
        },
        (Verdict::Holds, _) => match finding.quantity {
            Some(quantity) => quantity_text(quantity),
            None => "holds".to_string(),
        },
        (Verdict::Unknown(UnknownReason::Stopped(stop)), _) => format!("undecided: {stop}"),
        (Verdict::Unknown(UnknownReason::Unsupported(why)), _) => {
            format!("undecided: {}", cell(why))
        }
    }
}

/// Which sub-formulas are true at which step.
fn truth_table(out: &mut String, truths: &Truths) {
    out.push_str("\nWhat is true at each step:\n\n");
    for (at, row) in truths.cells().iter().enumerate() {
        let (name, signs) = row.split_first().expect("the name comes first");
        let name = if at == 0 { name.clone() } else { code(name) };
        let _ = writeln!(out, "| {name} | {} |", signs.join(" | "));
        if at == 0 {
            let _ = writeln!(out, "|---|{}", "---|".repeat(signs.len()));
        }
    }
}

fn section(
    out: &mut String,
    telling: &Telling<'_>,
    finding: &Finding,
    which: Option<&str>,
    full: bool,
    manner: &Manner<'_>,
) {
    let (report, evidence) = (&telling.report, telling.evidence);
    let property = report.property(finding);
    let which = which.map(|which| format!(", {which}"));
    let title = report.title(property) + &which.unwrap_or_default();
    let _ = write!(out, "\n## {}\n\n", prose(&title));
    let lead = match (&finding.verdict, &finding.witness) {
        (_, None) if manner.why() == Why::English => {
            format!("{} {}", english::reading(telling), english::answer(telling))
        }
        (Verdict::Fails, _) => format!("Fails because {}.", because(telling)),
        (_, Some(witness)) => format!(
            "Holds, and matters: {}.",
            witness_text(report, finding, witness)
        ),
        _ => format!("Holds because {}.", because(telling)),
    };
    let badges = match finding.evidence {
        Some(_) => badges_of(report, evidence),
        None => badges(evidence),
    };
    let _ = write!(
        out,
        "{}\n\nWitness: {}. {}\n",
        prose(&lead),
        shape_text(evidence),
        prose(&badges.join(" "))
    );
    if let Some(outcome) = &finding.abstraction {
        abstract_run(out, &abstracted::told(report, telling.query, outcome, full));
    }
    let excerpt = Excerpt::new(telling, manner);
    let notes = Notes::new(telling, &excerpt, manner, full);
    let choice = Choice { full, vars: None };
    let strands = strands(evidence);
    for (at, group) in groups(&strands).into_iter().enumerate() {
        let strand = group[0];
        if strand.only_goes_on() && at > 0 && !full {
            continue;
        }
        let trimmed = group.iter().filter_map(|strand| excerpt.trim(strand));
        let trimmed: Vec<Strand<'_>> = trimmed.map(|trimmed| trimmed.strand).collect();
        let Some(first) = trimmed.first() else {
            continue;
        };
        if at > 0 {
            heading(out, telling, strand);
        }
        let told = if strand.fan {
            told::fan_rows(telling, &trimmed.iter().collect::<Vec<_>>(), &notes, choice)
        } else {
            told::rows(telling, first, &notes, choice, manner.backward)
        };
        match manner.view {
            View::Trace => steps(out, &told::flat(told), manner.backward && !strand.fan),
            View::States | View::Proof => blocks(out, &told),
        }
    }
    if let Some(truths) = Truths::of(telling).filter(|_| full || manner.view == View::Proof) {
        truth_table(out, &truths);
    }
    for (id, region) in evidence.regions.entries() {
        if !excerpt.shows_region(id) {
            continue;
        }
        let text = prose(&region_text(telling, region));
        let _ = write!(out, "\nRegion at step {}: {text}.\n\n", region.at.index());
        for cube in telling.cover(region) {
            let _ = writeln!(out, "- {}", code(&cube));
        }
    }
    let diagram = crate::export::mermaid::render(telling);
    let _ = write!(out, "\n```mermaid\n{diagram}```\n");
}

/// All shortest evidence at once.
fn abstract_run(out: &mut String, told: &abstracted::Told) {
    let badge = told.badge.as_deref().unwrap_or_default();
    let what = match told.lines.is_empty() {
        true => "Abstract evidence:",
        false => "The abstract run",
    };
    let lead = prose(&told.lead);
    let _ = writeln!(out, "\n{what} {lead}. {}", prose(badge));
    if told.lines.is_empty() {
        return;
    }
    out.push_str("\n| step | what its states have in common | states | does not matter |\n");
    out.push_str("|---|---|---|---|\n");
    for (at, line) in told.lines.iter().enumerate() {
        let (what, free) = (code(&line.formula), cell(&line.free));
        let _ = writeln!(out, "| {at} | {what} | {} | {free} |", line.states);
    }
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

fn steps(out: &mut String, rows: &[Row], backward: bool) {
    let inputs = rows.iter().any(|row| !row.input.is_empty());
    let (head, rule) = if inputs {
        (format!(" {} |", rows[0].input_title), "---|")
    } else {
        (String::new(), "")
    };
    let what = if backward {
        "what the next step changes"
    } else {
        "what changed"
    };
    let _ = write!(
        out,
        "\n| step |{head} {what} | why this step matters |\n|---|{rule}---|---|\n"
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

/// States one below the other, each with what is to be said about it as a nested list.
fn blocks(out: &mut String, told: &[Told]) {
    out.push('\n');
    for told in told {
        let row = &told.row;
        let mut values: Vec<String> = row.cells.iter().map(change).collect();
        values.extend(row.instead.map(str::to_string));
        let input = match (row.input.as_str(), row.input_title) {
            ("", _) => String::new(),
            (input, "input") => format!(" (input {})", code(input)),
            (input, _) => format!(" ({})", prose(input)),
        };
        let step = row.step.index();
        let _ = writeln!(out, "- step {step}{input}: {}", values.join(", "));
        for line in &told.lines {
            let depth = "  ".repeat(line.depth + 1);
            let _ = writeln!(out, "{depth}- {}", prose(&line.text));
        }
        for text in &row.why {
            let _ = writeln!(out, "  - {}", prose(text));
        }
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
        Cell::Differs {
            name,
            difference,
            line,
        } => {
            let line = line
                .map(|line| format!(" (line {line})"))
                .unwrap_or_default();
            format!("{}{line}", code(&format!("{name} {difference}")))
        }
    }
}

/// Running text: `code` stays code, everything else is taken literally.
pub(crate) fn prose(text: &str) -> String {
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
pub(crate) fn cell(text: &str) -> String {
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
pub(crate) fn code(text: &str) -> String {
    let text = clean(text).replace('|', "\\|");
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}
