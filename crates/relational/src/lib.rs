//! Bounded relational logic, decided by SAT.
//!
//! A [`Problem`] has a finite [`Universe`] of atoms, relations between exact lower and upper bounds, and
//! formulas that must be true. After Torlak and Jackson (2007), each relation becomes a sparse matrix of
//! inputs of a circuit, each formula an edge of it, and a solver looks for an [`Instance`].
//!
//! ```
//! use wherefore_base::Budget;
//! use wherefore_relational::{Integers, Problem, RelDecl, Search, SearchOptions, Universe};
//! use wherefore_sat::Batsat;
//!
//! let universe = Universe::new(["a", "b", "c"]);
//! let all = universe.everything();
//! let mut problem = Problem::new(universe.clone(), Integers::none());
//! let next = problem.relation("next", universe.no_tuples(2), all.product(&all));
//! let next = problem.rel(next);
//!
//! // Every atom has a next one ...
//! let x = problem.variable("x", 1, None);
//! let (x_expr, univ) = (problem.var(x), problem.univ());
//! let after = problem.join(x_expr, next);
//! let some = problem.some(after);
//! let total = problem.all([RelDecl::one(x, univ)], some);
//! problem.require(total);
//! let (options, budget) = (SearchOptions::default(), Budget::unlimited());
//! let mut search: Search<'_, Batsat> = Search::new(&problem, &options, &budget)?;
//! assert!(search.next(&budget)?.is_some());
//!
//! // ... and none is reached from itself: both are needed for there to be no instance.
//! let (closure, iden) = (problem.closure(next), problem.iden());
//! let loops = problem.intersection(closure, iden);
//! let acyclic = problem.no(loops);
//! problem.require(acyclic);
//! let mut search: Search<'_, Batsat> = Search::new(&problem, &options, &budget)?;
//! assert_eq!(search.next(&budget)?, None);
//! assert_eq!(search.core(&budget)?.map(|core| core.len()), Some(2));
//! # Ok::<(), wherefore_relational::ProblemRefusal>(())
//! ```

mod arena;
mod build;
mod clauses;
mod columns;
mod compiled;
mod cores;
mod evaluator;
mod instance;
mod least;
mod log;
mod matrix;
mod options;
mod overflow;
mod problem;
mod reasons;
mod records;
mod refusal;
mod replace;
mod search;
mod settle;
mod symmetry;
mod terms;
mod translate;
mod tuples;
mod universe;

pub use compiled::CompiledProblem;
pub use cores::{CoreEffort, CoreParts, CoreProgress, Solving, core};
pub use evaluator::{FreedFormulas, RelEvaluator};
pub use instance::{Instance, InstanceWitness};
pub use least::Least;
pub use log::{ClauseOrigin, Log};
pub use options::{Closures, SearchOptions};
pub use problem::{Integers, Overflow, Problem, RelVariable, Relation, TotalOrder};
pub use reasons::Reasons;
pub use records::Records;
pub use refusal::{ProblemRefusal, SearchResult};
pub use search::{Search, Size};
pub use settle::SettleWish;
pub use terms::{
    Amount, Arithmetic, Binary, FormulaId, Int, IntComparison, IntId, Multiplicity, RelDecl,
    RelExpr, RelExprId, RelFormula, RelQuantifier, RelVarId, RelationId, Unary,
};
pub use translate::TranslatedConjunct;
pub use tuples::{Packing, TupleSet};
pub use universe::{Universe, UniverseAtomId};
