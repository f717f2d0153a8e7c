//! The page of the answers to the commands of an Alloy model.

use wherefore_alloy::answer::{
    AlloyAnswer, AnswerInstance, CommandOutcome, ExpressionValue, Facts, WhyNothing,
};
use wherefore_alloy::model::Command;
use wherefore_alloy::scene::Scene;
use wherefore_diagnostics::render_diagnostic;

use super::{
    CellItem, Inline, InlinePart, Page, PageBlock, PageColumn, PageExtent, PageItem, PageTable,
    TableCell, TableLayout, TableRow, Title, findings,
};
use crate::alloy::picture::{Plan, SetBlock, StatePart};
use crate::alloy::steps::{Change, How, changes};
use crate::alloy::words::{value_text, witness_text};
use crate::alloy::{AlloyReport, ExcerptReport, ShownInstance, role_text, tree};
use crate::layout::{Ink, VariableRole};
use crate::manner::Manner;
use crate::sentences::{formula, joined};
use crate::table::Mark;
use crate::words::{clean, count};

/// So many rows of a table are shown.
const ROWS: usize = 16;
/// So many values of a cell are shown.
const VALUES: usize = 12;
/// So many changes of a step are shown.
const CHANGES: usize = 24;
/// How far instances are indented.
const INDENT: usize = 4;

/// The document about one model.
pub(crate) fn document(report: &AlloyReport<'_>) -> Page {
    let builder = CommandPage::new(*report, PageExtent::of_document(false, Manner::default()));
    let rows = report.answers.iter().map(|answer| {
        let command = report.command(answer);
        let expected = match answer.as_expected(command) {
            Some(true) => Inline::prose("yes"),
            Some(false) => Inline(vec![InlinePart::Strong("no".to_string())]),
            None => Inline::prose("not known"),
        };
        TableRow {
            mark: Mark::None,
            cells: vec![
                TableCell::code(report.title(command).0),
                TableCell::prose(report.outcome(answer).to_string()),
                TableCell::one(Ink::default(), expected),
            ],
        }
    });
    let titles = ["command", "what came of it", "as expected"];
    let mut end = vec![PageBlock::Table(PageTable {
        layout: TableLayout::Document,
        columns: titles.map(PageColumn::new).into(),
        rows: rows.collect(),
    })];
    for answer in report.answers {
        end.extend(builder.section(answer));
    }
    end.extend(builder.advice());
    Page {
        title: Title {
            path: clean(report.path),
            ..Title::default()
        },
        end,
        ..Page::default()
    }
}

/// Builds the blocks of answers.
pub(crate) struct CommandPage<'a> {
    report: AlloyReport<'a>,
    extent: PageExtent<'a>,
}

impl<'a> CommandPage<'a> {
    pub(crate) fn new(report: AlloyReport<'a>, extent: PageExtent<'a>) -> Self {
        Self { report, extent }
    }

    /// The section of a command in a document.
    fn section(&self, answer: &AlloyAnswer) -> Vec<PageBlock> {
        let report = &self.report;
        let mut blocks = self.head(answer);
        blocks.extend(report.facts(answer).map(PageBlock::sentence));
        let reach = report.reach(answer).into_iter();
        blocks.extend(reach.map(|(role, text)| PageBlock::in_role(role, text)));
        if let Some(part) = report.excerpt(answer) {
            blocks.extend(self.excerpt(part));
        }
        blocks.extend(self.instances(answer));
        blocks.extend(self.refusal(answer));
        blocks.extend(self.core(answer));
        blocks.extend(self.to_blame(answer));
        blocks
    }

    /// Who is to blame for a command that is not as expected.
    pub(crate) fn to_blame(&self, answer: &AlloyAnswer) -> Vec<PageBlock> {
        let Some((title, lines)) = self.report.to_blame(answer, self.extent.full) else {
            return vec![];
        };
        let items = lines.into_iter().map(|line| PageItem {
            hang: 7,
            document: Inline::prose(line.to_string()),
            ..on_screen("     ", Ink::plain(line.to_string()))
        });
        vec![PageBlock::sentence(title), PageBlock::List(items.collect())]
    }

