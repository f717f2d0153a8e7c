//! The screen: for each command its verdict, its instances or why there is none; then a line about all.

use wherefore_alloy::answer::{Answer, Facts, Found, Outcome, Value};
use wherefore_alloy::model::Command;
use wherefore_alloy::scene::Scene;

use super::picture::{Block, Part, Plan};
use super::steps::{Change, How, changes};
use super::words::{value_text, witness_text};
use super::{Excerpt, Instance, Report, tree};
use crate::layout::{Ink, Page, Role, flow, wrap};
use crate::sheet::Signs;
pub use crate::text::Options;
use crate::words::{clean, count};
use wherefore_diagnostics::render_diagnostic;

/// So many rows of a table are shown.
const ROWS: usize = 16;
/// So many values of a cell are shown.
const VALUES: usize = 12;
/// So many changes of a step are shown.
const CHANGES: usize = 24;
/// A column is at least so wide before a table is told row by row.
const NARROW: usize = 16;

/// The verdict on a command, with its instances. It can be told before it is known why there is none.
pub fn verdict(report: &Report<'_>, answer: &Answer, options: &Options<'_>) -> String {
    let mut screen = Screen::new(*report, options);
    screen.head(answer);
    screen.instances(answer);
    screen.page.finish() + &refusal(report, answer, options)
}

/// The instances of a command, if it has any.
pub fn instances(report: &Report<'_>, answer: &Answer, options: &Options<'_>) -> String {
    let mut screen = Screen::new(*report, options);
    screen.instances(answer);
    screen.page.finish()
}

/// The part of a transition system that shows the answer to a command: what it is, then its runs.
pub fn excerpt(report: &Report<'_>, excerpt: &Excerpt<'_>, options: &Options<'_>) -> String {
    let mut screen = Screen::new(*report, options);
    for sentence in &excerpt.sentences {
        screen.sentence(Ink::plain(sentence));
    }
    screen.page.finish() + &crate::text::evidence(&excerpt.report, options)
}

/// The verdict on a command alone.
pub fn head(report: &Report<'_>, answer: &Answer, options: &Options<'_>) -> String {
    let mut screen = Screen::new(*report, options);
    screen.head(answer);
    screen.page.finish() + &refusal(report, answer, options)
}

/// Why there is no answer, if there is none.
fn refusal(report: &Report<'_>, answer: &Answer, options: &Options<'_>) -> String {
    match &answer.outcome {
        Outcome::Refused(refused) => {
            let text = render_diagnostic(report.sources, &refused.diagnostic, options.color);
            format!("{text}\n")
        }
        _ => String::new(),
    }
}

/// What there is to add to the verdict once it is known: whether the facts can hold together, and why
/// there is no instance.
pub fn reasons(report: &Report<'_>, answer: &Answer, options: &Options<'_>) -> String {
    let mut screen = Screen::new(*report, options);
    let command = report.command(answer);
    let odd = answer.facts == Facts::Inconsistent || answer.as_expected(command) == Some(false);
    if let Some(text) = report.facts(answer) {
        let role = match answer.facts {
            Facts::Inconsistent => Role::Warn,
            _ => Role::Plain,
        };
        screen.sentence(Ink::new(role, text));
    }
    for (role, text) in report.reach(answer) {
        screen.sentence(Ink::new(role, text));
    }
    if !(odd || options.all) {
        if let Some(text) = report.rests_on(answer) {
            screen.sentence(Ink::new(Role::Dim, text));
        }
        return screen.page.finish();
    }
    if let Some(same) = report.same_as(answer) {
        screen.sentence(Ink::plain(same));
        return screen.page.finish();
    }
    let mut text = screen.page.finish();
    if let Some(blame) = report.blame(answer, options.full, options.color) {
        text.push_str(&blame);
        text.push('\n');
    }
    text
}

/// One instance of a command, as with its verdict; with a number if it has one.
pub fn instance(
    report: &Report<'_>,
    command: usize,
    found: &Found,
    number: Option<usize>,
    options: &Options<'_>,
) -> String {
    let mut screen = Screen::new(*report, options);
    // Only the command of the answer is asked for.
    screen.instance(&Answer::new(command, Outcome::Nothing), found, number);
    screen.page.finish()
}

