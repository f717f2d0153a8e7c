//! CTL on infinite-state systems, by solvers for satisfiability modulo theories.

mod always;
mod answer;
mod asker;
mod cover;
mod decide;
mod enabled;
mod everywhere;
mod finding;
mod horn;
mod houdini;
mod induction;
mod kripke;
mod never;
mod plan;
mod portfolio;
mod process;
mod quantified;
mod rank;
mod reading;
mod recurrent;
mod response;
mod solver;
mod stable;
mod theory;
mod traces;
mod trouble;
mod unroll;

pub use answer::{Answer, Branch, Certificate, Choices, Engine, Obligation, Proof, Refutation, Verdict};
pub use decide::{decide, decide_formula, theory_query};
pub use portfolio::{Reply, ask_all};
pub use process::Limits;
pub use solver::{Kind, Outcome, Session, Solver};
pub use trouble::Trouble;
