//! Rows as they are told: in one direction or the other, each with what is to be said about it.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_evidence::OccurrenceId;

use crate::attached::{Line, Wording, attached};
use crate::english::sentences;
use crate::excerpt::Excerpt;
use crate::manner::{Manner, View, WhyStyle};
use crate::remarks::remarks;
use crate::sentences::Sentence;
use crate::strands::Strand;
use crate::table::{self, Choice, Mark, Row};
use crate::words::Telling;

/// A row, and the lines of the proof that belong to it.
pub(crate) struct StepTold {
    pub(crate) row: Row,
    pub(crate) lines: Vec<Line>,
    /// It stands for the step that closes a loop or leads to another run.
    pub(crate) closing: bool,
}

/// What is to be said about each occurrence.
pub(crate) struct Notes {
    lines: BTreeMap<OccurrenceId, Vec<Line>>,
    /// What was just said is not said again at the next step.
    once: bool,
}

impl Notes {
    /// What a manner says about an evidence.
    pub(crate) fn new(
        telling: &Telling<'_>,
        excerpt: &Excerpt,
        manner: &Manner<'_>,
        full: bool,
    ) -> Self {
        let flat = |texts: Vec<Sentence>| {
            let lines = texts.into_iter().map(|text| Line { depth: 0, text });
            lines.collect::<Vec<_>>()
        };
        let lines = match (manner.why(), manner.view) {
            (WhyStyle::None, _) => BTreeMap::new(),
            (WhyStyle::English, _) => {
                let sentences = sentences(telling, excerpt, manner.backward);
                let flat = sentences
                    .into_iter()
                    .map(|(at, text)| (at, flat(vec![text])));
                flat.collect()
            }
            (WhyStyle::Reasons, View::Trace | View::States) => {
                let remarks = remarks(telling, excerpt);
                let flat = remarks.into_iter().map(|(at, texts)| (at, flat(texts)));
                flat.collect()
            }
            (why, _) => {
                let wording = Wording {
                    rules: why == WhyStyle::Rules,
                    backward: manner.backward,
                    full,
                };
                attached(telling, excerpt, wording)
            }
        };
        Self {
            lines,
            once: manner.why() == WhyStyle::Reasons && manner.view != View::Proof,
        }
    }

    /// What is said about an occurrence.
    pub(crate) fn at(&self, step: OccurrenceId) -> &[Line] {
        self.lines.get(&step).map_or(&[], Vec::as_slice)
    }
}

/// The rows of a strand in the order in which they are told.
pub(crate) fn rows(
    telling: &Telling<'_>,
    strand: &Strand<'_>,
    notes: &Notes,
    choice: Choice<'_>,
    backward: bool,
) -> Vec<StepTold> {
    let bare = table::rows(telling, strand, &BTreeMap::new(), choice);
    let (closes, branches) = (strand.closing().is_some(), strand.from.is_some());
    let last = bare.len().saturating_sub(1);
    let mut told: Vec<StepTold> = Vec::with_capacity(bare.len());
    for (at, row) in bare.into_iter().enumerate() {
        let closing = closes && at == last;
        let elsewhere = closing || branches && at == 0;
        let lines = match elsewhere {
            true => vec![],
            false => notes.at(row.step).to_vec(),
        };
        told.push(StepTold {
            row,
            lines,
            closing,
        });
    }
    if backward {
        turn(telling, strand, &mut told, choice);
    }
    if notes.once {
        say_once(&mut told);
    }
    told
}

/// The rows of a fan: one for each step, all from the same place.
pub(crate) fn fan_rows(
    telling: &Telling<'_>,
    fan: &[&Strand<'_>],
    notes: &Notes,
    choice: Choice<'_>,
) -> Vec<StepTold> {
    let rows = table::fan_rows(telling, fan, &BTreeMap::new(), choice);
    let own = fan.iter().filter(|strand| {
        let to = strand.states.first().copied();
        to.or(strand.closing()).is_some()
    });
    let told = rows.into_iter().zip(own).map(|(row, strand)| StepTold {
        lines: match strand.states.first() {
            Some(&step) => notes.at(step).to_vec(),
            None => vec![],
        },
        row,
        closing: false,
    });
    told.collect()
}

/// The lines of each row as its remarks, for a table.
pub(crate) fn flat(told: Vec<StepTold>) -> Vec<Row> {
    let rows = told.into_iter().map(|told| {
        let mut row = told.row;
        let more = !row.why.is_empty();
        let lines = told.lines.into_iter().map(|line| match more {
            // More is said after the sentence.
            true => line.text.without_stop(),
            false => line.text,
        });
        row.why = lines.chain(row.why).collect();
        row
    });
    rows.collect()
}

/// Turns rows round: each says what the step from it changes, and the first shows its values.
fn turn(telling: &Telling<'_>, strand: &Strand<'_>, told: &mut [StepTold], choice: Choice<'_>) {
    let relevant = table::relevant(telling, strand);
    let starts = strand.from.is_none();
    told.reverse();
    let steps: Vec<OccurrenceId> = told.iter().map(|told| told.row.step).collect();
    for (at, told) in told.iter_mut().enumerate() {
        let row = &mut told.row;
        let step = row.step;
        let values = || table::row(telling, None, step, &relevant, choice);
        let fresh = match at.checked_sub(1).map(|later| steps[later]) {
            None => values(),
            Some(later) => {
                let mut fresh = table::row(telling, Some(step), later, &relevant, choice);
                if at + 1 == steps.len() && starts && !choice.full {
                    let all = values();
                    fresh.hidden = all.hidden;
                    fresh.cells.splice(0..0, all.cells);
                }
                fresh
            }
        };
        row.mark = match row.mark {
            Mark::Top => Mark::Bottom,
            Mark::Bottom => Mark::Top,
            mark => mark,
        };
        if told.closing && row.mark == Mark::Top {
            row.why = vec![say!("{} again, and so on for ever", step)];
        }
        row.input = fresh.input;
        row.cells = fresh.cells;
        row.hidden = fresh.hidden;
        row.instead = fresh.instead;
    }
}

/// Leaves out of each row what was said of the row told before.
fn say_once(told: &mut [StepTold]) {
    let mut said: BTreeSet<String> = BTreeSet::new();
    for told in told {
        if told.closing {
            continue;
        }
        let here: BTreeSet<String> = told
            .lines
            .iter()
            .map(|line| line.text.to_string())
            .collect();
        told.lines
            .retain(|line| !said.contains(&line.text.to_string()));
        said = here;
    }
}
