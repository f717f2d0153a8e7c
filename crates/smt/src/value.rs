//! Values of terms, and what interpretations say of symbols.

use std::collections::BTreeMap;
use std::fmt;

use num_bigint::{BigInt, BigUint};
use rustc_hash::FxHashMap;

use crate::number::Rational;
use crate::sort::{Sort, SortId};
use crate::term::{SmtOp, SmtTerm, SmtTermId, SmtTerms, SymbolId};

/// A value of some sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SmtValue {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A rational number.
    Real(Rational),
    /// A bit vector: its value and its width.
    BitVec(BigUint, u32),
    /// A constant of an enumeration, by its place in it.
    Constant(SortId, u32),
    /// A value of an uninterpreted sort, by a number that interpretations give it.
    Atom(SortId, u32),
    /// An array.
    Array(ArrayValue),
}

/// An array: elements at some indices, and one element everywhere else.
///
/// Invariant: no entry is equal to the element everywhere else, so equal arrays are equal values as long as the sort
/// of the indices is infinite or not all of it is listed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayValue {
    entries: BTreeMap<SmtValue, SmtValue>,
    default: Box<SmtValue>,
}

impl ArrayValue {
    /// The array that has the same element everywhere.
    pub fn constant(default: SmtValue) -> Self {
        Self {
            entries: BTreeMap::new(),
            default: Box::new(default),
        }
    }

    /// The element at an index.
    pub fn select(&self, index: &SmtValue) -> &SmtValue {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The array with another element at an index.
    #[must_use]
    pub fn store(mut self, index: SmtValue, element: SmtValue) -> Self {
        // What is as everywhere else has no entry: that is the invariant.
        match element == *self.default {
            true => self.entries.remove(&index),
            false => self.entries.insert(index, element),
        };
        self
    }

    /// The indices with other elements than everywhere else.
    pub fn entries(&self) -> impl Iterator<Item = (&SmtValue, &SmtValue)> {
        self.entries.iter()
    }

    /// The element everywhere else.
    pub fn default(&self) -> &SmtValue {
        &self.default
    }
}

/// What a function is: values at some arguments, and one value everywhere else, if that is known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct FunctionValue {
    /// The values that are known one by one.
    pub entries: BTreeMap<Vec<SmtValue>, SmtValue>,
    /// The value at all other arguments.
    pub default: Option<SmtValue>,
}

impl FunctionValue {
    /// The value at some arguments, if it is known.
    pub fn at(&self, args: &[SmtValue]) -> Option<&SmtValue> {
        self.entries.get(args).or(self.default.as_ref())
    }
}

/// What an interpretation says of symbols, and how many values uninterpreted sorts have.
#[derive(Clone, Default, Debug)]
pub struct SmtValuation {
    constants: FxHashMap<SymbolId, SmtValue>,
    functions: FxHashMap<SymbolId, FunctionValue>,
    universes: FxHashMap<SortId, u32>,
}

impl SmtValuation {
    /// Says what a constant or variable is.
    pub fn set(&mut self, symbol: SymbolId, value: SmtValue) {
        self.constants.insert(symbol, value);
    }

    /// Says what a function is.
    pub fn set_function(&mut self, symbol: SymbolId, function: FunctionValue) {
        self.functions.insert(symbol, function);
    }

    /// Says that an uninterpreted sort has exactly the values `Atom(sort, 0)` to `Atom(sort, count - 1)`.
    pub fn set_universe(&mut self, sort: SortId, count: u32) {
        self.universes.insert(sort, count);
    }

    /// What a constant or variable is, if it is known.
    pub fn get(&self, symbol: SymbolId) -> Option<&SmtValue> {
        self.constants.get(&symbol)
    }

    /// Forgets what a constant or variable is.
    pub fn remove(&mut self, symbol: SymbolId) {
        self.constants.remove(&symbol);
    }

    /// What a function is, if it is known.
    pub fn function(&self, symbol: SymbolId) -> Option<&FunctionValue> {
        self.functions.get(&symbol)
    }

    /// How many values an uninterpreted sort has, if that is known.
    pub fn universe(&self, sort: SortId) -> Option<u32> {
        self.universes.get(&sort).copied()
    }
}

impl SmtValue {
    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            SmtValue::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The term that stands for this value, if there is one: values of uninterpreted sorts have none.
    pub fn term(&self, terms: &mut SmtTerms) -> Option<SmtTermId> {
        Some(match self {
            SmtValue::Bool(value) => terms.bool(*value),
            SmtValue::Int(value) => terms.int(value.clone()),
            SmtValue::Real(value) => terms.real(value.clone()),
            SmtValue::BitVec(value, width) => terms.add(SmtTerm::BitVec(value.clone(), *width)),
            SmtValue::Constant(sort, at) => terms.add(SmtTerm::Constant(*sort, *at)),
            SmtValue::Atom(..) => return None,
            SmtValue::Array(array) => {
                let default = array.default.term(terms)?;
                let mut entries = Vec::new();
                for (index, element) in array.entries() {
                    entries.push((index.term(terms)?, element.term(terms)?));
                }
                // Without an entry the sort of the indices is not known.
                let (index, _) = entries.first().copied()?;
                let sort = Sort::Array(terms.sort(index), terms.sort(default));
                let sort = terms.sorts.add(sort);
                let mut term = terms.add(SmtTerm::Op(SmtOp::ConstArray(sort), [default].into()));
                for (index, element) in entries {
                    term = terms.add(SmtTerm::Op(SmtOp::Store, [term, index, element].into()));
                }
                term
            }
        })
    }

    /// The value as people read it; `terms` knows the names.
    pub fn show<'a>(&'a self, terms: &'a SmtTerms) -> ShowSmtValue<'a> {
        ShowSmtValue { terms, value: self }
    }
}

/// A value that knows its names and can be printed.
pub struct ShowSmtValue<'a> {
    terms: &'a SmtTerms,
    value: &'a SmtValue,
}

impl fmt::Display for ShowSmtValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value| ShowSmtValue {
            terms: self.terms,
            value,
        };
        match self.value {
            SmtValue::Bool(value) => write!(f, "{value}"),
            SmtValue::Int(value) => write!(f, "{value}"),
            SmtValue::Real(value) => write!(f, "{value}"),
            SmtValue::BitVec(value, width) => {
                write!(f, "#b{:0>1$}", value.to_str_radix(2), *width as usize)
            }
            SmtValue::Constant(sort, at) => match self.terms.sorts.get(*sort) {
                Sort::Enumeration(_, constants) => f.write_str(&constants[*at as usize]),
                _ => write!(f, "{at}"),
            },
            SmtValue::Atom(sort, at) => match self.terms.sorts.get(*sort) {
                Sort::Uninterpreted(name) => write!(f, "{name}{at}"),
                _ => write!(f, "{at}"),
            },
            SmtValue::Array(array) => {
                f.write_str("[")?;
                for (index, element) in array.entries() {
                    write!(f, "{}: {}, ", shown(index), shown(element))?;
                }
                write!(f, "else {}]", shown(array.default()))
            }
        }
    }
}
