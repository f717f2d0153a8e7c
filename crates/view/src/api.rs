//! The answers of the explorer, version `wherefore-explorer/1`, made from findings.
//!
//! `docs/explorer-api.md` describes them; their types, and those of requests, are in [`wherefore_wire`]. Wherever a
//! document of `check`, `debug` or `query` says the same, it is used as it is.

pub mod pieces;
pub mod report;

mod analysis;
mod blocked;
mod entry;
mod formula;
mod mended;
mod places;
mod scene;
mod told;

pub use analysis::{analysis, course, graph_edge, graph_node, group, named_queries};
pub use blocked::blocked;
pub use entry::{file_name, listed, variables};
pub use mended::{blame, mended};
pub use places::{spot, spot_after, spot_before, spot_of_system, state_of, values};
pub use scene::{OpenClaim, ProofParts, PropertyPlace, proof, ways};
pub(crate) use told::told_of_system;
pub use told::{property, property_of_system};

/// The most sentences about the nodes of a proof that are sent.
pub(crate) const MOST_SENTENCES: usize = 4_000;
