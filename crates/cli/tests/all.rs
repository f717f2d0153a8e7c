//! All tests of the crate beside its source, in one program: it is linked once.

mod alloy;
mod cli;
mod convert;
mod debug;
mod debug_smv;
mod docs;
mod explain;
mod explore;
mod exports;
mod hostile;
mod instances;
mod limits;
mod linear;
mod lts;
mod open;
mod paths;
mod sentences;
mod several;
mod smt;
mod smt_numbers;
mod strategies;
mod support;
mod systems;
mod traces;
mod views;
mod visualizer;