/// One state of an instance, everything in it.
pub fn state(report: &Report<'_>, scene: &Scene, state: usize, options: &Options<'_>) -> String {
    let mut screen = Screen::new(*report, options);
    if scene.back.is_some() {
        screen.sentence(Ink::new(Role::Strong, format!("state {state}")));
    }
    let plan = Plan::new(report.model, report.sources, scene);
    screen.blocks(&plan.blocks(state, Part::Whole), INDENT);
    screen.page.finish()
}

/// How many commands there are, and what came of them.
pub fn total(report: &Report<'_>, options: &Options<'_>) -> String {
    let mut screen = Screen::new(*report, options);
    screen.total();
    screen.page.finish()
}

/// Advice on how the transition system of the model is written; empty if nobody asked.
pub fn advice(report: &Report<'_>, options: &Options<'_>) -> String {
    let Some(title) = report.advice_title() else {
        return String::new();
    };
    let mut screen = Screen::new(*report, options);
    screen.page.line(&Ink::new(Role::Strong, title));
    for advice in report.advice.unwrap_or_default() {
        let text = report.advice_text(advice);
        screen
            .page
            .paragraph(Ink::plain("  - "), &Ink::plain(text), 4);
    }
    screen.page.finish()
}

/// Everything there is to say about one model.
pub fn render(report: &Report<'_>, options: &Options<'_>) -> String {
    let mut out = String::new();
    for answer in report.answers {
        out.push_str(&verdict(report, answer, options));
        out.push_str(&reasons(report, answer, options));
        if let Some(part) = report.excerpt(answer) {
            out.push_str(&excerpt(report, part, options));
        }
        out.push('\n');
    }
    out.push_str(&advice(report, options));
    out.push_str(&total(report, options));
    out
}

struct Screen<'a> {
    report: Report<'a>,
    options: Options<'a>,
    signs: Signs,
    page: Page,
}

impl<'a> Screen<'a> {
    fn new(report: Report<'a>, options: &Options<'a>) -> Self {
        Self {
            report,
            options: *options,
            signs: Signs::new(options.ascii),
            page: Page::new(options.width, options.color),
        }
    }

    /// Text that wraps, a little indented.
    fn sentence(&mut self, ink: Ink) {
        self.page.paragraph(Ink::plain(" "), &ink, 4);
    }

    fn head(&mut self, answer: &Answer) {
        let command = self.report.command(answer);
        let (title, place) = self.report.title(command);
        let place = place.map_or(String::new(), |place| format!(" ({place})"));
        let mut ink = Ink::new(Role::Strong, title);
        ink.append(Ink::plain(self.report.given_scopes(answer)));
        ink.append(Ink::new(Role::Dim, place));
        self.page.paragraph(Ink::default(), &ink, 4);
        let role = match (&answer.outcome, answer.as_expected(command)) {
            (_, Some(true)) => Role::Good,
            (_, Some(false)) => Role::Bad,
            (Outcome::Refused(_), _) => Role::Bad,
            _ => Role::Warn,
        };
        let mut line = Ink::new(role, self.report.outcome(answer));
        if let Some(expected) = self.report.expectation(answer) {
            line.append(Ink::plain(", but "));
            line.append(Ink::new(Role::Bad, expected));
        }
        self.sentence(line);
    }

    fn instances(&mut self, answer: &Answer) {
        if let Outcome::Found { found, .. } = &answer.outcome {
            for (at, one) in found.iter().enumerate() {
                self.instance(answer, one, (found.len() > 1).then_some(at + 1));
            }
        }
    }

    fn instance(&mut self, answer: &Answer, found: &Found, number: Option<usize>) {
        let command = self.report.command(answer);
        let scene = &found.scene;
        if let Some(number) = number {
            self.page.gap();
            let what = if command.check {
                "counterexample"
            } else {
                "instance"
            };
            self.sentence(Ink::new(Role::Strong, format!("{what} {number}")));
        }
        if let Some(text) = self.report.witness_sentence(command, scene) {
            self.sentence(Ink::plain(text));
        }
        let plan = Plan::new(self.report.model, self.report.sources, scene);
        match scene.back {
            _ if self.options.tree => self.tree(command, scene),
            None => self.blocks(&plan.blocks(0, Part::Whole), INDENT),
            Some(back) => self.trace(scene, &plan, back),
        }
        self.other_witnesses(command, scene);
        for value in &found.values {
            self.value(scene, &value.text, &value.states);
        }
    }

