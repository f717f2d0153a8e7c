//! Instances of Alloy models: as a document for the Alloy visualizer and Sterling ([`xml`]), as a graph
//! ([`dot`], [`svg`]), as a tree ([`tree`]), and as a part of our own document ([`saved`]).
//!
//! Every view goes from an [`Instance`] to a string.

pub mod dot;
pub mod saved;
pub mod svg;
pub mod tree;
pub mod values;
pub mod xml;

mod graph;
mod instance;
mod layered;

pub use instance::Instance;
