//! Reading the text of a file that may be anything: a folder, a picture, a device without end.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use wherefore_base::{Budget, Stop};

use crate::OpenError;

/// The largest file that is read.
const LARGEST: usize = 1 << 30;
/// How many bytes are read before they are looked at.
const CHUNK: usize = 1 << 20;

/// The text of a file. It ends at the first byte that no text has, so that a wrong file is refused
/// before much of it is read.
///
/// # Errors
/// When there is no such text, or the budget ends first.
pub fn read_text(path: &Path, budget: &Budget) -> Result<String, OpenError> {
    let file = File::open(path).map_err(OpenError::Io)?;
    let about = file.metadata().map_err(OpenError::Io)?;
    if about.is_dir() {
        let error = io::Error::new(io::ErrorKind::IsADirectory, "it is a folder");
        return Err(OpenError::Io(error));
    }
    if about.is_file() && about.len() > LARGEST as u64 {
        return Err(OpenError::TooLarge(LARGEST));
    }
    read_all(file, budget)
}

fn read_all(mut from: impl Read, budget: &Budget) -> Result<String, OpenError> {
    let mut bytes = Vec::new();
    let mut good = 0;
    loop {
        budget.check().map_err(OpenError::Stopped)?;
        let mut chunk = from.by_ref().take(CHUNK as u64);
        let read = chunk.read_to_end(&mut bytes).map_err(OpenError::Io)?;
        good = text_up_to(&bytes, good, read == 0)?;
        if read == 0 {
            return String::from_utf8(bytes).map_err(|error| not_text(error.as_bytes(), good));
        }
        if bytes.len() > LARGEST {
            return Err(OpenError::TooLarge(LARGEST));
        }
        if budget.memory().is_some_and(|most| bytes.len() > most) {
            budget.stop(Stop::Memory);
        }
    }
}

/// How many bytes are text, given that so many are; a character may be cut off unless it is the end.
fn text_up_to(bytes: &[u8], good: usize, end: bool) -> Result<usize, OpenError> {
    let rest = &bytes[good..];
    let (valid, broken) = match std::str::from_utf8(rest) {
        Ok(_) => (rest.len(), false),
        Err(error) => (error.valid_up_to(), end || error.error_len().is_some()),
    };
    if let Some(at) = rest[..valid].iter().position(|&byte| byte == 0) {
        return Err(not_text(bytes, good + at));
    }
    if broken {
        return Err(not_text(bytes, good + valid));
    }
    Ok(good + valid)
}

fn not_text(bytes: &[u8], offset: usize) -> OpenError {
    let before = bytes.iter().take(offset);
    let line = 1 + before.filter(|&&byte| byte == b'\n').count();
    let byte = bytes.get(offset).copied().unwrap_or(0);
    OpenError::NotText { line, offset, byte }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<String, OpenError> {
        read_all(bytes, &Budget::unlimited())
    }

    #[test]
    fn characters_across_chunks_are_whole() {
        let text = format!("{}é", "x".repeat(CHUNK - 1));
        assert_eq!(read(text.as_bytes()).ok(), Some(text));
    }

    #[test]
    fn the_first_byte_that_is_no_text_is_told() {
        let cases: [(&[u8], usize, usize, u8); 4] = [
            (b"a\nb\xff\n", 2, 3, 0xff),
            (b"ab\xc3", 1, 2, 0xc3),
            (b"a\n\n\0\xff", 3, 3, 0),
            (b"\xff\xfea\0", 1, 0, 0xff),
        ];
        for (bytes, line, offset, byte) in cases {
            match read(bytes) {
                Err(OpenError::NotText {
                    line: l,
                    offset: o,
                    byte: b,
                }) => assert_eq!((l, o, b), (line, offset, byte)),
                other => panic!("{bytes:?} gives {other:?}"),
            }
        }
    }

    #[test]
    fn a_device_without_end_is_refused_at_once_or_at_the_bound() {
        let zeros = read_all(io::repeat(0), &Budget::unlimited());
        assert!(matches!(zeros, Err(OpenError::NotText { .. })));
        let budget = Budget::new(None, Some(3 * CHUNK));
        let letters = read_all(io::repeat(b'x'), &budget);
        assert!(matches!(letters, Err(OpenError::Stopped(Stop::Memory))));
    }
}
