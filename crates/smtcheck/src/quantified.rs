//! Bounded formulas with both path quantifiers, as formulas with quantifiers over states.
//!
//! What [`crate::plan`] does for formulas with `E` only, without quantifiers, is done here for all: `A` becomes a
//! universal quantifier over the next state and the inputs. So `EF p` is proved by a query that asks for an initial state
//! from which no path of bounded length reaches `p`.

use wherefore_base::deep;
use wherefore_logic::Quantifier as For;
use wherefore_smt::{Deadlock, SmtCtl, SmtQuantifier, SmtTermId};

use crate::kripke::{PlaceGraph, StateCopy};
use crate::plan::BoundedReading;

/// The formula (negations at atoms) at a place, with paths of so many steps; none where this reading has no bound for an
/// operator, or the state has functions.
pub(crate) fn bounded_term(
    kripke: &mut PlaceGraph,
    formula: &SmtCtl,
    at: StateCopy,
    steps: usize,
    bounded: BoundedReading,
) -> Option<SmtTermId> {
    written(kripke, formula, at, steps, bounded, false)
}

/// The same inside a universal quantifier over the place.
pub(crate) fn bounded_inside(
    kripke: &mut PlaceGraph,
    formula: &SmtCtl,
    at: StateCopy,
    steps: usize,
    bounded: BoundedReading,
) -> Option<SmtTermId> {
    written(kripke, formula, at, steps, bounded, true)
}

fn written(
    kripke: &mut PlaceGraph,
    formula: &SmtCtl,
    at: StateCopy,
    steps: usize,
    bounded: BoundedReading,
    inside: bool,
) -> Option<SmtTermId> {
    if kripke.system.has_functions() {
        return None;
    }
    let trans = kripke.trans;
    let cases = kripke.terms().disjuncts(trans).len();
    let width = u32::try_from(steps).unwrap_or(u32::MAX);
    // Each step multiplies the number of quantifiers by the number of cases.
    let split = cases
        .checked_pow(width)
        .is_some_and(|ways| ways <= MOST_WAYS);
    let mut work = QuantifiedWorker {
        kripke,
        steps,
        bounded,
        split,
    };
    work.term(formula, at, inside)
}

/// The most sequences of kinds of steps that are written out one by one.
const MOST_WAYS: usize = 64;

struct QuantifiedWorker<'a> {
    kripke: &'a mut PlaceGraph,
    steps: usize,
    bounded: BoundedReading,
    /// Whether universal quantifiers are written for each kind of step by itself, where the next state is a value that
    /// solvers can put in its place.
    split: bool,
}

impl QuantifiedWorker<'_> {
    /// The formula at a place; `inside` says whether a universal quantifier is around it, so that what is chosen must be
    /// chosen by a quantifier as well.
    fn term(&mut self, formula: &SmtCtl, at: StateCopy, inside: bool) -> Option<SmtTermId> {
        match formula {
            SmtCtl::Atom(term) => Some(self.kripke.at(*term, at)),
            SmtCtl::Not(_) => None,
            SmtCtl::And(parts) | SmtCtl::Or(parts) => {
                let parts: Option<Vec<SmtTermId>> = parts
                    .iter()
                    .map(|f| deep(|| self.term(f, at, inside)))
                    .collect();
                let terms = self.kripke.terms();
                Some(match formula {
                    SmtCtl::And(_) => terms.and(&parts?),
                    _ => terms.or(&parts?),
                })
            }
            SmtCtl::Next(path, inner) => self.next(*path, at, inside, |work, to, inside| {
                deep(|| work.term(inner, to, inside))
            }),
            SmtCtl::Finally(path, goal) => {
                let always = SmtCtl::Atom(self.kripke.terms().bool(true));
                self.path(*path, &always, goal, true, at, self.steps, inside)
            }
            SmtCtl::Globally(path, stay) => {
                let never = SmtCtl::Atom(self.kripke.terms().bool(false));
                self.path(*path, stay, &never, false, at, self.steps, inside)
            }
            SmtCtl::Until(path, stay, goal) => {
                self.path(*path, stay, goal, true, at, self.steps, inside)
            }
            SmtCtl::WeakUntil(path, stay, goal) => {
                self.path(*path, stay, goal, false, at, self.steps, inside)
            }
        }
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "a path is its operator, its operands and where it stands"
    )]
    fn path(
        &mut self,
        path: For,
        stay: &SmtCtl,
        goal: &SmtCtl,
        strong: bool,
        at: StateCopy,
        steps: usize,
        inside: bool,
    ) -> Option<SmtTermId> {
        // Within a bound a strong operator can only be shown, and a weak one only be excluded.
        if strong != (self.bounded == BoundedReading::Surely) {
            return None;
        }
        let goal_here = deep(|| self.term(goal, at, inside))?;
        let stay_here = deep(|| self.term(stay, at, inside))?;
        let mut on = match steps {
            0 => self.kripke.terms().bool(!strong),
            _ => self.next(path, at, inside, |work, to, inside| {
                deep(|| work.path(path, stay, goal, strong, to, steps - 1, inside))
            })?,
        };
        if self.kripke.deadlock == Deadlock::Fail {
            let live = self.kripke.live?;
            let live = self.kripke.at(live, at);
            let dead = self.kripke.terms().not(live);
            // At a dead end the path is over: what had to stay has stayed, and what had to come never does.
            match (path, strong) {
                (For::Exists, false) => on = self.kripke.terms().or(&[dead, on]),
                (For::Forall, true) => on = self.kripke.terms().and(&[live, on]),
                _ => {}
            }
        }
        let on = self.kripke.terms().and(&[stay_here, on]);
        Some(self.kripke.terms().or(&[goal_here, on]))
    }

    fn next(
        &mut self,
        path: For,
        at: StateCopy,
        inside: bool,
        then: impl FnOnce(&mut Self, StateCopy, bool) -> Option<SmtTermId>,
    ) -> Option<SmtTermId> {
        // Outside of all universal quantifiers a fresh constant stands for an existential one (Skolem).
        let chosen = path == For::Exists && !inside;
        let to = match chosen {
            true => self.kripke.place(),
            false => self.kripke.bound_place(),
        };
        let edge = match chosen {
            true => self.kripke.edge(at, to),
            false => self.kripke.bound_edge(at, to),
        };
        let step = self.kripke.step(&edge);
        let then = then(self, to, inside || path == For::Forall)?;
        let binders = self.kripke.binders(&edge);
        let terms = self.kripke.terms();
        Some(match path {
            For::Exists => {
                let both = terms.and(&[step, then]);
                match chosen {
                    true => both,
                    false => terms.quantified(SmtQuantifier::Exists, &binders, both),
                }
            }
            For::Forall => {
                let cases = match self.split {
                    true => terms.disjuncts(step),
                    false => vec![step],
                };
                let all: Vec<SmtTermId> = cases
                    .into_iter()
                    .map(|case| {
                        let implied = terms.implies(case, then);
                        terms.quantified(SmtQuantifier::Forall, &binders, implied)
                    })
                    .collect();
                terms.and(&all)
            }
        })
    }
}
