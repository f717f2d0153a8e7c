//! A report for a page: a table of verdicts, then the instances, and why there are none.

use std::fmt::Write;

use wherefore_alloy::answer::{Answer, Found, Outcome, Why};

use super::Report;
use super::picture::{Block, Part, Plan};
use super::steps::{Change, How, changes};
use super::words::{role_text, value_text};
use crate::manner::Manner;
use crate::markdown::{cell, code, evidence, prose};

/// The report about one model.
pub fn render(report: &Report<'_>) -> String {
    let mut out = format!("# {}\n\n", prose(report.path));
    out.push_str("| command | what came of it | as expected |\n|---|---|---|\n");
    for answer in report.answers {
        let command = report.command(answer);
        let (title, _) = report.title(command);
        let expected = match answer.as_expected(command) {
            Some(true) => "yes",
            Some(false) => "**no**",
            None => "not known",
        };
        let outcome = cell(&report.outcome(answer));
        let _ = writeln!(out, "| {} | {outcome} | {expected} |", code(&title));
    }
    for answer in report.answers {
        section(&mut out, report, answer);
    }
    if let Some(title) = report.advice_title() {
        let _ = write!(out, "\n## Advice\n\n{title}\n\n");
        for advice in report.advice.unwrap_or_default() {
            let _ = writeln!(out, "- {}", prose(&report.advice_text(advice)));
        }
    }
    out
}

fn section(out: &mut String, report: &Report<'_>, answer: &Answer) {
    let command = report.command(answer);
    let (title, place) = report.title(command);
    let title = title + &report.given_scopes(answer);
    let _ = write!(out, "\n## {}\n\n", prose(&title));
    let place = place.map_or(String::new(), |place| format!(" ({})", prose(&place)));
    let outcome = capital(&prose(&report.outcome(answer)));
    let _ = writeln!(out, "{outcome}{place}.");
    if let Some(text) = report.expectation(answer) {
        let _ = writeln!(out, "\n{}.", prose(&text));
    }
    if let Some(text) = report.facts(answer) {
        let _ = writeln!(out, "\n{text}");
    }
    for (_, text) in report.reach(answer) {
        let _ = writeln!(out, "\n{}", prose(&text));
    }
    if let Some(part) = report.excerpt(answer) {
        for text in &part.sentences {
            let _ = writeln!(out, "\n{}", prose(text));
        }
        let mut sections = String::new();
        evidence(&mut sections, &part.report, false, &Manner::default());
        // They are below the section of the command.
        out.push_str(&sections.replace("\n## ", "\n### "));
    }
    match &answer.outcome {
        Outcome::Found { found, .. } => {
            for (at, one) in found.iter().enumerate() {
                if found.len() > 1 {
                    let _ = write!(out, "\n### {}\n", at + 1);
                }
                instance(out, report, answer, one);
            }
        }
        Outcome::Refused(refused) => {
            let _ = writeln!(out, "\n{}.", prose(&refused.diagnostic.message));
        }
        _ => {}
    }
    core(out, report, answer);
}

fn core(out: &mut String, report: &Report<'_>, answer: &Answer) {
    match &answer.why {
        Why::Unasked => {}
        Why::Stopped(stop) => {
            let _ = writeln!(out, "\nWhy is not known: {stop}.");
        }
        Why::Core(core) => {
            let _ = write!(out, "\n{}:\n\n", report.core_title(answer, core));
            for part in &core.parts {
                let file = report.sources.file(part.span.file).name();
                let line = report.sources.place(part.span).line;
                let text = report.on_one_line(part.span);
                let role = role_text(report.model, report.command(answer), &part.role);
                let file = prose(file);
                // The sign of tables is only one in tables.
                let text = code(&text).replace("\\|", "|");
                let _ = writeln!(out, "- {file}:{line}, {}: {text}", prose(&role));
            }
        }
    }
}

fn instance(out: &mut String, report: &Report<'_>, answer: &Answer, found: &Found) {
    let scene = &found.scene;
    let command = report.command(answer);
    if let Some(text) = report.witness_sentence(command, scene) {
        let _ = writeln!(out, "\n{}.", capital(&prose(&text)));
    }
    let plan = Plan::new(report.model, report.sources, scene);
    match scene.back {
        None => blocks(out, &plan.blocks(0, Part::Whole)),
        Some(back) => {
            blocks(out, &plan.blocks(0, Part::Still));
            let _ = write!(out, "\nState 0:\n");
            blocks(out, &plan.blocks(0, Part::Changing));
            if scene.moments.len() > 1 {
                out.push_str("\n| state | what changes |\n|---|---|\n");
            }
            for state in 1..scene.moments.len() {
                let changes = changes(report.model, scene, &plan, state - 1, state);
                let texts: Vec<String> = changes.iter().map(|c| cell(&change(c))).collect();
                let text = match texts.is_empty() {
                    true => "nothing".to_string(),
                    false => texts.join("<br>"),
                };
                let _ = writeln!(out, "| {state} | {text} |");
            }
            let last = scene.moments.len() - 1;
            let _ = writeln!(out, "\nAfter state {last} comes state {back} again.");
        }
    }
    for value in &found.values {
        let states = value.states.iter().map(|value| match value {
            Ok(value) => value_text(scene, value),
            Err(why) => why.clone(),
        });
        let mut states: Vec<String> = states.collect();
        if states.windows(2).all(|pair| pair[0] == pair[1]) {
            states.truncate(1);
        }
        let states = states.iter().map(|value| code(value));
        let states = states.collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "\n{} is {states}.", code(&value.text));
    }
}

fn blocks(out: &mut String, blocks: &[Block]) {
    for block in blocks {
        match block {
            Block::Set {
                name,
                atoms,
                ordered,
            } => {
                let between = if *ordered { " → " } else { ", " };
                let atoms = match atoms.is_empty() {
                    true => "none".to_string(),
                    false => atoms.join(between),
                };
                let _ = writeln!(out, "\n{}: {}", prose(name), prose(&atoms));
            }
            Block::Table {
                name,
                columns,
                rows,
                ..
            } => {
                let columns: Vec<String> = columns.iter().map(|name| cell(name)).collect();
                let _ = write!(out, "\n| {} | {} |\n|---", cell(name), columns.join(" | "));
                let _ = writeln!(out, "{}|", "|---".repeat(columns.len()));
                for (atom, cells) in rows {
                    let cells = cells.iter().map(|values| match values.is_empty() {
                        true => "none".to_string(),
                        false => cell(&values.join(", ")),
                    });
                    let cells = cells.collect::<Vec<_>>().join(" | ");
                    let _ = writeln!(out, "| {} | {cells} |", cell(atom));
                }
            }
        }
    }
}

/// A text with a capital letter at its start.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

fn change(change: &Change) -> String {
    let how = match &change.how {
        How::Becomes(old, new) => format!("{old} → {new}"),
        How::Differs { more, less } => {
            let more = (!more.is_empty()).then(|| format!("+ {}", more.join(", ")));
            let less = (!less.is_empty()).then(|| format!("- {}", less.join(", ")));
            let parts: Vec<String> = more.into_iter().chain(less).collect();
            parts.join("  ")
        }
    };
    format!("{}: {how}", change.name)
}
