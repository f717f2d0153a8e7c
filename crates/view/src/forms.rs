//! Forms: the outermost temporal operator of a claim, whatever its spelling.
//!
//! Claims are looked at through their kernels, without the negations in front of them; conjunctions
//! and disjunctions are flat lists of claims. Patterns are told apart on top of this.

use wherefore_logic::{
    AtomId, Formula, Goal, Kernel, Op, PathOp, PathPattern, Quantifier, SubId, kernel,
};

/// A claim without the negations in front of it: `!!f` claimed to fail is `f` claimed to fail.
pub(crate) fn peeled(formula: &Formula, goal: Goal) -> Goal {
    let mut goal = goal;
    while let Op::Not(sub) = formula.op(goal.sub) {
        goal = Goal {
            sub,
            holds: !goal.holds,
        };
    }
    goal
}

/// The outermost temporal operator of a claim, read through its kernel.
pub(crate) enum Form {
    /// `AG f`
    Always(Goal),
    /// `AF f`
    Inevitable(Goal),
    /// `EF f`
    Possible(Goal),
    /// `EG f`
    Lasting(Goal),
    /// `AX f`
    EveryNext(Goal),
    /// `A[f U g]` with all of each
    Until(Vec<Goal>, Vec<Goal>),
    /// `A[f W g]`: one of the first before all of the second
    Unless(Vec<Goal>, Vec<Goal>),
    /// Anything else.
    Other,
}

/// A formula that is looked at.
pub(crate) struct Look<'a> {
    pub(crate) formula: &'a Formula,
    /// Atoms with the same meaning have the same number.
    pub(crate) atom: &'a dyn Fn(AtomId) -> usize,
    pub(crate) propositional: Vec<bool>,
}

