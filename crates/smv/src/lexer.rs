//! Text to tokens.
//!
//! Three things are unusual. A single `-` is a name character, so `floor-1` is one name. `--` starts
//! a comment everywhere, also right after a name. And `->` is always an arrow, so that `a->b` is not
//! a name followed by `>`. Simple macros are replaced on the way.

mod macros;

use wherefore_base::{Diagnostic, Effort, FileId, Span};

use self::macros::Macros;
use crate::token::{Keyword, Sign, Token, TokenKind};

/// All tokens of a text, the last one being its end, and what is wrong with comments or with the
/// file as a whole. With such an error, or when the effort is over, the tokens end early.
pub(crate) fn tokens(
    file: FileId,
    text: &str,
    effort: &Effort<'_>,
) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer {
        file,
        text,
        bytes: text.as_bytes(),
        at: 0,
        tokens: Vec::new(),
        diagnostics: Vec::new(),
        effort,
        macros: Macros::default(),
    };
    if u32::try_from(text.len()).is_err() {
        let message = "The file is larger than 4 GB, which is more than this tool reads";
        let diagnostic = Diagnostic::error(Span::new(file, 0, 0), message);
        lexer.diagnostics.push(diagnostic);
    } else {
        lexer.run(text.len());
    }
    let end = lexer.at.min(text.len());
    lexer.push(TokenKind::End, end);
    (lexer.tokens, lexer.diagnostics)
}

/// A piece of text on one line: comments left out, white space folded.
pub(crate) fn one_line(text: &str) -> String {
    let (tokens, _) = tokens(FileId::new(0), text, &Effort::default());
    let mut line = String::new();
    let mut end = 0;
    for token in tokens.iter().filter(|token| token.kind != TokenKind::End) {
        if !line.is_empty() && token.start > end {
            line.push(' ');
        }
        line.push_str(&text[token.start as usize..token.end as usize]);
        end = token.end;
    }
    line
}

/// Whether a byte may stand in a name after its first one.
pub(crate) fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | b'-' | b'\\')
}

/// Whether a byte may start a name.
pub(crate) fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Lines that only the C preprocessor understands start with `#` and one of these.
const DIRECTIVES: [&str; 10] = [
    "define", "undef", "include", "ifdef", "ifndef", "if", "elif", "else", "endif", "line",
];

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
    effort: &'a Effort<'a>,
    macros: Macros<'a>,
}

