//! The independent check of certificates.
//!
//! A certificate ([`wherefore_proof::certificate`]) comes down to a list of conditions on states and steps
//! ([`conditions()`]), and [`verify()`] decides each with a SAT solver, without exploring anything. Whoever
//! trusts this crate, the model and the logic need trust nothing else:
//!
//! - the engines that find certificates share no code with it: terms are encoded anew, from their definition;
//! - the solver is not believed: every clause that it learns is checked by reverse unit propagation.

mod conditions;
mod encode;
mod moves;
mod netlist;
mod numbers;
mod rup;
mod solver;
mod statements;
mod tseitin;
mod values;
mod verify;

#[cfg(test)]
mod agreement;

pub use conditions::{ConditionForm, StateCondition, VerificationCondition, conditions};
pub use statements::{conditions_with, verify_statements};
pub use verify::verify;
