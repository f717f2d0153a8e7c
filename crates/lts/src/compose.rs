//! Composition: several systems that run together, as one.
//!
//! A [`Net`] says which systems there are, how they synchronise and what becomes of the labels of the
//! result. It is read from a small text ([`Net::parse`]) or put together by hand ([`Net::par`] and its
//! neighbours), and [`Net::build`] makes the system. Only reachable states are made, and of a net within a
//! net only those that the whole reaches.
//!
//! The operators are those of LOTOS and LNT with rendezvous of some among many (Garavel and Sighireanu,
//! 1999), synchronisation vectors (Arnold and Nivat, 1982), and buffers.

mod buffer;
mod build;
mod explore;
mod internal;
mod lexer;
mod net;
mod origins;
mod parser;
mod pattern;
mod relabel;
mod rules;
mod table;

#[cfg(test)]
mod tests;

pub use build::{BuildFailure, BuildNote, Built};
pub use net::{Buffer, Net, NetBranch, NetPart, PartId, Queue, Sync, Vector};
pub use origins::{LeafState, LiftedStep, Origins, PartMove};
pub use pattern::{LabelPattern, Template, gate};
pub use relabel::Relabelling;
