//! Pages as HTML: one document without scripts, styles or other files.

use std::fmt::Write;

use super::{
    Inline, InlinePart, Page, PageAnswer, PageBlock, PageItem, PageTable, Paragraph, TableCell,
};
use crate::export::xml;
use crate::sentences::{Sentence, SentencePart};
use crate::words::clean;

/// The whole page.
pub fn render(page: &Page) -> String {
    let path = text(&page.title.path);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{path}</title></head>\n\
         <body>\n<h1>{path}</h1>\n"
    );
    let facts: Vec<String> = page.facts.iter().map(|fact| text(&fact.text)).collect();
    if !facts.is_empty() {
        let _ = writeln!(out, "<p>{}.</p>", facts.join(", "));
    }
    if let Some(from) = &page.from {
        let _ = writeln!(out, "<p>{}.</p>", sentence(from));
    }
    for answer in page.answers.iter().flatten() {
        self::answer(&mut out, answer);
    }
    blocks(&mut out, &page.end);
    if !page.hints.is_empty() {
        let hints = page.hints.iter();
        let hints = hints.map(|(command, what)| format!("<li>{} {what}</li>\n", code(command)));
        let _ = write!(
            out,
            "<p>Try:</p>\n<ul>\n{}</ul>\n",
            hints.collect::<String>()
        );
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn answer(out: &mut String, answer: &PageAnswer) {
    let (_, word) = answer.status.word();
    let (title, formula) = (text(&answer.title), code(&answer.formula));
    let _ = writeln!(out, "<h2>{word} {title}: {formula}</h2>");
    if let Some(says) = &answer.says {
        let _ = writeln!(out, "<p>{}</p>", sentence(says));
    }
    blocks(out, &answer.blocks);
}

fn blocks(out: &mut String, blocks: &[PageBlock]) {
    blocks.iter().for_each(|block| self::block(out, block));
}

fn block(out: &mut String, block: &PageBlock) {
    let _ = match block {
        PageBlock::Gap | PageBlock::Section { which: None, .. } => Ok(()),
        PageBlock::Section {
            which: Some(text), ..
        }
        | PageBlock::Heading(text) => writeln!(out, "<h3>{}</h3>", sentence(text)),
        PageBlock::Warning(text) => {
            writeln!(out, "<p><strong>Warning:</strong> {}</p>", sentence(text))
        }
        PageBlock::Paragraph(paragraph) => writeln!(out, "<p>{}</p>", self::paragraph(paragraph)),
        PageBlock::List(items) => write!(out, "<ul>\n{}</ul>\n", list(items)),
        PageBlock::Table(table) => write!(out, "{}", self::table(table)),
        PageBlock::States { told, .. } => {
            for told in told {
                let values = told.row.items().into_iter();
                let values: Vec<String> = values.map(|item| inline(&item.document)).collect();
                let (step, values) = (told.row.step.index(), values.join(", "));
                let _ = writeln!(out, "<p>step {step}: {values}</p>\n<ul>");
                let why = told.lines.iter().map(|line| &line.text);
                for text in why.chain(&told.row.why) {
                    let _ = writeln!(out, "<li>{}</li>", sentence(text));
                }
                out.push_str("</ul>\n");
            }
            Ok(())
        }
        PageBlock::Diagram(diagram) => {
            writeln!(out, "<pre class=\"mermaid\">{}</pre>", text(diagram))
        }
        PageBlock::Lines(lines) => {
            let lines = crate::layout::print(lines, false);
            writeln!(out, "<pre>{}</pre>", xml(&lines))
        }
        PageBlock::Set { name, atoms, .. } => {
            writeln!(out, "<p>{}: {}</p>", text(name), cell(atoms))
        }
        PageBlock::Trace { first, steps, .. } => {
            blocks(out, first);
            out.push_str("<ol>\n");
            for step in steps {
                let changes = TableCell(step.clone());
                let _ = writeln!(out, "<li>{}</li>", cell(&changes));
            }
            writeln!(out, "</ol>")
        }
        PageBlock::Tree(roots) => {
            let tree = crate::alloy::tree::drawn(roots, false);
            writeln!(out, "<pre>{}</pre>", xml(&tree))
        }
        PageBlock::Snippet { plain, .. } => writeln!(out, "<pre>{}</pre>", xml(plain)),
    };
}

fn paragraph(paragraph: &Paragraph) -> String {
    let mut out = sentence(&paragraph.text);
    if !paragraph.lead.is_empty() {
        out = format!("{} {out}", text(&paragraph.lead));
    }
    for badge in &paragraph.badges {
        let _ = write!(out, " <small>{}</small>", sentence(badge));
    }
    out
}

fn list(items: &[PageItem]) -> String {
    let items = items.iter().map(|item| match item.document.0.is_empty() {
        true => format!("<li>{}</li>\n", text(&item.text.text())),
        false => format!("<li>{}</li>\n", inline(&item.document)),
    });
    items.collect()
}

fn table(table: &PageTable) -> String {
    let titles = table.columns.iter();
    let titles = titles.map(|column| format!("<th>{}</th>", text(&column.title)));
    let mut out = format!("<table>\n<tr>{}</tr>\n", titles.collect::<String>());
    for row in &table.rows {
        let cells = row
            .cells
            .iter()
            .map(|cell| format!("<td>{}</td>", self::cell(cell)));
        let _ = writeln!(out, "<tr>{}</tr>", cells.collect::<String>());
    }
    out + "</table>\n"
}

fn cell(cell: &TableCell) -> String {
    let items = cell.0.iter().filter(|item| !item.document.0.is_empty());
    let items: Vec<String> = items.map(|item| inline(&item.document)).collect();
    items.join("<br>")
}

fn inline(inline: &Inline) -> String {
    let parts = inline.0.iter().map(|part| match part {
        InlinePart::Prose(words) => text(words),
        InlinePart::Strong(words) => format!("<strong>{}</strong>", text(words)),
        InlinePart::Code(words) => code(words),
    });
    parts.collect()
}

/// A sentence, in which formulas are code.
fn sentence(sentence: &Sentence) -> String {
    let parts = sentence.parts().iter().map(|part| match part {
        SentencePart::Formula(formula) => code(formula),
        part => text(&part.to_string()),
    });
    parts.collect()
}

fn code(words: &str) -> String {
    format!("<code>{}</code>", text(words))
}

fn text(words: &str) -> String {
    xml(&clean(words))
}
