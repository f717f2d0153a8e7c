//! The words of a composition file.

use wherefore_base::{Diagnostic, FileId, Span};
use wherefore_syntax::{Scanner, Token, token_kind};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NetToken {
    /// `GAME`, `par`
    Word,
    /// `"text"`, with its quotes
    Text,
    /// `'regular expression'`, with its quotes
    Regex,
    Number(usize),
    Sign(&'static str),
    /// After the last word.
    End,
}

token_kind!(NetToken { is_word: Word } from { Sign(&'static str) });

/// Punctuation. `_` stands for a branch that takes no part; it is a sign where no letter follows.
const SIGNS: [&str; 5] = ["->", "||", ",", "#", "*"];

/// The words with their places, the last one being [`NetToken::End`].
pub(super) fn tokens(file: FileId, text: &str) -> Result<Vec<Token<NetToken>>, Diagnostic> {
    let (scan, too_large) = Scanner::new(file, text);
    let mut lexer = NetLexer { scan };
    if let Some(too_large) = too_large {
        return Err(too_large);
    }
    while lexer.skip() {
        let start = lexer.scan.at;
        let kind = lexer.token()?;
        lexer.scan.push(kind, start);
    }
    Ok(lexer.scan.finish())
}

struct NetLexer<'t> {
    scan: Scanner<'t, NetToken>,
}

impl NetLexer<'_> {
    /// Goes past white space and comments; false at the end of the text.
    fn skip(&mut self) -> bool {
        loop {
            self.scan.skip_chars(char::is_whitespace);
            if !self.scan.is_at("--") {
                return !self.scan.rest().is_empty();
            }
            self.scan.skip_line();
        }
    }

    fn token(&mut self) -> Result<NetToken, Diagnostic> {
        let start = self.scan.at;
        if let Some(sign) = self.scan.take_sign(&SIGNS) {
            return Ok(NetToken::Sign(sign));
        }
        let first = self.scan.rest().chars().next().unwrap_or(' ');
        if first.is_alphabetic() || first == '_' {
            self.scan.at += self.word_length();
            return Ok(match &self.scan.text[start..self.scan.at] {
                "_" => NetToken::Sign("_"),
                _ => NetToken::Word,
            });
        }
        if first.is_ascii_digit() {
            self.scan.skip_bytes(|byte| byte.is_ascii_digit());
            let number = self.scan.text[start..self.scan.at].parse();
            return number
                .map(NetToken::Number)
                .map_err(|_| Diagnostic::error(self.scan.span(start), "This number is too large"));
        }
        if first == '"' || first == '\'' {
            if self.scan.skip_quoted(b"\n") {
                return Ok(match first {
                    '"' => NetToken::Text,
                    _ => NetToken::Regex,
                });
            }
            let line = self.scan.text[start..].lines().next().unwrap_or_default();
            let span = Span::new(self.scan.file, start, start + line.len());
            let message = format!("The second {first} of this text is missing");
            return Err(Diagnostic::error(span, message));
        }
        self.scan.skip_char();
        let message = format!("Nothing starts with `{first}` here");
        Err(Diagnostic::error(self.scan.span(start), message)
            .help("Labels with other signs than letters, digits and `_` stand in quotes."))
    }

    /// Letters, digits, `_`, and a `-` between two of them.
    fn word_length(&self) -> usize {
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let mut chars = self.scan.rest().char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let joins = c == '-' && chars.peek().is_some_and(|&(_, next)| part(next));
            if !part(c) && !joins {
                return at;
            }
        }
        self.scan.rest().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Result<Vec<NetToken>, String> {
        let tokens = tokens(FileId::new(0), text);
        let tokens = tokens.map_err(|diagnostic| diagnostic.message)?;
        Ok(tokens.into_iter().map(|token| token.kind).collect())
    }

    #[test]
    fn words_texts_and_signs_are_told_apart() {
        let text = "GAME#2, _ * A->\"x \\\"y\\\"\" || 'a\\'\\.b' -- no 'word\ntau-a";
        assert_eq!(
            words(text).as_deref(),
            Ok(&[
                NetToken::Word,
                NetToken::Sign("#"),
                NetToken::Number(2),
                NetToken::Sign(","),
                NetToken::Sign("_"),
                NetToken::Sign("*"),
                NetToken::Word,
                NetToken::Sign("->"),
                NetToken::Text,
                NetToken::Sign("||"),
                NetToken::Regex,
                NetToken::Word,
                NetToken::End,
            ][..])
        );
        let tokens = tokens(FileId::new(0), text).expect("the text is right");
        let last = &tokens[tokens.len() - 2];
        assert_eq!(&text[last.start as usize..last.end as usize], "tau-a");
    }

    #[test]
    fn a_text_ends_on_its_line() {
        assert!(words("\"abc\n\"").is_err());
        assert!(words("'abc\\'").is_err());
        assert!(words("'abc\\\\'").is_ok());
        assert!(words("99999999999999999999999").is_err());
        assert!(words("a ; b").is_err());
    }
}
