//! Instances: a value for every relation.

use wherefore_base::IndexVec;

use crate::problem::Problem;
use crate::terms::{RelVarId, RelationId};
use crate::tuples::TupleSet;
use crate::universe::UniverseAtomId;

/// The value that was found for an existential variable, as a function of the universal variables around
/// it (Skolem 1920).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstanceWitness {
    /// The variable.
    pub variable: RelVarId,
    /// The universal variables around it, the outermost first.
    pub outer: Vec<RelVarId>,
    /// The columns of the outer variables, then those of the variable itself; in order.
    pub rows: Vec<Vec<UniverseAtomId>>,
}

/// A value for every relation of a problem, and for the variables that were given a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    relations: IndexVec<RelationId, TupleSet>,
    witnesses: Vec<InstanceWitness>,
}

impl Instance {
    /// An instance from the values of the relations, in their order.
    pub fn new(relations: IndexVec<RelationId, TupleSet>, witnesses: Vec<InstanceWitness>) -> Self {
        Self {
            relations,
            witnesses,
        }
    }

    /// The value of a relation.
    pub fn value(&self, relation: RelationId) -> &TupleSet {
        &self.relations[relation]
    }

    /// The values of the relations, in their order.
    pub fn values(&self) -> &IndexVec<RelationId, TupleSet> {
        &self.relations
    }

    /// The witnesses of variables, in the order in which they were translated.
    pub fn witnesses(&self) -> &[InstanceWitness] {
        &self.witnesses
    }

    /// The instance with the lower bounds of relations that were added to the problem since it was found.
    #[must_use]
    pub fn completed(&self, problem: &Problem) -> Self {
        let mut relations = self.relations.clone();
        for relation in problem.relations().iter().skip(relations.len()) {
            relations.push(relation.lower.clone());
        }
        Self {
            relations,
            witnesses: self.witnesses.clone(),
        }
    }

    /// Whether every relation lies between its bounds.
    pub fn fits(&self, problem: &Problem) -> bool {
        let mut bounds = self.relations.iter().zip(problem.relations().iter());
        self.relations.len() == problem.relations().len()
            && bounds.all(|(value, relation)| {
                (value.packing(), value.arity()) == (relation.upper.packing(), relation.arity())
                    && relation.lower.is_subset(value)
                    && value.is_subset(&relation.upper)
            })
    }
}
