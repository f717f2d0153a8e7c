//! Branching-time formulas whose atoms are terms, and the fragment that one query to a solver decides.
//!
//! CTL-live (Vakili and Day 2014) has the connectives that are least fixpoints: `EX`, `AX`, `EF`, `AF`, `EU` and `AU`,
//! joined by `and` and `or`, with negation at atoms only. Its formulas follow from first-order axioms; `AG` and `EG` do not.

use std::fmt;

use wherefore_base::{IndexVec, deep};
use wherefore_logic::{AtomId, Formula, Op, PathOp, Quantifier, SubId};

use crate::term::{TermId, Terms};

/// A formula: an atom is a term over the present state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ctl {
    /// A condition on the present state.
    Atom(TermId),
    /// Not so.
    Not(Box<Ctl>),
    /// All of them.
    And(Vec<Ctl>),
    /// Some of them.
    Or(Vec<Ctl>),
    /// After one step of every path, or of some path.
    Next(Quantifier, Box<Ctl>),
    /// At some time.
    Finally(Quantifier, Box<Ctl>),
    /// At all times.
    Globally(Quantifier, Box<Ctl>),
    /// The first until the second, which comes.
    Until(Quantifier, Box<Ctl>, Box<Ctl>),
    /// The first until the second, or for ever.
    WeakUntil(Quantifier, Box<Ctl>, Box<Ctl>),
}

/// What kind of formula it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Class {
    /// A condition on initial states.
    State,
    /// A formula of CTL-live.
    Live,
    /// `AG f` with `f` a condition on the state: an invariant.
    Invariant,
    /// `AG f` with `f` in CTL-live.
    AlwaysLive,
    /// Another formula: a sentence says which part is not in CTL-live and what could be asked instead.
    Other(String),
}

impl Ctl {
    /// The formula that a tree with atoms says; `None` for operators that are not of CTL, which readers refuse.
    pub fn of(
        formula: &Formula,
        atoms: &IndexVec<AtomId, TermId>,
        terms: &mut Terms,
    ) -> Option<Self> {
        from(formula, formula.root(), atoms, terms)
    }

    /// The same formula with negations moved into the atoms.
    #[must_use]
    pub fn negation_normal(&self, terms: &mut Terms) -> Self {
        normal(self, true, terms)
    }

    /// The denied formula, with negations moved into the atoms.
    #[must_use]
    pub fn negated(&self, terms: &mut Terms) -> Self {
        normal(self, false, terms)
    }

    /// The formulas all of which must hold: conjunctions are split, at the top and under `AG`.
    pub fn parts(&self) -> Vec<Ctl> {
        match self {
            Ctl::And(operands) => operands.iter().flat_map(|f| deep(|| f.parts())).collect(),
            Ctl::Globally(Quantifier::Forall, inner) => {
                let parts = deep(|| inner.parts());
                let always = |part| Ctl::Globally(Quantifier::Forall, Box::new(part));
                parts.into_iter().map(always).collect()
            }
            _ => vec![self.clone()],
        }
    }

    /// The term that it is, if it speaks of the present state only.
    pub fn state(&self, terms: &mut Terms) -> Option<TermId> {
        Some(match self {
            Ctl::Atom(term) => *term,
            Ctl::Not(inner) => {
                let inner = deep(|| inner.state(terms))?;
                terms.not(inner)
            }
            Ctl::And(operands) | Ctl::Or(operands) => {
                let states: Option<Vec<TermId>> =
                    operands.iter().map(|f| deep(|| f.state(terms))).collect();
                match self {
                    Ctl::And(_) => terms.and(&states?),
                    _ => terms.or(&states?),
                }
            }
            _ => return None,
        })
    }

    /// What kind of formula it is.
    pub fn class(&self, terms: &mut Terms) -> Class {
        let normal = self.negation_normal(terms);
        if normal.state(terms).is_some() {
            return Class::State;
        }
        if let Ctl::Globally(Quantifier::Forall, inner) = &normal {
            if inner.state(terms).is_some() {
                return Class::Invariant;
            }
            if why_not_live(inner).is_none() {
                return Class::AlwaysLive;
            }
        }
        match why_not_live(&normal) {
            None => Class::Live,
            Some(why) => Class::Other(why),
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::State => "a condition on initial states",
            Class::Live => "CTL-live",
            Class::Invariant => "an invariant",
            Class::AlwaysLive => "AG of CTL-live",
            Class::Other(_) => "CTL",
        })
    }
}

