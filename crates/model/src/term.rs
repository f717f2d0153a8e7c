//! Terms: expressions over the variables of a state, of its successor and of the input between.

use wherefore_base::{IndexVec, Span, Value, Word, define_id};

use crate::VarId;

define_id!(
    /// A term of a model.
    pub struct TermId
);

/// An operator with two operands.
///
/// Arithmetic is on 64-bit integers and wraps; division truncates towards zero as in C, the
/// remainder has the sign of the left operand, and both are 0 when the right operand is 0 (front
/// ends make sure it never is). Arithmetic and order are for two words of one type, too; arithmetic
/// on words is modulo a power of two.
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
    /// Bit by bit, of two words of one type.
    BitAnd,
    /// Bit by bit, of two words of one type.
    BitOr,
    /// Bit by bit, of two words of one type.
    BitXor,
    /// A word, shifted by an integer or by a word without a sign.
    ShiftLeft,
    /// A word, shifted by an integer or by a word without a sign; the sign is kept.
    ShiftRight,
    /// The bits of both words, without a sign.
    Concat,
}

impl BinaryOp {
    /// Whether the result is a truth value.
    pub fn is_condition(self) -> bool {
        // Conditions are declared before all other operators.
        self <= BinaryOp::GreaterEqual
    }
}

/// An operator with a word as its operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WordOp {
    /// The bits from the first place down to the second, without a sign.
    Select(u32, u32),
    /// The number it stands for as a word of another type, modulo a power of two.
    Convert {
        /// Whether the new word has a sign.
        signed: bool,
        /// How many bits it has.
        width: u32,
    },
    /// The number it stands for as an integer, modulo a power of two: only an unsigned word of 64 bits may be too large.
    ToInt,
}

impl WordOp {
    /// The result of the operator.
    pub fn apply(self, word: Word) -> Value {
        match self {
            WordOp::Select(high, low) => Value::Word(word.select(high, low)),
            WordOp::Convert { signed, width } => Value::Word(word.convert(signed, width)),
            WordOp::ToInt => Value::Int(word.number() as i64),
        }
    }
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
    /// An operator on a word.
    Word(WordOp, TermId),
}

impl Term {
    /// Whether it has no operands.
    pub fn is_leaf(&self) -> bool {
        matches!(self, Term::Const(_) | Term::Var(_) | Term::Next(_))
    }

    /// The operands in order.
    pub fn operands(&self) -> impl Iterator<Item = TermId> + '_ {
        // Either at most three operands or a list that is there already: nothing is allocated.
        let (few, many): ([Option<TermId>; 3], &[TermId]) = match self {
            Term::Const(_) | Term::Var(_) | Term::Next(_) => ([None; 3], &[]),
            Term::Not(a) | Term::Negate(a) | Term::Word(_, a) => ([Some(*a), None, None], &[]),
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
            Term::Word(op, a) => Term::Word(*op, to(*a)),
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
    /// The same terms over other variables.
    #[must_use]
    pub fn renamed(&self, place: impl Fn(VarId) -> VarId) -> Self {
        let renamed = |(term, span): &(Term, Option<Span>)| {
            let term = match term {
                Term::Var(var) => Term::Var(place(*var)),
                Term::Next(var) => Term::Next(place(*var)),
                other => other.clone(),
            };
            (term, *span)
        };
        Self {
            terms: self.terms.iter().map(renamed).collect(),
        }
    }

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
    match (a, b) {
        // Equality compares the types of words as well, as it does for all values.
        (Value::Word(a), Value::Word(b)) if !matches!(op, B::Equal | B::Unequal) => {
            return apply_to_words(op, a, b);
        }
        (Value::Word(a), Value::Int(by)) => return shift(op, a, by.into()),
        _ => {}
    }
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
            // The least integer divided by -1 wraps.
            (a, b) => a.wrapping_div(b),
        }),
        B::Mod => Value::Int(match (a.as_int()?, b.as_int()?) {
            (_, 0) => 0,
            (a, b) => a.wrapping_rem(b),
        }),
        B::BitAnd | B::BitOr | B::BitXor | B::ShiftLeft | B::ShiftRight | B::Concat => return None,
    };
    Some(result)
}

fn apply_to_words(op: BinaryOp, a: Word, b: Word) -> Option<Value> {
    use BinaryOp as B;
    let same = (a.width(), a.is_signed()) == (b.width(), b.is_signed());
    if !same && !matches!(op, B::Concat | B::ShiftLeft | B::ShiftRight) {
        return None;
    }
    let (x, y) = (a.number(), b.number());
    Some(match op {
        B::Less => Value::Bool(x < y),
        B::LessEqual => Value::Bool(x <= y),
        B::Greater => Value::Bool(x > y),
        B::GreaterEqual => Value::Bool(x >= y),
        B::Add => Value::Word(a.calculate(b, i128::wrapping_add)),
        B::Sub => Value::Word(a.calculate(b, i128::wrapping_sub)),
        B::Mul => Value::Word(a.calculate(b, i128::wrapping_mul)),
        B::Div => Value::Word(a.calculate(b, |x, y| x.checked_div(y).unwrap_or(0))),
        B::Mod => Value::Word(a.calculate(b, |x, y| x.checked_rem(y).unwrap_or(0))),
        B::BitAnd => Value::Word(a.bitwise(b, |x, y| x & y)),
        B::BitOr => Value::Word(a.bitwise(b, |x, y| x | y)),
        B::BitXor => Value::Word(a.bitwise(b, |x, y| x ^ y)),
        B::ShiftLeft | B::ShiftRight if !b.is_signed() => return shift(op, a, y),
        B::Concat => Value::Word(a.concat(b)?),
        _ => return None,
    })
}

fn shift(op: BinaryOp, word: Word, by: i128) -> Option<Value> {
    // A negative distance shifts nothing, and one beyond every width all bits.
    let by = u32::try_from(by.max(0)).unwrap_or(u32::MAX);
    match op {
        BinaryOp::ShiftLeft => Some(Value::Word(word.shift_left(by))),
        BinaryOp::ShiftRight => Some(Value::Word(word.shift_right(by))),
        _ => None,
    }
}
