//! Pages: what is told of an answer, before it is said in which format.
//!
//! Each kind of answer has one builder: `findings` for models, `systems` for labelled transition systems,
//! `tagged` for all counterexamples at once, `commands` for Alloy. There is one renderer for each format:
//! `text` for terminals, `markdown` and `html` for documents. A block has what both need: its place on a
//! screen and its words in a document.

pub(crate) mod commands;
pub(crate) mod findings;
pub mod html;
pub(crate) mod markdown;
pub(crate) mod plain;
pub(crate) mod reasons;
pub(crate) mod runs;
pub(crate) mod systems;
pub(crate) mod tagged;
pub(crate) mod text;
pub(crate) mod to_blame;
pub(crate) mod totals;

use wherefore_evidence::{Finding, UnknownReason, Verdict};

use crate::alloy::tree::Branch;
use crate::layout::{Ink, VariableRole};
use crate::manner::Manner;
use crate::sentences::Sentence;
use crate::table::{Cell, Mark, Row};
use crate::text::TextOptions;
use crate::told::StepTold;

/// Everything that is told of one file.
#[derive(Default)]
pub struct Page {
    /// What is told about, and how it came out.
    pub(crate) title: Title,
    /// How large it is, and what looked at it.
    pub(crate) facts: Vec<PageFact>,
    /// From which states properties are asked, where the user chose them.
    pub(crate) from: Option<Sentence>,
    /// The answers, in the order of the questions; `None`: they are among the blocks.
    pub(crate) answers: Option<Vec<PageAnswer>>,
    /// What stands below all answers.
    pub(crate) end: Vec<PageBlock>,
    /// Commands to try next, each with what it is good for.
    pub(crate) hints: Vec<(String, &'static str)>,
}

/// The first line of a page.
#[derive(Default)]
pub(crate) struct Title {
    pub(crate) path: String,
    /// `3 properties`; empty: not told.
    pub(crate) total: String,
    /// How many came out which way.
    pub(crate) tally: Vec<Ink>,
}

/// A number of something, or another circumstance.
pub(crate) struct PageFact {
    pub(crate) text: String,
    /// Whether documents have it, too.
    pub(crate) lasting: bool,
}

/// How an answer came out; what the reader should see first comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Status {
    Fails,
    Undecided,
    Vacuous,
    Holds,
    Value,
}

impl Status {
    /// How it is told on a screen.
    pub(crate) fn word(self) -> (VariableRole, &'static str) {
        match self {
            Status::Fails => (VariableRole::Bad, "FAILS"),
            Status::Undecided => (VariableRole::Warn, "UNDECIDED"),
            Status::Vacuous => (VariableRole::Warn, "VACUOUS"),
            Status::Holds => (VariableRole::Good, "HOLDS"),
            Status::Value => (VariableRole::Good, "VALUE"),
        }
    }
}

/// The answer to one question.
pub(crate) struct PageAnswer {
    pub(crate) status: Status,
    /// `served (line 41)`
    pub(crate) title: String,
    /// The question as it is written.
    pub(crate) formula: String,
    /// What there is to say beside the status.
    pub(crate) says: Option<Sentence>,
    pub(crate) blocks: Vec<PageBlock>,
}

impl PageAnswer {
    /// The line of an answer: `FAILS  served (line 41):  AG (req -> AF ack)`.
    pub(crate) fn line(&self) -> (Ink, Ink, usize) {
        let (role, word) = self.status.word();
        let head = Ink::new(role, word)
            .then(VariableRole::Plain, "  ")
            .then(VariableRole::Strong, self.title.as_str())
            .then(VariableRole::Plain, ": ");
        (head, Ink::plain(self.formula.as_str()), word.len() + 2)
    }
}

