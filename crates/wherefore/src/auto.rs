//! The automatic choice of an engine.
//!
//! Small models are listed state by state, and so are deep ones whose levels have few states, since diagrams
//! need an operation for each level. For the others decision diagrams begin. Once they have found that
//! there are few states after all, they get a little more work, and then these are listed. While they are stuck
//! before that, states are listed beside them, invariants first and on the fly, and then a solver looks for runs
//! and proofs. Verdicts and evidence are the same from all of them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use wherefore_base::{Budget, Run};
use wherefore_evidence::Verdict;
use wherefore_induction::{Refutation, Trace, holds_by_form, invariant};
use wherefore_model::{Model, PropertyBody};
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Counted, Explicit, Limits, Reached, TooLarge};
use wherefore_space::symbolic::Symbolic;

use crate::cone;
use crate::engine::{Engine, Event, Investigation, Job, OverSpace, over_space};
use crate::quotient;
use crate::race::{Runner, race};
use crate::sat;
use crate::strategy::Strategies;

/// Up to this size the states of every model are listed one by one. Many of them may be initial: how dense a
/// model is shows only after these.
const FEW: Limits = Limits {
    states: 30_000,
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

/// Up to this size those of models are listed in which each step of a search finds few new states, at most
/// [`NARROW`] on average: decision diagrams take as many steps, and each of them costs more.
const DEEP: Limits = Limits {
    states: 4_000_000,
    transitions: LISTED as usize,
};

/// See [`DEEP`].
const NARROW: usize = 8;

/// How many transitions are listed at most, instead of more work on decision diagrams that have found all
/// states.
const LISTED: u64 = 4_000_000;

/// How many steps decision diagrams may take at least when they have found all states, and one more for every
/// few transitions.
const STEPS: u64 = 100_000;

/// For how many transitions that would be listed decision diagrams may take one more step.
const TRANSITIONS: u64 = 16;

/// How often the budget is asked while small models are listed, at most.
const EFFORT: u64 = 4_000;

/// The same for deep models, which are larger.
const DEEP_EFFORT: u64 = 500_000;

/// Who looks at larger models, after how many steps of work of the others without all answers, and after
/// how many seconds at the latest.
const RELAY: [(Engine, u64, u64); 3] = [
    (Engine::Bdd, 0, 0),
    (Engine::Explicit, 60_000_000, 20),
    (Engine::Sat, 120_000_000, 40),
];

/// Answers the properties of a job.
pub(crate) fn check(
    model: &Model,
    job: &Job,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Run<()> {
    budget.phase("exploring states");
    let degree = match listed(model, budget)? {
        Ok(space) => {
            let work = Investigation {
                job,
                strategies: &Strategies::default(),
                budget,
                wanted: &|_| true,
                tell,
            };
            return work.over(&space);
        }
        Err(large) => large.and_then(degree),
    };
    let (certain, open): (Vec<usize>, Vec<usize>) = job
        .selection(model)
        .into_iter()
        .partition(|&property| !job.options.certificate && holds_by_form(model, property));
    for property in certain {
        tell(Event::Finding(Box::new(sat::holding(model, property))));
    }
    // Runs of linear time are looked for in products, of which nothing is known yet.
    let is_linear = |&at: &usize| matches!(model.properties[at].body, PropertyBody::Linear(_));
    let degree = degree.filter(|_| !open.iter().any(is_linear));
    let listed = AtomicBool::new(false);
    let (listed, patience) = (&listed, &|space: &Symbolic<'_>| -> Run<Option<u64>> {
        let states = space.count(space.reachable())?;
        let transitions = u64::try_from(states).ok().zip(degree);
        let transitions = transitions.map(|(states, degree)| states.saturating_mul(degree));
        let few = transitions.filter(|&transitions| transitions <= LISTED);
        listed.store(few.is_some(), Ordering::Relaxed);
        Ok(few.map(|transitions| STEPS.max(transitions / TRANSITIONS)))
    });
    let runners = RELAY.map(|(engine, after, seconds)| Runner {
        after,
        latest: Duration::from_secs(seconds),
        work: Box::new(move |budget, wanted, tell| {
            if engine == Engine::Sat {
                return sat::check(model, job, wanted, budget, &mut |event| match &event {
                    // What it has no answer to may be none to the others.
                    Event::Finding(finding) if matches!(finding.verdict, Verdict::Unknown(_)) => {}
                    _ => tell(event),
                });
            }
            if engine == Engine::Bdd {
                return cone::check(model, job, wanted, patience, budget, tell);
            }
            if engine == Engine::Explicit && !listed.load(Ordering::Relaxed) {
                on_the_fly(model, job, wanted, budget, tell)?;
            }
            if quotient::may_help(model, &job.options) {
                return quotient::check(model, job, wanted, budget, tell);
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

/// The states of a model one by one, if there are few of them, or if decision diagrams would take more steps
/// than there are states to list; otherwise what there are too many of, if it is that. What decides is
/// counted, so it is the same on every machine.
pub(crate) fn listed<'m>(model: &'m Model, budget: &Budget) -> Run<Listed<'m>> {
    match small(model, budget)? {
        Err(Some(large)) if is_narrow(large) => {
            let counted = budget.counted(DEEP_EFFORT);
            let explored = Explicit::explore_narrow(model, DEEP, NARROW, &counted);
            unless_slow(explored, &counted, budget)
        }
        small => Ok(small),
    }
}

/// The states of a model one by one, or what there are too many of, if it is that and not time.
pub(crate) type Listed<'m> = Result<Explicit<'m>, Option<TooLarge>>;

/// The states of a model one by one, if that is done in no time.
pub(crate) fn small<'m>(model: &'m Model, budget: &Budget) -> Run<Listed<'m>> {
    let counted = budget.counted(EFFORT);
    let explore = |limits| {
        let explored = Explicit::explore_on(model, limits, 1, &counted);
        unless_slow(explored, &counted, budget)
    };
    let dense = |large: TooLarge| large.limit > SPARSE * large.expanded;
    match explore(FEW)? {
        Err(Some(large)) if !dense(large) => explore(FIRST),
        explored => Ok(explored),
    }
}

/// Whether so many states were found that it shows, and each step of the search found few of them.
fn is_narrow(large: TooLarge) -> bool {
    large.what == Counted::States && large.limit <= NARROW * large.levels
}

/// What an exploration found, unless the counted part of the budget ended it; the budget itself may go on.
fn unless_slow<'m>(
    explored: Run<Result<Explicit<'m>, TooLarge>>,
    counted: &Budget,
    budget: &Budget,
) -> Run<Listed<'m>> {
    match explored {
        Ok(Ok(space)) => {
            counted.stop_counting();
            Ok(Ok(space))
        }
        Ok(Err(large)) => Ok(Err(Some(large))),
        Err(_) => budget.check().map(|()| Err(None)),
    }
}

/// How many transitions a state of a large model has on average, as far as it was explored.
fn degree(large: TooLarge) -> Option<u64> {
    (large.expanded > 0).then(|| large.transitions.div_ceil(large.expanded) as u64)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Session;

    /// A counter of fifteen bits that may be reset, beside some bits that each state may have at will.
    fn counter(beside: usize) -> Session {
        let mut text = String::from(
            "MODULE main IVAR reset : boolean; VAR n : 0..32767;\n\
             ASSIGN init(n) := 0; next(n) := reset ? 0 : (n + 1) mod 32768;\n",
        );
        for bit in 0..beside {
            text.push_str(&format!("VAR b{bit} : boolean;\n"));
        }
        Session::from_text("m", &text).expect("it is right")
    }

    #[test]
    fn deep_models_are_listed_as_long_as_their_levels_are_narrow() {
        let budget = Budget::unlimited();
        for (beside, narrow) in [(0, true), (2, true), (4, false)] {
            let session = counter(beside);
            let few = small(session.model(), &budget).expect("there is no limit");
            assert!(few.is_err(), "there are more than 30 000 states");
            let listed = listed(session.model(), &budget).expect("there is no limit");
            assert_eq!(listed.is_ok(), narrow, "{} states a level", 1 << beside);
        }
    }
    #[test]
    fn a_model_that_turns_out_to_be_wide_is_not_listed_as_a_narrow_one() {
        let text = "MODULE main VAR n : 0..8191; ASSIGN next(n) := n;";
        let session = Session::from_text("m", text).expect("it is right");
        let explore = |width| {
            let budget = Budget::unlimited();
            Explicit::explore_narrow(session.model(), Limits::default(), width, &budget)
                .expect("there is no limit")
        };
        let large = explore(1).expect_err("all states are in one level");
        assert_eq!((large.what, large.levels), (Counted::Width, 1));
        assert!(explore(4).is_ok());
    }
}
