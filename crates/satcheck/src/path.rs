//! Properties that are refuted by a path with an end: the shortest one.
//!
//! What a formula such as `AG (p -> AX q)` forbids shows after finitely many steps. Variables remember how far
//! a run has come on the way to that, so the last state of such a path is one that satisfies a condition, and
//! the shortest path to it is found as for invariants. A path of a rule that asks for fair infinite runs must
//! be the beginning of one: the best path often is, otherwise the one stays that was found with its lasso.

use std::time::Duration;

use wherefore_base::{Budget, Run, deep};
use wherefore_logic::{LinearOp, Op, SubId};
use wherefore_model::{BinaryOp, Domain, Model, Query, TermId};
use wherefore_sat::Strongest;

use crate::decide::{SatRefutation, continued};
use crate::question::{NoState, conditions, goes_on};
use crate::safety::BoundedReach;
use crate::steps::BoundedTrace;
use crate::watcher::Watcher;

/// A path may go on in a lasso with so many steps more than the one that is known.
const MORE: usize = 8;

/// How often a solver may ask whether to stop while it looks for a way to go on that is there for certain.
const WAY_ON: u64 = 200_000;

/// The model, watched by what a linear-time formula forbids, and that it has happened. `None`: the formula
/// can be refuted by what never comes.
pub(crate) fn path(model: &Model, query: &Query) -> Option<NoState> {
    let plain = query.formula.propositional();
    let plain = |sub| plain[sub];
    let room = 1 + memories(query, query.formula.root(), &plain)?;
    let mut watcher = Watcher::new(model, vec![Domain::Bool; room]);
    let truth = conditions(&mut watcher.model, query);
    let mut forbidding = Forbidding {
        query,
        plain: &plain,
        truth: &|sub| truth[sub].expect("it speaks of the present state"),
        watcher,
    };
    let (begun, has_begun) = forbidding.watcher.variable();
    let always = forbidding.watcher.constant(true);
    forbidding.watcher.starts_false_and_becomes(begun, always);
    // This is true at the first position only.
    let first = forbidding.watcher.not(has_begun);
    let bad = forbidding.refuted(query.formula.root(), first);
    Some(NoState {
        model: Box::new(forbidding.watcher.model),
        bad,
    })
}

/// A refutation by the best of the shortest paths, if that can go on as the one that is known does; otherwise
/// the known one. Either way no path to what is forbidden has fewer steps than it says.
pub(crate) fn shortest(
    model: &Model,
    path: &NoState,
    known: &SatRefutation,
    budget: &Budget,
) -> Run<SatRefutation> {
    let mut way = PathChoice::new(path, budget)?;
    // A run that refutes the formula is known, and it comes to such a state, so this ends.
    while !way.next(budget)? {}
    let at_least = way.depth();
    let trace = way.trace(model, budget)?;
    // Without fairness the search for a way to go on ends by itself.
    let most = match model.fairness.is_empty() {
        true => usize::MAX,
        false => known.trace.states.len() + MORE,
    };
    let continued = continued(model, &trace, most, budget)?;
    Ok(SatRefutation {
        trace: continued.unwrap_or_else(|| known.trace.clone()),
        product: None,
        at_least,
    })
}

/// The search for the shortest path to what is forbidden.
pub(crate) struct PathChoice<'p>(BoundedReach<'p, Strongest>);

impl<'p> PathChoice<'p> {
    pub(crate) fn new(path: &'p NoState, budget: &Budget) -> Run<Self> {
        Ok(Self(BoundedReach::new(&path.model, path.bad, budget)?))
    }

    /// No path has fewer steps.
    pub(crate) fn depth(&self) -> usize {
        self.0.depth()
    }

    /// Whether there is a path of [`PathChoice::depth`] steps; if not, the depth grows.
    pub(crate) fn next(&mut self, budget: &Budget) -> Run<bool> {
        self.0.next(budget)
    }

    /// The best of the paths, as one of the model, after [`PathChoice::next`] found that there is one.
    fn trace(self, model: &Model, budget: &Budget) -> Run<BoundedTrace> {
        let vars = model.state_vars();
        let mut trace = self.0.trace(vars, budget)?;
        for state in &mut trace.states {
            state.truncate(vars);
        }
        Ok(trace)
    }

