//! Which sub-formulas are true at which step of a run: one line for each, one column for each step.
//!
//! This is all there is to the proof of a linear-time property. Who knows the operators can check every
//! column by its neighbours.

use wherefore_evidence::{OccurrenceId, Rule};
use wherefore_logic::{Op, SubId};

use crate::layout::{Ink, VariableRole};
use crate::page::{Inline, PageBlock, PageColumn, PageTable, TableCell, TableLayout, TableRow};
use crate::sentences::count;
use crate::table::Mark;
use crate::words::Telling;

/// So many sub-formulas are listed; documents have all.
const MOST: usize = 60;

/// The lines of a table of truth.
pub(crate) struct Truths {
    /// The steps, in order.
    steps: Vec<OccurrenceId>,
    /// Each sub-formula, and at which of the steps it is true.
    rows: Vec<(String, Vec<bool>)>,
    /// How many sub-formulas are left out.
    more: usize,
    /// The step that the run goes back to.
    back: Option<OccurrenceId>,
}

impl Truths {
    /// The truth along the run of a linear-time property; `None` for other evidence.
    pub(crate) fn of(telling: &Telling<'_>) -> Option<Self> {
        let evidence = telling.evidence;
        let root = evidence.proof.iter().next()?;
        if root.rule != Some(Rule::Run) {
            return None;
        }
        let (steps, back) = evidence.main_run();
        let formula = &telling.query.formula;
        let mut rows: Vec<(String, Vec<bool>)> = Vec::new();
        for sub in formula.subs() {
            let text = telling.sub(sub);
            let known = rows.iter().any(|(other, _)| *other == text);
            if known || matches!(formula.op(sub), Op::Const(_)) {
                continue;
            }
            let is_true = |step: &OccurrenceId| is_true(telling, *step, sub);
            rows.push((text, steps.iter().map(is_true).collect()));
        }
        let more = rows.len().saturating_sub(MOST);
        // The whole formula comes last and is always listed.
        let whole = rows.pop();
        rows.truncate(MOST - 1);
        rows.extend(whole);
        Some(Self {
            steps,
            rows,
            more,
            back,
        })
    }

    /// The table and what is said around it.
    pub(crate) fn blocks(&self, document: bool) -> Vec<PageBlock> {
        let back = self.back.unwrap_or(OccurrenceId::new(0));
        let head = match document {
            true => "what is true at each step:".into(),
            false => say!(
                "what is true (T) at each step; after the last comes {} again",
                back
            ),
        };
        let steps = self.steps.iter().map(|step| step.index().to_string());
        let columns = std::iter::once("step".to_string()).chain(steps);
        let rows = self.rows.iter().map(|(text, truth)| {
            let truth = truth.iter().map(|&is_true| match is_true {
                true => TableCell::one(Ink::new(VariableRole::Strong, "T"), Inline::prose("T")),
                false => TableCell::one(Ink::new(VariableRole::Dim, "."), Inline::prose(".")),
            });
            TableRow {
                mark: Mark::None,
                cells: std::iter::once(TableCell::code(text.as_str()))
                    .chain(truth)
                    .collect(),
            }
        });
        let table = PageBlock::Table(PageTable {
            layout: TableLayout::Truths,
            columns: columns.map(PageColumn::new).collect(),
            rows: rows.collect(),
        });
        let mut blocks = vec![PageBlock::Gap, PageBlock::aside(head), table];
        if self.more > 0 && !document {
            let more = count(self.more, "sub-formula");
            blocks.push(PageBlock::aside(say!(
                "{} more: see `truth` in the JSON document",
                more
            )));
        }
        blocks.push(PageBlock::Gap);
        blocks
    }
}

fn is_true(telling: &Telling<'_>, step: OccurrenceId, sub: SubId) -> bool {
    let occurrence = telling.evidence.occurrences.get(step);
    let truth = occurrence.and_then(|occurrence| occurrence.truth.get(sub));
    truth == Some(&Some(true))
}
