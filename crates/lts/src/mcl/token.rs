//! Text to tokens.
//!
//! Words are not sorted into names and reserved words here: most of MCL's words are reserved only where
//! they mean something. Comments are `(* .. *)` and do not nest. After the word `library` come names of
//! files, which look like nothing else.

use wherefore_base::{Diagnostic, FileId};
use wherefore_syntax::{Scanner, Token, token_kind};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MclToken {
    /// A name or a reserved word.
    Word,
    /// Digits.
    Number,
    /// `"LABEL !1"`, with its quotes.
    Text,
    /// `'LABEL .*'`, with its quotes.
    Regex,
    /// The name of a file after `library`.
    FileName,
    /// Punctuation and operators.
    Sign(&'static str),
    /// A character that starts no token.
    Unknown,
    /// The end of the text.
    End,
}

token_kind!(MclToken { is_word: Word, is_unknown: Unknown } from { Sign(&'static str) });

/// Longer ones first where one begins like another.
const SIGNS: [&str; 27] = [
    "...", "<=", ">=", "<>", ":=", "-|", "(", ")", "[", "]", "<", ">", "{", "}", ".", "|", "*",
    "+", "?", ",", "=", "@", "!", ":", ";", "-", "/",
];

/// All tokens of a text, the last one being its end, and what is wrong with comments and quotes. After
/// such an error the tokens end.
pub(super) fn tokens(file: FileId, text: &str) -> (Vec<Token<MclToken>>, Option<Diagnostic>) {
    let (scan, too_large) = Scanner::new(file, text);
    let mut lexer = MclLexer { scan };
    let wrong = too_large.or_else(|| lexer.run().err().map(|wrong| *wrong));
    (lexer.scan.finish(), wrong)
}

/// A piece of text on one line, with comments left out and white space folded, and with an ellipsis
/// instead of what is beyond about `most` bytes. Takes no longer than what is shown is long.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    let mut quote = None;
    let mut rest = text;
    let mut space = false;
    while let Some(character) = rest.chars().next() {
        if quote.is_none() && rest.starts_with("(*") {
            let end = rest[2..].find("*)").map_or(rest.len(), |at| at + 4);
            rest = &rest[end..];
            space = true;
            continue;
        }
        if quote.is_none() && character.is_whitespace() {
            rest = &rest[character.len_utf8()..];
            space = true;
            continue;
        }
        if line.len() >= most {
            line.push('…');
            return line;
        }
        if std::mem::take(&mut space) && !line.is_empty() {
            line.push(' ');
        }
        line.push(character);
        rest = &rest[character.len_utf8()..];
        match quote {
            Some(open) if open == character => quote = None,
            Some(_) if character == '\\' => {
                if let Some(next) = rest.chars().next() {
                    line.push(next);
                    rest = &rest[next.len_utf8()..];
                }
            }
            None if matches!(character, '"' | '\'') => quote = Some(character),
            _ => {}
        }
    }
    line
}

struct MclLexer<'a> {
    scan: Scanner<'a, MclToken>,
}

type Lex = Result<(), Box<Diagnostic>>;

impl MclLexer<'_> {
    fn run(&mut self) -> Lex {
        loop {
            self.skip()?;
            let start = self.scan.at;
            let Some(byte) = self.scan.byte(0) else {
                return Ok(());
            };
            match byte {
                b'"' => self.quoted(MclToken::Text)?,
                b'\'' => self.quoted(MclToken::Regex)?,
                b'0'..=b'9' => self.while_in(MclToken::Number, |byte| byte.is_ascii_digit()),
                _ if byte.is_ascii_alphabetic() || byte == b'_' => {
                    self.while_in(MclToken::Word, |b| b.is_ascii_alphanumeric() || b == b'_');
                    if &self.scan.text[start..self.scan.at] == "library" {
                        self.file_names()?;
                    }
                }
                _ => self.sign(),
            }
        }
    }

    /// Skips white space and comments.
    fn skip(&mut self) -> Lex {
        while let Some(byte) = self.scan.byte(0) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => self.scan.at += 1,
                b'(' if self.scan.is_at("(*") => self.scan.skip_comment("(*", "*)")?,
                _ => break,
            }
        }
        Ok(())
    }

    fn quoted(&mut self, kind: MclToken) -> Lex {
        let start = self.scan.at;
        if !self.scan.skip_quoted(b"\n") {
            let sign = &self.scan.text[start..=start];
            let message = format!("This text has no closing `{sign}` on its line");
            let wrong = Diagnostic::error(self.scan.span(start), message)
                .help("A label is written \"SEND !1\", a regular expression 'SEND .*'.");
            return Err(Box::new(wrong));
        }
        self.scan.push(kind, start);
        Ok(())
    }

    fn while_in(&mut self, kind: MclToken, part: impl Fn(u8) -> bool) {
        let start = self.scan.at;
        self.scan.skip_bytes(part);
        self.scan.push(kind, start);
    }

    /// Reads names of files up to `end_library`, which the parser expects.
    fn file_names(&mut self) -> Lex {
        loop {
            self.skip()?;
            match self.scan.byte(0) {
                None => return Ok(()),
                _ if self.scan.is_at("end_library") => return Ok(()),
                Some(b',') => self.sign(),
                Some(b'"') => self.quoted(MclToken::FileName)?,
                Some(_) => self.while_in(MclToken::FileName, |byte| {
                    !byte.is_ascii_whitespace() && byte != b','
                }),
            }
        }
    }

    fn sign(&mut self) {
        let start = self.scan.at;
        let kind = match self.scan.take_sign(&SIGNS) {
            Some(sign) => MclToken::Sign(sign),
            None => {
                self.scan.skip_char();
                MclToken::Unknown
            }
        };
        self.scan.push(kind, start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        let (tokens, wrong) = tokens(FileId::new(0), text);
        assert_eq!(wrong, None);
        let (_, tokens) = tokens.split_last().expect("the end is a token");
        let texts = tokens
            .iter()
            .map(|t| &text[t.start as usize..t.end as usize]);
        texts.collect()
    }

    #[test]
    fn quotes_comments_and_signs_are_told_apart() {
        assert_eq!(
            texts("[true*.'A (* .*'(* so *)]-| <R{2...3}>@"),
            [
                "[",
                "true",
                "*",
                ".",
                "'A (* .*'",
                "]",
                "-|",
                "<",
                "R",
                "{",
                "2",
                "...",
                "3",
                "}",
                ">",
                "@"
            ]
        );
        assert_eq!(texts(r#""a \" b" 'c\'d'"#), [r#""a \" b""#, r"'c\'d'"]);
    }

    #[test]
    fn names_of_files_stand_between_library_and_its_end() {
        assert_eq!(
            texts("library a/b.mcl, \"c d.mcl\" end_library x.y"),
            [
                "library",
                "a/b.mcl",
                ",",
                "\"c d.mcl\"",
                "end_library",
                "x",
                ".",
                "y"
            ]
        );
    }

    #[test]
    fn what_is_shown_is_on_one_line_and_short() {
        assert_eq!(one_line("[ a\n (* b *) .  'c  d' ]", 80), "[ a . 'c  d' ]");
        assert_eq!(one_line(&"(x)".repeat(1000), 8), "(x)(x)(x…");
        assert_eq!(one_line(r"(* so", 8), "");
    }
}