impl<'a> Lexer<'a> {
    /// Reads up to a place.
    fn run(&mut self, end: usize) {
        if self.at == 0 && self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        while let Some(&byte) = self.bytes[..end].get(self.at) {
            if self.effort.spend(0).is_none() {
                return;
            }
            let start = self.at;
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => self.at += 1,
                b'\\' if self.macros.open && matches!(self.rest(1), Some(b'\r' | b'\n')) => {
                    self.at += 1;
                }
                b'-' if self.rest(1) == Some(b'-') => self.line_comment(),
                b'/' if self.bytes[start..].starts_with(b"/--") => {
                    if !self.block_comment() {
                        return;
                    }
                }
                b'f' | b'F' if self.is_quotient() => self.quotient(start),
                _ if starts_name(byte) => self.name(start),
                b'0'..=b'9' => self.number(start),
                b'#' if self.is_directive() => {
                    if self.define().is_none() {
                        self.needs_preprocessor(start);
                        return;
                    }
                }
                _ => self.sign(start),
            }
        }
    }

    fn rest(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let (start, end) = (start as u32, self.at as u32);
        self.tokens.push(Token {
            kind,
            start,
            end,
            text: (start, end),
        });
        self.effort.spend(size_of::<Token>());
    }

    fn line_comment(&mut self) {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&byte| byte == b'\n');
        self.at += length.unwrap_or(rest.len());
    }

    /// Skips `/-- .. --/`; false when it has no end.
    fn block_comment(&mut self) -> bool {
        let inside = self.at + 3;
        match self.text[inside..].find("--/") {
            Some(length) => {
                self.at = inside + length + 3;
                true
            }
            None => {
                let span = Span::new(self.file, self.at, inside);
                let diagnostic = Diagnostic::error(span, "This comment has no end")
                    .help("A comment that starts with `/--` ends with `--/`.");
                self.diagnostics.push(diagnostic);
                false
            }
        }
    }

    fn name(&mut self, start: usize) {
        self.at += 1;
        while let Some(byte) = self.rest(0).filter(|&byte| continues_name(byte)) {
            if byte == b'-' && matches!(self.rest(1), Some(b'-' | b'>')) {
                break;
            }
            self.at += 1;
        }
        let text = self.text;
        if self.expand(&text[start..self.at], start) {
            return;
        }
        let kind = match Keyword::find(&text[start..self.at]) {
            Some(keyword) => TokenKind::Keyword(keyword),
            None => TokenKind::Ident,
        };
        self.push(kind, start);
    }

    fn number(&mut self, start: usize) {
        let word = self.bytes[start] == b'0'
            && matches!(
                self.rest(1),
                Some(b'u' | b's' | b'b' | b'B' | b'o' | b'O' | b'd' | b'D' | b'h' | b'H')
            );
        let part = |byte: u8| {
            byte.is_ascii_digit() || word && (byte.is_ascii_alphanumeric() || byte == b'_')
        };
        while self.rest(0).is_some_and(part) {
            self.at += 1;
        }
        let digit = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_digit());
        let kind = if word {
            TokenKind::WordLiteral
        } else if self.rest(0) == Some(b'.') && digit(self.rest(1)) {
            self.at += 1;
            self.digits();
            TokenKind::Fraction
        } else {
            TokenKind::Number
        };
        self.push(kind, start);
    }

    fn digits(&mut self) {
        while self.rest(0).is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    /// Whether a fraction is written as `f'3/2` here.
    fn is_quotient(&self) -> bool {
        self.rest(1) == Some(b'\'') && self.rest(2).is_some_and(|byte| byte.is_ascii_digit())
    }

    fn quotient(&mut self, start: usize) {
        self.at += 2;
        self.digits();
        if self.rest(0) == Some(b'/') && self.rest(1).is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
            self.digits();
        }
        self.push(TokenKind::Fraction, start);
    }

    fn sign(&mut self, start: usize) {
        for length in (1..=3).rev() {
            let text = self.text.get(start..start + length);
            if let Some(sign) = text.and_then(Sign::find) {
                self.at += length;
                return self.push(TokenKind::Sign(sign), start);
            }
        }
        let character = self.text[start..].chars().next();
        self.at += character.map_or(1, char::len_utf8);
        self.push(TokenKind::Unknown, start);
    }

    fn is_directive(&self) -> bool {
        let mut before = self.bytes[..self.at].iter().rev();
        let before = before.find(|byte| !matches!(byte, b' ' | b'\t'));
        let after = self.text[self.at + 1..].trim_start_matches([' ', '\t']);
        let word = after.bytes().take_while(u8::is_ascii_alphabetic).count();
        matches!(before, None | Some(b'\n')) && DIRECTIVES.contains(&&after[..word])
    }

    fn needs_preprocessor(&mut self, start: usize) {
        self.line_comment();
        let span = Span::new(self.file, start, self.at);
        let message =
            "This line is for the C preprocessor, of which only `#define NAME text` is understood";
        let diagnostic = Diagnostic::error(span, message)
            .help("Run the preprocessor first, as in `cpp -P model.smv > plain.smv`, and check the result.");
        self.diagnostics.push(diagnostic);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        let (tokens, diagnostics) = tokens(FileId::new(0), text, &Effort::default());
        assert_eq!(diagnostics, []);
        let (_, tokens) = tokens.split_last().expect("the end is a token");
        let texts = tokens
            .iter()
            .map(|t| &text[t.start as usize..t.end as usize]);
        texts.collect()
    }

    #[test]
    fn a_single_dash_belongs_to_a_name_and_two_start_a_comment() {
        assert_eq!(
            texts("y#2-1 floor -1 a--b\n7-7"),
            ["y#2-1", "floor", "-", "1", "a", "7", "-", "7"]
        );
    }

    #[test]
    fn an_arrow_right_after_a_name_is_an_arrow() {
        assert_eq!(texts("a->b<->c-d"), ["a", "->", "b", "<->", "c-d"]);
    }

    #[test]
    fn a_macro_stands_for_its_text_from_its_definition_on() {
        let text = "N\n#define N M + 1 -- one more\n#define M 2\\\n * N\nN-1 N;";
        let (tokens, diagnostics) = tokens(FileId::new(0), text, &Effort::default());
        assert_eq!(diagnostics, []);
        let (_, tokens) = tokens.split_last().expect("the end is a token");
        let texts = tokens
            .iter()
            .map(|t| &text[t.text.0 as usize..t.text.1 as usize]);
        let texts: Vec<&str> = texts.collect();
        assert_eq!(texts, ["N", "N-1", "2", "*", "N", "+", "1", ";"]);
        let places: Vec<&str> = tokens[2..7]
            .iter()
            .map(|t| &text[t.start as usize..t.end as usize])
            .collect();
        assert_eq!(places, ["N"; 5]);
    }

    #[test]
    fn comments_need_no_final_newline() {
        assert_eq!(texts("/-- a -- b\n --/ x -- end"), ["x"]);
    }

    #[test]
    fn text_on_one_line_has_no_comments_of_either_kind() {
        let text = "AG (a -- why\n  /-- and\n how --/ ->\tb)  ";
        assert_eq!(one_line(text), "AG (a -> b)");
    }

    #[test]
    fn dots_after_a_numeral_are_a_range() {
        assert_eq!(
            texts("0..3 a.b 0ud4_3 1.5 f'3/2 f'7"),
            [
                "0", "..", "3", "a", ".", "b", "0ud4_3", "1.5", "f'3/2", "f'7"
            ]
        );
    }

    #[test]
    fn a_preprocessor_line_and_an_open_comment_are_told() {
        for text in ["x\n #define N(a) a\n", "x\n #ifdef N\n", "x /-- never"] {
            let (tokens, diagnostics) = tokens(FileId::new(0), text, &Effort::default());
            assert_eq!((tokens.len(), diagnostics.len()), (2, 1), "{text}");
        }
    }
}
