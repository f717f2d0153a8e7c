//! Assertions: what a sentence about evidence says of the model, as data.
//!
//! A sentence is shown only if what it asserts is so. An assertion says exactly what the words say, neither less nor
//! more; whoever decides it (crate `replay`) looks at the model and at the occurrences it names, never at the words
//! and never at the proof.

use num_bigint::BigUint;
use wherefore_logic::{Bounds, Goal, SubId};
use wherefore_model::Distance;

use crate::certificate::StateSet;
use crate::{DecisiveChoice, Measure, Note, OccurrenceId, Quantity, RegionId};

/// Something that a sentence says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Assertion {
    /// All goals are so in every state of a set: "`p` is false at step 2", "no next state satisfies `p`".
    Every {
        /// In which states.
        of: SaidStates,
        /// What is so there.
        goals: Vec<Goal>,
    },
    /// A set has so many states: "all 8 states from there on".
    Size {
        /// Which states.
        of: SaidStates,
        /// How many they are.
        size: BigUint,
    },
    /// A set has the states of these occurrences and no others, each once: "the only step leads to step 3".
    Exactly {
        /// Which states.
        of: SaidStates,
        /// Where they occur.
        at: Vec<OccurrenceId>,
    },
    /// A bounded operator is so with the bounds that are left: "`EBF 0..4 p` holds (now within 0..2 steps)".
    Left {
        /// What is so.
        goal: Goal,
        /// Within which bounds.
        bounds: Bounds,
        /// Where.
        at: OccurrenceId,
    },
    /// A path of the path rule starts here: "a fair run goes on from step 2".
    GoesOn(OccurrenceId),
    /// These states follow one another by steps of the model: "`p` is reached after 3 steps".
    Path {
        /// The states, in order.
        run: Vec<OccurrenceId>,
        /// What is so in all of them but the last: "through states where", "was not true before".
        keep: Vec<Goal>,
        /// What is so in the last.
        arrive: Vec<Goal>,
    },
    /// These states follow one another, and the last is followed by an earlier one: "there is a loop that".
    Lasso {
        /// The states, in order.
        run: Vec<OccurrenceId>,
        /// The place in the run of the state that follows the last.
        back: usize,
        /// What is so in all of them.
        keep: Vec<Goal>,
        /// Whether the loop is said to meet the fairness constraints.
        fair: bool,
    },
    /// A linear-time formula is so along the run of the evidence: "`p` never holds from step 2 on".
    AlongRun {
        /// What is so.
        goal: Goal,
        /// At which step.
        at: OccurrenceId,
        /// At it alone, or also before or after it.
        lasts: RunStretch,
    },
    /// No evidence for what this evidence shows is smaller: "shortest: proved".
    Minimal {
        /// What is counted.
        measure: Measure,
        /// How much of it this evidence has.
        length: u32,
        /// No evidence has less than this; equal to the length when the evidence is said to be least.
        at_least: u32,
    },
    /// Where a run lost its last chance to keep a sub-formula that is claimed of every path.
    Decided(SubId, DecisiveChoice),
    /// The property holds whatever the truth of an occurrence of a sub-formula: "`p` never matters".
    NeverMatters(SubId),
    /// A region is described by its conditions, and by nothing else among the reachable states.
    Described(RegionId),
    /// Something is so in every reachable state of some sets: "from every reachable state where `p`, every step leads to `q`".
    Reached {
        /// In states of all these sets.
        states: Vec<StateSet>,
        /// Whether only states and steps count that paths of the path rule come to.
        going_on: bool,
        /// What is so there.
        says: SaidOfReached,
    },
    /// What a note says of the model.
    Noted(Note),
    /// So many steps lie between two conditions: the answer to `COMPUTE`.
    Distance(Distance, Quantity),
}

impl Assertion {
    /// A sub-formula is true or false in the state of an occurrence.
    pub fn at(goal: Goal, at: OccurrenceId) -> Self {
        Assertion::every(StatesFrom::At, at, &[goal])
    }

    /// Goals are so in all states of a set.
    pub fn every(which: StatesFrom, at: OccurrenceId, goals: &[Goal]) -> Self {
        Assertion::Every {
            of: SaidStates::all(which, at),
            goals: goals.to_vec(),
        }
    }

