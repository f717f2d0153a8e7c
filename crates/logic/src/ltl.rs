//! Linear-time operators: what is said of one run, of what is to come and of what was.
//!
//! They stand in a [`Formula`] as [`Op::Linear`]. A formula with them is true or false at a position of
//! an infinite run; the future operators are those of Pnueli (1977), the past ones those of Lichtenstein,
//! Pnueli and Zuck (1985). [`LinearOp::expanded`] is the one place where an operator is read as a fixpoint:
//! what it asks for here, and what it leaves to the position after or before.

use crate::{Bounds, Class, Formula, Op, Polarity, SubId, occurrences};

/// What is said of a run at one of its positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LinearOp {
    /// `X f`: `f` at the next position.
    Next(SubId),
    /// `F f`: `f` now or later.
    Finally(SubId),
    /// `G f`: `f` now and ever after.
    Globally(SubId),
    /// `f U g`: `g` now or later, and `f` until then.
    Until(SubId, SubId),
    /// `f W g`: `f U g` or `G f`.
    WeakUntil(SubId, SubId),
    /// `f V g`: `g` up to and with the first position where `f` is so, or for ever.
    Release(SubId, SubId),
    /// `F [m, n] f`: `f` after at least m and at most n steps.
    FinallyWithin(Bounds, SubId),
    /// `G [m, n] f`: `f` after each number of steps from m to n.
    GloballyWithin(Bounds, SubId),
    /// `Y f`: there is a position before, and `f` there.
    Yesterday(SubId),
    /// `Z f`: `f` at the position before, if there is one.
    WeakYesterday(SubId),
    /// `O f`: `f` now or earlier.
    Once(SubId),
    /// `H f`: `f` now and ever before.
    Historically(SubId),
    /// `f S g`: `g` now or earlier, and `f` since then.
    Since(SubId, SubId),
    /// `f T g`: `g` back to and with the last position where `f` was so, or to the start.
    Triggered(SubId, SubId),
    /// `O [m, n] f`: `f` at least m and at most n steps ago.
    OnceWithin(Bounds, SubId),
    /// `H [m, n] f`: `f` each number of steps from m to n ago, as far as the run goes back.
    HistoricallyWithin(Bounds, SubId),
}

/// How an operator is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WrittenFormula {
    /// The sign stands before the operand, perhaps with bounds.
    Before(&'static str, Option<Bounds>, SubId),
    /// The sign stands between two operands.
    Between(SubId, &'static str, SubId),
}

/// An operator without bounds as a fixpoint: `main | side & rest` where it looks for something,
/// `main & (side | rest)` where it keeps to something. `rest` is the operator itself at the next
/// position, or at the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expanded {
    /// Whether it speaks of the past.
    pub past: bool,
    /// What decides at once: for an operator that looks for something, what it looks for; for one that
    /// keeps to something, what it keeps to.
    pub main: SubId,
    /// What else matters: what must be so meanwhile, or what ends the duty. `None`: nothing.
    pub side: Option<SubId>,
    /// Whether it looks for something (`F`, `U`, `W`, `O`, `S`), or keeps to something (`G`, `V`, `H`,
    /// `T`).
    pub seeks: bool,
    /// Whether what is put off for ever counts as fulfilled (`G`, `V`, `W`), or at the start of the run
    /// (`H`, `T`).
    pub weak: bool,
}

impl LinearOp {
    /// The operands in order.
    pub fn operands(self) -> impl Iterator<Item = SubId> {
        let (first, second) = match self.written() {
            WrittenFormula::Before(_, _, f) => (f, None),
            WrittenFormula::Between(f, _, g) => (f, Some(g)),
        };
        std::iter::once(first).chain(second)
    }

    /// The same operator over other operands.
    #[must_use]
    pub fn map(self, mut to: impl FnMut(SubId) -> SubId) -> Self {
        use LinearOp as L;
        match self {
            L::Next(f) => L::Next(to(f)),
            L::Finally(f) => L::Finally(to(f)),
            L::Globally(f) => L::Globally(to(f)),
            L::Until(f, g) => L::Until(to(f), to(g)),
            L::WeakUntil(f, g) => L::WeakUntil(to(f), to(g)),
            L::Release(f, g) => L::Release(to(f), to(g)),
            L::FinallyWithin(b, f) => L::FinallyWithin(b, to(f)),
            L::GloballyWithin(b, f) => L::GloballyWithin(b, to(f)),
            L::Yesterday(f) => L::Yesterday(to(f)),
            L::WeakYesterday(f) => L::WeakYesterday(to(f)),
            L::Once(f) => L::Once(to(f)),
            L::Historically(f) => L::Historically(to(f)),
            L::Since(f, g) => L::Since(to(f), to(g)),
            L::Triggered(f, g) => L::Triggered(to(f), to(g)),
            L::OnceWithin(b, f) => L::OnceWithin(b, to(f)),
            L::HistoricallyWithin(b, f) => L::HistoricallyWithin(b, to(f)),
        }
    }

    /// Whether it speaks of the past.
    pub fn is_past(self) -> bool {
        use LinearOp as L;
        match self {
            L::Yesterday(_)
            | L::WeakYesterday(_)
            | L::Once(_)
            | L::Historically(_)
            | L::Since(..)
            | L::Triggered(..)
            | L::OnceWithin(..)
            | L::HistoricallyWithin(..) => true,
            L::Next(_)
            | L::Finally(_)
            | L::Globally(_)
            | L::Until(..)
            | L::WeakUntil(..)
            | L::Release(..)
            | L::FinallyWithin(..)
            | L::GloballyWithin(..) => false,
        }
    }

