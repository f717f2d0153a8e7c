//! Text to tokens.
//!
//! Three things are unusual. A single `-` is a name character, so `floor-1` is one name. `--` starts
//! a comment everywhere, also right after a name. And `->` is always an arrow, so that `a->b` is not
//! a name followed by `>`. Simple macros are replaced on the way.

mod macros;

use wherefore_base::{Diagnostic, Effort, FileId};
use wherefore_syntax::Scanner;

use self::macros::Macros;
use crate::token::{Keyword, Sign, SmvToken, Token};

/// All tokens of a text, the last one being its end, and what is wrong with comments or with the
/// file as a whole. With such an error, or when the effort is over, the tokens end early.
pub(crate) fn tokens(
    file: FileId,
    text: &str,
    effort: &Effort<'_>,
) -> (Vec<Token>, Vec<Diagnostic>) {
    let (scan, too_large) = Scanner::new(file, text);
    let mut lexer = SmvLexer {
        scan,
        diagnostics: too_large.into_iter().collect(),
        effort,
        macros: Macros::default(),
    };
    lexer.run(text.len());
    lexer.effort.spend(size_of::<Token>());
    (lexer.scan.finish(), lexer.diagnostics)
}

/// A piece of text on one line: comments left out, white space folded.
pub(crate) fn one_line(text: &str) -> String {
    let (tokens, _) = tokens(FileId::new(0), text, &Effort::default());
    let mut line = String::new();
    let mut end = 0;
    for token in tokens.iter().filter(|token| token.kind != SmvToken::End) {
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

struct SmvLexer<'a> {
    scan: Scanner<'a, SmvToken>,
    diagnostics: Vec<Diagnostic>,
    effort: &'a Effort<'a>,
    macros: Macros<'a>,
}

impl SmvLexer<'_> {
    /// Reads up to a place.
    fn run(&mut self, end: usize) {
        while let Some(&byte) = self.scan.bytes()[..end].get(self.scan.at) {
            if self.effort.spend(0).is_none() {
                return;
            }
            let start = self.scan.at;
            let next = self.scan.byte(1);
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => self.scan.at += 1,
                b'\\' if self.macros.open && matches!(next, Some(b'\r' | b'\n')) => {
                    self.scan.at += 1;
                }
                b'-' if next == Some(b'-') => self.scan.skip_line(),
                b'/' if self.scan.is_at("/--") => {
                    if let Err(wrong) = self.scan.skip_comment("/--", "--/") {
                        self.diagnostics.push(wrong);
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

    fn push(&mut self, kind: SmvToken, start: usize) {
        self.scan.push(kind, start);
        self.effort.spend(size_of::<Token>());
    }

    fn name(&mut self, start: usize) {
        self.scan.at += 1;
        while let Some(byte) = self.scan.byte(0).filter(|&byte| continues_name(byte)) {
            if byte == b'-' && matches!(self.scan.byte(1), Some(b'-' | b'>')) {
                break;
            }
            self.scan.at += 1;
        }
        let text = &self.scan.text[start..self.scan.at];
        if self.expand(text, start) {
            return;
        }
        let kind = Keyword::find(text).map_or(SmvToken::Ident, SmvToken::Keyword);
        self.push(kind, start);
    }

    fn number(&mut self, start: usize) {
        let base = |byte: u8| b"usbBoOdDhH".contains(&byte);
        let word = self.scan.byte(0) == Some(b'0') && self.scan.byte(1).is_some_and(base);
        self.scan.skip_bytes(|byte| {
            byte.is_ascii_digit() || word && (byte.is_ascii_alphanumeric() || byte == b'_')
        });
        let kind = if word {
            SmvToken::WordLiteral
        } else if self.scan.byte(0) == Some(b'.') && self.is_digit(1) {
            self.scan.at += 1;
            self.digits();
            SmvToken::Fraction
        } else {
            SmvToken::Number
        };
        self.push(kind, start);
    }

    fn is_digit(&self, ahead: usize) -> bool {
        self.scan
            .byte(ahead)
            .is_some_and(|byte| byte.is_ascii_digit())
    }

    fn digits(&mut self) {
        self.scan.skip_bytes(|byte| byte.is_ascii_digit());
    }

    /// Whether a fraction is written as `f'3/2` here.
    fn is_quotient(&self) -> bool {
        self.scan.byte(1) == Some(b'\'') && self.is_digit(2)
    }

    fn quotient(&mut self, start: usize) {
        self.scan.at += 2;
        self.digits();
        if self.scan.byte(0) == Some(b'/') && self.is_digit(1) {
            self.scan.at += 1;
            self.digits();
        }
        self.push(SmvToken::Fraction, start);
    }

    fn sign(&mut self, start: usize) {
        let kind = match Sign::longest(self.scan.rest()) {
            Some(sign) => {
                self.scan.at += sign.text().len();
                SmvToken::Sign(sign)
            }
            None => {
                self.scan.skip_char();
                SmvToken::Unknown
            }
        };
        self.push(kind, start);
    }

    fn is_directive(&self) -> bool {
        let mut before = self.scan.bytes()[..self.scan.at].iter().rev();
        let before = before.find(|byte| !matches!(byte, b' ' | b'\t'));
        let after = self.scan.rest()[1..].trim_start_matches([' ', '\t']);
        let word = after.bytes().take_while(u8::is_ascii_alphabetic).count();
        matches!(before, None | Some(b'\n')) && DIRECTIVES.contains(&&after[..word])
    }

    fn needs_preprocessor(&mut self, start: usize) {
        self.scan.skip_line();
        let message =
            "This line is for the C preprocessor, of which only `#define NAME text` is understood";
        let diagnostic = Diagnostic::error(self.scan.span(start), message)
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
