//! All tests of the crate beside its source, in one program: it is linked once.

mod broken;
mod hostile;
mod large;
mod lowering;
