//! Terms: expressions over the variables of a state, of its successor and of the input between.

use wherefore_base::{IndexVec, Span, Value, define_id};

use crate::VarId;

define_id!(
    /// A term of a model.
    pub struct TermId
);

/// An operator with two operands.
///
/// Arithmetic is on 64-bit integers and wraps; division truncates towards zero as in C, the
/// remainder has the sign of the left operand, and both are 0 when the right operand is 0 (front
/// ends make sure it never is).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    And,
    Or,
    Implies,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
}

/// An expression. Operands are term ids; shared operands make a term a graph without cycles.
///
/// A term denotes one value, or with [`Term::Set`] inside it several: `case c : {1, 2}; TRUE : 3`.
/// Several values may stand only where a choice is meant: as the value of an assignment, under
/// `Ite` and `Set` there, and at either side of `Member`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A constant.
    Const(Value),
    /// A variable in the present state, or an input of the present step.
    Var(VarId),
    /// A variable in the next state.
    Next(VarId),
    /// Logical negation.
    Not(TermId),
    /// Arithmetic negation.
    Negate(TermId),
    /// An operator with two operands.
    Binary(BinaryOp, TermId, TermId),
    /// `if a then b else c`.
    Ite(TermId, TermId, TermId),
    /// One of several values; members that denote several values add all of theirs.
    Set(Box<[TermId]>),
    /// Each value of the left term is a value of the right term.
    Member(TermId, TermId),
    /// How many of the conditions are true.
    Count(Box<[TermId]>),
}

impl Term {
    /// The operands in order.
    pub fn operands(&self) -> impl Iterator<Item = TermId> + '_ {
        let (few, many): ([Option<TermId>; 3], &[TermId]) = match self {
            Term::Const(_) | Term::Var(_) | Term::Next(_) => ([None; 3], &[]),
            Term::Not(a) | Term::Negate(a) => ([Some(*a), None, None], &[]),
            Term::Binary(_, a, b) | Term::Member(a, b) => ([Some(*a), Some(*b), None], &[]),
            Term::Ite(a, b, c) => ([Some(*a), Some(*b), Some(*c)], &[]),
            Term::Set(members) | Term::Count(members) => ([None; 3], members),
        };
        few.into_iter().flatten().chain(many.iter().copied())
    }

    /// The same operator over other operands.
    #[must_use]
    pub fn with_operands(&self, mut to: impl FnMut(TermId) -> TermId) -> Self {
        match self {
            Term::Const(_) | Term::Var(_) | Term::Next(_) => self.clone(),
            Term::Not(a) => Term::Not(to(*a)),
            Term::Negate(a) => Term::Negate(to(*a)),
            Term::Binary(op, a, b) => Term::Binary(*op, to(*a), to(*b)),
            Term::Ite(a, b, c) => Term::Ite(to(*a), to(*b), to(*c)),
            Term::Set(members) => Term::Set(members.iter().map(|&m| to(m)).collect()),
            Term::Member(a, b) => Term::Member(to(*a), to(*b)),
            Term::Count(members) => Term::Count(members.iter().map(|&m| to(m)).collect()),
        }
    }
}

/// All terms of a model, each with its place in the source.
///
/// Invariant: operands come before the terms that use them.
#[derive(Clone, Default, Debug)]
pub struct Terms {
    terms: IndexVec<TermId, (Term, Option<Span>)>,
}

impl Terms {
    /// Adds a term whose operands were added before.
    ///
    /// # Panics
    /// When an operand was not added before.
    pub fn add(&mut self, term: Term, span: Option<Span>) -> TermId {
        let fits = term.operands().all(|id| id.index() < self.terms.len());
        assert!(fits, "operands are added first");
        self.terms.push((term, span))
    }

    /// The term with this id.
    pub fn get(&self, id: TermId) -> &Term {
        &self.terms[id].0
    }

    /// Where the term stands in the source, if it stands there.
    pub fn span(&self, id: TermId) -> Option<Span> {
        self.terms[id].1
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

/// The value of an operator on two values; `None` when the values do not fit the operator.
pub fn apply(op: BinaryOp, a: Value, b: Value) -> Option<Value> {
    use BinaryOp as B;
    let result = match op {
        B::And => Value::Bool(a.as_bool()? && b.as_bool()?),
        B::Or => Value::Bool(a.as_bool()? || b.as_bool()?),
        B::Implies => Value::Bool(!a.as_bool()? || b.as_bool()?),
        B::Equal => Value::Bool(a == b),
        B::Unequal => Value::Bool(a != b),
        B::Less => Value::Bool(a.as_int()? < b.as_int()?),
        B::LessEqual => Value::Bool(a.as_int()? <= b.as_int()?),
        B::Greater => Value::Bool(a.as_int()? > b.as_int()?),
        B::GreaterEqual => Value::Bool(a.as_int()? >= b.as_int()?),
        B::Add => Value::Int(a.as_int()?.wrapping_add(b.as_int()?)),
        B::Sub => Value::Int(a.as_int()?.wrapping_sub(b.as_int()?)),
        B::Mul => Value::Int(a.as_int()?.wrapping_mul(b.as_int()?)),
        B::Div => Value::Int(match (a.as_int()?, b.as_int()?) {
            (_, 0) => 0,
            (a, b) => a.wrapping_div(b),
        }),
        B::Mod => Value::Int(match (a.as_int()?, b.as_int()?) {
            (_, 0) => 0,
            (a, b) => a.wrapping_rem(b),
        }),
    };
    Some(result)
}
