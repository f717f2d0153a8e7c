//! Infinite-state systems in the words of SMT-LIB: text to a typed transition system, nothing more.
//!
//! [`sexp`] reads s-expressions with their places; [`SmtTerms`] holds sorts, symbols and terms, each made once; a
//! [`TermSystem`] is what readers make and engines ask about. [`mod@print`] writes terms back, [`infix`] as people write them, [`eval`] evaluates them without any
//! solver, and a [`SolverTrace`] is a run that a solver found, with its replay.

mod bits;
mod build;
mod builder;
mod ctl;
pub mod eval;
mod finite;
mod formula;
mod fragment;
mod generators;
mod hinges;
pub mod infix;
mod lower;
mod number;
mod of_model;
mod operators;
mod paper;
pub mod print;
mod reading;
mod script;
pub mod sexp;
mod shape;
mod sort;
mod system;
mod term;
mod tidy;
mod trace;
mod value;
mod vmt;

pub use builder::{Builder, Var};
pub use ctl::{SmtClass, SmtCtl};
pub use eval::CannotEvaluate;
pub use finite::{Bound, finite, rule};
pub use fragment::{FragmentRuns, Fragments, fragments};
pub use hinges::{TermHinge, TermHinges, term_hinges};
pub use number::{Rational, euclid};
pub use of_model::{Dictionary, Obliged, Translated, of_model};
pub use reading::{
    PlacedConditions, SmtForm, SmtReading, SmtScope, condition_over, is_model, read,
};
pub use shape::Substitution;
pub use sort::{Sort, SortId, Sorts};
pub use system::{
    Action, Deadlock, ExpectedVerdict, SmtProperty, SmtPropertyKind, StateVar, TermSystem,
};
pub use term::{
    BitsOp, SmtOp, SmtQuantifier, SmtSymbol, SmtTerm, SmtTermId, SmtTerms, SymbolId, SymbolKind,
};
pub use trace::{SolverTrace, TraceFault, TraceMeaning};
pub use value::{ArrayValue, FunctionValue, ShowSmtValue, SmtValuation, SmtValue};
