//! Pages as text for terminals.

mod instances;
pub(crate) mod tables;

use super::{Answer, Block, Item, Page, Paragraph, Status, Table, TableLayout, Title};
use crate::blocks;
use crate::explore::Style;
use crate::layout::{Ink, Role, Signs, TextLines, flow};

/// The whole page.
pub(crate) fn render(page: &Page, style: Style) -> String {
    let mut screen = Screen::new(style);
    screen.title(&page.title);
    screen.facts(page);
    screen.answers(page.answers.as_deref().unwrap_or_default());
    screen.lines.gap();
    screen.blocks(&page.end);
    screen.hints(&page.hints);
    screen.lines.finish()
}

/// The answers of a page.
pub(crate) fn answers(answers: &[Answer], style: Style) -> String {
    let mut screen = Screen::new(style);
    screen.answers(answers);
    screen.lines.finish()
}

/// Blocks one below the other.
pub(crate) fn render_blocks(blocks: &[Block], style: Style) -> String {
    let mut screen = Screen::new(style);
    screen.blocks(blocks);
    screen.lines.finish()
}

/// Blocks as lines.
pub(crate) fn lines(blocks: &[Block], style: Style) -> Vec<Ink> {
    let mut screen = Screen::new(style);
    screen.blocks(blocks);
    screen.lines.into_lines()
}

/// The line of a verdict.
pub(crate) fn verdict(status: Status, title: &str, formula: &str, style: Style) -> Vec<Ink> {
    let answer = Answer {
        status,
        title: title.to_string(),
        formula: formula.to_string(),
        says: None,
        blocks: vec![],
    };
    let mut screen = Screen::new(style);
    screen.answer(&answer);
    screen.lines.into_lines()
}

/// The first line of a page.
pub(crate) fn title(title: &Title, style: Style) -> String {
    let mut screen = Screen::new(style);
    screen.title(title);
    screen.lines.finish()
}

struct Screen {
    style: Style,
    signs: Signs,
    lines: TextLines,
}

impl Screen {
    fn new(style: Style) -> Self {
        Self {
            style,
            signs: Signs::new(style.ascii),
            lines: TextLines::new(style.width, style.color),
        }
    }

    fn title(&mut self, title: &Title) {
        let path = Ink::new(Role::Strong, title.path.as_str());
        if title.total.is_empty() {
            return self.lines.paragraph(path, &Ink::default(), 2);
        }
        let mut items = vec![path.then(Role::Plain, format!("  {}", title.total))];
        items.extend(title.tally.iter().cloned());
        self.flow(&items, "   ", 0);
    }

    fn facts(&mut self, page: &Page) {
        if !page.facts.is_empty() {
            let facts: Vec<&str> = page.facts.iter().map(|fact| fact.text.as_str()).collect();
            let facts = Ink::new(Role::Dim, facts.join(", "));
            self.lines.paragraph(Ink::default(), &facts, 2);
        }
    }

    /// What fails first, and what holds last.
    fn answers(&mut self, answers: &[Answer]) {
        let order = |status: Status| status.min(Status::Holds);
        for status in [
            Status::Fails,
            Status::Undecided,
            Status::Vacuous,
            Status::Holds,
        ] {
            self.lines.gap();
            for answer in answers.iter().filter(|a| order(a.status) == status) {
                if status == Status::Fails {
                    self.lines.gap();
                }
                self.answer(answer);
            }
        }
    }

    fn answer(&mut self, answer: &Answer) {
        let (head, formula, hang) = answer.line();
        self.lines.paragraph(head, &formula, hang);
        if let Some(says) = &answer.says {
            self.block(&Block::sentence(match answer.status {
                Status::Vacuous => say!("holds, but {}", says),
                _ => says.clone(),
            }));
        }
        self.blocks(&answer.blocks);
    }

