//! Stamps of files: whether they are still as they were when they were read.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::ModelFiles;

/// What a file looked like from outside; `None`: it could not be looked at.
type Look = Option<(u64, Option<SystemTime>)>;

/// How the files of a model looked at some moment.
#[derive(Debug)]
pub(crate) struct Stamp(Vec<(PathBuf, Look)>);

impl Stamp {
    /// How they look now.
    pub(crate) fn of(files: &ModelFiles) -> Self {
        let paths = [&files.path].into_iter().chain(&files.properties);
        Self(paths.map(|path| (path.clone(), look(path))).collect())
    }

    /// Whether one of them has changed since.
    pub(crate) fn is_stale(&self) -> bool {
        self.0.iter().any(|(path, before)| look(path) != *before)
    }
}

fn look(path: &Path) -> Look {
    let data = std::fs::metadata(path).ok()?;
    Some((data.len(), data.modified().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_written_anew_or_goes_away_is_stale() {
        let name = format!("wherefore-stamp-{}.smv", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, "MODULE main").expect("a file");
        let files = ModelFiles {
            path: path.clone(),
            properties: vec![],
        };
        let stamp = Stamp::of(&files);
        assert!(!stamp.is_stale());
        std::fs::write(&path, "MODULE main\n").expect("a file");
        assert!(stamp.is_stale());
        let stamp = Stamp::of(&files);
        std::fs::remove_file(&path).expect("it is there");
        assert!(stamp.is_stale());
    }
}
