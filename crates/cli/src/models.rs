//! The files of a command line, model by model: an `.mcl` file belongs to the model before it.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use wherefore_base::Stop;
use wherefore_driver::alloy::AlloySession;
use wherefore_driver::debug::{Language, language, language_by_name};
use wherefore_driver::evidence::{Finding, SpaceSummary, UnknownReason, Verdict};
use wherefore_driver::live::LiveSession;
use wherefore_driver::lts::aut::ReadOptions;
use wherefore_driver::view::{alloy, lts};
use wherefore_driver::{LtsSession, Session, undecided};

use crate::args::{Check, EvidenceKind};
use crate::terminal;

/// A model and the files of its properties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ModelFiles {
    pub(crate) path: PathBuf,
    pub(crate) properties: Vec<PathBuf>,
    /// The command of an Alloy model whose complete system is checked; none for that of the first.
    pub(crate) command: Option<String>,
    /// Its language, once somebody looked into it.
    seen: OnceLock<Language>,
}

impl ModelFiles {
    fn seen(&self) -> Language {
        *self.seen.get_or_init(|| language(&self.path))
    }

    /// Whether it is a labelled transition system.
    pub(crate) fn is_lts(&self) -> bool {
        language_by_name(&self.path) == Some(Language::Aut)
    }

    /// Whether it is an Alloy model.
    pub(crate) fn is_alloy(&self) -> bool {
        language_by_name(&self.path) == Some(Language::Alloy)
    }

    /// Whether it is an infinite-state model.
    pub(crate) fn is_smt(&self) -> bool {
        self.seen() == Language::Smt
    }

    /// Whether it is no plain file, as standard input: what it holds is known once it is read.
    pub(crate) fn is_stream(&self) -> bool {
        let about = self.path.metadata();
        !self.is_lts()
            && !self.is_alloy()
            && about.is_ok_and(|about| !about.is_file() && !about.is_dir())
    }

    /// Whether it is called as SMV models are.
    fn is_smv_text(&self) -> bool {
        let ending = self.path.extension().unwrap_or_default();
        ending.eq_ignore_ascii_case("smv")
    }

    /// The name of its language, as documents have it.
    pub(crate) fn language(&self) -> &'static str {
        match self.seen() {
            Language::Aut => lts::json::LANGUAGE,
            Language::Alloy => alloy::json::LANGUAGE,
            Language::Smt if !self.is_smv_text() => "smt",
            Language::Smt | Language::Smv => "smv",
        }
    }
}

/// The models that files name.
///
/// # Errors
/// A message about a file of properties that stands after no model it can belong to.
pub(crate) fn models(files: &[PathBuf]) -> Result<Vec<ModelFiles>, String> {
    let mut models: Vec<ModelFiles> = Vec::new();
    let stdin = PathBuf::from("/dev/stdin");
    for path in files {
        let path = match path.as_os_str() == "-" {
            true => &stdin,
            false => path,
        };
        let ending = path.extension().unwrap_or_default();
        if !ending.eq_ignore_ascii_case("mcl") {
            models.push(ModelFiles {
                path: path.clone(),
                properties: vec![],
                command: None,
                seen: OnceLock::new(),
            });
            continue;
        }
        match models.last_mut() {
            Some(model) if model.is_lts() => model.properties.push(path.clone()),
            _ => {
                return Err(format!(
                    "error: {} has properties of an AUT model, and must stand after one, as in \
                     `wherefore check MODEL.aut {}`",
                    terminal::shown(path),
                    terminal::shown(path)
                ));
            }
        }
    }
    Ok(models)
}

/// A model that was read.
#[derive(Clone)]
pub(crate) enum Opened {
    Smv(Arc<Session>),
    Lts(Arc<LtsSession>),
    Alloy(Arc<AlloySession>),
    /// An infinite-state model; once it is answered, a session over the runs that were found takes its place.
    Live(Arc<LiveSession>),
}

impl Opened {
    /// The names of its properties.
    pub(crate) fn names(&self) -> Vec<&String> {
        match self {
            Opened::Smv(session) => {
                let properties = session.model().properties.iter();
                properties.map(|property| &property.name).collect()
            }
            Opened::Lts(session) => {
                let properties = session.properties().iter();
                properties.map(|property| &property.name).collect()
            }
            Opened::Alloy(session) => {
                let commands = session.commands().iter();
                commands.map(|command| &command.label).collect()
            }
            Opened::Live(session) => {
                let properties = session.properties().iter();
                properties.map(|property| &property.name).collect()
            }
        }
    }

