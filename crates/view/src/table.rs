//! The changes-only table of a run: each step, its input, what changed, and why it matters.
//!
//! This says what is in the table; `sheet` lays it out. The loop of a lasso is a mark at its rows,
//! and the step that closes it is a row of its own.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_base::Value;
use wherefore_evidence::{OccurrenceId, SegmentEnding};
use wherefore_model::{Step, Support, VarId};

use crate::Report;
use crate::layout::{Ink, VariableRole};
use crate::page::{CellItem, Inline, InlinePart};
use crate::sentences::{Sentence, formula, joined};
use crate::strands::Strand;
use crate::words::{Telling, clean};

/// With more variables than this, rows show only those that matter.
const MANY: usize = 12;
/// With more variables than this that may matter, rows show only those nearest to the property.
const TOO_MANY: usize = 24;

/// What is said of a step that changes nothing, or nothing that is shown.
pub(crate) const UNCHANGED: &str = "(nothing changes)";
pub(crate) const UNSEEN: &str = "(nothing shown changes)";

/// What a table shows.
#[derive(Clone, Copy)]
pub(crate) struct Choice<'a> {
    /// All values at every step.
    pub(crate) full: bool,
    /// Which variables, by name.
    pub(crate) vars: Option<&'a dyn Fn(&str) -> bool>,
    /// Values that the failure depends on, with a mark.
    pub(crate) causes: bool,
}

/// A value at a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Cell {
    /// The value, as nothing is known of an earlier one.
    First { name: String, value: String },
    /// The value, the same as before.
    Same { name: String, value: String },
    /// Another value than before, and the line that made it change, if known.
    Changed {
        name: String,
        old: String,
        new: String,
        line: Option<usize>,
    },
    /// What a large set has that it had not before, and the line that made it change, if known.
    Differs {
        name: String,
        difference: String,
        line: Option<usize>,
    },
}

impl Cell {
    /// The name of what has the value.
    pub(crate) fn name(&self) -> &String {
        match self {
            Cell::First { name, .. }
            | Cell::Same { name, .. }
            | Cell::Changed { name, .. }
            | Cell::Differs { name, .. } => name,
        }
    }

    /// Leaves out which line made it change.
    pub(crate) fn forget_line(&mut self) {
        if let Cell::Changed { line, .. } | Cell::Differs { line, .. } = self {
            *line = None;
        }
    }

    /// Whether it tells a change.
    pub(crate) fn is_change(&self) -> bool {
        matches!(self, Cell::Changed { .. } | Cell::Differs { .. })
    }
}

/// Where a row stands in a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    None,
    Top,
    Side,
    Bottom,
}

/// One row of a table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) mark: Mark,
    pub(crate) step: OccurrenceId,
    /// The names of its state.
    pub(crate) names: Vec<String>,
    /// What a script of the user says of its state.
    pub(crate) caption: Option<String>,
    /// Whether such a script does not want to see it.
    pub(crate) unwanted: bool,
    pub(crate) input: String,
    /// What inputs are called.
    pub(crate) input_title: &'static str,
    pub(crate) cells: Vec<Cell>,
    /// Variables with a value that is not shown.
    pub(crate) hidden: usize,
    /// How many steps it stands for, if it stands for several that are folded.
    pub(crate) folded: Option<usize>,
    /// The names of those whose values the failure depends on.
    pub(crate) causes: Vec<String>,
    /// Said in place of values.
    pub(crate) instead: Option<&'static str>,
    pub(crate) why: Vec<Sentence>,
}

impl Row {
    /// The input as part of a sentence: `input press=3`, `door runs`.
    pub(crate) fn input_words(&self) -> String {
        match self.input_title {
            "process" | "operation" => self.input.clone(),
            title => format!("{title} {}", self.input),
        }
    }
}

impl Row {
    /// What it says of its step, each thing for itself.
    pub(crate) fn items(&self) -> Vec<CellItem> {
        self.items_with("=")
    }

    /// What it says of its step, with this sign between names and values.
    pub(crate) fn items_with(&self, equals: &str) -> Vec<CellItem> {
        let said = |text: String, document: &str| CellItem {
            screen: Ink::new(VariableRole::Dim, text),
            document: Inline::prose(document),
            apart: false,
        };
        let folded = self.folded.map(|steps| {
            let is_idle = self.cells.is_empty() && self.instead.is_none();
            let idle = if is_idle { "idle " } else { "" };
            let noun = if steps == 1 { "step" } else { "steps" };
            let text = format!("… {steps} {idle}{noun}");
            said(text.clone(), &text)
        });
        let names = self.names.join(", ");
        let names = (!names.is_empty()).then(|| CellItem {
            screen: Ink::new(VariableRole::Strong, format!("[{names}]")),
            document: Inline(vec![InlinePart::Strong(names)]),
            apart: false,
        });
        let cells = self.cells.iter().map(|cell| {
            let item = CellItem::of(cell, equals);
            match self.causes.contains(cell.name()) {
                true => item.marked(),
                false => item,
            }
        });
        let caption = self.caption.as_ref().map(|caption| CellItem {
            screen: Ink::plain(caption.as_str()),
            document: Inline::prose(caption.as_str()),
            apart: true,
        });
        let head = folded.into_iter().chain(names).chain(caption);
        let mut items: Vec<CellItem> = head.chain(cells).collect();
        if self.hidden > 0 {
            let more = format!("({} more", self.hidden);
            items.push(said(format!("{more}: --full)"), &format!("{more})")));
        }
        items.extend(self.instead.map(|text| said(text.to_string(), text)));
        items
    }

