//! Files for SMT solvers: each is read as a system, or refused with a place and a reason.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use wherefore_driver::Refusal;
use wherefore_driver::subjects::smt::SmtSubject;

/// How the files of a folder were taken.
#[derive(Default)]
pub(crate) struct Total {
    /// Systems with properties.
    systems: usize,
    /// Systems without any: finished queries about `Init` and `Next`.
    silent: usize,
    /// Files that are no system, by the reason.
    refused: BTreeMap<String, usize>,
    /// What must not happen.
    pub(crate) problems: usize,
}

impl Total {
    /// What is said in the end.
    pub(crate) fn line(&self) -> String {
        let refused: Vec<String> = self
            .refused
            .iter()
            .map(|(why, count)| format!("{count} refused: {why}"))
            .collect();
        format!(
            "{} infinite-state systems read, {} with properties; {}; {} problems",
            self.systems + self.silent,
            self.systems,
            refused.join("; "),
            self.problems
        )
    }
}

/// Reads every file of the folder `models` in a folder.
pub(crate) fn compare(folder: &Path, wanted: impl Fn(&str) -> bool) -> Total {
    let mut total = Total::default();
    let Ok(entries) = fs::read_dir(folder.join("models")) else {
        return total;
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !wanted(&name) {
            continue;
        }
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        match SmtSubject::from_text(&name, text) {
            Ok(session) if session.properties().is_empty() => total.silent += 1,
            Ok(_) => total.systems += 1,
            Err(refusal) => {
                let diagnostics = match &refusal {
                    Refusal::Rejected(rejected) => &rejected.diagnostics[..],
                    _ => &[],
                };
                match diagnostics.iter().find(|d| d.is_error()) {
                    Some(error) if error.span().is_some() => {
                        *total.refused.entry(error.message.clone()).or_default() += 1;
                    }
                    _ => {
                        println!("{name}:\n    WRONG: it is refused without a place");
                        total.problems += 1;
                    }
                }
            }
        }
    }
    total
}
