//! Time: traces of a given shape, and what operators of time mean on them.
//!
//! A trace has some states and goes back from the last one to one of them, for ever. Signatures and
//! fields that change have a relation of their own in each state. A formula is read at a position of a
//! `Path`. Where the trace goes back to may be left open: then what depends on it is a choice
//! between the values for each state it may be (Biere, Cimatti, Clarke and Zhu 1999).

use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::deep;
use wherefore_relational::{FormulaId, RelExprId};

use super::{AlloyLower, AlloyLowering, TermMeaning};
use crate::model::{
    AlloyBinaryOp, AlloyModel, AlloyTermId, AlloyTermKind, AlloyUnaryOp, AlloyVarId, FunctionId,
};
use crate::scope::Scopes;

/// The shape of a trace: how many states it has, and to which the last one goes back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TraceShape {
    /// How many states there are, at least one.
    pub states: usize,
    /// The state after the last one.
    pub back: usize,
}

impl TraceShape {
    /// One state that stays for ever: for models in which nothing changes.
    pub const STILL: TraceShape = TraceShape { states: 1, back: 0 };

    /// How many states the longest traces have that the scope of a command allows.
    pub fn longest(scopes: &Scopes) -> usize {
        let (least, most) = scopes.steps.unwrap_or((1, None));
        most.unwrap_or(least).max(1) as usize
    }

    /// The shapes that the scope of a command allows, the shortest first; none is left out only if the
    /// length of traces is bounded. To know whether a command has an instance of any of them, one problem
    /// is enough: see [`lower_lassos`](crate::lower_lassos).
    pub fn all(scopes: &Scopes) -> Vec<TraceShape> {
        let Some((least, _)) = scopes.steps else {
            return vec![TraceShape::STILL];
        };
        let least = least.max(1) as usize;
        let most = TraceShape::longest(scopes);
        let shapes = (least..=most)
            .flat_map(|states| (0..states).map(move |back| TraceShape { states, back }));
        shapes.collect()
    }
}

/// The meanings of variables where an expression is written.
pub(super) type Later = (
    AlloyTermId,
    Rc<(
        FxHashMap<AlloyVarId, TermMeaning>,
        FxHashMap<AlloyVarId, Delayed>,
    )>,
);

/// An expression whose value depends on when it is asked for.
#[derive(Clone, Debug)]
pub(super) struct Delayed(pub(super) Later);

impl AlloyLowering<'_> {
    /// Reads something at another position.
    pub(super) fn at_position<T>(
        &mut self,
        position: usize,
        read: impl FnOnce(&mut Self) -> AlloyLower<T>,
    ) -> AlloyLower<T> {
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
            // The tables at hand go back to their place before the others are taken.
            std::mem::swap(&mut self.tables, &mut self.parked[from]);
            std::mem::swap(&mut self.tables, &mut self.parked[to]);
        }
    }

    /// An operator of time with one operand.
    pub(super) fn unary_of_time(
        &mut self,
        op: AlloyUnaryOp,
        a: AlloyTermId,
    ) -> AlloyLower<TermMeaning> {
        use AlloyUnaryOp as U;
        let now = self.path.now;
        if op == U::Prime {
            let places = self.path.each(|path, back| path.next(now, back));
            return Ok(TermMeaning::Expr(self.expr_in(a, &places)?));
        }
        let mut read = ReadAtPositions::of(a);
        let formula = match op {
            U::After => {
                let places = self.path.each(|path, back| path.next(now, back));
                self.formula_in(&mut read, &places)?
            }
            // Nothing is before the first state.
            U::Before if now == 0 => self.problem.or([]),
            U::Before => {
                let places = self.path.each(|path, back| path.previous(now, back));
                self.formula_in(&mut read, &places)?
            }
            U::Always | U::Eventually => {
                let places = self.path.each(|path, back| path.future(now, back));
                self.formula_along(&mut read, &places, op == U::Always)?
            }
            _ => {
                let places = self.path.each(|path, back| path.past(now, back));
                self.formula_along(&mut read, &places, op == U::Historically)?
            }
        };
        Ok(TermMeaning::Formula(formula))
    }

    /// An operator of time between two formulas.
    pub(super) fn binary_of_time(
        &mut self,
        op: AlloyBinaryOp,
        a: AlloyTermId,
        b: AlloyTermId,
    ) -> AlloyLower<FormulaId> {
        let now = self.path.now;
        let (mut stay, mut goal) = (ReadAtPositions::of(a), ReadAtPositions::of(b));
        if op == AlloyBinaryOp::Then {
            let first = self.formula(a)?;
            let places = self.path.each(|path, back| path.next(now, back));
            let then = self.formula_in(&mut goal, &places)?;
            return Ok(self.problem.and([first, then]));
        }
        let places = match op {
            AlloyBinaryOp::Until | AlloyBinaryOp::Releases => {
                self.path.each(|path, back| path.future(now, back))
            }
            _ => self.path.each(|path, back| path.past(now, back)),
        };
        let holds = matches!(op, AlloyBinaryOp::Until | AlloyBinaryOp::Since);
        let mut values = Vec::new();
        for (back, positions) in places {
            // From the last position backwards: `goal or (stay and the rest)`, and the dual of it.
            let mut whole: Option<FormulaId> = None;
            for position in positions.into_iter().rev() {
                let (stay, goal) = (
                    self.read_at(&mut stay, position)?,
                    self.read_at(&mut goal, position)?,
                );
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
            values.push((back, whole.unwrap_or_else(|| self.problem.or([]))));
        }
        Ok(self.by_back(values))
    }

    /// The value of a formula at a position, read once.
    fn read_at(&mut self, read: &mut ReadAtPositions, position: usize) -> AlloyLower<FormulaId> {
        if let Some(&known) = read.known.get(&position) {
            return Ok(known);
        }
        let term = read.term;
        let value = self.at_position(position, |lowering| lowering.formula(term))?;
        read.known.insert(position, value);
        Ok(value)
    }

    /// A formula at a position that depends on where the trace goes back to.
    fn formula_in(
        &mut self,
        read: &mut ReadAtPositions,
        places: &[(usize, usize)],
    ) -> AlloyLower<FormulaId> {
        let mut values = Vec::new();
        for &(back, position) in places {
            values.push((back, self.read_at(read, position)?));
        }
        Ok(self.by_back(values))
    }

    /// An expression at a position that depends on where the trace goes back to.
    fn expr_in(&mut self, term: AlloyTermId, places: &[(usize, usize)]) -> AlloyLower<RelExprId> {
        let mut whole: Option<RelExprId> = None;
        // Just one of the loops is taken, so the last value is what is left and needs no condition.
        for &(back, position) in places.iter().rev() {
            let value = self.at_position(position, |lowering| lowering.expr(term))?;
            whole = Some(match whole {
                Some(other) if other != value => {
                    let goes = self.path.loops[back];
                    self.problem.choice(goes, value, other)
                }
                _ => value,
            });
        }
        Ok(whole.unwrap_or_else(|| self.problem.none(1)))
    }

    /// A formula at all of some positions, or at one of them, which depend on where the trace goes back to.
    fn formula_along(
        &mut self,
        read: &mut ReadAtPositions,
        places: &[(usize, Vec<usize>)],
        all: bool,
    ) -> AlloyLower<FormulaId> {
        let first = places.first().map_or(&[][..], |(_, positions)| positions);
        // Positions that count wherever the trace goes back to need no condition.
        let mut common = first.to_vec();
        common.retain(|at| places.iter().all(|(_, positions)| positions.contains(at)));
        let mut parts = Vec::new();
        for &position in &common {
            parts.push(self.read_at(read, position)?);
        }
        for (back, positions) in places {
            let mut rest = Vec::new();
            for &position in positions.iter().filter(|at| !common.contains(at)) {
                rest.push(self.read_at(read, position)?);
            }
            if rest.is_empty() {
                continue;
            }
            let goes = self.path.loops[*back];
            parts.push(if all {
                let rest = self.problem.and(rest);
                self.problem.implies(goes, rest)
            } else {
                let rest = self.problem.or(rest);
                self.problem.and([goes, rest])
            });
        }
        Ok(if all {
            self.problem.and(parts)
        } else {
            self.problem.or(parts)
        })
    }

    /// The value of a formula that depends on where the trace goes back to.
    fn by_back(&mut self, values: Vec<(usize, FormulaId)>) -> FormulaId {
        if let [(_, first), rest @ ..] = &values[..]
            && rest.iter().all(|(_, value)| value == first)
        {
            return *first;
        }
        let mut parts = Vec::new();
        for (back, value) in values {
            let goes = self.path.loops[back];
            parts.push(self.problem.implies(goes, value));
        }
        self.problem.and(parts)
    }
}