impl Look<'_> {
    /// A claim without the negations in front of it.
    pub(crate) fn peel(&self, goal: Goal) -> Goal {
        peeled(self.formula, goal)
    }

    /// What must be shown for a claim.
    pub(crate) fn kernel(&self, goal: Goal) -> Kernel {
        kernel(self.formula, self.peel(goal))
    }

    /// The form of a claim.
    pub(crate) fn form(&self, goal: Goal) -> Form {
        let path = match self.kernel(goal) {
            Kernel::Path(path) if !path.fair => path,
            Kernel::Step(Quantifier::Forall, f) => return Form::EveryNext(self.peel(f)),
            _ => return Form::Other,
        };
        let PathPattern {
            quantifier,
            weak,
            stay,
            goal,
            ..
        } = path;
        let one = |goals: &[Goal]| match goals {
            [f] => Some(self.peel(*f)),
            _ => None,
        };
        match (quantifier, weak, one(&stay), goal) {
            (Quantifier::Forall, true, Some(f), None) => Form::Always(f),
            (Quantifier::Exists, true, Some(f), None) => Form::Lasting(f),
            (quantifier, false, None, Some(goal)) => match (quantifier, one(&goal)) {
                (Quantifier::Forall, Some(g)) => Form::Inevitable(g),
                (Quantifier::Exists, Some(g)) => Form::Possible(g),
                _ => Form::Other,
            },
            (Quantifier::Forall, true, Some(f), Some(goal)) => self.form_of_unless(f, goal),
            (Quantifier::Forall, false, Some(f), Some(goal)) => {
                Form::Until(self.all(&[f]), self.all(&goal))
            }
            _ => Form::Other,
        }
    }

    /// `f W goal`. Where the goal repeats `f`, as `!E[!g U (!f & !g)]` makes it, what is left of both
    /// without the other is meant.
    fn form_of_unless(&self, f: Goal, goal: Vec<Goal>) -> Form {
        let mut stay = self.either(f);
        let others: Vec<Goal> = goal.iter().copied().filter(|&g| !self.same(g, f)).collect();
        let goal = if others.is_empty() || others.len() == goal.len() {
            self.all(&goal)
        } else {
            stay.retain(|&f| !others.iter().any(|&g| self.same(f, g)));
            let arrivals: Vec<Goal> = others.iter().flat_map(|&g| self.either(g)).collect();
            stay.retain(|&f| !arrivals.iter().any(|&g| self.same(f, g)));
            self.all(&others)
        };
        if stay.is_empty() {
            Form::Other
        } else {
            Form::Unless(stay, goal)
        }
    }

    /// `p -> s` in any spelling that has a negation on one side.
    pub(crate) fn implication(&self, goal: Goal) -> Option<(Goal, Goal)> {
        let goal = self.peel(goal);
        if let (Op::Implies(p, s), true) = (self.formula.op(goal.sub), goal.holds) {
            return Some((self.peel(Goal::holds(p)), self.peel(Goal::holds(s))));
        }
        let Kernel::Branches(branches) = self.kernel(goal) else {
            return None;
        };
        let [[a], [b]] = [branches.first()?, branches.get(1)?].map(Vec::as_slice) else {
            return None;
        };
        let (a, b) = (self.peel(*a), self.peel(*b));
        match (a.holds, b.holds) {
            (false, true) => Some((a.negated(), b)),
            (true, false) if !self.is_of_state(a) => Some((b.negated(), a)),
            (false, false) if self.is_of_state(a) && !self.is_of_state(b) => Some((a.negated(), b)),
            _ => None,
        }
    }

    /// The claims of a disjunction, of whatever spelling; of anything else, itself.
    pub(crate) fn either(&self, goal: Goal) -> Vec<Goal> {
        self.flat(&[goal], |branches| {
            let alone = branches.len() > 1 && branches.iter().all(|branch| branch.len() == 1);
            alone.then(|| branches.concat())
        })
    }

    /// The claims of a conjunction, of whatever spelling.
    pub(crate) fn all(&self, goals: &[Goal]) -> Vec<Goal> {
        self.flat(goals, |mut branches| {
            (branches.len() == 1).then(|| branches.remove(0))
        })
    }

    fn flat(
        &self,
        goals: &[Goal],
        split: impl Fn(Vec<Vec<Goal>>) -> Option<Vec<Goal>>,
    ) -> Vec<Goal> {
        let mut flat = Vec::new();
        let mut open: Vec<Goal> = goals.iter().rev().copied().collect();
        while let Some(goal) = open.pop() {
            let goal = self.peel(goal);
            let parts = match kernel(self.formula, goal) {
                Kernel::Branches(branches) => split(branches),
                _ => None,
            };
            match parts {
                Some(parts) => open.extend(parts.into_iter().rev()),
                None => flat.push(goal),
            }
        }
        flat
    }

    /// Whether a claim speaks of one state only.
    pub(crate) fn is_of_state(&self, goal: Goal) -> bool {
        self.propositional[goal.sub.index()]
    }

    /// Whether a claim is always so.
    pub(crate) fn is_true(&self, goal: Goal) -> bool {
        let goal = self.peel(goal);
        self.formula.op(goal.sub) == Op::Const(goal.holds)
    }

    /// Whether two claims are the same but for their places and negations.
    pub(crate) fn same(&self, a: Goal, b: Goal) -> bool {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.peel(a), self.peel(b));
            if a.holds != b.holds {
                return false;
            }
            if a.sub == b.sub {
                continue;
            }
            let (f, g) = (self.formula.op(a.sub), self.formula.op(b.sub));
            let alike = match (f, g) {
                (Op::Atom(a), Op::Atom(b)) => (self.atom)(a) == (self.atom)(b),
                (Op::Const(a), Op::Const(b)) => a == b,
                (Op::Path(p, f), Op::Path(q, g)) => p == q && bare(f) == bare(g),
                (Op::Linear(f), Op::Linear(g)) => {
                    let any = |_| SubId::new(0);
                    f.map(any) == g.map(any)
                }
                _ => std::mem::discriminant(&f) == std::mem::discriminant(&g),
            };
            if !alike {
                return false;
            }
            let pairs = f.operands().zip(g.operands());
            open.extend(pairs.map(|(f, g)| (Goal::holds(f), Goal::holds(g))));
        }
        true
    }
}

/// A path operator with the same operands everywhere, so that only the operator is compared.
fn bare(path: PathOp) -> PathOp {
    let any = SubId::new(0);
    match path {
        PathOp::Next(_) => PathOp::Next(any),
        PathOp::Finally(_) => PathOp::Finally(any),
        PathOp::Globally(_) => PathOp::Globally(any),
        PathOp::FairGlobally(_) => PathOp::FairGlobally(any),
        PathOp::Until(..) => PathOp::Until(any, any),
        PathOp::WeakUntil(..) => PathOp::WeakUntil(any, any),
        PathOp::Release(..) => PathOp::Release(any, any),
        PathOp::FinallyWithin(bounds, _) => PathOp::FinallyWithin(bounds, any),
        PathOp::GloballyWithin(bounds, _) => PathOp::GloballyWithin(bounds, any),
        PathOp::UntilWithin(bounds, ..) => PathOp::UntilWithin(bounds, any, any),
    }
}
