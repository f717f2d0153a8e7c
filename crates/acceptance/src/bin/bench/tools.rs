//! The programs that are compared, and whether they came to an end.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::measure::{self, Cost};

/// A way to run our program on a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// As it chooses itself.
    Auto,
    /// By states one by one.
    Explicit,
    /// By sets of states.
    Bdd,
    /// As it chooses itself, with the search for parts of properties that never matter.
    Vacuity,
}

impl Way {
    /// All of them.
    pub(crate) const ALL: [Way; 4] = [Way::Auto, Way::Explicit, Way::Bdd, Way::Vacuity];

    /// Its name in tables and on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Way::Auto => "auto",
            Way::Explicit => "explicit",
            Way::Bdd => "bdd",
            Way::Vacuity => "vacuity",
        }
    }

    fn options(self) -> &'static [&'static str] {
        match self {
            Way::Auto => &["--no-vacuity", "--no-blame"],
            Way::Explicit => &["--no-vacuity", "--no-blame", "--engine", "explicit"],
            Way::Bdd => &["--no-vacuity", "--no-blame", "--engine", "bdd"],
            Way::Vacuity => &[],
        }
    }
}

/// How a run ended, and what it cost until then.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Result {
    /// What it cost.
    pub(crate) cost: Cost,
    /// Whether it answered all that it can, before its time was up.
    pub(crate) done: bool,
}

impl Result {
    /// CPU seconds, if it came to an end.
    pub(crate) fn seconds(result: &Option<Result>) -> Option<f64> {
        result
            .filter(|result| result.done)
            .map(|result| result.cost.cpu)
    }
}

/// Our program, perhaps a peer, and how long each may take.
pub(crate) struct Tools {
    /// Our program.
    pub(crate) wherefore: PathBuf,
    /// NuSMV, where it is installed.
    pub(crate) peer: Option<PathBuf>,
    /// The CPU time of a run.
    pub(crate) limit: Duration,
    /// How often short runs are repeated; the median counts.
    pub(crate) runs: usize,
    /// The ways to run our program.
    pub(crate) ways: Vec<Way>,
    /// Where what the programs print goes.
    pub(crate) output: PathBuf,
}

impl Tools {
    /// Runs our program for at most this much CPU time, if this way is wanted.
    pub(crate) fn ours(
        &self,
        model: &Path,
        way: Way,
        limit: Duration,
    ) -> io::Result<Option<Result>> {
        if !self.ways.contains(&way) {
            return Ok(None);
        }
        let mut command: Vec<OsString> = vec![self.wherefore.clone().into(), "check".into()];
        command.push(model.into());
        command.extend(way.options().iter().map(OsString::from));
        let cost = measure::repeat(&command, &self.output, limit, self.runs)?;
        let said = String::from_utf8_lossy(&fs::read(&self.output)?).into_owned();
        let ended = matches!(cost.code, Some(0 | 1 | 4 | 5));
        let done = ended && is_answer(&said);
        Ok(Some(Result { cost, done }))
    }

    /// Runs the peer with these options, if there is one.
    pub(crate) fn peer(&self, model: &Path, options: &str) -> io::Result<Option<Result>> {
        let Some(peer) = &self.peer else {
            return Ok(None);
        };
        let mut command: Vec<OsString> = vec![peer.clone().into()];
        for option in options.split_whitespace() {
            match option {
                "plain" => {}
                "ORD" => command.push(model.with_extension("ord").into()),
                option => command.push(option.into()),
            }
        }
        command.push(model.into());
        let cost = measure::repeat(&command, &self.output, self.limit, self.runs)?;
        let done = cost.code == Some(0);
        Ok(Some(Result { cost, done }))
    }
}

/// Whether a text has a verdict, and none is missing because a limit was reached. An exit code does not tell:
/// programs of all kinds that cannot do their work end with 1.
fn is_answer(said: &str) -> bool {
    let is_verdict = |line: &str| {
        let first = line.split("  ").next();
        matches!(first, Some("HOLDS" | "FAILS" | "VACUOUS" | "VALUE"))
    };
    said.lines().any(is_verdict) && !said.contains("limit was reached")
}

/// NuSMV on the search path.
pub(crate) fn installed_peer() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .flat_map(|folder| ["NuSMV", "nusmv"].map(|name| folder.join(name)))
        .find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::is_answer;

    #[test]
    fn an_answer_is_a_verdict_and_not_a_complaint() {
        assert!(is_answer(
            "m.smv  1 property\n\nFAILS  spec1 (line 3):  AG p\n"
        ));
        assert!(is_answer("HOLDS  spec1 (line 3):  AG p\n"));
        assert!(is_answer("VACUOUS  spec1 (line 3):  AG p\n"));
        assert!(!is_answer("error: no such file\n"));
        assert!(!is_answer(
            "HOLDS  spec1\n\nUNKNOWN  spec2\n  the time limit was reached\n"
        ));
    }
}
