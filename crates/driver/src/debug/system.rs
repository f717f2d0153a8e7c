//! Systems to be debugged, from files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use wherefore_base::{Budget, Run};
use wherefore_lts::{Halt, aut, reduce};
use wherefore_model::lts::Lts;
use wherefore_tagged::{Analysis, Options, Tagged, analyse_monitor};

use super::Asked;
use crate::{OpenError, Rejected};

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// A labelled transition system, perhaps compressed.
    Aut,
    /// An Alloy model.
    Alloy,
    /// An infinite-state model: VMT-LIB, relations in SMT-LIB, or SMV with variables that have no bounds.
    Smt,
    /// An SMV model.
    Smv,
}

/// What a file holds. By the end of its name: labelled transition systems end with `.aut`, perhaps with
/// `.gz` or `.zst` after it, Alloy models with `.als`, infinite-state models with `.vmt` or
/// `.smt2`. Everything else is an infinite-state model if its text looks like one, and an SMV model if not.
pub fn language(path: &Path) -> Language {
    let by_name = language_by_name(path);
    by_name.unwrap_or_else(|| match looks_infinite(path) {
        true => Language::Smt,
        false => Language::Smv,
    })
}

/// What a file holds, if the end of its name says it; nothing is read.
pub fn language_by_name(path: &Path) -> Option<Language> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if ends(&[".aut", ".aut.gz", ".aut.zst"]) {
        Some(Language::Aut)
    } else if ends(&[".als"]) {
        Some(Language::Alloy)
    } else {
        ends(&[".vmt", ".smt2"]).then_some(Language::Smt)
    }
}

/// So many bytes of a file are looked at to know its language.
const LOOKED_AT: u64 = 1 << 20;

/// Whether a file looks like an infinite-state model. What is no plain file is not looked at, since what
/// is read of it could not be read again.
fn looks_infinite(path: &Path) -> bool {
    let plain = path.metadata().is_ok_and(|about| about.is_file());
    let Some(file) = plain.then(|| File::open(path).ok()).flatten() else {
        return false;
    };
    let mut bytes = Vec::new();
    let read = file.take(LOOKED_AT).read_to_end(&mut bytes);
    read.is_ok()
        && !bytes.contains(&0)
        && crate::live::is_infinite(&String::from_utf8_lossy(&bytes))
}

/// How a system is read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Labels of internal steps, besides `i` and `tau`.
    pub internal: Vec<String>,
    /// How many threads read; `None`: as many as the machine runs at once.
    pub threads: Option<usize>,
    /// How it is made smaller.
    pub reduce: Option<reduce::Reduction>,
}

/// A system and the name the user knows it by.
#[derive(Clone, Debug)]
pub struct System {
    /// The name.
    pub name: String,
    /// The system.
    pub lts: Lts,
}

impl System {
    /// Reads a system from a file.
    ///
    /// # Errors
    /// When there is no such file, it holds no system, or the budget ends first.
    pub fn open(path: &Path, options: &ReadOptions, budget: &Budget) -> Result<Self, OpenError> {
        let file = File::open(path).map_err(OpenError::Io)?;
        if file.metadata().map_err(OpenError::Io)?.is_dir() {
            let error = io::Error::new(io::ErrorKind::IsADirectory, "it is a folder");
            return Err(OpenError::Io(error));
        }
        Self::read(&path.display().to_string(), file, options, budget)
    }

    /// Reads a system; `name` is what messages call it.
    ///
    /// # Errors
    /// When it is no system, or the budget ends first.
    pub fn read(
        name: &str,
        input: impl Read + Send,
        options: &ReadOptions,
        budget: &Budget,
    ) -> Result<Self, OpenError> {
        let mut how = aut::ReadOptions::default();
        how.internal.extend(options.internal.iter().cloned());
        how.threads = options.threads.unwrap_or(how.threads);
        budget.phase("reading the system");
        let lts = aut::read(input, &how, budget).map_err(OpenError::Stopped)?;
        let mut lts = lts.map_err(|error| {
            let (sources, diagnostic) = error.diagnostic(name);
            OpenError::Rejected(Rejected {
                sources,
                diagnostics: vec![diagnostic],
            })
        })?;
        if let Some(reduction) = options.reduce {
            lts = reduce::reduce(&lts, reduction, budget).map_err(|halt| match halt {
                Halt::Stopped(stop) => OpenError::Stopped(stop),
                Halt::TooMany(_) => OpenError::Io(io::Error::other(halt.to_string())),
            })?;
        }
        Ok(Self {
            name: name.to_string(),
            lts,
        })
    }

    /// Finds all counterexamples of a property.
    ///
    /// # Errors
    /// When the budget ends first.
    pub fn analyse(&self, asked: &Asked, options: &Options, budget: &Budget) -> Run<Analysis<'_>> {
        budget.phase("looking for counterexamples");
        analyse_monitor(
            &self.lts,
            asked.monitor.clone(),
            asked.safety,
            options,
            budget,
        )
    }

    /// The tagged graph of a property alone, for queries.
    ///
    /// # Errors
    /// When the budget ends first.
    pub fn graph(&self, asked: &Asked, options: &Options, budget: &Budget) -> Run<Tagged<'_>> {
        budget.phase("looking for counterexamples");
        let choose = |prospect| options.reading_for(asked.safety, prospect);
        Tagged::choosing(&self.lts, asked.monitor.clone(), choose, budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_a_model_unless_its_name_says_that_it_is_a_transition_system() {
        for (name, expected) in [
            ("a.aut", Language::Aut),
            ("a.smv.aut.gz", Language::Aut),
            ("a.SMV", Language::Smv),
            ("a.AUT.zst", Language::Aut),
            ("aut", Language::Smv),
        ] {
            assert_eq!(language(Path::new(name)), expected, "{name}");
        }
    }
}
