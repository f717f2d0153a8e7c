//! State spaces: the states and transitions of a model, seen through sets of states.
//!
//! [`StateSpace`] is what checker and evidence are written against. [`explicit::Explicit`] lists the
//! reachable states and keeps the graph in compressed rows; [`symbolic::Symbolic`] keeps sets and the
//! transition relation as binary decision diagrams. Both hold the same sets, name the same least
//! state and list successors in the same order, so whatever is built on the trait is the same from
//! either.

pub mod explicit;
pub mod obligation;
pub mod symbolic;

mod cover;
mod eval;
mod fixpoint;
mod layout;
mod wording;

use std::fmt::Debug;
use std::hash::Hash;

use num_bigint::BigUint;
use wherefore_base::{Budget, Run, Value};
use wherefore_logic::Fairness;
use wherefore_model::{Model, SpaceEngine, TermId, VarId};

pub use cover::{cover, cover_apart, widest_cube};
pub use fixpoint::{forward_by_post, hull_by_until, recurring_by_post, until_by_pre};
pub use obligation::discharge;
pub use wording::{Vocabulary, states_of};

/// In which round of a least fixpoint each state joined: its distance to the goal.
pub trait Rings {
    /// A set of states.
    type Set;
    /// A state.
    type State;

    /// All states that joined.
    fn all(&self) -> &Self::Set;

    /// How many steps the goal is away from a state that joined; `None` for the others.
    fn distance(&self, state: &Self::State) -> Option<u32>;

    /// Whether the goal is exactly this many steps away from a state.
    fn is_at(&self, state: &Self::State, distance: u32) -> bool {
        self.distance(state) == Some(distance)
    }

    /// Whether the goal is at most this many steps away from a state.
    fn is_within(&self, state: &Self::State, distance: u32) -> bool {
        self.distance(state).is_some_and(|steps| steps <= distance)
    }

    /// The states that are exactly this many steps away; `None` beyond the last ring.
    fn ring(&self, distance: u32) -> Option<Self::Set>;
}

/// The states a model can reach, its transitions and the truth of its conditions.
///
/// Invariant: every set has reachable states only, so two sets are equal exactly when they have the
/// same states. States are ordered by the values of their variables in declaration order, values in
/// the order of their domain; "least" and "in order" mean that order.
pub trait StateSpace {
    /// A set of reachable states.
    type Set: Clone + Eq;
    /// A reachable state; `Ord` is the order of the trait's invariant.
    type State: Clone + Ord + Hash + Debug;
    /// Distances to a goal.
    type Rings: Rings<Set = Self::Set, State = Self::State>;
    /// A natural number on each reachable state; zero on all but some.
    type Weights: Clone;

    /// The engine that holds the states.
    fn engine(&self) -> SpaceEngine;

    /// The model.
    fn model(&self) -> &Model;

    /// The budget that every long operation obeys.
    fn budget(&self) -> &Budget;

    /// All reachable states.
    fn reachable(&self) -> &Self::Set;

    /// The initial states.
    fn initial(&self) -> &Self::Set;

    /// The empty set.
    fn nothing(&self) -> Self::Set;

    /// The states where a condition on the present state is true.
    fn states_where(&self, condition: TermId) -> Run<Self::Set>;

    /// The states whose variables have one of the values listed for them.
    fn states_with(&self, values: &[(VarId, Vec<Value>)]) -> Run<Self::Set>;

    /// States in both sets.
    fn meet(&self, a: &Self::Set, b: &Self::Set) -> Run<Self::Set>;

    /// States in either set.
    fn join(&self, a: &Self::Set, b: &Self::Set) -> Run<Self::Set>;

    /// States in the first set but not in the second.
    fn minus(&self, a: &Self::Set, b: &Self::Set) -> Run<Self::Set>;

    /// Whether a set has no state.
    fn is_empty(&self, set: &Self::Set) -> bool;

    /// How many states a set has.
    fn count(&self, set: &Self::Set) -> Run<BigUint>;

    /// Whether a set has a state.
    fn contains(&self, set: &Self::Set, state: &Self::State) -> bool;

