//! Views: what was found out, as text for people and as documents for programs.
//!
//! Every function here goes from a [`Report`] to a string; nothing here reads, writes or checks.
//! [`text`] is the screen, [`explore`] the answers of a walk through the states, [`markdown`] the same for a page, [`json`] the document that tools rely
//! on, [`dot`] and [`itf`] the evidence in formats that other tools draw and read.

pub mod dot;
pub mod explore;
pub mod itf;
pub mod json;
pub mod markdown;
pub mod text;

mod because;
mod diagnostic;
mod hints;
mod layout;
mod phrases;
mod remarks;
mod report;
mod several;
mod sheet;
mod strands;
mod table;
mod words;

pub use diagnostic::render_diagnostic;
pub use report::{Report, Shown};
pub use words::clean;
