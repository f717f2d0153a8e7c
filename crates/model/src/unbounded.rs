//! Numbers without bounds: what a model says that no finite domain can.

use std::collections::{BTreeMap, BTreeSet};

use crate::{TermId, VarId};

/// A kind of number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Number {
    /// Any integer.
    Integer,
    /// Any real number.
    Real,
}

/// The variables of a model that are numbers without bounds, and its real numbers.
///
/// Invariant: engines that look at finite domains are given models without such variables only. The domain of such a
/// variable is a stand-in that nobody reads.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Unbounded {
    /// The variables, and which numbers they are.
    pub vars: BTreeMap<VarId, Number>,
    /// Quotients of two integers that are real numbers: the fractions that the user wrote.
    pub fractions: BTreeSet<TermId>,
}

impl Unbounded {
    /// Whether no variable is without bounds.
    pub fn is_empty(&self) -> bool {
        self.vars.is_empty()
    }
}
