//! Time: traces of a given shape, and what operators of time mean on them.
//!
//! A trace has some states and goes back from the last one to one of them, for ever. Signatures and
//! fields that change have a relation of their own in each state. A formula is read at a *position*: the
//! states in order, and then, once for each operator of the past that stands below another, the states of
//! the loop again, since what was differs on each way round (Markey 2003; Cimatti, Pistore, Roveri and
//! Sebastiani 2002). From the last position on, everything repeats.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::deep;
use wherefore_relational::FormulaId;

use super::{Lower, Lowering, Meaning};
use crate::model::{BinaryOp, FunctionId, Model, TermId, TermKind, UnaryOp, VarId};
use crate::scope::Scopes;

/// The shape of a trace: how many states it has, and to which the last one goes back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// How many states there are, at least one.
    pub states: usize,
    /// The state after the last one.
    pub back: usize,
}

impl Shape {
    /// One state that stays for ever: for models in which nothing changes.
    pub const STILL: Shape = Shape { states: 1, back: 0 };

    /// The shapes that the scope of a command allows, the shortest first; none is left out only if the
    /// length of traces is bounded.
    pub fn all(scopes: &Scopes) -> Vec<Shape> {
        let Some((least, most)) = scopes.steps else {
            return vec![Shape::STILL];
        };
        let least = least.max(1) as usize;
        let most = most.map_or(least, |most| most.max(1) as usize);
        let shapes =
            (least..=most).flat_map(|states| (0..states).map(move |back| Shape { states, back }));
        shapes.collect()
    }

    fn length(self) -> usize {
        self.states - self.back
    }
}

/// Where a trace is read.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) shape: Shape,
    /// How many positions there are.
    positions: usize,
    /// The position at hand.
    pub(super) now: usize,
}

impl Path {
    pub(super) fn new(shape: Shape, past: usize) -> Self {
        Self {
            shape,
            positions: shape.states + past * shape.length(),
            now: 0,
        }
    }

    /// The state at a position.
    pub(super) fn state(&self, position: usize) -> usize {
        let Shape { states, back } = self.shape;
        if position < states {
            position
        } else {
            back + (position - back) % self.shape.length()
        }
    }

    fn next(&self, position: usize) -> usize {
        if position + 1 < self.positions {
            position + 1
        } else {
            self.positions - self.shape.length()
        }
    }

    /// A position and all that come after it, in their order, each once.
    fn future(&self) -> Vec<usize> {
        let mut list: Vec<usize> = (self.now..self.positions).collect();
        list.extend(self.positions - self.shape.length()..self.now);
        list
    }

    /// A position and all before it, backwards.
    fn past(&self) -> Vec<usize> {
        (0..=self.now).rev().collect()
    }
}

/// The meanings of variables where an expression is written.
pub(super) type Later = (
    TermId,
    Rc<(FxHashMap<VarId, Meaning>, FxHashMap<VarId, Delayed>)>,
);

/// An expression whose value depends on when it is asked for.
#[derive(Clone, Debug)]
pub(super) struct Delayed(pub(super) Later);

