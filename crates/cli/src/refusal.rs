//! What is said when something is refused, and the exit code: the same for every command.

use std::path::Path;

use wherefore_driver::{ReadError, Refusal};

use crate::exit::Exit;
use crate::terminal;

/// What is said when a file cannot be used, and the exit code; `undone` is what is not done when that takes too long.
pub(crate) fn refused_file(
    path: &Path,
    refusal: &Refusal,
    undone: &str,
    color: bool,
) -> (String, Exit) {
    let shown = terminal::shown(path);
    match refusal {
        Refusal::Rejected(rejected) => (rejected.render(color), Exit::Model),
        Refusal::Stopped(stop) => (
            format!("error: {shown}: not {undone}, since {stop}"),
            Exit::Undecided,
        ),
        Refusal::Companion {
            role: "",
            path,
            why,
        } => refused_file(path, why, undone, color),
        Refusal::Io(ReadError::NotText { .. } | ReadError::TooLarge(_)) => {
            (format!("error: {shown}: {refusal}"), Exit::Model)
        }
        Refusal::Io(ReadError::System(_)) | Refusal::Unsupported(_) | Refusal::Companion { .. } => {
            (format!("error: {shown}: {refusal}"), Exit::Usage)
        }
    }
}

/// What is said when a text of the command line cannot be used, and the exit code.
pub(crate) fn refused_text(refusal: &Refusal, color: bool) -> (String, Exit) {
    match refusal {
        Refusal::Rejected(rejected) => (rejected.render(color), Exit::Usage),
        Refusal::Stopped(stop) => (
            format!("error: the strategy is not read, since {stop}"),
            Exit::Undecided,
        ),
        Refusal::Companion { path, why, .. } => (
            format!("error: {}: {why}", terminal::shown(path)),
            Exit::Usage,
        ),
        Refusal::Io(_) | Refusal::Unsupported(_) => (format!("error: {refusal}"), Exit::Usage),
    }
}
