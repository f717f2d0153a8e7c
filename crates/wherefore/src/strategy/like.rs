//! Choices that were made before: the proof of a saved document, to be followed again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use wherefore_evidence::Evidence;
use wherefore_view::json::{Unreadable, choices as read};

use crate::session::Session;

/// The file in which the choices made for a model are kept: `elevator.smv.choices.json` beside
/// `elevator.smv`.
pub fn choices_file(model: &Path) -> PathBuf {
    let mut name = model.file_name().unwrap_or_default().to_os_string();
    name.push(".choices.json");
    model.with_file_name(name)
}

/// The proofs of a saved document, by the properties of a session they belong to.
pub(super) fn choices(
    session: &Session,
    text: &str,
) -> Result<BTreeMap<usize, Evidence>, Unreadable> {
    let properties = &session.model().properties;
    let indices = 0..properties.len();
    let mut found = BTreeMap::new();
    for property in indices {
        if let Some(evidence) = read(text, session.model(), &properties[property])? {
            found.insert(property, evidence);
        }
    }
    Ok(found)
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
