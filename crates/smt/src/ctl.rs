//! Branching-time formulas whose atoms are terms, and the fragment that one query to a solver decides.
//!
//! CTL-live (Vakili and Day 2014) has the connectives that are least fixpoints: `EX`, `AX`, `EF`, `AF`, `EU` and `AU`,
//! joined by `and` and `or`, with negation at atoms only. Its formulas follow from first-order axioms; `AG` and `EG` do not.

use std::fmt;

use wherefore_base::{IndexVec, deep};
use wherefore_logic::{AtomId, Formula, Op, PathOp, Quantifier, SubId};

use crate::term::{SmtTermId, SmtTerms};

/// A formula: an atom is a term over the present state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SmtCtl {
    /// A condition on the present state.
    Atom(SmtTermId),
    /// Not so.
    Not(Box<SmtCtl>),
    /// All of them.
    And(Vec<SmtCtl>),
    /// Some of them.
    Or(Vec<SmtCtl>),
    /// After one step of every path, or of some path.
    Next(Quantifier, Box<SmtCtl>),
    /// At some time.
    Finally(Quantifier, Box<SmtCtl>),
    /// At all times.
    Globally(Quantifier, Box<SmtCtl>),
    /// The first until the second, which comes.
    Until(Quantifier, Box<SmtCtl>, Box<SmtCtl>),
    /// The first until the second, or for ever.
    WeakUntil(Quantifier, Box<SmtCtl>, Box<SmtCtl>),
}

/// What kind of formula it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SmtClass {
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

impl SmtCtl {
    /// The formula that a tree with atoms says; `None` for operators that are not of CTL, which readers refuse.
    pub fn of(
        formula: &Formula,
        atoms: &IndexVec<AtomId, SmtTermId>,
        terms: &mut SmtTerms,
    ) -> Option<Self> {
        from(formula, formula.root(), atoms, terms)
    }

    /// The same formula with negations moved into the atoms.
    #[must_use]
    pub fn negation_normal(&self, terms: &mut SmtTerms) -> Self {
        normal(self, true, terms)
    }

    /// The denied formula, with negations moved into the atoms.
    #[must_use]
    pub fn negated(&self, terms: &mut SmtTerms) -> Self {
        normal(self, false, terms)
    }

    /// The formulas all of which must hold: conjunctions are split, at the top and under `AG`.
    pub fn parts(&self) -> Vec<SmtCtl> {
        match self {
            SmtCtl::And(operands) => operands.iter().flat_map(|f| deep(|| f.parts())).collect(),
            SmtCtl::Globally(Quantifier::Forall, inner) => {
                // `AG` distributes over conjunction.
                let parts = deep(|| inner.parts());
                let always = |part| SmtCtl::Globally(Quantifier::Forall, Box::new(part));
                parts.into_iter().map(always).collect()
            }
            _ => vec![self.clone()],
        }
    }

    /// The term that it is, if it speaks of the present state only.
    pub fn state(&self, terms: &mut SmtTerms) -> Option<SmtTermId> {
        Some(match self {
            SmtCtl::Atom(term) => *term,
            SmtCtl::Not(inner) => {
                let inner = deep(|| inner.state(terms))?;
                terms.not(inner)
            }
            SmtCtl::And(operands) | SmtCtl::Or(operands) => {
                let states: Option<Vec<SmtTermId>> =
                    operands.iter().map(|f| deep(|| f.state(terms))).collect();
                match self {
                    SmtCtl::And(_) => terms.and(&states?),
                    _ => terms.or(&states?),
                }
            }
            _ => return None,
        })
    }

    /// What kind of formula it is.
    pub fn class(&self, terms: &mut SmtTerms) -> SmtClass {
        let normal = self.negation_normal(terms);
        if normal.state(terms).is_some() {
            return SmtClass::State;
        }
        if let SmtCtl::Globally(Quantifier::Forall, inner) = &normal {
            if inner.state(terms).is_some() {
                return SmtClass::Invariant;
            }
            if why_not_live(inner).is_none() {
                return SmtClass::AlwaysLive;
            }
        }
        match why_not_live(&normal) {
            None => SmtClass::Live,
            Some(why) => SmtClass::Other(why),
        }
    }
}

