//! Why a property holds, as data that somebody else can check.

use wherefore_base::Bits;
use wherefore_model::{Model, VarId};

/// A disjunction: the index of some variable's value, in its domain, differs in a bit from the ones given.
pub type Clause = Vec<(VarId, Bits)>;

/// Why a property holds.
#[derive(Clone, Debug)]
pub enum InvariantClauses {
    /// The clauses, and the condition that is claimed of every state, hold in all initial states, and
    /// where they hold they hold after every step.
    Inductive {
        /// What holds in every reachable state, beside the condition itself.
        clauses: Vec<Clause>,
    },
    /// The condition holds in the first `steps` states of every run, and after any `steps` states in a
    /// row where it holds, all of them different, it holds in the next one.
    Steps {
        /// How many.
        steps: usize,
    },
    /// No fair run refutes the formula: in the product with its tableau, watched by a model that counts
    /// turns of fairness, no run has more than so many turns.
    Turns {
        /// The watching model: the product and the counter.
        watched: Box<Model>,
        /// How many turns a run has at most.
        turns: usize,
        /// Up to how many the watching model counts.
        counted: usize,
        /// An invariant of the watching model that shows it.
        clauses: Vec<Clause>,
    },
    /// No fair run refutes the formula: in the product with its tableau no run closes a fair loop.
    Loops {
        /// An invariant of the product that is watched for loops, which shows it.
        clauses: Vec<Clause>,
    },
}