    /// Marks the values that the failure depends on; those that are as before are told again.
    fn mark_causes(&mut self, telling: &Telling<'_>, choice: Choice<'_>) {
        let report = &telling.report;
        let Some(causes) = &telling.evidence.causes else {
            return;
        };
        let is_cause = |var: &VarId| causes.pairs.contains(&(self.step, *var));
        for thing in report.things(false) {
            let name = report.thing_name(thing);
            let hidden = choice.vars.is_some_and(|wanted| !wanted(&name));
            if hidden || report.hides_variable(&name) || !thing.vars().iter().any(is_cause) {
                continue;
            }
            if self.cells.iter().all(|cell| *cell.name() != name) {
                let value = report.thing_value(thing, telling.values(self.step));
                let name = name.clone();
                self.cells.push(Cell::Same { name, value });
            }
            self.causes.push(name);
        }
    }

    /// Why the step matters, in one text.
    pub(crate) fn remarks(&self) -> String {
        joined(&self.why, "; ").to_string()
    }
}

/// What is to be said about each occurrence.
pub(crate) type Remarks = BTreeMap<OccurrenceId, Vec<Sentence>>;

/// The rows of a strand.
pub(crate) fn rows(
    telling: &Telling<'_>,
    strand: &Strand<'_>,
    remarks: &Remarks,
    choice: Choice<'_>,
) -> Vec<Row> {
    let steps: Vec<OccurrenceId> = strand.rows().collect();
    let loop_start = match strand.ending {
        SegmentEnding::Loop(to) => steps.iter().position(|&step| step == to),
        _ => None,
    };
    let relevant = relevant(telling, strand);
    let mut said: &[Sentence] = &[];
    let mut rows = Vec::new();
    for (at, &step) in steps.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| steps[before]);
        let branches_off = at == 0 && strand.from.is_some();
        let mark = match loop_start {
            Some(start) if at == start => Mark::Top,
            Some(start) if at > start => Mark::Side,
            _ => Mark::None,
        };
        let mut row = row(telling, before, step, &relevant, choice);
        row.mark = mark;
        if branches_off {
            row.instead = Some("(as above)");
            row.cells.clear();
            row.hidden = 0;
        } else {
            if choice.causes {
                row.mark_causes(telling, choice);
            }
            let here = remarks.get(&step).map_or(&[][..], Vec::as_slice);
            row.why = here
                .iter()
                // What was said of the step before is not repeated, though it is claimed of another step.
                .filter(|text| said.iter().all(|other| other.parts() != text.parts()))
                .cloned()
                .collect();
            said = here;
        }
        row.why.extend(fairness_met(telling, strand, step));
        rows.push(row);
    }
    if let (Some(to), Some(&last)) = (strand.closing(), steps.last()) {
        let mut row = row(telling, Some(last), to, &relevant, choice);
        let back = match strand.ending {
            SegmentEnding::Loop(_) => say!("back to {}, for ever", to),
            _ => say!("goes on at {}", to),
        };
        let back = telling.with_names(back);
        row.mark = if loop_start.is_some() {
            Mark::Bottom
        } else {
            Mark::None
        };
        row.why = vec![back];
        rows.push(row);
    } else if let (SegmentEnding::DeadEnd, Some(row)) = (strand.ending, rows.last_mut()) {
        row.why.push("no step leads on from here".into());
    }
    rows
}

/// The rows of a fan: one for each step, all from the same place.
pub(crate) fn fan_rows(
    telling: &Telling<'_>,
    fan: &[&Strand<'_>],
    remarks: &Remarks,
    choice: Choice<'_>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for strand in fan {
        let Some(to) = strand.states.first().copied().or(strand.closing()) else {
            continue;
        };
        let mut row = row(telling, strand.from, to, &None, choice);
        row.why = match strand.states.first() {
            Some(_) => remarks.get(&to).cloned().unwrap_or_default(),
            None => vec![telling.with_names(say!("shown at {}", to))],
        };
        rows.push(row);
    }
    rows
}

/// The variables that matter: those of the property, and those that change in the strand and that the property
/// depends on; `None`: all.
pub(crate) fn relevant(telling: &Telling<'_>, strand: &Strand<'_>) -> Option<BTreeSet<VarId>> {
    let report = telling.report;
    if report.seen_vars(false).count() <= MANY {
        return None;
    }
    let atoms = telling.query.atoms.iter().copied();
    let mut relevant = Support::of(report.model, atoms.clone()).now;
    let cone = report.model.cone(atoms);
    let changing = changing(telling, strand);
    let in_cone: BTreeSet<VarId> = changing.intersection(&cone).copied().collect();
    if in_cone.len() <= TOO_MANY {
        relevant.extend(in_cone);
    } else {
        let near = report.model.read_by_assignments(&relevant);
        relevant.extend(near.intersection(&in_cone));
    }
    Some(relevant)
}