    /// The set with just this state.
    fn just(&self, state: &Self::State) -> Run<Self::Set>;

    /// States with a step into the set.
    fn pre(&self, to: &Self::Set) -> Run<Self::Set>;

    /// States with a step from the set.
    fn post(&self, from: &Self::Set) -> Run<Self::Set>;

    /// States with a step to themselves.
    fn resting(&self) -> Run<Self::Set>;

    /// States in `goal`, and states in `stay` with a path through `stay` into `goal`.
    fn until(&self, stay: &Self::Set, goal: &Self::Set) -> Run<Self::Rings>;

    /// States in `from`, and states reached from them by steps out of states in `through`.
    fn forward(&self, from: &Self::Set, through: &Self::Set) -> Run<Self::Set> {
        forward_by_post(self, from, through)
    }

    /// States in `stay` with a fair infinite path within `stay`.
    fn hull(&self, stay: &Self::Set, fairness: &Fairness<Self::Set>) -> Run<Self::Set> {
        hull_by_until(self, stay, fairness)
    }

    /// States of a set that end some endless path backwards within it: those on a loop, and those that
    /// one leads to.
    fn recurring(&self, within: &Self::Set) -> Run<Self::Set> {
        recurring_by_post(self, within)
    }

    /// The states of a set, in order.
    fn listed<'a>(&'a self, set: &'a Self::Set) -> impl Iterator<Item = Run<Self::State>> + 'a;

    /// The least state of a set.
    fn first(&self, set: &Self::Set) -> Run<Option<Self::State>> {
        self.listed(set).next().transpose()
    }

    /// The successors of a state, in order, each once.
    fn successors<'a>(
        &'a self,
        state: &Self::State,
    ) -> Run<impl Iterator<Item = Run<Self::State>> + 'a>;

    /// The successors of a state from which a goal is at most this many steps away, in order, each once.
    fn successors_near<'a>(
        &'a self,
        state: &Self::State,
        rings: &'a Self::Rings,
        distance: u32,
    ) -> Run<impl Iterator<Item = Run<Self::State>> + 'a> {
        let is_near = move |next: &Run<Self::State>| match next {
            Ok(next) => rings.is_within(next, distance),
            Err(_) => true,
        };
        Ok(self.successors(state)?.filter(is_near))
    }

    /// The least input of a step between two states; `None` when there is no such step.
    fn input(&self, from: &Self::State, to: &Self::State) -> Run<Option<Vec<Value>>> {
        Ok(self.inputs(from, to, 1)?.pop())
    }

    /// The inputs of the steps between two states, in order, at most so many.
    fn inputs(&self, from: &Self::State, to: &Self::State, most: usize) -> Run<Vec<Vec<Value>>>;

    /// The values of the state variables in a state.
    fn values(&self, state: &Self::State) -> Vec<Value>;

    /// How many variables differ between two states.
    fn changes(&self, from: &Self::State, to: &Self::State) -> u32 {
        let (old, new) = (self.values(from), self.values(to));
        old.iter().zip(&new).filter(|(old, new)| old != new).count() as u32
    }

    /// How many transitions there are between reachable states, if the engine knows it cheaply.
    fn transitions(&self) -> Option<u64>;

    /// How many symmetries of the model were used to leave out states.
    fn symmetries(&self) -> usize {
        0
    }

    /// One on each state of a set, zero elsewhere. `None`, as from all operations on weights, when
    /// that takes more than the engine is ready to spend; the limit is a count.
    fn ones(&self, set: &Self::Set) -> Run<Option<Self::Weights>>;

    /// On each state of `from` the sum over its successors, each counted once; zero elsewhere.
    ///
    /// Repeated, this counts runs: sequences of states, whatever the inputs between them.
    fn sums_of_successors(
        &self,
        weights: &Self::Weights,
        from: &Self::Set,
    ) -> Run<Option<Self::Weights>>;

    /// The sum of two numbers on each state.
    fn plus(&self, a: &Self::Weights, b: &Self::Weights) -> Run<Option<Self::Weights>>;

    /// The sum over all states.
    fn total(&self, weights: &Self::Weights) -> Run<Option<BigUint>>;
}
