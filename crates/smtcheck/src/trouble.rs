//! What can go wrong between us and a solver.
//!
//! None of it is a verdict: whoever meets a trouble has one engine less, and says so.

use std::fmt;

use wherefore_base::Stop;

/// Why a solver gave no answer that can be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolverTrouble {
    /// Our own budget ended the work.
    Stopped(Stop),
    /// One question took longer than a question may take.
    TimeOut,
    /// The solver ran out of the memory it was given.
    Memory,
    /// The solver could not be started.
    Missing(String),
    /// The solver ended before it answered: how it ended, and what it said last.
    Died(String),
    /// The solver rejected what it was sent.
    Error(String),
    /// The solver printed something that is no answer.
    Garbage(String),
    /// The solver printed more than an answer may have.
    Flood,
}

impl fmt::Display for SolverTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverTrouble::Stopped(stop) => stop.fmt(f),
            SolverTrouble::TimeOut => f.write_str("one question took too long"),
            SolverTrouble::Memory => f.write_str("it ran out of memory"),
            SolverTrouble::Missing(why) => write!(f, "it cannot be started: {why}"),
            SolverTrouble::Died(how) => write!(f, "it ended without an answer: {how}"),
            SolverTrouble::Error(said) => write!(f, "it rejects the question: {said}"),
            SolverTrouble::Garbage(said) => {
                write!(f, "it printed something that is no answer: {said}")
            }
            SolverTrouble::Flood => f.write_str("it printed more than an answer may have"),
        }
    }
}

impl std::error::Error for SolverTrouble {}

impl From<Stop> for SolverTrouble {
    fn from(stop: Stop) -> Self {
        SolverTrouble::Stopped(stop)
    }
}
