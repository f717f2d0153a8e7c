//! Words as the numbers they stand for.
//!
//! A word becomes an integer within the bounds of its type, so that everything that is known about numbers serves for
//! words, too; what runs over is wrapped around by a remainder. Operators on bits take the number apart, bit by bit.

use wherefore_base::Value as Plain;
use wherefore_model::{BinaryOp, Domain, Term as Low, TermId as LowId, WordOp};

use super::ModelTranslator;
use crate::term::{SmtOp, SmtTermId, SmtTerms};

/// The type of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WordSort {
    pub(super) signed: bool,
    pub(super) width: u32,
}

impl WordSort {
    /// The least and the greatest number of the type.
    pub(super) fn range(self) -> (i128, i128) {
        match self.signed {
            // Words of 64 bits are beyond the integers of as many bits.
            true => (
                -(1_i128 << (self.width - 1)),
                (1_i128 << (self.width - 1)) - 1,
            ),
            false => (0, (1_i128 << self.width) - 1),
        }
    }

    /// A number modulo a power of two, as a number of the type.
    pub(super) fn wrapped(self, terms: &mut SmtTerms, number: SmtTermId) -> SmtTermId {
        if !self.signed {
            return low_bits(terms, number, self.width);
        }
        // Moved up by half of the range, the numbers begin at zero, where a remainder wraps them around.
        let half = terms.int(1_i128 << (self.width - 1));
        let above = terms.op(SmtOp::Add, &[number, half]);
        let above = low_bits(terms, above, self.width);
        terms.op(SmtOp::Sub, &[above, half])
    }
}

