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

/// What stands before the name of a document in the first line of a list of choices.
const EVIDENCE: &str = "# evidence: ";

/// The first line of a list of choices: it names the document with the evidence that they made, which lies beside
/// the list.
pub fn name_document(document: &Path) -> String {
    let name = document.file_name().unwrap_or_default();
    format!("{EVIDENCE}{}\n", name.to_string_lossy())
}

/// The document that a list of choices names.
pub(super) fn named_document(text: &str) -> Option<&str> {
    let first = text.lines().next()?;
    first.strip_prefix(EVIDENCE).map(str::trim)
}

/// Whether a text is a list of choices, as commands.
fn is_list(text: &str) -> bool {
    let words = ["strategy", "take", "all", "close"];
    let first = text.split_whitespace().next();
    first.is_some_and(|first| words.contains(&first))
}

/// The proofs of a saved document, by the properties of a session they belong to. What does not fit
/// the model any more is left out: a choice that is missing is no error, it is no opinion.
pub(super) fn saved_proofs(
    session: &ModelSubject,
    text: &str,
) -> Result<BTreeMap<usize, Evidence>, Unreadable> {
    if is_list(text) {
        return Err(Unreadable {
            message:
                "this list of choices names no document with their evidence; `wherefore explain` \
                      makes the choices again when it reads them from standard input"
                    .to_string(),
            offset: 0,
        });
    }
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

    #[test]
    fn a_list_of_choices_names_its_document() {
        let list = name_document(Path::new("models/lift.json")) + "all\n";
        assert_eq!(named_document(&list), Some("lift.json"));
        assert_eq!(named_document("all\n"), None);
        assert_eq!(named_document(""), None);
    }
}