    fn tree(&mut self, command: &Command, scene: &Scene) {
        let instance = Instance {
            model: self.report.model,
            command,
            scene,
        };
        let indent = " ".repeat(INDENT);
        for line in tree::render(&instance, self.options.ascii).lines() {
            self.page.line(&Ink::plain(format!("{indent}{line}")));
        }
    }

    /// The values of variables of facts and of what is called.
    fn other_witnesses(&mut self, command: &Command, scene: &Scene) {
        if !self.options.full {
            return;
        }
        let (_, others) = self.report.witnesses(command, scene);
        for witness in others {
            let text = format!("${}", witness_text(scene, witness));
            self.sentence(Ink::new(Role::Dim, text));
        }
    }

    fn value(&mut self, scene: &Scene, text: &str, states: &[Result<Value, String>]) {
        let shown = |value: &Result<Value, String>| match value {
            Ok(value) => value_text(scene, value),
            Err(why) => why.clone(),
        };
        let text = clean(&text.split_whitespace().collect::<Vec<_>>().join(" "));
        let same = states.windows(2).all(|pair| pair[0] == pair[1]);
        if let (true, Some(value)) = (same, states.first()) {
            let ink =
                Ink::new(Role::Strong, text).then(Role::Plain, format!(" = {}", shown(value)));
            self.sentence(ink);
            return;
        }
        self.sentence(Ink::new(Role::Strong, text));
        for (state, value) in states.iter().enumerate() {
            let line = format!("  state {state}: {}", shown(value));
            self.page.paragraph(Ink::plain("   "), &Ink::plain(line), 6);
        }
    }

    fn blocks(&mut self, blocks: &[Block], indent: usize) {
        let names = blocks.iter().map(|block| match block {
            Block::Set { name, .. } => name.chars().count(),
            Block::Table { .. } => 0,
        });
        let widest = names.max().unwrap_or(0).min(self.page.width / 3);
        for (at, block) in blocks.iter().enumerate() {
            let table = |at: Option<usize>| {
                let block = at.and_then(|at| blocks.get(at));
                matches!(block, Some(Block::Table { .. }))
            };
            if at > 0 && (table(Some(at)) || table(at.checked_sub(1))) {
                self.page.gap();
            }
            match block {
                Block::Set {
                    name,
                    atoms,
                    ordered,
                } => self.set(name, atoms, *ordered, (indent, widest)),
                Block::Table {
                    name,
                    columns,
                    rows,
                    ordered,
                } => self.table(name, columns, rows, *ordered, indent),
            }
        }
    }

    fn set(
        &mut self,
        name: &str,
        atoms: &[String],
        ordered: bool,
        (indent, widest): (usize, usize),
    ) {
        let mut head = Ink::plain(" ".repeat(indent)).then(Role::Strong, name);
        head.pad(indent + widest + 1);
        let hang = indent + widest + 2;
        let between = match ordered {
            true => format!(" {}", self.signs.arrow),
            false => ",".to_string(),
        };
        let items = self.few(atoms, &between, VALUES * 2);
        let room = self.page.width.saturating_sub(hang).max(NARROW);
        let lines = flow(&items, " ", room, self.signs.cut);
        for (at, line) in lines.into_iter().enumerate() {
            let mut all = match at {
                0 => std::mem::take(&mut head).then(Role::Plain, " "),
                _ => Ink::plain(" ".repeat(hang)),
            };
            all.append(line);
            self.page.line(&all);
        }
    }

    /// Values with a sign between them; `none` if there are none, and the first of too many.
    fn few(&self, values: &[String], between: &str, most: usize) -> Vec<Ink> {
        if values.is_empty() {
            return vec![Ink::new(Role::Dim, "none")];
        }
        let most = if self.options.full { usize::MAX } else { most };
        let shown = values.len().min(most);
        let mut items: Vec<Ink> = Vec::with_capacity(shown + 1);
        for (at, value) in values.iter().take(shown).enumerate() {
            let last = at + 1 == values.len();
            items.push(Ink::plain(value).then(Role::Dim, if last { "" } else { between }));
        }
        if shown < values.len() {
            let more = format!("{} {} more", self.signs.cut, values.len() - shown);
            items.push(Ink::new(Role::Dim, more));
        }
        items
    }

