//! Domains: the values a variable can take, in the order in which they were declared.

use wherefore_base::{Value, Word};

/// A finite, ordered, non-empty set of values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Domain {
    /// `FALSE`, then `TRUE`.
    Bool,
    /// The integers `low..=high`, ascending.
    Range {
        /// The least value.
        low: i64,
        /// The greatest value.
        high: i64,
    },
    /// All words of a width, by their bits: where they have a sign, 0 comes first and -1 last.
    Word {
        /// Whether the words have a sign.
        signed: bool,
        /// How many bits they have, at most [`Word::WIDEST`].
        width: u32,
    },
    /// Listed values, in the order of the list; no value twice.
    Enum(Box<[Value]>),
}

impl Domain {
    /// How many values there are.
    pub fn size(&self) -> u128 {
        u128::from(self.last()) + 1
    }

    /// The index of the last value.
    pub fn last(&self) -> u64 {
        match self {
            Domain::Bool => 1,
            Domain::Range { low, high } => high.abs_diff(*low),
            Domain::Word { width, .. } => u64::MAX >> (u64::BITS - width),
            Domain::Enum(values) => values.len() as u64 - 1,
        }
    }

    /// How many bits number the values: the least `b` with `2^b >= size`.
    pub fn bits(&self) -> u32 {
        u64::BITS - self.last().leading_zeros()
    }

    /// The value with this index in declaration order.
    ///
    /// # Panics
    /// When the index is above [`Domain::last`].
    pub fn value(&self, index: u64) -> Value {
        assert!(
            index <= self.last(),
            "the index names a value of the domain"
        );
        match self {
            Domain::Bool => Value::Bool(index == 1),
            // The sum is at most `high`, even where the index itself does not fit an `i64`.
            Domain::Range { low, .. } => Value::Int(low.wrapping_add_unsigned(index)),
            Domain::Word { signed, width } => Value::Word(Word::new(*signed, *width, index)),
            Domain::Enum(values) => values[index as usize],
        }
    }

    /// The index of a value in declaration order, if the domain has it.
    pub fn index_of(&self, value: Value) -> Option<u64> {
        match (self, value) {
            (Domain::Bool, Value::Bool(b)) => Some(u64::from(b)),
            (Domain::Range { low, high }, Value::Int(n)) if (*low..=*high).contains(&n) => {
                Some(n.abs_diff(*low))
            }
            (Domain::Word { signed, width }, Value::Word(word)) => {
                let fits = (word.is_signed(), word.width()) == (*signed, *width);
                fits.then_some(word.bits())
            }
            (Domain::Enum(values), _) => {
                let at = values.iter().position(|&v| v == value)?;
                Some(at as u64)
            }
            _ => None,
        }
    }

    /// All values in declaration order.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        (0..=self.last()).map(|index| self.value(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_and_value_are_inverse_and_bits_suffice() {
        let list = [Value::Int(7), Value::Int(3), Value::Bool(true)];
        let range = |low, high| Domain::Range { low, high };
        for domain in [
            Domain::Bool,
            Domain::Word {
                signed: true,
                width: 3,
            },
            range(-2, 5),
            range(4, 4),
            Domain::Enum(list.into()),
        ] {
            for index in 0..=domain.last() {
                assert_eq!(domain.index_of(domain.value(index)), Some(index));
            }
            assert!(domain.size() <= 1 << domain.bits());
            assert!(domain.bits() == 0 || domain.size() > 1 << (domain.bits() - 1));
        }
        assert_eq!(range(0, 3).index_of(Value::Int(4)), None);
    }
}
