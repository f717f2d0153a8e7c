//! What one engine says of one part of a property.

use crate::answer::{Proof, Refutation};

/// What an engine found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Finding {
    /// A proof.
    Holds(Proof),
    /// A refutation.
    Fails(Refutation),
    /// Neither: how far it came, in whole sentences.
    Open(Vec<String>),
}

impl Finding {
    pub(crate) fn is_definite(&self) -> bool {
        !matches!(self, Finding::Open(_))
    }
}
