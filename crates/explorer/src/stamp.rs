//! File stamps: whether files are still as they were when they were read.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::ModelFiles;

/// The length and the time of change of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
struct FileStamp {
    length: u64,
    modified: Option<SystemTime>,
}

/// The stamps of the files of a model at some moment; nothing where a file could not be looked at.
#[derive(Clone, Debug)]
pub(crate) struct FileStamps(Vec<(PathBuf, Option<FileStamp>)>);

impl FileStamps {
    /// The stamps of the files as they are now.
    pub(crate) fn of(files: &ModelFiles) -> Self {
        let paths = [&files.path].into_iter().chain(&files.properties);
        Self(paths.map(|path| (path.clone(), stamp(path))).collect())
    }

    /// Whether one of the files has changed since.
    pub(crate) fn are_stale(&self) -> bool {
        self.0.iter().any(|(path, before)| stamp(path) != *before)
    }
}

fn stamp(path: &Path) -> Option<FileStamp> {
    let data = std::fs::metadata(path).ok()?;
    Some(FileStamp {
        length: data.len(),
        modified: data.modified().ok(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_written_anew_or_goes_away_are_stale() {
        let name = format!("wherefore-stamp-{}.smv", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, "MODULE main").expect("a file");
        let files = ModelFiles {
            path: path.clone(),
            properties: vec![],
        };
        let stamps = FileStamps::of(&files);
        assert!(!stamps.are_stale());
        std::fs::write(&path, "MODULE main\n").expect("a file");
        assert!(stamps.are_stale());
        let stamps = FileStamps::of(&files);
        std::fs::remove_file(&path).expect("it is there");
        assert!(stamps.are_stale());
    }
}