/// A formula with its values at positions, as far as they are known.
struct ReadAtPositions {
    term: AlloyTermId,
    known: FxHashMap<usize, FormulaId>,
}

impl ReadAtPositions {
    fn of(term: AlloyTermId) -> Self {
        Self {
            term,
            known: FxHashMap::default(),
        }
    }
}

/// What terms say about time, with what they call; what functions say is kept.
#[derive(Clone, Default, Debug)]
pub(super) struct Times {
    /// By function: whether it speaks of another time, and how many operators of the past stand below
    /// each other at most.
    functions: FxHashMap<FunctionId, (bool, usize)>,
    /// The same by term, for those that were asked for.
    terms: FxHashMap<AlloyTermId, (bool, usize)>,
}

impl Times {
    /// Whether a term speaks of another time.
    pub(super) fn speaks_of_time(&mut self, model: &AlloyModel, term: AlloyTermId) -> bool {
        self.walk(model, term).0
    }

    /// How many operators of the past stand below each other at most.
    pub(super) fn past_depth(&mut self, model: &AlloyModel, term: AlloyTermId) -> usize {
        self.walk(model, term).1
    }

    fn walk(&mut self, model: &AlloyModel, term: AlloyTermId) -> (bool, usize) {
        if let Some(&known) = self.terms.get(&term) {
            return known;
        }
        let said = deep(|| self.walk_here(model, term));
        self.terms.insert(term, said);
        said
    }

    fn walk_here(&mut self, model: &AlloyModel, term: AlloyTermId) -> (bool, usize) {
        let kind = &model.terms[term].kind;
        let (mut time, mut depth) = (false, 0);
        for operand in kind.operands() {
            let (t, d) = self.walk(model, operand);
            (time, depth) = (time | t, depth.max(d));
        }
        match kind {
            AlloyTermKind::Call(function, _) => {
                let (t, d) = self.function(model, *function);
                // Arguments are read inside the body, at worst below all its operators of the past.
                (time, depth) = (time | t, depth + d);
            }
            AlloyTermKind::Unary(op, _) if AlloyLowering::is_temporal(*op) => {
                let past = matches!(
                    op,
                    AlloyUnaryOp::Before | AlloyUnaryOp::Historically | AlloyUnaryOp::Once
                );
                (time, depth) = (true, depth + usize::from(past));
            }
            AlloyTermKind::Binary(op, ..) => {
                use AlloyBinaryOp as B;
                let past = matches!(op, B::Since | B::Triggered);
                time |= past || matches!(op, B::Until | B::Releases | B::Then);
                depth += usize::from(past);
            }
            _ => {}
        }
        (time, depth)
    }

    fn function(&mut self, model: &AlloyModel, function: FunctionId) -> (bool, usize) {
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
