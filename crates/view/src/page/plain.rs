//! Runs that are no evidence by themselves, as tables of changes.

use wherefore_evidence::OccurrenceId;
use wherefore_wire::{RunDoc, RunStateDoc, ValueDoc, ValuesDoc};

use super::{PageBlock, PageTable, WHAT};
use crate::sentences::Sentence;
use crate::table::{Cell, Mark, Row, UNCHANGED};
use crate::words::clean;

/// The tables of runs; a run that branches off says where.
pub(crate) fn tables(runs: &[RunDoc]) -> Vec<PageBlock> {
    let mut blocks = Vec::new();
    for run in runs {
        blocks.push(PageBlock::Gap);
        if let Some([of, at]) = run.from {
            let text = say!("of run {}", of + 1);
            blocks.push(PageBlock::named(&format!("branch at step {at}:"), text));
        }
        blocks.push(PageBlock::Table(PageTable::of_steps(&rows(run), WHAT)));
        blocks.push(PageBlock::Gap);
    }
    blocks
}

fn rows(run: &RunDoc) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut before: Option<&ValuesDoc> = None;
    let last = run.states.len().saturating_sub(1);
    for (at, state) in run.states.iter().enumerate() {
        let mark = match run.back {
            Some(back) if at == back => Mark::Top,
            Some(back) if at > back => Mark::Side,
            _ => Mark::None,
        };
        rows.push(row(at, mark, before, state));
        before = Some(&state.values);
    }
    if let (Some(back), Some(state)) = (run.back, run.back.and_then(|at| run.states.get(at))) {
        let mut closing = row(
            back,
            Mark::Bottom,
            before,
            &RunStateDoc {
                operation: None,
                inputs: ValuesDoc::default(),
                values: state.values.clone(),
            },
        );
        closing.why = vec![say!("back to step {}, for ever", back)];
        rows.push(closing);
    } else if let Some(row) = rows.get_mut(last).filter(|_| last > 0) {
        row.why = vec![Sentence::from("the run leads here")];
    }
    // The title of the column is that of the first row, which has no input.
    if let Some(title) = rows
        .iter()
        .map(|row| row.input_title)
        .find(|title| *title != "input")
        && let Some(first) = rows.first_mut()
    {
        first.input_title = title;
    }
    rows
}

fn row(at: usize, mark: Mark, before: Option<&ValuesDoc>, state: &RunStateDoc) -> Row {
    let (input, input_title) = match &state.operation {
        Some(operation) => (clean(operation), "operation"),
        None => {
            let inputs = state.inputs.iter();
            let inputs = inputs.map(|(name, value)| format!("{}={}", clean(name), text(value)));
            (inputs.collect::<Vec<_>>().join(" "), "input")
        }
    };
    let cells = state.values.iter().filter_map(|(name, value)| {
        let (name, new) = (clean(name), text(value));
        match before {
            None => Some(Cell::First { name, value: new }),
            Some(before) => {
                let old = before.iter().find(|(other, _)| clean(other) == name);
                let old = old.map(|(_, old)| text(old)).filter(|old| *old != new)?;
                Some(Cell::Changed {
                    name,
                    old,
                    new,
                    line: None,
                })
            }
        }
    });
    let cells: Vec<Cell> = cells.collect();
    Row {
        names: Vec::new(),
        mark,
        step: OccurrenceId::new(at),
        input,
        input_title,
        instead: (cells.is_empty() && before.is_some()).then_some(UNCHANGED),
        cells,
        hidden: 0,
        folded: None,
        why: Vec::new(),
    }
}

fn text(value: &ValueDoc) -> String {
    match value {
        ValueDoc::Bool(true) => "TRUE".to_string(),
        ValueDoc::Bool(false) => "FALSE".to_string(),
        ValueDoc::Int(number) => number.to_string(),
        ValueDoc::Text(text) => clean(text),
        ValueDoc::Big(big) => big.digits.clone(),
        ValueDoc::Other(_) => String::new(),
    }
}
