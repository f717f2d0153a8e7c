//! The automatic choice of an engine.
//!
//! Small models are listed state by state, and so are deep ones whose levels have few states, since diagrams
//! need an operation for each level. For the others decision diagrams begin. Once they have found that
//! there are few states after all, they get a little more work, and then these are listed. While they are stuck
//! before that, states are listed beside them, invariants first and on the fly, and then a solver looks for runs
//! and proofs. Where numbers are too wide for lists and diagrams a solver has a look first. Verdicts and evidence are the
//! same from all of them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use wherefore_base::{Budget, Run, Stop};
use wherefore_evidence::certificate::{Certified, NoCertificate};
use wherefore_evidence::{EvidenceOptions, Finding, Verdict};
use wherefore_logic::Class;
use wherefore_model::{Model, PropertyBody};
use wherefore_satcheck::{BoundedTrace, SatRefutation, holds_by_form, invariant};
use wherefore_space::StateSpace;
use wherefore_space::explicit::{
    Explicit, ExplorationCounts, ExplorationLimits, GrowthSigns, ReachedState, SpaceTooLarge,
};
use wherefore_space::symbolic::Symbolic;

use crate::engines::cone;
use crate::engines::quotient;
use crate::engines::race::{Runner, race};
use crate::engines::sat;
use crate::engines::{Engine, Event, Investigation, Job, OverSpace, over_space};
use crate::strategy::Strategies;

/// Up to this size the states of models are listed one by one, unless there are [`SIGNS`] that decision diagrams are
/// better at them.
const FIRST: ExplorationLimits = ExplorationLimits {
    states: 30_000,
    transitions: 360_000,
};

/// Many states are initial, or have many successors or such as are hard to find, or more and more are found.
const SIGNS: GrowthSigns = GrowthSigns {
    first: 6_000,
    degree: 12,
    states: 12_000,
    turns: 150_000,
    hard: 128,
};

/// So many times larger than a model that is listed its product with a tableau may be to be listed, too.
const PRODUCT: usize = 4;

