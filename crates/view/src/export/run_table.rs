//! A run as a table: a row for each state. The inputs of a row are those of the step that leads to it. The column
//! `back to` has, in the last row of a lasso, the step that comes next.

use super::Run;
use super::csv::row;
use crate::words::Telling;

/// The table of a run.
pub(crate) fn render(telling: &Telling<'_>, run: &Run) -> String {
    let report = &telling.report;
    let inputs = report.model.vars.as_slice()[report.model.state_vars()..].iter();
    let mut head = vec!["step".to_owned()];
    head.extend(inputs.map(|var| crate::clean(&var.name)));
    head.extend(report.state_vars().map(|var| report.name(var)));
    head.push("back to".into());
    let mut out = row(&head);
    for (at, &state) in run.states.iter().enumerate() {
        let mut cells = vec![at.to_string()];
        let input = match at.checked_sub(1) {
            Some(before) => telling.input(run.states[before], state),
            None => &[],
        };
        let count = report.model.input_vars();
        let input = (0..count).map(|at| input.get(at).map_or(String::new(), |v| report.value(*v)));
        cells.extend(input);
        cells.extend(
            telling
                .values(state)
                .iter()
                .map(|value| report.value(*value)),
        );
        let last = at + 1 == run.states.len();
        cells.push(match run.back {
            Some(back) if last => back.to_string(),
            _ => String::new(),
        });
        out.push_str(&row(&cells));
    }
    out
}