    /// The verdict on a command.
    pub(crate) fn head(&self, answer: &AlloyAnswer) -> Vec<PageBlock> {
        let report = &self.report;
        let command = report.command(answer);
        let (title, place) = report.title(command);
        let place = place.map_or(String::new(), |place| format!(" ({place})"));
        let (scopes, outcome) = (report.given_scopes(answer), report.outcome(answer));
        let expectation = report.expectation(answer);
        if self.extent.document {
            let section = PageBlock::Section {
                title: title + &scopes,
                which: None,
                level: 2,
            };
            let outcome = PageBlock::sentence(say!("{}{}", outcome, place));
            let expectation = expectation.map(PageBlock::sentence);
            return [section, outcome].into_iter().chain(expectation).collect();
        }
        let mut ink = Ink::new(VariableRole::Strong, title);
        ink.append(Ink::plain(scopes));
        ink.append(Ink::new(VariableRole::Dim, place));
        let role = match (&answer.outcome, answer.as_expected(command)) {
            (_, Some(true)) => VariableRole::Good,
            (_, Some(false)) | (CommandOutcome::Refused(_), _) => VariableRole::Bad,
            _ => VariableRole::Warn,
        };
        let mut line = Ink::new(role, outcome.to_string());
        if let Some(expected) = expectation {
            line.append(Ink::plain(", but "));
            line.append(Ink::new(VariableRole::Bad, expected.to_string()));
        }
        vec![PageBlock::List(vec![
            on_screen("", ink),
            on_screen(" ", line),
        ])]
    }

    /// Why there is no answer, if there is none.
    pub(crate) fn refusal(&self, answer: &AlloyAnswer) -> Option<PageBlock> {
        let CommandOutcome::Refused(refused) = &answer.outcome else {
            return None;
        };
        let sources = self.report.sources;
        let render = |color: bool| render_diagnostic(sources, &refused.diagnostic, color);
        let message = PageBlock::sentence(refused.diagnostic.message.as_str());
        Some(PageBlock::Snippet {
            plain: render(false),
            colored: render(true),
            document: vec![message],
        })
    }

    /// What there is to add to the verdict once it is known: whether the facts can hold together, and why
    /// there is no instance.
    pub(crate) fn reasons(&self, answer: &AlloyAnswer) -> Vec<PageBlock> {
        let report = &self.report;
        let command = report.command(answer);
        let odd = answer.facts == Facts::Inconsistent || answer.as_expected(command) == Some(false);
        let role = match answer.facts {
            Facts::Inconsistent => VariableRole::Warn,
            _ => VariableRole::Plain,
        };
        let facts = report.facts(answer).map(|text| (role, text));
        let reach = report.reach(answer);
        let texts = facts.into_iter().chain(reach);
        let mut blocks: Vec<PageBlock> = texts
            .map(|(role, text)| PageBlock::in_role(role, text))
            .collect();
        if !(odd || self.extent.all) {
            blocks.extend(report.rests_on(answer).map(PageBlock::aside));
        } else if let Some(same) = report.same_as(answer) {
            blocks.push(PageBlock::sentence(same));
        } else if let Some(plain) = report.blame(answer, self.extent.full, false) {
            let colored = report.blame(answer, self.extent.full, true);
            blocks.push(PageBlock::Snippet {
                plain,
                colored: colored.unwrap_or_default(),
                document: vec![],
            });
        }
        blocks
    }

    /// The parts of a model that cannot hold together, in a document.
    fn core(&self, answer: &AlloyAnswer) -> Vec<PageBlock> {
        let report = &self.report;
        let core = match &answer.why {
            WhyNothing::Unasked => return vec![],
            WhyNothing::Stopped(stop) => {
                return vec![PageBlock::sentence(say!(
                    "Why is not known: {}",
                    stop.to_string()
                ))];
            }
            WhyNothing::Core(core) => core,
        };
        let items = core.parts.iter().map(|part| {
            let file = report.sources.file(part.span.file).name();
            let line = report.sources.place(part.span).line;
            let role = role_text(report.model, report.command(answer), &part.role);
            let place = Inline::prose(format!("{file}:{line}, {role}: "));
            let text = Inline::code(report.on_one_line(part.span));
            PageItem {
                document: Inline([place.0, text.0].concat()),
                ..on_screen("", Ink::default())
            }
        });
        let title = say!("{}:", report.core_title(answer, core));
        vec![PageBlock::sentence(title), PageBlock::List(items.collect())]
    }

