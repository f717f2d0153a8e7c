//! Pages as Markdown.

use std::fmt::Write;

use super::{
    Inline, InlinePart, Page, PageAnswer, PageBlock, PageItem, PageTable, Paragraph, Status,
    TableCell,
};
use crate::told::StepTold;
use crate::words::clean;

/// The whole page.
pub(crate) fn render(page: &Page) -> String {
    let mut out = format!("# {}\n", prose(&page.title.path));
    let facts = page.facts.iter().filter(|fact| fact.lasting);
    let facts: Vec<String> = facts.map(|fact| prose(&fact.text)).collect();
    if !facts.is_empty() {
        let _ = write!(out, "\n{}.\n", facts.join(", "));
    }
    if let Some(from) = &page.from {
        let _ = write!(out, "\n{}.\n", prose(&from.to_string()));
    }
    if let Some(answers) = &page.answers {
        let rows = answers.iter().map(|answer| {
            let (title, formula) = (cell(&answer.title), code(&answer.formula));
            vec![title, formula, verdict(answer)]
        });
        let titles = ["property", "formula", "verdict"].map(str::to_string);
        grid(&mut out, &titles, rows);
        answers
            .iter()
            .for_each(|answer| blocks(&mut out, &answer.blocks));
    }
    blocks(&mut out, &page.end);
    out
}

/// How an answer came out, in a cell.
fn verdict(answer: &PageAnswer) -> String {
    let word = match answer.status {
        Status::Fails => "**fails**",
        Status::Undecided => "undecided",
        Status::Vacuous => "holds vacuously",
        Status::Holds => "holds",
        Status::Value => "",
    };
    match &answer.says {
        Some(says) if word.is_empty() => cell(&says.to_string()),
        Some(says) => format!("{word}: {}", cell(&says.to_string())),
        None => word.to_string(),
    }
}

/// Blocks one below the other, with an empty line before each.
pub(crate) fn blocks(out: &mut String, blocks: &[PageBlock]) {
    for block in blocks {
        self::block(out, block);
    }
}

fn block(out: &mut String, block: &PageBlock) {
    let _ = match block {
        // Documents tell traces by tables, and trees by sets.
        PageBlock::Gap | PageBlock::Trace { .. } | PageBlock::Tree(_) => Ok(()),
        PageBlock::Section {
            title,
            which,
            level,
        } => {
            let which = which.as_ref().map(|which| format!(", {which}"));
            let title = format!("{title}{}", which.unwrap_or_default());
            writeln!(out, "\n{} {}", "#".repeat(*level), prose(&title))
        }
        PageBlock::Heading(text) => writeln!(out, "\n## {}", prose(&text.to_string())),
        PageBlock::Warning(text) => writeln!(out, "\n> Warning: {}", prose(&text.to_string())),
        PageBlock::Paragraph(paragraph) => writeln!(out, "\n{}", self::paragraph(paragraph)),
        PageBlock::List(items) if items.is_empty() => Ok(()),
        PageBlock::List(items) => write!(out, "\n{}", list(items)),
        PageBlock::Table(table) => {
            self::table(out, table);
            Ok(())
        }
        PageBlock::States { told, .. } => {
            states(out, told);
            Ok(())
        }
        PageBlock::Diagram(diagram) => write!(out, "\n```mermaid\n{diagram}```\n"),
        PageBlock::Lines(lines) => {
            let text = crate::layout::print(lines, false);
            write!(out, "\n```text\n{text}```\n")
        }
        PageBlock::Set { name, atoms, .. } => {
            let atoms = atoms
                .0
                .iter()
                .map(|item| inline(&item.document, prose, code_in_text));
            writeln!(out, "\n{}: {}", prose(name), atoms.collect::<String>())
        }
        PageBlock::Snippet { document, .. } => {
            blocks(out, document);
            Ok(())
        }
    };
}

