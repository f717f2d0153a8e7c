//! Questions and answers: what may be chosen, and what is said in the end.
//!
//! An answer has three values. *Holds* comes with the obligations that were discharged: each is a query of its own that
//! has no model, and whoever doubts it gives it to another solver. *Fails* comes with runs that our own evaluator
//! replayed. Whatever is less than that is *unknown*, with the bounds that were reached.

use std::fmt;
use std::time::Duration;

use wherefore_smt::{Deadlock, SolverTrace};

use crate::process::ProcessLimits;
use crate::solver::SmtSolver;

/// Which way is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum SmtEngine {
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

impl SmtEngine {
    /// All engines, in the order in which they are listed.
    pub const ALL: [SmtEngine; 4] = [
        SmtEngine::Auto,
        SmtEngine::Theory,
        SmtEngine::Unroll,
        SmtEngine::Induction,
    ];

    /// The word for it: `auto`, `theory`, `unroll` or `induction`.
    pub fn name(self) -> &'static str {
        match self {
            SmtEngine::Auto => "auto",
            SmtEngine::Theory => "theory",
            SmtEngine::Unroll => "unroll",
            SmtEngine::Induction => "induction",
        }
    }
}

/// What may be chosen.
#[derive(Clone, Debug)]
pub struct SmtOptions {
    /// Which way is taken.
    pub engine: SmtEngine,
    /// The solvers, the preferred one first. Proofs are checked again by the others.
    pub solvers: Vec<SmtSolver>,
    /// What each solver may use.
    pub limits: ProcessLimits,
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

impl Default for SmtOptions {
    fn default() -> Self {
        Self {
            engine: SmtEngine::default(),
            solvers: Vec::new(),
            limits: ProcessLimits::default(),
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
pub enum SmtVerdict {
    /// It holds.
    Holds(SmtProof),
    /// It fails.
    Fails(SmtRefutation),
    /// Nobody can say.
    Unknown,
}

/// Why a property holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmtProof {
    /// The engine that found it, as "unrolling".
    pub engine: String,
    /// What carries the proof.
    pub certificates: Vec<SmtCertificate>,
    /// The queries, none of which has a model. They are SMT-LIB and can be run by hand.
    pub obligations: Vec<SmtObligation>,
    /// The solvers that found all obligations to have no model, the first one being the one that found the proof.
    pub checked_by: Vec<String>,
}

/// What carries a proof, in words of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SmtCertificate {
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
pub struct SmtObligation {
    /// What it shows, as "every initial state satisfies the invariant".
    pub claim: String,
    /// The whole SMT-LIB text, with `(check-sat)` at its end.
    pub query: String,
}

/// Why a property fails: runs that our own evaluator replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmtRefutation {
    /// The engine that found it, as "loop search".
    pub engine: String,
    /// The runs. The first starts in an initial state; the others start in a state of an earlier one.
    pub runs: Vec<RefutationRun>,
    /// What closes the argument beyond the runs: for a property of the form `EF p`, an invariant that keeps `p` away.
    pub closed_by: Option<Box<SmtProof>>,
}

/// A run of a refutation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefutationRun {
    /// The run where it starts from, and the state of it; none for the first.
    pub from: Option<(usize, usize)>,
    /// The run.
    pub trace: SolverTrace,
}

/// What is said of a property, and how far everybody came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmtAnswer {
    /// The verdict.
    pub verdict: SmtVerdict,
    /// How far the engines came: whole sentences, as "No loop has up to 17 states.".
    pub reached: Vec<String>,
    /// What is worth knowing beside the verdict: dead ends, what was flattened; whole sentences.
    pub remarks: Vec<String>,
    /// Why the answer says nothing about any run, if it does not: the axioms or the initial condition contradict themselves.
    pub vacuous: Option<String>,
    /// Whether it holds only because no run goes on for ever and is fair.
    pub no_run: bool,
}

impl SmtAnswer {
    /// Nobody can say: for these reasons.
    pub fn unknown(reached: Vec<String>) -> Self {
        Self {
            verdict: SmtVerdict::Unknown,
            reached,
            remarks: Vec::new(),
            vacuous: None,
            no_run: false,
        }
    }

    /// Whether it holds, if that is known.
    pub fn holds(&self) -> Option<bool> {
        match self.verdict {
            SmtVerdict::Holds(_) => Some(true),
            SmtVerdict::Fails(_) => Some(false),
            SmtVerdict::Unknown => None,
        }
    }
}

impl SmtProof {
    /// How far the proof can be trusted: "checked by z3 4.8.12 and cvc5 1.0.3" or "one solver, no certificate".
    pub fn standing(&self) -> String {
        match &self.checked_by[..] {
            [] | [_] if self.certificates == [SmtCertificate::Word] => {
                "one solver, no certificate".to_string()
            }
            [] => "not checked".to_string(),
            [one] => format!("one solver, {one}"),
            [all @ .., last] => format!("checked by {} and {last}", all.join(", ")),
        }
    }
}

impl fmt::Display for SmtCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SmtCertificate::Bound(0) => f.write_str("at once"),
            SmtCertificate::Bound(1) => f.write_str("within 1 step"),
            SmtCertificate::Bound(steps) => write!(f, "within {steps} steps"),
            SmtCertificate::Invariant(text) => write!(f, "invariant {text}"),
            SmtCertificate::Rank(parts) => write!(f, "rank {}", parts.join(", then ")),
            SmtCertificate::Fairness(all) => write!(f, "fairness {}", all.join(" and ")),
            SmtCertificate::Cases(all) => write!(f, "cases by {}", all.join(", ")),
            SmtCertificate::Recurrent(text) => write!(f, "recurrent set {text}"),
            SmtCertificate::Visits(0) => f.write_str("never left"),
            SmtCertificate::Visits(times) => write!(f, "left at most {times} times"),
            SmtCertificate::System(text) => write!(f, "the system with {text}"),
            SmtCertificate::Word => f.write_str("the word of the solver"),
        }
    }
}