    fn blocks(&mut self, blocks: &[Block]) {
        blocks.iter().for_each(|block| self.block(block));
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Gap => self.lines.gap(),
            Block::Section { which: None, .. } | Block::Diagram(_) => {}
            Block::Section {
                which: Some(which), ..
            } => {
                let which = Ink::new(Role::Strong, which.to_string());
                self.lines.paragraph(Ink::plain(" "), &which, 4);
            }
            Block::Heading(text) => {
                let text = Ink::new(Role::Strong, text.to_string());
                self.lines.paragraph(Ink::default(), &text, 2);
            }
            Block::Warning(text) => {
                let text = Ink::plain(text.to_string());
                self.lines
                    .paragraph(Ink::new(Role::Warn, "WARN "), &text, 6);
            }
            Block::Paragraph(paragraph) => self.paragraph(paragraph),
            Block::List(items) => items.iter().for_each(|item| self.item(item)),
            Block::Table(table) => self.table(table),
            Block::States { told, a_line_each } => {
                blocks::print(&mut self.lines, told, self.signs, *a_line_each);
            }
            Block::Lines(lines) => {
                for line in lines {
                    let line = self.signs.adapt(line);
                    self.lines.line(&line);
                }
            }
            Block::Set {
                name,
                atoms,
                indent,
                widest,
            } => self.set(name, atoms, *indent, *widest),
            Block::Trace { first, steps, back } => self.trace(first, steps, *back),
            Block::Tree(roots) => self.tree(roots),
            Block::Snippet { plain, colored, .. } => {
                let text = if self.style.color { colored } else { plain };
                self.lines.verbatim(text);
            }
        }
    }

    fn paragraph(&mut self, paragraph: &Paragraph) {
        let text = Ink::new(paragraph.role, paragraph.text.to_string());
        let mut line = paragraph.head.clone().then(Role::Plain, " ");
        line.append(text.clone());
        let badges = paragraph.badges.iter();
        let badges: Vec<Ink> = badges
            .map(|badge| Ink::new(Role::Dim, badge.to_string()))
            .collect();
        for badge in &badges {
            line.append(Ink::new(Role::Dim, "  "));
            line.append(badge.clone());
        }
        if !badges.is_empty() && line.len() <= self.lines.width {
            return self.lines.line(&line);
        }
        self.lines
            .paragraph(paragraph.head.clone(), &text, paragraph.hang);
        self.flow(&badges, "  ", 4);
    }

    fn item(&mut self, item: &Item) {
        let text = self.signs.adapt(&item.text);
        self.lines.paragraph(item.head.clone(), &text, item.hang);
    }

    fn table(&mut self, table: &Table) {
        match table.layout {
            TableLayout::Steps => self.steps(table),
            TableLayout::Actions => self.actions(table),
            TableLayout::Positions => self.positions(table),
            TableLayout::Truths => self.truths(table),
            TableLayout::Atoms { indent, ordered } => self.atoms(table, indent, ordered),
            TableLayout::Document => {}
        }
    }

    /// Items on as few lines as fit.
    fn flow(&mut self, items: &[Ink], gap: &str, indent: usize) {
        for line in flow(items, gap, self.lines.width - indent, self.signs.cut) {
            let mut indented = Ink::plain(" ".repeat(indent));
            indented.append(line);
            self.lines.line(&indented);
        }
    }

    fn hints(&mut self, hints: &[(String, &'static str)]) {
        if hints.is_empty() {
            return;
        }
        self.lines.gap();
        self.lines.line(&Ink::plain("Try:"));
        let widths = hints.iter().map(|(command, _)| command.chars().count());
        let widest = widths.max().unwrap_or(0);
        for (command, what) in hints {
            let line = match 2 + widest + 2 + what.len() <= self.lines.width {
                true => Ink::plain(format!("  {command:<widest$}  ")).then(Role::Dim, *what),
                false => Ink::plain(format!("  {command}")),
            };
            self.lines.line(&line);
        }
    }
}
