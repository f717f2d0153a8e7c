//! Tables on a screen: columns that share its width, and a bracket for the loop in the left margin.

use super::TextScreen;
use crate::explore::Style;
use crate::layout::{Ink, Signs, TextLines, VariableRole, flow, wrap};
use crate::page::{PageColumn, PageTable, TableCell, TableRow};
use crate::table::Mark;

/// Columns of the margin with the bracket, before the number of the step.
pub(super) const MARGIN: usize = 4;
/// Below this width inputs stand among the changes, and remarks under the row instead of beside it.
const NARROW: usize = 60;
/// The narrowest column for remarks about actions; otherwise they stand under the row.
const NARROW_WHY: usize = 24;
/// A column is at least so wide before a table of atoms is told row by row.
pub(super) const NARROW_ATOMS: usize = 16;
/// A formula takes at most so many columns of a table of truth.
const WIDEST_FORMULA: usize = 60;

/// The columns of a table as they stand on a screen.
struct Grid {
    /// Where the first column starts.
    start: usize,
    /// The room between columns.
    gap: usize,
    /// Of each column its width, and whether it is set to the right.
    columns: Vec<(usize, bool)>,
}

impl Grid {
    fn new(start: usize, gap: usize, columns: &[(usize, bool)]) -> Self {
        let columns = columns.to_vec();
        Self {
            start,
            gap,
            columns,
        }
    }

    /// Where a column starts.
    fn place(&self, column: usize) -> usize {
        let before = self.columns[..column].iter();
        self.start + before.map(|(width, _)| width + self.gap).sum::<usize>()
    }

    /// Adds one line of each cell to what stands in the margin.
    fn line(&self, margin: Ink, cells: &[Option<&Ink>]) -> Ink {
        let mut line = margin;
        for (at, cell) in cells.iter().enumerate() {
            let Some(cell) = cell else {
                continue;
            };
            let (width, right) = self.columns[at];
            let free = if right {
                width.saturating_sub(cell.len())
            } else {
                0
            };
            line.pad(self.place(at) + free);
            line.append((*cell).clone());
        }
        line
    }

    /// A row of cells that are broken into lines, and lines under them from a column on.
    fn row(
        &self,
        lines: &mut TextLines,
        margin: &dyn Fn(usize, usize) -> Ink,
        cells: &[Vec<Ink>],
        under: (usize, &[Ink]),
    ) {
        let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let (from, under) = under;
        for at in 0..height {
            let here: Vec<Option<&Ink>> = cells.iter().map(|cell| cell.get(at)).collect();
            lines.line(&self.line(margin(at, height + under.len()), &here));
        }
        for (at, text) in under.iter().enumerate() {
            let mut line = margin(height + at, height + under.len());
            line.pad(from);
            line.append(text.clone());
            lines.line(&line);
        }
    }

    /// The titles of the columns.
    fn header(&self, titles: &[&str], signs: Signs, width: usize) -> Ink {
        let titles: Vec<Ink> = titles
            .iter()
            .map(|t| Ink::new(VariableRole::Dim, *t))
            .collect();
        let titles: Vec<Option<&Ink>> = titles.iter().map(Some).collect();
        let margin = Ink::plain(" ".repeat(self.start));
        self.line(margin, &titles).cut(width, signs.cut)
    }
}

/// The bracket of a loop beside a line of a row.
fn bracket(mark: Mark, at: usize, height: usize, signs: Signs) -> Ink {
    let sign = match mark {
        Mark::None => return Ink::plain(" ".repeat(MARGIN)),
        Mark::Top if at == 0 => signs.top,
        Mark::Bottom if at + 1 == height => signs.bottom,
        _ => signs.side,
    };
    let mut line = Ink::plain("  ").then(VariableRole::Warn, sign);
    line.pad(MARGIN);
    line
}

fn widest(cells: impl Iterator<Item = usize>) -> usize {
    cells.max().unwrap_or(0)
}

/// The width of the widest text of a column.
fn natural(table: &PageTable, column: usize) -> usize {
    let cells = table.rows.iter().map(|row| &row.cells[column]);
    widest(cells.map(|cell| cell.text().chars().count()))
}

/// The things of a cell on a screen.
fn items(cell: &TableCell, signs: Signs) -> Vec<Ink> {
    let items = cell.0.iter().filter(|item| !item.screen.is_empty());
    items.map(|item| signs.adapt(&item.screen)).collect()
}

/// The widths of a table of steps.
struct Steps<'t> {
    signs: Signs,
    grid: Grid,
    titles: Vec<&'t str>,
    /// The width of remarks, which stand under the row if there is little room.
    why: usize,
    under: bool,
}

