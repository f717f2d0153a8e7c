//! All tests of the crate beside its source, in one program: it is linked once.

mod apart;
mod commands;
mod common;
mod hostile;
mod library;
mod reading;
mod warnings;
