//! A place in a list of tokens.

use wherefore_base::{FileId, Span};

use crate::{Token, TokenKind};

/// Tokens of a file, and which of them is read next. The last token is the end of the text.
#[derive(Clone, Debug)]
pub struct Cursor<'a, K> {
    /// The file, for places.
    pub file: FileId,
    /// The whole text.
    pub text: &'a str,
    /// All tokens.
    pub tokens: Vec<Token<K>>,
    /// The index of the present token.
    pub at: usize,
    /// How deeply what is being read is nested, where that is limited.
    pub depth: usize,
}

impl<'a, K: TokenKind> Cursor<'a, K> {
    /// A cursor at the first token.
    pub fn new(file: FileId, text: &'a str, tokens: Vec<Token<K>>) -> Self {
        Self {
            file,
            text,
            tokens,
            at: 0,
            depth: 0,
        }
    }

    /// The present token.
    pub fn token(&self) -> &Token<K> {
        &self.tokens[self.at]
    }

    /// The token so many places ahead; the end of the text is never passed.
    pub fn ahead(&self, count: usize) -> &Token<K> {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + count).min(last)]
    }

    /// The token so many places behind.
    pub fn behind(&self, count: usize) -> Option<&Token<K>> {
        self.at.checked_sub(count).map(|at| &self.tokens[at])
    }

    /// The place of a token.
    pub fn span_of(&self, token: &Token<K>) -> Span {
        Span::new(self.file, token.start as usize, token.end as usize)
    }

    /// The text of a token.
    pub fn text_of(&self, token: &Token<K>) -> &'a str {
        &self.text[token.text.0 as usize..token.text.1 as usize]
    }
}
