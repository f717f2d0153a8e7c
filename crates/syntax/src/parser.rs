//! What recursive-descent parsers have in common.

use wherefore_base::{Diagnostic, Span, deep};

use crate::{Cursor, TokenKind};

/// A syntax error was reported, or the effort is over; what was being read is given up.
#[derive(Debug)]
pub struct Failed;

/// How tightly an operator binds; greater is tighter.
pub type Level = u8;

/// An operator that stands between two operands.
#[derive(Clone, Copy, Debug)]
pub struct Infix<O> {
    /// What it is.
    pub op: O,
    /// How tightly it binds.
    pub level: Level,
    /// How many tokens it has.
    pub width: usize,
}

/// A grammar of operators, for [`Parser::climb`]. `P` is the parser, `T` an operand, `O` an operator.
#[derive(Debug)]
pub struct Precedence<P, T, O, E> {
    /// Reads an operand with the operators before it, where operators of a level may stand.
    pub operand: fn(&mut P, Level) -> Result<T, E>,
    /// The operator that stands here after an operand.
    pub infix: fn(&P, &T) -> Option<Infix<O>>,
    /// Reads what an operator takes on its right; the operator was passed.
    pub join: fn(&mut P, T, Infix<O>) -> Result<T, E>,
}

/// A recursive-descent parser over a [`Cursor`].
///
/// A parser that stops at its first error has diagnostics as errors. One that reports and goes on has [`Failed`].
pub trait Parser<'a>: Sized {
    /// What its tokens are.
    type Kind: TokenKind;
    /// What ends the reading of something.
    type Error;

    /// Deeper nesting is refused.
    const DEEPEST: usize = usize::MAX;

    /// The tokens and the present place.
    fn cursor(&self) -> &Cursor<'a, Self::Kind>;

    /// The tokens and the present place.
    fn cursor_mut(&mut self) -> &mut Cursor<'a, Self::Kind>;

    /// Reports an error that ends the reading of something.
    fn reject(&mut self, wrong: Diagnostic) -> Self::Error;

    /// Adds advice about the present token, which stands where something else is expected.
    fn advise(&self, wrong: Diagnostic, _expected: &str) -> Diagnostic {
        wrong
    }

    /// The kind of the present token.
    fn peek(&self) -> Self::Kind {
        self.cursor().token().kind.clone()
    }

    /// The kind of a token further on.
    fn ahead(&self, count: usize) -> Self::Kind {
        self.cursor().ahead(count).kind.clone()
    }

    /// The text of the present token.
    fn text(&self) -> &'a str {
        self.cursor().text_of(self.cursor().token())
    }

    /// The place of the present token.
    fn here(&self) -> Span {
        self.cursor().span_of(self.cursor().token())
    }

    /// The place of the token before the present one.
    fn before(&self) -> Span {
        let cursor = self.cursor();
        cursor.span_of(&cursor.tokens[cursor.at.saturating_sub(1)])
    }

    /// Passes tokens, none of which is the end of the text.
    fn skip(&mut self, count: usize) {
        self.cursor_mut().at += count;
    }

    /// Passes the present token and returns its text; the end of the text is never passed.
    fn advance(&mut self) -> &'a str {
        let text = self.text();
        let inside = self.cursor().token().kind != Self::Kind::END;
        self.skip(usize::from(inside));
        text
    }

    /// Whether the present token is of a kind.
    fn is(&self, kind: impl Into<Self::Kind>) -> bool {
        self.cursor().token().kind == kind.into()
    }

    /// Passes the present token if it is of a kind.
    fn eat(&mut self, kind: impl Into<Self::Kind>) -> bool {
        let found = self.is(kind);
        self.skip(usize::from(found));
        found
    }

    /// The present token, if it is a word.
    fn word(&self) -> Option<&'a str> {
        self.cursor().token().kind.is_word().then(|| self.text())
    }

    /// Whether the present token is this word.
    fn is_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    /// Passes the present token if it is this word.
    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.skip(usize::from(found));
        found
    }

    /// Passes this word.
    ///
    /// # Errors
    /// Another token.
    fn expect_word(&mut self, word: &str) -> Result<(), Self::Error> {
        if self.eat_word(word) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{word}`")))
    }

    /// Passes a token of a kind; `place` says where it is expected.
    ///
    /// # Errors
    /// Another token.
    fn expect(&mut self, kind: impl Into<Self::Kind>, place: &str) -> Result<(), Self::Error> {
        let kind = kind.into();
        if self.eat(kind.clone()) {
            return Ok(());
        }
        let space = if place.is_empty() { "" } else { " " };
        Err(self.unexpected(&format!("`{}`{space}{place}", kind.spelling())))
    }

    /// Passes the sign that closes what was opened at a place.
    ///
    /// # Errors
    /// Another token.
    fn expect_close(&mut self, kind: impl Into<Self::Kind>, open: Span) -> Result<(), Self::Error> {
        let kind = kind.into();
        if self.eat(kind.clone()) {
            return Ok(());
        }
        let mut wrong = self.misplaced(&format!("an operator or `{}`", kind.spelling()));
        if wrong.labels.iter().all(|label| label.span != open) {
            wrong = wrong.see(open, "this is not closed");
        }
        Err(self.reject(wrong))
    }

    /// Reads one thing, and others as long as a separator stands before them.
    ///
    /// # Errors
    /// Those of what is read.
    fn separated<T>(
        &mut self,
        separator: impl Into<Self::Kind>,
        mut read: impl FnMut(&mut Self) -> Result<T, Self::Error>,
    ) -> Result<Vec<T>, Self::Error> {
        let separator = separator.into();
        let mut all = vec![read(self)?];
        while self.eat(separator.clone()) {
            all.push(read(self)?);
        }
        Ok(all)
    }

    /// Reports that the present token does not fit.
    fn unexpected(&mut self, expected: &str) -> Self::Error {
        let wrong = self.misplaced(expected);
        self.reject(wrong)
    }

    /// Reports an error at a place.
    fn wrong(&mut self, span: Span, message: impl Into<String>) -> Self::Error {
        self.reject(Diagnostic::error(span, message))
    }

    /// What to say about the present token, which does not fit.
    fn misplaced(&self, expected: &str) -> Diagnostic {
        let (here, kind) = (self.here(), &self.cursor().token().kind);
        let line = self.text().lines().next().unwrap_or_default();
        let shown: String = line.chars().take(40).collect();
        let wrong = if *kind == Self::Kind::END {
            Diagnostic::error(here, format!("The text ends where {expected} is expected"))
        } else if kind.is_unknown() {
            let character = show_character(shown.chars().next().unwrap_or(' '));
            let message = format!("The character {character} cannot be used here");
            Diagnostic::error(here, message).because(format!("{expected} is expected"))
        } else {
            Diagnostic::error(
                here,
                format!("`{shown}` stands where {expected} is expected"),
            )
        };
        self.advise(wrong, expected)
    }

    /// Reads an expression whose operators all bind at least as tightly as `level`, by precedence climbing.
    ///
    /// # Errors
    /// Those of the operands.
    fn climb<T, O>(
        &mut self,
        level: Level,
        grammar: &Precedence<Self, T, O, Self::Error>,
    ) -> Result<T, Self::Error> {
        let mut left = deep(|| (grammar.operand)(self, level))?;
        while let Some(infix) = (grammar.infix)(self, &left).filter(|infix| infix.level >= level) {
            self.skip(infix.width);
            left = deep(|| (grammar.join)(self, left, infix))?;
        }
        Ok(left)
    }

    /// Counts levels of nesting, which the caller takes back afterwards.
    ///
    /// # Errors
    /// More levels than [`Parser::DEEPEST`].
    fn deeper(&mut self, levels: usize) -> Result<(), Self::Error> {
        let cursor = self.cursor_mut();
        cursor.depth += levels;
        if cursor.depth > Self::DEEPEST {
            let deepest = Self::DEEPEST;
            let message = format!("An expression is nested more than {deepest} levels deep");
            return Err(self.wrong(self.here(), message));
        }
        Ok(())
    }

    /// Reads something one level deeper.
    ///
    /// # Errors
    /// Those of what is read, and too deep nesting.
    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Self::Error>,
    ) -> Result<T, Self::Error> {
        self.deeper(1)?;
        let read = deep(|| read(self));
        self.cursor_mut().depth -= 1;
        read
    }
}

/// A character as shown in a message: itself, with its code if it may not be what it looks like.
fn show_character(c: char) -> String {
    match c {
        c if c.is_ascii_graphic() => format!("`{c}`"),
        c if c.is_alphanumeric() => format!("`{c}` (U+{:04X})", c as u32),
        c => format!("U+{:04X}", c as u32),
    }
}
