//! Counterexamples as positions with steps, and what they show with these or with other values.

use wherefore_base::Value;
use wherefore_logic::{Bounds, Formula, Goal, Kernel, LinearOp, Op, PathOp, PathPattern, PathRule};
use wherefore_logic::{Quantifier, RunKernel, run_kernel};
use wherefore_model::{Env, Interpreter, Model, Query};
use wherefore_proof::Evidence;

use crate::beyond::BeyondClaim;

/// Runs with more positions than this are not looked at.
const MOST_POSITIONS: usize = 2_000;
/// Bounds of operators times positions are at most so many.
const MOST_BOUNDED: usize = 100_000;

/// A counterexample as positions with steps between them.
pub(crate) struct FailingCourse<'a> {
    pub(crate) query: &'a Query,
    interpreter: Interpreter<'a>,
    /// The occurrence at each position.
    pub(crate) occurrence: Vec<usize>,
    /// The positions after each one.
    next: Vec<Vec<usize>>,
    /// The position before each one of a run, if there is one.
    before: Vec<Vec<usize>>,
    /// The input of the first step from each position.
    input: Vec<Vec<Value>>,
    /// Whether the formula is about one run.
    linear: bool,
    /// What must be shown for each sub-formula to fail and to hold.
    kernels: Vec<[RunKernel; 2]>,
    /// The claims that the counterexample shows by everything that can follow.
    pub(crate) beyond: Vec<BeyondClaim>,
}

/// Where each claim is shown: by sub-formula, by whether it holds, and by position.
pub(crate) struct ShownClaims(Vec<[Vec<bool>; 2]>);

impl ShownClaims {
    /// Whether a claim is shown at a position.
    pub(crate) fn is(&self, goal: Goal, at: usize) -> bool {
        self.0[goal.sub.index()][usize::from(goal.holds)][at]
    }

    /// Whether claims are all shown at a position.
    pub(crate) fn all(&self, goals: &[Goal], at: usize) -> bool {
        goals.iter().all(|&goal| self.is(goal, at))
    }
}

impl<'a> FailingCourse<'a> {
    /// The course of a counterexample that rests on its runs and on these claims; `None` if it is too long, or not one run where the property
    /// is about one.
    pub(crate) fn of(
        model: &'a Model,
        query: &'a Query,
        evidence: &Evidence,
        beyond: Vec<BeyondClaim>,
    ) -> Option<Self> {
        let formula = &query.formula;
        let linear = formula.is_linear();
        let count = evidence.occurrences.len();
        let (occurrence, next) = if linear {
            let (run, back) = evidence.main_run();
            let in_order = run.iter().map(|at| at.index()).eq(0..count);
            unrolled(formula, count, back.filter(|_| in_order)?.index())
        } else {
            let mut next = vec![Vec::new(); count];
            for edge in &evidence.edges {
                next[edge.from.index()].push(edge.to.index());
            }
            ((0..count).collect(), next)
        };
        let most = formula.subs().filter_map(|sub| bounds_of(formula.op(sub)));
        let most = most.map(|bounds| bounds.most as usize + 1).max();
        let bounded = most.unwrap_or(1).saturating_mul(occurrence.len());
        if occurrence.len() > MOST_POSITIONS || bounded > MOST_BOUNDED {
            return None;
        }
        let input = occurrence.iter().map(|&at| {
            let mut edges = evidence.edges.iter();
            let edge = edges.find(|edge| edge.from.index() == at);
            edge.map_or(Vec::new(), |edge| edge.input.clone())
        });
        let kernels = formula
            .subs()
            .map(|sub| [Goal::fails(sub), Goal::holds(sub)].map(|goal| run_kernel(formula, goal)));
        let before = (0..occurrence.len()).map(|at| at.checked_sub(1).into_iter().collect());
        Some(Self {
            query,
            interpreter: Interpreter::new(model),
            input: input.collect(),
            before: before.collect(),
            next,
            linear,
            kernels: kernels.collect(),
            beyond,
            occurrence,
        })
    }