    /// The operator as a fixpoint; `None` for single steps and bounded operators.
    pub fn expanded(self) -> Option<Expanded> {
        use LinearOp as L;
        let (main, side, seeks, weak) = match self {
            L::Finally(f) | L::Once(f) => (f, None, true, false),
            L::Globally(f) | L::Historically(f) => (f, None, false, true),
            L::Until(f, g) | L::Since(f, g) => (g, Some(f), true, false),
            L::WeakUntil(f, g) => (g, Some(f), true, true),
            L::Release(f, g) | L::Triggered(f, g) => (g, Some(f), false, true),
            L::Next(_)
            | L::Yesterday(_)
            | L::WeakYesterday(_)
            | L::FinallyWithin(..)
            | L::GloballyWithin(..)
            | L::OnceWithin(..)
            | L::HistoricallyWithin(..) => return None,
        };
        Some(Expanded {
            past: self.is_past(),
            main,
            side,
            seeks,
            weak,
        })
    }

    pub(crate) fn written(self) -> WrittenFormula {
        use LinearOp as L;
        match self {
            L::Next(f) => WrittenFormula::Before("X", None, f),
            L::Finally(f) => WrittenFormula::Before("F", None, f),
            L::Globally(f) => WrittenFormula::Before("G", None, f),
            L::FinallyWithin(b, f) => WrittenFormula::Before("F", Some(b), f),
            L::GloballyWithin(b, f) => WrittenFormula::Before("G", Some(b), f),
            L::Yesterday(f) => WrittenFormula::Before("Y", None, f),
            L::WeakYesterday(f) => WrittenFormula::Before("Z", None, f),
            L::Once(f) => WrittenFormula::Before("O", None, f),
            L::Historically(f) => WrittenFormula::Before("H", None, f),
            L::OnceWithin(b, f) => WrittenFormula::Before("O", Some(b), f),
            L::HistoricallyWithin(b, f) => WrittenFormula::Before("H", Some(b), f),
            L::Until(f, g) => WrittenFormula::Between(f, "U", g),
            L::WeakUntil(f, g) => WrittenFormula::Between(f, "W", g),
            L::Release(f, g) => WrittenFormula::Between(f, "V", g),
            L::Since(f, g) => WrittenFormula::Between(f, "S", g),
            L::Triggered(f, g) => WrittenFormula::Between(f, "T", g),
        }
    }
}

/// Whether a formula has an operator of the past.
pub fn has_past(formula: &Formula) -> bool {
    let mut ops = formula.subs().map(|sub| formula.op(sub));
    ops.any(|op| matches!(op, Op::Linear(op) if op.is_past()))
}

/// The class of a formula with linear-time operators: syntactic safety as in Sistla (1994), or liveness.
pub(crate) fn linear_class(formula: &Formula) -> Class {
    let polarity = occurrences(formula);
    let waits = |sub: SubId| match formula.op(sub) {
        Op::Linear(op) => op.expanded().is_some_and(|expanded| {
            // The negation of a weak operator is a strong one.
            let strong = match polarity[sub] {
                Polarity::Positive => !expanded.weak,
                Polarity::Negative => expanded.weak,
                Polarity::Mixed => true,
            };
            // The past is decided at every position, so nothing is put off.
            strong && !expanded.past
        }),
        _ => false,
    };
    match formula.subs().any(waits) {
        true => Class::InfiniteLiveness,
        false => Class::Safety,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AtomId;

    #[test]
    fn a_linear_formula_prints_as_it_is_written() {
        let mut formula = Formula::new();
        let p = formula.add(Op::Atom(AtomId::new(0)), None);
        let q = formula.add(Op::Atom(AtomId::new(1)), None);
        let once = formula.add(Op::Linear(LinearOp::Once(q)), None);
        let until = formula.add(Op::Linear(LinearOp::Until(p, once)), None);
        let bounds = Bounds { least: 1, most: 3 };
        formula.add(Op::Linear(LinearOp::GloballyWithin(bounds, until)), None);
        let atom = |atom: AtomId| ["p", "x = 1"][atom.index()].to_string();
        let text = formula.show(formula.root(), &atom).to_string();
        assert_eq!(text, "G [1, 3] (p U O (x = 1))");
        assert!(has_past(&formula));
        let operands: Vec<SubId> = formula.op(until).operands().collect();
        assert_eq!(operands, [p, once]);
    }

    #[test]
    fn waiting_without_bound_makes_liveness() {
        let class = |op: fn(SubId) -> LinearOp, negated: bool| {
            let mut formula = Formula::new();
            let p = formula.add(Op::Atom(AtomId::new(0)), None);
            let sub = formula.add(Op::Linear(op(p)), None);
            if negated {
                formula.add(Op::Not(sub), None);
            }
            crate::class_of(&formula, false)
        };
        assert_eq!(class(LinearOp::Globally, false), Class::Safety);
        assert_eq!(class(LinearOp::Globally, true), Class::InfiniteLiveness);
        assert_eq!(class(LinearOp::Finally, false), Class::InfiniteLiveness);
        assert_eq!(class(LinearOp::Finally, true), Class::Safety);
        assert_eq!(class(LinearOp::Once, false), Class::Safety);
    }
}
