//! All tests of the crate beside its source, in one program: it is linked once.

mod aut;
mod common;
mod mcl_errors;
mod mcl_forms;
mod mcl_large;
mod mcl_semantics;
