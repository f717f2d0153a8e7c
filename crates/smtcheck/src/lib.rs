//! CTL on systems that are not finite, by solvers for satisfiability modulo theories.
//!
//! [`decide()`] answers a property of a [`wherefore_smt::TermSystem`]: it holds, with obligations that any solver can discharge
//! again; it fails, with runs that our own evaluator replayed; or nobody knows, with the bounds that were reached.
//!
//! - *Solvers* are processes that can always be ended: `process`, `solver` (a conversation in text), `asker` (in terms),
//!   `portfolio` (several at once).
//! - *The system*: `kripke` makes copies of its state, `enabled` says when a state has a next one, `plan` and
//!   `quantified` say what a bounded formula is.
//! - *Engines*, each with an answer of its own or none: `theory` (the one query of Vakili and Day 2014), `unroll`
//!   (bounded proofs, loops), `cover` (what can be reached, and loops from everywhere), `always` and `everywhere`
//!   (invariants, promises with a step counter), `horn` (Spacer), `induction`, `relatives`, `rank`, `fair` and `distance` (to a goal,
//!   see `toward` and `approach`; guesses in `ranking`, `ring`, `fit`), `choice` (ranks where steps may be chosen, see `cases`), `recurrent` and
//!   `endless` (runs without end), `never`, `contrary` (from one state), `nested` (formulas inside others),
//!   `stable`, `linear` (by a tableau), `some`; `witness` looks for runs that show what holds.
//! - `decide` looks for contradictions and dead ends first, splits conjunctions, and has proofs checked by the other
//!   solvers; `auto` lets the engines race.

mod always;
mod answer;
mod approach;
mod asker;
mod auto;
mod cases;
mod choice;
mod contrary;
mod cover;
mod decide;
mod distance;
mod enabled;
mod endless;
mod everywhere;
mod fair;
mod find;
mod finding;
mod fit;
mod horn;
mod houdini;
mod induction;
mod kripke;
mod linear;
mod nested;
mod never;
mod plan;
mod portfolio;
mod process;
mod quantified;
mod rank;
mod ranking;
mod reading;
mod recurrent;
mod relatives;
mod response;
mod ring;
mod solver;
mod some;
mod stable;
mod theory;
mod toward;
mod traces;
mod trouble;
mod unroll;
mod witness;

pub use answer::{
    RefutationRun, SmtAnswer, SmtAttempt, SmtCertificate, SmtClaim, SmtEngine, SmtObligation,
    SmtOptions, SmtProof, SmtRefutation, SmtStart, SmtVerdict, SmtWitness,
};
pub use decide::{decide, decide_formula, theory_query};
pub use find::{Sought, find};
pub use portfolio::{SolverReply, ask_all};
pub use process::ProcessLimits;
pub use solver::{Satisfiability, SmtSolver, SolverDialogue, SolverKind};
pub use trouble::SolverTrouble;
pub use witness::witness;
