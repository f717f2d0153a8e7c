//! Values as machine words.
//!
//! Compiled terms calculate with 64-bit words. What a word stands for follows from the [`RawKind`] of
//! the term, which is known beforehand; only where values of several kinds meet does a word say
//! itself of which kind it is, in its two lowest bits.

use rustc_hash::FxHashMap;
use wherefore_base::{Symbol, Value, Word};
use wherefore_model::{BinaryOp, Domain, Model, Term, TermId, WordOp};

/// What the values of a term have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum RawKind {
    Bool,
    Int,
    Symbol,
    Word {
        signed: bool,
        width: u32,
    },
    /// Truth values, integers and symbols side by side.
    Mixed,
}

impl RawKind {
    pub(super) fn of(value: Value) -> Self {
        match value {
            Value::Bool(_) => RawKind::Bool,
            Value::Int(_) => RawKind::Int,
            Value::Symbol(_) => RawKind::Symbol,
            Value::Word(word) => RawKind::Word {
                signed: word.is_signed(),
                width: word.width(),
            },
        }
    }

    /// The kind of words; `None`: calculated as machine words, these would need more bits than there are.
    fn word(signed: bool, width: u32) -> Option<Self> {
        (width < u64::BITS).then_some(RawKind::Word { signed, width })
    }

    /// The kind of all values of a domain; `None` when words stand among others, or are too wide.
    pub(super) fn of_domain(domain: &Domain) -> Option<Self> {
        match domain {
            Domain::Bool => Some(RawKind::Bool),
            Domain::Range { .. } => Some(RawKind::Int),
            Domain::Word { signed, width } => RawKind::word(*signed, *width),
            Domain::Enum(values) => {
                let mut kinds = values.iter().map(|&value| RawKind::of(value));
                let first = kinds.next()?;
                kinds.try_fold(first, RawKind::join)
            }
        }
    }

    /// The kind of values of either kind.
    pub(super) fn join(self, other: Self) -> Option<Self> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (RawKind::Word { .. }, _) | (_, RawKind::Word { .. }) => None,
            _ => Some(RawKind::Mixed),
        }
    }

    /// The kind of an operator's result; `None` when it has none on such operands.
    pub(super) fn of_operator(op: BinaryOp, a: Self, b: Self) -> Option<Self> {
        use BinaryOp as B;
        match (op, a, b) {
            _ if op.is_condition() => Some(RawKind::Bool),
            (B::Concat, RawKind::Word { width: a, .. }, RawKind::Word { width: b, .. }) => {
                RawKind::word(false, a + b)
            }
            (_, RawKind::Word { .. }, _) => Some(a),
            (B::Add | B::Sub | B::Mul | B::Div | B::Mod, ..) => Some(RawKind::Int),
            _ => None,
        }
    }

    /// What stands in the lowest bits where kinds are mixed.
    pub(super) fn tag(self) -> i64 {
        match self {
            RawKind::Bool => 0,
            RawKind::Int => 1,
            RawKind::Symbol => 2,
            RawKind::Word { .. } | RawKind::Mixed => 3,
        }
    }

    /// The word for a value of this kind.
    pub(super) fn raw(self, value: Value) -> i64 {
        let own = match value {
            Value::Bool(truth) => i64::from(truth),
            Value::Int(number) => number,
            Value::Symbol(symbol) => symbol.index() as i64,
            Value::Word(word) => word.bits() as i64,
        };
        match self {
            RawKind::Mixed => own << 2 | RawKind::of(value).tag(),
            _ => own,
        }
    }

    /// The value that a word of this kind stands for.
    pub(super) fn value(self, raw: i64) -> Value {
        match self {
            RawKind::Bool => Value::Bool(raw != 0),
            RawKind::Int => Value::Int(raw),
            RawKind::Symbol => Value::Symbol(Symbol::new(raw as usize)),
            RawKind::Word { signed, width } => Value::Word(Word::new(signed, width, raw as u64)),
            RawKind::Mixed => match raw & 3 {
                0 => Value::Bool(raw >> 2 != 0),
                1 => Value::Int(raw >> 2),
                _ => Value::Symbol(Symbol::new((raw >> 2) as usize)),
            },
        }
    }
}

/// Integers beyond do not fit beside a tag.
const WIDEST: i64 = 1 << 60;

/// A word that is in no domain.
pub(super) const NOTHING: i64 = i64::MIN;

/// The kinds of the terms of a model.
#[derive(Debug)]
pub(super) struct Kinds {
    /// `None`: the values of the term are not of one kind, and too different to be mixed.
    kinds: Vec<Option<RawKind>>,
    /// Whether the term denotes several values.
    several: Vec<bool>,
    /// Whether its integers fit beside a tag.
    narrow: Vec<bool>,
    /// How many places there are where the term makes a choice or gives a value to choose.
    choices: Vec<u32>,
}

