//! MCL, the language in which CADP's users write properties of labelled transition systems.
//!
//! [`parse`] reads a file: the regular alternation-free mu-calculus of version 3 (Mateescu and
//! Sighireanu, 2003) with macros and libraries, and of version 4 (Mateescu and Thivolle, 2008) the action
//! patterns with data. [`lower()`] says what a property means in one system: action formulas become sets
//! of its labels, variables over data take the values that occur in its labels, and the formula becomes
//! equations.
//!
//! Stages: `token` and `parser` make the tree of `ast`, `lower` expands macros and data and makes
//! `equations`, and `form` recognises what can be debugged.

mod ast;
mod data;
mod equations;
mod form;
mod lower;
mod parser;
mod regexp;
mod token;

use wherefore_base::{Diagnostic, FileId, SourceFile, SourceMap, Span};
use wherefore_model::lts::{Lts, ModalQuestion};

use self::ast::MclTree;

/// How many diagnostics are told of one file.
const MOST_TOLD: usize = 20;

/// What a file says: its properties, with the macros they use.
#[derive(Clone, Debug)]
pub struct Parsed {
    tree: MclTree,
}

/// A property of a file.
#[derive(Clone, Copy, Debug)]
pub struct MclProperty<'p> {
    tree: &'p MclTree,
    index: usize,
}

/// What a property means in one system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoweredMcl {
    /// The meaning.
    pub question: ModalQuestion,
    /// What in it is probably not meant, such as labels that do not exist.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a file: libraries and macros, and then a formula, or several as
/// `property NAME is F end property`.
///
/// `library` finds the text of a library by the name it is asked for by; the file is then added to the
/// sources. The result is there unless a diagnostic is an error.
pub fn parse(
    file: FileId,
    sources: &mut SourceMap,
    library: &dyn Fn(&str) -> Option<SourceFile>,
) -> (Option<Parsed>, Vec<Diagnostic>) {
    let (tree, mut diagnostics) = parser::read(file, sources, library);
    diagnostics.truncate(MOST_TOLD);
    let parsed = Parsed { tree };
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    (Some(parsed), diagnostics)
}

/// What a property means in a system.
///
/// # Errors
/// What is wrong with it: formulas of the wrong kind, fixpoints that alternate, a formula that is too
/// large when macros and data are written out.
pub fn lower(property: &MclProperty<'_>, lts: &Lts) -> Result<LoweredMcl, Vec<Diagnostic>> {
    let (question, warnings) = lower::lower(property.tree, property.index, lts)?;
    Ok(LoweredMcl { question, warnings })
}

impl Parsed {
    /// The properties in source order; there is at least one.
    pub fn properties(&self) -> impl ExactSizeIterator<Item = MclProperty<'_>> {
        let tree = &self.tree;
        (0..tree.properties.len()).map(move |index| MclProperty { tree, index })
    }
}

impl<'p> MclProperty<'p> {
    /// Its name, if it has one.
    pub fn name(&self) -> Option<&'p str> {
        self.tree.properties[self.index].name.as_deref()
    }

    /// Where its formula stands.
    pub fn span(&self) -> Span {
        let root = self.tree.properties[self.index].root;
        self.tree.nodes[root].outer
    }

    /// Its formula as it is written, on one line.
    pub fn text(&self) -> String {
        token::one_line(self.tree.text(self.span()), usize::MAX)
    }
}
