//! Temporal formulas: CTL with fairness, LTL with past operators, path rules, normal forms and classes of property; the
//! alternation-free mu-calculus ([`modal`]) and the regular formulas inside it.
//!
//! A [`Formula`] is a tree whose sub-formulas have stable ids and source spans, so that verdicts,
//! proofs and pictures can point at the part of the property they are about. What an atom means
//! belongs to the language of the model; here an atom is only a number.

mod branching;
mod class;
mod fairness;
mod formula;
mod kernel;
mod ltl;
pub mod modal;
mod parts;
mod regular;
mod rule;
mod strengthen;

pub use branching::{as_ctl, stable};
pub use class::{Class, class_of};
pub use fairness::Fairness;
pub use formula::{AtomId, Bounds, Formula, FormulaNode, Op, PathOp, Quantifier, SubId};
pub use kernel::{Goal, Kernel, PathPattern, RunKernel, kernel, run_kernel};
pub use ltl::{Expanded, LinearOp, has_past};
pub use parts::{FormulaPart, MOST_PARTS, parts};
pub use regular::{ActionId, Nfa, NfaStep, Piece};
pub use rule::PathRule;
pub use strengthen::{Polarity, occurrences, replaced};
