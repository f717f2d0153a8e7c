//! A walk through the states of a model: each answer as a few lines of text.
//!
//! A [`WorldTeller`] knows the model and how text is to look; its methods turn states, steps and truth
//! values into lines. Nothing here depends on the engine that found them.

use wherefore_base::{IndexVec, Value};
use wherefore_evidence::OccurrenceId;
use wherefore_logic::SubId;
use wherefore_model::{Property, PropertyBody, Query, Step, TermId};

use crate::Report;
use crate::blocks::inks;
use crate::layout::{Ink, Signs, TextLines, VariableRole, flow};
use crate::page::{PageBlock, PageTable, WHAT, text};
use crate::table::{Cell, Choice, Row, row_of};
use crate::things::Thing;
use crate::words::{clean, count, sub_text};

/// How text looks.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// With colour.
    pub color: bool,
    /// With plain letters instead of arrows.
    pub ascii: bool,
    /// How many columns there are.
    pub width: usize,
}

/// Some of many things: the number of the first, the things, and how many there are in all, if that
/// can be counted.
pub type SeveralLines<'a, T> = (usize, &'a [T], Option<u64>);

/// Turns the answers of a walk into text. The expressions that the report shows are those that the
/// walker watches.
#[derive(Clone, Copy, Debug)]
pub struct WorldTeller<'a> {
    /// The model, its texts and the watched expressions.
    pub report: Report<'a>,
    /// How text looks.
    pub style: Style,
}

/// So many sub-formulas of a property are told.
const SUB_FORMULAS: usize = 200;

