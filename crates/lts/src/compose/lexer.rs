//! The words of a composition file.

use wherefore_base::{Diagnostic, FileId, Span};

/// A word of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// `GAME`, `par`
    Word(String),
    /// `"text"`, without its quotes
    Text(String),
    /// `'regular expression'`, without its quotes
    Regex(String),
    Number(usize),
    Comma,
    Hash,
    Star,
    /// `_`
    Blank,
    /// `->`
    Arrow,
    /// `||`
    Bars,
    /// After the last word.
    End,
}

impl Token {
    /// What it is, for messages.
    pub(super) fn shown(&self) -> String {
        match self {
            Token::Word(word) => format!("`{word}`"),
            Token::Text(text) => format!("`\"{text}\"`"),
            Token::Regex(text) => format!("`'{text}'`"),
            Token::Number(number) => format!("`{number}`"),
            Token::Comma => "`,`".to_string(),
            Token::Hash => "`#`".to_string(),
            Token::Star => "`*`".to_string(),
            Token::Blank => "`_`".to_string(),
            Token::Arrow => "`->`".to_string(),
            Token::Bars => "`||`".to_string(),
            Token::End => "the end of the text".to_string(),
        }
    }
}

/// The words with their places, the last one being [`Token::End`].
pub(super) fn tokens(file: FileId, text: &str) -> Result<Vec<(Token, Span)>, Diagnostic> {
    let mut lexer = Lexer { file, text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip();
        let start = lexer.at;
        let token = lexer.token()?;
        let is_end = token == Token::End;
        tokens.push((token, Span::new(file, start, lexer.at)));
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Goes past white space and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let spaces = rest.len() - rest.trim_start().len();
            self.at += spaces;
            if !self.rest().starts_with("--") {
                return;
            }
            let line = self.rest().find('\n');
            self.at += line.unwrap_or(self.rest().len());
        }
    }

    fn token(&mut self) -> Result<Token, Diagnostic> {
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok(Token::End);
        };
        for (text, token) in [("->", Token::Arrow), ("||", Token::Bars)] {
            if self.rest().starts_with(text) {
                self.at += text.len();
                return Ok(token);
            }
        }
        if first.is_alphabetic() || first == '_' {
            self.at += self.word_length();
            return Ok(match &self.text[start..self.at] {
                "_" => Token::Blank,
                word => Token::Word(word.to_string()),
            });
        }
        if first.is_ascii_digit() {
            let rest = self.rest();
            let digits = rest.find(|c: char| !c.is_ascii_digit());
            self.at += digits.unwrap_or(rest.len());
            let span = Span::new(self.file, start, self.at);
            let number = self.text[start..self.at].parse();
            return number
                .map(Token::Number)
                .map_err(|_| Diagnostic::error(span, "This number is too large"));
        }
        if first == '"' || first == '\'' {
            return self.quoted(first);
        }
        self.at += first.len_utf8();
        match first {
            ',' => Ok(Token::Comma),
            '#' => Ok(Token::Hash),
            '*' => Ok(Token::Star),
            _ => {
                let span = Span::new(self.file, start, self.at);
                let message = format!("Nothing starts with `{first}` here");
                Err(Diagnostic::error(span, message)
                    .help("Labels with other signs than letters, digits and `_` stand in quotes."))
            }
        }
    }

    /// Letters, digits, `_`, and a `-` between two of them.
    fn word_length(&self) -> usize {
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let mut chars = self.rest().char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let joins = c == '-' && chars.peek().is_some_and(|&(_, next)| part(next));
            if !part(c) && !joins {
                return at;
            }
        }
        self.rest().len()
    }

    /// A text up to its second quote. `\` makes an ordinary character of a quote, and in `"` of itself.
    fn quoted(&mut self, quote: char) -> Result<Token, Diagnostic> {
        let start = self.at;
        let mut text = String::new();
        let mut chars = self.text[start + 1..].char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|&(_, next)| next);
            match c {
                '\n' => break,
                '\\' if next == Some(quote) || (quote == '"' && next == Some('\\')) => {
                    text.extend(next);
                    chars.next();
                }
                '\\' if quote == '\'' && next == Some('\\') => {
                    // An escaped backslash of a regular expression does not escape the quote after it.
                    text.push_str("\\\\");
                    chars.next();
                }
                c if c == quote => {
                    self.at = start + 1 + at + 1;
                    return Ok(match quote {
                        '"' => Token::Text(text),
                        _ => Token::Regex(text),
                    });
                }
                c => text.push(c),
            }
        }
        let line = self.text[start..].lines().next().unwrap_or_default();
        let span = Span::new(self.file, start, start + line.len());
        let message = format!("The second {quote} of this text is missing");
        Err(Diagnostic::error(span, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Result<Vec<Token>, String> {
        let tokens = tokens(FileId::new(0), text);
        let tokens = tokens.map_err(|diagnostic| diagnostic.message)?;
        Ok(tokens.into_iter().map(|(token, _)| token).collect())
    }

    #[test]
    fn words_texts_and_signs_are_told_apart() {
        let word = |text: &str| Token::Word(text.to_string());
        assert_eq!(
            words("GAME#2, _ * A->\"x \\\"y\\\"\" || 'a\\'\\.b' -- no 'word\ntau-a").as_deref(),
            Ok(&[
                word("GAME"),
                Token::Hash,
                Token::Number(2),
                Token::Comma,
                Token::Blank,
                Token::Star,
                word("A"),
                Token::Arrow,
                Token::Text("x \"y\"".to_string()),
                Token::Bars,
                Token::Regex("a'\\.b".to_string()),
                word("tau-a"),
                Token::End,
            ][..])
        );
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
