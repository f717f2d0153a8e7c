//! Looking for a run and for a proof in turns, until one of them is found.

use std::time::Duration;

use wherefore_base::{Budget, Run, Value};
use wherefore_check::Tableau;
use wherefore_model::{Constraint, Model, Requirement, Term, TermId, VarId};
use wherefore_sat::{Batsat, Strongest};

use crate::certificate::{Clause, InvariantClauses};
use crate::ic3::{Ic3, InductiveFrame};
use crate::lasso::Lassos;
use crate::liveness::{Watched, watch};
use crate::loops::loops;
use crate::path::{PathChoice, shortest};
use crate::question::{NoState, SatQuestion, question};
use crate::safety::{BoundedReach, Induction};
use crate::steps::BoundedTrace;

/// What came of a property.
#[derive(Clone, Debug)]
pub enum SatOutcome {
    /// It holds, and why.
    Holds(InvariantClauses),
    /// It fails, and how.
    Fails(SatRefutation),
    /// This engine cannot say; the sentence says why.
    Unknown(String),
}

/// How a property fails.
#[derive(Clone, Debug)]
pub struct SatRefutation {
    /// A run of the model that refutes it: the best of the shortest ones. One that ends goes on somehow, if the
    /// property is about runs that do.
    pub trace: BoundedTrace,
    /// The same run in the product with the tableau of the formula, if it was looked for there.
    pub product: Option<(Box<Tableau>, BoundedTrace)>,
    /// How many steps any run that refutes it has, at least.
    pub at_least: usize,
}

/// The first turn of each side; every further one is twice as long.
const TURN: Duration = Duration::from_millis(20);
/// The turn of a search for an invariant that would be enough, before anything else is tried.
const FIRST_TURN: Duration = Duration::from_millis(500);
/// Induction over more steps than this is left to the search for invariants.
const LONGEST_INDUCTION: usize = 24;
/// Turns of fairness that are counted at first.
const TURNS: usize = 4;

/// Decides a property of a model, given by its index.
///
/// # Panics
/// When the model has no property with this index.
pub fn decide(model: &Model, property: usize, budget: &Budget) -> Run<SatOutcome> {
    match question(model, property) {
        Err(why) => Ok(SatOutcome::Unknown(why)),
        Ok(SatQuestion::NoState(question)) => no_state(&question, budget),
        Ok(SatQuestion::NoRun {
            tableau,
            enough,
            path,
        }) => match no_run(model, tableau, enough.as_ref(), path.as_ref(), budget)? {
            // A run in the product with the tableau is a lasso, and a path may be shorter.
            SatOutcome::Fails(known)
                if let Some(path) = path
                    && known.product.is_some() =>
            {
                // What was found stays found.
                let better = shortest(model, &path, &known, budget);
                Ok(SatOutcome::Fails(better.unwrap_or(known)))
            }
            outcome => Ok(outcome),
        },
    }
}

/// An invariant of clauses that shows that no reachable state satisfies a condition; `None`: one does.
pub fn inductive(question: &NoState, budget: &Budget) -> Run<Option<Vec<Clause>>> {
    budget.phase("looking for an invariant");
    let mut ic3 = Ic3::<Batsat>::new(&question.model, budget)?;
    Ok(match ic3.prove(question.bad, budget)? {
        InductiveFrame::Invariant(clauses) => Some(clauses),
        InductiveFrame::Reached(_) => None,
    })
}

/// One turn of a side: `None` when it must wait for its next turn.
fn turn<T>(
    budget: &Budget,
    length: Duration,
    side: impl FnOnce(&Budget) -> Run<T>,
) -> Run<Option<T>> {
    match side(&budget.within(length)) {
        Ok(done) => Ok(Some(done)),
        // The turn is over; whether the whole budget has ended is another question.
        Err(_) => budget.check().map(|()| None),
    }
}

/// A search for an invariant that keeps a condition from being reached.
struct InvariantSearch<'m> {
    ic3: Ic3<'m, Batsat>,
    bad: TermId,
    phase: &'static str,
}

impl<'m> InvariantSearch<'m> {
    fn new(model: &'m Model, bad: TermId, budget: &Budget) -> Run<Self> {
        Ok(Self {
            ic3: Ic3::new(model, budget)?,
            bad,
            phase: "looking for an invariant",
        })
    }
}

