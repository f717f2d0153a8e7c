//! The constraints of a model, split at conjunctions.

use std::collections::BTreeSet;

use wherefore_base::Run;
use wherefore_model::{BinaryOp, Constraint, Model, Requirement, Support, Term, VarId};

use super::bdd::Bdd;
use super::compile::BddCompiler;
use super::encoding::StateSide;

/// One constraint without conjunctions at its top, and the variables it reads or fixes.
#[derive(Clone, Debug)]
pub(crate) struct RelationConjunct {
    pub(crate) requires: Requirement,
    pub(crate) of: Of,
    /// Variables of the present state and inputs.
    pub(crate) now: BTreeSet<VarId>,
    /// Variables of the next state.
    pub(crate) next: BTreeSet<VarId>,
}

/// What a constraint is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Of {
    /// One state.
    State,
    /// A step.
    Step,
}

impl RelationConjunct {
    /// The conjuncts of some constraints.
    pub(crate) fn all(model: &Model, constraints: &[Constraint], of: Of) -> Vec<Self> {
        // Reversed, as below, because a stack gives the last first: conjuncts stay in the order of
        // the source.
        let mut open: Vec<Requirement> = constraints.iter().map(|c| c.requires).rev().collect();
        let mut conjuncts = Vec::new();
        while let Some(requires) = open.pop() {
            if let Requirement::Holds(term) = requires
                && let Term::Binary(BinaryOp::And, a, b) = model.terms.get(term)
            {
                open.extend([Requirement::Holds(*b), Requirement::Holds(*a)]);
                continue;
            }
            let Support { mut now, mut next } = Support::of(model, [requires.term()]);
            if let Requirement::Assign(var, _) = requires {
                match of {
                    Of::State => now.insert(var),
                    Of::Step => next.insert(var),
                };
            }
            conjuncts.push(Self {
                requires,
                of,
                now,
                next,
            });
        }
        conjuncts
    }

    /// When it is met: a function of one state, or of a step.
    pub(crate) fn compile(&self, compiler: &mut BddCompiler<'_>) -> Run<Bdd> {
        match (self.requires, self.of) {
            (Requirement::Holds(term), _) => compiler.condition(term),
            (Requirement::Assign(var, term), Of::State) => {
                compiler.takes(var, StateSide::Now, term)
            }
            (Requirement::Assign(var, term), Of::Step) => {
                compiler.takes(var, StateSide::Next, term)
            }
        }
    }
}
