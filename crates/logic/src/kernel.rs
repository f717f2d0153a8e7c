//! The kernel of an operator: what must be shown for it to hold, or to fail, at a state.
//!
//! The operators of CTL, each as a claim or as its refutation, come down to five moves: look at the
//! state, choose among branches, make one step, follow a path, or bound its length. `AG f` refuted
//! and `EF !f` shown are the same move. Checker, proof builder and proof checker all read the
//! operators through this table, so it is the one place where their duality is written down.

use crate::{Bounds, Formula, LinearOp, Op, PathOp, Quantifier, SubId};

/// A sub-formula claimed to hold, or claimed to fail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Goal {
    /// The sub-formula.
    pub sub: SubId,
    /// Whether it is claimed to hold.
    pub holds: bool,
}

impl Goal {
    /// `sub` is claimed to hold.
    pub fn holds(sub: SubId) -> Self {
        Self { sub, holds: true }
    }

    /// `sub` is claimed to fail.
    pub fn fails(sub: SubId) -> Self {
        Self { sub, holds: false }
    }

    /// The opposite claim.
    #[must_use]
    pub fn negated(self) -> Self {
        Self {
            holds: !self.holds,
            ..self
        }
    }
}

/// `[stay U goal]` or `[stay W goal]` along some path or along every path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathPattern {
    /// Along some path, or along every path.
    pub quantifier: Quantifier,
    /// Whether `stay` for ever is good enough.
    pub weak: bool,
    /// All claimed at each state before the goal.
    pub stay: Vec<Goal>,
    /// All claimed at the goal; `None`: there is no goal, stay for ever (then `weak` is true).
    pub goal: Option<Vec<Goal>>,
    /// Whether only fair paths count, whatever the path rule says.
    pub fair: bool,
}

/// What must be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kernel {
    /// The state itself decides: a constant or a basic proposition.
    State,
    /// One of the branches; all goals of that branch.
    Branches(Vec<Vec<Goal>>),
    /// The goal at some successor or at every successor.
    Step(Quantifier, Goal),
    /// A path pattern.
    Path(PathPattern),
    /// The pattern's goal between the bounds (`weak`: `stay` at every state between them).
    Bounded(Bounds, PathPattern),
}

/// What must be shown for a goal, in terms of smaller goals.
pub fn kernel(formula: &Formula, goal: Goal) -> Kernel {
    let is = |sub| Goal::holds(sub);
    let not = |sub| Goal::fails(sub);
    match (formula.op(goal.sub), goal.holds) {
        (Op::Const(_) | Op::Atom(_) | Op::Linear(_), _) => Kernel::State,
        (Op::Not(f), holds) => Kernel::Branches(vec![vec![Goal {
            sub: f,
            holds: !holds,
        }]]),
        (Op::And(f, g), true) => Kernel::Branches(vec![vec![is(f), is(g)]]),
        (Op::And(f, g), false) => Kernel::Branches(vec![vec![not(f)], vec![not(g)]]),
        (Op::Or(f, g), true) => Kernel::Branches(vec![vec![is(f)], vec![is(g)]]),
        (Op::Or(f, g), false) => Kernel::Branches(vec![vec![not(f), not(g)]]),
        (Op::Implies(f, g), true) => Kernel::Branches(vec![vec![not(f)], vec![is(g)]]),
        (Op::Implies(f, g), false) => Kernel::Branches(vec![vec![is(f), not(g)]]),
        (Op::Iff(f, g), true) | (Op::Xor(f, g), false) => {
            Kernel::Branches(vec![vec![is(f), is(g)], vec![not(f), not(g)]])
        }
        (Op::Iff(f, g), false) | (Op::Xor(f, g), true) => {
            Kernel::Branches(vec![vec![is(f), not(g)], vec![not(f), is(g)]])
        }
        (Op::Path(quantifier, path), holds) => path_kernel(quantifier, path, holds),
    }
}

