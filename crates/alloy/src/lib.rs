//! The Alloy language: text of a model in, resolved and typed model with its commands out.
//!
//! [`load`] reads a file in the language of the Alloy Analyzer (Jackson 2012), in the edition of Alloy 6 or
//! of the versions before it, and every module that it opens. It goes through three stages, each in its
//! own module: `parser` makes the tree of [`ast`], `world` finds the modules and gives them their
//! arguments, and `resolve` says what every name means, after the type system of Edwards, Jackson and
//! Torlak (2004). Modules under `util/` are part of this crate, in words of our own.

pub mod answer;
pub mod ast;
mod changes;
pub mod defined;
mod growth;
mod lexer;
mod library;
mod lower;
pub mod model;
mod outside;
mod parser;
pub mod reach;
mod resolve;
pub mod scene;
mod scope;
mod texts;
mod token;
mod types;
mod world;

use wherefore_base::{Budget, Diagnostic, Effort, FileId, Run, SourceMap};

pub use crate::changes::{AlloyChange, changes, used_by, without_comments};
pub use crate::growth::rounds;
pub use crate::lexer::Edition;
pub use crate::lower::{
    LoweredCommand, LoweringOptions, State, TermMeaning, TraceShape, lower, lower_apart,
    lower_declarations, lower_facts, lower_lassos, lower_trace,
};
pub use crate::model::AlloyModel;
use crate::model::{AlloyTermId, AlloyVarId, SigId};
pub use crate::outside::{Override, unknown_scope};
pub use crate::scene::Scene;
pub use crate::scope::{Scopes, scopes};
pub use crate::types::AlloyType;
use crate::world::ModuleWorld;
pub use crate::world::WorldScope;

/// What reading a model gives.
#[derive(Clone, Debug)]
pub struct LoadedAlloy {
    /// The model; usable only if no diagnostic is an error.
    pub model: AlloyModel,
    /// The names of the model, for expressions given from outside.
    pub scope: WorldScope,
    /// What there is to say about the text, in the order of the places.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a model and the modules it opens. What is wrong with it is told in the diagnostics.
///
/// `find` gives the text of a file by its name, which is made of the name of the opening file and the path
/// of the module. A file that it does not know may be one of the modules that are built in. Without an
/// edition, each file is read in the one in which it can be read.
///
/// # Errors
/// When the budget ends before the model is read. Its bound on memory is compared with a rough
/// count of what is kept.
pub fn load(
    sources: &mut SourceMap,
    file: FileId,
    edition: Option<Edition>,
    find: &mut dyn FnMut(&str) -> Option<String>,
    budget: &Budget,
) -> Run<LoadedAlloy> {
    let effort = Effort::within(budget);
    let world = ModuleWorld::load(sources, file, find, edition, &effort);
    let (model, scope, diagnostics) = resolve::resolve(world, &effort);
    effort.outcome().map(|()| LoadedAlloy {
        model,
        scope,
        diagnostics,
    })
}

/// Reads a file as one expression, formula or integer with the names of a model; its terms are added to
/// the model. `lower` and [`LoweredCommand::meaning`] say what it is in an instance.
///
/// # Errors
/// What is wrong with it.
pub fn expression(
    sources: &mut SourceMap,
    file: FileId,
    loaded: &mut LoadedAlloy,
) -> Result<AlloyTermId, Vec<Diagnostic>> {
    expression_with(sources, file, loaded, &[]).map(|(term, _)| term)
}

/// A name that an expression may use beside those of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// The name.
    pub name: String,
    /// The signatures of its columns, at least one.
    pub columns: Vec<SigId>,
}

/// Reads a file as [`expression`] does, with names that are given besides; returns the variables they became,
/// for [`LoweredCommand::meaning_with`].
///
/// # Errors
/// What is wrong with it.
pub fn expression_with(
    sources: &mut SourceMap,
    file: FileId,
    loaded: &mut LoadedAlloy,
    given: &[Given],
) -> Result<(AlloyTermId, Vec<AlloyVarId>), Vec<Diagnostic>> {
    let effort = Effort::default();
    let names = std::mem::take(&mut loaded.model.names);
    let mut find = |_: &str| None;
    let world = ModuleWorld::resume(&loaded.scope, names, sources, &mut find, &effort);
    resolve::expression(world, file, given, &mut loaded.model, &effort)
}
