//! States one below the other: each with its values and with what is to be said about it.

use crate::layout::{Ink, Signs, TextLines, VariableRole, flow, wrap};
use crate::page::CellItem;
use crate::table::{Cell, Mark};
use crate::told::StepTold;

/// Prints states, each value on a line of its own or as many on a line as fit.
pub(crate) fn print(page: &mut TextLines, told: &[StepTold], signs: Signs, a_line_each: bool) {
    let width = page.width.saturating_sub(MARGIN).max(1);
    for told in told {
        let lines = block(told, signs, width, a_line_each);
        let last = lines.len().saturating_sub(1);
        for (at, line) in lines.into_iter().enumerate() {
            let (role, sign) = match told.row.mark {
                Mark::None => (VariableRole::Plain, " "),
                Mark::Top if at == 0 => (VariableRole::Warn, signs.top),
                Mark::Bottom if at == last => (VariableRole::Warn, signs.bottom),
                _ => (VariableRole::Warn, signs.side),
            };
            let mut all = Ink::plain("  ")
                .then(role, sign)
                .then(VariableRole::Plain, " ");
            all.append(line);
            page.line(&all);
        }
    }
}

/// Columns before a block, with the bracket of a loop.
const MARGIN: usize = 4;

fn block(told: &StepTold, signs: Signs, width: usize, a_line_each: bool) -> Vec<Ink> {
    let row = &told.row;
    let again = if told.closing { ", again" } else { "" };
    let mut head = Ink::new(
        VariableRole::Strong,
        format!("step {}{again}", row.step.index()),
    );
    if !row.input.is_empty() {
        head.append(Ink::new(
            VariableRole::Dim,
            format!("  {}", row.input_words()),
        ));
    }
    let mut lines: Vec<Ink> = wrap(&head, width);
    let values = if a_line_each {
        inks(row.items_with(" = "), signs)
    } else {
        let changes = row.cells.iter().any(Cell::is_change);
        let gap = if changes { "  " } else { " " };
        let room = width.saturating_sub(VALUES).max(1);
        flow(&inks(row.items(), signs), gap, room, signs.cut)
    };
    for value in values {
        indent(&mut lines, &value, VALUES, width);
    }
    for line in &told.lines {
        let ink = Ink::plain(line.text.to_string());
        indent(&mut lines, &ink, LINES + 2 * line.depth, width);
    }
    for text in &row.why {
        indent(&mut lines, &Ink::plain(text.to_string()), LINES, width);
    }
    lines
}

/// Things as they stand on a screen.
pub(crate) fn inks(items: Vec<CellItem>, signs: Signs) -> Vec<Ink> {
    items.iter().map(|item| signs.adapt(&item.screen)).collect()
}

/// How far values and lines of the proof are indented.
const VALUES: usize = 2;
const LINES: usize = 4;

/// Adds text that wraps, with its further lines indented a little more.
fn indent(lines: &mut Vec<Ink>, text: &Ink, by: usize, width: usize) {
    let by = by.min(width / 2);
    let room = width.saturating_sub(by + 2).max(1);
    let one_line = text.len() + by <= width;
    let parts = if one_line {
        vec![text.clone()]
    } else {
        wrap(text, room)
    };
    for (at, part) in parts.into_iter().enumerate() {
        let mut line = Ink::plain(" ".repeat(by + if at == 0 { 0 } else { 2 }));
        line.append(part);
        lines.push(line);
    }
}