    /// The best of the paths and a way to go on, after [`PathChoice::next`] found that there is one. `None`: it cannot
    /// go on, or a way for it to go on fairly was looked for as long as it took to find the path. Where every state
    /// has a successor by form, and the way is long, the path without it.
    pub(crate) fn refutation(
        self,
        model: &Model,
        patience: Duration,
        budget: &Budget,
    ) -> Run<Option<SatRefutation>> {
        let at_least = self.depth();
        let trace = self.trace(model, budget)?;
        let patient = match model.fairness.is_empty() {
            _ if goes_on(model) => budget.counted(WAY_ON),
            // Without fairness the search for a way to go on ends by itself.
            true => budget.clone(),
            false => budget.within(patience),
        };
        let continued = match continued(model, &trace, usize::MAX, &patient) {
            Ok(found) => found,
            Err(_) => budget.check().map(|()| goes_on(model).then_some(trace))?,
        };
        Ok(continued.map(|trace| SatRefutation {
            trace,
            product: None,
            at_least,
        }))
    }
}

/// How many variables remember something, if the formula forbids only what shows after finitely many steps.
fn memories(query: &Query, sub: SubId, plain: &dyn Fn(SubId) -> bool) -> Option<usize> {
    if plain(sub) {
        return Some(0);
    }
    let of = |sub| deep(|| memories(query, sub, plain));
    match query.formula.op(sub) {
        Op::And(f, g) => Some(of(f)? + of(g)?),
        Op::Or(f, g) if plain(f) => of(g),
        Op::Or(f, g) if plain(g) => of(f),
        Op::Implies(f, g) if plain(f) => of(g),
        Op::Linear(LinearOp::Next(f) | LinearOp::Globally(f)) => Some(1 + of(f)?),
        Op::Linear(LinearOp::WeakUntil(f, g)) if plain(g) => Some(1 + of(f)?),
        Op::Linear(LinearOp::Release(f, g)) if plain(f) => Some(1 + of(g)?),
        _ => None,
    }
}

struct Forbidding<'a> {
    query: &'a Query,
    plain: &'a dyn Fn(SubId) -> bool,
    truth: &'a dyn Fn(SubId) -> TermId,
    watcher: Watcher,
}

impl Forbidding<'_> {
    /// That it has just become clear that a sub-formula is false at an earlier position, or at this one.
    /// Which positions count is said by a condition that is true there.
    fn refuted(&mut self, sub: SubId, counts: TermId) -> TermId {
        deep(|| self.refuted_here(sub, counts))
    }

    fn refuted_here(&mut self, sub: SubId, counts: TermId) -> TermId {
        if (self.plain)(sub) {
            let not = self.watcher.not((self.truth)(sub));
            return self.watcher.binary(BinaryOp::And, counts, not);
        }
        match self.query.formula.op(sub) {
            Op::And(f, g) => {
                let (f, g) = (self.refuted(f, counts), self.refuted(g, counts));
                self.watcher.binary(BinaryOp::Or, f, g)
            }
            Op::Or(f, g) if (self.plain)(f) => self.unless(f, g, counts),
            Op::Or(f, g) => self.unless(g, f, counts),
            Op::Implies(f, g) => {
                let counts = self.watcher.binary(BinaryOp::And, counts, (self.truth)(f));
                self.refuted(g, counts)
            }
            Op::Linear(LinearOp::Next(f)) => {
                let (var, before) = self.watcher.variable();
                self.watcher.starts_false_and_becomes(var, counts);
                self.refuted(f, before)
            }
            Op::Linear(LinearOp::Globally(f)) => {
                let (var, before) = self.watcher.variable();
                let since = self.watcher.binary(BinaryOp::Or, counts, before);
                self.watcher.starts_false_and_becomes(var, since);
                self.refuted(f, since)
            }
            Op::Linear(LinearOp::WeakUntil(f, g)) => {
                let (var, before) = self.watcher.variable();
                let since = self.watcher.binary(BinaryOp::Or, counts, before);
                let not = self.watcher.not((self.truth)(g));
                let since = self.watcher.binary(BinaryOp::And, since, not);
                self.watcher.starts_false_and_becomes(var, since);
                self.refuted(f, since)
            }
            Op::Linear(LinearOp::Release(f, g)) => {
                let (var, before) = self.watcher.variable();
                let since = self.watcher.binary(BinaryOp::Or, counts, before);
                let not = self.watcher.not((self.truth)(f));
                let next = self.watcher.binary(BinaryOp::And, since, not);
                self.watcher.starts_false_and_becomes(var, next);
                // Where `f` comes, `g` is asked for one last time.
                self.refuted(g, since)
            }
            _ => unreachable!("the variables of other formulas are not counted"),
        }
    }

    /// That `g` is refuted, from positions where `f` is false.
    fn unless(&mut self, f: SubId, g: SubId, counts: TermId) -> TermId {
        let not = self.watcher.not((self.truth)(f));
        let counts = self.watcher.binary(BinaryOp::And, counts, not);
        self.refuted(g, counts)
    }
}