impl Kinds {
    pub(super) fn new(model: &Model) -> Self {
        let count = model.terms.len();
        let mut all = Self {
            kinds: Vec::with_capacity(count),
            several: Vec::with_capacity(count),
            narrow: Vec::with_capacity(count),
            choices: Vec::with_capacity(count),
        };
        for id in (0..count).map(TermId::new) {
            let term = model.terms.get(id);
            let kind = all.kind_of(model, term);
            let is_narrow = match term {
                Term::Const(Value::Int(number)) => number.abs() < WIDEST,
                Term::Var(var) | Term::Next(var) => match &model.vars[*var].domain {
                    Domain::Range { low, high } => -WIDEST < *low && *high < WIDEST,
                    Domain::Enum(values) => values
                        .iter()
                        .all(|v| v.as_int().is_none_or(|n| n.abs() < WIDEST)),
                    _ => true,
                },
                Term::Ite(_, a, b) => all.is_narrow(*a) && all.is_narrow(*b),
                Term::Set(members) => members.iter().all(|&m| all.is_narrow(m)),
                // One sum or difference of small numbers is small; more than that is not looked at.
                Term::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
                    is_small(model, *a) && is_small(model, *b)
                }
                // A remainder is nearer to zero than its divisor.
                Term::Binary(BinaryOp::Mod, _, b) => is_small(model, *b),
                _ => kind != Some(RawKind::Int) || matches!(term, Term::Count(_)),
            };
            let several = match term {
                Term::Set(_) => true,
                Term::Ite(_, a, b) => all.several[a.index()] || all.several[b.index()],
                _ => false,
            };
            let choices = match several {
                true => term.operands().map(|o| all.choices(o)).sum::<u64>(),
                false => 1,
            };
            all.choices.push(u32::try_from(choices).unwrap_or(u32::MAX));
            let fits = kind != Some(RawKind::Mixed) || is_narrow;
            all.kinds.push(kind.filter(|_| fits));
            all.narrow.push(is_narrow);
            all.several.push(several);
        }
        all
    }

    /// The kind of a term's values.
    pub(super) fn of(&self, term: TermId) -> Option<RawKind> {
        self.kinds[term.index()]
    }

    /// Whether a term denotes several values.
    pub(super) fn several(&self, term: TermId) -> bool {
        self.several[term.index()]
    }

    /// How many places there are where a term makes a choice or gives a value to choose.
    pub(super) fn choices(&self, term: TermId) -> u64 {
        u64::from(self.choices[term.index()])
    }

    /// Whether the integers among a term's values fit beside a tag.
    pub(super) fn is_narrow(&self, term: TermId) -> bool {
        self.narrow[term.index()]
    }

    fn kind_of(&self, model: &Model, term: &Term) -> Option<RawKind> {
        let operands_known = term.operands().all(|operand| self.of(operand).is_some());
        if !operands_known {
            return None;
        }
        match term {
            Term::Const(Value::Word(word)) => RawKind::word(word.is_signed(), word.width()),
            Term::Const(value) => Some(RawKind::of(*value)),
            Term::Var(var) | Term::Next(var) => RawKind::of_domain(&model.vars[*var].domain),
            Term::Not(_) | Term::Member(..) => Some(RawKind::Bool),
            Term::Negate(_) | Term::Count(_) => Some(RawKind::Int),
            Term::Binary(op, a, b) => RawKind::of_operator(*op, self.of(*a)?, self.of(*b)?),
            Term::Ite(_, a, b) => self.of(*a)?.join(self.of(*b)?),
            Term::Set(members) => {
                let mut kinds = members.iter().map(|&member| self.of(member));
                let first = kinds.next()??;
                kinds.try_fold(first, |kind, other| kind.join(other?))
            }
            Term::Word(op, _) => match *op {
                WordOp::Select(high, low) => RawKind::word(false, (high + 1).checked_sub(low)?),
                WordOp::Convert { signed, width } => RawKind::word(signed, width),
                WordOp::ToInt => Some(RawKind::Int),
            },
        }
    }
}

/// Whether a term is a constant or a variable far from the largest integers.
fn is_small(model: &Model, term: TermId) -> bool {
    let small = |number: i64| number.abs() < WIDEST / 2;
    match model.terms.get(term) {
        Term::Const(value) => value.as_int().is_some_and(small),
        Term::Var(var) | Term::Next(var) => match &model.vars[*var].domain {
            Domain::Range { low, high } => small(*low) && small(*high),
            Domain::Enum(values) => values.iter().all(|v| v.as_int().is_none_or(small)),
            _ => false,
        },
        _ => false,
    }
}

