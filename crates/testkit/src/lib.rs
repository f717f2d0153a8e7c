//! What the tests of the house share: small systems, random models, and naive readings of both that
//! the engines must agree with.
//!
//! Nothing here is fast and nothing here uses the code it judges: [`naive`] reads `docs/semantics.md`,
//! [`smv_interpreter`] reads syntax trees, and only then are the answers compared. No crate depends on
//! this one except for its tests.

pub mod agreement;
pub mod alloy;
pub mod campaign;
pub mod formulas;
pub mod kripke;
pub mod linear;
pub mod modal;
pub mod mutants;
pub mod naive;
pub mod naive_tags;
pub mod random_lts;
pub mod random_model;
pub mod random_smv;
pub mod random_vmt;
pub mod runs;
pub mod smv_interpreter;
pub mod solvers;

pub use campaign::{Rng, campaign};
pub use kripke::Kripke;
pub use solvers::has_solver;
