//! Documents in files, besides what is printed.

use std::path::{Path, PathBuf};

use wherefore_driver::view::export::{ExportDocument, ExportFormat};

use crate::terminal;

/// Writes a file; the error is a message.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    if path.as_os_str() == "-" {
        return Err(
            "error: `-` is not a file; `--format` says what to print, and `./-` is a file of that name".into(),
        );
    }
    std::fs::write(path, text).map_err(|error| {
        format!(
            "error: {} cannot be written: {error}",
            terminal::shown(path)
        )
    })
}

/// Writes each evidence, or each of its runs, with the name of its property: the first into the file itself, the others
/// into files next to it, named after the property and the branch. Says whether there was any.
pub(crate) fn write_evidence(
    path: &Path,
    documents: &[(String, ExportDocument)],
) -> Result<bool, String> {
    let mut used: Vec<PathBuf> = Vec::new();
    let mut first = true;
    for (at, (name, document)) in documents.iter().enumerate() {
        // A new evidence begins with its main run.
        first &= at == 0 || document.branch > 0;
        let property = (!first).then(|| name.clone());
        let branch = document.branch;
        let branch = (branch > 0).then(|| format!("branch{}", branch + 1));
        let parts: Vec<String> = property.into_iter().chain(branch).collect();
        let target = next_to(path, &parts, &used);
        write(&target, &document.text)?;
        used.push(target);
    }
    Ok(!used.is_empty())
}

/// Writes each of some documents, which have names: the first into the file itself, the others into files next
/// to it, named after them. Says whether there was any.
pub(crate) fn write_each(
    path: &Path,
    documents: impl IntoIterator<Item = (String, String)>,
) -> Result<bool, String> {
    let mut used: Vec<PathBuf> = Vec::new();
    for (name, document) in documents {
        let parts: Vec<String> = (!used.is_empty()).then_some(name).into_iter().collect();
        let target = next_to(path, &parts, &used);
        write(&target, &document)?;
        used.push(target);
    }
    Ok(!used.is_empty())
}

/// `out.itf.json` and `served` give `out.served.itf.json`; a number is added until it is unused.
fn next_to(path: &Path, parts: &[String], used: &[PathBuf]) -> PathBuf {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let endings = ExportFormat::ALL.map(ExportFormat::ending);
    let mut endings = endings.into_iter().chain([".json"]);
    let ending = endings.find(|ending| name.ends_with(ending)).unwrap_or("");
    let stem = name.strip_suffix(ending).unwrap_or(&name);
    let letter = |c: char| {
        if c.is_alphanumeric() || "_-.".contains(c) {
            c
        } else {
            '_'
        }
    };
    let mut label: String = parts
        .iter()
        .map(|part| format!(".{}", part.chars().map(letter).collect::<String>()))
        .collect();
    let base = label.clone();
    let mut number = 2;
    loop {
        let target = path.with_file_name(format!("{stem}{label}{ending}"));
        if !used.contains(&target) {
            return target;
        }
        label = format!("{base}.{number}");
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_further_trace_keeps_the_ending_and_never_meets_another() {
        let path = Path::new("a/out.itf.json");
        let served = next_to(path, &["served/1".to_string()], &[]);
        assert_eq!(served, Path::new("a/out.served_1.itf.json"));
        let again = next_to(path, &["served/1".to_string()], &[served]);
        assert_eq!(again, Path::new("a/out.served_1.2.itf.json"));
    }
}
