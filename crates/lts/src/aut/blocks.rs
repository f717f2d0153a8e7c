//! The input, cut into blocks of whole lines.
//!
//! One thread at a time takes the next block, so that reading and decompression stay in order, and then
//! parses it while others take theirs. That is enough: copying from a file takes a tenth of the time of
//! parsing. A file that shrinks while it is read is only a file that ends early, which is why it is not
//! mapped into memory.

use std::io::Read;

use super::Compression;
use super::error::{AutError, LineFault};

/// The bytes of a block: small enough to stay in a core's cache, large enough to make locks rare.
pub(super) const SIZE: usize = 1 << 20;

/// Longer lines are refused.
const LONGEST_LINE: usize = 1 << 20;

/// So much of a line that is too long is shown.
const SHOWN: usize = 1 << 10;

/// Some lines of the input.
#[derive(Default)]
pub(super) struct LineBlock {
    /// The lines; each ends with a line feed.
    pub(super) text: Vec<u8>,
    /// The blocks are numbered in their order.
    pub(super) number: usize,
    /// Whether the input ends within the last line.
    pub(super) is_cut: bool,
}

/// The blocks of an input.
pub(super) struct Blocks<R> {
    input: R,
    compression: Compression,
    size: usize,
    /// What belongs to the next block.
    rest: Vec<u8>,
    next: usize,
    is_at_end: bool,
}

impl<R: Read> Blocks<R> {
    pub(super) fn new(input: R, compression: Compression, size: usize) -> Self {
        Self {
            input,
            compression,
            size,
            rest: Vec::new(),
            next: 0,
            is_at_end: false,
        }
    }

    /// Whether everything that is left was read already.
    pub(super) fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// Puts the next lines into a block; `None` when there are none. The block has its number also when
    /// it cannot be read.
    pub(super) fn next(&mut self, block: &mut LineBlock) -> Option<Result<(), AutError>> {
        block.number = self.next;
        block.is_cut = false;
        block.text.clear();
        block.text.append(&mut self.rest);
        self.next += 1;
        let text = &mut block.text;
        loop {
            if let Err(error) = self.read_more(text) {
                self.is_at_end = true;
                return Some(Err(error));
            }
            // What comes after the last line feed belongs to the next block.
            let end = text.iter().rposition(|&byte| byte == b'\n');
            let end = end.map_or(0, |at| at + 1);
            if self.is_at_end {
                block.is_cut = end < text.len();
                // A last line without a line feed gets one, so that all lines end alike.
                if block.is_cut {
                    text.push(b'\n');
                }
                return (!text.is_empty()).then_some(Ok(()));
            }
            if end > 0 {
                self.rest.extend_from_slice(&text[end..]);
                text.truncate(end);
                return Some(Ok(()));
            }
        }
    }

    /// Puts the end of a block back, from this byte on, so that it begins the first block.
    pub(super) fn put_back(&mut self, block: &LineBlock, from: usize) {
        // The line feed at the end was added here and is no part of the input.
        let end = match block.is_cut {
            true => block.text.len() - 1,
            false => block.text.len(),
        };
        let mut rest = block.text.get(from..end).unwrap_or_default().to_vec();
        rest.append(&mut self.rest);
        self.rest = rest;
        // The header is no block of transitions, so counting begins after it.
        self.next = 0;
    }

    /// Fills the text to the size of a block; one that has it already has a long line, and gets longer.
    fn read_more(&mut self, text: &mut Vec<u8>) -> Result<(), AutError> {
        if self.is_at_end {
            return Ok(());
        }
        // A block of this length is complete, unless it is a single line without an end.
        if text.len() >= LONGEST_LINE {
            return self.check_length(text);
        }
        let wanted = match text.len() < self.size {
            true => self.size - text.len(),
            false => self.size,
        };
        text.reserve(wanted + 1);
        let mut piece = self.input.by_ref().take(wanted as u64);
        let read = piece.read_to_end(text);
        let read = read.map_err(|error| AutError::unreadable(self.compression, &error))?;
        // Reading stops before the limit only at the end of the input.
        self.is_at_end = read < wanted;
        Ok(())
    }

    fn check_length(&self, text: &[u8]) -> Result<(), AutError> {
        if text.contains(&b'\n') {
            return Ok(());
        }
        let fault = LineFault::new(0..0, "The line is longer than a megabyte")
            .help("An AUT file has a line for each transition. Is this one?");
        Err(AutError::in_line(0, &text[..SHOWN.min(text.len())], fault))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &[u8], size: usize) -> Vec<Vec<u8>> {
        let mut blocks = Blocks::new(text, Compression::None, size);
        let mut block = LineBlock::default();
        let mut all = Vec::new();
        while let Some(taken) = blocks.next(&mut block) {
            taken.expect("it is readable");
            assert_eq!(block.number, all.len());
            all.push(block.text.clone());
        }
        all
    }

    #[test]
    fn blocks_are_whole_lines_and_together_the_text() {
        let text = b"ab\n\ncdefgh\ni\n\n";
        for size in 1..20 {
            let blocks = blocks(text, size);
            assert!(blocks.iter().all(|block| block.ends_with(b"\n")));
            assert_eq!(blocks.concat(), text);
        }
        assert_eq!(blocks(text, 4).len(), 3);
    }

    #[test]
    fn the_last_line_may_lack_its_end() {
        for size in 1..9 {
            assert_eq!(blocks(b"ab\ncd", size).concat(), b"ab\ncd\n");
        }
        assert!(blocks(b"", 3).is_empty());
    }

    #[test]
    fn a_line_that_never_ends_is_refused() {
        let mut blocks = Blocks::new(std::io::repeat(b'x'), Compression::None, SIZE);
        let taken = blocks.next(&mut LineBlock::default());
        let error = taken.expect("there is text").expect_err("it is too long");
        assert!(error.to_string().contains("longer than a megabyte"));
    }

    #[test]
    fn lines_that_are_put_back_come_again() {
        let mut blocks = Blocks::new(&b"ab\ncd\nef\n"[..], Compression::None, 5);
        let mut block = LineBlock::default();
        assert!(blocks.next(&mut block).is_some());
        assert_eq!(block.text, b"ab\n");
        blocks.put_back(&block, 1);
        let mut all = Vec::new();
        while blocks.next(&mut block).is_some() {
            all.extend_from_slice(&block.text);
        }
        assert_eq!(all, b"b\ncd\nef\n");
    }
}
