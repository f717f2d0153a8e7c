//! Satisfiability: solvers, circuits, and models as circuits.
//!
//! A [`BitSystem`] is a model over bits: each variable is the index of its value as a binary number, and
//! every constraint is an edge of a [`Circuit`]. An [`Unrolling`] repeats the circuit along the
//! positions of a run, a [`Cnf`] hands what is asked for to a [`Solver`] as clauses. There are two
//! solvers behind one trait: CaDiCaL, and one in plain Rust for builds without a C++ compiler and for
//! checks that must not trust the first.

pub mod arithmetic;
mod batsat;
mod blast;
#[cfg(feature = "cadical")]
mod cadical;
mod circuit;
mod cnf;
mod solver;
mod system;
mod unrolling;

pub use batsat::Batsat;
pub use blast::{Blaster, Side};
#[cfg(feature = "cadical")]
pub use cadical::Cadical;
pub use circuit::{Circuit, CircuitEdge, Gate};
pub use cnf::Cnf;
pub use solver::{Lit, SatAnswer, Solver, Strongest};
pub use system::BitSystem;
pub use unrolling::Unrolling;
