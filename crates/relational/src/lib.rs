//! Bounded relational logic, decided by SAT.
//!
//! A [`Problem`] has a finite [`Universe`] of atoms, relations between exact lower and upper bounds, and
//! formulas that must be true. After Torlak and Jackson (2007), each relation becomes a sparse matrix of
//! inputs of a circuit, each formula an edge of it, and a solver looks for an [`Instance`].

mod arena;
mod build;
mod clauses;
mod evaluator;
mod instance;
mod matrix;
mod options;
mod problem;
mod reasons;
mod refusal;
mod search;
mod symmetry;
mod terms;
mod translate;
mod tuples;
mod universe;

pub use evaluator::Evaluator;
pub use instance::{Instance, Witness};
pub use options::Options;
pub use problem::{Integers, Overflow, Problem, Relation, TotalOrder, Variable};
pub use reasons::Reasons;
pub use refusal::{Outcome, Refusal};
pub use search::{Search, Size};
pub use terms::{
    Amount, Arithmetic, Binary, Comparison, Decl, Expr, ExprId, Formula, FormulaId, Int, IntId,
    Multiplicity, Quantifier, RelationId, Unary, VarId,
};
pub use translate::Conjunct;
pub use tuples::{Packing, TupleSet};
pub use universe::{AtomId, Universe};
