//! Macros: `#define NAME text`.
//!
//! From its definition on, the name stands for the tokens of the text, which goes to the end of the line.
//! Macros in it are replaced when it is used. Other lines of the C preprocessor are not understood.

use rustc_hash::FxHashMap;
use wherefore_base::Diagnostic;

use super::{SmvLexer, continues_name, starts_name};
use crate::token::Token;

/// The most tokens that macros may unfold to.
const MOST: usize = 1 << 20;

/// The macros of a text.
#[derive(Default)]
pub(super) struct Macros<'a> {
    bodies: FxHashMap<&'a str, Vec<Token>>,
    /// Whether the text of a macro is being read.
    pub(super) open: bool,
    /// How many tokens macros were unfolded to.
    unfolded: usize,
}

impl<'a> SmvLexer<'a> {
    /// Reads `#define NAME text`; `None` if the line is something else.
    pub(super) fn define(&mut self) -> Option<()> {
        if self.macros.open {
            return None;
        }
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let from = |at: usize| {
            at + self.scan.bytes()[at..]
                .iter()
                .take_while(|b| blank(b))
                .count()
        };
        let word = from(self.scan.at + 1);
        let after = word + "define".len();
        if !self.scan.bytes()[word..].starts_with(b"define")
            || !self.scan.bytes().get(after).is_some_and(blank)
        {
            return None;
        }
        let name = from(after);
        let length = self.scan.bytes()[name..]
            .iter()
            .take_while(|&&byte| continues_name(byte))
            .count();
        let body = name + length;
        let named = self
            .scan
            .bytes()
            .get(name)
            .is_some_and(|&byte| starts_name(byte));
        if !named || self.scan.bytes().get(body) == Some(&b'(') {
            return None;
        }
        let end = self.end_of_line(body);
        let text = self.scan.text;
        // The tokens of the text are collected apart from those of the file.
        let before = std::mem::take(&mut self.scan.tokens);
        self.scan.at = body;
        self.macros.open = true;
        self.run(end);
        self.macros.open = false;
        self.scan.at = self.scan.at.max(end);
        let tokens = std::mem::replace(&mut self.scan.tokens, before);
        self.macros.bodies.insert(&text[name..body], tokens);
        Some(())
    }

    /// Puts the text of a macro in the place of its name, which ends here; false if it is none.
    pub(super) fn expand(&mut self, name: &'a str, start: usize) -> bool {
        if self.macros.open || !self.macros.bodies.contains_key(name) {
            return false;
        }
        let place = (start as u32, self.scan.at as u32);
        // The names whose texts are open, with how much of each is left to read.
        let mut open: Vec<(&'a str, Vec<Token>)> = Vec::new();
        let reversed = |tokens: &Vec<Token>| tokens.iter().rev().copied().collect::<Vec<Token>>();
        open.push((name, reversed(&self.macros.bodies[name])));
        while let Some((_, rest)) = open.last_mut() {
            let Some(token) = rest.pop() else {
                open.pop();
                continue;
            };
            let text = self.scan.text;
            let text = &text[token.text.0 as usize..token.text.1 as usize];
            // A macro inside its own text stays as it is, so that unfolding ends.
            if let Some(body) = self.macros.bodies.get(text)
                && open.iter().all(|(other, _)| *other != text)
            {
                open.push((text, reversed(body)));
                continue;
            }
            self.macros.unfolded += 1;
            if self.macros.unfolded > MOST || self.effort.spend(size_of::<Token>()).is_none() {
                self.too_large(start);
                return true;
            }
            // What a macro stands for is told of at the place of its name.
            self.scan.tokens.push(Token {
                start: place.0,
                end: place.1,
                ..token
            });
        }
        true
    }

    /// Tells that macros unfold to too much, and ends the text.
    fn too_large(&mut self, start: usize) {
        if self.macros.unfolded > MOST {
            let span = self.scan.span(start);
            let message = "The macros of this file unfold to too many tokens";
            self.diagnostics.push(Diagnostic::error(span, message));
        }
        self.scan.at = self.scan.text.len();
    }

    /// The end of the line at a place; a backslash at the end of a line continues it.
    fn end_of_line(&self, mut at: usize) -> usize {
        loop {
            let rest = &self.scan.bytes()[at..];
            let Some(length) = rest.iter().position(|&byte| byte == b'\n') else {
                return self.scan.bytes().len();
            };
            let line = rest[..length]
                .strip_suffix(b"\r")
                .unwrap_or(&rest[..length]);
            if !line.ends_with(b"\\") {
                return at + length;
            }
            at += length + 1;
        }
    }
}
