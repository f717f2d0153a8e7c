//! Why a property holds, for people.

use wherefore_base::Value;
use wherefore_model::Query;

use crate::certificate::{Certificate, NoCertificate, StateSet};
use crate::solver::SolverReason;

/// A certificate in the words of the model, and what it says about the states that matter; all of it was re-checked.
///
/// Sets may name conditions of the model ([`wherefore_model::Cube::terms`]), and no clause of the invariant can be left
/// out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WhyHolds {
    /// What it is about: the property, or for one of linear time the formula of CTL that implies it.
    pub query: Query,
    /// Why that holds.
    pub certificate: Certificate,
    /// The first so many cubes that the invariant excludes are those where what the property itself requires of
    /// every state is false.
    pub own: usize,
    /// What its claims say about the states where the property needs them.
    pub statements: Vec<WhyStatement>,
    /// How many conditions all of this comes down to.
    pub conditions: usize,
}

/// At every state of a set that is in the invariant, a claim of a certificate is true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WhyStatement {
    /// The number of the claim.
    pub claim: usize,
    /// The set.
    pub states: StateSet,
    /// What must or can happen does so within so many steps from there.
    pub steps: Option<usize>,
    /// From some of these states within fewer.
    pub bounds: Vec<StepBound>,
    /// What the plain interpreter counted; `None` where there are too many states for that.
    pub count: Option<StatementCount>,
}

/// From states of a set, which are states of a statement, it is at most so many steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepBound {
    /// The set.
    pub states: StateSet,
    /// How many steps.
    pub steps: usize,
}

/// Reachable states, counted one by one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StatementCount {
    /// How many reachable states a statement is about, without those where what is asked for is reached already.
    pub states: usize,
    /// How many of them each bound is about.
    pub bounds: Vec<usize>,
    /// One from which it is as far as from any, and how many steps it is: along the longest way for what must happen,
    /// along the shortest for what can.
    pub farthest: Option<(Vec<Value>, usize)>,
}

/// What became of the question why a property holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// It is known.
    Shown(Box<WhyHolds>),
    /// SMT solvers know it.
    Proved(Box<SolverReason>),
    /// It is not, and why.
    NotShown(NoCertificate),
}