/// Why a formula with its negations at atoms is not in CTL-live, if it is not.
fn why_not_live(formula: &Ctl) -> Option<String> {
    let greatest = |name: &str| {
        Some(format!(
            "{name} asks for something that goes on for ever, which no first-order theory can say; \
             CTL-live has EX, AX, EF, AF, EU and AU, and no temporal operator under a negation"
        ))
    };
    match formula {
        Ctl::Atom(_) => None,
        Ctl::Not(inner) | Ctl::Next(_, inner) | Ctl::Finally(_, inner) => {
            deep(|| why_not_live(inner))
        }
        Ctl::And(operands) | Ctl::Or(operands) => {
            operands.iter().find_map(|f| deep(|| why_not_live(f)))
        }
        Ctl::Until(_, a, b) => deep(|| why_not_live(a)).or_else(|| deep(|| why_not_live(b))),
        Ctl::Globally(Quantifier::Forall, _) => greatest("AG"),
        Ctl::Globally(Quantifier::Exists, _) => greatest("EG"),
        Ctl::WeakUntil(Quantifier::Forall, ..) => greatest("AW"),
        Ctl::WeakUntil(Quantifier::Exists, ..) => greatest("EW"),
    }
}

fn dual(quantifier: Quantifier) -> Quantifier {
    match quantifier {
        Quantifier::Exists => Quantifier::Forall,
        Quantifier::Forall => Quantifier::Exists,
    }
}

fn normal(formula: &Ctl, positive: bool, terms: &mut Terms) -> Ctl {
    let mut go = |f: &Ctl, positive: bool| deep(|| normal(f, positive, terms));
    let q = |quantifier: Quantifier| {
        if positive {
            quantifier
        } else {
            dual(quantifier)
        }
    };
    match formula {
        Ctl::Atom(term) if positive => Ctl::Atom(*term),
        Ctl::Atom(term) => Ctl::Atom(terms.not(*term)),
        Ctl::Not(inner) => go(inner, !positive),
        Ctl::And(operands) | Ctl::Or(operands) => {
            let all = operands.iter().map(|f| go(f, positive)).collect();
            match matches!(formula, Ctl::And(_)) == positive {
                true => Ctl::And(all),
                false => Ctl::Or(all),
            }
        }
        Ctl::Next(quantifier, inner) => Ctl::Next(q(*quantifier), Box::new(go(inner, positive))),
        Ctl::Finally(quantifier, inner) | Ctl::Globally(quantifier, inner) => {
            let inner = Box::new(go(inner, positive));
            match matches!(formula, Ctl::Finally(..)) == positive {
                true => Ctl::Finally(q(*quantifier), inner),
                false => Ctl::Globally(q(*quantifier), inner),
            }
        }
        Ctl::Until(quantifier, a, b) | Ctl::WeakUntil(quantifier, a, b) => {
            let (a, b) = (go(a, positive), go(b, positive));
            let strong = matches!(formula, Ctl::Until(..)) == positive;
            // Denied: `b` fails until both fail, or, if the until was strong, for ever.
            let (a, b) = match positive {
                true => (a, b),
                false => (b.clone(), Ctl::And(vec![a, b])),
            };
            match strong {
                true => Ctl::Until(q(*quantifier), Box::new(a), Box::new(b)),
                false => Ctl::WeakUntil(q(*quantifier), Box::new(a), Box::new(b)),
            }
        }
    }
}

