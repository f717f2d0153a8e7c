//! All tests of the crate beside its source, in one program: it is linked once.

mod advice;
mod agreement;
mod extract;
mod method;
mod support;
