//! Cubes: conditions on single variables that describe sets of states.

use wherefore_base::{Bits, Value};

use crate::{TermId, VarId};

/// `x = 1 & y in {a, b}`: the states whose variables have one of the values listed for them.
///
/// Invariant: variables ascend, and each has some but not all values of its domain.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cube {
    /// The variables that matter, each with its values in the order of its domain.
    pub values: Vec<(VarId, Vec<Value>)>,
    /// Further ones that have too many values for a list: bits of the value's index in the domain.
    pub bits: Vec<(VarId, Bits)>,
    /// Conditions of the model on the present state, each with the truth it has. Only descriptions for people have some.
    pub terms: Vec<(TermId, bool)>,
}

impl Cube {
    /// The states whose variables have one of these values.
    pub fn of(values: Vec<(VarId, Vec<Value>)>) -> Self {
        Self {
            values,
            ..Self::default()
        }
    }

    /// Whether every state is in it, by the way it is written.
    pub fn is_whole(&self) -> bool {
        self.values.is_empty() && self.bits.is_empty() && self.terms.is_empty()
    }

    /// The variables that matter.
    pub fn vars(&self) -> impl Iterator<Item = VarId> {
        let listed = self.values.iter().map(|&(var, _)| var);
        listed.chain(self.bits.iter().map(|&(var, _)| var))
    }
}

/// A union of cubes that describes a set among the reachable states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cover {
    /// The cubes.
    pub cubes: Vec<Cube>,
    /// Whether the cubes describe the whole set; otherwise they describe only a part of it.
    pub complete: bool,
}