impl ModelTranslator<'_> {
    /// The type of a term, if it is a word.
    pub(super) fn word(&self, id: LowId) -> Option<WordSort> {
        let model = self.model;
        match model.terms.get(id) {
            Low::Const(Plain::Word(word)) => Some(WordSort {
                signed: word.is_signed(),
                width: word.width(),
            }),
            Low::Var(var) | Low::Next(var) => match model.vars[*var].domain {
                Domain::Word { signed, width } => Some(WordSort { signed, width }),
                _ => None,
            },
            Low::Negate(a) => wherefore_base::deep(|| self.word(*a)),
            Low::Ite(_, a, _) => wherefore_base::deep(|| self.word(*a)),
            Low::Binary(BinaryOp::Concat, a, b) => {
                let (a, b) = wherefore_base::deep(|| self.word(*a).zip(self.word(*b)))?;
                Some(WordSort {
                    signed: false,
                    width: a.width + b.width,
                })
            }
            Low::Binary(op, a, _) if !op.is_condition() => wherefore_base::deep(|| self.word(*a)),
            Low::Word(WordOp::Select(high, low), _) => Some(WordSort {
                signed: false,
                width: high - low + 1,
            }),
            Low::Word(WordOp::Convert { signed, width }, _) => Some(WordSort {
                signed: *signed,
                width: *width,
            }),
            _ => None,
        }
    }

    /// The number that a word with an operator stands for.
    pub(super) fn of_word(&mut self, op: WordOp, a: LowId) -> Result<SmtTermId, String> {
        let number = self.value(a)?;
        Ok(match op {
            WordOp::ToInt => number,
            WordOp::Convert { signed, width } => {
                WordSort { signed, width }.wrapped(self.terms, number)
            }
            WordOp::Select(high, low) => {
                // The remainder of SMT-LIB is never negative, so this gives the bits of negative numbers too.
                let upper = low_bits(self.terms, number, high + 1);
                without_bits(self.terms, upper, low)
            }
        })
    }

    /// The same for an operator between words.
    pub(super) fn of_words(
        &mut self,
        of: WordSort,
        op: BinaryOp,
        a: LowId,
        b: LowId,
    ) -> Result<SmtTermId, String> {
        use BinaryOp as B;
        let other = self.word(b);
        let (a, b) = (self.value(a)?, self.value(b)?);
        Ok(match op {
            B::Add | B::Sub | B::Mul | B::Div | B::Mod => {
                let number = self.binary(op, a, b)?;
                of.wrapped(self.terms, number)
            }
            B::BitAnd | B::BitOr | B::BitXor => self.bit_by_bit(of, op, a, b),
            B::ShiftLeft | B::ShiftRight => self.shifted(of, op == B::ShiftLeft, a, b),
            B::Concat => {
                let width = other.map_or(0, |other| other.width);
                let (a, b) = (
                    low_bits(self.terms, a, of.width),
                    low_bits(self.terms, b, width),
                );
                let place = self.terms.int(1_i128 << width);
                let upper = self.terms.op(SmtOp::Mul, &[place, a]);
                self.terms.op(SmtOp::Add, &[upper, b])
            }
            _ => self.binary(op, a, b)?,
        })
    }

    fn bit_by_bit(&mut self, of: WordSort, op: BinaryOp, a: SmtTermId, b: SmtTermId) -> SmtTermId {
        let terms = &mut *self.terms;
        let zero = terms.int(0);
        let mut bits = vec![zero];
        for place in 0..of.width {
            let (x, y) = (bit(terms, a, place), bit(terms, b, place));
            let set = match op {
                BinaryOp::BitAnd => terms.and(&[x, y]),
                BinaryOp::BitOr => terms.or(&[x, y]),
                _ => {
                    let same = terms.equal(x, y);
                    terms.not(same)
                }
            };
            let value = terms.int(1_i128 << place);
            bits.push(terms.ite(set, value, zero));
        }
        let sum = terms.op(SmtOp::Add, &bits);
        of.wrapped(terms, sum)
    }

    fn shifted(&mut self, of: WordSort, left: bool, number: SmtTermId, by: SmtTermId) -> SmtTermId {
        let terms = &mut *self.terms;
        let zero = terms.int(0);
        // Shifted by all its bits, a word is zero, or consists of copies of its sign.
        let far = match left {
            true => zero,
            false => {
                let (negative, minus) = (terms.less(number, zero), terms.int(-1));
                terms.ite(negative, minus, zero)
            }
        };
        let mut all = far;
        for places in (1..of.width).rev() {
            let moved = match left {
                true => {
                    let place = terms.int(1_i128 << places);
                    let moved = terms.op(SmtOp::Mul, &[place, number]);
                    of.wrapped(terms, moved)
                }
                false => without_bits(terms, number, places),
            };
            let count = terms.int(i64::from(places));
            let so_many = terms.equal(by, count);
            all = terms.ite(so_many, moved, all);
        }
        let stays = terms.less_equal(by, zero);
        terms.ite(stays, number, all)
    }
}

/// The lowest bits of a number, as a number.
fn low_bits(terms: &mut SmtTerms, number: SmtTermId, width: u32) -> SmtTermId {
    let all = terms.int(1_i128 << width);
    terms.op(SmtOp::Mod, &[number, all])
}

/// A number without its lowest bits, moved to the right; copies of the sign come in.
fn without_bits(terms: &mut SmtTerms, number: SmtTermId, width: u32) -> SmtTermId {
    if width == 0 {
        return number;
    }
    let place = terms.int(1_i128 << width);
    terms.op(SmtOp::IntDiv, &[number, place])
}

/// Whether a bit of a number is set.
fn bit(terms: &mut SmtTerms, number: SmtTermId, place: u32) -> SmtTermId {
    let from = without_bits(terms, number, place);
    let lowest = low_bits(terms, from, 1);
    let one = terms.int(1);
    terms.equal(lowest, one)
}

#[cfg(test)]
mod tests {
    use wherefore_base::Word;
    use wherefore_model::{Model, apply};

    use super::super::Dictionary;
    use super::*;
    use crate::eval::eval;
    use crate::value::{SmtValuation, SmtValue};

