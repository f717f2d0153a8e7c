//! The automatic choice of an engine.
//!
//! Small models are listed state by state. For the others decision diagrams begin; while they are stuck,
//! states are listed beside them, invariants first and on the fly, and then a solver looks for runs and
//! proofs. Verdicts and evidence are the same from all of them.

use std::time::Duration;

use wherefore_base::{Budget, Run};
use wherefore_evidence::Verdict;
use wherefore_induction::{Refutation, Trace, holds_by_form, invariant};
use wherefore_model::Model;
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Counted, Explicit, Limits, Reached, TooLarge};

use crate::cone;
use crate::engine::{Engine, Event, Investigation, Job, OverSpace, over_space};
use crate::race::{Runner, race};
use crate::sat;
use crate::strategy::Strategies;

/// Up to this size the states of every model are listed one by one.
const FEW: Limits = Limits {
    states: 6_000,
    transitions: 6_000,
};

/// Up to this size those of models are listed whose states have few successors, at most [`SPARSE`] each on
/// average; decision diagrams are better at the others, and at larger models.
const FIRST: Limits = Limits {
    states: 30_000,
    transitions: 360_000,
};

/// See [`FIRST`].
const SPARSE: usize = 12;

/// How often the budget is asked while small models are listed, at most.
const EFFORT: u64 = 4_000;

/// Who looks at larger models, and after how many seconds without all answers.
const RELAY: [(Engine, u64); 3] = [(Engine::Bdd, 0), (Engine::Explicit, 6), (Engine::Sat, 12)];

/// Answers the properties of a job.
pub(crate) fn check(
    model: &Model,
    job: &Job,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Run<()> {
    budget.phase("exploring states");
    if let Some(space) = small(model, budget)? {
        let work = Investigation {
            job,
            strategies: &Strategies::default(),
            budget,
            wanted: &|_| true,
            tell,
        };
        return work.over(&space);
    }
    let (certain, open): (Vec<usize>, Vec<usize>) = job
        .selection(model)
        .into_iter()
        .partition(|&property| !job.options.certificate && holds_by_form(model, property));
    for property in certain {
        tell(Event::Finding(Box::new(sat::holding(model, property))));
    }
    let runners = RELAY.map(|(engine, seconds)| Runner {
        after: Duration::from_secs(seconds),
        work: Box::new(move |budget, wanted, tell| {
            if engine == Engine::Sat {
                return sat::check(model, job, wanted, budget, &mut |event| match &event {
                    // What it has no answer to may be none to the others.
                    Event::Finding(finding) if matches!(finding.verdict, Verdict::Unknown(_)) => {}
                    _ => tell(event),
                });
            }
            if engine == Engine::Bdd {
                return cone::check(model, job, wanted, budget, tell);
            }
            if engine == Engine::Explicit {
                on_the_fly(model, job, wanted, budget, tell)?;
            }
            let work = Investigation {
                job,
                strategies: &Strategies::default(),
                budget,
                wanted,
                tell,
            };
            over_space(model, engine, budget, work)
        }),
    });
    race(runners.into(), &open, budget, tell)
}

/// The states of a model one by one, if that is done in no time. What decides is counted, so it is the same
/// on every machine.
pub(crate) fn small<'m>(model: &'m Model, budget: &Budget) -> Run<Option<Explicit<'m>>> {
    let counted = budget.counted(EFFORT);
    let explore = |limits| match Explicit::explore_on(model, limits, 1, &counted) {
        Ok(explored) => Ok(explored.map_err(Some)),
        // It took too long for a small model; the budget itself may go on.
        Err(_) => budget.check().map(|()| Err(None)),
    };
    let dense = |large: TooLarge| {
        large.what == Counted::Transitions && FEW.transitions > SPARSE * large.expanded
    };
    let explored = match explore(FEW)? {
        Err(Some(large)) if !dense(large) => explore(FIRST)?,
        explored => explored,
    };
    counted.stop_counting();
    Ok(explored.ok())
}

/// Refutes invariants that fail, each as soon as a state is found that breaks it.
fn on_the_fly(
    model: &Model,
    job: &Job,
    wanted: &dyn Fn(usize) -> bool,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Run<()> {
    for property in job.selection(model) {
        let Some(asked) = invariant(model, property).filter(|_| wanted(property)) else {
            continue;
        };
        let reached = Explicit::search(&asked.model, asked.bad, Limits::default(), budget)?;
        let Ok(Reached::Yes { part, steps }) = reached else {
            continue;
        };
        let path = part.shortest_path(&part.states_where(asked.bad)?)?;
        let path = path.expect("a state was reached");
        let refutation = Refutation {
            trace: Trace {
                states: path.iter().map(|state| part.values(state)).collect(),
                back: None,
            },
            product: None,
            at_least: steps as usize,
        };
        let finding = sat::failing(model, property, &job.options, &refutation, budget);
        tell(Event::Finding(Box::new(finding)));
    }
    Ok(())
}
