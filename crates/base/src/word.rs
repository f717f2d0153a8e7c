//! Words: numbers of a fixed width, with or without a sign, calculated modulo a power of two.

use std::fmt;
use std::str::FromStr;

/// A bit vector that stands for a number, in two's complement where it has a sign.
///
/// Words of the same type are ordered by their bits read as a number without a sign.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Word {
    bits: u64,
    width: u8,
    signed: bool,
}

impl Word {
    /// The most bits a word may have.
    pub const WIDEST: u32 = 64;

    /// The word with these lowest bits.
    ///
    /// # Panics
    /// When the width is 0 or more than [`Word::WIDEST`].
    pub fn new(signed: bool, width: u32, bits: u64) -> Self {
        assert!(
            (1..=Self::WIDEST).contains(&width),
            "a word has from 1 to 64 bits"
        );
        Self {
            bits: bits & mask(width),
            width: width as u8,
            signed,
        }
    }

    /// The word of this type that stands for a number, modulo a power of two.
    pub fn of_number(signed: bool, width: u32, number: i128) -> Self {
        Self::new(signed, width, number as u64)
    }

    /// Its bits, the lowest one last.
    pub fn bits(self) -> u64 {
        self.bits
    }

    /// How many bits it has.
    pub fn width(self) -> u32 {
        u32::from(self.width)
    }

    /// Whether it has a sign.
    pub fn is_signed(self) -> bool {
        self.signed
    }

    /// The number it stands for.
    pub fn number(self) -> i128 {
        let unused = u64::BITS - self.width();
        match self.signed {
            // The sign goes to the top, and the arithmetic shift copies it down again.
            true => i128::from(((self.bits << unused) as i64) >> unused),
            false => i128::from(self.bits),
        }
    }

    /// The number it stands for as a word of another type, modulo a power of two.
    pub fn convert(self, signed: bool, width: u32) -> Self {
        Self::of_number(signed, width, self.number())
    }

    /// The bits from `high` down to `low`, without a sign.
    ///
    /// # Panics
    /// When `high` is less than `low`.
    pub fn select(self, high: u32, low: u32) -> Self {
        Self::new(false, high - low + 1, self.bits >> low)
    }

    /// The bits of this word and then those of the other, without a sign; `None` when they are too many.
    pub fn concat(self, other: Self) -> Option<Self> {
        let width = self.width() + other.width();
        // A shift by all 64 bits is not defined; then there are too many bits anyway.
        let bits = self.bits << other.width().min(u64::BITS - 1) | other.bits;
        (width <= Self::WIDEST).then(|| Self::new(false, width, bits))
    }

    /// The word of the same type with the bits that a function makes of those of both.
    pub fn bitwise(self, other: Self, f: impl FnOnce(u64, u64) -> u64) -> Self {
        Self::new(self.signed, self.width(), f(self.bits, other.bits))
    }

    /// The word of the same type that stands for what a function makes of both numbers, modulo a power
    /// of two.
    pub fn calculate(self, other: Self, f: impl FnOnce(i128, i128) -> i128) -> Self {
        Self::of_number(self.signed, self.width(), f(self.number(), other.number()))
    }

    /// Shifted to the left; zeros come in.
    pub fn shift_left(self, by: u32) -> Self {
        let bits = self.bits.checked_shl(by).unwrap_or(0);
        Self::new(self.signed, self.width(), bits)
    }

    /// Shifted to the right; copies of the sign come in, or zeros where there is none.
    pub fn shift_right(self, by: u32) -> Self {
        // Shifts beyond the width change nothing any more.
        let number = self.number() >> by.min(u64::BITS);
        Self::of_number(self.signed, self.width(), number)
    }
}

/// As in `0ud4_13` and `-0sd4_3`.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.number() < 0 { "-" } else { "" };
        let kind = if self.signed { 's' } else { 'u' };
        let size = self.number().unsigned_abs();
        f.pad(&format!("{sign}0{kind}d{}_{size}", self.width))
    }
}

/// The text is no word, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoWord {
    /// It is not written as a word is.
    Form,
    /// It has no bits, or too many.
    Width,
    /// Its number does not fit its width.
    Number,
}

/// As in `0ud4_13`, `0b4_1101`, `0sh8_f0` and `-0sd4_3`; without a letter for it there is no sign.
impl FromStr for Word {
    type Err = NoWord;

