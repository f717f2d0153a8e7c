//! Questions and answers: what may be chosen, and what is said in the end.
//!
//! An answer has three values. *Holds* comes with the obligations that were discharged: each is a query of its own that
//! has no model, and whoever doubts it gives it to another solver. *Fails* comes with runs that our own evaluator
//! replayed. Whatever is less than that is *unknown*, with the bounds that were reached.

use std::fmt;
use std::time::Duration;

use wherefore_smt::{Deadlock, Trace};

use crate::process::Limits;
use crate::solver::Solver;

/// Which way is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Engine {
    /// All engines that fit the property; the first sound answer wins.
    #[default]
    Auto,
    /// One query: the first-order theory of the property (Vakili and Day 2014).
    Theory,
    /// Unrolling of the steps, and runs that close a loop.
    Unroll,
    /// Invariants and ranks.
    Induction,
}

impl Engine {
    /// All engines, in the order in which they are listed.
    pub const ALL: [Engine; 4] = [
        Engine::Auto,
        Engine::Theory,
        Engine::Unroll,
        Engine::Induction,
    ];

    /// The word for it: `auto`, `theory`, `unroll` or `induction`.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Theory => "theory",
            Engine::Unroll => "unroll",
            Engine::Induction => "induction",
        }
    }
}

/// What may be chosen.
#[derive(Clone, Debug)]
pub struct Choices {
    /// Which way is taken.
    pub engine: Engine,
    /// The solvers, the preferred one first. Proofs are checked again by the others.
    pub solvers: Vec<Solver>,
    /// What each solver may use.
    pub limits: Limits,
    /// Whether it is enough that *some* system of the class satisfies the property.
    pub some: bool,
    /// What a state without a next one means, where the system's own rule is not wanted.
    pub deadlock: Option<Deadlock>,
    /// Whether dead ends are worth a remark, where there are some, reachable or not.
    pub dead_ends: bool,
    /// The greatest number of steps that is unrolled.
    pub bound: usize,
    /// How long another solver may take to check a proof again on a machine with nothing else to do; not at all if zero.
    pub recheck: Duration,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            engine: Engine::default(),
            solvers: Vec::new(),
            limits: Limits::default(),
            some: false,
            deadlock: None,
            dead_ends: true,
            bound: 1000,
            recheck: Duration::from_millis(700),
        }
    }
}

/// What is said of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds.
    Holds(Proof),
    /// It fails.
    Fails(Refutation),
    /// Nobody can say.
    Unknown,
}

/// Why a property holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The engine that found it, as "unrolling".
    pub engine: String,
    /// What carries the proof.
    pub certificates: Vec<Certificate>,
    /// The queries, none of which has a model. They are SMT-LIB and can be run by hand.
    pub obligations: Vec<Obligation>,
    /// The solvers that found all obligations to have no model, the first one being the one that found the proof.
    pub checked_by: Vec<String>,
}

/// What carries a proof, in words of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Certificate {
    /// Within so many steps.
    Bound(usize),
    /// A condition that holds now and after every step.
    Invariant(String),
    /// Values that are bounded below and fall with every step, the most significant first.
    Rank(Vec<String>),
    /// Fair conditions: a rank falls whenever one of them holds, or no step is left where it does.
    Fairness(Vec<String>),
    /// Conditions that stay once they hold: what comes after is told apart by them.
    Cases(Vec<String>),
    /// A set of states each of which has a next one in the set: a run in it goes on for ever.
    Recurrent(String),
    /// The condition is left in at most so many states of a run.
    Visits(i64),
    /// The one system of the class that the proof is about: what its parameters are.
    System(String),
    /// Only the word of the solver.
    Word,
}

/// A query that must have no model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// What it shows, as "every initial state satisfies the invariant".
    pub claim: String,
    /// The whole SMT-LIB text, with `(check-sat)` at its end.
    pub query: String,
}

/// Why a property fails: runs that our own evaluator replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// The engine that found it, as "loop search".
    pub engine: String,
    /// The runs. The first starts in an initial state; the others start in a state of an earlier one.
    pub runs: Vec<Branch>,
    /// What closes the argument beyond the runs: for a property of the form `EF p`, an invariant that keeps `p` away.
    pub closed_by: Option<Box<Proof>>,
}

/// A run of a refutation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The run where it starts from, and the state of it; none for the first.
    pub from: Option<(usize, usize)>,
    /// The run.
    pub trace: Trace,
}

/// What is said of a property, and how far everybody came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// How far the engines came: whole sentences, as "No loop has up to 17 states.".
    pub reached: Vec<String>,
    /// What is worth knowing beside the verdict: dead ends, what was flattened; whole sentences.
    pub remarks: Vec<String>,
    /// Why the answer says nothing about any run, if it does not: the axioms or the initial condition contradict themselves.
    pub vacuous: Option<String>,
}

impl Answer {
    /// Nobody can say: for these reasons.
    pub fn unknown(reached: Vec<String>) -> Self {
        Self {
            verdict: Verdict::Unknown,
            reached,
            remarks: Vec::new(),
            vacuous: None,
        }
    }

    /// Whether it holds, if that is known.
    pub fn holds(&self) -> Option<bool> {
        match self.verdict {
            Verdict::Holds(_) => Some(true),
            Verdict::Fails(_) => Some(false),
            Verdict::Unknown => None,
        }
    }
}

impl Proof {
    /// How far the proof can be trusted: "checked by z3 4.8.12 and cvc5 1.0.3" or "one solver, no certificate".
    pub fn standing(&self) -> String {
        match &self.checked_by[..] {
            [] | [_] if self.certificates == [Certificate::Word] => {
                "one solver, no certificate".to_string()
            }
            [] => "not checked".to_string(),
            [one] => format!("one solver, {one}"),
            [all @ .., last] => format!("checked by {} and {last}", all.join(", ")),
        }
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Certificate::Bound(0) => f.write_str("at once"),
            Certificate::Bound(1) => f.write_str("within 1 step"),
            Certificate::Bound(steps) => write!(f, "within {steps} steps"),
            Certificate::Invariant(text) => write!(f, "invariant {text}"),
            Certificate::Rank(parts) => write!(f, "rank {}", parts.join(", then ")),
            Certificate::Fairness(all) => write!(f, "fairness {}", all.join(" and ")),
            Certificate::Cases(all) => write!(f, "cases by {}", all.join(", ")),
            Certificate::Recurrent(text) => write!(f, "recurrent set {text}"),
            Certificate::Visits(0) => f.write_str("never left"),
            Certificate::Visits(times) => write!(f, "left at most {times} times"),
            Certificate::System(text) => write!(f, "the system with {text}"),
            Certificate::Word => f.write_str("the word of the solver"),
        }
    }
}
