//! A report for a page: a table of verdicts, and for each evidence its steps and a Mermaid diagram.

use crate::Report;
use crate::manner::Manner;
use crate::page::{PageExtent, findings, markdown, to_blame as blame_page};

/// The report about one model. `full` shows all values at every step.
pub fn render(report: &Report<'_>, full: bool) -> String {
    render_in(report, full, &Manner::default())
}

/// The report about one model, told in a manner.
pub fn render_in(report: &Report<'_>, full: bool, manner: &Manner<'_>) -> String {
    markdown::render(&findings::page(
        report,
        PageExtent::of_document(full, *manner),
    ))
}

/// Everything that is known about who is to blame for failures; `mend`: of the mends of each failure only the one with this
/// number, from 1.
pub fn to_blame(report: &Report<'_>, mend: Option<usize>) -> String {
    markdown::render(&blame_page::page(report, mend))
}
