//! The files of a command line, model by model: an `.mcl` file belongs to the model before it.

use std::path::PathBuf;

use wherefore_driver::Input;
use wherefore_driver::registry::front_end;

use crate::args::{Check, EvidenceKind};
use crate::terminal;

/// A file that may be a model, as far as it is known before it is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ModelFile {
    pub(crate) path: PathBuf,
    /// Its language, as documents have it.
    pub(crate) language: &'static str,
    /// Whether solvers are asked about it.
    pub(crate) is_smt: bool,
    /// Whether it is no plain file, as standard input: what it holds is known once it is read.
    pub(crate) is_stream: bool,
}

impl ModelFile {
    /// What is known of a file; of a plain one the beginning is looked at.
    pub(crate) fn of(input: &mut Input) -> Self {
        let is_smt = !input.is_stream() && front_end(input).language().0 == "smt";
        let language = match front_end(input).language().0 {
            // Infinite-state models are written in SMV, too.
            "smt" if input.ends_with(&[".smv"]) => "smv",
            language => language,
        };
        Self {
            path: input.path.clone(),
            language,
            is_smt,
            is_stream: input.is_stream(),
        }
    }

    /// Whether it is an Alloy model.
    pub(crate) fn is_alloy(&self) -> bool {
        self.language == "alloy"
    }
}

/// The models that files name.
///
/// # Errors
/// A message about a file of properties that stands after no model it can belong to.
pub(crate) fn models(files: &[PathBuf]) -> Result<Vec<Input>, String> {
    let mut models: Vec<Input> = Vec::new();
    let stdin = PathBuf::from("/dev/stdin");
    for path in files {
        let path = if path.as_os_str() == "-" {
            &stdin
        } else {
            path
        };
        let mut input = Input::new(path);
        if !input.ends_with(&[".mcl"]) {
            models.push(input);
            continue;
        }
        match models.last_mut() {
            Some(model) if model.ends_with(&[".aut", ".aut.gz", ".aut.zst"]) => {
                model.properties.push(std::mem::take(&mut input.path));
            }
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
        let mut models = models(&files).expect("they fit");
        let read: Vec<(usize, &str)> = models
            .iter_mut()
            .map(|model| (model.properties.len(), ModelFile::of(model).language))
            .collect();
        assert_eq!(read, [(2, "aut"), (0, "smv"), (0, "aut")]);
    }

    #[test]
    fn properties_without_a_system_are_refused() {
        assert!(models(&paths(&["p.mcl", "a.aut"])).is_err());
        assert!(models(&paths(&["b.smv", "p.mcl"])).is_err());
    }
}