    /// The part of a transition system that shows the answer to a command: what it is, then its runs.
    pub(crate) fn excerpt(&self, excerpt: &ExcerptReport<'_>) -> Vec<PageBlock> {
        let sentences = excerpt.sentences.iter().map(PageBlock::sentence);
        let mut blocks: Vec<PageBlock> = sentences.collect();
        let mut evidence = findings::evidence(&excerpt.report, self.extent);
        for block in &mut evidence {
            // They are below the section of the command.
            if let PageBlock::Section { level, .. } = block {
                *level += 1;
            }
        }
        blocks.extend(evidence);
        blocks
    }

    /// The instances of a command, if it has any.
    pub(crate) fn instances(&self, answer: &AlloyAnswer) -> Vec<PageBlock> {
        let CommandOutcome::Found { found, .. } = &answer.outcome else {
            return vec![];
        };
        let numbered = found.iter().zip(1..);
        let blocks = numbered.flat_map(|(one, number)| {
            let number = (found.len() > 1).then_some(number);
            self.instance(answer.command, one, number)
        });
        blocks.collect()
    }

    /// One instance of a command, with a number if it has one.
    pub(crate) fn instance(
        &self,
        command: usize,
        found: &AnswerInstance,
        number: Option<usize>,
    ) -> Vec<PageBlock> {
        let command = &self.report.model.commands[command];
        let scene = &found.scene;
        let mut blocks = Vec::new();
        if let Some(number) = number {
            blocks.push(PageBlock::Gap);
            let what = match command.check {
                true => "counterexample",
                false => "instance",
            };
            blocks.push(match self.extent.document {
                true => PageBlock::Section {
                    title: number.to_string(),
                    which: None,
                    level: 3,
                },
                false => PageBlock::in_role(VariableRole::Strong, say!("{} {}", what, number)),
            });
        }
        let witness = self.report.witness_sentence(command, scene);
        blocks.extend(witness.map(PageBlock::sentence));
        let plan = Plan::new(self.report.model, self.report.sources, scene);
        match scene.back {
            _ if self.extent.tree => blocks.push(self.tree(command, scene)),
            None => blocks.extend(self.sets(&plan.blocks(0, StatePart::Whole), INDENT)),
            Some(back) => self.trace(&mut blocks, scene, &plan, back),
        }
        if self.extent.full && !self.extent.document {
            // The values of variables of facts and of what is called.
            let (_, others) = self.report.witnesses(command, scene);
            let others = others.into_iter();
            let texts = others.map(|witness| format!("${}", witness_text(scene, witness)));
            blocks.extend(texts.map(PageBlock::aside));
        }
        for value in &found.values {
            blocks.push(self.value(scene, &value.text, &value.states));
        }
        blocks
    }

    /// One state of an instance, everything in it.
    pub(crate) fn state(&self, scene: &Scene, state: usize) -> Vec<PageBlock> {
        let heading = scene.back.map(|_| say!("state {}", state));
        let heading = heading.map(|text| PageBlock::in_role(VariableRole::Strong, text));
        let plan = Plan::new(self.report.model, self.report.sources, scene);
        let sets = self.sets(&plan.blocks(state, StatePart::Whole), INDENT);
        heading.into_iter().chain(sets).collect()
    }

    fn tree(&self, command: &Command, scene: &Scene) -> PageBlock {
        let instance = ShownInstance {
            model: self.report.model,
            command,
            scene,
        };
        PageBlock::Tree(tree::roots(&instance))
    }

    /// The value of an expression, in each state if it changes.
    fn value(
        &self,
        scene: &Scene,
        text: &str,
        states: &[Result<ExpressionValue, String>],
    ) -> PageBlock {
        let mut values: Vec<String> = states
            .iter()
            .map(|value| match value {
                Ok(value) => value_text(scene, value),
                Err(why) => why.clone(),
            })
            .collect();
        let same = states.windows(2).all(|pair| pair[0] == pair[1]);
        if self.extent.document {
            if values.windows(2).all(|pair| pair[0] == pair[1]) {
                values.truncate(1);
            }
            let values: Vec<_> = values.into_iter().map(formula).collect();
            return PageBlock::sentence(say!(
                "{} is {}",
                formula(clean(text)),
                joined(&values, ", ")
            ));
        }
        let text = clean(&text.split_whitespace().collect::<Vec<_>>().join(" "));
        let name = Ink::new(VariableRole::Strong, text);
        if let (true, Some(value)) = (same, values.first()) {
            let ink = name.then(VariableRole::Plain, format!(" = {value}"));
            return PageBlock::List(vec![on_screen(" ", ink)]);
        }
        let lines = values.into_iter().enumerate();
        let lines = lines.map(|(state, value)| PageItem {
            hang: 6,
            ..on_screen("   ", Ink::plain(format!("  state {state}: {value}")))
        });
        let name = std::iter::once(on_screen(" ", name));
        PageBlock::List(name.chain(lines).collect())
    }

