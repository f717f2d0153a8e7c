//! Which sub-formulas are true at which step of a run: one line for each, one column for each step.
//!
//! This is all there is to the proof of a linear-time property. Who knows the operators can check every
//! column by its neighbours.

use wherefore_evidence::{OccurrenceId, Rule};
use wherefore_logic::{Op, SubId};

use crate::layout::{Ink, Page, Role};
use crate::words::{Telling, count};

/// So many sub-formulas are listed; documents have all.
const MOST: usize = 60;

/// A formula takes at most so many columns.
const WIDEST: usize = 60;

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

    /// Prints the table; where the steps do not fit beside each other, in several parts.
    pub(crate) fn print(&self, page: &mut Page, cut: &str) {
        let back = self.back.map_or(0, OccurrenceId::index);
        let head = format!("what is true (T) at each step; after the last comes step {back} again");
        page.gap();
        page.paragraph(Ink::plain(" "), &Ink::new(Role::Dim, head), 4);
        let widest = self.rows.iter().map(|(text, _)| text.chars().count());
        let formulas = widest
            .max()
            .unwrap_or(0)
            .clamp(4, WIDEST.min(page.width / 2));
        let last = self.steps.last().map_or(0, |step| step.index());
        let column = last.to_string().len() + 1;
        let room = page.width.saturating_sub(4 + formulas + 1);
        for from in (0..self.steps.len()).step_by((room / column).max(1)) {
            let to = self.steps.len().min(from + (room / column).max(1));
            let numbers = self.steps[from..to].iter();
            let numbers = numbers.map(|step| format!("{:>column$}", step.index()));
            let mut line = Ink::plain("    ").then(Role::Dim, format!("{:formulas$} ", "step"));
            line.append(Ink::new(Role::Dim, numbers.collect::<String>()));
            page.line(&line);
            for (text, truth) in &self.rows {
                let mut line = Ink::plain(text.as_str()).cut(formulas, cut);
                line.pad(formulas + 1);
                for &is_true in &truth[from..to] {
                    let (role, sign) = match is_true {
                        true => (Role::Strong, "T"),
                        false => (Role::Dim, "."),
                    };
                    line = line.then(role, format!("{sign:>column$}"));
                }
                let mut indented = Ink::plain("    ");
                indented.append(line);
                page.line(&indented);
            }
        }
        if self.more > 0 {
            let text = format!(
                "{} more: see `truth` in the JSON document",
                count(self.more, "sub-formula")
            );
            page.paragraph(Ink::plain(" "), &Ink::new(Role::Dim, text), 4);
        }
        page.gap();
    }

    /// The table as rows of cells, the heading first.
    pub(crate) fn cells(&self) -> Vec<Vec<String>> {
        let steps = self.steps.iter().map(|step| step.index().to_string());
        let head = std::iter::once("step".to_string()).chain(steps).collect();
        let rows = self.rows.iter().map(|(text, truth)| {
            let signs = truth.iter().map(|&t| if t { "T" } else { "." }.to_string());
            std::iter::once(text.clone()).chain(signs).collect()
        });
        std::iter::once(head).chain(rows).collect()
    }
}

fn is_true(telling: &Telling<'_>, step: OccurrenceId, sub: SubId) -> bool {
    let occurrence = telling.evidence.occurrences.get(step);
    let truth = occurrence.and_then(|occurrence| occurrence.truth.get(sub));
    truth == Some(&Some(true))
}