    fn table(
        &mut self,
        name: &str,
        columns: &[String],
        rows: &[(String, Vec<Vec<String>>)],
        ordered: bool,
        indent: usize,
    ) {
        let most = if self.options.full { usize::MAX } else { ROWS };
        let shown = &rows[..rows.len().min(most)];
        let cells: Vec<Vec<Vec<Ink>>> = shown
            .iter()
            .map(|(_, cells)| {
                cells
                    .iter()
                    .map(|cell| self.few(cell, ",", VALUES))
                    .collect()
            })
            .collect();
        let length = |text: &String| text.chars().count();
        let first = shown.iter().map(|(atom, _)| length(atom)).max();
        let first = first.unwrap_or(0).max(length(&name.to_string()));
        let wide = |column: usize| {
            let items = cells.iter().map(|row| line_width(&row[column]));
            items.max().unwrap_or(0).max(length(&columns[column]))
        };
        let longest = |column: usize| {
            let items = cells
                .iter()
                .flat_map(|row| row[column].iter().map(Ink::len));
            items.max().unwrap_or(0).max(length(&columns[column]))
        };
        let wanted: Vec<(usize, usize)> =
            (0..columns.len()).map(|c| (wide(c), longest(c))).collect();
        let room = self
            .page
            .width
            .saturating_sub(indent + first + 2 * columns.len());
        let Some(widths) = fitting(&wanted, room) else {
            self.list(name, columns, shown, &cells, indent);
            self.more_rows(rows.len() - shown.len(), indent);
            return;
        };
        let mut head = Ink::plain(" ".repeat(indent)).then(Role::Strong, name);
        head.pad(indent + first);
        for (column, width) in columns.iter().zip(&widths) {
            let start = head.len() + 2;
            head.append(Ink::plain("  ").then(Role::Dim, column));
            head.pad(start + width);
        }
        self.page.line(&head);
        for (at, ((atom, _), row)) in shown.iter().zip(&cells).enumerate() {
            let columns: Vec<Vec<Ink>> = row
                .iter()
                .zip(&widths)
                .map(|(items, &width)| flow(items, " ", width, self.signs.cut))
                .collect();
            let height = columns.iter().map(Vec::len).max().unwrap_or(1).max(1);
            let follows = ordered && at > 0;
            for line in 0..height {
                let mut ink = self.margin(indent, follows && line == 0);
                ink.append(Ink::plain(if line == 0 { atom } else { "" }));
                ink.pad(indent + first);
                for (cell, width) in columns.iter().zip(&widths) {
                    let start = ink.len() + 2;
                    ink.append(Ink::plain("  "));
                    ink.append(cell.get(line).cloned().unwrap_or_default());
                    ink.pad(start + width);
                }
                self.page.line(&ink);
            }
        }
        self.more_rows(rows.len() - shown.len(), indent);
    }

    /// Space before a row; an arrow where it comes after the row above in an order.
    fn margin(&self, indent: usize, follows: bool) -> Ink {
        let down = if self.options.ascii { "v " } else { "↓ " };
        match follows && indent >= 2 {
            true => Ink::plain(" ".repeat(indent - 2)).then(Role::Dim, down),
            false => Ink::plain(" ".repeat(indent)),
        }
    }

