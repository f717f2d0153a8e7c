//! All tests of the crate beside its source, in one program: it is linked once.

mod agreement;
mod compiled;
mod engines;
mod obligations;
mod support;
mod words;