impl WorldTeller<'_> {
    /// The first line: the file and how large its space is.
    pub fn opening(&self) -> String {
        let mut page = self.page();
        let mut line = Ink::new(VariableRole::Strong, clean(self.report.path()));
        if let Some(space) = self.report.space {
            let size = |n: String, noun: &str| match n.as_str() {
                "1" => format!("1 {noun}"),
                n => format!("{n} {noun}s"),
            };
            let states = size(space.states.to_string(), "state");
            let initial = size(space.initial.to_string(), "initial state");
            line.append(Ink::plain(format!("  {states}, {initial}")));
        }
        page.line(&line);
        page.finish()
    }

    /// A state with a number in the walk, all its values, and the watched expressions.
    pub fn arrival(&self, number: usize, state: &[Value]) -> String {
        let mut page = self.page();
        self.item(&mut page, &step_head(number), &self.bare(None, &[], state));
        page.finish() + &self.watched(state)
    }

    /// A step of the walk, what it changed, and the watched expressions.
    pub fn step(&self, number: usize, from: &[Value], step: &Step) -> String {
        let mut page = self.page();
        let row = self.bare(Some(from), &step.input, &step.next);
        self.item(&mut page, &step_head(number), &row);
        page.finish() + &self.watched(&step.next)
    }

    /// Numbered states with all their values.
    pub fn states(&self, (first, states, total): SeveralLines<'_, Vec<Value>>) -> String {
        let mut page = self.page();
        for (at, state) in states.iter().enumerate() {
            self.item(&mut page, &head(first + at), &self.bare(None, &[], state));
        }
        self.more(&mut page, first + states.len(), total);
        page.finish()
    }

    /// Numbered steps from a state, with what they change.
    pub fn steps(&self, from: &[Value], (first, steps, total): SeveralLines<'_, Step>) -> String {
        let mut page = self.page();
        for (at, step) in steps.iter().enumerate() {
            let row = self.bare(Some(from), &step.input, &step.next);
            self.item(&mut page, &head(first + at), &row);
        }
        self.more(&mut page, first + steps.len(), total);
        page.finish()
    }

    /// Numbered states, of each the values that differ from those here.
    pub fn differing(
        &self,
        here: &[Value],
        (first, states, total): SeveralLines<'_, Vec<Value>>,
    ) -> String {
        let mut page = self.page();
        for (at, state) in states.iter().enumerate() {
            let report = &self.report;
            let vars = report.state_vars();
            let vars = vars.filter(|var| here[var.index()] != state[var.index()]);
            let mut items: Vec<Ink> = vars
                .filter_map(|var| {
                    let value = state[var.index()];
                    match report.model.vars[var].is_declared() {
                        true => Some(format!("{}={}", report.name(var), report.value(value))),
                        false => report.undeclared(var, &[value]),
                    }
                })
                .map(Ink::plain)
                .collect();
            if items.is_empty() {
                items.push(Ink::new(VariableRole::Dim, "(this state)"));
            }
            self.hang(&mut page, &head(first + at), &items, " ");
        }
        self.more(&mut page, first + states.len(), total);
        page.finish()
    }

    /// The table of some steps of the walk; `first` is the number of the state they start from, which
    /// is shown, too.
    pub fn trace(&self, first: usize, start: &[Value], steps: &[Step]) -> String {
        let mut rows = vec![self.row(first, None, &[], start)];
        let mut from = start;
        for (at, step) in steps.iter().enumerate() {
            rows.push(self.row(first + 1 + at, Some(from), &step.input, &step.next));
            from = &step.next;
        }
        text::render_blocks(
            &[PageBlock::Table(PageTable::of_steps(&rows, WHAT))],
            self.style,
        )
    }

    /// The values of the variables and defines whose name is wanted, one on a line.
    pub fn values(&self, state: &[Value], wanted: &dyn Fn(&str) -> bool) -> String {
        let report = self.report;
        let things = report.things(false).into_iter();
        let things = things.filter(|&thing| match thing {
            Thing::Variable(var) => wanted(&report.model.vars[var].name),
            Thing::Set(set) => wanted(&set.name),
        });
        let vars = things.map(|thing| (report.thing_name(thing), report.thing_value(thing, state)));
        let defines = report.model.defines.iter();
        let defines = defines.filter(|define| !define.of_step && wanted(&define.name));
        let defines =
            defines.map(|define| (clean(&define.name), report.shown_value(define.term, state)));
        let mut page = self.page();
        for (name, value) in vars.chain(defines) {
            page.line(&Ink::plain(format!("  {name} = ")).then(VariableRole::Strong, value));
        }
        page.finish()
    }

    /// The value of an expression in a state.
    pub fn value(&self, term: TermId, state: &[Value]) -> String {
        let mut page = self.page();
        let value = self.report.shown_value(term, state);
        page.line(&Ink::plain("  ").then(VariableRole::Strong, value));
        page.finish()
    }

    /// The watched expressions with their values in a state, each on a line.
    pub fn watched(&self, state: &[Value]) -> String {
        let mut page = self.page();
        for shown in self.report.shown {
            let value = self.report.shown_value(shown.term, state);
            let text = format!("  {}: ", clean(&shown.text));
            page.line(&Ink::plain(text).then(VariableRole::Strong, value));
        }
        page.finish()
    }

    /// What is true of a property in a state, for the property and each of its sub-formulas; `has_path`
    /// says whether a path as the property means it starts there.
    pub fn truth(
        &self,
        property: &Property,
        truth: Option<(&IndexVec<SubId, bool>, bool)>,
    ) -> String {
        let mut page = self.page();
        let title = Ink::new(VariableRole::Strong, self.report.title(property));
        match (&property.body, truth) {
            (PropertyBody::Query(query), Some((subs, has_path))) => {
                let root = query.formula.root();
                let (role, verdict) = match subs[root] {
                    true => (VariableRole::Good, "holds here"),
                    false => (VariableRole::Bad, "fails here"),
                };
                let mut line = title.then(VariableRole::Plain, ": ").then(role, verdict);
                if !has_path {
                    let kind = match self.report.model.fairness.is_empty() {
                        true => "infinite",
                        false => "fair",
                    };
                    line.append(Ink::plain(format!(", but no {kind} path starts here")));
                }
                page.line(&line);
                self.sub_formulas(&mut page, query, subs);
            }
            (PropertyBody::Unsupported(why), _) => {
                let why = format!("cannot be answered: {}", clean(why));
                page.paragraph(title.then(VariableRole::Plain, ":"), &Ink::plain(why), 2);
            }
            (PropertyBody::Linear(_) | PropertyBody::Distance(_), _) => {
                let why = "speaks of whole runs, not of this state";
                page.line(&title.then(VariableRole::Plain, format!(": {why}")));
            }
            (PropertyBody::Query(_), None) => {
                page.line(&title.then(VariableRole::Plain, ": not known"))
            }
        }
        page.finish()
    }

    fn sub_formulas(&self, page: &mut TextLines, query: &Query, subs: &IndexVec<SubId, bool>) {
        let deepest = page.width / 2;
        let mut open = vec![(query.formula.root(), 2)];
        let mut told = 0;
        while let Some((sub, indent)) = open.pop() {
            if told == SUB_FORMULAS {
                let left = query.formula.len() - told;
                page.line(&Ink::new(
                    VariableRole::Dim,
                    format!("  and {} more", count(left, "sub-formula")),
                ));
                return;
            }
            told += 1;
            let (role, mark) = match subs[sub] {
                true => (VariableRole::Good, "+"),
                false => (VariableRole::Bad, "-"),
            };
            let line = Ink::plain(" ".repeat(indent.min(deepest)))
                .then(role, mark)
                .then(
                    VariableRole::Plain,
                    format!(" {}", sub_text(&self.report, query, sub)),
                );
            page.line(&line.cut(page.width, self.signs().cut));
            let operands: Vec<SubId> = query.formula.op(sub).operands().collect();
            open.extend(operands.into_iter().rev().map(|sub| (sub, indent + 2)));
        }
    }

    /// The row of a state or step without the watched expressions.
    fn bare(&self, old: Option<&[Value]>, input: &[Value], new: &[Value]) -> Row {
        let report = Report {
            shown: &[],
            ..self.report
        };
        WorldTeller { report, ..*self }.row(0, old, input, new)
    }

    fn row(&self, number: usize, old: Option<&[Value]>, input: &[Value], new: &[Value]) -> Row {
        let step = OccurrenceId::new(number);
        let choice = Choice {
            full: false,
            vars: None,
            causes: false,
        };
        row_of(&self.report, step, old, (input, new), &None, choice)
    }

    /// A row as a list item: the input in brackets, then what it says.
    fn item(&self, page: &mut TextLines, head: &str, row: &Row) {
        let input = (!row.input.is_empty()).then(|| Ink::plain(format!("[{}]", row.input)));
        let cells = inks(row.items(), self.signs());
        let items: Vec<Ink> = input.into_iter().chain(cells).collect();
        let changes = row.cells.iter().any(Cell::is_change);
        let apart = changes || !row.input.is_empty();
        self.hang(page, head, &items, if apart { "  " } else { " " });
    }

    /// Items after a head, all lines of them in one column.
    fn hang(&self, page: &mut TextLines, head: &str, items: &[Ink], gap: &str) {
        let room = page.width.saturating_sub(head.len()).max(1);
        let lines = flow(items, gap, room, self.signs().cut);
        for (at, line) in lines.into_iter().enumerate() {
            let mut whole = Ink::plain(if at == 0 { head } else { "" });
            whole.pad(head.len());
            whole.append(line);
            page.line(&whole);
        }
    }

    /// How many things were left out after so many.
    fn more(&self, page: &mut TextLines, told: usize, total: Option<u64>) {
        let left = total.map(|total| total.saturating_sub(told as u64));
        let text = match left {
            Some(0) => return,
            Some(left) => format!("  and {left} more"),
            None => "  and more than can be counted".to_string(),
        };
        page.line(&Ink::new(VariableRole::Dim, text));
    }

    fn page(&self) -> TextLines {
        TextLines::new(self.style.width, self.style.color)
    }

    fn signs(&self) -> Signs {
        Signs::new(self.style.ascii)
    }
}

fn step_head(number: usize) -> String {
    format!("step {number}: ")
}

fn head(number: usize) -> String {
    format!("  {number}: ")
}
