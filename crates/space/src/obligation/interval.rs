//! Between which integers a term lies where some conditions are true. The domains of variables tell, and conditions
//! that compare: in `n < 9 ? n + 1 : 0` the sum is at most 9.

use rustc_hash::FxHashMap;
use wherefore_base::{Value, deep};
use wherefore_model::{BinaryOp, Domain, Model, Obligation, Requirement, Term, TermId, VarId};

/// So many terms are looked at for an obligation.
const EFFORT: usize = 10_000;

/// The least and the greatest integer.
type Interval = (i128, i128);

/// A variable of the present or of the next state.
type IntervalVar = (bool, VarId);

/// Finds the intervals of terms.
pub(super) struct Intervals<'m> {
    model: &'m Model,
    /// What is assumed of variables; those that are not here have all values of their domains.
    assumed: FxHashMap<IntervalVar, Interval>,
    effort: usize,
}

impl<'m> Intervals<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Self {
            model,
            assumed: FxHashMap::default(),
            effort: 0,
        }
    }

    /// Whether an obligation is met whatever the variables are; `false` when that is not obvious.
    pub(super) fn surely_met(&mut self, obligation: &Obligation) -> bool {
        self.assumed.clear();
        self.effort = EFFORT;
        // Where the conditions contradict each other, nothing is required.
        if !obligation.when.iter().all(|&term| self.assume(term, true)) {
            return true;
        }
        match obligation.requires {
            // What cannot be assumed to be false holds.
            Requirement::Holds(term) => !self.assume(term, false),
            Requirement::Assign(var, term) => match self.model.vars[var].domain {
                Domain::Range { low, high } => self.interval(term).is_some_and(|(least, most)| {
                    i128::from(low) <= least && most <= i128::from(high)
                }),
                _ => false,
            },
        }
    }

    /// Assumes that a condition is true, or false, as far as that says something of single variables. `false`: it cannot
    /// be.
    fn assume(&mut self, id: TermId, holds: bool) -> bool {
        use BinaryOp as B;
        let model = self.model;
        deep(|| match (model.terms.get(id), holds) {
            (Term::Const(Value::Bool(value)), _) => *value == holds,
            (Term::Not(a), _) => self.assume(*a, !holds),
            (Term::Binary(B::And, a, b), true) => self.assume(*a, true) && self.assume(*b, true),
            (Term::Binary(B::Or, a, b), false) => self.assume(*a, false) && self.assume(*b, false),
            (Term::Binary(B::Implies, a, b), false) => {
                self.assume(*a, true) && self.assume(*b, false)
            }
            (Term::Binary(op, a, b), _) => match (op, holds) {
                (B::Less, true) | (B::GreaterEqual, false) => self.at_most(*a, *b, 1),
                (B::LessEqual, true) | (B::Greater, false) => self.at_most(*a, *b, 0),
                (B::Greater, true) | (B::LessEqual, false) => self.at_most(*b, *a, 1),
                (B::GreaterEqual, true) | (B::Less, false) => self.at_most(*b, *a, 0),
                (B::Equal, true) | (B::Unequal, false) => {
                    self.at_most(*a, *b, 0) && self.at_most(*b, *a, 0)
                }
                (B::Equal, false) | (B::Unequal, true) => {
                    self.differ(*a, *b) && self.differ(*b, *a)
                }
                _ => true,
            },
            (Term::Member(a, set), true) => match self.interval(*set) {
                Some(hull) => self.narrow(*a, hull),
                None => true,
            },
            _ => true,
        })
    }

    /// Assumes that a term is less than another by this much at least.
    fn at_most(&mut self, a: TermId, b: TermId, less: i128) -> bool {
        let (Some((least, _)), Some((_, most))) = (self.interval(a), self.interval(b)) else {
            return true;
        };
        // Intervals fit 64 bits, so nothing overflows here.
        self.narrow(a, (i128::MIN, most - less)) && self.narrow(b, (least + less, i128::MAX))
    }

    /// Assumes that a term is not what another surely is.
    fn differ(&mut self, a: TermId, b: TermId) -> bool {
        match (self.interval(a), self.interval(b)) {
            (Some((least, most)), Some((only, same))) if only == same => {
                let least = if least == only { least + 1 } else { least };
                let most = if most == only { most - 1 } else { most };
                self.narrow(a, (least, most))
            }
            _ => true,
        }
    }

    /// Assumes that a term lies in an interval. `false`: it does not.
    fn narrow(&mut self, id: TermId, (low, high): Interval) -> bool {
        let Some((least, most)) = self.interval(id) else {
            return true;
        };
        let narrowed = (least.max(low), most.min(high));
        match self.model.terms.get(id) {
            Term::Var(var) => drop(self.assumed.insert((false, *var), narrowed)),
            Term::Next(var) => drop(self.assumed.insert((true, *var), narrowed)),
            _ => {}
        }
        narrowed.0 <= narrowed.1
    }

    /// `None`: it is no integer, or nothing is known of it.
    fn interval(&mut self, id: TermId) -> Option<Interval> {
        // Without effort left nothing is known, which is always sound.
        self.effort = self.effort.checked_sub(1)?;
        let model = self.model;
        let (least, most) = deep(|| match model.terms.get(id) {
            Term::Const(Value::Int(n)) => Some((i128::from(*n), i128::from(*n))),
            Term::Var(var) => self.of_variable((false, *var)),
            Term::Next(var) => self.of_variable((true, *var)),
            Term::Negate(a) => self.interval(*a).map(|(least, most)| (-most, -least)),
            Term::Binary(op, a, b) => self.of_operator(*op, *a, *b),
            Term::Ite(condition, then, otherwise) => {
                let before = self.assumed.clone();
                let mut branch = |holds: bool, value: TermId| {
                    self.assumed.clone_from(&before);
                    // A branch whose condition cannot be adds no values.
                    match self.assume(*condition, holds) {
                        true => Some(Some(self.interval(value)?)),
                        false => Some(None),
                    }
                };
                let branches = [branch(true, *then), branch(false, *otherwise)];
                self.assumed = before;
                let [then, otherwise] = branches;
                hull(then?.into_iter().chain(otherwise?))
            }
            Term::Set(members) => {
                let members = members.iter().map(|&member| self.interval(member));
                hull(members.collect::<Option<Vec<_>>>()?)
            }
            Term::Count(conditions) => Some((0, conditions.len() as i128)),
            _ => None,
        })?;
        // Arithmetic wraps.
        let fits = i128::from(i64::MIN) <= least && most <= i128::from(i64::MAX);
        fits.then_some((least, most))
    }

    fn of_variable(&self, copied: IntervalVar) -> Option<Interval> {
        if let Some(&assumed) = self.assumed.get(&copied) {
            return Some(assumed);
        }
        match &self.model.vars[copied.1].domain {
            Domain::Range { low, high } => Some((i128::from(*low), i128::from(*high))),
            _ => None,
        }
    }

    fn of_operator(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Option<Interval> {
        let ((a, b), (c, d)) = (self.interval(a)?, self.interval(b)?);
        match op {
            BinaryOp::Add => Some((a + c, b + d)),
            BinaryOp::Sub => Some((a - d, b - c)),
            BinaryOp::Mul => hull([a * c, a * d, b * c, b * d].map(|product| (product, product))),
            // With positive divisors the extremes are among the quotients of the ends.
            BinaryOp::Div if c > 0 => {
                hull([a / c, a / d, b / c, b / d].map(|quotient| (quotient, quotient)))
            }
            BinaryOp::Mod if c > 0 && a >= 0 => Some((0, b.min(d - 1))),
            BinaryOp::Mod if c > 0 => Some((1 - d, d - 1)),
            _ => None,
        }
    }
}

/// The least interval with all of some.
fn hull(intervals: impl IntoIterator<Item = Interval>) -> Option<Interval> {
    let join = |one: Interval, other: Interval| (one.0.min(other.0), one.1.max(other.1));
    intervals.into_iter().reduce(join)
}
