//! Names and the values that variables take.

use std::collections::HashMap;
use std::fmt;

use crate::Word;

crate::define_id!(
    /// An interned name: a symbolic constant of a model.
    pub struct Symbol
);

/// `true`, `7` or `idle`: a value of a variable or expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A symbolic constant.
    Symbol(Symbol),
    /// A number of a fixed width.
    Word(Word),
}

impl Value {
    /// The truth value, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_int(self) -> Option<i64> {
        match self {
            Value::Int(n) => Some(n),
            _ => None,
        }
    }

    /// The word, if it is one.
    pub fn as_word(self) -> Option<Word> {
        match self {
            Value::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// The table of interned names.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Names {
    texts: Vec<Box<str>>,
    ids: HashMap<Box<str>, Symbol>,
}

impl Names {
    /// The symbol for this text, interned on first use.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.ids.get(text) {
            return symbol;
        }
        let symbol = Symbol::new(self.texts.len());
        self.texts.push(text.into());
        self.ids.insert(text.into(), symbol);
        symbol
    }

    /// The symbol for this text, if it was interned.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.ids.get(text).copied()
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.index()]
    }

    /// A value as the user writes it: `TRUE`, `-3`, `idle`.
    pub fn show(&self, value: Value) -> ShowValue<'_> {
        ShowValue { names: self, value }
    }
}

/// A value that knows its names and can be printed.
pub struct ShowValue<'a> {
    names: &'a Names,
    value: Value,
}

impl fmt::Display for ShowValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Value::Bool(true) => f.pad("TRUE"),
            Value::Bool(false) => f.pad("FALSE"),
            Value::Int(n) => f.pad(&n.to_string()),
            Value::Symbol(symbol) => f.pad(self.names.text(symbol)),
            Value::Word(word) => word.fmt(f),
        }
    }
}
