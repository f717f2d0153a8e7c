//! What lexers have in common: a place in a text, and the tokens so far.

use wherefore_base::{Diagnostic, FileId, Span};

use crate::{Token, TokenKind};

/// A text that is being split into tokens.
#[derive(Debug)]
pub struct Scanner<'a, K> {
    /// The file, for places.
    pub file: FileId,
    /// The whole text.
    pub text: &'a str,
    /// The byte that is read next.
    pub at: usize,
    /// The tokens so far.
    pub tokens: Vec<Token<K>>,
}

impl<'a, K> Scanner<'a, K> {
    /// A scanner at the beginning of a text, after its byte order mark.
    ///
    /// # Errors
    /// Text too large for the offsets of tokens; the scanner then stands at its end.
    pub fn new(file: FileId, text: &'a str) -> (Self, Option<Diagnostic>) {
        let fits = u32::try_from(text.len()).is_ok();
        let mark = if text.starts_with('\u{feff}') {
            '\u{feff}'.len_utf8()
        } else {
            0
        };
        let scanner = Self {
            file,
            text,
            at: if fits { mark } else { text.len() },
            tokens: Vec::new(),
        };
        let message = "The file is larger than 4 GB, which is more than this tool reads";
        let too_large = Diagnostic::error(Span::new(file, 0, 0), message);
        (scanner, (!fits).then_some(too_large))
    }

    /// The bytes of the text.
    pub fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// What is left of the text.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The byte so many places ahead.
    pub fn byte(&self, ahead: usize) -> Option<u8> {
        self.bytes().get(self.at + ahead).copied()
    }

    /// Whether the rest starts with a text.
    pub fn is_at(&self, text: &str) -> bool {
        // Bytes, because a lexer may stand inside a character that it is about to refuse.
        self.bytes()[self.at..].starts_with(text.as_bytes())
    }

    /// The place from a byte to the present one.
    pub fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at)
    }

    /// Adds a token that ends here.
    pub fn push(&mut self, kind: K, start: usize) {
        let (start, end) = (start as u32, self.at as u32);
        let text = (start, end);
        self.tokens.push(Token {
            kind,
            start,
            end,
            text,
        });
    }

    /// Passes bytes of a kind.
    pub fn skip_bytes(&mut self, fits: impl Fn(u8) -> bool) {
        let rest = &self.bytes()[self.at..];
        self.at += rest
            .iter()
            .position(|&byte| !fits(byte))
            .unwrap_or(rest.len());
    }

    /// Passes characters of a kind.
    pub fn skip_chars(&mut self, fits: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !fits(c)).unwrap_or(rest.len());
    }

    /// Passes everything up to the end of the line.
    pub fn skip_line(&mut self) {
        self.skip_bytes(|byte| byte != b'\n');
    }

    /// Passes one character, whatever it is.
    pub fn skip_char(&mut self) {
        self.at += self.rest().chars().next().map_or(1, char::len_utf8);
    }

    /// Passes a comment with these signs around it.
    ///
    /// # Errors
    /// A comment without an end.
    pub fn skip_comment(&mut self, open: &str, close: &str) -> Result<(), Diagnostic> {
        let inside = self.at + open.len();
        match self.text[inside..].find(close) {
            Some(length) => {
                self.at = inside + length + close.len();
                Ok(())
            }
            None => {
                let span = Span::new(self.file, self.at, inside);
                let advice = format!("A comment that starts with `{open}` ends with `{close}`.");
                Err(Diagnostic::error(span, "This comment has no end").help(advice))
            }
        }
    }

    /// Passes a text between two equal quotes, the first of which comes next. A backslash makes an ordinary character of
    /// the one after it. False if one of `ends` or the end of the text comes before the second quote; the scanner then
    /// stands there.
    pub fn skip_quoted(&mut self, ends: &[u8]) -> bool {
        let quote = self.byte(0);
        self.at += 1;
        while let Some(byte) = self.byte(0).filter(|byte| !ends.contains(byte)) {
            // Stepping over half a character is harmless: its other bytes are neither quotes nor ends.
            let escapes = byte == b'\\' && self.byte(1).is_some_and(|next| !ends.contains(&next));
            self.at += 1 + usize::from(escapes);
            if Some(byte) == quote {
                return true;
            }
        }
        false
    }

    /// Passes the first of some signs that comes next, longer ones first.
    pub fn take_sign(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        let sign = *signs.iter().find(|sign| self.is_at(sign))?;
        self.at += sign.len();
        Some(sign)
    }
}

impl<K: TokenKind> Scanner<'_, K> {
    /// The tokens, with the end of the text after them.
    pub fn finish(mut self) -> Vec<Token<K>> {
        self.at = self.at.min(self.text.len());
        self.push(K::END, self.at);
        self.tokens
    }
}