    /// A table that is too wide: each field on a line of its own.
    fn list(
        &mut self,
        name: &str,
        columns: &[String],
        rows: &[(String, Vec<Vec<String>>)],
        cells: &[Vec<Vec<Ink>>],
        indent: usize,
    ) {
        let head = Ink::plain(" ".repeat(indent)).then(Role::Strong, name);
        self.page.line(&head);
        let widest = columns.iter().map(|name| name.chars().count()).max();
        let widest = widest.unwrap_or(0).min(self.page.width / 3);
        for ((atom, _), row) in rows.iter().zip(cells) {
            self.page
                .line(&Ink::plain(format!("{}{atom}", " ".repeat(indent + 2))));
            for (column, items) in columns.iter().zip(row) {
                let mut head = Ink::plain(" ".repeat(indent + 4)).then(Role::Dim, column);
                head.pad(indent + 4 + widest);
                let room = self.page.width.saturating_sub(indent + widest + 6);
                let lines = flow(items, " ", room.max(NARROW), self.signs.cut);
                for (at, line) in lines.into_iter().enumerate() {
                    let mut all = match at {
                        0 => std::mem::take(&mut head),
                        _ => Ink::plain(" ".repeat(indent + 4 + widest)),
                    };
                    all.append(Ink::plain("  "));
                    all.append(line);
                    self.page.line(&all);
                }
            }
        }
    }

    fn more_rows(&mut self, more: usize, indent: usize) {
        if more > 0 {
            let text = format!("{} {more} more; --full shows all", self.signs.cut);
            let ink = Ink::plain(" ".repeat(indent)).then(Role::Dim, text);
            self.page.line(&ink);
        }
    }

    fn trace(&mut self, scene: &Scene, plan: &Plan<'_>, back: usize) {
        let still = plan.blocks(0, Part::Still);
        self.blocks(&still, INDENT);
        if !still.is_empty() {
            self.page.gap();
        }
        let states = scene.moments.len();
        for state in 0..states {
            let mark = self.mark(state, back, states, true);
            let head = Ink::new(Role::Strong, format!("state {state}"));
            if state == 0 {
                let mut line = mark;
                line.append(head);
                self.page.line(&line);
                let first = self.page_of(|screen| {
                    screen.blocks(&plan.blocks(0, Part::Changing), 2);
                });
                for line in first {
                    let mut all = self.mark(state, back, states, false);
                    all.append(line);
                    self.page.line(&all);
                }
                continue;
            }
            let changes = changes(self.report.model, scene, plan, state - 1, state);
            let room = self.page.width.saturating_sub(MARGIN + STATE).max(NARROW);
            let lines = self.change_lines(&changes, room);
            for (at, line) in lines.into_iter().enumerate() {
                let mut all = match at {
                    0 => {
                        let mut all = self.mark(state, back, states, true);
                        all.append(head.clone());
                        all
                    }
                    _ => self.mark(state, back, states, false),
                };
                all.pad(MARGIN + STATE);
                all.append(line);
                self.page.line(&all);
            }
        }
        let text = match back + 1 == states {
            true => format!("and so for ever: state {back} again"),
            false => format!("then state {back} again, and so for ever"),
        };
        let close = Ink::plain("  ").then(Role::Warn, self.signs.bottom);
        self.page.line(&close.then(Role::Plain, format!(" {text}")));
    }

    /// The bracket of the loop before a line of a state.
    fn mark(&self, state: usize, back: usize, states: usize, first: bool) -> Ink {
        let sign = match state {
            _ if state < back || state >= states => " ",
            _ if state == back && first => self.signs.top,
            _ => self.signs.side,
        };
        let mut ink = Ink::plain("  ").then(Role::Warn, sign);
        ink.pad(MARGIN);
        ink
    }

    /// What something prints, as lines.
    fn page_of(&mut self, print: impl FnOnce(&mut Self)) -> Vec<Ink> {
        let width = self.page.width;
        let inner = Page::new(width.saturating_sub(MARGIN), self.options.color);
        let outer = std::mem::replace(&mut self.page, inner);
        print(self);
        std::mem::replace(&mut self.page, outer).into_lines()
    }

    fn change_lines(&self, changes: &[Change], room: usize) -> Vec<Ink> {
        if changes.is_empty() {
            return vec![Ink::new(Role::Dim, "nothing changes")];
        }
        let most = if self.options.full {
            usize::MAX
        } else {
            CHANGES
        };
        let mut lines = Vec::new();
        for change in changes.iter().take(most) {
            lines.extend(wrap(&self.change(change), room));
        }
        if changes.len() > most {
            let more = changes.len() - most;
            let text = format!("{} {} more", self.signs.cut, count(more, "change"));
            lines.push(Ink::new(Role::Dim, text));
        }
        lines
    }

