//! Pages as text for terminals.

mod instances;
pub(crate) mod tables;

use super::{
    Page, PageAnswer, PageBlock, PageItem, PageTable, Paragraph, Status, TableLayout, Title,
};
use crate::blocks;
use crate::explore::Style;
use crate::layout::{Ink, Signs, TextLines, VariableRole, flow};

/// The whole page.
pub(crate) fn render(page: &Page, style: Style) -> String {
    let mut screen = TextScreen::new(style);
    screen.title(&page.title);
    screen.facts(page);
    screen.answers(page.answers.as_deref().unwrap_or_default());
    if !page.end.is_empty() {
        screen.lines.gap();
        screen.blocks(&page.end);
    }
    screen.hints(&page.hints);
    screen.lines.finish()
}

/// The answers of a page.
pub(crate) fn answers(answers: &[PageAnswer], style: Style) -> String {
    let mut screen = TextScreen::new(style);
    screen.answers(answers);
    screen.lines.finish()
}

/// Blocks one below the other.
pub(crate) fn render_blocks(blocks: &[PageBlock], style: Style) -> String {
    let mut screen = TextScreen::new(style);
    screen.blocks(blocks);
    screen.lines.finish()
}

/// Blocks as lines.
pub(crate) fn lines(blocks: &[PageBlock], style: Style) -> Vec<Ink> {
    let mut screen = TextScreen::new(style);
    screen.blocks(blocks);
    screen.lines.into_lines()
}

/// The line of a verdict.
pub(crate) fn verdict(status: Status, title: &str, formula: &str, style: Style) -> Vec<Ink> {
    let answer = PageAnswer {
        status,
        title: title.to_string(),
        formula: formula.to_string(),
        says: None,
        blocks: vec![],
    };
    let mut screen = TextScreen::new(style);
    screen.answer(&answer);
    screen.lines.into_lines()
}

/// The first line of a page.
pub(crate) fn title(title: &Title, style: Style) -> String {
    let mut screen = TextScreen::new(style);
    screen.title(title);
    screen.lines.finish()
}

struct TextScreen {
    style: Style,
    signs: Signs,
    lines: TextLines,
}

impl TextScreen {
    fn new(style: Style) -> Self {
        Self {
            style,
            signs: Signs::new(style.ascii),
            lines: TextLines::new(style.width, style.color),
        }
    }

    fn title(&mut self, title: &Title) {
        let path = Ink::new(VariableRole::Strong, title.path.as_str());
        if title.total.is_empty() {
            return self.lines.paragraph(path, &Ink::default(), 2);
        }
        let mut items = vec![path.then(VariableRole::Plain, format!("  {}", title.total))];
        items.extend(title.tally.iter().cloned());
        self.flow(&items, "   ", 0);
    }

    fn facts(&mut self, page: &Page) {
        if !page.facts.is_empty() {
            let facts: Vec<&str> = page.facts.iter().map(|fact| fact.text.as_str()).collect();
            let facts = Ink::new(VariableRole::Dim, facts.join(", "));
            self.lines.paragraph(Ink::default(), &facts, 2);
        }
        if let Some(from) = &page.from {
            let from = Ink::plain(from.to_string());
            self.lines.paragraph(Ink::default(), &from, 2);
        }
    }

    /// What fails first, and what holds last.
    fn answers(&mut self, answers: &[PageAnswer]) {
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

    fn answer(&mut self, answer: &PageAnswer) {
        let (head, formula, hang) = answer.line();
        self.lines.paragraph(head, &formula, hang);
        if let Some(says) = &answer.says {
            self.block(&PageBlock::sentence(match answer.status {
                Status::Vacuous => say!("holds, but {}", says),
                _ => says.clone(),
            }));
        }
        self.blocks(&answer.blocks);
    }

    fn blocks(&mut self, blocks: &[PageBlock]) {
        blocks.iter().for_each(|block| self.block(block));
    }

    fn block(&mut self, block: &PageBlock) {
        match block {
            PageBlock::Gap => self.lines.gap(),
            PageBlock::Section { which: None, .. } | PageBlock::Diagram(_) => {}
            PageBlock::Section {
                which: Some(which), ..
            } => {
                let which = Ink::new(VariableRole::Strong, which.to_string());
                self.lines.paragraph(Ink::plain(" "), &which, 4);
            }
            PageBlock::Heading(text) => {
                let text = Ink::new(VariableRole::Strong, text.to_string());
                self.lines.paragraph(Ink::default(), &text, 2);
            }
            PageBlock::Warning(text) => {
                let text = Ink::plain(text.to_string());
                self.lines
                    .paragraph(Ink::new(VariableRole::Warn, "WARN "), &text, 6);
            }
            PageBlock::Paragraph(paragraph) => self.paragraph(paragraph),
            PageBlock::List(items) => items.iter().for_each(|item| self.item(item)),
            PageBlock::Table(table) => self.table(table),
            PageBlock::States { told, a_line_each } => {
                blocks::print(&mut self.lines, told, self.signs, *a_line_each);
            }
            PageBlock::Lines(lines) => {
                for line in lines {
                    let line = self.signs.adapt(line);
                    self.lines.line(&line);
                }
            }
            PageBlock::Set {
                name,
                atoms,
                indent,
                widest,
            } => self.set(name, atoms, *indent, *widest),
            PageBlock::Trace { first, steps, back } => self.trace(first, steps, *back),
            PageBlock::Tree(roots) => self.tree(roots),
            PageBlock::Snippet { plain, colored, .. } => {
                let text = if self.style.color { colored } else { plain };
                self.lines.verbatim(text);
            }
        }
    }

    fn paragraph(&mut self, paragraph: &Paragraph) {
        let text = Ink::new(paragraph.role, paragraph.text.to_string());
        let mut line = paragraph.head.clone().then(VariableRole::Plain, " ");
        line.append(text.clone());
        let badges = paragraph.badges.iter();
        let badges: Vec<Ink> = badges
            .map(|badge| Ink::new(VariableRole::Dim, badge.to_string()))
            .collect();
        for badge in &badges {
            line.append(Ink::new(VariableRole::Dim, "  "));
            line.append(badge.clone());
        }
        if !badges.is_empty() && line.len() <= self.lines.width {
            return self.lines.line(&line);
        }
        self.lines
            .paragraph(paragraph.head.clone(), &text, paragraph.hang);
        self.flow(&badges, "  ", 4);
    }

    fn item(&mut self, item: &PageItem) {
        let text = self.signs.adapt(&item.text);
        self.lines.paragraph(item.head.clone(), &text, item.hang);
    }

    fn table(&mut self, table: &PageTable) {
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
                true => {
                    Ink::plain(format!("  {command:<widest$}  ")).then(VariableRole::Dim, *what)
                }
                false => Ink::plain(format!("  {command}")),
            };
            self.lines.line(&line);
        }
    }
}