/// A sentence with its end, and what follows it.
fn paragraph(paragraph: &Paragraph) -> String {
    let text = capital(paragraph.text.to_string());
    let mut text = match &*paragraph.lead {
        "" => text,
        lead => format!("{lead} {}", paragraph.text),
    };
    text.truncate(text.trim_end().len());
    if !text.ends_with(['.', ':']) {
        text.push('.');
    }
    let badges = paragraph.badges.iter().map(|badge| format!(" {badge}"));
    text.extend(badges);
    prose(&text)
}

/// A text with a capital letter at its start.
fn capital(text: String) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => text,
    }
}

fn list(items: &[PageItem]) -> String {
    let items = items.iter().map(|item| {
        let depth = "  ".repeat(item.depth);
        format!("{depth}- {}\n", inline(&item.document, prose, code_in_text))
    });
    items.collect()
}

fn inline(inline: &Inline, prose: fn(&str) -> String, code: fn(&str) -> String) -> String {
    let parts = inline.0.iter().map(|part| match part {
        InlinePart::Prose(text) => prose(text),
        InlinePart::Strong(text) => format!("**{}**", prose(text)),
        InlinePart::Code(text) => code(text),
    });
    parts.collect()
}

fn table(out: &mut String, table: &PageTable) {
    let told = |column: usize| {
        let mut cells = table.rows.iter().map(|row| &row.cells[column]);
        !table.columns[column].optional || cells.any(|cell| !cell.is_empty())
    };
    let told: Vec<usize> = (0..table.columns.len()).filter(|&c| told(c)).collect();
    let titles: Vec<String> = told
        .iter()
        .map(|&c| cell(&table.columns[c].title))
        .collect();
    let rows = table.rows.iter().map(|row| {
        let cells = told.iter().map(|&column| cell_text(&row.cells[column]));
        cells.collect()
    });
    grid(out, &titles, rows);
}

fn cell_text(cell: &TableCell) -> String {
    let items = cell.0.iter().filter(|item| !item.document.0.is_empty());
    let items: Vec<String> = items
        .map(|item| inline(&item.document, self::cell, code))
        .collect();
    items.join("<br>")
}

fn grid(out: &mut String, titles: &[String], rows: impl Iterator<Item = Vec<String>>) {
    let _ = writeln!(out, "\n| {} |", titles.join(" | "));
    let _ = writeln!(out, "|{}", "---|".repeat(titles.len()));
    for row in rows {
        let _ = writeln!(out, "| {} |", row.join(" | "));
    }
}

/// States one below the other, each with what is to be said about it as a nested list.
fn states(out: &mut String, told: &[StepTold]) {
    out.push('\n');
    for told in told {
        let row = &told.row;
        let values = row.items().into_iter();
        let values: Vec<String> = values
            .map(|item| inline(&item.document, prose, code))
            .collect();
        let input = match (row.input.as_str(), row.input_title) {
            ("", _) => String::new(),
            (input, "input") => format!(" (input {})", code(input)),
            (input, _) => format!(" ({})", prose(input)),
        };
        let step = row.step.index();
        let _ = writeln!(out, "- step {step}{input}: {}", values.join(", "));
        for line in &told.lines {
            let depth = "  ".repeat(line.depth + 1);
            let _ = writeln!(out, "{depth}- {}", prose(&line.text.to_string()));
        }
        for text in &row.why {
            let _ = writeln!(out, "  - {}", prose(&text.to_string()));
        }
    }
}

/// Running text: `code` stays code, everything else is taken literally.
fn prose(text: &str) -> String {
    escaped(text, false)
}

/// Text within a cell of a table, where a bar must be escaped even inside code.
fn cell(text: &str) -> String {
    escaped(text, true)
}

fn escaped(text: &str, in_cell: bool) -> String {
    let text = clean(text);
    let mut out = String::new();
    let mut in_code = false;
    for c in text.chars() {
        in_code ^= c == '`';
        let special = "*_<>[]#|\\&".contains(c) && !in_code || c == '|' && in_cell;
        if special {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Code within a cell of a table.
fn code(text: &str) -> String {
    code_in_text(&text.replace('|', "\\|"))
}

/// Code within running text.
fn code_in_text(text: &str) -> String {
    let text = clean(text);
    match text.contains('`') {
        true => format!("`` {text} ``"),
        false => format!("`{text}`"),
    }
}
