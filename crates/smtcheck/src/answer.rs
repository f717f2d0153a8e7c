//! Questions and answers: what may be chosen, and what is said in the end.
//!
//! An answer has three values. *Holds* comes with the obligations that were discharged: each is a query of its own that
//! has no model, and whoever doubts it gives it to another solver. *Fails* comes with runs that our own evaluator
//! replayed. Whatever is less than that is *unknown*, with the bounds that were reached.

use std::fmt;
use std::time::Duration;

use wherefore_smt::{Deadlock, SolverTrace};

use wherefore_proof::{ProofStart, SolverReason, StateReason};
pub use wherefore_proof::{SmtCertificate, SmtStart};

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

/// Why something exists: runs that our own evaluator replayed, and what is proved of their states.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SmtWitness {
    /// The runs, as those of a refutation; none were found if empty.
    pub runs: Vec<RefutationRun>,
    /// What the property says of all paths from states of the runs.
    pub claims: Vec<SmtClaim>,
}

/// What is proved of a state of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmtClaim {
    /// The run.
    pub run: usize,
    /// The state of it.
    pub state: usize,
    /// What is true there, as people write it: `AF (c > 5)`.
    pub formula: String,
    /// Why.
    pub proof: SmtProof,
}

/// Something that was tried without success: "ranking functions (none found)".
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmtAttempt {
    /// What was looked for, as "ranking functions".
    pub tried: String,
    /// How far it came, as "none found".
    pub outcome: String,
}

impl SmtAttempt {
    pub(crate) fn new(tried: impl Into<String>, outcome: impl Into<String>) -> Self {
        Self {
            tried: tried.into(),
            outcome: outcome.into(),
        }
    }

    /// A search that came to its end without success.
    pub(crate) fn none(tried: impl Into<String>) -> Vec<Self> {
        vec![Self::new(tried, "none found")]
    }
}

impl fmt::Display for SmtAttempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.tried, self.outcome)
    }
}

/// What is said of a property, and how far everybody came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmtAnswer {
    /// The verdict.
    pub verdict: SmtVerdict,
    /// Why there is no answer: whole sentences, as "No solver is installed.".
    pub reached: Vec<String>,
    /// What shows a property that holds because some path exists.
    pub witness: SmtWitness,
    /// What was tried in vain, and how far it came.
    pub tried: Vec<SmtAttempt>,
    /// What is worth knowing beside the verdict: dead ends, what was flattened; whole sentences.
    pub remarks: Vec<String>,
    /// Why the answer says nothing about any run, if it does not: the axioms or the initial condition contradict themselves.
    pub vacuous: Option<String>,
    /// Whether there may be states without a next one, so that nothing is said of runs that end.
    pub dead_ends: bool,
    /// Whether it holds only because no run goes on for ever and is fair.
    pub no_run: bool,
}

impl SmtAnswer {
    /// Nobody can say: for these reasons.
    pub fn unknown(reached: Vec<String>) -> Self {
        Self {
            verdict: SmtVerdict::Unknown,
            reached,
            witness: SmtWitness::default(),
            tried: Vec::new(),
            remarks: Vec::new(),
            vacuous: None,
            dead_ends: false,
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

impl SmtClaim {
    /// The claim as a reason for people.
    pub fn reason(&self, endless_only: bool) -> StateReason {
        let start = ProofStart::Step {
            run: self.run,
            step: self.state,
        };
        StateReason {
            formula: self.formula.clone(),
            reason: SolverReason {
                start,
                ..self.proof.reason(endless_only)
            },
        }
    }
}

impl SmtProof {
    /// The proof as a reason for people; `endless_only` says that runs that end are left out.
    pub fn reason(&self, endless_only: bool) -> SolverReason {
        let claims = self.obligations.iter();
        SolverReason {
            engine: self.engine.clone(),
            certificates: self.certificates.clone(),
            claims: claims.map(|obligation| obligation.claim.clone()).collect(),
            checked_by: self.checked_by.clone(),
            endless_only,
            start: ProofStart::Initial,
            at_states: Vec::new(),
        }
    }
}
