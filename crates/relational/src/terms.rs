//! Expressions, formulas and integer expressions of relational logic.
//!
//! The language is that of Jackson (2006) and of Torlak and Jackson (2007): relations of any arity over
//! a finite universe, transitive closure, quantifiers, and integers of a fixed width. Nodes live in the
//! arena of a [`Problem`](crate::Problem), which makes equal nodes one node; ids are cheap to copy.

use wherefore_base::Span;

wherefore_base::define_id!(
    /// A relation of a problem.
    pub struct RelationId
);
wherefore_base::define_id!(
    /// A variable of a problem.
    pub struct RelVarId
);
wherefore_base::define_id!(
    /// An expression: its value is a set of tuples.
    pub struct RelExprId
);
wherefore_base::define_id!(
    /// A formula: its value is a truth value.
    pub struct FormulaId
);
wherefore_base::define_id!(
    /// An integer expression: its value is an integer of the problem's width.
    pub struct IntId
);

/// What the value of a declared variable may be, as a part of its bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Multiplicity {
    /// One tuple.
    One,
    /// No tuple or one.
    Lone,
    /// At least one tuple.
    Some,
    /// Any set of tuples.
    Set,
}

/// A declared variable: `variable: multiplicity bound`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RelDecl {
    /// The variable.
    pub variable: RelVarId,
    /// How many tuples of the bound it has.
    pub multiplicity: Multiplicity,
    /// What its tuples are taken from; may use the variables declared before.
    pub bound: RelExprId,
}

/// An operation on two expressions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// Tuples of either: `a + b`.
    Union,
    /// Tuples of both: `a & b`.
    Intersection,
    /// Tuples of the first that are not in the second: `a - b`.
    Difference,
    /// Tuples put together where the last atom of one is the first of the other: `a . b`.
    Join,
    /// Tuples put one after the other: `a -> b`.
    Product,
    /// Tuples of the second, and those of the first that begin with another atom: `a ++ b`.
    Override,
    /// Tuples of the second that begin with an atom of the first: `a <: b`.
    Domain,
    /// Tuples of the first that end with an atom of the second: `a :> b`.
    Range,
}

/// An operation on one expression of two columns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    /// Pairs turned around: `~a`.
    Transpose,
    /// Pairs joined by one step or more: `^a`.
    Closure,
    /// Pairs joined by any number of steps, every atom with itself: `*a`.
    ReflexiveClosure,
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum RelExpr {
    /// A relation.
    Relation(RelationId),
    /// A variable.
    Variable(RelVarId),
    /// Every atom.
    Univ,
    /// Every atom with itself.
    Iden,
    /// No tuple, with this many columns.
    None(usize),
    /// Every integer atom.
    Ints,
    /// An operation on one expression.
    Unary(Unary, RelExprId),
    /// An operation on two expressions.
    Binary(Binary, RelExprId, RelExprId),
    /// The tuples of values of the declared variables for which the formula is true.
    Comprehension(Box<[RelDecl]>, FormulaId),
    /// The first expression where the formula is true, the second where it is not.
    Choice(FormulaId, RelExprId, RelExprId),
    /// The atom of an integer; no tuple where there is no such atom.
    FromInt(IntId),
}

/// How many tuples an expression has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Amount {
    /// None.
    No,
    /// At least one.
    Some,
    /// At most one.
    Lone,
    /// Exactly one.
    One,
}

/// A quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RelQuantifier {
    /// For every value of the variables.
    All,
    /// For some value of the variables.
    Some,
}

/// A comparison of integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntComparison {
    /// `a = b`
    Equal,
    /// `a < b`
    Less,
    /// `a <= b`
    AtMost,
}

/// A formula.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum RelFormula {
    /// Every tuple of the first is in the second.
    In(RelExprId, RelExprId),
    /// Both have the same tuples.
    Equal(RelExprId, RelExprId),
    /// How many tuples there are.
    Amount(Amount, RelExprId),
    /// A comparison of integers.
    Compare(IntComparison, IntId, IntId),
    /// A quantified formula.
    Quantified(RelQuantifier, Box<[RelDecl]>, FormulaId),
    /// The formula is false.
    Not(FormulaId),
    /// All are true; of none: true.
    And(Box<[FormulaId]>),
    /// At least one is true; of none: false.
    Or(Box<[FormulaId]>),
    /// The second is true where the first is.
    Implies(FormulaId, FormulaId),
    /// Both are true, or both are false.
    Iff(FormulaId, FormulaId),
    /// A formula as it is written in a place. It means the formula.
    At(FormulaId, Span),
}

/// An operation on two integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arithmetic {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`, rounded towards zero; by zero it overflows, and is 0 where that is allowed.
    Divide,
    /// The remainder of `a / b`, with the sign of `a`; by zero it overflows, and is 0 where that is
    /// allowed.
    Remainder,
    /// `a` shifted left by `b` places. Of `b` the lowest bits count, as many as name each place of a number.
    ShiftLeft,
    /// `a` shifted right by `b` places, its sign repeated.
    ShiftRight,
    /// `a` shifted right by `b` places, zeros coming in.
    ShiftRightZero,
}

/// An integer expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Int {
    /// A constant.
    Constant(i64),
    /// How many tuples an expression has.
    Count(RelExprId),
    /// The sum of the integers whose atoms are in a set.
    Value(RelExprId),
    /// The sum of the expression over all values of the declared variables.
    Sum(Box<[RelDecl]>, IntId),
    /// An operation on two integers.
    Arithmetic(Arithmetic, IntId, IntId),
    /// The first where the formula is true, the second where it is not.
    Choice(FormulaId, IntId, IntId),
}
