//! One line, read token by token, with a message for everything that can be wrong.

use std::ops::Range;

use super::error::LineFault;

/// Longer words are cut in messages.
const LONGEST_WORD: usize = 30;

/// A place in a line.
pub(super) struct AutCursor<'t> {
    line: &'t [u8],
    at: usize,
}

/// A number that may be too large for anything.
#[derive(Clone, Debug)]
pub(super) struct Natural {
    /// The value; `None` when it does not fit 64 bits.
    pub(super) value: Option<u64>,
    pub(super) at: Range<usize>,
}

impl<'t> AutCursor<'t> {
    pub(super) fn new(line: &'t [u8]) -> Self {
        Self { line, at: 0 }
    }

    /// Where it is.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes to another place.
    pub(super) fn go(&mut self, at: usize) {
        self.at = at;
    }

    /// What comes next, after blanks.
    pub(super) fn peek(&mut self) -> Option<u8> {
        let rest = &self.line[self.at..];
        let blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
        self.at += blanks;
        self.line.get(self.at).copied()
    }

    /// A word that must stand here; `what` says what it is for.
    pub(super) fn expect(&mut self, word: &str, what: &str) -> Result<(), LineFault> {
        self.peek();
        if !self.line[self.at..].starts_with(word.as_bytes()) {
            return Err(self.unexpected(what));
        }
        self.at += word.len();
        Ok(())
    }

    /// A number that must stand here; `what` says what it counts.
    pub(super) fn number(&mut self, what: &str) -> Result<Natural, LineFault> {
        match self.peek() {
            Some(digit) if digit.is_ascii_digit() => {}
            Some(b'-') => {
                let fault = self.unexpected(what);
                return Err(fault.because("the numbers in an AUT file are not negative"));
            }
            _ => return Err(self.unexpected(what)),
        }
        let start = self.at;
        let digits = self.line[start..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit());
        self.at += digits.count();
        let digits = str::from_utf8(&self.line[start..self.at]).unwrap_or_default();
        Ok(Natural {
            value: digits.parse().ok(),
            at: start..self.at,
        })
    }

    /// Nothing but blanks may follow.
    pub(super) fn end(&mut self) -> Result<(), LineFault> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.unexpected("the end of the line")),
        }
    }

    /// Something else stands where this is expected.
    pub(super) fn unexpected(&mut self, what: &str) -> LineFault {
        if self.peek().is_none() {
            let end = self.line.len();
            let message = format!("The line ends where {what} is expected");
            return LineFault::new(end..end, message);
        }
        let at = self.at..self.at + self.word();
        let word = String::from_utf8_lossy(&self.line[at.clone()]);
        LineFault::new(at, format!("`{word}` stands where {what} is expected"))
    }

    /// How long the word is that stands here: letters and digits, or one other character.
    fn word(&self) -> usize {
        let rest = &self.line[self.at..];
        let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let letters = rest.iter().take_while(|byte| in_word(byte)).count();
        if letters > 0 {
            return letters.min(LONGEST_WORD);
        }
        // All bytes of a character but the first begin with the bits 10.
        let more = rest.iter().skip(1).take(3);
        1 + more.take_while(|byte| **byte & 0xC0 == 0x80).count()
    }
}

/// White space within a line; the return before a line feed is some too.
#[inline]
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length_are_read() {
        let mut cursor = AutCursor::new(b"  0012 99999999999999999999");
        let first = cursor.number("a state").expect("a number");
        assert_eq!((first.value, first.at), (Some(12), 2..6));
        let second = cursor.number("a state").expect("a number");
        assert_eq!(second.value, None);
        assert!(cursor.end().is_ok());
    }

    #[test]
    fn messages_say_what_stands_there_and_what_should() {
        let message = |line: &[u8]| {
            let fault = AutCursor::new(line).expect("des", "`des`");
            fault.expect_err("something else stands there").message
        };
        assert_eq!(message(b"  dos(1)"), "`dos` stands where `des` is expected");
        assert_eq!(
            message("€".as_bytes()),
            "`€` stands where `des` is expected"
        );
        assert_eq!(message(b" \r"), "The line ends where `des` is expected");
    }
}