/// Up to this size those of models are listed in which each step of a search finds few new states, at most
/// [`NARROW`] on average: decision diagrams take as many steps, and each of them costs more.
const DEEP: ExplorationLimits = ExplorationLimits {
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

/// In how many turns a transition is found that is not hard to find, at most.
const TURNS: u64 = 8;

/// For how many transitions that would be listed decision diagrams may take one more step.
const TRANSITIONS: u64 = 4;

/// Up to this size all states are listed before invariants are looked at one by one.
const WHOLE: ExplorationLimits = ExplorationLimits {
    states: 1_000_000,
    transitions: 10_000_000,
};

/// How often the budget is asked while small models are listed, at most.
const EFFORT: u64 = 4_000;

/// The same for deep models, which are larger.
const DEEP_EFFORT: u64 = 500_000;

/// Who looks at larger models, after how many steps of work of the others since the last answer, and after
/// how many seconds in which they do next to nothing that is counted.
const RELAY: [(Engine, u64, u64); 3] = [
    (Engine::Bdd, 0, 0),
    (Engine::Explicit, 60_000_000, 20),
    (Engine::Sat, 120_000_000, 40),
];

/// How long a solver looks at a property of a model with numbers that are too wide for lists and diagrams, before these
/// begin.
const GLANCE: Duration = Duration::from_millis(100);

/// After so many properties that it did not decide a solver gives way.
const GLANCES: usize = 3;

/// Answers the properties of a job.
pub(crate) fn check(
    model: &Model,
    job: &Job,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Run<()> {
    budget.phase("exploring states");
    let small = small(model, budget)?;
    if small.is_ok() || !is_wide(model) || !is_plain(&job.options) {
        return relay(model, small, job, budget, tell);
    }
    let answered = at_a_glance(model, job, budget, tell)?;
    let mut left = job.selection(model);
    left.retain(|property| !answered.contains(property));
    if left.is_empty() {
        return Ok(());
    }
    let properties = Some(left);
    let job = Job {
        properties,
        ..job.clone()
    };
    relay(model, small, &job, budget, tell)
}

/// Whether nothing is asked for that needs a space.
fn is_plain(options: &EvidenceOptions) -> bool {
    let EvidenceOptions {
        evidence,
        vacuity,
        certificate,
        ..
    } = *options;
    *options
        == EvidenceOptions {
            evidence,
            vacuity,
            certificate,
            ..EvidenceOptions::default()
        }
}

/// Whether a variable of the states has more values than states are ever listed.
fn is_wide(model: &Model) -> bool {
    let mut states = model.vars.iter().take(model.state_vars());
    states.any(|variable| variable.domain.size() > DEEP.states as u128)
}

/// The properties that a solver answers, with all that belongs to the answer, in no time.
fn at_a_glance(
    model: &Model,
    job: &Job,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Run<Vec<usize>> {
    let (mut answered, mut open) = (Vec::new(), 0);
    for property in job.selection(model) {
        let glance = budget.within(GLANCE);
        // What is cut short is asked again.
        let _ = sat::check(model, job, &|at| at == property, &glance, &mut |event| {
            if let Event::Finding(finding) = &event
                && is_whole(finding, job)
                && glance.check().is_ok()
            {
                answered.push(property);
                tell(event);
            }
        });
        budget.check()?;
        open += usize::from(answered.last() != Some(&property));
        if open == GLANCES {
            break;
        }
    }
    Ok(answered)
}

/// Whether a finding has all that was asked for.
fn is_whole(finding: &Finding, job: &Job) -> bool {
    let cut_short = matches!(
        finding.certificate,
        Some(Certified::None(NoCertificate::Stopped(_)))
    );
    match finding.verdict {
        Verdict::Holds => !cut_short,
        // That no path is one way is a proof, and there is nothing to walk through.
        Verdict::Fails => {
            let is_shown = finding.evidence.is_some() || finding.class == Some(Class::Existential);
            is_shown || !job.options.evidence
        }
        _ => false,
    }
}

/// Answers the properties of a job by lists and diagrams, and where they are stuck by a solver.
fn relay<'m>(
    model: &'m Model,
    small: Listed<'m>,
    job: &Job,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Run<()> {
    let degree = match or_narrow(model, small, budget)? {
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
        let finding = Finding {
            // It holds in every model; whether this one has a run is worth knowing all the same.
            notes: sat::notes(model, property, budget).unwrap_or_default(),
            ..sat::holding(model, property)
        };
        tell(Event::Finding(Box::new(finding)));
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
                on_the_fly(
                    model,
                    job,
                    wanted,
                    ExplorationLimits::default(),
                    budget,
                    tell,
                )?;
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
    or_narrow(model, small(model, budget)?, budget)
}

/// The states of the product of a model, of which all states are listed, with a tableau.
pub(crate) fn listed_product<'m, S: StateSpace>(
    space: &S,
    product: &'m Model,
    budget: &Budget,
) -> Run<Listed<'m>> {
    let states = usize::try_from(space.count(space.reachable())?).unwrap_or(0);
    let limits = ExplorationLimits {
        states: FIRST.states.max(states.saturating_mul(PRODUCT)),
        transitions: DEEP.transitions,
    };
    let counted = budget.counted(EFFORT * PRODUCT as u64);
    let explored = Explicit::explore_on(product, limits, 1, &counted);
    or_narrow(product, unless_slow(explored, &counted, budget)?, budget)
}

/// The states of a model that is not small, if each step of the search finds few.
fn or_narrow<'m>(model: &'m Model, small: Listed<'m>, budget: &Budget) -> Run<Listed<'m>> {
    match small {
        Err(Some(large)) if is_narrow(large) => {
            let counted = budget.counted(DEEP_EFFORT);
            let explored = Explicit::explore_narrow(model, DEEP, NARROW, &counted);
            unless_slow(explored, &counted, budget)
        }
        small => Ok(small),
    }
}

/// The states of a model one by one, or what there are too many of, if it is that and not time.
pub(crate) type Listed<'m> = Result<Explicit<'m>, Option<SpaceTooLarge>>;

/// The states of a model one by one, if that is done in no time.
pub(crate) fn small<'m>(model: &'m Model, budget: &Budget) -> Run<Listed<'m>> {
    let counted = budget.counted(EFFORT);
    let first = Explicit::explore_small(model, FIRST, SIGNS, &counted);
    unless_slow(first, &counted, budget)
}

/// Whether so many states were found that it shows, and each step of the search found few of them.
fn is_narrow(large: SpaceTooLarge) -> bool {
    large.what == ExplorationCounts::States && large.limit <= NARROW * large.levels
}