/// A piece of a page.
pub(crate) enum PageBlock {
    /// Room on a screen.
    Gap,
    /// A piece of evidence begins. In a document it is a section, on a screen it is named if there are several.
    Section {
        title: String,
        which: Option<Sentence>,
        level: usize,
    },
    /// A heading within an answer.
    Heading(Sentence),
    /// A circumstance that readers should know.
    Warning(Sentence),
    Paragraph(Paragraph),
    List(Vec<PageItem>),
    Table(PageTable),
    /// States one below the other, each value on a line of its own or as many on a line as fit.
    States {
        told: Vec<StepTold>,
        a_line_each: bool,
    },
    /// A diagram for Mermaid, in documents.
    Diagram(String),
    /// Lines as they are.
    Lines(Vec<Ink>),
    /// A set of atoms with its name, which is as wide as the widest of them.
    Set {
        name: String,
        atoms: TableCell,
        indent: usize,
        widest: usize,
    },
    /// The first state of a trace, what changes in each step, and the state that the last one goes back to.
    Trace {
        first: Vec<PageBlock>,
        steps: Vec<Vec<CellItem>>,
        back: usize,
    },
    /// Trees, on a screen.
    Tree(Vec<Branch>),
    /// An excerpt of a source with remarks, without and with colour; in documents something else.
    Snippet {
        plain: String,
        colored: String,
        document: Vec<PageBlock>,
    },
}

/// Text that wraps.
pub(crate) struct Paragraph {
    /// What stands before it on a screen, as `  because`.
    pub(crate) head: Ink,
    /// What stands before it in a document, as `Fails because`.
    pub(crate) lead: String,
    pub(crate) text: Sentence,
    pub(crate) role: VariableRole,
    /// How far its further lines are indented on a screen.
    pub(crate) hang: usize,
    /// What follows it, to be read last; it is not broken on a screen.
    pub(crate) badges: Vec<Sentence>,
}

impl PageBlock {
    /// A sentence, a little indented.
    pub(crate) fn sentence(text: impl Into<Sentence>) -> Self {
        Self::headed(Ink::plain(" "), "", text)
    }

    /// A sentence with a role.
    pub(crate) fn in_role(role: VariableRole, text: impl Into<Sentence>) -> Self {
        let mut block = Self::sentence(text);
        if let PageBlock::Paragraph(paragraph) = &mut block {
            paragraph.role = role;
        }
        block
    }

    /// A sentence that is to be read last.
    pub(crate) fn aside(text: impl Into<Sentence>) -> Self {
        Self::in_role(VariableRole::Dim, text)
    }

    /// A sentence after something else on a screen and in a document.
    pub(crate) fn headed(head: Ink, lead: &str, text: impl Into<Sentence>) -> Self {
        PageBlock::Paragraph(Paragraph {
            head,
            lead: lead.to_string(),
            text: text.into(),
            role: VariableRole::Plain,
            hang: 4,
            badges: vec![],
        })
    }

    /// A sentence after words that stand out: `branch at step 2: ...`.
    pub(crate) fn named(name: &str, text: impl Into<Sentence>) -> Self {
        let mut letters = name.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        let lead: String = first.chain(letters).collect();
        Self::headed(
            Ink::new(VariableRole::Strong, format!("  {name}")),
            &lead,
            text,
        )
    }
}

/// An item of a list.
pub(crate) struct PageItem {
    /// What stands before it on a screen.
    pub(crate) head: Ink,
    /// What it says on a screen.
    pub(crate) text: Ink,
    /// How far its further lines are indented on a screen.
    pub(crate) hang: usize,
    /// How deep it is in a document.
    pub(crate) depth: usize,
    /// What it says in a document.
    pub(crate) document: Inline,
}

/// Text in a document: prose, in which quotes are code, and code.
#[derive(Clone, Default)]
pub(crate) struct Inline(pub(crate) Vec<InlinePart>);

/// A part of text in a document.
#[derive(Clone)]
pub(crate) enum InlinePart {
    Prose(String),
    Strong(String),
    Code(String),
}

impl Inline {
    /// Running text, in which quotes are code.
    pub(crate) fn prose(text: impl Into<String>) -> Self {
        Self(vec![InlinePart::Prose(text.into())])
    }

