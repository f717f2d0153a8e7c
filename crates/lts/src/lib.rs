//! Labelled transition systems and the properties people write for them: AUT files, and MCL.

pub mod aut;
pub mod compose;
pub mod mcl;
pub mod reduce;

mod halt;
mod quoted;

#[cfg(test)]
mod small;

pub use halt::LtsHalt;
