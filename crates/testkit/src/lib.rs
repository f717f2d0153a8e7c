//! What tests share: random numbers that can be repeated, small systems, random models, and naive readings of them
//! that the engines must agree with.
//!
//! Nothing here is fast and nothing here uses the code that it judges: [`naive`] reads `docs/semantics.md`. This crate
//! depends on formulas and models only, so that the tests of every crate above them can use it. No crate depends on it
//! except for its tests.

pub mod campaign;
pub mod formulas;
pub mod kripke;
pub mod linear;
pub mod modal;
pub mod naive;
pub mod naive_tags;
pub mod random_lts;
pub mod random_model;
pub mod random_smv;
pub mod random_terms;
pub mod random_vmt;
pub mod runs;
pub mod torn;

pub use campaign::{Rng, campaign};
pub use kripke::Kripke;
