//! Text to tokens.
//!
//! Words are not sorted into names and reserved words here: most of MCL's words are reserved only where
//! they mean something. Comments are `(* .. *)` and do not nest. After the word `library` come names of
//! files, which look like nothing else.

use wherefore_base::{Diagnostic, FileId, Span};

/// A token: what it is, and its stretch of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: u32,
    pub(super) end: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
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

/// Longer ones first where one begins like another.
const SIGNS: [&str; 27] = [
    "...", "<=", ">=", "<>", ":=", "-|", "(", ")", "[", "]", "<", ">", "{", "}", ".", "|", "*",
    "+", "?", ",", "=", "@", "!", ":", ";", "-", "/",
];

/// All tokens of a text, the last one being its end, and what is wrong with comments and quotes. After
/// such an error the tokens end.
pub(super) fn tokens(file: FileId, text: &str) -> (Vec<Token>, Option<Diagnostic>) {
    let mut lexer = Lexer {
        file,
        text,
        bytes: text.as_bytes(),
        at: 0,
        tokens: Vec::new(),
    };
    let wrong = if u32::try_from(text.len()).is_err() {
        let message = "The file is larger than 4 GB, which is more than this tool reads";
        Some(Diagnostic::error(Span::new(file, 0, 0), message))
    } else {
        lexer.run().err().map(|wrong| *wrong)
    };
    let end = lexer.at.min(text.len());
    lexer.push(TokenKind::End, end);
    (lexer.tokens, wrong)
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

/// What stands between quotes: a backslash before a quote or a backslash is dropped from a label, and
/// kept in a regular expression, where it has the same meaning.
pub(super) fn unquoted(text: &str) -> String {
    let inside = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
    let mut plain = String::with_capacity(inside.len());
    let mut characters = inside.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(&next @ ('"' | '\\'))) => {
                characters.next();
                plain.push(next);
            }
            _ => plain.push(character),
        }
    }
    plain
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
}

type Lex = Result<(), Box<Diagnostic>>;

impl Lexer<'_> {
    fn run(&mut self) -> Lex {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        loop {
            self.skip()?;
            let start = self.at;
            let Some(&byte) = self.bytes.get(start) else {
                return Ok(());
            };
            match byte {
                b'"' => self.quoted(TokenKind::Text)?,
                b'\'' => self.quoted(TokenKind::Regex)?,
                b'0'..=b'9' => self.while_in(TokenKind::Number, |byte| byte.is_ascii_digit()),
                _ if starts_word(byte) => {
                    self.while_in(TokenKind::Word, continues_word);
                    if &self.text[start..self.at] == "library" {
                        self.file_names()?;
                    }
                }
                _ => self.sign(),
            }
        }
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let (start, end) = (start as u32, self.at as u32);
        self.tokens.push(Token { kind, start, end });
    }

    /// Skips white space and comments.
    fn skip(&mut self) -> Lex {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => self.at += 1,
                b'(' if self.bytes.get(self.at + 1) == Some(&b'*') => {
                    let inside = self.at + 2;
                    match self.text[inside..].find("*)") {
                        Some(length) => self.at = inside + length + 2,
                        None => {
                            let span = Span::new(self.file, self.at, inside);
                            let wrong = Diagnostic::error(span, "This comment has no end")
                                .help("A comment that starts with `(*` ends with `*)`.");
                            return Err(Box::new(wrong));
                        }
                    }
                }
                _ => break,
            }
        }
        Ok(())
    }

    fn quoted(&mut self, kind: TokenKind) -> Lex {
        let (start, quote) = (self.at, self.bytes[self.at]);
        let mut at = start + 1;
        loop {
            match self.bytes.get(at) {
                Some(b'\\') if !matches!(self.bytes.get(at + 1), None | Some(b'\n')) => at += 2,
                Some(&byte) if byte == quote => break,
                None | Some(b'\n') => {
                    let end = at.min(self.bytes.len());
                    let span = Span::new(self.file, start, end);
                    let sign = quote as char;
                    let message = format!("This text has no closing `{sign}` on its line");
                    let wrong = Diagnostic::error(span, message)
                        .help("A label is written \"SEND !1\", a regular expression 'SEND .*'.");
                    return Err(Box::new(wrong));
                }
                Some(_) => at += 1,
            }
        }
        self.at = at + 1;
        self.push(kind, start);
        Ok(())
    }

    fn while_in(&mut self, kind: TokenKind, part: impl Fn(u8) -> bool) {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|&byte| part(byte)) {
            self.at += 1;
        }
        self.push(kind, start);
    }

    /// Reads names of files up to `end_library`, which the parser expects.
    fn file_names(&mut self) -> Lex {
        loop {
            self.skip()?;
            let rest = &self.bytes[self.at..];
            if rest.is_empty() || rest.starts_with(b"end_library") {
                return Ok(());
            }
            match rest[0] {
                b',' => self.sign(),
                b'"' => self.quoted(TokenKind::FileName)?,
                _ => self.while_in(TokenKind::FileName, |byte| {
                    !byte.is_ascii_whitespace() && byte != b','
                }),
            }
        }
    }

    fn sign(&mut self) {
        let start = self.at;
        let rest = &self.bytes[start..];
        match SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes())) {
            Some(sign) => {
                self.at += sign.len();
                self.push(TokenKind::Sign(sign), start);
            }
            None => {
                let character = self.text[start..].chars().next();
                self.at += character.map_or(1, char::len_utf8);
                self.push(TokenKind::Unknown, start);
            }
        }
    }
}

fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn continues_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
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

    #[test]
    fn a_quote_in_a_label_is_written_with_a_backslash() {
        assert_eq!(unquoted(r#""PUT !\"a\" \ \\""#), r#"PUT !"a" \ \"#);
    }
}
