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
mod opened;
mod picture;
mod reach;
mod steps;
mod words;

use wherefore_alloy::answer::Answer;
use wherefore_alloy::model::{Command, Model};
use wherefore_alloy::reach::Advice;
use wherefore_base::SourceMap;
use wherefore_wire::ExcerptFormName;

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
    /// Parts of transition systems that show the answers to commands.
    pub excerpts: &'a [Excerpt<'a>],
    /// Advice on how the transition system of the model is written, if that was asked for.
    pub advice: Option<&'a [Advice]>,
    /// How long it took, when the user wants to know.
    pub seconds: Option<f64>,
}

/// A part of a transition system that shows the answer to a command.
///
/// It is a model of its own, and its evidence is told as that of every other model.
#[derive(Clone, Debug)]
pub struct Excerpt<'a> {
    /// The command, by its place.
    pub command: usize,
    /// The part with what was found out about it.
    pub report: crate::Report<'a>,
    /// What it looks like.
    pub form: ExcerptFormName,
    /// Whether its states and steps alone say what happens.
    pub determined: Option<bool>,
    /// Where they do not, trees that use exactly these steps, each with whether it shows the answer.
    pub trees: Vec<(String, bool)>,
    /// How many states it has.
    pub states: usize,
    /// How many steps it has.
    pub steps: usize,
    /// What it is, in sentences.
    pub sentences: Vec<String>,
}

impl Excerpt<'_> {
    /// Whether it says more than the instance does by itself.
    pub fn has_evidence(&self) -> bool {
        let mut findings = self.report.findings.iter();
        findings.any(|finding| finding.evidence.is_some() || finding.certificate.is_some())
    }
}

impl<'a> Report<'a> {
    /// The part of a system that shows an answer, if there is one.
    pub fn excerpt(&self, answer: &Answer) -> Option<&'a Excerpt<'a>> {
        let mut excerpts = self.excerpts.iter();
        excerpts.find(|excerpt| excerpt.command == answer.command && excerpt.has_evidence())
    }

    /// The command that an answer is about.
    pub fn command(&self, answer: &Answer) -> &'a Command {
        &self.model.commands[answer.command]
    }
}