    /// Text of the model.
    pub(crate) fn code(text: impl Into<String>) -> Self {
        Self(vec![InlinePart::Code(text.into())])
    }

    /// With more running text at the end.
    #[must_use]
    pub(crate) fn then(mut self, text: impl Into<String>) -> Self {
        self.0.push(InlinePart::Prose(text.into()));
        self
    }
}

/// A table.
pub(crate) struct PageTable {
    /// How its columns share the width of a screen.
    pub(crate) layout: TableLayout,
    pub(crate) columns: Vec<PageColumn>,
    pub(crate) rows: Vec<TableRow>,
}

/// How the columns of a table share the width of a screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TableLayout {
    /// Steps with their inputs, changes and remarks; see `sheet`.
    Steps,
    /// Steps with their actions, states and remarks.
    Actions,
    /// The positions of an abstract run.
    Positions,
    /// The truth of formulas at steps.
    Truths,
    /// The fields of the atoms of a signature, a little indented; `ordered`: in their order.
    Atoms { indent: usize, ordered: bool },
    /// For documents only.
    Document,
}

/// A column of a table.
pub(crate) struct PageColumn {
    pub(crate) title: String,
    /// Left out of documents where it is empty.
    pub(crate) optional: bool,
}

impl PageColumn {
    pub(crate) fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            optional: false,
        }
    }
}

/// A row of a table.
pub(crate) struct TableRow {
    /// The bracket of a loop beside it.
    pub(crate) mark: Mark,
    pub(crate) cells: Vec<TableCell>,
}

/// A cell of a table: things beside each other.
#[derive(Clone, Default)]
pub(crate) struct TableCell(pub(crate) Vec<CellItem>);

/// A thing in a cell, on a screen and in a document.
#[derive(Clone)]
pub(crate) struct CellItem {
    pub(crate) screen: Ink,
    pub(crate) document: Inline,
    /// It tells a change, and stands a little apart.
    pub(crate) apart: bool,
}

impl TableCell {
    /// Running text.
    pub(crate) fn prose(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::one(Ink::plain(text.as_str()), Inline::prose(text))
    }

    /// Text of the model.
    pub(crate) fn code(text: impl Into<String>) -> Self {
        let text = text.into();
        match text.is_empty() {
            true => Self::prose(text),
            false => Self::one(Ink::plain(text.as_str()), Inline::code(text)),
        }
    }

    pub(crate) fn one(screen: Ink, document: Inline) -> Self {
        let apart = false;
        Self(vec![CellItem {
            screen,
            document,
            apart,
        }])
    }

    /// The text of the cell on a screen.
    pub(crate) fn text(&self) -> String {
        self.0.iter().map(|item| item.screen.text()).collect()
    }

    /// Whether it has no text.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|item| item.screen.is_empty())
    }
}

/// Stands before a value that the failure depends on.
pub(crate) const CAUSE: &str = "•";

impl CellItem {
    /// With the mark of a cause before it.
    pub(crate) fn marked(self) -> Self {
        let mut screen = Ink::new(VariableRole::Bad, CAUSE);
        screen.append(self.screen);
        let mark = InlinePart::Prose(CAUSE.to_string());
        Self {
            screen,
            document: Inline(std::iter::once(mark).chain(self.document.0).collect()),
            ..self
        }
    }