/// What must be shown for a goal at a position of one run, and whether its steps lead back in time.
///
/// A run has one path from each position, so an operator of linear time is read as its counterpart of CTL, and a past
/// operator as the one it mirrors. Where the run begins, a past pattern that is weak may stop, as `H f` does; of the
/// single steps back, `Y f` is false there and `Z f` true.
pub fn run_kernel(formula: &Formula, goal: Goal) -> RunKernel {
    use LinearOp as L;
    let Op::Linear(op) = formula.op(goal.sub) else {
        return RunKernel {
            past: false,
            kernel: kernel(formula, goal),
        };
    };
    let path = match op {
        L::Next(f) | L::Yesterday(f) | L::WeakYesterday(f) => PathOp::Next(f),
        L::Finally(f) | L::Once(f) => PathOp::Finally(f),
        L::Globally(f) | L::Historically(f) => PathOp::Globally(f),
        L::Until(f, g) | L::Since(f, g) => PathOp::Until(f, g),
        L::WeakUntil(f, g) => PathOp::WeakUntil(f, g),
        L::Release(f, g) | L::Triggered(f, g) => PathOp::Release(f, g),
        L::FinallyWithin(b, f) | L::OnceWithin(b, f) => PathOp::FinallyWithin(b, f),
        L::GloballyWithin(b, f) | L::HistoricallyWithin(b, f) => PathOp::GloballyWithin(b, f),
    };
    RunKernel {
        past: op.is_past(),
        kernel: path_kernel(Quantifier::Exists, path, goal.holds),
    }
}

/// What must be shown at a position of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunKernel {
    /// Whether steps lead back in time.
    pub past: bool,
    /// What must be shown; of its quantifiers nothing is meant, since one path leads on.
    pub kernel: Kernel,
}

fn path_kernel(quantifier: Quantifier, path: PathOp, holds: bool) -> Kernel {
    // A refuted quantifier is the other quantifier with the refuted path operator.
    let quantifier = match (quantifier, holds) {
        (q, true) => q,
        (Quantifier::Exists, false) => Quantifier::Forall,
        (Quantifier::Forall, false) => Quantifier::Exists,
    };
    let claim = |sub| Goal { sub, holds };
    let pattern = |weak, stay: Vec<Goal>, goal: Option<Vec<Goal>>| PathPattern {
        quantifier,
        weak,
        stay,
        goal,
        fair: matches!(path, PathOp::FairGlobally(_)),
    };
    match (path, holds) {
        (PathOp::Next(f), _) => Kernel::Step(quantifier, claim(f)),
        // F f, and !(G f) = F !f
        (PathOp::Finally(f), true) | (PathOp::Globally(f) | PathOp::FairGlobally(f), false) => {
            Kernel::Path(pattern(false, vec![], Some(vec![claim(f)])))
        }
        // G f, and !(F f) = G !f
        (PathOp::Globally(f) | PathOp::FairGlobally(f), true) | (PathOp::Finally(f), false) => {
            Kernel::Path(pattern(true, vec![claim(f)], None))
        }
        (PathOp::Until(f, g), true) => {
            Kernel::Path(pattern(false, vec![claim(f)], Some(vec![claim(g)])))
        }
        // !(f U g) = !g W (!f & !g)
        (PathOp::Until(f, g), false) => Kernel::Path(pattern(
            true,
            vec![claim(g)],
            Some(vec![claim(f), claim(g)]),
        )),
        (PathOp::WeakUntil(f, g), true) => {
            Kernel::Path(pattern(true, vec![claim(f)], Some(vec![claim(g)])))
        }
        // !(f W g) = !g U (!f & !g)
        (PathOp::WeakUntil(f, g), false) => Kernel::Path(pattern(
            false,
            vec![claim(g)],
            Some(vec![claim(f), claim(g)]),
        )),
        // f R g = g W (f & g)
        (PathOp::Release(f, g), true) => Kernel::Path(pattern(
            true,
            vec![claim(g)],
            Some(vec![claim(f), claim(g)]),
        )),
        // !(f R g) = !f U !g
        (PathOp::Release(f, g), false) => {
            Kernel::Path(pattern(false, vec![claim(f)], Some(vec![claim(g)])))
        }
        (PathOp::FinallyWithin(bounds, f), true) | (PathOp::GloballyWithin(bounds, f), false) => {
            Kernel::Bounded(bounds, pattern(false, vec![], Some(vec![claim(f)])))
        }
        (PathOp::GloballyWithin(bounds, f), true) | (PathOp::FinallyWithin(bounds, f), false) => {
            Kernel::Bounded(bounds, pattern(true, vec![claim(f)], None))
        }
        (PathOp::UntilWithin(bounds, f, g), true) => {
            Kernel::Bounded(bounds, pattern(false, vec![claim(f)], Some(vec![claim(g)])))
        }
        // Within the bounds: no g, or f broken before any g that counts.
        (PathOp::UntilWithin(bounds, f, g), false) => {
            Kernel::Bounded(bounds, pattern(true, vec![claim(g)], Some(vec![claim(f)])))
        }
    }
}