impl fmt::Display for SmtClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SmtClass::State => "a condition on initial states",
            SmtClass::Live => "CTL-live",
            SmtClass::Invariant => "an invariant",
            SmtClass::AlwaysLive => "AG of CTL-live",
            SmtClass::Other(_) => "CTL",
        })
    }
}

/// Why a formula with its negations at atoms is not in CTL-live, if it is not.
fn why_not_live(formula: &SmtCtl) -> Option<String> {
    let greatest = |name: &str| {
        Some(format!(
            "{name} asks for something that goes on for ever, which no first-order theory can say; \
             CTL-live has EX, AX, EF, AF, EU and AU, and no temporal operator under a negation"
        ))
    };
    match formula {
        SmtCtl::Atom(_) => None,
        SmtCtl::Not(inner) | SmtCtl::Next(_, inner) | SmtCtl::Finally(_, inner) => {
            deep(|| why_not_live(inner))
        }
        SmtCtl::And(operands) | SmtCtl::Or(operands) => {
            operands.iter().find_map(|f| deep(|| why_not_live(f)))
        }
        SmtCtl::Until(_, a, b) => deep(|| why_not_live(a)).or_else(|| deep(|| why_not_live(b))),
        SmtCtl::Globally(Quantifier::Forall, _) => greatest("AG"),
        SmtCtl::Globally(Quantifier::Exists, _) => greatest("EG"),
        SmtCtl::WeakUntil(Quantifier::Forall, ..) => greatest("AW"),
        SmtCtl::WeakUntil(Quantifier::Exists, ..) => greatest("EW"),
    }
}

fn dual(quantifier: Quantifier) -> Quantifier {
    match quantifier {
        Quantifier::Exists => Quantifier::Forall,
        Quantifier::Forall => Quantifier::Exists,
    }
}

fn normal(formula: &SmtCtl, positive: bool, terms: &mut SmtTerms) -> SmtCtl {
    let mut go = |f: &SmtCtl, positive: bool| deep(|| normal(f, positive, terms));
    let q = |quantifier: Quantifier| {
        if positive {
            quantifier
        } else {
            dual(quantifier)
        }
    };
    match formula {
        SmtCtl::Atom(term) if positive => SmtCtl::Atom(*term),
        SmtCtl::Atom(term) => SmtCtl::Atom(terms.not(*term)),
        SmtCtl::Not(inner) => go(inner, !positive),
        SmtCtl::And(operands) | SmtCtl::Or(operands) => {
            let all = operands.iter().map(|f| go(f, positive)).collect();
            match matches!(formula, SmtCtl::And(_)) == positive {
                true => SmtCtl::And(all),
                false => SmtCtl::Or(all),
            }
        }
        SmtCtl::Next(quantifier, inner) => {
            SmtCtl::Next(q(*quantifier), Box::new(go(inner, positive)))
        }
        SmtCtl::Finally(quantifier, inner) | SmtCtl::Globally(quantifier, inner) => {
            let inner = Box::new(go(inner, positive));
            match matches!(formula, SmtCtl::Finally(..)) == positive {
                true => SmtCtl::Finally(q(*quantifier), inner),
                false => SmtCtl::Globally(q(*quantifier), inner),
            }
        }
        SmtCtl::Until(quantifier, a, b) | SmtCtl::WeakUntil(quantifier, a, b) => {
            let (a, b) = (go(a, positive), go(b, positive));
            let strong = matches!(formula, SmtCtl::Until(..)) == positive;
            // Denied: `b` fails until both fail, or, if the until was strong, for ever.
            let (a, b) = match positive {
                true => (a, b),
                false => (b.clone(), SmtCtl::And(vec![a, b])),
            };
            match strong {
                true => SmtCtl::Until(q(*quantifier), Box::new(a), Box::new(b)),
                false => SmtCtl::WeakUntil(q(*quantifier), Box::new(a), Box::new(b)),
            }
        }
    }
}