    /// The claim that the counterexample shows at its first position.
    pub(crate) fn root(&self) -> Goal {
        Goal::fails(self.query.formula.root())
    }

    pub(crate) fn kernel(&self, goal: Goal) -> &RunKernel {
        &self.kernels[goal.sub.index()][usize::from(goal.holds)]
    }

    /// The positions that a step leads to.
    pub(crate) fn steps(&self, past: bool, at: usize) -> &[usize] {
        if past {
            &self.before[at]
        } else {
            &self.next[at]
        }
    }

    /// Whether what is claimed of every path is meant, which runs do not show.
    pub(crate) fn is_universal(&self, quantifier: Quantifier) -> bool {
        !self.linear && quantifier == Quantifier::Forall
    }

    /// What a term reads at a position.
    pub(crate) fn env<'v>(&'v self, values: &'v [Vec<Value>], at: usize) -> Env<'v> {
        let next = self.next[at].first().map(|&to| self.occurrence[to]);
        Env {
            state: &values[self.occurrence[at]],
            input: &self.input[at],
            next: next.map_or(&[], |to| &values[to]),
        }
    }

    pub(crate) fn interpreter(&self) -> &Interpreter<'a> {
        &self.interpreter
    }

    /// What is shown with these values at the occurrences. `first`: what is shown with the values as they are; where a
    /// path comes to its goal with these, it does not go on to a later one.
    pub(crate) fn shown(&self, values: &[Vec<Value>], first: Option<&ShownClaims>) -> ShownClaims {
        let mut shown = ShownClaims(Vec::new());
        // Operands come before their operators.
        for sub in self.query.formula.subs() {
            let claims = [Goal::fails(sub), Goal::holds(sub)].map(|goal| {
                let mut shown_at = self.claim(goal, values, &shown, first);
                for beyond in self.beyond.iter().filter(|beyond| beyond.goal == goal) {
                    shown_at[beyond.at] |= beyond.is(&values[beyond.at]);
                }
                shown_at
            });
            shown.0.push(claims);
        }
        shown
    }

    fn claim(
        &self,
        goal: Goal,
        values: &[Vec<Value>],
        shown: &ShownClaims,
        first: Option<&ShownClaims>,
    ) -> Vec<bool> {
        let positions = 0..self.occurrence.len();
        let RunKernel { past, kernel } = self.kernel(goal);
        match kernel {
            Kernel::State => match self.query.formula.op(goal.sub) {
                Op::Atom(atom) => {
                    let term = self.query.atoms[atom];
                    let truth = |at| self.interpreter.truth(term, self.env(values, at));
                    positions.map(|at| truth(at) == goal.holds).collect()
                }
                op => vec![op == Op::Const(goal.holds); positions.len()],
            },
            Kernel::Branches(branches) => {
                let any = |at| branches.iter().any(|goals| shown.all(goals, at));
                positions.map(any).collect()
            }
            Kernel::Step(quantifier, _) if self.is_universal(*quantifier) => {
                vec![false; positions.len()]
            }
            Kernel::Step(_, next) => positions
                .map(|at| match self.steps(*past, at) {
                    // Before the run begins nothing is so, and nothing is not so.
                    [] if *past => self.is_weak_step(goal) == goal.holds,
                    steps => steps.iter().any(|&to| shown.is(*next, to)),
                })
                .collect(),
            Kernel::Path(pattern) => self.pattern(*past, pattern, shown, first),
            Kernel::Bounded(bounds, pattern) => self.bounded(*past, *bounds, pattern, shown),
        }
    }

    fn is_weak_step(&self, goal: Goal) -> bool {
        let op = self.query.formula.op(goal.sub);
        matches!(op, Op::Linear(LinearOp::WeakYesterday(_)))
    }

    /// Whether a path that need not come to a goal may end at a position.
    fn may_end(&self, past: bool, at: usize) -> bool {
        match past {
            true => at == 0,
            false => !self.linear && self.query.rule == PathRule::Reach,
        }
    }

    fn pattern(
        &self,
        past: bool,
        pattern: &PathPattern,
        shown: &ShownClaims,
        first: Option<&ShownClaims>,
    ) -> Vec<bool> {
        let count = self.occurrence.len();
        let goal = |shown: &ShownClaims, at| {
            let goal = pattern.goal.as_ref();
            goal.is_some_and(|goals| shown.all(goals, at))
        };
        let here: Vec<bool> = (0..count).map(|at| goal(shown, at)).collect();
        if self.is_universal(pattern.quantifier) {
            return here;
        }
        let goes_on = |at: usize| {
            let there = first.is_some_and(|first| goal(first, at));
            !there && shown.all(&pattern.stay, at)
        };
        let goes_on: Vec<bool> = (0..count).map(goes_on).collect();
        // The greatest fixpoint if it may stay for ever, otherwise the least one.
        let mut set = match pattern.weak {
            true => vec![true; count],
            false => here.clone(),
        };
        loop {
            let mut changed = false;
            // Most steps lead to the next position, so the last ones are known first; of the past the first ones.
            for step in 0..count {
                let at = if past { step } else { count - 1 - step };
                let ahead = || {
                    self.steps(past, at).iter().any(|&to| set[to])
                        || pattern.weak && self.may_end(past, at)
                };
                let now = here[at] || goes_on[at] && ahead();
                changed |= now != set[at];
                set[at] = now;
            }
            if !changed {
                return set;
            }
        }
    }

    fn bounded(
        &self,
        past: bool,
        bounds: Bounds,
        pattern: &PathPattern,
        shown: &ShownClaims,
    ) -> Vec<bool> {
        let count = self.occurrence.len();
        let Bounds { least, most } = bounds;
        let mut set = vec![false; count];
        // What is so after the most steps is known first.
        for passed in (0..=most).rev() {
            let now = (0..count).map(|at| {
                let goal = pattern.goal.as_ref();
                let goal = goal.is_some_and(|goals| shown.all(goals, at));
                let stay = shown.all(&pattern.stay, at);
                let universal = self.is_universal(pattern.quantifier);
                let steps = self.steps(past, at);
                let ahead = passed < most
                    && (steps.iter().any(|&to| set[to]) && !universal
                        || pattern.weak && self.may_end(past, at));
                match pattern.weak {
                    false => goal && passed >= least || stay && ahead,
                    true => (stay || passed < least) && (goal || passed == most || ahead),
                }
            });
            set = now.collect();
        }
        set
    }
}