    /// The number that a term of a model is in a system.
    fn number(model: &Model, id: LowId) -> i64 {
        let (dictionary, mut terms) = (Dictionary::default(), SmtTerms::default());
        let mut translator = ModelTranslator::new(&dictionary, model, &mut terms);
        let term = translator.value(id).expect("it has a place in systems");
        match eval(&terms, term, &SmtValuation::default()) {
            Ok(SmtValue::Int(number)) => i64::try_from(number).expect("words are small"),
            Ok(SmtValue::Bool(value)) => i64::from(value),
            other => panic!("{other:?}"),
        }
    }

    fn expected(value: Plain) -> i64 {
        match value {
            Plain::Word(word) => word.number() as i64,
            Plain::Int(number) => number,
            Plain::Bool(value) => i64::from(value),
            other @ Plain::Symbol(_) => panic!("{other:?}"),
        }
    }

    fn words() -> impl Iterator<Item = Word> {
        let types = [(false, 1), (true, 1), (false, 3), (true, 3)];
        let all =
            |(signed, width)| (0..1_u64 << width).map(move |bits| Word::new(signed, width, bits));
        types.into_iter().flat_map(all)
    }

    #[test]
    fn every_operator_on_small_words_gives_the_number_that_it_must() {
        use BinaryOp as B;
        let operators = [
            B::Add,
            B::Sub,
            B::Mul,
            B::Div,
            B::Mod,
            B::BitAnd,
            B::BitOr,
            B::BitXor,
            B::Concat,
            B::Less,
            B::LessEqual,
            B::Greater,
            B::GreaterEqual,
            B::Equal,
            B::Unequal,
        ];
        for (a, b) in words().flat_map(|a| words().map(move |b| (a, b))) {
            let alike = (a.is_signed(), a.width()) == (b.is_signed(), b.width());
            for op in operators {
                let by_zero = matches!(op, B::Div | B::Mod) && b.number() == 0;
                if (!alike && op != B::Concat) || by_zero {
                    continue;
                }
                let mut model = Model::default();
                let x = model.terms.add(Low::Const(Plain::Word(a)), None);
                let y = model.terms.add(Low::Const(Plain::Word(b)), None);
                let both = model.terms.add(Low::Binary(op, x, y), None);
                let is = apply(op, Plain::Word(a), Plain::Word(b)).expect("it fits");
                assert_eq!(number(&model, both), expected(is), "{op:?} of {a} and {b}");
            }
        }
    }

    #[test]
    fn shifts_selections_and_conversions_of_small_words_give_the_number_that_they_must() {
        for word in words() {
            let mut model = Model::default();
            let x = model.terms.add(Low::Const(Plain::Word(word)), None);
            for by in 0..5 {
                let count = model.terms.add(Low::Const(Plain::Int(by)), None);
                for op in [BinaryOp::ShiftLeft, BinaryOp::ShiftRight] {
                    let moved = model.terms.add(Low::Binary(op, x, count), None);
                    let is = apply(op, Plain::Word(word), Plain::Int(by)).expect("it fits");
                    assert_eq!(
                        number(&model, moved),
                        expected(is),
                        "{op:?} of {word} by {by}"
                    );
                }
            }
            let width = word.width();
            let mut operators = vec![
                WordOp::ToInt,
                WordOp::Select(width - 1, 0),
                WordOp::Select(width - 1, width / 2),
            ];
            for (signed, width) in [(false, 2), (true, 2), (false, 4), (true, 4)] {
                operators.push(WordOp::Convert { signed, width });
            }
            for op in operators {
                let of = model.terms.add(Low::Word(op, x), None);
                assert_eq!(
                    number(&model, of),
                    expected(op.apply(word)),
                    "{op:?} of {word}"
                );
            }
            let negated = model.terms.add(Low::Negate(x), None);
            let zero = Word::of_number(word.is_signed(), width, 0);
            let is = zero.calculate(word, i128::wrapping_sub);
            assert_eq!(number(&model, negated), is.number() as i64, "minus {word}");
        }
    }
}
