//! Why a file is not read: what is wrong, at which line and column, and what to do.

use std::fmt;
use std::io;
use std::ops::Range;

use wherefore_base::{Diagnostic, Place, SourceFile, SourceMap, Span};

use super::Compression;

/// What is wrong with an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutError {
    cause: Box<AutErrorCause>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum AutErrorCause {
    /// The text.
    Text {
        /// How many lines come before the line.
        before: usize,
        line: String,
        fault: LineFault,
    },
    /// The input breaks off or is damaged: the message after the name of the input, and advice.
    Input { message: String, help: String },
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LineFault {
    /// The bytes of the line that it is about.
    pub(super) at: Range<usize>,
    /// A whole sentence without its full stop.
    pub(super) message: String,
    /// What there is to say at the place; may be empty.
    pub(super) because: String,
    /// Advice, a whole sentence; may be empty.
    pub(super) help: String,
}

impl LineFault {
    pub(super) fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            at,
            message: message.into(),
            because: String::new(),
            help: String::new(),
        }
    }

    #[must_use]
    pub(super) fn because(mut self, text: impl Into<String>) -> Self {
        self.because = text.into();
        self
    }

    #[must_use]
    pub(super) fn help(mut self, text: impl Into<String>) -> Self {
        self.help = text.into();
        self
    }
}

impl AutError {
    /// Something is wrong with the line after so many others.
    pub(super) fn in_line(before: usize, line: &[u8], fault: LineFault) -> Self {
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).len();
        // Bytes that are no characters are shown as others, which may be longer.
        let start = fault.at.start.min(line.len());
        let end = fault.at.end.clamp(start, line.len());
        let at = shown(&line[..start])..shown(&line[..end]);
        let cause = AutErrorCause::Text {
            before,
            line: String::from_utf8_lossy(line).into_owned(),
            fault: LineFault { at, ..fault },
        };
        Self {
            cause: Box::new(cause),
        }
    }

    /// The input cannot be read any further.
    pub(super) fn unreadable(compression: Compression, error: &io::Error) -> Self {
        let name = match compression {
            Compression::None => {
                let message = format!("cannot be read: {error}");
                let help = String::new();
                return Self::of_input(message, help);
            }
            Compression::Gzip => "gzip",
            Compression::Zstd => "Zstandard",
        };
        let (message, why) = match error.kind() {
            io::ErrorKind::UnexpectedEof => (
                format!("ends before its {name} data is complete"),
                "cut off",
            ),
            _ => (format!("has damaged {name} data: {error}"), "damaged"),
        };
        let help = format!(
            "Perhaps it was {why} when it was copied. Compress it again, or fetch it again."
        );
        Self::of_input(message, help)
    }

    /// The input cannot be read at all.
    pub fn cannot_be_read(error: &io::Error) -> Self {
        Self::unreadable(Compression::None, error)
    }

    fn of_input(message: String, help: String) -> Self {
        Self {
            cause: Box::new(AutErrorCause::Input { message, help }),
        }
    }

    /// The same error when so many more lines come before.
    #[must_use]
    pub(super) fn after(mut self, lines: usize) -> Self {
        if let AutErrorCause::Text { before, .. } = &mut *self.cause {
            *before += lines;
        }
        self
    }

    /// Where it is; `None` when not the text is wrong but the input ends too early, is damaged, or
    /// cannot be read.
    pub fn place(&self) -> Option<Place> {
        match &*self.cause {
            AutErrorCause::Text { .. } => {
                let (sources, diagnostic) = self.diagnostic("");
                diagnostic.span().map(|span| sources.place(span))
            }
            AutErrorCause::Input { .. } => None,
        }
    }

    /// The message about an input of this name, and the one line of it that is shown with it.
    pub fn diagnostic(&self, name: &str) -> (SourceMap, Diagnostic) {
        let mut sources = SourceMap::default();
        match &*self.cause {
            AutErrorCause::Text {
                before,
                line,
                fault,
            } => {
                let file = sources.add(SourceFile::part(name, line.as_str(), before + 1));
                let span = Span::new(file, fault.at.start, fault.at.end);
                let diagnostic = Diagnostic::error(span, &fault.message).because(&fault.because);
                (sources, with_help(diagnostic, &fault.help))
            }
            AutErrorCause::Input { message, help } => {
                let file = sources.add(SourceFile::new(name, ""));
                let message = format!("`{name}` {message}");
                let mut diagnostic = Diagnostic::error(Span::new(file, 0, 0), message);
                diagnostic.labels.clear();
                (sources, with_help(diagnostic, help))
            }
        }
    }
}

fn with_help(diagnostic: Diagnostic, help: &str) -> Diagnostic {
    match help {
        "" => diagnostic,
        help => diagnostic.help(help),
    }
}

impl fmt::Display for AutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.cause {
            AutErrorCause::Text { fault, .. } => match self.place() {
                Some(Place { line, column }) => {
                    write!(f, "line {line}, column {column}: {}", fault.message)
                }
                None => f.write_str(&fault.message),
            },
            AutErrorCause::Input { message, .. } => write!(f, "the input {message}"),
        }
    }
}

impl std::error::Error for AutError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_characters_also_where_bytes_are_none() {
        let line = b"\xc3\xa9\xff(x";
        let error = AutError::in_line(6, line, LineFault::new(4..5, "This is wrong"));
        assert_eq!(error.to_string(), "line 7, column 4: This is wrong");
        let (sources, diagnostic) = error.diagnostic("a.aut");
        let span = diagnostic.span().expect("it has a place");
        assert_eq!(sources.text(span), "x");
    }

    #[test]
    fn places_outside_the_line_are_kept_at_its_end() {
        let error = AutError::in_line(0, b"ab", LineFault::new(7..9, "This is wrong"));
        assert_eq!(error.place(), Some(Place { line: 1, column: 3 }));
    }
}
