//! How files of models are read: the options of all languages.

use std::path::PathBuf;

use wherefore_alloy::{Edition, Override};
use wherefore_logic::PathRule;
use wherefore_smt::{Bound, Deadlock};
use wherefore_smv::SmvDialect;

use crate::subjects::lts::LtsReading;

/// How the file of a model is read.
#[derive(Clone, Default, Debug)]
pub struct Opening {
    /// Its dialect.
    pub dialect: SmvDialect,
    /// The file with the order of its variables in decision diagrams, if there is one.
    pub order: Option<PathBuf>,
    /// The edition of an Alloy model, if it is known.
    pub edition: Option<Edition>,
    /// Other scopes than those of the commands of an Alloy model.
    pub scopes: Vec<Override>,
    /// The command of an Alloy model whose complete system is wanted; none for that of the first.
    pub command: Option<String>,
    /// Whether several fairness constraints of an Alloy model are made one by counting them off.
    pub counted: bool,
    /// Whether symmetric states of an Alloy model are listed as others are.
    pub asymmetric: bool,
    /// Bounds that make the finite version of an infinite-state model.
    pub bounds: Vec<Bound>,
    /// What a state of an infinite-state model without a next one means, whatever the file says.
    pub deadlock: Option<Deadlock>,
    /// Whether the complete systems of an Alloy model are wanted instead of its commands in their scopes.
    pub complete: bool,
    /// The commands of an Alloy model that are asked of complete systems; none: all.
    pub commands: Vec<String>,
    /// The path rule of properties, whatever their language says.
    pub paths: Option<PathRule>,
    /// The condition on the states that properties are asked from, instead of the initial states.
    pub from: Option<String>,
    /// Names for states, each with the condition they satisfy: `Idle: floor = 1`.
    pub names: Vec<String>,
    /// How a labelled transition system is read.
    pub lts: LtsReading,
}
