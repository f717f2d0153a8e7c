//! The product of a state space with an automaton of conditions: a state space again.
//!
//! A state is a state of the model and a state of the automaton; a step is a step of the model along an
//! arrow that allows the state it leads to. A set is one set of states of the model for each state of
//! the automaton, so the product works on every engine, and every fixpoint of the trait works on it.

use num_bigint::BigUint;
use wherefore_base::{Budget, Run, Value};
use wherefore_model::{Model, SpaceEngine, TermId, VarId};
use wherefore_space::{Rings, StateSpace, until_by_pre};

use crate::strategy::Automaton;

/// A state space and an automaton, in step.
pub(crate) struct AutomatonProduct<'s, S: StateSpace> {
    space: &'s S,
    /// For each state of the automaton its arrows: the states they allow, and where they lead.
    arrows: Vec<Vec<(S::Set, usize)>>,
    /// For each state of the automaton, the states that none of its arrows allows.
    others: Vec<S::Set>,
    reachable: Vec<S::Set>,
    initial: Vec<S::Set>,
}

impl<'s, S: StateSpace> AutomatonProduct<'s, S> {
    /// The product with an automaton; `condition` says where its conditions are true.
    pub(crate) fn new(
        space: &'s S,
        automaton: &Automaton,
        condition: impl Fn(TermId) -> Run<S::Set>,
    ) -> Run<Self> {
        let size = automaton.arrows.len();
        let mut arrows = Vec::new();
        let mut others = Vec::new();
        for leaving in &automaton.arrows {
            let mut other = space.reachable().clone();
            let mut pairs = Vec::new();
            // An arrow to a state that the automaton does not have leads nowhere.
            for arrow in leaving.iter().filter(|arrow| arrow.to < size) {
                let set = condition(arrow.condition)?;
                let allowed = match arrow.truth {
                    true => set,
                    false => space.minus(space.reachable(), &set)?,
                };
                other = space.minus(&other, &allowed)?;
                pairs.push((allowed, arrow.to));
            }
            arrows.push(pairs);
            others.push(other);
        }
        let mut initial = vec![space.nothing(); size];
        if let Some(first) = initial.first_mut() {
            *first = space.initial().clone();
        }
        Ok(Self {
            space,
            arrows,
            others,
            reachable: vec![space.reachable().clone(); size],
            initial,
        })
    }

    /// How many states the automaton has.
    pub(crate) fn size(&self) -> usize {
        self.arrows.len()
    }

    /// The arrows that leave a state of the automaton.
    pub(crate) fn arrows(&self, state: usize) -> &[(S::Set, usize)] {
        &self.arrows[state]
    }

    /// The states that no arrow of a state of the automaton allows.
    pub(crate) fn others(&self, state: usize) -> &S::Set {
        &self.others[state]
    }

    /// The same states, whatever the automaton is in.
    pub(crate) fn spread(&self, set: &S::Set) -> Vec<S::Set> {
        vec![set.clone(); self.size()]
    }

    fn each(
        &self,
        a: &[S::Set],
        b: &[S::Set],
        operation: impl Fn(&S::Set, &S::Set) -> Run<S::Set>,
    ) -> Run<Vec<S::Set>> {
        let pairs = a.iter().zip(b);
        pairs.map(|(a, b)| operation(a, b)).collect()
    }
}

/// Distances in a product.
pub(crate) struct ProductRings<'s, S: StateSpace> {
    space: &'s S,
    rings: Vec<Vec<S::Set>>,
    all: Vec<S::Set>,
}

impl<S: StateSpace> Rings for ProductRings<'_, S> {
    type Set = Vec<S::Set>;
    type State = (S::State, usize);

    fn all(&self) -> &Self::Set {
        &self.all
    }

    fn distance(&self, (state, place): &Self::State) -> Option<u32> {
        if !self.space.contains(&self.all[*place], state) {
            return None;
        }
        let inside = |ring: &Vec<S::Set>| self.space.contains(&ring[*place], state);
        let distance = self.rings.iter().position(inside)?;
        u32::try_from(distance).ok()
    }

    fn is_at(&self, (state, place): &Self::State, distance: u32) -> bool {
        let ring = self.rings.get(distance as usize);
        ring.is_some_and(|ring| self.space.contains(&ring[*place], state))
    }

    fn ring(&self, distance: u32) -> Option<Self::Set> {
        self.rings.get(distance as usize).cloned()
    }
}

impl<'s, S: StateSpace> StateSpace for AutomatonProduct<'s, S> {
    type Set = Vec<S::Set>;
    type State = (S::State, usize);
    type Rings = ProductRings<'s, S>;
    type Weights = ();

    fn engine(&self) -> SpaceEngine {
        self.space.engine()
    }

    fn model(&self) -> &Model {
        self.space.model()
    }

    fn budget(&self) -> &Budget {
        self.space.budget()
    }

    fn reachable(&self) -> &Self::Set {
        &self.reachable
    }

    fn initial(&self) -> &Self::Set {
        &self.initial
    }

    fn nothing(&self) -> Self::Set {
        self.spread(&self.space.nothing())
    }

    fn states_where(&self, condition: TermId) -> Run<Self::Set> {
        Ok(self.spread(&self.space.states_where(condition)?))
    }

    fn states_with(&self, values: &[(VarId, Vec<Value>)]) -> Run<Self::Set> {
        Ok(self.spread(&self.space.states_with(values)?))
    }