    /// Sets and tables, a little indented.
    fn sets(&self, sets: &[SetBlock], indent: usize) -> Vec<PageBlock> {
        let names = sets.iter().map(|block| match block {
            SetBlock::Set { name, .. } => name.chars().count(),
            SetBlock::Table { .. } => 0,
        });
        let widest = names.max().unwrap_or(0);
        let mut blocks = Vec::new();
        let is_table = |at: usize| matches!(sets[at], SetBlock::Table { .. });
        for (at, set) in sets.iter().enumerate() {
            if at > 0 && (is_table(at) || is_table(at - 1)) {
                blocks.push(PageBlock::Gap);
            }
            match set {
                SetBlock::Set {
                    name,
                    atoms,
                    ordered,
                } => {
                    let between = if *ordered { " →" } else { "," };
                    blocks.push(PageBlock::Set {
                        name: name.clone(),
                        atoms: self.few(atoms, between, VALUES * 2),
                        indent,
                        widest,
                    });
                }
                SetBlock::Table {
                    name,
                    columns,
                    rows,
                    ordered,
                } => {
                    let all = self.extent.full || self.extent.document;
                    let most = if all { usize::MAX } else { ROWS };
                    let titles = std::iter::once(name).chain(columns);
                    let told = rows.iter().take(most).map(|(atom, cells)| {
                        let cells = cells.iter().map(|cell| self.few(cell, ",", VALUES));
                        let atom = TableCell::prose(atom.as_str());
                        TableRow {
                            mark: Mark::None,
                            cells: std::iter::once(atom).chain(cells).collect(),
                        }
                    });
                    blocks.push(PageBlock::Table(PageTable {
                        layout: TableLayout::Atoms {
                            indent,
                            ordered: *ordered,
                        },
                        columns: titles.map(PageColumn::new).collect(),
                        rows: told.collect(),
                    }));
                    let more = rows.len().saturating_sub(most);
                    if more > 0 {
                        let text = format!("… {more} more; --full shows all");
                        let line = Ink::plain(" ".repeat(indent)).then(VariableRole::Dim, text);
                        blocks.push(PageBlock::Lines(vec![line]));
                    }
                }
            }
        }
        blocks
    }

    /// Values with a sign between them; `none` if there are none, and the first of too many.
    fn few(&self, values: &[String], between: &str, most: usize) -> TableCell {
        if values.is_empty() {
            return TableCell::one(Ink::new(VariableRole::Dim, "none"), Inline::prose("none"));
        }
        let most = match self.extent.full {
            true => values.len(),
            false => values.len().min(most),
        };
        let item = |screen: Ink| CellItem {
            screen,
            document: Inline::default(),
            apart: false,
        };
        let mut items: Vec<CellItem> = Vec::with_capacity(most + 1);
        for (at, value) in values.iter().take(most).enumerate() {
            let sign = if at + 1 == values.len() { "" } else { between };
            items.push(item(Ink::plain(value).then(VariableRole::Dim, sign)));
        }
        if most < values.len() {
            let more = format!("… {} more", values.len() - most);
            items.push(item(Ink::new(VariableRole::Dim, more)));
        }
        items[0].document = Inline::prose(values.join(&format!("{between} ")));
        TableCell(items)
    }

