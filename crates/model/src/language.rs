//! A language: how its files are known, and how a text becomes a system that can be asked.
//!
//! A crate that implements [`ModelLanguage`] is all that a new language takes, and one line in the registry of the driver.

use std::fmt;

use wherefore_base::{Budget, Diagnostic, FileId, Run, SourceMap, Span};

use crate::lts::Lts;
use crate::model::{Model, Property};
use crate::term::TermId;

/// A language whose texts describe systems.
pub trait ModelLanguage: Sync {
    /// Its name, as documents have it.
    fn name(&self) -> &'static str;

    /// How the names of its files end, as `.smv`.
    fn endings(&self) -> &'static [&'static str];

    /// Whether a text is in this language, by its beginning; for files whose names do not say.
    fn sniff(&self, beginning: &str) -> bool {
        let _ = beginning;
        false
    }

    /// Whether the systems that it describes have labelled steps rather than variables.
    fn has_labels(&self) -> bool {
        false
    }

    /// Reads a text. Reading never fails: what is wrong is a diagnostic.
    ///
    /// # Errors
    /// When the budget ends.
    fn load(&self, sources: &mut SourceMap, file: FileId, budget: &Budget) -> Run<Described>;
}

/// What a text describes.
#[derive(Debug)]
pub struct Described {
    /// The system; usable only if no diagnostic is an error.
    pub system: DescribedSystem,
    /// What there is to say about the text, in the order of the places.
    pub diagnostics: Vec<Diagnostic>,
}

/// A system that a text describes.
#[derive(Debug)]
pub enum DescribedSystem {
    /// States are values of variables; formulas are added by the reader, if there is one.
    Model(Box<Model>, Option<Box<dyn FormulaReader>>),
    /// Steps have labels.
    Lts(Lts),
}

/// Reads formulas and expressions in the language of a model.
pub trait FormulaReader: fmt::Debug + Send + Sync {
    /// Reads a formula that stands alone in a file. The model may get terms and obligations, or be made anew with
    /// its old properties first.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn formula(
        &mut self,
        model: &mut Model,
        sources: &SourceMap,
        file: FileId,
        name: &str,
    ) -> Result<Property, Vec<Diagnostic>>;

    /// Reads an expression over the present state that stands alone in a file.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn expression(
        &self,
        model: &mut Model,
        sources: &SourceMap,
        file: FileId,
    ) -> Result<TermId, Vec<Diagnostic>>;

    /// Small changes of the text of a model, each of which is another text, in the order of their places. Whoever tries
    /// one reads the changed text anew.
    fn changes(&self, sources: &SourceMap, file: FileId) -> Vec<TextChange> {
        let _ = (sources, file);
        Vec::new()
    }

    /// Reads another text of the model in a file, as the first was read; `None` if something is wrong with it.
    ///
    /// # Errors
    /// When the budget ends.
    fn reread(
        &self,
        sources: &SourceMap,
        file: FileId,
        budget: &Budget,
    ) -> Run<Option<(Model, Box<dyn FormulaReader>)>> {
        let _ = (sources, file, budget);
        Ok(None)
    }

    /// A copy of the reader.
    fn boxed(&self) -> Box<dyn FormulaReader>;
}

impl Clone for Box<dyn FormulaReader> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

/// A small change of a text that somebody may have meant to write instead: other bytes for a stretch of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TextChange {
    /// What is replaced; empty where something is inserted.
    pub span: Span,
    /// What stands there instead.
    pub text: String,
    /// The expression whose value is another one then, and nothing outside of it: no term of another place is read otherwise.
    pub place: Span,
    /// What kind of change it is.
    pub kind: ChangeKind,
}

/// The kind of a [`TextChange`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChangeKind {
    /// Another constant.
    Value,
    /// Another operator.
    Operator,
    /// A condition, negated or no longer negated.
    Negation,
    /// One of several values left out or added.
    Choice,
    /// Two branches in the other order.
    Order,
    /// A part of a condition left out.
    Dropped,
    /// A condition with a further part.
    Added,
    /// Something else as the argument of an instance.
    Argument,
    /// A further branch.
    Branch,
}