impl Lowering<'_> {
    /// Reads something at another position.
    pub(super) fn at_position<T>(
        &mut self,
        position: usize,
        read: impl FnOnce(&mut Self) -> Lower<T>,
    ) -> Lower<T> {
        let before = self.path.now;
        self.go(position);
        let value = read(self);
        self.go(before);
        value
    }

    /// Goes to a position, and takes the tables of its state.
    pub(super) fn go(&mut self, position: usize) {
        let (from, to) = (self.path.state(self.path.now), self.path.state(position));
        self.path.now = position;
        if from != to {
            std::mem::swap(&mut self.tables, &mut self.parked[from]);
            std::mem::swap(&mut self.tables, &mut self.parked[to]);
        }
    }

    fn formula_at(&mut self, term: TermId, position: usize) -> Lower<FormulaId> {
        self.at_position(position, |lowering| lowering.formula(term))
    }

    fn formulas_at(&mut self, term: TermId, positions: Vec<usize>) -> Lower<Vec<FormulaId>> {
        positions
            .into_iter()
            .map(|position| self.formula_at(term, position))
            .collect()
    }

    /// An operator of time with one operand.
    pub(super) fn unary_of_time(&mut self, op: UnaryOp, a: TermId) -> Lower<Meaning> {
        use UnaryOp as U;
        let formula = match op {
            U::Prime => {
                let next = self.path.next(self.path.now);
                let expr = self.at_position(next, |lowering| lowering.expr(a))?;
                return Ok(Meaning::Expr(expr));
            }
            U::After => {
                let next = self.path.next(self.path.now);
                self.formula_at(a, next)?
            }
            U::Before if self.path.now == 0 => self.problem.or([]),
            U::Before => self.formula_at(a, self.path.now - 1)?,
            U::Always => {
                let parts = self.formulas_at(a, self.path.future())?;
                self.problem.and(parts)
            }
            U::Eventually => {
                let parts = self.formulas_at(a, self.path.future())?;
                self.problem.or(parts)
            }
            U::Historically => {
                let parts = self.formulas_at(a, self.path.past())?;
                self.problem.and(parts)
            }
            _ => {
                let parts = self.formulas_at(a, self.path.past())?;
                self.problem.or(parts)
            }
        };
        Ok(Meaning::Formula(formula))
    }

    /// An operator of time between two formulas.
    pub(super) fn binary_of_time(
        &mut self,
        op: BinaryOp,
        a: TermId,
        b: TermId,
    ) -> Lower<FormulaId> {
        if op == BinaryOp::Then {
            let now = self.formula(a)?;
            let next = self.path.next(self.path.now);
            let then = self.formula_at(b, next)?;
            return Ok(self.problem.and([now, then]));
        }
        let positions = match op {
            BinaryOp::Until | BinaryOp::Releases => self.path.future(),
            _ => self.path.past(),
        };
        let stays = self.formulas_at(a, positions.clone())?;
        let goals = self.formulas_at(b, positions)?;
        let holds = matches!(op, BinaryOp::Until | BinaryOp::Since);
        // From the last position backwards: `goal or (stay and the rest)`, and the dual of it.
        let mut whole: Option<FormulaId> = None;
        for (stay, goal) in stays.into_iter().zip(goals).rev() {
            whole = Some(match (whole, holds) {
                (None, _) => goal,
                (Some(rest), true) => {
                    let on = self.problem.and([stay, rest]);
                    self.problem.or([goal, on])
                }
                (Some(rest), false) => {
                    let on = self.problem.or([stay, rest]);
                    self.problem.and([goal, on])
                }
            });
        }
        Ok(whole.unwrap_or_else(|| self.problem.or([])))
    }
}

/// What terms say about time, with what they call; what functions say is kept.
#[derive(Clone, Default, Debug)]
pub(super) struct Times {
    /// By function: whether it speaks of another time, and how many operators of the past stand below
    /// each other at most.
    functions: FxHashMap<FunctionId, (bool, usize)>,
}

impl Times {
    /// Whether a term speaks of another time.
    pub(super) fn speaks_of_time(&mut self, model: &Model, term: TermId) -> bool {
        self.walk(model, term).0
    }

    /// How many operators of the past stand below each other at most.
    pub(super) fn past_depth(&mut self, model: &Model, term: TermId) -> usize {
        self.walk(model, term).1
    }

    fn walk(&mut self, model: &Model, term: TermId) -> (bool, usize) {
        deep(|| self.walk_here(model, term))
    }

    fn walk_here(&mut self, model: &Model, term: TermId) -> (bool, usize) {
        let kind = &model.terms[term].kind;
        let (mut time, mut depth) = (false, 0);
        for operand in kind.operands() {
            let (t, d) = self.walk(model, operand);
            (time, depth) = (time | t, depth.max(d));
        }
        match kind {
            TermKind::Call(function, _) => {
                let (t, d) = self.function(model, *function);
                (time, depth) = (time | t, depth + d);
            }
            TermKind::Unary(op, _) if Lowering::is_temporal(*op) => {
                let past = matches!(op, UnaryOp::Before | UnaryOp::Historically | UnaryOp::Once);
                (time, depth) = (true, depth + usize::from(past));
            }
            TermKind::Binary(op, ..) => {
                use BinaryOp as B;
                let past = matches!(op, B::Since | B::Triggered);
                time |= past || matches!(op, B::Until | B::Releases | B::Then);
                depth += usize::from(past);
            }
            _ => {}
        }
        (time, depth)
    }

    fn function(&mut self, model: &Model, function: FunctionId) -> (bool, usize) {
        if let Some(&known) = self.functions.get(&function) {
            return known;
        }
        // A function that calls itself is refused elsewhere.
        self.functions.insert(function, (false, 0));
        let body = model.functions[function].body;
        let said = body.map_or((false, 0), |body| self.walk(model, body));
        self.functions.insert(function, said);
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_go_round_the_loop_once_more_for_each_past() {
        let shape = Shape { states: 3, back: 1 };
        let mut path = Path::new(shape, 1);
        let states: Vec<usize> = (0..5).map(|position| path.state(position)).collect();
        assert_eq!(states, [0, 1, 2, 1, 2]);
        assert_eq!(path.next(4), 3);
        path.now = 4;
        assert_eq!(path.future(), [4, 3]);
        assert_eq!(path.past(), [4, 3, 2, 1, 0]);
        path.now = 1;
        assert_eq!(path.future(), [1, 2, 3, 4]);
    }
}
