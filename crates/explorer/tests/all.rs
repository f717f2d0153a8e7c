//! All tests of the crate beside its source, in one program: it is linked once.

mod blame;
mod cancelling;
mod languages;
mod long;
mod protection;
mod server;
mod support;
