//! All tests of the crate beside its source, in one program: it is linked once.

mod branching;
mod certificates;