    /// The properties that stand on the command line, by index.
    pub(crate) fn formulas(&self) -> Vec<usize> {
        match self {
            Opened::Smv(session) => session.formulas().collect(),
            Opened::Lts(session) => session.formulas().collect(),
            Opened::Alloy(_) => Vec::new(),
            Opened::Live(session) => session.formulas().collect(),
        }
    }

    /// Its properties with a name; of an Alloy model, also the command with a number.
    pub(crate) fn named(&self, name: &str) -> Vec<usize> {
        if let Opened::Alloy(session) = self {
            return crate::alloy::commands(session, name);
        }
        let names = self.names().into_iter().enumerate();
        let named = names.filter(|(_, known)| *known == name);
        named.map(|(at, _)| at).collect()
    }

    /// What there is to say about a property that nobody decided; commands of Alloy models have answers
    /// of their own.
    pub(crate) fn undecided(&self, property: usize, stop: Stop) -> Option<Finding> {
        match self {
            Opened::Smv(session) => Some(undecided(session.model(), property, stop)),
            Opened::Lts(session) => Some(session.undecided(property, stop)),
            Opened::Alloy(_) => None,
            Opened::Live(_) => {
                let verdict = Verdict::Unknown(UnknownReason::Stopped(stop));
                Some(Finding::new(property, verdict, None))
            }
        }
    }
}

/// What is reported about a system.
pub(crate) fn lts_report<'a>(
    session: &'a LtsSession,
    space: Option<&'a SpaceSummary>,
    findings: &'a [Finding],
    seconds: Option<f64>,
) -> lts::Report<'a> {
    lts::Report {
        seconds,
        ..session.report(space, findings)
    }
}

/// How to read systems in which these labels are of internal steps, too.
pub(crate) fn read_options(internal: &[String]) -> ReadOptions {
    let mut options = ReadOptions::default();
    options.internal.extend(internal.iter().cloned());
    options
}

/// Whether options were given that have a meaning for models with variables alone, with their names.
pub(crate) fn for_variables(check: &Check) -> Vec<(bool, &'static str)> {
    let telling = &check.telling;
    vec![
        (check.several.each, "--each"),
        (!check.several.distinct_by.is_empty(), "--distinct-by"),
        (!check.choosing.strategy.is_empty(), "--strategy"),
        (check.vars.is_some(), "--vars"),
        (!check.show.is_empty(), "--show"),
        (check.witness, "--witness"),
        (check.certificate, "--certificate"),
        (!check.environment.is_empty(), "--environment"),
        (check.evidence == EvidenceKind::Abstract, "--evidence"),
        (check.itf.is_some(), "--itf"),
        (!check.export.is_empty(), "--export"),
        (telling.view != Default::default(), "--view"),
        (telling.why.is_some(), "--why"),
        (telling.backward, "--backward"),
        (telling.start.is_some(), "--start"),
        (telling.stop.is_some(), "--stop"),
        (check.minimal != Default::default(), "--minimal"),
    ]
}

/// The names of those options that were given.
pub(crate) fn names(given: &[(bool, &'static str)]) -> Vec<&'static str> {
    let given = given.iter().filter(|(given, _)| *given);
    given.map(|(_, option)| *option).collect()
}

/// The options that were given and mean nothing for an AUT model.
pub(crate) fn without_effect(check: &Check) -> Vec<&'static str> {
    let mut given = for_variables(check);
    // Formats of graphs hold evidence about systems, too; others are refused one by one.
    given.retain(|(_, option)| *option != "--export");
    given.push((check.several.count > 1, "--count"));
    names(&given)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn properties_belong_to_the_model_before_them() {
        let files = paths(&["a.aut", "p.mcl", "q.mcl", "b.smv", "c.AUT.gz"]);
        let models = models(&files).expect("they fit");
        let read: Vec<(usize, bool)> = models
            .iter()
            .map(|model| (model.properties.len(), model.is_lts()))
            .collect();
        assert_eq!(read, [(2, true), (0, false), (0, true)]);
    }

    #[test]
    fn properties_without_a_system_are_refused() {
        assert!(models(&paths(&["p.mcl", "a.aut"])).is_err());
        assert!(models(&paths(&["b.smv", "p.mcl"])).is_err());
    }
}
