//! Wherefore, the model checker that tells you why, as a library.

pub use wherefore_driver::*;
