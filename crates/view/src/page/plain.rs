//! Runs that are no evidence by themselves, as tables of changes.

use wherefore_evidence::{OccurrenceId, ProofStart, StateReason};
use wherefore_wire::{RunDoc, RunStateDoc, ValueDoc, ValuesDoc};

use super::{PageBlock, PageTable, WHAT};
use crate::fold::{CHANGES, FoldedRows, stretches};
use crate::sentences::{Sentence, formula};
use crate::table::{Cell, Mark, Row, UNCHANGED, UNSEEN};
use crate::words::clean;

/// What is said of the last state of a run of which nothing else is known.
const LEADS_HERE: &str = "the run leads here";

/// The tables of runs; a run that branches off says where, and a state says what is proved of it.
pub(crate) fn tables(
    runs: &[RunDoc],
    proved: &[StateReason],
    extent: &RunExtent<'_>,
) -> Vec<PageBlock> {
    let mut blocks = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        blocks.push(PageBlock::Gap);
        if let Some([of, at]) = run.from {
            let text = say!("of run {}", of + 1);
            blocks.push(PageBlock::named(&format!("branch at step {at}:"), text));
        }
        let mut rows = rows(run, extent);
        for claim in proved {
            let ProofStart::Step { run: of, step } = claim.reason.start else {
                continue;
            };
            if let Some(row) = rows.get_mut(step).filter(|_| of == number) {
                let proved = say!("{} holds: proved", formula(&claim.formula));
                match &row.why[..] {
                    [one] if one.to_string() == LEADS_HERE => row.why = vec![proved],
                    _ => row.why.push(proved),
                }
            }
        }
        let rows = match extent.full {
            true => rows,
            false => folded(run, rows, extent),
        };
        blocks.push(PageBlock::Table(PageTable::of_steps(&rows, WHAT)));
        blocks.push(PageBlock::Gap);
    }
    blocks
}

/// How much is shown of runs.
pub(crate) struct RunExtent<'a> {
    /// All values of all states.
    pub(crate) full: bool,
    /// What the runs show: of many variables those that it names are shown.
    pub(crate) about: &'a str,
}

/// Of more variables only those are shown that the property names.
const MANY: usize = 24;

impl RunExtent<'_> {
    /// Whether a variable of so many is shown.
    fn shows(&self, name: &str, variables: usize) -> bool {
        let is_part = |letter: char| letter.is_alphanumeric() || "_.$#-[]".contains(letter);
        let mut words = self.about.split(|letter: char| !is_part(letter));
        self.full || variables <= MANY || words.any(|word| word == name)
    }
}

/// The rows of a run, those of a long one folded where nothing is said of them.
fn folded(run: &RunDoc, rows: Vec<Row>, extent: &RunExtent<'_>) -> Vec<Row> {
    let is_plain =
        |at: usize| rows[at].why.is_empty() && matches!(rows[at].mark, Mark::None | Mark::Side);
    let shown = stretches(rows.len(), is_plain);
    let shown = shown.into_iter().map(|shown| match shown {
        FoldedRows::Row(at) => rows[at].clone(),
        FoldedRows::Stretch(range) => {
            let last = range.end - 1;
            let before = run.states.get(range.start - 1).map(|state| &state.values);
            let mut whole = row(last, rows[last].mark, before, &run.states[last], extent);
            whole.hidden = whole.cells.len().saturating_sub(CHANGES);
            whole.cells.truncate(CHANGES);
            whole.folded = Some(range.len());
            whole.input = String::new();
            whole
        }
    });
    shown.collect()
}

fn rows(run: &RunDoc, extent: &RunExtent<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut before: Option<&ValuesDoc> = None;
    let last = run.states.len().saturating_sub(1);
    for (at, state) in run.states.iter().enumerate() {
        let mark = match run.back {
            Some(back) if at == back => Mark::Top,
            Some(back) if at > back => Mark::Side,
            _ => Mark::None,
        };
        rows.push(row(at, mark, before, state, extent));
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
            extent,
        );
        closing.why = vec![say!("back to step {}, for ever", back)];
        rows.push(closing);
    } else if let Some(row) = rows.get_mut(last).filter(|_| last > 0) {
        row.why = vec![Sentence::from(LEADS_HERE)];
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

fn row(
    at: usize,
    mark: Mark,
    before: Option<&ValuesDoc>,
    state: &RunStateDoc,
    extent: &RunExtent<'_>,
) -> Row {
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
    let mut cells: Vec<Cell> = cells.collect();
    let unchanged = cells.is_empty() && before.is_some();
    let all = cells.len();
    let variables = state.values.iter().count();
    cells.retain(|cell| extent.shows(cell.name(), variables));
    let hidden = match before {
        None => all - cells.len(),
        Some(_) => 0,
    };
    Row {
        names: Vec::new(),
        caption: None,
        unwanted: false,
        mark,
        step: OccurrenceId::new(at),
        input,
        input_title,
        instead: match (unchanged, cells.is_empty() && before.is_some()) {
            (true, _) => Some(UNCHANGED),
            (false, true) => Some(UNSEEN),
            (false, false) => None,
        },
        cells,
        hidden,
        folded: None,
        causes: Vec::new(),
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