fn from(
    formula: &Formula,
    sub: SubId,
    atoms: &IndexVec<AtomId, SmtTermId>,
    terms: &mut SmtTerms,
) -> Option<SmtCtl> {
    let mut go = |sub: SubId| deep(|| from(formula, sub, atoms, terms));
    let not = |f: SmtCtl| SmtCtl::Not(Box::new(f));
    Some(match formula.op(sub) {
        Op::Const(value) => SmtCtl::Atom(terms.bool(value)),
        Op::Atom(atom) => SmtCtl::Atom(atoms[atom]),
        Op::Not(f) => not(go(f)?),
        Op::And(f, g) => SmtCtl::And(vec![go(f)?, go(g)?]),
        Op::Or(f, g) => SmtCtl::Or(vec![go(f)?, go(g)?]),
        Op::Implies(f, g) => SmtCtl::Or(vec![not(go(f)?), go(g)?]),
        Op::Iff(f, g) => {
            let (f, g) = (go(f)?, go(g)?);
            let both = SmtCtl::And(vec![f.clone(), g.clone()]);
            SmtCtl::Or(vec![both, SmtCtl::And(vec![not(f), not(g)])])
        }
        Op::Xor(f, g) => {
            let (f, g) = (go(f)?, go(g)?);
            let first = SmtCtl::And(vec![f.clone(), not(g.clone())]);
            SmtCtl::Or(vec![first, SmtCtl::And(vec![not(f), g])])
        }
        Op::Path(q, op) => match op {
            PathOp::Next(f) => SmtCtl::Next(q, Box::new(go(f)?)),
            PathOp::Finally(f) => SmtCtl::Finally(q, Box::new(go(f)?)),
            PathOp::Globally(f) => SmtCtl::Globally(q, Box::new(go(f)?)),
            PathOp::Until(f, g) => SmtCtl::Until(q, Box::new(go(f)?), Box::new(go(g)?)),
            PathOp::WeakUntil(f, g) => SmtCtl::WeakUntil(q, Box::new(go(f)?), Box::new(go(g)?)),
            PathOp::Release(f, g) => {
                let (f, g) = (go(f)?, go(g)?);
                // `f R g`: `g` stays until both hold, or for ever.
                let both = SmtCtl::And(vec![f, g.clone()]);
                SmtCtl::WeakUntil(q, Box::new(g), Box::new(both))
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

    fn atom(terms: &mut SmtTerms, name: &str) -> SmtCtl {
        let symbol = terms.declare(name, &[], SortId::BOOL);
        SmtCtl::Atom(terms.var(symbol))
    }

    #[test]
    fn a_denied_formula_has_the_dual_operators_and_denied_atoms() {
        let mut terms = SmtTerms::default();
        let p = atom(&mut terms, "p");
        let always = SmtCtl::Globally(Quantifier::Forall, Box::new(p.clone()));
        let denied = always.negated(&mut terms);
        let not_p = p.negated(&mut terms);
        assert_eq!(denied, SmtCtl::Finally(Quantifier::Exists, Box::new(not_p)));
        assert_eq!(denied.negated(&mut terms), always);
    }

    #[test]
    fn classes_follow_the_grammar_of_the_fragment() {
        let mut terms = SmtTerms::default();
        let (p, q) = (atom(&mut terms, "p"), atom(&mut terms, "q"));
        let boxed = |f: &SmtCtl| Box::new(f.clone());
        let eventually = SmtCtl::Finally(Quantifier::Forall, boxed(&q));
        let leads = SmtCtl::Or(vec![SmtCtl::Not(boxed(&p)), eventually.clone()]);
        assert_eq!(p.class(&mut terms), SmtClass::State);
        assert_eq!(leads.class(&mut terms), SmtClass::Live);
        let never = SmtCtl::Not(Box::new(SmtCtl::Finally(Quantifier::Exists, boxed(&p))));
        assert_eq!(never.class(&mut terms), SmtClass::Invariant);
        let always = SmtCtl::Globally(Quantifier::Forall, Box::new(leads));
        assert_eq!(always.class(&mut terms), SmtClass::AlwaysLive);
        let stays = SmtCtl::Not(Box::new(eventually));
        assert!(matches!(stays.class(&mut terms), SmtClass::Other(why) if why.starts_with("EG")));
    }

    #[test]
    fn conjunctions_are_split_at_the_top_and_under_always() {
        let mut terms = SmtTerms::default();
        let (p, q) = (atom(&mut terms, "p"), atom(&mut terms, "q"));
        let both = SmtCtl::And(vec![p.clone(), q.clone()]);
        let always = SmtCtl::Globally(Quantifier::Forall, Box::new(both));
        let parts = SmtCtl::And(vec![p, always]).parts();
        assert_eq!(parts.len(), 3);
        assert!(matches!(parts[2], SmtCtl::Globally(..)));
    }
}
