//! Tables on a page: columns that fit its width, and a bracket for the loop in the left margin.

use crate::layout::{Ink, Page, Role, flow, wrap};
use crate::table::{Cell, Mark, Row};

/// The signs a table is drawn with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signs {
    pub(crate) arrow: &'static str,
    pub(crate) top: &'static str,
    pub(crate) side: &'static str,
    pub(crate) bottom: &'static str,
    pub(crate) cut: &'static str,
}

impl Signs {
    /// Plain letters, or signs of Unicode.
    pub(crate) fn new(ascii: bool) -> Self {
        if ascii {
            Self {
                arrow: "->",
                top: ".",
                side: "|",
                bottom: "'",
                cut: "...",
            }
        } else {
            Self {
                arrow: "→",
                top: "┌",
                side: "│",
                bottom: "└",
                cut: "…",
            }
        }
    }
}

/// Lays rows out on a page.
pub(crate) fn print(page: &mut Page, rows: &[Row], signs: Signs) {
    print_with(page, rows, signs, WHAT);
}

/// Lays rows out that say what the step *from* each state changes.
pub(crate) fn print_backward(page: &mut Page, rows: &[Row], signs: Signs) {
    print_with(page, rows, signs, WHAT_NEXT);
}

fn print_with(page: &mut Page, rows: &[Row], signs: Signs, what: &'static str) {
    let sheet = Sheet::new(page.width, rows, signs, what);
    sheet.header(page);
    for row in rows {
        sheet.row(page, row);
    }
}

/// The lines of the head of a table, and those of each of its rows.
pub(crate) fn lines(width: usize, rows: &[Row], signs: Signs) -> (Vec<Ink>, Vec<Vec<Ink>>) {
    let width = width.max(20);
    let sheet = Sheet::new(width, rows, signs, WHAT);
    let written = |write: &dyn Fn(&mut Page)| {
        let mut page = Page::new(width, false);
        write(&mut page);
        page.into_lines()
    };
    let head = written(&|page| sheet.header(page));
    let rows = rows.iter().map(|row| written(&|page| sheet.row(page, row)));
    (head, rows.collect())
}

/// Columns of the margin with the bracket, before the number of the step.
const MARGIN: usize = 4;
/// Below this width inputs stand among the changes, and remarks under the row instead of beside it.
const NARROW: usize = 60;
const WHAT: &str = "what changed";
const WHAT_NEXT: &str = "what the next step changes";
const WHY: &str = "why this step matters";

/// The columns of a table and their widths.
struct Sheet {
    signs: Signs,
    /// The title of the changes.
    what: &'static str,
    step: usize,
    input: usize,
    /// The title of the inputs.
    title: &'static str,
    changed: usize,
    why: usize,
    /// Remarks go under the row.
    under: bool,
}

impl Sheet {
    fn new(width: usize, rows: &[Row], signs: Signs, what: &'static str) -> Self {
        let widest = |widths: &mut dyn Iterator<Item = usize>| widths.max().unwrap_or(0);
        let numbers = widest(&mut rows.iter().map(|row| row.step.index().to_string().len()));
        let step = numbers.max("step".len());
        let narrow = width < NARROW;
        let inputs = widest(&mut rows.iter().map(|row| row.input.chars().count()));
        let title = rows.first().map_or("", |row| row.input_title);
        let input = if inputs == 0 || narrow {
            0
        } else {
            inputs.clamp(title.len(), (width / 5).max(12))
        };
        let left = MARGIN + step + 2 + if input == 0 { 0 } else { input + 2 };
        let room = width.saturating_sub(left).max(1);
        let natural = |items: &[Ink], gap: usize| {
            let items = items.iter().map(|item| item.len() + gap);
            items.sum::<usize>().saturating_sub(gap)
        };
        let wanted = widest(&mut rows.iter().map(|row| natural(&cells(row, signs), 2)));
        let wanted = wanted.max(what.len());
        let why = widest(&mut rows.iter().map(|row| row.why.join("; ").chars().count()));
        let under = why > 0 && (narrow || room < 44);
        if why == 0 || under {
            let why = if under { room } else { 0 };
            return Self {
                signs,
                what,
                step,
                input,
                title,
                changed: room,
                why,
                under,
            };
        }
        let why = why.max(WHY.len());
        let least = (room * 2 / 5).max(WHY.len()).min(why);
        let changed = wanted.min(room - 2 - least);
        let why = why.min(room - 2 - changed);
        Self {
            signs,
            what,
            step,
            input,
            title,
            changed,
            why,
            under,
        }
    }

