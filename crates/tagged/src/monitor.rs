//! What watches the runs of a system: the labels they perform, or the states they visit.

use fixedbitset::FixedBitSet;
use wherefore_model::lts::{Lts, LtsStep, StateId};

use crate::dfa::Dfa;
use crate::linear::LinearMonitor;
use crate::watch::Watch;

/// A deterministic observer of runs. It *accepts* once what it waits for has happened, and from then on
/// for ever, unless it is a [`Watch`] that waits again and again or a [`LinearMonitor`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Monitor {
    /// Reads the labels of the steps.
    Labels(Dfa),
    /// Waits for one of these states.
    States(FixedBitSet),
    /// Reads the states that are visited.
    Watch(Watch),
    /// Knows whether a formula of linear time can still be satisfied. It never accepts.
    Linear(Box<LinearMonitor>),
}

impl Monitor {
    /// How many states it has itself.
    pub fn states(&self) -> u32 {
        match self {
            Monitor::Labels(dfa) => dfa.states(),
            Monitor::States(_) => 2,
            Monitor::Watch(watch) => watch.states(),
            Monitor::Linear(linear) => linear.states(),
        }
    }

    /// Its state when a system starts; `None`: what it waits for can never happen.
    pub fn initial(&self, lts: &Lts) -> Option<u32> {
        match self {
            Monitor::Labels(dfa) => (dfa.states() > 0).then_some(0),
            Monitor::States(awaited) => Some(u32::from(awaited.contains(lts.initial().index()))),
            Monitor::Watch(watch) => Some(watch.next(0, lts.initial())),
            Monitor::Linear(linear) => Some(linear.start()),
        }
    }

    /// Its state after a step; `None`: what it waits for cannot happen any more.
    #[inline]
    pub fn next(&self, at: u32, step: LtsStep) -> Option<u32> {
        match self {
            Monitor::Labels(dfa) => Observer::next(dfa, at, step),
            Monitor::States(awaited) => Observer::next(awaited, at, step),
            Monitor::Watch(watch) => Observer::next(watch, at, step),
            Monitor::Linear(linear) => Observer::next(&**linear, at, step),
        }
    }

    /// Whether what it waits for has happened.
    #[inline]
    pub fn accepting(&self, at: u32) -> bool {
        match self {
            Monitor::Labels(dfa) => Observer::accepting(dfa, at),
            Monitor::States(awaited) => Observer::accepting(awaited, at),
            Monitor::Watch(watch) => Observer::accepting(watch, at),
            Monitor::Linear(linear) => Observer::accepting(&**linear, at),
        }
    }

    /// Whether it accepts for ever once it does.
    pub fn absorbing(&self) -> bool {
        match self {
            Monitor::Labels(_) | Monitor::States(_) => true,
            Monitor::Watch(watch) => watch.absorbing(),
            Monitor::Linear(_) => false,
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

/// One kind of monitor, for loops that are compiled for each.
pub(crate) trait Observer {
    fn next(&self, at: u32, step: LtsStep) -> Option<u32>;
    fn accepting(&self, at: u32) -> bool;
}

impl Observer for Dfa {
    #[inline]
    fn next(&self, at: u32, step: LtsStep) -> Option<u32> {
        Dfa::next(self, at, step.label)
    }

    #[inline]
    fn accepting(&self, at: u32) -> bool {
        Dfa::accepting(self, at)
    }
}

impl Observer for FixedBitSet {
    #[inline]
    fn next(&self, at: u32, step: LtsStep) -> Option<u32> {
        Some(u32::from(at == 1 || self.contains(step.to.index())))
    }

    #[inline]
    fn accepting(&self, at: u32) -> bool {
        at == 1
    }
}

impl Observer for Watch {
    #[inline]
    fn next(&self, at: u32, step: LtsStep) -> Option<u32> {
        Some(Watch::next(self, at, step.to))
    }

    #[inline]
    fn accepting(&self, at: u32) -> bool {
        Watch::accepting(self, at)
    }
}
