//! Models that were read and can be asked, one file for each kind of system behind a language.

pub mod alloy;
pub mod lts;
pub mod model;
pub(crate) mod order_file;
pub mod smt;
