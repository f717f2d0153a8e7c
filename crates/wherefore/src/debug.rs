//! Debugging: all counterexamples of a property at once.
//!
//! The room itself ([`wherefore_debug`]) is here, and [`smv`] brings the models of a
//! [`Session`](crate::Session) into it.

pub mod smv;

pub use wherefore_debug::*;
