//! Reading the text of a file that may be anything: a folder, a picture, a device without end.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use wherefore_base::{Budget, Stop};

use crate::refusal::{ReadError, Refusal};

/// The largest file that is read.
const LARGEST: usize = 1 << 30;
/// How many bytes are read before they are looked at.
const CHUNK: usize = 1 << 20;

/// The text of a file. It ends at the first byte that no text has, so that a wrong file is refused
/// before much of it is read.
///
/// # Errors
/// When there is no such text, or the budget ends first.
pub fn read_text(path: &Path, budget: &Budget) -> Result<String, Refusal> {
    let file = open_file(path)?;
    let about = file.metadata().map_err(ReadError::System)?;
    if about.is_file() && about.len() > LARGEST as u64 {
        return Err(ReadError::TooLarge(LARGEST).into());
    }
    read_rest(Vec::new(), file, budget)
}

/// Opens a file that is no folder.
pub(crate) fn open_file(path: &Path) -> Result<File, ReadError> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(ReadError::is_folder());
    }
    Ok(file)
}

/// The text that begins with some bytes and goes on in a file.
pub(crate) fn read_rest(
    mut bytes: Vec<u8>,
    mut from: impl Read,
    budget: &Budget,
) -> Result<String, Refusal> {
    let mut good = 0;
    loop {
        budget.check()?;
        let mut chunk = from.by_ref().take(CHUNK as u64);
        let read = chunk.read_to_end(&mut bytes).map_err(ReadError::System)?;
        good = text_up_to(&bytes, good, read == 0)?;
        if read == 0 {
            return String::from_utf8(bytes)
                .map_err(|error| not_text(error.as_bytes(), good).into());
        }
        if bytes.len() > LARGEST {
            return Err(ReadError::TooLarge(LARGEST).into());
        }
        if budget.memory().is_some_and(|most| bytes.len() > most) {
            budget.stop(Stop::Memory);
        }
    }
}

/// How many bytes are text, given that so many are; a character may be cut off unless it is the end.
fn text_up_to(bytes: &[u8], good: usize, end: bool) -> Result<usize, ReadError> {
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

fn not_text(bytes: &[u8], offset: usize) -> ReadError {
    let before = bytes.iter().take(offset);
    let line = 1 + before.filter(|&&byte| byte == b'\n').count();
    let byte = bytes.get(offset).copied().unwrap_or(0);
    ReadError::NotText { line, offset, byte }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn read(bytes: &[u8]) -> Result<String, Refusal> {
        read_rest(Vec::new(), bytes, &Budget::unlimited())
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
                Err(Refusal::Io(ReadError::NotText {
                    line: l,
                    offset: o,
                    byte: b,
                })) => assert_eq!((l, o, b), (line, offset, byte)),
                other => panic!("{bytes:?} gives {other:?}"),
            }
        }
    }

    #[test]
    fn a_device_without_end_is_refused_at_once_or_at_the_bound() {
        let zeros = read_rest(Vec::new(), io::repeat(0), &Budget::unlimited());
        assert!(matches!(zeros, Err(Refusal::Io(ReadError::NotText { .. }))));
        let budget = Budget::new(None, Some(3 * CHUNK));
        let letters = read_rest(Vec::new(), io::repeat(b'x'), &budget);
        assert!(matches!(letters, Err(Refusal::Stopped(Stop::Memory))));
    }
}
