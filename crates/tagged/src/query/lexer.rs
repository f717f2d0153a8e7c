//! The words of a query.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::{Diagnostic, FileId, Span};
use wherefore_syntax::{Scanner, Token, token_kind};

/// What a token is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum QueryToken {
    /// A name or a keyword.
    Word,
    /// A name between backticks: never a keyword.
    Quoted(Rc<str>),
    /// `$name`
    Parameter(Rc<str>),
    Int(i64),
    Float(f64),
    Text(Rc<str>),
    /// Punctuation.
    Sign(&'static str),
    /// The end of the text.
    End,
}

token_kind!(QueryToken { is_word: Word } from { Sign(&'static str) });

/// The tokens of a text, the last one being its end, and what belongs to single ones.
pub(super) struct QueryTokens {
    pub(super) tokens: Vec<Token<QueryToken>>,
    /// For an opening bracket: the index of the token that closes it.
    pub(super) closes: FxHashMap<usize, usize>,
    /// The comments right before a token.
    pub(super) comments: FxHashMap<usize, Rc<str>>,
}

/// Longer signs first.
const SIGNS: [&str; 25] = [
    "=~", "<>", "<=", ">=", "..", "(", ")", "[", "]", "{", "}", ",", ".", ":", ";", "|", "=", "<",
    ">", "+", "-", "*", "/", "%", "^",
];

/// Splits a text into tokens.
pub(super) fn lex(text: &str, file: FileId) -> Result<QueryTokens, Diagnostic> {
    let (scan, too_large) = Scanner::new(file, text);
    let mut lexer = QueryLexer {
        scan,
        comments: FxHashMap::default(),
        fresh: true,
    };
    match too_large {
        Some(too_large) => return Err(too_large),
        None => lexer.run()?,
    }
    let comments = lexer.comments.into_iter();
    let comments = comments.map(|(at, comment)| (at, comment.into())).collect();
    let tokens = lexer.scan.finish();
    Ok(QueryTokens {
        closes: pairs(&tokens),
        tokens,
        comments,
    })
}

struct QueryLexer<'a> {
    scan: Scanner<'a, QueryToken>,
    comments: FxHashMap<usize, String>,
    /// Whether nothing but white space stands before on this line.
    fresh: bool,
}

impl QueryLexer<'_> {
    fn run(&mut self) -> Result<(), Diagnostic> {
        while let Some(c) = self.scan.rest().chars().next() {
            let start = self.scan.at;
            match c {
                '\n' => {
                    self.scan.at += 1;
                    self.fresh = true;
                }
                c if c.is_whitespace() || c == '\u{feff}' => self.scan.skip_char(),
                // A heading between queries, as in collections of them.
                '*' if self.fresh && self.scan.is_at("***") => self.scan.skip_line(),
                '/' if self.scan.is_at("//") => {
                    self.scan.skip_line();
                    self.remember(start + 2, self.scan.at);
                }
                '/' if self.scan.is_at("/*") => {
                    self.scan.skip_comment("/*", "*/")?;
                    self.remember(start + 2, self.scan.at - 2);
                }
                _ => {
                    let kind = self.token(c)?;
                    self.scan.push(kind, start);
                    self.fresh = false;
                }
            }
        }
        Ok(())
    }

    fn token(&mut self, first: char) -> Result<QueryToken, Diagnostic> {
        match first {
            '\'' | '"' => Ok(QueryToken::Text(self.quoted(first)?.into())),
            '`' => Ok(QueryToken::Quoted(self.backticks()?.into())),
            '$' => {
                self.scan.at += 1;
                let name = word(self.scan.rest());
                if name.is_empty() {
                    let span = self.scan.span(self.scan.at - 1);
                    let message = "A parameter needs a name after `$`";
                    return Err(Diagnostic::error(span, message));
                }
                self.scan.at += name.len();
                Ok(QueryToken::Parameter(name.into()))
            }
            c if c.is_ascii_digit() => self.number(),
            c if c.is_alphabetic() || c == '_' => {
                self.scan.at += word(self.scan.rest()).len();
                Ok(QueryToken::Word)
            }
            c => {
                let sign = self.scan.take_sign(&SIGNS);
                sign.map(QueryToken::Sign).ok_or_else(|| self.unknown(c))
            }
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.scan.file, start, end)
    }

    /// Keeps a comment for the token after it.
    fn remember(&mut self, start: usize, end: usize) {
        let words: Vec<&str> = self.scan.text[start..end].split_whitespace().collect();
        let line = words.join(" ");
        let next = self.scan.tokens.len();
        let comment = self.comments.entry(next);
        comment
            .and_modify(|comment| *comment = format!("{comment} {line}"))
            .or_insert(line);
    }

    fn unknown(&self, c: char) -> Diagnostic {
        let span = self.span(self.scan.at, self.scan.at + c.len_utf8());
        let error = Diagnostic::error(span, format!("`{c}` has no meaning in a query"));
        match c {
            '!' => error.help("Write `<>` for `!=`, and `NOT` for `!`."),
            '&' => error.help("Write `AND`."),
            _ => error,
        }
    }

    fn quoted(&mut self, quote: char) -> Result<String, Diagnostic> {
        let start = self.scan.at;
        let unclosed = Diagnostic::error(self.span(start, start + 1), "This text is never closed")
            .help(format!("Write {quote} at its end."));
        let mut text = String::new();
        let mut chars = self.scan.text[start + 1..].char_indices();
        while let Some((at, c)) = chars.next() {
            let here = start + 1 + at;
            match c {
                c if c == quote => {
                    self.scan.at = here + 1;
                    return Ok(text);
                }
                '\\' => {
                    let Some((_, escaped)) = chars.next() else {
                        return Err(unclosed);
                    };
                    match escaped {
                        'n' => text.push('\n'),
                        't' => text.push('\t'),
                        'r' => text.push('\r'),
                        'b' => text.push('\u{8}'),
                        'f' => text.push('\u{c}'),
                        '\\' | '\'' | '"' | '`' => text.push(escaped),
                        'u' => {
                            let digits: String = (0..4)
                                .filter_map(|_| chars.next().map(|(_, digit)| digit))
                                .collect();
                            let code = u32::from_str_radix(&digits, 16).ok();
                            let Some(c) = code.and_then(char::from_u32) else {
                                let span = self.span(here, here + 2);
                                let message = "Four hexadecimal digits of a character follow `\\u`";
                                return Err(Diagnostic::error(span, message));
                            };
                            text.push(c);
                        }
                        other => {
                            let span = self.span(here, here + 1 + other.len_utf8());
                            let message = format!("`\\{other}` means nothing in a text");
                            let error = Diagnostic::error(span, message);
                            return Err(error.help(
                                "Write `\\\\` for a backslash, also in regular expressions.",
                            ));
                        }
                    }
                }
                c => text.push(c),
            }
        }
        Err(unclosed)
    }

    fn backticks(&mut self) -> Result<String, Diagnostic> {
        let start = self.scan.at;
        let mut name = String::new();
        self.scan.at += 1;
        loop {
            let Some(length) = self.scan.rest().find('`') else {
                let span = self.span(start, start + 1);
                return Err(Diagnostic::error(
                    span,
                    "This name is never closed with a backtick",
                ));
            };
            name.push_str(&self.scan.rest()[..length]);
            self.scan.at += length + 1;
            // Within a name two backticks stand for one.
            if !self.scan.rest().starts_with('`') {
                return Ok(name);
            }
            name.push('`');
            self.scan.at += 1;
        }
    }

    fn number(&mut self) -> Result<QueryToken, Diagnostic> {
        let start = self.scan.at;
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        self.scan.at += digits(self.scan.rest());
        let mut float = false;
        // A point without a digit after it is no part of the number, as in `1..5`.
        if self.scan.rest().starts_with('.') && digits(&self.scan.rest()[1..]) > 0 {
            float = true;
            self.scan.at += 1 + digits(&self.scan.rest()[1..]);
        }
        if self.scan.rest().starts_with(['e', 'E']) {
            let signed = usize::from(self.scan.rest()[1..].starts_with(['+', '-']));
            let exponent = digits(&self.scan.rest()[1 + signed..]);
            if exponent > 0 {
                float = true;
                self.scan.at += 1 + signed + exponent;
            }
        }
        let text = &self.scan.text[start..self.scan.at];
        let number = match float {
            true => text.parse().map(QueryToken::Float).ok(),
            false => text.parse().map(QueryToken::Int).ok(),
        };
        let glued = word(self.scan.rest()).len();
        match number {
            Some(number) if glued == 0 => Ok(number),
            Some(_) => {
                let span = self.span(start, self.scan.at + glued);
                Err(Diagnostic::error(span, "A name cannot begin with a digit"))
            }
            None => {
                let span = self.span(start, self.scan.at);
                Err(Diagnostic::error(span, "This number is too large")
                    .help("Whole numbers have 64 bits."))
            }
        }
    }
}

/// The name at the beginning of a text.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// Finds the end of each bracket.
fn pairs(tokens: &[Token<QueryToken>]) -> FxHashMap<usize, usize> {
    let mut closes = FxHashMap::default();
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            QueryToken::Sign("(") => open.push((at, ")")),
            QueryToken::Sign("[") => open.push((at, "]")),
            QueryToken::Sign("{") => open.push((at, "}")),
            QueryToken::Sign(sign @ (")" | "]" | "}")) => {
                if let Some((start, end)) = open.pop()
                    && end == sign
                {
                    closes.insert(start, at);
                }
            }
            _ => {}
        }
    }
    closes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toks(text: &str) -> Vec<QueryToken> {
        let lexed = lex(text, FileId::new(0)).expect("the text is right");
        lexed.tokens.into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn ranges_are_no_fractions_and_arrows_fall_apart() {
        let sign = QueryToken::Sign;
        assert_eq!(
            toks("*1..5]->"),
            [
                sign("*"),
                QueryToken::Int(1),
                sign(".."),
                QueryToken::Int(5),
                sign("]"),
                sign("-"),
                sign(">"),
                QueryToken::End
            ]
        );
        assert_eq!(toks("1.5e2"), [QueryToken::Float(150.0), QueryToken::End]);
    }

    #[test]
    fn texts_and_names_keep_what_is_quoted() {
        let toks = toks(r#"'it\'s' "\u00e9" `a``b c`"#);
        let expected = ["it's", "é"].map(|text| QueryToken::Text(text.into()));
        assert_eq!(toks[..2], expected);
        assert_eq!(toks[2], QueryToken::Quoted("a`b c".into()));
    }

    #[test]
    fn headings_and_comments_are_left_out() {
        let text = "**** Queries ****\n// one\n// two\nMATCH /* x */ (n)";
        let lexed = lex(text, FileId::new(0)).expect("the text is right");
        assert_eq!(lexed.tokens[0].kind, QueryToken::Word);
        assert_eq!(lexed.comments[&0], "one two".into());
        assert_eq!(lexed.tokens.len(), 5);
    }

    #[test]
    fn a_comment_does_not_end_within_its_first_sign() {
        assert!(lex("/*/", FileId::new(0)).is_err());
        let lexed = lex("/*/ a */ b", FileId::new(0)).expect("the text is right");
        assert_eq!(lexed.comments[&0], "/ a".into());
    }
}