/// The variables that change in a strand.
fn changing(telling: &Telling<'_>, strand: &Strand<'_>) -> BTreeSet<VarId> {
    let steps: Vec<OccurrenceId> = strand.rows().chain(strand.closing()).collect();
    let mut changing = BTreeSet::new();
    for pair in steps.windows(2) {
        let (old, new) = (telling.values(pair[0]), telling.values(pair[1]));
        let changed = |var: &VarId| old[var.index()] != new[var.index()];
        changing.extend(telling.report.state_vars().filter(changed));
    }
    changing
}

/// The row of an occurrence: its values, or what changed since another one.
pub(crate) fn row(
    telling: &Telling<'_>,
    before: Option<OccurrenceId>,
    step: OccurrenceId,
    relevant: &Option<BTreeSet<VarId>>,
    choice: Choice<'_>,
) -> Row {
    let values = telling.values(step);
    let old = before.map(|before| telling.values(before));
    let input = before.map_or(&[][..], |before| telling.input(before, step));
    row_of(
        &telling.report,
        step,
        old,
        (input, values),
        relevant,
        choice,
    )
}

/// The row of a state: its values, or what changed since another state by a step with this input.
pub(crate) fn row_of(
    report: &Report<'_>,
    step: OccurrenceId,
    old: Option<&[Value]>,
    (input, new): (&[Value], &[Value]),
    relevant: &Option<BTreeSet<VarId>>,
    choice: Choice<'_>,
) -> Row {
    let mut row = Row {
        mark: Mark::None,
        step,
        names: report.names_of(new),
        caption: report.caption(new),
        unwanted: report.hides(new),
        input: report.input_text(input),
        input_title: report.input_title(),
        cells: Vec::new(),
        hidden: 0,
        folded: None,
        causes: Vec::new(),
        instead: None,
        why: Vec::new(),
    };
    let taken = Step {
        input: input.to_vec(),
        next: new.to_vec(),
    };
    for thing in report.things(choice.full) {
        let name = report.thing_name(thing);
        if choice.vars.is_some_and(|wanted| !wanted(&name)) || report.hides_variable(&name) {
            continue;
        }
        let value = report.thing_value(thing, new);
        let matters = || {
            relevant
                .as_ref()
                .is_none_or(|relevant| thing.vars().iter().any(|var| relevant.contains(var)))
        };
        let change = old.and_then(|old| Some((old, thing.change(old, new)?)));
        match (old, change) {
            (None, _) if choice.full || matters() => row.cells.push(Cell::First { name, value }),
            (None, _) => row.hidden += 1,
            // That variables are left out is said at the first row only.
            (Some(_), Some(_)) if !choice.full && choice.vars.is_none() && !matters() => {}
            (Some(_), Some((old, var))) => {
                let line = report.cause_line(old, &taken, var);
                row.cells.push(match report.difference(thing, old, new) {
                    Some(difference) => Cell::Differs {
                        name,
                        difference,
                        line,
                    },
                    None => Cell::Changed {
                        name,
                        old: report.thing_value(thing, old),
                        new: value,
                        line,
                    },
                });
            }
            (Some(_), None) if choice.full => row.cells.push(Cell::Same { name, value }),
            (Some(_), None) => {}
        }
    }
    for shown in report.shown {
        let text = clean(&shown.text);
        let name = if text.contains(' ') {
            format!("({text})")
        } else {
            text
        };
        let value = report.shown_value(shown.term, new);
        let before = old.map(|old| report.shown_value(shown.term, old));
        match before {
            None => row.cells.push(Cell::First { name, value }),
            Some(old) if old != value => row.cells.push(Cell::Changed {
                name,
                old,
                new: value,
                line: None,
            }),
            Some(_) if choice.full => row.cells.push(Cell::Same { name, value }),
            Some(_) => {}
        }
    }
    if row.cells.is_empty() && old.is_some() {
        row.instead = Some(match old {
            Some(old) if same(report, old, new) => UNCHANGED,
            _ => UNSEEN,
        });
    }
    row
}

/// Whether two states have the same values of all variables that somebody declared.
fn same(report: &Report<'_>, old: &[Value], new: &[Value]) -> bool {
    let mut vars = report.seen_vars(false);
    vars.all(|var| old[var.index()] == new[var.index()])
}

/// The fairness constraints of a loop that are met at a step.
fn fairness_met(
    telling: &Telling<'_>,
    strand: &Strand<'_>,
    step: OccurrenceId,
) -> Option<Sentence> {
    let SegmentEnding::Loop(_) = strand.ending else {
        return None;
    };
    let constraints = telling.constraints();
    let met = constraints.iter().zip(&strand.last.fair);
    let met: Vec<_> = met
        .filter(|(_, at)| **at == Some(step))
        .map(|(text, _)| formula(text))
        .collect();
    (!met.is_empty()).then(|| say!("fairness {} met", joined(&met, ", ")))
}