/// One turn of a search for an invariant, which is given up for good once the condition is reached.
fn invariant_turn(
    search: &mut Option<InvariantSearch<'_>>,
    length: Duration,
    budget: &Budget,
) -> Run<Option<Vec<Clause>>> {
    let Some(InvariantSearch { ic3, bad, phase }) = search else {
        return Ok(None);
    };
    budget.phase(phase);
    match turn(budget, length, |budget| ic3.prove(*bad, budget))? {
        Some(InductiveFrame::Invariant(clauses)) => return Ok(Some(clauses)),
        Some(InductiveFrame::Reached(_)) => *search = None,
        None => {}
    }
    Ok(None)
}

fn no_state(question: &NoState, budget: &Budget) -> Run<SatOutcome> {
    let (model, bad) = (&*question.model, question.bad);
    let mut reach = BoundedReach::<Strongest>::new(model, bad, budget)?;
    let mut induction = Induction::<Strongest>::new(model, bad, budget)?;
    // Without it, the condition is known to be reached: then only a run is looked for.
    let mut invariant = Some(InvariantSearch::new(model, bad, budget)?);
    let mut length = TURN;
    loop {
        budget.phase("looking for a run of bounded length");
        let found = turn(budget, length, |budget| {
            loop {
                budget.done(reach.depth() as u64);
                if reach.next(budget)? {
                    return Ok(None);
                }
                // The base of the induction: the first `length` states of no run satisfy the condition.
                let shorter = induction.length() <= reach.depth().min(LONGEST_INDUCTION);
                if invariant.is_some() && shorter && induction.next(budget)? {
                    return Ok(Some(induction.length()));
                }
            }
        })?;
        match found {
            None => {}
            Some(Some(steps)) => return Ok(SatOutcome::Holds(InvariantClauses::Steps { steps })),
            Some(None) => {
                let at_least = reach.depth();
                let trace = reach.trace(model.state_vars(), budget)?;
                return Ok(SatOutcome::Fails(SatRefutation {
                    trace,
                    product: None,
                    at_least,
                }));
            }
        }
        if let Some(clauses) = invariant_turn(&mut invariant, length, budget)? {
            return Ok(SatOutcome::Holds(InvariantClauses::Inductive { clauses }));
        }
        // With turns that double, each side gets a constant share of the time.
        length *= 2;
    }
}

/// The search for a bound on the turns of fairness.
struct Bounding {
    /// How many turns are counted.
    counted: usize,
    /// No run is known to have at most so many turns.
    turns: usize,
}

