//! The files of a command line, model by model: an `.mcl` file belongs to the model before it.

use std::path::{Path, PathBuf};

use wherefore_driver::registry::{self, front_end, language_of};
use wherefore_driver::{Capability, Input};

use crate::args::{Check, EvidenceKind};
use crate::terminal;

/// A file that may be a model, as far as it is known before it is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ModelFile {
    pub(crate) path: PathBuf,
    /// Its language, as documents have it.
    pub(crate) language: &'static str,
    /// What models in its language can do.
    capabilities: &'static [Capability],
    /// Whether it is no plain file, as standard input: what it holds is known once it is read.
    pub(crate) is_stream: bool,
}

impl ModelFile {
    /// What is known of a file; of a plain one the beginning is looked at.
    pub(crate) fn of(input: &mut Input) -> Self {
        Self {
            path: input.path.clone(),
            language: language_of(input).0,
            capabilities: front_end(input).capabilities(),
            is_stream: input.is_stream(),
        }
    }

    /// Whether models in its language can do something.
    pub(crate) fn can(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
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
        let model = models.last_mut();
        let Some(model) = model.filter(|model| has_labels(&model.path)) else {
            return Err(format!(
                "error: {} has properties of an AUT model, and must stand after one, as in \
                 `wherefore check MODEL.aut {}`",
                terminal::shown(path),
                terminal::shown(path)
            ));
        };
        model.properties.push(std::mem::take(&mut input.path));
    }
    Ok(models)
}

/// Whether a file is a system whose steps have labels, which properties of other files are about.
fn has_labels(path: &Path) -> bool {
    registry::can(path, Capability::Compose)
}

/// Whether options were given that have a meaning for models with variables alone, with their names.
pub(crate) fn for_variables(check: &Check) -> Vec<(bool, &'static str)> {
    let telling = &check.telling;
    vec![
        (check.several.each, "--each"),
        (!check.several.distinct_by.is_empty(), "--distinct-by"),
        (check.vars.is_some(), "--vars"),
        (!check.show.is_empty(), "--show"),
        (check.witness, "--witness"),
        (!check.environment.is_empty(), "--environment"),
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

/// What the options that were given ask of a model.
pub(crate) fn asked(check: &Check) -> Vec<Capability> {
    let given = [
        (check.several.count > 1, Capability::Several),
        (
            check.evidence == EvidenceKind::Abstract,
            Capability::Abstract,
        ),
        (check.alloying.instances.is_some(), Capability::Enumerate),
        (!check.choosing.strategy.is_empty(), Capability::Strategies),
        (check.certificate, Capability::Certify),
        (
            check.effort.living.write_query.is_some(),
            Capability::Theory,
        ),
    ];
    let given = given.into_iter().filter(|(given, _)| *given);
    given.map(|(_, capability)| capability).collect()
}

/// The names of those options that were given.
pub(crate) fn names(given: &[(bool, &'static str)]) -> Vec<&'static str> {
    let given = given.iter().filter(|(given, _)| *given);
    given.map(|(_, option)| *option).collect()
}

/// The options that were given and mean nothing for an AUT model.
pub(crate) fn without_effect(check: &Check) -> Vec<&'static str> {
    let mut given = for_variables(check);
    // Formats of graphs hold evidence about systems, too; others are refused one by one. Labels can be avoided, and
    // runs told apart.
    let means = ["--export", "--distinct-by"];
    given.retain(|(_, option)| !means.contains(option));
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
