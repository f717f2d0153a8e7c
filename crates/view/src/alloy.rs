//! What was found out about the commands of an Alloy model.
//!
//! [`text`] is the screen, piece by piece, so that a verdict is read before it is known why; [`markdown`] is a
//! page and [`json`] a part of the one document. Instances are told as tables, traces as what changes from
//! state to state; atoms are named and tuples are written as Alloy does, so that they can be asked about.
//!
//! One [`Instance`] alone can also be seen as a graph ([`dot`], [`svg`]) and as a tree ([`tree`]), and saved for the
//! Alloy visualizer and Sterling ([`xml`]) or in a document of its own ([`saved`]).

pub mod dot;
pub mod json;
pub mod markdown;
pub mod retold;
pub mod saved;
pub mod svg;
pub mod text;
pub mod tree;
pub mod xml;

mod blame;
pub(crate) mod graph;
mod instance;
mod layered;
mod picture;
mod reach;
mod steps;
mod words;

use wherefore_alloy::answer::Answer;
use wherefore_alloy::model::{Command, Model};
use wherefore_alloy::reach::Advice;
use wherefore_base::SourceMap;

pub use instance::Instance;
pub use words::{role_text, value_text};

/// The end of the name of a file that is built in.
pub const BUILT_IN: &str = "(built in)";

/// An Alloy model with everything found out about it.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The name the user knows the model by.
    pub path: &'a str,
    /// The model.
    pub model: &'a Model,
    /// All source texts.
    pub sources: &'a SourceMap,
    /// What was found out, in the order of the commands.
    pub answers: &'a [Answer],
    /// Advice on how the transition system of the model is written, if that was asked for.
    pub advice: Option<&'a [Advice]>,
    /// How long it took, when the user wants to know.
    pub seconds: Option<f64>,
}

impl<'a> Report<'a> {
    /// The command that an answer is about.
    pub fn command(&self, answer: &Answer) -> &'a Command {
        &self.model.commands[answer.command]
    }
}