    fn from_str(text: &str) -> Result<Self, NoWord> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let rest = rest.strip_prefix('0').ok_or(NoWord::Form)?;
        let (signed, rest) = match rest.as_bytes().first() {
            Some(b's' | b'S') => (true, &rest[1..]),
            Some(b'u' | b'U') => (false, &rest[1..]),
            _ => (false, rest),
        };
        let (base, bits_each) = match rest.as_bytes().first() {
            Some(b'b' | b'B') => (2, Some(1)),
            Some(b'o' | b'O') => (8, Some(3)),
            Some(b'd' | b'D') => (10, None),
            Some(b'h' | b'H') => (16, Some(4)),
            _ => return Err(NoWord::Form),
        };
        let (width, digits) = rest[1..].split_once('_').ok_or(NoWord::Form)?;
        let digits: String = digits.chars().filter(|c| *c != '_').collect();
        if digits.is_empty() || digits.starts_with(['+', '-']) {
            return Err(NoWord::Form);
        }
        let width: u32 = match (width, bits_each) {
            ("", Some(each)) => u32::try_from(digits.len() * each).map_err(|_| NoWord::Width)?,
            _ => width.parse().map_err(|_| NoWord::Form)?,
        };
        if !(1..=Self::WIDEST).contains(&width) {
            return Err(NoWord::Width);
        }
        // Digits that are right but too many are a number that does not fit.
        let well_formed = digits.chars().all(|c| c.is_digit(base));
        let number = match u64::from_str_radix(&digits, base) {
            Ok(number) => number,
            Err(_) if well_formed => return Err(NoWord::Number),
            Err(_) => return Err(NoWord::Form),
        };
        // Digits that stand for bits may set the sign; a decimal number may reach the least one.
        let most = match signed && base == 10 {
            true => 1 << (width - 1),
            false => mask(width),
        };
        if number > most {
            return Err(NoWord::Number);
        }
        // Bits beyond the width are cut off by `new`.
        let bits = if negative {
            number.wrapping_neg()
        } else {
            number
        };
        Ok(Self::new(signed, width, bits))
    }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (u64::BITS - width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_numbers_modulo_a_power_of_two() {
        for number in -20..20 {
            let unsigned = Word::of_number(false, 3, number);
            let signed = Word::of_number(true, 3, number);
            assert_eq!(unsigned.number(), number.rem_euclid(8));
            assert_eq!(signed.number(), (number + 4).rem_euclid(8) - 4);
            assert_eq!(signed.convert(false, 3), unsigned);
            assert_eq!(
                signed.convert(true, 5).number(),
                signed.number(),
                "the sign is kept"
            );
        }
    }

    #[test]
    fn words_are_shown_as_they_are_written() {
        assert_eq!(Word::of_number(false, 4, 13).to_string(), "0ud4_13");
        assert_eq!(Word::of_number(true, 4, 13).to_string(), "-0sd4_3");
    }

    #[test]
    fn words_are_read_as_they_are_shown_and_in_other_bases() {
        let read = |text: &str| text.parse::<Word>();
        for word in [
            Word::of_number(true, 4, -8),
            Word::of_number(true, 4, 7),
            Word::new(false, 64, u64::MAX),
        ] {
            assert_eq!(read(&word.to_string()), Ok(word));
        }
        assert_eq!(read("0uh8_a5"), Ok(Word::new(false, 8, 0xa5)));
        assert_eq!(read("0b_01_01"), Ok(Word::new(false, 4, 5)));
        assert_eq!(read("0sb4_1000"), Ok(Word::of_number(true, 4, -8)));
        assert_eq!(read("0ud4_16"), Err(NoWord::Number));
        assert_eq!(read("0ud65_1"), Err(NoWord::Width));
        assert_eq!(read("0ub4_12"), Err(NoWord::Form));
        assert_eq!(read("12"), Err(NoWord::Form));
    }

    #[test]
    fn parts_of_a_word_put_together_are_the_word() {
        let word = Word::new(false, 8, 0xa5);
        let parts = (word.select(7, 3), word.select(2, 0));
        assert_eq!(parts.0.concat(parts.1), Some(word));
        assert_eq!(
            Word::new(false, 40, 1).concat(Word::new(false, 25, 1)),
            None
        );
    }

    #[test]
    fn shifts_bring_in_zeros_or_the_sign() {
        let word = |number| Word::of_number(true, 4, number);
        assert_eq!(word(-3).shift_right(1), word(-2));
        assert_eq!(word(-3).shift_left(1), word(-6));
        assert_eq!(Word::new(false, 4, 13).shift_right(2).bits(), 3);
        assert_eq!(word(3).shift_left(64), word(0));
    }
}
