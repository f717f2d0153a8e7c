//! All tests of the crate beside its source, in one program: it is linked once.

mod documents;
mod fixtures;
mod graphs;
mod instances;
mod screens;
mod sentences;
mod views;