    fn trace(&self, blocks: &mut Vec<PageBlock>, scene: &Scene, plan: &Plan<'_>, back: usize) {
        let still = self.sets(&plan.blocks(0, StatePart::Still), INDENT);
        if !still.is_empty() {
            blocks.extend(still);
            blocks.push(PageBlock::Gap);
        }
        let first = self.sets(&plan.blocks(0, StatePart::Changing), 2);
        let states = scene.moments.len();
        let steps = (1..states).map(|state| {
            let changes = changes(self.report.model, scene, plan, state - 1, state);
            self.changes(&changes)
        });
        let steps: Vec<Vec<CellItem>> = steps.collect();
        if !self.extent.document {
            blocks.push(PageBlock::Trace { first, steps, back });
            return;
        }
        blocks.push(PageBlock::sentence("state 0:"));
        blocks.extend(first);
        if states > 1 {
            let rows = steps
                .into_iter()
                .zip(1usize..)
                .map(|(changes, state)| TableRow {
                    mark: Mark::None,
                    cells: vec![TableCell::prose(state.to_string()), TableCell(changes)],
                });
            blocks.push(PageBlock::Table(PageTable {
                layout: TableLayout::Document,
                columns: ["state", "what changes"].map(PageColumn::new).into(),
                rows: rows.collect(),
            }));
        }
        let last = states - 1;
        blocks.push(PageBlock::sentence(say!(
            "After state {} comes state {} again",
            last,
            back
        )));
    }

    /// What changes in a step, each thing for itself.
    fn changes(&self, changes: &[Change]) -> Vec<CellItem> {
        if changes.is_empty() {
            return vec![CellItem {
                screen: Ink::new(VariableRole::Dim, "nothing changes"),
                document: Inline::prose("nothing"),
                apart: false,
            }];
        }
        let all = self.extent.full || self.extent.document;
        let most = if all { usize::MAX } else { CHANGES };
        let told = changes.iter().take(most).map(|change| {
            let screen = self.change(change);
            CellItem {
                document: Inline::prose(screen.text()),
                screen,
                apart: true,
            }
        });
        let mut told: Vec<CellItem> = told.collect();
        if let Some(more) = changes.len().checked_sub(most).filter(|more| *more > 0) {
            let text = format!("… {} more", count(more, "change"));
            told.push(CellItem {
                screen: Ink::new(VariableRole::Dim, text),
                document: Inline::default(),
                apart: true,
            });
        }
        told
    }

    fn change(&self, change: &Change) -> Ink {
        let ink = Ink::plain(format!("{}: ", change.name));
        match &change.how {
            How::Becomes(old, new) => ink
                .then(VariableRole::Plain, format!("{old} → "))
                .then(VariableRole::Strong, new),
            How::Differs { more, less } => {
                let parts = [
                    (VariableRole::Good, "+", more),
                    (VariableRole::Bad, "-", less),
                ];
                let parts = parts
                    .into_iter()
                    .filter(|(_, _, values)| !values.is_empty());
                let mut ink = ink;
                for (at, (role, sign, values)) in parts.enumerate() {
                    ink.append(Ink::plain(if at == 0 { "" } else { "  " }));
                    ink.append(Ink::new(role, format!("{sign} {}", self.listed(values))));
                }
                ink
            }
        }
    }

    fn listed(&self, values: &[String]) -> String {
        let all = self.extent.full || self.extent.document;
        let most = if all {
            values.len()
        } else {
            values.len().min(VALUES)
        };
        let text = values[..most].join(", ");
        match values.len() - most {
            0 => text,
            more => format!("{text}, … {more} more"),
        }
    }

    /// Advice on how the transition system of the model is written; empty if nobody asked.
    pub(crate) fn advice(&self) -> Vec<PageBlock> {
        let Some(title) = self.report.advice_title() else {
            return vec![];
        };
        let advice = self.report.advice.unwrap_or_default().iter();
        let items = advice.map(|advice| {
            let text = self.report.advice_text(advice).to_string();
            PageItem {
                document: Inline::prose(text.as_str()),
                ..on_screen("  - ", Ink::plain(text))
            }
        });
        let items = PageBlock::List(items.collect());
        match self.extent.document {
            true => vec![
                PageBlock::Heading("Advice".into()),
                PageBlock::sentence(title),
                items,
            ],
            false => vec![
                PageBlock::Lines(vec![Ink::new(VariableRole::Strong, title)]),
                items,
            ],
        }
    }
}

/// An item that only a screen has.
fn on_screen(head: &str, text: Ink) -> PageItem {
    PageItem {
        head: Ink::plain(head),
        text,
        hang: 4,
        depth: 0,
        document: Inline::default(),
    }
}
