//! The words of a query.

use std::rc::Rc;

use wherefore_base::{Diagnostic, FileId, Span};

/// What a token is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Tok {
    /// A name or a keyword.
    Word(Rc<str>),
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

/// A token with its place.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) tok: Tok,
    pub(super) span: Span,
    /// For an opening bracket: the index of the token that closes it.
    pub(super) close: Option<usize>,
    /// The comments right before it.
    pub(super) comment: Option<Rc<str>>,
}

/// Longer signs first.
const SIGNS: [&str; 25] = [
    "=~", "<>", "<=", ">=", "..", "(", ")", "[", "]", "{", "}", ",", ".", ":", ";", "|", "=", "<",
    ">", "+", "-", "*", "/", "%", "^",
];

/// Splits a text into tokens; the last one is [`Tok::End`].
pub(super) fn lex(text: &str, file: FileId) -> Result<Vec<Token>, Diagnostic> {
    let mut lexer = Lexer {
        text,
        file,
        at: 0,
        tokens: Vec::new(),
        comment: None,
        fresh: true,
    };
    lexer.run()?;
    let mut tokens = lexer.tokens;
    pair(&mut tokens);
    Ok(tokens)
}

struct Lexer<'a> {
    text: &'a str,
    file: FileId,
    at: usize,
    tokens: Vec<Token>,
    comment: Option<String>,
    /// Whether nothing but white space stands before on this line.
    fresh: bool,
}

