//! All tests of the crate beside its source, in one program: it is linked once.

mod naive;
mod queries;
mod query_random;
mod support;