    /// A value with its name, or what it was before and the line that made it change.
    pub(crate) fn of(cell: &Cell, equals: &str) -> Self {
        let (screen, code, line) = match cell {
            Cell::First { name, value } | Cell::Same { name, value } => {
                let role = match cell {
                    Cell::First { .. } => VariableRole::Plain,
                    _ => VariableRole::Dim,
                };
                let ink = Ink::new(role, format!("{name}{equals}{value}"));
                (ink, format!("{name}={value}"), &None)
            }
            Cell::Changed {
                name,
                old,
                new,
                line,
            } => {
                let ink = Ink::plain(format!("{name}: {old} → ")).then(VariableRole::Strong, new);
                (ink, format!("{name}: {old} → {new}"), line)
            }
            Cell::Differs {
                name,
                difference,
                line,
            } => {
                let ink = Ink::plain(format!("{name} ")).then(VariableRole::Strong, difference);
                (ink, format!("{name} {difference}"), line)
            }
        };
        let place = line.map(|line| format!(" (line {line})"));
        let place = place.unwrap_or_default();
        Self {
            screen: screen.then(VariableRole::Dim, place.as_str()),
            document: Inline::code(code).then(place),
            apart: cell.is_change(),
        }
    }
}

impl PageTable {
    /// The table of a run: `what` is the title of its changes.
    pub(crate) fn of_steps(rows: &[Row], what: &'static str) -> Self {
        let title = rows.first().map_or("", |row| row.input_title);
        let input = PageColumn {
            title: title.to_string(),
            optional: true,
        };
        let columns = vec![
            PageColumn::new("step"),
            input,
            PageColumn::new(what),
            PageColumn::new(WHY),
        ];
        let rows = rows.iter().map(|row| TableRow {
            mark: row.mark,
            cells: vec![
                TableCell::prose(match row.folded {
                    Some(_) => String::new(),
                    None => row.step.index().to_string(),
                }),
                TableCell::prose(row.input.as_str()),
                TableCell(row.items()),
                TableCell::prose(row.remarks()),
            ],
        });
        Self {
            layout: TableLayout::Steps,
            columns,
            rows: rows.collect(),
        }
    }
}

/// The title of the remarks of steps.
pub(crate) const WHY: &str = "why this step matters";
/// The titles of the changes of steps.
pub(crate) const WHAT: &str = "what changed";
pub(crate) const WHAT_NEXT: &str = "what the next step changes";

/// How much is told.
#[derive(Clone, Copy)]
pub(crate) struct PageExtent<'a> {
    /// All values at every step, and every run that is otherwise folded.
    pub(crate) full: bool,
    /// Evidence also for what holds.
    pub(crate) all: bool,
    /// For a document, which tells all evidence, draws it, and does not speak of options.
    pub(crate) document: bool,
    /// With commands to try next.
    pub(crate) hints: bool,
    /// Instances as trees.
    pub(crate) tree: bool,
    /// Which variables, by name; `None`: all.
    pub(crate) vars: Option<&'a dyn Fn(&str) -> bool>,
    /// Which view of runs.
    pub(crate) manner: Manner<'a>,
}

impl<'a> PageExtent<'a> {
    /// How much a screen tells.
    pub(crate) fn of_screen(options: &TextOptions<'a>) -> Self {
        Self {
            full: options.full,
            all: options.all,
            document: false,
            hints: options.hints,
            tree: options.tree,
            vars: options.vars,
            manner: options.manner,
        }
    }

    /// How much a document tells.
    pub(crate) fn of_document(full: bool, manner: Manner<'a>) -> Self {
        Self {
            full,
            all: true,
            document: true,
            hints: false,
            tree: false,
            vars: None,
            manner,
        }
    }
}

/// Why a finding is undecided, if it is.
pub(crate) fn undecided(finding: &Finding) -> Option<Sentence> {
    match &finding.verdict {
        Verdict::Unknown(UnknownReason::Stopped(stop)) => Some(stop.to_string().into()),
        Verdict::Unknown(UnknownReason::Unsupported(why)) => Some(crate::clean(why).into()),
        Verdict::Holds | Verdict::Fails => None,
    }
}

/// Said where what was found does not survive its replay.
pub(crate) fn wrong_evidence(why: &str) -> PageBlock {
    let what = "the evidence found for this verdict is wrong and not shown";
    PageBlock::sentence(say!("{}: {}", what, crate::clean(why)))
}

/// Said where there was no time to build evidence.
pub(crate) const NO_EVIDENCE: &str = "no evidence was built before the work had to stop";
