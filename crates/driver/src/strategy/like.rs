//! Choices that were made before: the proof of a saved document, to be followed again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use wherefore_evidence::Evidence;
use wherefore_model::PropertyBody;
use wherefore_view::read::{SavedFile, Unreadable, read, rebuild};

use crate::subjects::model::ModelSubject;

/// The file in which the choices made for a model are kept: `elevator.smv.choices.json` beside
/// `elevator.smv`.
pub fn choices_file(model: &Path) -> PathBuf {
    let mut name = model.file_name().unwrap_or_default().to_os_string();
    name.push(".choices.json");
    model.with_file_name(name)
}

/// The proofs of a saved document, by the properties of a session they belong to. What does not fit
/// the model any more is left out: a choice that is missing is no error, it is no opinion.
pub(super) fn saved_proofs(
    session: &ModelSubject,
    text: &str,
) -> Result<BTreeMap<usize, Evidence>, Unreadable> {
    let SavedFile::Document(document) = read(text)? else {
        return Err(Unreadable {
            message: "this is a trace, which makes no choices: save a JSON document".to_string(),
            offset: 0,
        });
    };
    let mut proofs = BTreeMap::new();
    for saved in document.models.iter().flat_map(|model| &model.properties) {
        let found = session.find_property(&saved.name, Some(&saved.text));
        let Some((at, evidence)) = found.zip(saved.evidence.as_ref()) else {
            continue;
        };
        let property = &session.model().properties[at];
        if let PropertyBody::Query(query) = &property.body
            && property.text == saved.text
            && let Ok(evidence) = rebuild(evidence, session.model(), query)
        {
            proofs.insert(at, evidence);
        }
    }
    Ok(proofs)
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