    fn left(&self) -> usize {
        MARGIN + self.step + 2 + if self.input == 0 { 0 } else { self.input + 2 }
    }

    fn header(&self, page: &mut Page) {
        let mut line = Ink::plain(" ".repeat(MARGIN));
        line.append(Ink::new(Role::Dim, format!("{:>1$}", "step", self.step)));
        if self.input > 0 {
            line.pad(MARGIN + self.step + 2);
            line.append(Ink::new(Role::Dim, self.title));
        }
        line.pad(self.left());
        line.append(Ink::new(Role::Dim, self.what));
        if !self.under && self.why > 0 {
            line.pad(self.left() + self.changed + 2);
            line.append(Ink::new(Role::Dim, WHY));
        }
        page.line(&line.cut(page.width, self.signs.cut));
    }

    fn row(&self, page: &mut Page, row: &Row) {
        let gap = if row.cells.iter().any(Cell::is_change) {
            "  "
        } else {
            " "
        };
        let mut items = cells(row, self.signs);
        if self.input == 0 && !row.input.is_empty() {
            items.insert(0, Ink::new(Role::Dim, format!("[{}]", row.input)));
        }
        let changed = flow(&items, gap, self.changed, self.signs.cut);
        let inputs: Vec<Ink> = row
            .input
            .split(' ')
            .filter(|text| !text.is_empty())
            .map(Ink::plain)
            .collect();
        let inputs = flow(&inputs, " ", self.input, self.signs.cut);
        let why = wrap(&Ink::plain(row.why.join("; ")), self.why);
        let beside = if self.under { 0 } else { why.len() };
        let height = changed.len().max(inputs.len()).max(beside).max(1);
        let under = if self.under { why.len() } else { 0 };
        for at in 0..height + under {
            let mut line = self.margin(row, at, height + under);
            if at < height {
                line.append(inputs.get(at).cloned().unwrap_or_default());
                line.pad(self.left());
                line.append(changed.get(at).cloned().unwrap_or_default());
                if let Some(text) = why.get(at).filter(|_| !self.under) {
                    line.pad(self.left() + self.changed + 2);
                    line.append(text.clone());
                }
            } else {
                line.pad(self.left());
                line.append(why[at - height].clone());
            }
            page.line(&line);
        }
    }

    /// The bracket and, on the first line of a row, the number of the step.
    fn margin(&self, row: &Row, at: usize, height: usize) -> Ink {
        let sign = match row.mark {
            Mark::None => " ",
            Mark::Top if at == 0 => self.signs.top,
            Mark::Bottom if at + 1 == height => self.signs.bottom,
            _ => self.signs.side,
        };
        let role = if row.mark == Mark::None {
            Role::Plain
        } else {
            Role::Warn
        };
        let mut line = Ink::plain("  ").then(role, sign);
        let number = if at == 0 {
            row.step.index().to_string()
        } else {
            String::new()
        };
        line.append(Ink::plain(format!(" {number:>0$}  ", self.step)));
        line
    }
}

/// What a row says of its step, each thing for itself.
pub(crate) fn cells(row: &Row, signs: Signs) -> Vec<Ink> {
    let mut items: Vec<Ink> = row
        .cells
        .iter()
        .map(|cell| cell_ink(cell, "=", signs))
        .collect();
    if row.hidden > 0 {
        items.push(Ink::new(
            Role::Dim,
            format!("({} more: --full)", row.hidden),
        ));
    }
    items.extend(row.instead.map(|text| Ink::new(Role::Dim, text)));
    items
}

/// A value with its name, or what it was before and the line that made it change.
pub(crate) fn cell_ink(cell: &Cell, equals: &str, signs: Signs) -> Ink {
    let (ink, line) = match cell {
        Cell::First { name, value } => return Ink::plain(format!("{name}{equals}{value}")),
        Cell::Same { name, value } => {
            return Ink::new(Role::Dim, format!("{name}{equals}{value}"));
        }
        Cell::Changed {
            name,
            old,
            new,
            line,
        } => {
            let ink = Ink::plain(format!("{name}: {old} {} ", signs.arrow));
            (ink.then(Role::Strong, new), line)
        }
        Cell::Differs {
            name,
            difference,
            line,
        } => {
            let ink = Ink::plain(format!("{name} "));
            (ink.then(Role::Strong, difference), line)
        }
    };
    match line {
        Some(line) => ink.then(Role::Dim, format!(" (line {line})")),
        None => ink,
    }
}
