//! Why something cannot be opened, added, or answered: one type for all languages.

use std::fmt;
use std::io;
use std::path::PathBuf;

use wherefore_base::{Diagnostic, Run, SourceMap, Stop};
use wherefore_view::render_diagnostic;

/// Why something cannot be opened, added, or answered.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// A text is wrong: a model, a formula, an expression.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// The budget ended first.
    #[error("the file is not read, since {0}")]
    Stopped(Stop),
    /// It is not possible for this language, this model or this property; a sentence says why.
    #[error("{0}")]
    Unsupported(String),
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] ReadError),
    /// Another file that the model needs is refused.
    #[error("{role}{}: {why}", path.display())]
    Companion {
        /// What the file is to the model, with a space after it, or nothing.
        role: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it is refused.
        why: Box<Refusal>,
    },
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Self {
        Refusal::Stopped(stop)
    }
}

impl Refusal {
    /// What is wrong, as text without colour.
    ///
    /// # Errors
    /// When it is only that the budget ended.
    pub fn into_text(self) -> Run<String> {
        match self {
            Refusal::Stopped(stop) => Err(stop),
            refusal => Ok(refusal.to_string()),
        }
    }

    /// The reason itself, where it is that of a file of properties.
    pub fn root(&self) -> &Refusal {
        match self {
            Refusal::Companion { role: "", why, .. } => why.root(),
            refusal => refusal,
        }
    }

    /// The reason why a companion file is refused. A budget that ended is no fault of the file.
    pub(crate) fn in_companion(self, role: &'static str, path: impl Into<PathBuf>) -> Self {
        match self {
            Refusal::Stopped(stop) => Refusal::Stopped(stop),
            why => Refusal::Companion {
                role,
                path: path.into(),
                why: Box::new(why),
            },
        }
    }
}

/// Why the text of a file cannot be read.
#[derive(Debug)]
pub enum ReadError {
    /// The system refuses.
    System(io::Error),
    /// It is not text: where the first byte is that is not UTF-8, or is zero.
    NotText {
        /// The line, from 1.
        line: usize,
        /// The offset of the byte in the file, from 0.
        offset: usize,
        /// The byte.
        byte: u8,
    },
    /// It has more than so many bytes.
    TooLarge(usize),
}

impl ReadError {
    /// The error for a folder where a file is expected.
    pub(crate) fn is_folder() -> Self {
        let kind = io::ErrorKind::IsADirectory;
        ReadError::System(io::Error::new(kind, "it is a folder"))
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::System(error) => write!(f, "the file cannot be read: {error}"),
            ReadError::NotText {
                line,
                offset,
                byte: 0,
            } => write!(
                f,
                "the file is not text: line {line} has a zero byte at offset {offset}"
            ),
            ReadError::NotText {
                offset: 0,
                byte: 0xfe | 0xff,
                ..
            } => write!(
                f,
                "the file is not UTF-8 text but looks like UTF-16. \
                 Convert it with `iconv -f utf-16 -t utf-8`"
            ),
            ReadError::NotText { line, offset, .. } => write!(
                f,
                "the file is not UTF-8 text: line {line} has a wrong byte at offset {offset}. \
                 Save it as UTF-8, or convert it with `iconv -f latin1 -t utf-8`"
            ),
            ReadError::TooLarge(most) => write!(
                f,
                "the file has more than {} MB, which is more than this tool reads",
                most >> 20
            ),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        ReadError::System(error)
    }
}

/// Input that cannot be used, with the texts it stands in.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The texts.
    pub sources: SourceMap,
    /// What is wrong, and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

impl Rejected {
    /// All messages with the source lines they are about.
    pub fn render(&self, color: bool) -> String {
        let texts = self
            .diagnostics
            .iter()
            .map(|d| render_diagnostic(&self.sources, d, color));
        texts.collect::<Vec<_>>().join("\n\n")
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Rejected {}
