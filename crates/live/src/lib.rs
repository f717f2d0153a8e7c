//! CTL on infinite-state systems, by solvers for satisfiability modulo theories.

mod portfolio;
mod process;
mod response;
mod solver;
mod trouble;

pub use portfolio::{Reply, ask_all};
pub use process::Limits;
pub use solver::{Kind, Outcome, Session, Solver};
pub use trouble::Trouble;