/// Between the values of a variable as words and their indices in its domain.
#[derive(Clone, Debug)]
pub(super) struct Codec {
    pub(super) kind: RawKind,
    pub(super) size: u64,
    form: RawForm,
}

#[derive(Clone, Debug)]
enum RawForm {
    /// The index is the word less this number.
    Offset(i64),
    /// A list of words; and for each word from the least on its index.
    Dense {
        words: Vec<i64>,
        least: i64,
        indices: Vec<u32>,
    },
    /// A list of words; and their indices.
    Sparse {
        words: Vec<i64>,
        indices: FxHashMap<i64, u64>,
    },
}

/// A table of indices has at most so many places for each value.
const SPREAD: u64 = 16;

impl Codec {
    /// `None` when the values cannot be words of one kind.
    pub(super) fn new(domain: &Domain) -> Option<Self> {
        let kind = RawKind::of_domain(domain)?;
        let form = match domain {
            Domain::Bool | Domain::Word { .. } => RawForm::Offset(0),
            // The word that stands for no value must not be one of the domain.
            Domain::Range { low: NOTHING, .. } => return None,
            Domain::Range { low, .. } => RawForm::Offset(*low),
            Domain::Enum(values) => {
                let fits = |v: &Value| v.as_int().is_none_or(|n| n.abs() < WIDEST);
                if kind == RawKind::Mixed && !values.iter().all(fits) {
                    return None;
                }
                let words: Vec<i64> = values.iter().map(|&value| kind.raw(value)).collect();
                let (least, most) = (*words.iter().min()?, *words.iter().max()?);
                if words.iter().zip(least..).all(|(&word, at)| word == at) {
                    RawForm::Offset(least)
                } else if most.abs_diff(least) < SPREAD * words.len() as u64 {
                    let mut indices = vec![u32::MAX; most.abs_diff(least) as usize + 1];
                    for (&word, index) in words.iter().zip(0..) {
                        indices[word.abs_diff(least) as usize] = index;
                    }
                    RawForm::Dense {
                        words,
                        least,
                        indices,
                    }
                } else {
                    let indices = words.iter().copied().zip(0..).collect();
                    RawForm::Sparse { words, indices }
                }
            }
        };
        Some(Self {
            kind,
            size: u64::try_from(domain.size()).ok()?,
            form,
        })
    }

    /// The word with an index of the domain.
    #[inline]
    pub(super) fn word(&self, index: u64) -> i64 {
        match &self.form {
            RawForm::Offset(low) => low.wrapping_add(index as i64),
            RawForm::Dense { words, .. } | RawForm::Sparse { words, .. } => words[index as usize],
        }
    }

    /// The index of a word, if the domain has it.
    #[inline]
    pub(super) fn index(&self, word: i64) -> Option<u64> {
        match &self.form {
            RawForm::Offset(low) => {
                // A word below the least one becomes a large number, which fails the bound.
                let index = word.wrapping_sub(*low) as u64;
                (index < self.size).then_some(index)
            }
            RawForm::Dense { least, indices, .. } => {
                let at = usize::try_from(word.checked_sub(*least)?).ok()?;
                let index = *indices.get(at)?;
                (index != u32::MAX).then_some(u64::from(index))
            }
            RawForm::Sparse { indices, .. } => indices.get(&word).copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_indices_of_a_domain_are_inverse_and_other_words_have_none() {
        let symbol = |n| Value::Symbol(Symbol::new(n));
        for domain in [
            Domain::Bool,
            Domain::Range { low: -3, high: 4 },
            Domain::Range {
                low: NOTHING + 1,
                high: -7,
            },
            Domain::Word {
                signed: true,
                width: 3,
            },
            Domain::Enum([symbol(4), symbol(2), symbol(3)].into()),
            Domain::Enum([symbol(2), symbol(3)].into()),
            Domain::Enum([symbol(1), Value::Int(1), Value::Bool(true)].into()),
            Domain::Enum([Value::Int(1 << 50), Value::Int(7)].into()),
        ] {
            let codec = Codec::new(&domain).expect("of one kind");
            for index in 0..=domain.last().min(9) {
                let word = codec.word(index);
                assert_eq!(codec.index(word), Some(index));
                assert_eq!(codec.kind.value(word), domain.value(index));
                assert_eq!(codec.kind.raw(domain.value(index)), word);
            }
            assert_eq!(codec.index(codec.kind.raw(Value::Int(77))), None);
        }
    }
}
