//! Choices that were made before: the proof of a saved document, to be followed again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use wherefore_evidence::LikeChoice;
use wherefore_view::json::{Choices, Unreadable};

use crate::session::Session;

/// The file in which the choices made for a model are kept: `elevator.smv.choices.json` beside
/// `elevator.smv`.
pub fn choices_file(model: &Path) -> PathBuf {
    let mut name = model.file_name().unwrap_or_default().to_os_string();
    name.push(".choices.json");
    model.with_file_name(name)
}

/// The choices of a saved document, by the properties of a session they belong to.
pub(super) fn choices(
    session: &Session,
    text: &str,
) -> Result<BTreeMap<usize, Vec<LikeChoice>>, Unreadable> {
    let saved = Choices::read(text)?;
    let properties = session.model().properties.iter().enumerate();
    let choices = properties.filter_map(|(at, property)| {
        let choices = saved.of(session.model(), property)?;
        Some((at, choices))
    });
    Ok(choices.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_lie_beside_the_model() {
        let file = choices_file(Path::new("models/lift.smv"));
        assert_eq!(file, Path::new("models/lift.smv.choices.json"));
    }
}
