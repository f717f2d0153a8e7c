//! Tests over the whole workspace: engines that must agree, evidence that must be refused when it is changed, the
//! corpus of models and the benchmarks.
//!
//! [`agreement`] compares engines with the naive readings of `wherefore-testkit`, [`mutants`] changes evidence, and
//! [`smv_interpreter`] reads syntax trees of SMV literally. The tests are in `tests/all`; the programs `corpus` and
//! `bench` are what `make corpus` and `make bench` run. No crate depends on this one.

pub mod agreement;
pub mod alloy;
pub mod modal_mutants;
pub mod mutants;
pub mod readers;
pub mod smv_interpreter;
pub mod solvers;

pub use solvers::has_solver;
