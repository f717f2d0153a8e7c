//! The typed transition system that every language lowers to.
//!
//! A [`Model`] has variables with finite domains (or, in [`Model::unbounded`], numbers without bounds), constraints on initial states, on states and on
//! steps, fairness constraints and properties; every part knows its place in the source.
//! [`Interpreter`] is the plain reading of a model, one state and one step at a time: replay uses
//! it, engines do not. A system whose transitions are listed one by one is an [`lts::Lts`].

mod cone;
mod cube;
mod domain;
mod engine;
mod interpreter;
mod language;
pub mod lts;
mod membership;
mod model;
mod support;
mod symmetry;
mod term;
mod unbounded;

pub use cube::{Cover, Cube};
pub use domain::Domain;
pub use engine::SpaceEngine;
pub use interpreter::{DenotedValues, Env, Interpreter, KnownValues, Step};
pub use language::{
    ChangeKind, Described, DescribedSystem, FormulaReader, ModelLanguage, TextChange,
};
pub use membership::membership;
pub use model::{
    Constraint, Define, Distance, Membership, Model, Obligation, Origin, Property, PropertyBody,
    PropertyKind, Query, Requirement, VarId, VarKind, Variable,
};
pub use support::Support;
pub use symmetry::Swap;
pub use term::{BinaryOp, Term, TermId, Terms, WordOp, apply};
pub use unbounded::{Number, Unbounded};
