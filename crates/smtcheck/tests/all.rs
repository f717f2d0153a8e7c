//! All tests of the crate beside its source, in one program: it is linked once.

mod afterwards;
mod agreement;
mod beyond;
mod common;
mod fairness;
mod linear;
mod solvers;
mod theories;
mod variants;
mod verdicts;