fn no_run(
    model: &Model,
    tableau: Box<Tableau>,
    enough: Option<&NoState>,
    path: Option<&NoState>,
    budget: &Budget,
) -> Run<SatOutcome> {
    let mut invariant = enough
        .map(|enough| InvariantSearch::new(&enough.model, enough.bad, budget))
        .transpose()?;
    // Often this is all there is to it; otherwise the work goes on below.
    if let Some(clauses) = invariant_turn(&mut invariant, FIRST_TURN, budget)? {
        return Ok(SatOutcome::Holds(InvariantClauses::Inductive { clauses }));
    }
    // What is forbidden comes first in every run that refutes, so lassos wait until it was found.
    let mut way = path.map(|path| PathChoice::new(path, budget)).transpose()?;
    let mut lassos = Lassos::<Strongest>::new(&tableau.model, budget)?;
    let mut bounding = Bounding {
        counted: TURNS,
        turns: 0,
    };
    let mut watched = watch(&tableau.model, bounding.counted);
    let looping = loops(&tableau.model);
    let (mut no_loop, mut closed) = (None::<InvariantSearch<'_>>, false);
    let mut length = TURN;
    loop {
        let mut ic3 = Ic3::<Batsat>::new(&watched.model, budget)?;
        loop {
            if let Some(clauses) = invariant_turn(&mut invariant, length, budget)? {
                return Ok(SatOutcome::Holds(InvariantClauses::Inductive { clauses }));
            }
            if let Some(refuted) = path_turn(&mut way, model, length, budget)? {
                return Ok(SatOutcome::Fails(refuted));
            }
            // As long as an invariant may be enough, most of the time is for that.
            let share = match invariant {
                Some(_) => length / 4,
                None => length,
            };
            budget.phase("looking for a lasso of bounded length");
            if way.is_none() && lasso_turn(&mut lassos, share, budget)? {
                let at_least = lassos.length();
                let product = lassos.trace(budget)?;
                return Ok(SatOutcome::Fails(SatRefutation {
                    trace: lifted(&product, model.state_vars()),
                    product: Some((tableau, product)),
                    at_least,
                }));
            }
            let proof = bounding.turn(&mut ic3, &watched, share, budget)?;
            length *= 2;
            match proof {
                Some(Some(clauses)) => {
                    return Ok(SatOutcome::Holds(InvariantClauses::Turns {
                        watched: Box::new(watched.model.clone()),
                        turns: bounding.turns,
                        counted: bounding.counted,
                        clauses,
                    }));
                }
                Some(None) => break,
                None => {}
            }
            // The bound is not low, or hard to find: loops are looked at beside.
            let stuck = bounding.counted > TURNS || length > FIRST_TURN;
            if stuck && !closed && no_loop.is_none() {
                no_loop = Some(InvariantSearch {
                    phase: "looking for an invariant that keeps loops open",
                    ..InvariantSearch::new(&looping.model, looping.bad, budget)?
                });
            }
            let searched = no_loop.is_some();
            if let Some(clauses) = invariant_turn(&mut no_loop, share, budget)? {
                return Ok(SatOutcome::Holds(InvariantClauses::Loops { clauses }));
            }
            // A loop that can be closed need not be a shortest one, which the search for lassos finds.
            closed |= searched && no_loop.is_none();
        }
        bounding.counted *= 4;
        // It reads the old model, which is replaced below.
        drop(ic3);
        watched = watch(&tableau.model, bounding.counted);
    }
}

/// One turn of the search for a path to what is forbidden, which is over once there is one.
fn path_turn(
    way: &mut Option<PathChoice<'_>>,
    model: &Model,
    length: Duration,
    budget: &Budget,
) -> Run<Option<SatRefutation>> {
    let Some(mut searched) = way.take() else {
        return Ok(None);
    };
    budget.phase("looking for a path of bounded length");
    let found = turn(budget, length, |budget| {
        loop {
            budget.done(searched.depth() as u64);
            if searched.next(budget)? {
                return Ok(());
            }
        }
    })?;
    if found.is_none() {
        *way = Some(searched);
        return Ok(None);
    }
    searched.refutation(model, length, budget)
}

/// One turn of the search for a lasso: whether there is one.
fn lasso_turn(lassos: &mut Lassos<'_, Strongest>, length: Duration, budget: &Budget) -> Run<bool> {
    let found = turn(budget, length, |budget| {
        loop {
            budget.done(lassos.length() as u64);
            if lassos.next(budget)? {
                return Ok(());
            }
        }
    })?;
    Ok(found.is_some())
}

impl Bounding {
    /// One turn of the proof that fairness is met at most so often. The inner `None`: all turns that are counted
    /// can be taken, so more must be.
    fn turn(
        &mut self,
        ic3: &mut Ic3<'_, Batsat>,
        watched: &Watched,
        length: Duration,
        budget: &Budget,
    ) -> Run<Option<Option<Vec<Clause>>>> {
        budget.phase("bounding how often fairness is met");
        turn(budget, length, |budget| {
            while self.turns < self.counted {
                let bad = watched.turns[self.turns];
                if let InductiveFrame::Invariant(clauses) = ic3.prove(bad, budget)? {
                    return Ok(Some(clauses));
                }
                self.turns += 1;
            }
            Ok(None)
        })
    }
}

/// A run of the product as a run of the model: its variables come first.
pub(crate) fn lifted(product: &BoundedTrace, vars: usize) -> BoundedTrace {
    let states = product.states.iter().map(|state| state[..vars].to_vec());
    BoundedTrace {
        states: states.collect(),
        back: product.back,
    }
}

/// A run that ends, and how it can go on for ever, fairly, in a lasso of at most so many steps. `None`: it
/// cannot.
///
/// # Panics
/// When the run has no state.
pub(crate) fn continued(
    model: &Model,
    trace: &BoundedTrace,
    most: usize,
    budget: &Budget,
) -> Run<Option<BoundedTrace>> {
    let last = trace.states.last().expect("a run has a state");
    let mut from = Model {
        properties: vec![],
        init: vec![],
        ..model.clone()
    };
    for (at, &value) in last.iter().enumerate() {
        let requires = Requirement::Assign(VarId::new(at), constant(&mut from, value));
        let span = model.vars[VarId::new(at)].span;
        from.init.push(Constraint { requires, span });
    }
    let mut lassos = Lassos::<Strongest>::new(&from, budget)?;
    while !lassos.next(budget)? {
        if lassos.length() > most || lassos.is_dead_end(budget)? {
            return Ok(None);
        }
    }
    let rest = lassos.any(budget)?;
    // The continuation begins with the last state of the run.
    let before = trace.states.len() - 1;
    let states = trace.states[..before].iter().chain(&rest.states);
    Ok(Some(BoundedTrace {
        states: states.cloned().collect(),
        back: rest.back.map(|back| before + back),
    }))
}

fn constant(model: &mut Model, value: Value) -> TermId {
    model.terms.add(Term::Const(value), None)
}
