//! All tests of the crate beside its source, in one program: it is linked once.

mod long;
mod server;
mod support;
