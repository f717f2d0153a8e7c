//! Whether there is anything that a property could be about: an initial state, and a fair run from one.

use wherefore_base::{Budget, Run};
use wherefore_model::Model;
use wherefore_sat::Strongest;

use crate::lasso::Lassos;
use crate::question::goes_on;
use crate::steps::RunSteps;

/// Runs of more steps are not looked for.
const MOST: usize = 32;
/// How often a solver may ask whether to stop while it looks for a run.
const EFFORT: u64 = 20_000;

/// What there is of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// No initial state.
    Nothing,
    /// An initial state. Every run from one ends after so many steps at most.
    NoRun(usize),
    /// An initial state. Whether a fair run starts there is not known: no short one does.
    Start,
    /// A fair run.
    Run,
}

/// What there is of a model; runs are looked for only where they are asked for.
pub fn existing(model: &Model, runs: bool, budget: &Budget) -> Run<Existing> {
    let mut steps = RunSteps::<Strongest>::new(model, budget)?;
    steps.require_initial();
    if !steps.solve(&[], budget)? {
        return Ok(Existing::Nothing);
    }
    if !runs || goes_on(model) {
        return Ok(Existing::Run);
    }
    // What takes long is left open.
    match short_run(model, &budget.counted(EFFORT)) {
        Ok(existing) => Ok(existing),
        Err(_) => budget.check().map(|()| Existing::Start),
    }
}

fn short_run(model: &Model, budget: &Budget) -> Run<Existing> {
    let mut lassos = Lassos::<Strongest>::new(model, budget)?;
    while lassos.length() <= MOST {
        if lassos.next(budget)? {
            return Ok(Existing::Run);
        }
        if lassos.is_dead_end(budget)? {
            // After the search for a loop the length is one more than that of the runs asked for here.
            return Ok(Existing::NoRun(lassos.length() - 2));
        }
    }
    Ok(Existing::Start)
}
