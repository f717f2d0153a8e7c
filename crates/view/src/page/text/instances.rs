//! Sets, traces and trees of instances on a screen.

use super::TextScreen;
use super::tables::{MARGIN, NARROW_ATOMS};
use crate::alloy::tree::Branch;
use crate::layout::{Ink, TextLines, VariableRole, flow, wrap};
use crate::page::{CellItem, PageBlock, TableCell};

/// Columns of the name of a state.
const STATE: usize = 10;
/// How far trees are indented.
const INDENT: usize = 4;

impl TextScreen {
    pub(super) fn set(&mut self, name: &str, atoms: &TableCell, indent: usize, widest: usize) {
        let head = Ink::plain(" ".repeat(indent)).then(VariableRole::Strong, name);
        // A name that is wider than its column pushes the first line to the right.
        let column = indent + widest.min(self.lines.width / 3) + 2;
        let items = atoms.0.iter().map(|item| self.signs.adapt(&item.screen));
        let items: Vec<Ink> = items.collect();
        let room = self.lines.width.saturating_sub(column).max(NARROW_ATOMS);
        let lines = flow(&items, " ", room, self.signs.cut);
        let mut head = head;
        head.pad(column - 1);
        self.hang(head.then(VariableRole::Plain, " "), lines, column);
    }

    /// The first state, then what changes in each step, with a bracket for the loop.
    pub(super) fn trace(&mut self, first: &[PageBlock], steps: &[Vec<CellItem>], back: usize) {
        let states = steps.len() + 1;
        let name = |state: usize| Ink::new(VariableRole::Strong, format!("state {state}"));
        let mut line = self.mark(0, back, true);
        line.append(name(0));
        self.lines.line(&line);
        for line in self.inner(first) {
            let mut all = self.mark(0, back, false);
            all.append(line);
            self.lines.line(&all);
        }
        let room = self.lines.width.saturating_sub(MARGIN + STATE);
        for (changes, state) in steps.iter().zip(1..) {
            let changes = changes.iter().flat_map(|change| {
                let ink = self.signs.adapt(&change.screen);
                wrap(&ink, room.max(NARROW_ATOMS))
            });
            for (at, line) in changes.collect::<Vec<_>>().into_iter().enumerate() {
                let mut all = self.mark(state, back, at == 0);
                if at == 0 {
                    all.append(name(state));
                }
                all.pad(MARGIN + STATE);
                all.append(line);
                self.lines.line(&all);
            }
        }
        let text = match back + 1 == states {
            true => format!(" and so for ever: state {back} again"),
            false => format!(" then state {back} again, and so for ever"),
        };
        let close = Ink::plain("  ").then(VariableRole::Warn, self.signs.bottom);
        self.lines.line(&close.then(VariableRole::Plain, text));
    }

    /// The bracket of the loop before a line of a state.
    fn mark(&self, state: usize, back: usize, first: bool) -> Ink {
        let sign = match state {
            _ if state < back => " ",
            _ if state == back && first => self.signs.top,
            _ => self.signs.side,
        };
        let mut ink = Ink::plain("  ").then(VariableRole::Warn, sign);
        ink.pad(MARGIN);
        ink
    }

    /// What blocks print beside the bracket, as lines.
    fn inner(&mut self, blocks: &[PageBlock]) -> Vec<Ink> {
        let width = self.lines.width.saturating_sub(MARGIN);
        let inner = TextLines::new(width, self.style.color);
        let outer = std::mem::replace(&mut self.lines, inner);
        self.blocks(blocks);
        std::mem::replace(&mut self.lines, outer).into_lines()
    }

    pub(super) fn tree(&mut self, roots: &[Branch]) {
        let indent = " ".repeat(INDENT);
        for line in crate::alloy::tree::drawn(roots, self.style.ascii).lines() {
            self.lines.line(&Ink::plain(format!("{indent}{line}")));
        }
    }
}
