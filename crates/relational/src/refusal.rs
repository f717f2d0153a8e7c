//! Why a problem is not answered.

use std::fmt;

use wherefore_base::{Span, Stop};

/// Why a problem is not translated, solved or evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProblemRefusal {
    /// Time or memory ran out, or somebody cancelled the work.
    Stopped(Stop),
    /// An expression or a formula is put together from parts that do not fit.
    Misfit {
        /// What does not fit, as a sentence.
        message: String,
    },
    /// A variable stands for a set or a relation, and no witness can be guessed for it: it is quantified
    /// universally, or below a disjunction, or below too many universal quantifiers.
    HigherOrder {
        /// The name of the variable.
        variable: String,
        /// Where it is declared.
        span: Option<Span>,
    },
    /// What was found does not pass its check: a mistake of this program.
    Mistake {
        /// What was found, as a sentence.
        message: String,
    },
    /// Something is larger than a limit.
    TooLarge {
        /// What is too large, and how large it may be, as a sentence.
        message: String,
        /// Where it is written.
        span: Option<Span>,
    },
}

impl From<Stop> for ProblemRefusal {
    fn from(stop: Stop) -> Self {
        ProblemRefusal::Stopped(stop)
    }
}

impl fmt::Display for ProblemRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProblemRefusal::Stopped(stop) => stop.fmt(f),
            ProblemRefusal::Misfit { message }
            | ProblemRefusal::Mistake { message }
            | ProblemRefusal::TooLarge { message, .. } => f.write_str(message),
            ProblemRefusal::HigherOrder { variable, .. } => write!(
                f,
                "the quantified variable `{variable}` stands for a set or a relation, and no witness \
                 can be guessed for it here"
            ),
        }
    }
}

impl std::error::Error for ProblemRefusal {}

/// The result of work that may be refused.
pub type SearchResult<T> = Result<T, ProblemRefusal>;