impl<'t> Steps<'t> {
    fn new(table: &'t PageTable, width: usize, signs: Signs) -> Self {
        let title = |column: usize| table.columns[column].title.as_str();
        let step = natural(table, 0).max("step".len());
        let narrow = width < NARROW;
        let inputs = natural(table, 1);
        let input = if inputs == 0 || narrow {
            0
        } else {
            inputs.clamp(title(1).len(), (width / 5).max(12))
        };
        let left = MARGIN + step + 2 + if input == 0 { 0 } else { input + 2 };
        let room = width.saturating_sub(left).max(1);
        let wanted = widest(table.rows.iter().map(|row| {
            let items = items(&row.cells[2], signs).into_iter();
            let items: usize = items.map(|item| item.len() + 2).sum();
            items.saturating_sub(2)
        }));
        let wanted = wanted.max(title(2).len());
        let remarks = natural(table, 3);
        let under = remarks > 0 && (narrow || room < 44);
        let (changed, why) = if remarks == 0 || under {
            (room, if under { room } else { 0 })
        } else {
            let why = remarks.max(title(3).len());
            let least = (room * 2 / 5).max(title(3).len()).min(why);
            let changed = wanted.min(room - 2 - least);
            (changed, why.min(room - 2 - changed))
        };
        let mut columns = vec![(step, true)];
        let mut titles = vec![title(0)];
        if input > 0 {
            columns.push((input, false));
            titles.push(title(1));
        }
        columns.push((changed, false));
        titles.push(title(2));
        if !under && why > 0 {
            columns.push((why, false));
            titles.push(title(3));
        }
        Self {
            signs,
            grid: Grid::new(MARGIN, 2, &columns),
            titles,
            why,
            under,
        }
    }

    fn row(&self, lines: &mut TextLines, row: &TableRow) {
        let [step, input, what, why] = &row.cells[..] else {
            return;
        };
        let with_input = self.grid.columns.len() - usize::from(!self.under && self.why > 0) == 3;
        let mut changes = items(what, self.signs);
        if !with_input && !input.is_empty() {
            let input = format!("[{}]", input.text());
            changes.insert(0, Ink::new(VariableRole::Dim, input));
        }
        let apart = what.0.iter().any(|item| item.apart);
        let gap = if apart { "  " } else { " " };
        let place = 1 + usize::from(with_input);
        let changed = self.grid.columns[place].0;
        let mut cells = vec![vec![Ink::plain(step.text())]];
        if with_input {
            let words = input.text();
            let words: Vec<Ink> = words
                .split(' ')
                .filter(|w| !w.is_empty())
                .map(Ink::plain)
                .collect();
            cells.push(flow(&words, " ", self.grid.columns[1].0, self.signs.cut));
        }
        cells.push(flow(&changes, gap, changed, self.signs.cut));
        let mut why = wrap(&Ink::plain(why.text()), self.why);
        if !self.under {
            cells.push(std::mem::take(&mut why));
        }
        let margin = |at: usize, height: usize| bracket(row.mark, at, height, self.signs);
        let from = self.grid.place(place);
        self.grid.row(lines, &margin, &cells, (from, &why));
    }
}

/// The lines of the head of a table of steps, and those of each of its rows.
pub(crate) fn step_lines(table: &PageTable, style: Style) -> (Ink, Vec<Vec<Ink>>) {
    let (width, signs) = (style.width.max(20), Signs::new(style.ascii));
    let steps = Steps::new(table, width, signs);
    let rows = table.rows.iter().map(|row| {
        let mut lines = TextLines::new(width, false);
        steps.row(&mut lines, row);
        lines.into_lines()
    });
    let head = steps.grid.header(&steps.titles, signs, width);
    (head, rows.collect())
}

impl TextScreen {
    pub(super) fn steps(&mut self, table: &PageTable) {
        let steps = Steps::new(table, self.lines.width, self.signs);
        let head = steps
            .grid
            .header(&steps.titles, self.signs, self.lines.width);
        self.lines.line(&head);
        for row in &table.rows {
            steps.row(&mut self.lines, row);
        }
    }

