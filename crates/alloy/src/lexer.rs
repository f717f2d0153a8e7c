//! Text to tokens, in the way of Alloy 6 or of the versions before it.
//!
//! Two things changed with Alloy 6: a prime after an expression is an operator there and was part of
//! a name before, and the words of time (`always`, `var`, ..) became reserved. In both, a double quote
//! right after a letter is part of the name, which is how old models with primed names go on.

use wherefore_base::{Diagnostic, Effort, FileId, Span};

use crate::token::{Keyword, Sign, Token, TokenKind};

/// Which version of the language a text is written in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Edition {
    /// Alloy 4 and 5: a prime is part of a name.
    Four,
    /// Alloy 6: a prime is an operator, and there are operators of time.
    Six,
}

/// All tokens of a text, the last one being its end, and what is wrong with comments, strings or with
/// the file as a whole.
pub(crate) fn tokens(
    file: FileId,
    text: &str,
    edition: Edition,
    effort: &Effort<'_>,
) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer {
        file,
        text,
        bytes: text.as_bytes(),
        at: 0,
        edition,
        tokens: Vec::new(),
        diagnostics: Vec::new(),
        effort,
    };
    if u32::try_from(text.len()).is_err() {
        let message = "The file is larger than 4 GB, which is more than this tool reads";
        let diagnostic = Diagnostic::error(Span::new(file, 0, 0), message);
        lexer.diagnostics.push(diagnostic);
    } else {
        lexer.run();
    }
    let end = lexer.at.min(text.len());
    lexer.push(TokenKind::End, end);
    (lexer.tokens, lexer.diagnostics)
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    edition: Edition,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
    effort: &'a Effort<'a>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        while let Some(&byte) = self.bytes.get(self.at) {
            if self.effort.spend(0).is_none() {
                return;
            }
            let start = self.at;
            let rest = &self.bytes[start..];
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => self.at += 1,
                b'-' | b'/' if rest.starts_with(b"--") || rest.starts_with(b"//") => {
                    self.line_comment();
                }
                b'/' if rest.starts_with(b"/*") => {
                    if !self.block_comment() {
                        return;
                    }
                }
                b'0'..=b'9' => self.number(start),
                b'"' => self.string(start),
                _ => match self.text[start..].chars().next() {
                    Some(c) if starts_name(c) => self.name(start),
                    Some(c) => self.sign(start, c),
                    None => return,
                },
            }
        }
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let (start, end) = (start as u32, self.at as u32);
        self.tokens.push(Token { kind, start, end });
        self.effort.spend(size_of::<Token>());
    }

    fn line_comment(&mut self) {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        self.at += length.unwrap_or(rest.len());
    }

    /// Skips `/* .. */`; false when it has no end.
    fn block_comment(&mut self) -> bool {
        let inside = self.at + 2;
        match self.text[inside..].find("*/") {
            Some(length) => {
                self.at = inside + length + 2;
                true
            }
            None => {
                let span = Span::new(self.file, self.at, inside);
                let diagnostic = Diagnostic::error(span, "This comment has no end")
                    .help("A comment that starts with `/*` ends with `*/`.");
                self.diagnostics.push(diagnostic);
                self.at = self.bytes.len();
                false
            }
        }
    }

    fn continues_name(&self, c: char) -> bool {
        c.is_alphanumeric()
            || matches!(c, '_' | '$' | '"')
            || (c == '\'' && self.edition == Edition::Four)
    }

    fn name(&mut self, start: usize) {
        let rest = &self.text[start..];
        let end = rest.find(|c| !self.continues_name(c));
        self.at = start + end.unwrap_or(rest.len());
        let text = &self.text[start..self.at];
        let kind = match Keyword::find(text, self.edition == Edition::Six) {
            Some(keyword) => TokenKind::Keyword(keyword),
            None => TokenKind::Ident,
        };
        self.push(kind, start);
    }

    fn number(&mut self, start: usize) {
        let rest = &self.text[start..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
        self.at = start + end.unwrap_or(rest.len());
        let text = &self.text[start..self.at];
        if parse_number(text).is_none() {
            let span = Span::new(self.file, start, self.at);
            let digits = text.bytes().all(|b| b.is_ascii_digit() || b == b'_');
            let diagnostic = if digits {
                Diagnostic::error(span, format!("The number {text} is too large"))
                    .help("Numbers go up to 2147483647.")
            } else {
                Diagnostic::error(span, format!("`{text}` is neither a number nor a name"))
                    .help("A name starts with a letter.")
            };
            self.diagnostics.push(diagnostic);
        }
        self.push(TokenKind::Number, start);
    }

    /// A string on one line.
    fn string(&mut self, start: usize) {
        let mut escaped = false;
        let inside = self.text[start + 1..].char_indices();
        for (at, c) in inside {
            match c {
                '\n' | '\r' => break,
                '"' if !escaped => {
                    self.at = start + 1 + at + 1;
                    if self.at - start == 2 {
                        let span = Span::new(self.file, start, self.at);
                        let diagnostic =
                            Diagnostic::error(span, "An empty string cannot be used in a model")
                                .help("Use an empty set where there is no text.");
                        self.diagnostics.push(diagnostic);
                    }
                    self.push(TokenKind::Text, start);
                    return;
                }
                _ => escaped = c == '\\' && !escaped,
            }
        }
        let rest = &self.text[start..];
        let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
        self.at = start + length;
        let span = Span::new(self.file, start, start + 1);
        let diagnostic = Diagnostic::error(span, "This string has no end")
            .help("A string ends with `\"` on the same line.");
        self.diagnostics.push(diagnostic);
        self.push(TokenKind::Text, start);
    }

    fn sign(&mut self, start: usize, first: char) {
        let rest = &self.text[start..];
        // The longest sign wins; `=<` and `::` are other ways to write `<=` and `.`.
        let found = if rest.starts_with("=<") {
            Some((Sign::LessEqual, 2))
        } else if rest.starts_with("::") {
            Some((Sign::Dot, 2))
        } else {
            let fits = Sign::ALL
                .iter()
                .filter(|sign| rest.starts_with(sign.text()));
            let fits = fits.filter(|sign| {
                self.edition == Edition::Six || !matches!(sign, Sign::Prime | Sign::Semicolon)
            });
            fits.max_by_key(|sign| sign.text().len())
                .map(|&sign| (sign, sign.text().len()))
        };
        match found {
            Some((sign, length)) => {
                self.at = start + length;
                self.push(TokenKind::Sign(sign), start);
            }
            None => {
                self.at = start + first.len_utf8();
                self.push(TokenKind::Unknown, start);
            }
        }
    }
}

