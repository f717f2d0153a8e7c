//! Answers without a list of states: runs and proofs that a solver finds.
//!
//! A property that fails is refuted by a run of bounded length, one position longer each time (Biere,
//! Cimatti, Clarke and Zhu 1999): the shortest one, then the one with the fewest changes, then the least.
//! A property that holds is proved by induction: over several steps at once (Sheeran, Singh and Stålmarck
//! 2000), or by an invariant that is built from clauses (Bradley 2011). What must happen some time is
//! proved by bounding how often it can be put off (Claessen and Sörensson 2012), or by an invariant that keeps
//! runs from closing a fair loop (Biere, Artho and Schuppan 2002). The two sides take turns; which of them
//! ends first depends on the machine, what they answer does not.

mod bounded;
mod canonical;
mod certificate;
mod decide;
mod exists;
mod frames;
mod ic3;
mod lasso;
mod lifting;
mod liveness;
mod loops;
mod path;
mod question;
mod safety;
mod steps;
mod symmetry;
mod watcher;

pub use bounded::{Bounded, bounded};
pub use certificate::{Clause, InvariantClauses};
pub use decide::{SatOutcome, SatRefutation, decide, inductive};
pub use exists::{Existing, existing};
pub use liveness::{Watched, watch};
pub use loops::loops;
pub use question::{NoState, SatQuestion, holds_by_form, invariant, is_total, question};
pub use steps::BoundedTrace;
pub use symmetry::symmetries;