fn from(
    formula: &Formula,
    sub: SubId,
    atoms: &IndexVec<AtomId, TermId>,
    terms: &mut Terms,
) -> Option<Ctl> {
    let mut go = |sub: SubId| deep(|| from(formula, sub, atoms, terms));
    let not = |f: Ctl| Ctl::Not(Box::new(f));
    Some(match formula.op(sub) {
        Op::Const(value) => Ctl::Atom(terms.bool(value)),
        Op::Atom(atom) => Ctl::Atom(atoms[atom]),
        Op::Not(f) => not(go(f)?),
        Op::And(f, g) => Ctl::And(vec![go(f)?, go(g)?]),
        Op::Or(f, g) => Ctl::Or(vec![go(f)?, go(g)?]),
        Op::Implies(f, g) => Ctl::Or(vec![not(go(f)?), go(g)?]),
        Op::Iff(f, g) => {
            let (f, g) = (go(f)?, go(g)?);
            let both = Ctl::And(vec![f.clone(), g.clone()]);
            Ctl::Or(vec![both, Ctl::And(vec![not(f), not(g)])])
        }
        Op::Xor(f, g) => {
            let (f, g) = (go(f)?, go(g)?);
            let first = Ctl::And(vec![f.clone(), not(g.clone())]);
            Ctl::Or(vec![first, Ctl::And(vec![not(f), g])])
        }
        Op::Path(q, op) => match op {
            PathOp::Next(f) => Ctl::Next(q, Box::new(go(f)?)),
            PathOp::Finally(f) => Ctl::Finally(q, Box::new(go(f)?)),
            PathOp::Globally(f) => Ctl::Globally(q, Box::new(go(f)?)),
            PathOp::Until(f, g) => Ctl::Until(q, Box::new(go(f)?), Box::new(go(g)?)),
            PathOp::WeakUntil(f, g) => Ctl::WeakUntil(q, Box::new(go(f)?), Box::new(go(g)?)),
            PathOp::Release(f, g) => {
                let (f, g) = (go(f)?, go(g)?);
                let both = Ctl::And(vec![f, g.clone()]);
                Ctl::WeakUntil(q, Box::new(g), Box::new(both))
            }
            PathOp::FairGlobally(_)
            | PathOp::FinallyWithin(..)
            | PathOp::GloballyWithin(..)
            | PathOp::UntilWithin(..) => return None,
        },
        Op::Linear(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::SortId;

    fn atom(terms: &mut Terms, name: &str) -> Ctl {
        let symbol = terms.declare(name, &[], SortId::BOOL);
        Ctl::Atom(terms.var(symbol))
    }

    #[test]
    fn a_denied_formula_has_the_dual_operators_and_denied_atoms() {
        let mut terms = Terms::default();
        let p = atom(&mut terms, "p");
        let always = Ctl::Globally(Quantifier::Forall, Box::new(p.clone()));
        let denied = always.negated(&mut terms);
        let not_p = p.negated(&mut terms);
        assert_eq!(denied, Ctl::Finally(Quantifier::Exists, Box::new(not_p)));
        assert_eq!(denied.negated(&mut terms), always);
    }

    #[test]
    fn classes_follow_the_grammar_of_the_fragment() {
        let mut terms = Terms::default();
        let (p, q) = (atom(&mut terms, "p"), atom(&mut terms, "q"));
        let boxed = |f: &Ctl| Box::new(f.clone());
        let eventually = Ctl::Finally(Quantifier::Forall, boxed(&q));
        let leads = Ctl::Or(vec![Ctl::Not(boxed(&p)), eventually.clone()]);
        assert_eq!(p.class(&mut terms), Class::State);
        assert_eq!(leads.class(&mut terms), Class::Live);
        let never = Ctl::Not(Box::new(Ctl::Finally(Quantifier::Exists, boxed(&p))));
        assert_eq!(never.class(&mut terms), Class::Invariant);
        let always = Ctl::Globally(Quantifier::Forall, Box::new(leads));
        assert_eq!(always.class(&mut terms), Class::AlwaysLive);
        let stays = Ctl::Not(Box::new(eventually));
        assert!(matches!(stays.class(&mut terms), Class::Other(why) if why.starts_with("EG")));
    }

    #[test]
    fn conjunctions_are_split_at_the_top_and_under_always() {
        let mut terms = Terms::default();
        let (p, q) = (atom(&mut terms, "p"), atom(&mut terms, "q"));
        let both = Ctl::And(vec![p.clone(), q.clone()]);
        let always = Ctl::Globally(Quantifier::Forall, Box::new(both));
        let parts = Ctl::And(vec![p, always]).parts();
        assert_eq!(parts.len(), 3);
        assert!(matches!(parts[2], Ctl::Globally(..)));
    }
}
