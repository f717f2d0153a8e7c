//! Bounded relational logic, decided by SAT.
//!
//! A [`Problem`] has a finite [`Universe`] of atoms, relations between exact lower and upper bounds, and
//! formulas that must be true. After Torlak and Jackson (2007), each relation becomes a sparse matrix of
//! inputs of a circuit, each formula an edge of it, and a solver looks for an [`Instance`].

mod arena;
mod build;
mod problem;
mod refusal;
mod terms;
mod tuples;
mod universe;

pub use problem::{Integers, Overflow, Problem, Relation, TotalOrder, Variable};
pub use refusal::{Outcome, Refusal};
pub use terms::{
    Amount, Arithmetic, Binary, Comparison, Decl, Expr, ExprId, Formula, FormulaId, Int, IntId,
    Multiplicity, Quantifier, RelationId, Unary, VarId,
};
pub use tuples::{Packing, TupleSet};
pub use universe::{AtomId, Universe};
