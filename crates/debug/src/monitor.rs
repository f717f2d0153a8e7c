//! What watches the runs of a system: the labels they perform, or the states they visit.

use fixedbitset::FixedBitSet;
use wherefore_model::lts::{Lts, StateId, Step};

use crate::dfa::Dfa;

/// A deterministic observer of runs. It *accepts* once what it waits for has happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Monitor {
    /// Reads the labels of the steps.
    Labels(Dfa),
    /// Waits for one of these states.
    States(FixedBitSet),
}

impl Monitor {
    /// How many states it has itself.
    pub fn states(&self) -> u32 {
        match self {
            Monitor::Labels(dfa) => dfa.states(),
            Monitor::States(_) => 2,
        }
    }

    /// Its state when a system starts; `None`: what it waits for can never happen.
    pub fn initial(&self, lts: &Lts) -> Option<u32> {
        match self {
            Monitor::Labels(dfa) => (dfa.states() > 0).then_some(0),
            Monitor::States(awaited) => Some(u32::from(awaited.contains(lts.initial().index()))),
        }
    }

    /// Its state after a step; `None`: what it waits for cannot happen any more.
    #[inline]
    pub fn next(&self, at: u32, step: Step) -> Option<u32> {
        match self {
            Monitor::Labels(dfa) => dfa.next(at, step.label),
            Monitor::States(awaited) => {
                Some(u32::from(at == 1 || awaited.contains(step.to.index())))
            }
        }
    }

    /// Whether what it waits for has happened.
    #[inline]
    pub fn accepting(&self, at: u32) -> bool {
        match self {
            Monitor::Labels(dfa) => dfa.accepting(at),
            Monitor::States(_) => at == 1,
        }
    }
}

/// A state of a system together with that of its monitor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pair {
    /// The state of the system.
    pub state: StateId,
    /// The state of the monitor.
    pub at: u32,
}