    /// The kind of assertion, for tables.
    pub fn kind(&self) -> &'static str {
        match self {
            Assertion::Every { of, .. } => match of.which {
                StatesFrom::At => "truth at a step",
                StatesFrom::Next => "truth at every successor",
                StatesFrom::All | StatesFrom::UpTo(_) | StatesFrom::Through(_) => {
                    "truth in everything that follows"
                }
                StatesFrom::Within(_) => "truth within a number of steps",
                StatesFrom::Initial => "truth in every reachable state",
            },
            Assertion::Size { .. } => "number of states",
            Assertion::Exactly { .. } => "only these states",
            Assertion::Left { .. } => "truth with the bounds that are left",
            Assertion::GoesOn(_) => "a run goes on",
            Assertion::Path { .. } => "path",
            Assertion::Lasso { .. } => "loop",
            Assertion::AlongRun { .. } => "truth along a run",
            Assertion::Minimal { .. } => "least evidence",
            Assertion::Decided(..) => "decisive choice",
            Assertion::NeverMatters(_) => "vacuity",
            Assertion::Described(_) => "description of a region",
            Assertion::Reached { says, .. } => says.kind(),
            Assertion::Noted(_) => "note",
            Assertion::Distance(..) => "number of steps",
        }
    }
}

/// What a sentence says of reachable states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SaidOfReached {
    /// There is no such state: "never `p`".
    Never,
    /// No endless path starts there that is fair.
    NoFairPath,
    /// All of these are so.
    Goals(Vec<Goal>),
    /// Every step leads to it.
    EveryStep(Goal),
    /// Some step leads to it.
    SomeStep(Goal),
    /// Every run does this.
    EveryRun(SaidRun),
    /// Some run does this.
    SomeRun(SaidRun),
}

/// What runs do: they come to where all goals are so, and something else is so on the way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SaidRun {
    /// The goals; `None`: nothing is reached.
    pub reaches: Option<Vec<Goal>>,
    /// What is so until then.
    pub keeps: Vec<Goal>,
    /// Within so many steps.
    pub within: Option<usize>,
    /// Whether it may also stay on the way for ever.
    pub stays: bool,
    /// Whether a run that ends does not count.
    pub endless: bool,
}

impl SaidOfReached {
    fn kind(&self) -> &'static str {
        match self {
            SaidOfReached::Never => "never",
            SaidOfReached::NoFairPath => "no fair run from reachable states",
            SaidOfReached::Goals(_) => "truth in reachable states",
            SaidOfReached::EveryStep(_) => "every step from reachable states",
            SaidOfReached::SomeStep(_) => "some step from reachable states",
            SaidOfReached::EveryRun(_) => "every run from reachable states",
            SaidOfReached::SomeRun(_) => "some run from reachable states",
        }
    }
}

/// States that a sentence speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaidStates {
    /// Which they are.
    pub which: StatesFrom,
    /// Seen from where.
    pub at: OccurrenceId,
    /// Whether only those count from which a path of the path rule goes on. The state at `at` always counts.
    pub going_on: bool,
}

impl SaidStates {
    /// All states of a set, also those that no path of the path rule goes on from.
    pub fn all(which: StatesFrom, at: OccurrenceId) -> Self {
        Self {
            which,
            at,
            going_on: false,
        }
    }
}

/// Which states, seen from an occurrence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatesFrom {
    /// Its own.
    At,
    /// Its successors.
    Next,
    /// Its own, and all that can be reached from there.
    All,
    /// Its own, and all that are passed from there up to the first where all of these are so, that one included.
    UpTo(Vec<Goal>),
    /// Its own, and all that can be reached through states where all of these are so.
    Through(Vec<Goal>),
    /// Its own, and all that can be reached with so many steps at most.
    Within(u32),
    /// All that can be reached from the initial states, whatever the occurrence.
    Initial,
}

/// A stretch of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunStretch {
    /// A step.
    Here,
    /// A step and all that come after it.
    FromHereOn,
    /// A step and all before it.
    UpToHere,
}

/// What a checker says of an assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AssertionTruth {
    /// It is so.
    True,
    /// It is not so, and why.
    False(String),
    /// Nobody knows, and why not.
    NotDecided(&'static str),
}
