//! Properties of a model that are answered in no time, or not at all.
//!
//! What decides is counted, so it is the same on every machine: small models are listed state by state, and
//! for others decision diagrams may ask a budget so often and no more.

use wherefore_base::Budget;
use wherefore_evidence::{Finding, SpaceSummary};
use wherefore_model::Model;

use crate::engines::auto::small;
use crate::engines::cone;
use crate::engines::{Engine, Event, Investigation, Job, OverSpace};
use crate::strategy::Strategies;

/// What became known.
#[derive(Default)]
pub(crate) struct Quick {
    /// The states, if they were looked at as a whole.
    pub(crate) space: Option<SpaceSummary>,
    /// The answers there are.
    pub(crate) findings: Vec<Finding>,
}

/// Answers properties of a model, asking the budget so often at most.
pub(crate) fn quick(model: &Model, job: &Job, effort: u64, budget: &Budget) -> Quick {
    let counted = budget.counted(effort);
    let mut known = Quick::default();
    let mut tell = |event: Event| match event {
        Event::Space(space) => known.space = Some(space),
        Event::Finding(finding) => known.findings.push(*finding),
        Event::Rejected(_) => {}
    };
    let job = Job {
        engine: Engine::Bdd,
        ..job.clone()
    };
    // Work that ends early leaves what was told before.
    let _ = match small(model, &counted) {
        Ok(Ok(space)) => {
            let strategies = Strategies::default();
            let work = Investigation {
                job: &job,
                strategies: &strategies,
                budget: &counted,
                wanted: &|_| true,
                tell: &mut tell,
            };
            work.over(&space)
        }
        Ok(Err(_)) => cone::check(model, &job, &|_| true, &|_| Ok(None), &counted, &mut tell),
        Err(stop) => Err(stop),
    };
    known
}