/// The positions of a lasso, so often through its loop that what is remembered of the past repeats with it: their
/// occurrences and their next positions.
fn unrolled(formula: &Formula, count: usize, back: usize) -> (Vec<usize>, Vec<Vec<usize>>) {
    let turn = count - back;
    let turns = formula.subs().map(|sub| match formula.op(sub) {
        Op::Linear(LinearOp::OnceWithin(b, _) | LinearOp::HistoricallyWithin(b, _)) => {
            (b.most as usize).div_ceil(turn)
        }
        Op::Linear(op) => usize::from(op.is_past()),
        _ => 0,
    });
    let turns = turns.fold(0, usize::saturating_add);
    let length = count.saturating_add(turns.saturating_mul(turn));
    // One that is too long is not used.
    let length = length.min(MOST_POSITIONS + 1).max(count);
    let occurrence = (0..length).map(|at| match at.checked_sub(back) {
        Some(since) => back + since % turn,
        None => at,
    });
    let next = (0..length).map(|at| match at + 1 {
        next if next == length => vec![length - turn],
        next => vec![next],
    });
    (occurrence.collect(), next.collect())
}

fn bounds_of(op: Op) -> Option<Bounds> {
    match op {
        Op::Path(
            _,
            PathOp::FinallyWithin(b, _)
            | PathOp::GloballyWithin(b, _)
            | PathOp::UntilWithin(b, _, _),
        )
        | Op::Linear(
            LinearOp::FinallyWithin(b, _)
            | LinearOp::GloballyWithin(b, _)
            | LinearOp::OnceWithin(b, _)
            | LinearOp::HistoricallyWithin(b, _),
        ) => Some(b),
        _ => None,
    }
}