    fn meet(&self, a: &Self::Set, b: &Self::Set) -> Run<Self::Set> {
        self.each(a, b, |a, b| self.space.meet(a, b))
    }

    fn join(&self, a: &Self::Set, b: &Self::Set) -> Run<Self::Set> {
        self.each(a, b, |a, b| self.space.join(a, b))
    }

    fn minus(&self, a: &Self::Set, b: &Self::Set) -> Run<Self::Set> {
        self.each(a, b, |a, b| self.space.minus(a, b))
    }

    fn is_empty(&self, set: &Self::Set) -> bool {
        set.iter().all(|set| self.space.is_empty(set))
    }

    fn count(&self, set: &Self::Set) -> Run<BigUint> {
        set.iter().map(|set| self.space.count(set)).sum()
    }

    fn contains(&self, set: &Self::Set, (state, place): &Self::State) -> bool {
        self.space.contains(&set[*place], state)
    }

    fn just(&self, (state, place): &Self::State) -> Run<Self::Set> {
        let mut just = self.nothing();
        just[*place] = self.space.just(state)?;
        Ok(just)
    }

    fn pre(&self, to: &Self::Set) -> Run<Self::Set> {
        let mut before = self.nothing();
        for (before, arrows) in before.iter_mut().zip(&self.arrows) {
            for (allowed, next) in arrows {
                let entered = self.space.meet(allowed, &to[*next])?;
                if !self.space.is_empty(&entered) {
                    *before = self.space.join(before, &self.space.pre(&entered)?)?;
                }
            }
        }
        Ok(before)
    }

    fn post(&self, from: &Self::Set) -> Run<Self::Set> {
        let mut after = self.nothing();
        for (from, arrows) in from.iter().zip(&self.arrows) {
            if arrows.is_empty() || self.space.is_empty(from) {
                continue;
            }
            let entered = self.space.post(from)?;
            for (allowed, next) in arrows {
                let entered = self.space.meet(allowed, &entered)?;
                after[*next] = self.space.join(&after[*next], &entered)?;
            }
        }
        Ok(after)
    }

    fn resting(&self) -> Run<Self::Set> {
        let resting = self.space.resting()?;
        let mut still = self.nothing();
        for (place, arrows) in self.arrows.iter().enumerate() {
            for (allowed, _) in arrows.iter().filter(|(_, to)| *to == place) {
                let allowed = self.space.meet(&resting, allowed)?;
                still[place] = self.space.join(&still[place], &allowed)?;
            }
        }
        Ok(still)
    }

    fn until(&self, stay: &Self::Set, goal: &Self::Set) -> Run<Self::Rings> {
        let (rings, all) = until_by_pre(self, stay, goal)?;
        Ok(ProductRings {
            space: self.space,
            rings,
            all,
        })
    }

    fn listed<'a>(&'a self, set: &'a Self::Set) -> impl Iterator<Item = Run<Self::State>> + 'a {
        let listed = set.iter().map(|set| self.space.listed(set).peekable());
        let mut listed: Vec<_> = listed.collect();
        std::iter::from_fn(move || {
            let mut least: Option<Self::State> = None;
            for (place, states) in listed.iter_mut().enumerate() {
                match states.peek() {
                    Some(Err(stop)) => return Some(Err(*stop)),
                    // Of equal states the lower place comes first, as in the order of pairs.
                    Some(Ok(state)) if least.as_ref().is_none_or(|(least, _)| state < least) => {
                        least = Some((state.clone(), place));
                    }
                    _ => {}
                }
            }
            let (state, place) = least?;
            listed[place].next();
            Some(Ok((state, place)))
        })
    }

    fn successors<'a>(
        &'a self,
        (state, place): &Self::State,
    ) -> Run<impl Iterator<Item = Run<Self::State>> + 'a> {
        let arrows = &self.arrows[*place];
        let successors = self.space.successors(state)?;
        Ok(successors.flat_map(move |next| match next {
            Err(stop) => vec![Err(stop)],
            Ok(next) => {
                let allows = |(allowed, _): &&(S::Set, usize)| self.space.contains(allowed, &next);
                let mut places: Vec<usize> = arrows.iter().filter(allows).map(|a| a.1).collect();
                // Two arrows that lead to one place are one step.
                places.sort_unstable();
                places.dedup();
                let entered = places.into_iter().map(|place| Ok((next.clone(), place)));
                entered.collect()
            }
        }))
    }

    fn inputs(
        &self,
        (from, _): &Self::State,
        (to, _): &Self::State,
        most: usize,
    ) -> Run<Vec<Vec<Value>>> {
        self.space.inputs(from, to, most)
    }

    fn values(&self, (state, _): &Self::State) -> Vec<Value> {
        self.space.values(state)
    }

    fn changes(&self, (from, _): &Self::State, (to, _): &Self::State) -> u32 {
        self.space.changes(from, to)
    }

    fn transitions(&self) -> Option<u64> {
        None
    }

    // Nobody counts runs of a product.
    fn ones(&self, _: &Self::Set) -> Run<Option<()>> {
        Ok(None)
    }

    fn sums_of_successors(&self, (): &(), _: &Self::Set) -> Run<Option<()>> {
        Ok(None)
    }

    fn plus(&self, (): &(), (): &()) -> Run<Option<()>> {
        Ok(None)
    }

    fn total(&self, (): &()) -> Run<Option<BigUint>> {
        Ok(None)
    }
}