    /// Steps of a labelled transition system.
    pub(super) fn actions(&mut self, table: &PageTable) {
        let (width, signs) = (self.lines.width, self.signs);
        let step = natural(table, 0).max(4);
        let action = natural(table, 1).clamp(6, (width * 2 / 5).max(6));
        let state = natural(table, 2).max(5);
        let left = MARGIN + step + 2 + action + 2 + state + 2;
        let beside = width.saturating_sub(left);
        let under = beside < NARROW_WHY;
        let mut columns = vec![(step, true), (action, false), (state, true)];
        let mut titles: Vec<&str> = table.columns.iter().map(|c| c.title.as_str()).collect();
        if under || natural(table, 3) == 0 {
            titles.truncate(3);
        }
        columns.push((beside, false));
        let grid = Grid::new(MARGIN, 2, &columns);
        self.lines.line(&grid.header(&titles, signs, width));
        for row in &table.rows {
            let room = if under { width - MARGIN } else { beside };
            let text = |column: usize| Ink::plain(row.cells[column].text());
            let mut cells = vec![vec![text(0)], wrap(&text(1), action), vec![text(2)]];
            let mut why = wrap(&text(3), room.max(1));
            if !under {
                cells.push(std::mem::take(&mut why));
            }
            let margin = |at: usize, height: usize| bracket(row.mark, at, height, signs);
            grid.row(&mut self.lines, &margin, &cells, (MARGIN, &why));
        }
    }

    /// The positions of an abstract run: step, formula, number of states, and what does not matter.
    pub(super) fn positions(&mut self, table: &PageTable) {
        let width = self.lines.width;
        let title = |column: usize| table.columns[column].title.as_str();
        let step = title(0).len();
        let states = natural(table, 2).max(title(2).len()).min(width / 3);
        let free = match natural(table, 3) {
            0 => 0,
            free => free.max(title(3).len()).min(width / 4),
        };
        let gaps = if free == 0 { 2 } else { 4 };
        let room = width
            .saturating_sub(2 + step + 2 + states + free + gaps)
            .max(12);
        let what = natural(table, 1).max(title(1).len()).min(room);
        let widths = [(step, true), (what, false), (states, true), (free, false)];
        let grid = Grid::new(2, 2, &widths);
        let margin = |_, _| Ink::plain("  ");
        let titles = table.columns.iter().enumerate().map(|(at, column)| {
            let title = if at == 3 && free == 0 {
                ""
            } else {
                column.title.as_str()
            };
            Ink::new(VariableRole::Dim, title)
        });
        let cells = table.rows.iter().map(|row| {
            let cells = row.cells.iter();
            cells.map(|cell| cell.0[0].screen.clone()).collect()
        });
        let rows: Vec<Vec<Ink>> = std::iter::once(titles.collect()).chain(cells).collect();
        for row in rows {
            let cells = row.iter().zip(widths);
            let cells: Vec<Vec<Ink>> = cells
                .map(|(cell, (width, _))| wrap(cell, width.max(1)))
                .collect();
            grid.row(&mut self.lines, &margin, &cells, (0, &[]));
        }
    }

    /// The truth of formulas; where the steps do not fit beside each other, in several parts.
    pub(super) fn truths(&mut self, table: &PageTable) {
        let width = self.lines.width;
        let formulas = natural(table, 0).clamp(4, WIDEST_FORMULA.min(width / 2));
        let last = table
            .columns
            .last()
            .map_or("0", |column| column.title.as_str());
        let column = last.len() + 1;
        let steps = table.columns.len() - 1;
        let most = (width.saturating_sub(4 + formulas + 1) / column).max(1);
        for from in (1..=steps).step_by(most) {
            let to = (from + most).min(steps + 1);
            let mut columns = vec![(formulas + 1, false)];
            columns.extend((from..to).map(|_| (column, true)));
            let grid = Grid::new(4, 0, &columns);
            let titles = table.columns[from..to].iter();
            let titles = std::iter::once(&table.columns[0]).chain(titles);
            let titles: Vec<&str> = titles
                .map(|column: &PageColumn| column.title.as_str())
                .collect();
            self.lines
                .line(&grid.header(&titles, self.signs, usize::MAX));
            for row in &table.rows {
                let name = Ink::plain(row.cells[0].text()).cut(formulas, self.signs.cut);
                let truth = row.cells[from..to].iter().map(|cell| &cell.0[0].screen);
                let cells: Vec<Option<&Ink>> =
                    std::iter::once(&name).chain(truth).map(Some).collect();
                self.lines.line(&grid.line(Ink::plain("    "), &cells));
            }
        }
    }