fn starts_name(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '$')
}

/// The value of a number: decimal, or hexadecimal after `0x`, or binary after `0b`; `_` may group digits.
pub(crate) fn parse_number(text: &str) -> Option<i32> {
    let digits: String = text.chars().filter(|&c| c != '_').collect();
    let value = match (digits.strip_prefix("0x"), digits.strip_prefix("0b")) {
        (Some(hex), _) => i64::from_str_radix(hex, 16),
        (_, Some(binary)) => i64::from_str_radix(binary, 2),
        _ => digits.parse(),
    };
    value.ok().and_then(|value| i32::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str, edition: Edition) -> Vec<String> {
        let (tokens, _) = tokens(FileId::new(0), text, edition, &Effort::default());
        let text_of = |t: &Token| text[t.start as usize..t.end as usize].to_owned();
        tokens
            .iter()
            .map(text_of)
            .filter(|t| !t.is_empty())
            .collect()
    }

    #[test]
    fn a_prime_is_an_operator_in_six_and_a_letter_in_four() {
        assert_eq!(kinds("s'.x", Edition::Six), ["s", "'", ".", "x"]);
        assert_eq!(kinds("s'.x", Edition::Four), ["s'", ".", "x"]);
    }

    #[test]
    fn a_quote_after_a_letter_is_part_of_the_name() {
        assert_eq!(
            kinds("s\" = \"text\"", Edition::Six),
            ["s\"", "=", "\"text\""]
        );
    }

    #[test]
    fn the_longest_sign_wins() {
        assert_eq!(
            kinds("a<=>b=<c:>d", Edition::Six),
            ["a", "<=>", "b", "=<", "c", ":>", "d"]
        );
        assert_eq!(
            kinds("a->b--c\n-d", Edition::Six),
            ["a", "->", "b", "-", "d"]
        );
    }

    #[test]
    fn words_of_time_are_names_in_four() {
        let (tokens, _) = tokens(FileId::new(0), "after", Edition::Four, &Effort::default());
        assert_eq!(tokens[0].kind, TokenKind::Ident);
    }

    #[test]
    fn numbers_may_be_grouped_and_hexadecimal() {
        assert_eq!(parse_number("1_000"), Some(1000));
        assert_eq!(parse_number("0xFF"), Some(255));
        assert_eq!(parse_number("0b101"), Some(5));
        assert_eq!(parse_number("99999999999"), None);
        assert_eq!(parse_number("3rd"), None);
    }
}