impl Lexer<'_> {
    fn run(&mut self) -> Result<(), Diagnostic> {
        while let Some(c) = self.rest().chars().next() {
            let start = self.at;
            match c {
                '\n' => {
                    self.at += 1;
                    self.fresh = true;
                    continue;
                }
                c if c.is_whitespace() || c == '\u{feff}' => {
                    self.at += c.len_utf8();
                    continue;
                }
                // A heading between queries, as in collections of them.
                '*' if self.fresh && self.rest().starts_with("***") => {
                    self.at += self.line();
                    continue;
                }
                '/' if self.rest().starts_with("//") => {
                    let length = self.line();
                    self.remember(start + 2, start + length);
                    self.at += length;
                    continue;
                }
                '/' if self.rest().starts_with("/*") => {
                    let Some(length) = self.rest().find("*/") else {
                        let span = self.span(start, start + 2);
                        return Err(Diagnostic::error(span, "This comment is never closed"));
                    };
                    self.remember(start + 2, start + length);
                    self.at += length + 2;
                    continue;
                }
                '\'' | '"' => {
                    let text = self.quoted(c)?;
                    self.push(start, Tok::Text(text.into()));
                }
                '`' => {
                    let name = self.backticks()?;
                    self.push(start, Tok::Quoted(name.into()));
                }
                '$' => {
                    self.at += 1;
                    let length = word(self.rest());
                    if length == 0 {
                        let span = self.span(start, start + 1);
                        return Err(Diagnostic::error(
                            span,
                            "A parameter needs a name after `$`",
                        ));
                    }
                    let name = self.rest()[..length].into();
                    self.at += length;
                    self.push(start, Tok::Parameter(name));
                }
                c if c.is_ascii_digit() => {
                    let tok = self.number()?;
                    self.push(start, tok);
                }
                c if c.is_alphabetic() || c == '_' => {
                    let length = word(self.rest());
                    let name = self.rest()[..length].into();
                    self.at += length;
                    self.push(start, Tok::Word(name));
                }
                _ => {
                    let Some(sign) = SIGNS.iter().find(|sign| self.rest().starts_with(**sign))
                    else {
                        return Err(self.unknown(c));
                    };
                    self.at += sign.len();
                    self.push(start, Tok::Sign(sign));
                }
            }
            self.fresh = false;
        }
        self.push(self.at, Tok::End);
        Ok(())
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// How many bytes are left on this line.
    fn line(&self) -> usize {
        self.rest().find('\n').unwrap_or(self.rest().len())
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end)
    }

    fn push(&mut self, start: usize, tok: Tok) {
        let span = self.span(start, self.at);
        let comment = self.comment.take().map(Rc::from);
        self.tokens.push(Token {
            tok,
            span,
            close: None,
            comment,
        });
    }

    fn remember(&mut self, start: usize, end: usize) {
        let words: Vec<&str> = self.text[start..end].split_whitespace().collect();
        let line = words.join(" ");
        match &mut self.comment {
            Some(comment) => {
                comment.push(' ');
                comment.push_str(&line);
            }
            none => *none = Some(line),
        }
    }

    fn unknown(&self, c: char) -> Diagnostic {
        let span = self.span(self.at, self.at + c.len_utf8());
        let error = Diagnostic::error(span, format!("`{c}` has no meaning in a query"));
        match c {
            '!' => error.help("Write `<>` for `!=`, and `NOT` for `!`."),
            '&' => error.help("Write `AND`."),
            _ => error,
        }
    }

    fn quoted(&mut self, quote: char) -> Result<String, Diagnostic> {
        let start = self.at;
        let unclosed = Diagnostic::error(self.span(start, start + 1), "This text is never closed")
            .help(format!("Write {quote} at its end."));
        let mut text = String::new();
        let mut chars = self.text[start + 1..].char_indices();
        while let Some((at, c)) = chars.next() {
            let here = start + 1 + at;
            match c {
                c if c == quote => {
                    self.at = here + 1;
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
        let start = self.at;
        let mut name = String::new();
        self.at += 1;
        loop {
            let Some(length) = self.rest().find('`') else {
                let span = self.span(start, start + 1);
                return Err(Diagnostic::error(
                    span,
                    "This name is never closed with a backtick",
                ));
            };
            name.push_str(&self.rest()[..length]);
            self.at += length + 1;
            if !self.rest().starts_with('`') {
                return Ok(name);
            }
            name.push('`');
            self.at += 1;
        }
    }

    fn number(&mut self) -> Result<Tok, Diagnostic> {
        let start = self.at;
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        self.at += digits(self.rest());
        let mut float = false;
        if self.rest().starts_with('.') && digits(&self.rest()[1..]) > 0 {
            float = true;
            self.at += 1 + digits(&self.rest()[1..]);
        }
        if self.rest().starts_with(['e', 'E']) {
            let signed = usize::from(self.rest()[1..].starts_with(['+', '-']));
            let exponent = digits(&self.rest()[1 + signed..]);
            if exponent > 0 {
                float = true;
                self.at += 1 + signed + exponent;
            }
        }
        let text = &self.text[start..self.at];
        let number = match float {
            true => text.parse().map(Tok::Float).ok(),
            false => text.parse().map(Tok::Int).ok(),
        };
        let glued = word(self.rest());
        match number {
            Some(number) if glued == 0 => Ok(number),
            Some(_) => {
                let span = self.span(start, self.at + glued);
                Err(Diagnostic::error(span, "A name cannot begin with a digit"))
            }
            None => {
                let span = self.span(start, self.at);
                Err(Diagnostic::error(span, "This number is too large")
                    .help("Whole numbers have 64 bits."))
            }
        }
    }
}

/// How many bytes at the beginning are a name.
fn word(text: &str) -> usize {
    let inside = |c: &char| c.is_alphanumeric() || *c == '_';
    text.chars().take_while(inside).map(char::len_utf8).sum()
}

/// Finds the end of each bracket.
fn pair(tokens: &mut [Token]) {
    let mut open: Vec<(usize, &str)> = Vec::new();
    for at in 0..tokens.len() {
        let Tok::Sign(sign) = tokens[at].tok else {
            continue;
        };
        match sign {
            "(" => open.push((at, ")")),
            "[" => open.push((at, "]")),
            "{" => open.push((at, "}")),
            ")" | "]" | "}" => {
                if let Some((start, end)) = open.pop()
                    && end == sign
                {
                    tokens[start].close = Some(at);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toks(text: &str) -> Vec<Tok> {
        let tokens = lex(text, FileId::new(0)).expect("the text is right");
        tokens.into_iter().map(|token| token.tok).collect()
    }

    #[test]
    fn ranges_are_no_fractions_and_arrows_fall_apart() {
        let sign = Tok::Sign;
        assert_eq!(
            toks("*1..5]->"),
            [
                sign("*"),
                Tok::Int(1),
                sign(".."),
                Tok::Int(5),
                sign("]"),
                sign("-"),
                sign(">"),
                Tok::End
            ]
        );
        assert_eq!(toks("1.5e2"), [Tok::Float(150.0), Tok::End]);
    }

    #[test]
    fn texts_and_names_keep_what_is_quoted() {
        let toks = toks(r#"'it\'s' "\u00e9" `a``b c`"#);
        let expected = ["it's", "é"].map(|text| Tok::Text(text.into()));
        assert_eq!(toks[..2], expected);
        assert_eq!(toks[2], Tok::Quoted("a`b c".into()));
    }

    #[test]
    fn headings_and_comments_are_left_out() {
        let text = "**** Queries ****\n// one\n// two\nMATCH /* x */ (n)";
        let tokens = lex(text, FileId::new(0)).expect("the text is right");
        assert_eq!(tokens[0].tok, Tok::Word("MATCH".into()));
        assert_eq!(tokens[0].comment.as_deref(), Some("one two"));
        assert_eq!(tokens.len(), 5);
    }
}