    /// The fields of atoms; where they do not fit beside each other, one below the other.
    pub(super) fn atoms(&mut self, table: &PageTable, indent: usize, ordered: bool) {
        let length = |text: &str| text.chars().count();
        let name = table.columns[0].title.as_str();
        let first = natural(table, 0).max(length(name));
        let fields = 1..table.columns.len();
        let wanted = fields.clone().map(|column| {
            let title = length(&table.columns[column].title);
            let cells = || table.rows.iter().map(|row| &row.cells[column].0);
            let wide = widest(cells().map(|items| {
                let words: usize = items.iter().map(|item| item.screen.len()).sum();
                words + items.len().saturating_sub(1)
            }));
            let longest = widest(cells().flatten().map(|item| item.screen.len()));
            (wide.max(title), longest.max(title))
        });
        let wanted: Vec<(usize, usize)> = wanted.collect();
        let room = self
            .lines
            .width
            .saturating_sub(indent + first + 2 * wanted.len());
        let Some(widths) = fitting(&wanted, room) else {
            return self.fields(table, indent);
        };
        let columns = std::iter::once(first)
            .chain(widths)
            .map(|width| (width, false));
        let columns: Vec<(usize, bool)> = columns.collect();
        let grid = Grid::new(indent, 2, &columns);
        let name = Ink::new(VariableRole::Strong, name);
        let titles = table.columns[1..]
            .iter()
            .map(|column| Ink::new(VariableRole::Dim, column.title.as_str()));
        let titles: Vec<Ink> = std::iter::once(name).chain(titles).collect();
        let titles: Vec<Option<&Ink>> = titles.iter().map(Some).collect();
        self.lines
            .line(&grid.line(Ink::plain(" ".repeat(indent)), &titles));
        for (at, row) in table.rows.iter().enumerate() {
            let mut cells = vec![vec![Ink::plain(row.cells[0].text())]];
            for column in fields.clone() {
                let items = items(&row.cells[column], self.signs);
                cells.push(flow(&items, " ", columns[column].0, self.signs.cut));
            }
            let down = Ink::plain(" ".repeat(indent.saturating_sub(2)))
                .then(VariableRole::Dim, self.signs.down);
            let follows = ordered && at > 0 && indent >= 2;
            let margin = |line: usize, _| match follows && line == 0 {
                true => down.clone(),
                false => Ink::plain(" ".repeat(indent)),
            };
            grid.row(&mut self.lines, &margin, &cells, (0, &[]));
        }
    }

    /// A table of atoms that is too wide: each field on a line of its own.
    fn fields(&mut self, table: &PageTable, indent: usize) {
        let name = table.columns[0].title.as_str();
        let head = Ink::plain(" ".repeat(indent)).then(VariableRole::Strong, name);
        self.lines.line(&head);
        let titles = table.columns[1..]
            .iter()
            .map(|column| column.title.chars().count());
        let widest = widest(titles).min(self.lines.width / 3);
        for row in &table.rows {
            let atom = format!("{}{}", " ".repeat(indent + 2), row.cells[0].text());
            self.lines.line(&Ink::plain(atom));
            for (column, cell) in table.columns.iter().zip(&row.cells).skip(1) {
                let room = self.lines.width.saturating_sub(indent + widest + 6);
                let items = items(cell, self.signs);
                let lines = flow(&items, " ", room.max(NARROW_ATOMS), self.signs.cut);
                let title = Ink::plain(" ".repeat(indent + 4))
                    .then(VariableRole::Dim, column.title.as_str());
                self.hang(title, lines, indent + 6 + widest);
            }
        }
    }

    /// Lines after a head, all of them in one column.
    pub(super) fn hang(&mut self, head: Ink, lines: Vec<Ink>, column: usize) {
        let mut head = head;
        for line in lines {
            let mut all = std::mem::take(&mut head);
            all.pad(column);
            all.append(line);
            self.lines.line(&all);
        }
    }
}

/// Widths of columns that fit a room, from the width that each wants and the least it can do with; the
/// widest is made narrower first. None if they do not fit.
fn fitting(wanted: &[(usize, usize)], room: usize) -> Option<Vec<usize>> {
    let mut widths: Vec<usize> = wanted.iter().map(|(width, _)| *width).collect();
    let mut over = widths.iter().sum::<usize>().saturating_sub(room);
    while over > 0 {
        let spare = |at: &usize| widths[*at] > wanted[*at].1;
        let at = (0..widths.len())
            .filter(spare)
            .max_by_key(|at| widths[*at])?;
        widths[at] -= 1;
        over -= 1;
    }
    Some(widths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_columns_give_way_first() {
        let wanted = [(10, 5), (50, 20), (20, 20)];
        assert_eq!(fitting(&wanted, 80), Some(vec![10, 50, 20]));
        assert_eq!(fitting(&wanted, 60), Some(vec![10, 30, 20]));
        assert_eq!(fitting(&wanted, 45), Some(vec![5, 20, 20]));
        assert_eq!(fitting(&wanted, 44), None);
    }
}