    fn change(&self, change: &Change) -> Ink {
        let ink = Ink::plain(format!("{}: ", change.name));
        match &change.how {
            How::Becomes(old, new) => ink
                .then(Role::Plain, format!("{old} {} ", self.signs.arrow))
                .then(Role::Strong, new),
            How::Differs { more, less } => {
                let mut parts = Vec::new();
                if !more.is_empty() {
                    parts.push((Role::Good, format!("+ {}", self.listed(more))));
                }
                if !less.is_empty() {
                    parts.push((Role::Bad, format!("- {}", self.listed(less))));
                }
                let mut ink = ink;
                for (at, (role, text)) in parts.into_iter().enumerate() {
                    ink.append(Ink::plain(if at == 0 { "" } else { "  " }));
                    ink.append(Ink::new(role, text));
                }
                ink
            }
        }
    }

    fn listed(&self, values: &[String]) -> String {
        let most = if self.options.full {
            usize::MAX
        } else {
            VALUES
        };
        let mut text = values
            .iter()
            .take(most)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        if values.len() > most {
            text.push_str(&format!(
                ", {} {} more",
                self.signs.cut,
                values.len() - most
            ));
        }
        text
    }

    fn total(&mut self) {
        let answers = self.report.answers;
        let commands = count(answers.len(), "command");
        let path = Ink::new(Role::Strong, clean(self.report.path));
        let mut items = vec![path.then(Role::Plain, format!("  {commands}"))];
        for (n, role, word) in tally(&self.report) {
            if n > 0 {
                items.push(Ink::new(role, format!("{n} {word}")));
            }
        }
        if let Some(seconds) = self.report.seconds {
            items.push(Ink::new(Role::Dim, format!("{seconds:.2} s")));
        }
        for line in flow(&items, "   ", self.page.width, self.signs.cut) {
            self.page.line(&line);
        }
    }
}

/// How far instances are indented.
const INDENT: usize = 4;
/// Columns before a state, with the bracket of a loop.
const MARGIN: usize = 4;
/// Columns of the name of a state.
const STATE: usize = 10;

/// How many commands came out how.
pub(super) fn tally(report: &Report<'_>) -> Vec<(usize, Role, &'static str)> {
    let of = |wanted: &dyn Fn(&Answer, &Command) -> bool| {
        let answers = report.answers.iter();
        let wanted = answers.filter(|answer| wanted(answer, report.command(answer)));
        wanted.count()
    };
    let found = |check: bool| {
        move |answer: &Answer, command: &Command| {
            command.check == check && answer.satisfiable() == Some(true)
        }
    };
    let nothing = |check: bool| {
        move |answer: &Answer, command: &Command| {
            command.check == check && answer.satisfiable() == Some(false)
        }
    };
    let unexpected =
        |answer: &Answer, command: &Command| answer.as_expected(command) == Some(false);
    let bugs = |found: Option<bool>| {
        move |answer: &Answer, command: &Command| {
            answer.is_real_bug(command) && answer.satisfiable() == found
        }
    };
    let vacuous = |answer: &Answer, _: &Command| answer.facts == Facts::Inconsistent;
    let refused = |answer: &Answer, _: &Command| matches!(answer.outcome, Outcome::Refused(_));
    let undecided =
        |answer: &Answer, _: &Command| matches!(answer.outcome, Outcome::Undecided { .. });
    vec![
        (of(&found(false)), Role::Plain, "with an instance"),
        (of(&nothing(false)), Role::Plain, "without an instance"),
        (of(&found(true)), Role::Plain, "with a counterexample"),
        (of(&nothing(true)), Role::Plain, "without a counterexample"),
        (of(&refused), Role::Bad, "not answered"),
        (of(&undecided), Role::Warn, "undecided"),
        (of(&vacuous), Role::Warn, "with inconsistent facts"),
        (of(&bugs(None)), Role::Bad, "with a REAL BUG"),
        (
            of(&bugs(Some(false))),
            Role::Bad,
            "with a REAL BUG beyond the scope",
        ),
        (of(&unexpected), Role::Bad, "NOT AS EXPECTED"),
    ]
}

fn line_width(items: &[Ink]) -> usize {
    let words: usize = items.iter().map(Ink::len).sum();
    words + items.len().saturating_sub(1)
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