/// What an exploration found, unless the counted part of the budget ended it; the budget itself may go on.
fn unless_slow<'m>(
    explored: Run<Result<Explicit<'m>, SpaceTooLarge>>,
    counted: &Budget,
    budget: &Budget,
) -> Run<Listed<'m>> {
    match explored {
        Ok(Ok(space)) => {
            counted.stop_counting();
            Ok(Ok(space))
        }
        Ok(Err(large)) => budget.check().map(|()| Err(Some(large))),
        Err(_) => budget.check().map(|()| Err(None)),
    }
}

/// How many transitions a state of a large model has on average, as far as it was explored; more if they are hard to find.
fn degree(large: SpaceTooLarge) -> Option<u64> {
    let work = (large.transitions as u64).max(large.turns / TURNS);
    (large.expanded > 0).then(|| work.div_ceil(large.expanded as u64))
}

/// Answers the properties of a job over a list of all states; where they are many, first the invariants that fail soon.
pub(crate) fn by_listing(
    model: &Model,
    job: &Job,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Run<()> {
    let mut answered = Vec::new();
    let mut space = Explicit::explore(model, WHOLE, budget)?;
    if space.is_err() {
        on_the_fly(model, job, &|_| true, WHOLE, budget, &mut |event| {
            if let Event::Finding(finding) = &event {
                answered.push(finding.property);
            }
            tell(event);
        })?;
        if job.selection(model).iter().all(|at| answered.contains(at)) {
            return Ok(());
        }
        space = Explicit::explore(model, ExplorationLimits::default(), budget)?;
    }
    let work = Investigation {
        job,
        strategies: &Strategies::default(),
        budget,
        wanted: &|property| !answered.contains(&property),
        tell,
    };
    work.over(&space.map_err(|_| Stop::Memory)?)
}

/// Refutes invariants that fail, each as soon as a state is found that breaks it.
fn on_the_fly(
    model: &Model,
    job: &Job,
    wanted: &dyn Fn(usize) -> bool,
    limits: ExplorationLimits,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Run<()> {
    for property in job.selection(model) {
        let Some(asked) = invariant(model, property).filter(|_| wanted(property)) else {
            continue;
        };
        let reached = Explicit::search(&asked.model, asked.bad, limits, budget)?;
        let Ok(ReachedState::Yes { part, steps }) = reached else {
            continue;
        };
        let path = part.shortest_path(&part.states_where(asked.bad)?)?;
        let path = path.expect("a state was reached");
        let refutation = SatRefutation {
            trace: BoundedTrace {
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
    use crate::ModelSubject;

    /// A counter of fifteen bits that may be reset, beside some bits that each state may have at will.
    fn counter(beside: usize) -> ModelSubject {
        let mut text = String::from(
            "MODULE main IVAR reset : boolean; VAR n : 0..32767;\n\
             ASSIGN init(n) := 0; next(n) := reset ? 0 : (n + 1) mod 32768;\n",
        );
        for bit in 0..beside {
            text.push_str(&format!("VAR b{bit} : boolean;\n"));
        }
        ModelSubject::from_text("m", &text).expect("it is right")
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
    fn a_solver_answers_at_a_glance_what_is_said_of_wide_numbers_and_leaves_the_rest() {
        let text = "MODULE main VAR n : word[32]; far : word[32];
            ASSIGN init(n) := 0ud32_0; next(n) := n + 0ud32_2;
            init(far) := 0ud32_1; next(far) := far * far + n;
            INVARSPEC n[0:0] = 0ub1_0
            INVARSPEC n < 0ud32_20
            CTLSPEC EF n = 0ud32_6
            CTLSPEC AG EF n = 0ud32_6";
        let session = ModelSubject::from_text("m", text).expect("it is right");
        let model = session.model();
        assert!(is_wide(model));
        let job = Job {
            engine: Engine::Auto,
            ..Job::default()
        };
        let mut verdicts = Vec::new();
        let budget = Budget::unlimited();
        let answered = at_a_glance(model, &job, &budget, &mut |event| {
            if let Event::Finding(finding) = event {
                verdicts.push((finding.property, finding.verdict));
            }
        });
        let answered = answered.expect("there is no limit");
        // A busy machine may leave some of them.
        assert!(verdicts.iter().all(|(property, verdict)| match property {
            0 | 2 => *verdict == Verdict::Holds,
            1 => *verdict == Verdict::Fails,
            _ => false,
        }));
        assert_eq!(answered.len(), verdicts.len());
    }

    #[test]
    fn invariants_that_fail_soon_are_refuted_without_a_list_of_all_states() {
        // Of the counters only the first is near its end.
        let mut text =
            String::from("MODULE main INVARSPEC near.n < 3 INVARSPEC near.n + far.n < 5\n");
        text += "VAR near : counter(9); far : counter(9999); other : counter(9999);\n";
        text += "MODULE counter(most) VAR n : 0..9999; IVAR go : boolean;
            ASSIGN init(n) := 0; next(n) := go & n < most ? n + 1 : n;";
        let session = ModelSubject::from_text("m", &text).expect("it is right");
        let job = Job {
            engine: Engine::Explicit,
            ..Job::default()
        };
        let mut verdicts = Vec::new();
        by_listing(session.model(), &job, &Budget::unlimited(), &mut |event| {
            if let Event::Finding(finding) = event {
                verdicts.push((finding.property, finding.verdict));
            }
        })
        .expect("there is no limit");
        assert_eq!(verdicts, [(0, Verdict::Fails), (1, Verdict::Fails)]);
    }

    #[test]
    fn a_model_that_still_grows_is_not_listed_as_one_that_settles() {
        // Each level has twice as many states as the one before, up to the last one.
        let text = "MODULE main VAR n : 0..8191; ASSIGN init(n) := 1;
            next(n) := case n < 4096 : {2 * n mod 8192, (2 * n + 1) mod 8192}; TRUE : n; esac;";
        let session = ModelSubject::from_text("m", text).expect("it is right");
        let explore = |states, turns| {
            let budget = Budget::unlimited();
            let (limits, signs) = (
                ExplorationLimits::default(),
                GrowthSigns {
                    states,
                    turns,
                    ..SIGNS
                },
            );
            Explicit::explore_small(session.model(), limits, signs, &budget)
                .expect("there is no limit")
        };
        for (states, turns) in [(1000, u64::MAX), (8191, 1000)] {
            let large = explore(states, turns).expect_err("it grows");
            assert_eq!(
                (large.what, large.expanded),
                (ExplorationCounts::States, 511)
            );
        }
        assert!(explore(8191, u64::MAX).is_ok());
    }

    #[test]
    fn states_whose_successors_are_hard_to_find_are_not_listed() {
        let text = "MODULE main VAR n : 0..4095; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4096;";
        let session = ModelSubject::from_text("m", text).expect("it is right");
        let explore = |turns, hard| {
            let signs = GrowthSigns {
                turns,
                hard,
                ..SIGNS
            };
            let budget = Budget::unlimited();
            Explicit::explore_small(
                session.model(),
                ExplorationLimits::default(),
                signs,
                &budget,
            )
            .expect("there is no limit")
        };
        assert!(explore(1000, 0).is_err());
        assert!(explore(1000, 128).is_ok());
        assert!(explore(u64::MAX, 0).is_ok());
    }

    #[test]
    fn of_too_many_initial_states_some_tell_how_many_successors_they_have() {
        let text =
            "MODULE main VAR n : 0..8191; ASSIGN next(n) := n < 8190 ? {n, n + 1, n + 2} : n;";
        let session = ModelSubject::from_text("m", text).expect("it is right");
        let small = small(session.model(), &Budget::unlimited()).expect("there is no limit");
        let large = small.err().flatten().expect("they are too many");
        assert_eq!(degree(large), Some(3));
    }

    #[test]
    fn a_model_that_turns_out_to_be_wide_is_not_listed_as_a_narrow_one() {
        let text = "MODULE main VAR n : 0..8191; ASSIGN next(n) := n;";
        let session = ModelSubject::from_text("m", text).expect("it is right");
        let explore = |width| {
            let budget = Budget::unlimited();
            Explicit::explore_narrow(
                session.model(),
                ExplorationLimits::default(),
                width,
                &budget,
            )
            .expect("there is no limit")
        };
        let large = explore(1).expect_err("all states are in one level");
        assert_eq!((large.what, large.levels), (ExplorationCounts::Width, 1));
        assert!(explore(4).is_ok());
    }
}
