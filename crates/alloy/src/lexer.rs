//! Text to tokens, in the way of Alloy 6 or of the versions before it.
//!
//! Two things changed with Alloy 6: a prime after an expression is an operator there and was part of
//! a name before, and the words of time (`always`, `var`, ..) became reserved. In both, a double quote
//! right after a letter is part of the name, which is how old models with primed names go on.

use wherefore_base::{Diagnostic, Effort, FileId, Span};
use wherefore_syntax::Scanner;

use crate::token::{AlloyToken, Keyword, Sign, Token};

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
    let (scan, too_large) = Scanner::new(file, text);
    let mut lexer = AlloyLexer {
        scan,
        edition,
        diagnostics: too_large.into_iter().collect(),
        effort,
    };
    lexer.run();
    lexer.effort.spend(size_of::<Token>());
    (lexer.scan.finish(), lexer.diagnostics)
}

struct AlloyLexer<'a> {
    scan: Scanner<'a, AlloyToken>,
    edition: Edition,
    diagnostics: Vec<Diagnostic>,
    effort: &'a Effort<'a>,
}

impl AlloyLexer<'_> {
    fn run(&mut self) {
        while let Some(byte) = self.scan.byte(0) {
            if self.effort.spend(0).is_none() {
                return;
            }
            let start = self.scan.at;
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => self.scan.at += 1,
                b'-' | b'/' if self.scan.is_at("--") || self.scan.is_at("//") => {
                    self.scan.skip_bytes(|byte| !matches!(byte, b'\n' | b'\r'));
                }
                b'/' if self.scan.is_at("/*") => {
                    if let Err(wrong) = self.scan.skip_comment("/*", "*/") {
                        self.diagnostics.push(wrong);
                        self.scan.at = self.scan.text.len();
                    }
                }
                b'0'..=b'9' => self.number(start),
                b'"' => self.string(start),
                _ => match self.scan.rest().chars().next() {
                    Some(c) if starts_name(c) => self.name(start),
                    _ => self.sign(start),
                },
            }
        }
    }

    fn push(&mut self, kind: AlloyToken, start: usize) {
        self.scan.push(kind, start);
        self.effort.spend(size_of::<Token>());
    }

    fn name(&mut self, start: usize) {
        let four = self.edition == Edition::Four;
        self.scan.skip_chars(|c| {
            c.is_alphanumeric() || matches!(c, '_' | '$' | '"') || (c == '\'' && four)
        });
        let keyword = Keyword::reserved(&self.scan.text[start..self.scan.at], !four);
        self.push(
            keyword.map_or(AlloyToken::Ident, AlloyToken::Keyword),
            start,
        );
    }

    fn number(&mut self, start: usize) {
        self.scan
            .skip_chars(|c| c.is_alphanumeric() || c == '_' || c == '$');
        let text = &self.scan.text[start..self.scan.at];
        if parse_number(text).is_none() {
            let span = self.scan.span(start);
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
        self.push(AlloyToken::Number, start);
    }

    /// A string on one line.
    fn string(&mut self, start: usize) {
        let wrong = if !self.scan.skip_quoted(b"\n\r") {
            let span = Span::new(self.scan.file, start, start + 1);
            Diagnostic::error(span, "This string has no end")
                .help("A string ends with `\"` on the same line.")
        } else if self.scan.at - start == 2 {
            let message = "An empty string cannot be used in a model";
            Diagnostic::error(self.scan.span(start), message)
                .help("Use an empty set where there is no text.")
        } else {
            return self.push(AlloyToken::Text, start);
        };
        self.diagnostics.push(wrong);
        self.push(AlloyToken::Text, start);
    }

    fn sign(&mut self, start: usize) {
        let rest = self.scan.rest();
        // The longest sign wins; `=<` and `::` are other ways to write `<=` and `.`.
        let found = if rest.starts_with("=<") {
            Some((Sign::LessEqual, 2))
        } else if rest.starts_with("::") {
            Some((Sign::Dot, 2))
        } else {
            let sign = Sign::longest(rest).filter(|sign| {
                self.edition == Edition::Six || !matches!(sign, Sign::Prime | Sign::Semicolon)
            });
            sign.map(|sign| (sign, sign.text().len()))
        };
        let kind = match found {
            Some((sign, length)) => {
                self.scan.at += length;
                AlloyToken::Sign(sign)
            }
            None => {
                self.scan.skip_char();
                AlloyToken::Unknown
            }
        };
        self.push(kind, start);
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
        assert_eq!(tokens[0].kind, AlloyToken::Ident);
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
