//! Views: what was found out, as text for people and as documents for programs.
//!
//! Every view goes from a [`Report`] to a string; nothing here opens files or checks. [`read`] goes the
//! other way, from the text of a document or trace back to evidence.
//! [`text`] is the screen, [`explore`] the answers of a walk through the states, [`markdown`] the same for a page, [`json`] the document that tools rely
//! on, [`debug`] all counterexamples of a property at once, [`dot`], [`itf`] and [`export`] the evidence in formats that other tools draw and read.

#[macro_use]
mod macros {
    /// A sentence from a template, with a part or a sentence in the place of each `{}`.
    macro_rules! say {
        ($template:literal $(, $hole:expr)* $(,)?) => {
            $crate::sentences::Sentence::filled($template, vec![$($crate::sentences::Sentence::from($hole)),*])
        };
    }
}

pub mod alloy;
pub mod any;
pub mod api;
pub mod compare;
pub mod debug;
pub mod dot;
pub mod explain;
pub mod explore;
pub mod export;
pub mod fate;
pub mod itf;
pub mod json;
pub mod lts;
pub mod markdown;
pub mod page;
pub mod patterns;
pub mod query;
pub mod read;
pub mod sentences;
pub mod text;
mod things;

mod ahead;
mod blocks;
mod excerpt;
mod fold;
mod forms;
mod hints;
mod layout;
mod manner;
mod markup;
mod named;
mod parts;
mod report;
mod seen;
mod strands;
mod table;
mod told;
mod truths;
mod walk;
mod words;

use sentences::{
    abstracted, attached, because, certificate, english, nothing, phrases, remarks, several, wished,
};

pub use wherefore_wire as wire;

pub use hints::quoted;
pub use layout::{Ink, VariableRole, print};
pub use manner::{Manner, View, WhyStyle};
pub use named::StateName;
pub use parts::{part_texts, parts};
pub use report::{Report, Shown, StartStates};
pub use wherefore_diagnostics::render_diagnostic;
pub use words::{claim_text, clean, sub_text};
