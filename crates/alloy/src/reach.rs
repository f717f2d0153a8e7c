//! How far the answer to a command reaches: what it means for the complete transition system.
//!
//! A command about a transition system is answered in systems of so many states. What that says of the
//! system of all states depends on what it asks for (Farheen, Day, Vakili and Abbassi 2020): these are the
//! values in which it is told.

use wherefore_base::Span;
pub use wherefore_logic::Class;

/// What the answer to a command means for the complete system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandReach {
    /// What kind of claim the formula makes; none where the model does not fit.
    pub class: Option<Class>,
    /// What the complete system says itself.
    pub whole: Whole,
    /// The scopes of states that were tried, in order.
    pub tried: Vec<Tried>,
    /// The fewest states with which the significance axioms can hold.
    pub significant: Significant,
    /// What it means for the complete system.
    pub meaning: ReachMeaning,
    /// Whether the answer in the scope follows from the complete system, so that nothing was solved.
    pub follows: bool,
}

/// What the complete system says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Whole {
    /// Nobody asked.
    Unasked,
    /// It is not known, and why, as a sentence without its full stop; with a place if there is one.
    Unknown(String, Option<Span>),
    /// It is known.
    Known {
        /// In which initial states the formula holds.
        holds: Initial,
        /// How many states can be reached.
        states: String,
        /// How many initial states there are.
        initial: String,
        /// The fewest states that a system with a counterexample has, if that is known.
        least: Option<usize>,
        /// Whether a system in a scope may have copies of a state, which the complete one has once.
        copies: bool,
    },
}

/// In which initial states a formula holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Initial {
    /// In all of them.
    All,
    /// In some, and not in others.
    Some,
    /// In none of them, and there are some.
    None,
}

/// A scope of states that was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tried {
    /// How many states.
    pub states: i32,
    /// Whether there were exactly that many, or at most.
    pub exactly: bool,
    /// What was asked.
    pub way: ReachMethod,
    /// Whether there is an instance; none where the work ended before that was known.
    pub found: Option<bool>,
}

/// What is asked in a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReachMethod {
    /// The command.
    Command,
    /// The check in systems of reachable states, those without a step going to themselves.
    DeadLoops,
    /// The formula of a check as a run.
    Run,
    /// The significance axioms alone.
    Axioms,
}

/// The fewest states with which every state can be reached and every operation happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Significant {
    /// Nobody asked.
    Unasked,
    /// So many.
    At(i32),
    /// More than so many.
    Above(i32),
    /// Nobody knows what the operations are: the steps are not written as some predicate or another.
    NoOperations,
}

/// What an answer means for the complete system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReachMeaning {
    /// The formula holds there.
    Holds(Because),
    /// It holds there in the initial states of the instance, or in some of them.
    HoldsSomewhere(Because),
    /// It fails there.
    Fails(Because),
    /// It may hold there or fail.
    Ambiguous,
    /// The answer is for its scope alone: the model does not define one system state by state.
    ScopeOnly,
}

/// Why an answer is real.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Because {
    /// Every state was looked at.
    Whole,
    /// There is a counterexample with so many states, of a formula about every path.
    Counterexample(i32),
    /// There is an instance with so many states, of a formula about some path.
    Instance(i32),
    /// No system of so many states satisfies a formula about every path, and there are such systems.
    NoInstance(i32),
    /// Every path gets there within so many states, also those that end in the scope.
    DeadLoops(i32),
}

/// Something to know about how a transition system is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// What it is about.
    pub about: ReachSubject,
    /// Where that is written, if it is in one place.
    pub span: Option<Span>,
    /// What there is to say, with a state as an example: a sentence without its full stop.
    pub text: String,
}

/// What advice is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReachSubject {
    /// No state can be an initial one.
    Initial,
    /// States with equal fields may be different.
    Equality,
    /// An operation can never happen.
    Operation,
    /// Two operations can begin in one state.
    Overlap,
    /// No operation can begin in a state.
    Cover,
    /// A step may break what every state is to satisfy.
    Constraint,
    /// A step is lost, since a field would not have as many values as its declaration says.
    Multiplicity,
    /// A state has no step.
    Total,
}

impl ReachSubject {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            ReachSubject::Initial => "initial",
            ReachSubject::Equality => "equality",
            ReachSubject::Operation => "operation",
            ReachSubject::Overlap => "overlap",
            ReachSubject::Cover => "cover",
            ReachSubject::Constraint => "constraint",
            ReachSubject::Multiplicity => "multiplicity",
            ReachSubject::Total => "total",
        }
    }
}

impl CommandReach {
    /// A reach about which only the class is known.
    pub fn new(class: Option<Class>, meaning: ReachMeaning) -> Self {
        Self {
            class,
            whole: Whole::Unasked,
            tried: Vec::new(),
            significant: Significant::Unasked,
            meaning,
            follows: false,
        }
    }

    /// Whether it is known that the formula fails in the complete system.
    pub fn is_real_bug(&self) -> bool {
        matches!(self.meaning, ReachMeaning::Fails(_))
    }

    /// Whether the meaning is certain.
    pub fn is_real(&self) -> bool {
        !matches!(
            self.meaning,
            ReachMeaning::Ambiguous | ReachMeaning::ScopeOnly
        )
    }
}
