//! Labelled transition systems and the properties people write for them: AUT files, and MCL.

pub mod aut;
pub mod mcl;
