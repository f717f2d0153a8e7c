//! The support of a term: which variables its value depends on.

use std::collections::BTreeSet;

use crate::{Model, Term, TermId, VarId};

/// The variables a term reads, in the present (inputs included) and in the next state.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Support {
    /// Variables of the present state and inputs.
    pub now: BTreeSet<VarId>,
    /// Variables of the next state.
    pub next: BTreeSet<VarId>,
}

impl Support {
    /// The support of some terms together.
    pub fn of(model: &Model, terms: impl IntoIterator<Item = TermId>) -> Self {
        let mut support = Support::default();
        let mut seen = BTreeSet::new();
        let mut open: Vec<TermId> = terms.into_iter().collect();
        while let Some(id) = open.pop() {
            // Terms share operands: without this the walk could be exponentially long.
            if !seen.insert(id) {
                continue;
            }
            let term = model.terms.get(id);
            match term {
                Term::Var(var) => drop(support.now.insert(*var)),
                Term::Next(var) => drop(support.next.insert(*var)),
                _ => open.extend(term.operands()),
            }
        }
        support
    }
}
