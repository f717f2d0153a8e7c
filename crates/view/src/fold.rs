//! Long runs, folded: a stretch of steps about which nothing is said becomes one row with what it changes in all.

use std::ops::Range;

use crate::table::{self, Cell, Choice, Mark, UNCHANGED, UNSEEN};
use crate::told::StepTold;
use crate::words::Telling;

/// Shorter runs are told step by step.
const LONG: usize = 24;
/// At both ends of a stretch so many steps are told.
const KEPT: usize = 2;
/// Fewer steps are not worth a fold.
const LEAST: usize = 4;
/// A fold tells so many changes.
pub(crate) const CHANGES: usize = 6;

/// The rows of a run, forward; those of a long one are folded.
pub(crate) fn fold(
    telling: &Telling<'_>,
    told: Vec<StepTold>,
    choice: Choice<'_>,
) -> Vec<StepTold> {
    let told = match choice.full {
        true => return told,
        false => hide(telling, told, choice),
    };
    if told.len() <= LONG {
        return told;
    }
    let mut folded: Vec<StepTold> = Vec::new();
    let mut stretch: Vec<StepTold> = Vec::new();
    for step in told {
        if is_plain(&step) && !folded.is_empty() {
            stretch.push(step);
        } else {
            close(telling, &mut folded, &mut stretch, choice);
            folded.push(step);
        }
    }
    close(telling, &mut folded, &mut stretch, choice);
    folded
}

/// A row of a run that is shown, or a stretch of rows that is folded into one.
pub(crate) enum FoldedRows {
    Row(usize),
    Stretch(Range<usize>),
}

/// How so many rows are shown: those of a long run are folded where nothing is said of them. The first one stays.
pub(crate) fn stretches(rows: usize, is_plain: impl Fn(usize) -> bool) -> Vec<FoldedRows> {
    if rows <= LONG {
        return (0..rows).map(FoldedRows::Row).collect();
    }
    let mut shown = Vec::new();
    let mut at = 0;
    while at < rows {
        let plain = (at..rows)
            .take_while(|&row| row > 0 && is_plain(row))
            .count();
        if plain < 2 * KEPT + LEAST {
            let end = at + plain.max(1);
            shown.extend((at..end).map(FoldedRows::Row));
            at = end;
            continue;
        }
        let (first, end) = (at + KEPT, at + plain - KEPT);
        shown.extend((at..first).map(FoldedRows::Row));
        shown.push(FoldedRows::Stretch(first..end));
        shown.extend((end..at + plain).map(FoldedRows::Row));
        at += plain;
    }
    shown
}

/// Folds the steps that a script of the user does not want to see. The first step, the ends of a loop and the step that
/// closes it stay.
fn hide(telling: &Telling<'_>, told: Vec<StepTold>, choice: Choice<'_>) -> Vec<StepTold> {
    let mut shown: Vec<StepTold> = Vec::new();
    let mut stretch: Vec<StepTold> = Vec::new();
    for step in told {
        let unmarked = matches!(step.row.mark, Mark::None | Mark::Side);
        if step.row.unwanted && unmarked && !step.closing && !shown.is_empty() {
            stretch.push(step);
            continue;
        }
        push_folded(telling, &mut shown, std::mem::take(&mut stretch), choice);
        shown.push(step);
    }
    push_folded(telling, &mut shown, stretch, choice);
    shown
}

/// Whether nothing is said of a step but what it changes.
fn is_plain(step: &StepTold) -> bool {
    let unmarked = matches!(step.row.mark, Mark::None | Mark::Side);
    let row = &step.row;
    let bare = row.names.is_empty() && row.why.is_empty() && row.causes.is_empty();
    unmarked && !step.closing && step.lines.is_empty() && bare
}

/// Moves a stretch to the rows, folded in its middle, or as a whole where it is idle.
fn close(
    telling: &Telling<'_>,
    folded: &mut Vec<StepTold>,
    stretch: &mut Vec<StepTold>,
    choice: Choice<'_>,
) {
    let idle = stretch.iter().all(|step| step.row.cells.is_empty());
    let kept = if idle { 0 } else { KEPT };
    if stretch.len() < 2 * kept + LEAST {
        folded.append(stretch);
        return;
    }
    let last = stretch.split_off(stretch.len() - kept);
    let middle = stretch.split_off(kept);
    folded.append(stretch);
    push_folded(telling, folded, middle, choice);
    folded.extend(last);
}

/// Adds one row that stands for several steps, if there are any.
fn push_folded(
    telling: &Telling<'_>,
    folded: &mut Vec<StepTold>,
    middle: Vec<StepTold>,
    choice: Choice<'_>,
) {
    if let (Some(before), Some(end)) = (folded.last(), middle.last()) {
        let (from, to) = (before.row.step, end.row.step);
        let mut row = table::row(telling, Some(from), to, &None, choice);
        // The names that its steps tell; a change in all has no line of its own.
        let names: Vec<&String> = middle
            .iter()
            .flat_map(|s| s.row.cells.iter().map(Cell::name))
            .collect();
        row.cells.retain(|cell| names.contains(&cell.name()));
        row.cells.iter_mut().for_each(Cell::forget_line);
        row.hidden = row.cells.len().saturating_sub(CHANGES);
        row.cells.truncate(CHANGES);
        row.folded = Some(middle.len());
        row.instead = match row.cells.is_empty() {
            true if middle.iter().all(|s| s.row.instead == Some(UNCHANGED)) => None,
            true if middle.iter().all(|s| s.row.cells.is_empty()) => Some(UNSEEN),
            true => Some("(back to the values before)"),
            false => None,
        };
        row.input = String::new();
        row.names.clear();
        row.caption = None;
        row.mark = end.row.mark;
        folded.push(StepTold {
            row,
            lines: vec![],
            closing: false,
        });
    }
}
