//! A fragment: the piece of a state space that a search has looked at, as a plain graph.
//!
//! Searching for the shortest evidence visits the same states many times. A fragment asks the space
//! for the successors of a state once and numbers the states, so the search itself is engine-blind
//! and takes the same decisions on every engine; its limits are counts, never times.

use std::collections::hash_map::Entry;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::{Run, Stop, Value};
use wherefore_space::StateSpace;

/// A state of a fragment.
pub(crate) type FragmentSpot = u32;

/// Why a search ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchHalt {
    /// The budget ran out.
    Stop(Stop),
    /// The search's own limits were reached.
    Exhausted,
}

impl From<Stop> for SearchHalt {
    fn from(stop: Stop) -> Self {
        SearchHalt::Stop(stop)
    }
}

/// How much a search may look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchLimits {
    /// States whose successors are asked for.
    pub(crate) states: usize,
    /// Steps between them.
    pub(crate) steps: usize,
    /// Visits, repeated ones included.
    pub(crate) visits: u64,
}

pub(crate) struct SpaceFragment<'s, S: StateSpace> {
    space: &'s S,
    limits: SearchLimits,
    /// The states there are for the search; `None`: all.
    within: Option<S::Set>,
    spots: FxHashMap<S::State, FragmentSpot>,
    states: Vec<S::State>,
    next: Vec<Option<Rc<[FragmentSpot]>>>,
    expanded: usize,
    steps: usize,
    visits: u64,
}

impl<'s, S: StateSpace> SpaceFragment<'s, S> {
    /// A fragment of the whole space, or of the steps between some of its states.
    pub(crate) fn new(space: &'s S, limits: SearchLimits, within: Option<S::Set>) -> Self {
        Self {
            space,
            limits,
            within,
            spots: FxHashMap::default(),
            states: Vec::new(),
            next: Vec::new(),
            expanded: 0,
            steps: 0,
            visits: 0,
        }
    }

    /// Whether states are left out.
    pub(crate) fn is_restricted(&self) -> bool {
        self.within.is_some()
    }

    /// The number of a state that was looked at.
    pub(crate) fn find(&self, state: &S::State) -> Option<FragmentSpot> {
        self.spots.get(state).copied()
    }

    pub(crate) fn spot(&mut self, state: &S::State) -> FragmentSpot {
        match self.spots.get(state) {
            Some(&spot) => spot,
            None => self.spot_of(state.clone()),
        }
    }

    fn spot_of(&mut self, state: S::State) -> FragmentSpot {
        match self.spots.entry(state) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let spot = FragmentSpot::try_from(self.states.len()).expect("a fragment is small");
                self.states.push(new.key().clone());
                self.next.push(None);
                *new.insert(spot)
            }
        }
    }

    pub(crate) fn state(&self, spot: FragmentSpot) -> &S::State {
        &self.states[spot as usize]
    }

    /// The successors of a state, in order.
    pub(crate) fn next(&mut self, spot: FragmentSpot) -> Result<Rc<[FragmentSpot]>, SearchHalt> {
        if let Some(next) = &self.next[spot as usize] {
            return Ok(next.clone());
        }
        if self.expanded >= self.limits.states {
            return Err(SearchHalt::Exhausted);
        }
        let space = self.space;
        let state = self.state(spot).clone();
        // One more than there is room for shows that there are too many.
        let room = self.limits.steps - self.steps;
        let successors = match &self.within {
            None => space.successors(&state)?.take(room + 1).collect(),
            Some(within) => successors_within(space, &state, within),
        };
        let next = self.add_steps(successors?)?;
        self.next[spot as usize] = Some(next.clone());
        Ok(next)
    }

    /// The successors of a state, in order; if they are many, only those from which a goal is at most this many steps
    /// away.
    pub(crate) fn next_toward(
        &mut self,
        spot: FragmentSpot,
        rings: &S::Rings,
        distance: u32,
    ) -> Result<Rc<[FragmentSpot]>, SearchHalt> {
        const FEW: usize = 200;
        let space = self.space;
        if self.within.is_some() || self.next[spot as usize].is_some() {
            return self.next(spot);
        }
        if self.expanded >= self.limits.states {
            return Err(SearchHalt::Exhausted);
        }
        let state = self.state(spot).clone();
        let few: Run<Vec<_>> = space.successors(&state)?.take(FEW + 1).collect();
        let few = few?;
        if few.len() <= FEW {
            let next = self.add_steps(few)?;
            self.next[spot as usize] = Some(next.clone());
            return Ok(next);
        }
        let room = self.limits.steps - self.steps;
        let near = space.successors_near(&state, rings, distance)?;
        let near: Run<Vec<_>> = near.take(room + 1).collect();
        // A part of the successors is not kept: a later visit may ask for others.
        self.add_steps(near?)
    }

    /// Takes in the successors of one more state.
    fn add_steps(&mut self, successors: Vec<S::State>) -> Result<Rc<[FragmentSpot]>, SearchHalt> {
        if successors.len() > self.limits.steps - self.steps {
            return Err(SearchHalt::Exhausted);
        }
        self.expanded += 1;
        self.steps += successors.len();
        let spots = successors.into_iter().map(|state| self.spot_of(state));
        Ok(spots.collect())
    }

    /// How many state variables a step between two states changes.
    pub(crate) fn changes(&self, from: FragmentSpot, to: FragmentSpot) -> u32 {
        self.space.changes(self.state(from), self.state(to))
    }

    /// Counts visits from nought again.
    pub(crate) fn start_anew(&mut self) {
        self.visits = 0;
    }

    /// Counts one visit.
    pub(crate) fn visit(&mut self) -> Result<(), SearchHalt> {
        self.visits += 1;
        if self.visits > self.limits.visits {
            return Err(SearchHalt::Exhausted);
        }
        // The budget looks at the clock, which at every visit would cost more than the visit.
        if self.visits & 0xFF == 0 {
            self.space.budget().check()?;
        }
        Ok(())
    }
}

/// The successors of a state that are in a small set, in order.
fn successors_within<S: StateSpace>(
    space: &S,
    state: &S::State,
    within: &S::Set,
) -> Run<Vec<S::State>> {
    // Most states have few successors: look at them one by one before asking for whole sets.
    const FEW: usize = 1_000;
    let few: Vec<S::State> = space.successors(state)?.take(FEW + 1).collect::<Run<_>>()?;
    if few.len() <= FEW {
        let inside = few.into_iter().filter(|next| space.contains(within, next));
        return Ok(inside.collect());
    }
    let mut left = space.meet(&space.post(&space.just(state)?)?, within)?;
    let mut successors = Vec::new();
    while let Some(next) = space.first(&left)? {
        left = space.minus(&left, &space.just(&next)?)?;
        successors.push(next);
    }
    Ok(successors)
}

/// In how many places two lists of values differ.
pub(crate) fn differing(old: &[Value], new: &[Value]) -> u32 {
    let pairs = old.iter().zip(new);
    let changed = pairs.filter(|(old, new)| old != new).count();
    u32::try_from(changed).unwrap_or(u32::MAX)
}
