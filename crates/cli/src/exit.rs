//! Exit codes: a contract with scripts.

use std::process::ExitCode;

/// How a run of the command ends. The order is the order of importance: of several outcomes the
/// greatest counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Exit {
    /// Everything is as expected.
    Good,
    /// Nothing failed, but a property holds vacuously and the user minds.
    Vacuous,
    /// Something is undecided, and nothing failed.
    Undecided,
    /// A property fails, or a trace does not run.
    Fails,
    /// The command line is wrong or a file is missing.
    Usage,
    /// A model does not parse or type-check, or a trace does not parse.
    Model,
    /// A bug of ours.
    Internal,
}

impl Exit {
    /// The code.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Good => 0,
            Exit::Fails => 1,
            Exit::Usage => 2,
            Exit::Model => 3,
            Exit::Undecided => 4,
            Exit::Vacuous => 5,
            Exit::Internal => 70,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// The table for `--help`.
pub(crate) const HELP: &str = "\
Exit codes:
   0  every property is as expected; every trace runs
   1  a property fails (also when others are undecided), or a trace does not run or show it
   2  the command line is wrong, a file is missing, or a formula of -e does not parse
   3  a model does not parse or type-check, or a trace does not parse
   4  something is undecided (time, memory, Ctrl-C, not supported) and nothing fails
   5  nothing fails, but a property holds vacuously and --fail-on vacuous is given
  70  an internal error, or evidence that failed its replay
Of several, the first of 70, 3, 2, 1, 4, 5, 0 counts.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_outranks_undecided_and_a_broken_model_outranks_failure() {
        let mut exits = [
            Exit::Model,
            Exit::Good,
            Exit::Fails,
            Exit::Undecided,
            Exit::Internal,
            Exit::Vacuous,
            Exit::Usage,
        ];
        exits.sort();
        let codes: Vec<u8> = exits.iter().rev().map(|exit| exit.code()).collect();
        assert_eq!(codes, [70, 3, 2, 1, 4, 5, 0]);
    }
}
