//! A fragment: the piece of a state space that a search has looked at, as a plain graph.
//!
//! Searching for the shortest evidence visits the same states many times. A fragment asks the space
//! for the successors of a state once and numbers the states, so the search itself is engine-blind
//! and takes the same decisions on every engine; its limits are counts, never times.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::{Run, Stop, Value};
use wherefore_space::StateSpace;

/// A state of a fragment.
pub(crate) type Spot = u32;

/// Why a search ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// The budget ran out.
    Stop(Stop),
    /// The search's own limits were reached.
    Exhausted,
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Halt::Stop(stop)
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

pub(crate) struct Fragment<'s, S: StateSpace> {
    space: &'s S,
    limits: SearchLimits,
    spots: FxHashMap<S::State, Spot>,
    states: Vec<S::State>,
    next: Vec<Option<Rc<[Spot]>>>,
    values: Vec<Option<Rc<[Value]>>>,
    expanded: usize,
    steps: usize,
    visits: u64,
}

impl<'s, S: StateSpace> Fragment<'s, S> {
    pub(crate) fn new(space: &'s S, limits: SearchLimits) -> Self {
        Self {
            space,
            limits,
            spots: FxHashMap::default(),
            states: Vec::new(),
            next: Vec::new(),
            values: Vec::new(),
            expanded: 0,
            steps: 0,
            visits: 0,
        }
    }

    pub(crate) fn spot(&mut self, state: &S::State) -> Spot {
        if let Some(&spot) = self.spots.get(state) {
            return spot;
        }
        let spot = Spot::try_from(self.states.len()).expect("a fragment is small");
        self.spots.insert(state.clone(), spot);
        self.states.push(state.clone());
        self.next.push(None);
        self.values.push(None);
        spot
    }

    pub(crate) fn state(&self, spot: Spot) -> &S::State {
        &self.states[spot as usize]
    }

    /// The successors of a state, in order.
    pub(crate) fn next(&mut self, spot: Spot) -> Result<Rc<[Spot]>, Halt> {
        if let Some(next) = &self.next[spot as usize] {
            return Ok(next.clone());
        }
        if self.expanded >= self.limits.states {
            return Err(Halt::Exhausted);
        }
        let space = self.space;
        let state = self.state(spot).clone();
        let room = self.limits.steps - self.steps;
        let successors = space.successors(&state)?.take(room + 1);
        let successors = successors.collect::<Run<Vec<S::State>>>()?;
        if successors.len() > room {
            return Err(Halt::Exhausted);
        }
        self.expanded += 1;
        self.steps += successors.len();
        let next: Rc<[Spot]> = successors.iter().map(|state| self.spot(state)).collect();
        self.next[spot as usize] = Some(next.clone());
        Ok(next)
    }

    /// How many state variables a step between two states changes.
    pub(crate) fn changes(&mut self, from: Spot, to: Spot) -> u32 {
        if from == to {
            return 0;
        }
        differing(&self.values(from), &self.values(to))
    }

    fn values(&mut self, spot: Spot) -> Rc<[Value]> {
        if let Some(values) = &self.values[spot as usize] {
            return values.clone();
        }
        let values: Rc<[Value]> = self.space.values(self.state(spot)).into();
        self.values[spot as usize] = Some(values.clone());
        values
    }

    /// Counts visits from nought again.
    pub(crate) fn start_anew(&mut self) {
        self.visits = 0;
    }

    /// Counts one visit.
    pub(crate) fn visit(&mut self) -> Result<(), Halt> {
        self.visits += 1;
        if self.visits > self.limits.visits {
            return Err(Halt::Exhausted);
        }
        if self.visits & 0xFF == 0 {
            self.space.budget().check()?;
        }
        Ok(())
    }
}

/// In how many places two lists of values differ.
pub(crate) fn differing(old: &[Value], new: &[Value]) -> u32 {
    let pairs = old.iter().zip(new);
    let changed = pairs.filter(|(old, new)| old != new).count();
    u32::try_from(changed).unwrap_or(u32::MAX)
}
