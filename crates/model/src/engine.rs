//! How the states of a model are held.

use std::fmt;

/// The engine that holds the states of a model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpaceEngine {
    /// A list of states.
    Explicit,
    /// Binary decision diagrams.
    Bdd,
}

impl fmt::Display for SpaceEngine {
    /// The name as `--engine` takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            SpaceEngine::Explicit => "explicit",
            SpaceEngine::Bdd => "bdd",
        })
    }
}
