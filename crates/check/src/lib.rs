//! The checker: a query over a state space to the set of states where it holds.
//!
//! Fair CTL is written once, over [`wherefore_space::StateSpace`]; the five path rules differ only in the few sets
//! that [`Checker`] works out for them. Every operator is read through its kernel
//! ([`wherefore_logic::kernel`]) in existential form, and universal ones by complement. Linear-time
//! formulas become fair CTL over a product with their [`Tableau`].

pub mod modal;

mod checker;
mod tableau;
mod vacuity;

pub use checker::{Checker, PathSets, Solution};
pub use tableau::{Tableau, remembering_steps};
pub use vacuity::{Replacement, Strengthened, strengthened, vacuity};
