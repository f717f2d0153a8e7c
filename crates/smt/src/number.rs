//! Exact rational numbers: the values of sort `Real` that a solver can name.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::{BigInt, Sign};

/// `num / den` in lowest terms, with a positive denominator.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rational {
    num: BigInt,
    den: BigInt,
}

impl Rational {
    /// The quotient of two integers, if the second is not zero.
    pub fn new(num: BigInt, den: BigInt) -> Option<Self> {
        if den.sign() == Sign::NoSign {
            return None;
        }
        let gcd = gcd(num.clone(), den.clone());
        // The sign moves to the numerator.
        let gcd = if den.sign() == Sign::Minus { -gcd } else { gcd };
        Some(Self {
            num: num / &gcd,
            den: den / &gcd,
        })
    }

    /// A decimal as SMT-LIB writes it, such as `12.50`.
    pub fn decimal(text: &str) -> Option<Self> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = format!("{whole}{part}").parse().ok()?;
        let places = u32::try_from(part.len()).ok()?;
        Self::new(digits, BigInt::from(10).pow(places))
    }

    /// The numerator.
    pub fn numerator(&self) -> &BigInt {
        &self.num
    }

    /// The denominator, which is positive.
    pub fn denominator(&self) -> &BigInt {
        &self.den
    }

    /// Whether it is an integer.
    pub fn is_integer(&self) -> bool {
        self.den == BigInt::from(1)
    }

    /// The greatest integer that is not above it.
    pub fn floor(&self) -> BigInt {
        floor_div(&self.num, &self.den)
    }

    /// The sum.
    pub fn add(&self, other: &Self) -> Self {
        let num = &self.num * &other.den + &other.num * &self.den;
        Self::lowest(num, &self.den * &other.den)
    }

    /// The difference.
    pub fn sub(&self, other: &Self) -> Self {
        self.add(&other.negated())
    }

    /// The product.
    pub fn mul(&self, other: &Self) -> Self {
        Self::lowest(&self.num * &other.num, &self.den * &other.den)
    }

    /// The quotient, if the other is not zero.
    pub fn div(&self, other: &Self) -> Option<Self> {
        Self::new(&self.num * &other.den, &self.den * &other.num)
    }

    /// The same number with the other sign.
    #[must_use]
    pub fn negated(&self) -> Self {
        Self {
            num: -self.num.clone(),
            den: self.den.clone(),
        }
    }

    fn lowest(num: BigInt, den: BigInt) -> Self {
        Self::new(num, den).expect("a product of denominators is not zero")
    }
}

impl From<BigInt> for Rational {
    fn from(num: BigInt) -> Self {
        Self {
            num,
            den: BigInt::from(1),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        // Denominators are positive, so multiplying by them keeps the order.
        (&self.num * &other.den).cmp(&(&other.num * &self.den))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_integer() {
            true => write!(f, "{}", self.num),
            false => write!(f, "{}/{}", self.num, self.den),
        }
    }
}

/// Division of integers as SMT-LIB defines it: the remainder is never negative. `None` for division by zero.
pub fn euclid(a: &BigInt, b: &BigInt) -> Option<(BigInt, BigInt)> {
    if b.sign() == Sign::NoSign {
        return None;
    }
    let (mut quotient, mut rest) = (a / b, a % b);
    // Integers are divided towards zero here, so a negative remainder is one divisor short.
    if rest.sign() == Sign::Minus {
        let up = if b.sign() == Sign::Minus { 1 } else { -1 };
        quotient += up;
        rest -= b * up;
    }
    Some((quotient, rest))
}

fn floor_div(a: &BigInt, positive: &BigInt) -> BigInt {
    euclid(a, positive).map_or_else(BigInt::default, |(quotient, _)| quotient)
}

/// The greatest common divisor, which is positive unless both numbers are zero.
fn gcd(mut a: BigInt, mut b: BigInt) -> BigInt {
    while b.sign() != Sign::NoSign {
        (a, b) = (b.clone(), a % b);
    }
    if a.sign() == Sign::Minus { -a } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(n: i64) -> BigInt {
        BigInt::from(n)
    }

    fn quotient(a: i64, b: i64) -> Rational {
        Rational::new(int(a), int(b)).expect("not a division by zero")
    }

    #[test]
    fn rationals_are_in_lowest_terms() {
        assert_eq!(quotient(6, -4).to_string(), "-3/2");
        assert_eq!(quotient(0, -4), Rational::from(int(0)));
        assert_eq!(Rational::decimal("12.50"), Some(quotient(25, 2)));
        assert!(Rational::new(int(1), int(0)).is_none());
    }

    #[test]
    fn rationals_calculate_exactly() {
        let (half, third) = (quotient(1, 2), quotient(1, 3));
        assert_eq!(half.add(&third), quotient(5, 6));
        assert_eq!(half.sub(&third), quotient(1, 6));
        assert_eq!(half.mul(&third), quotient(1, 6));
        assert_eq!(half.div(&third), Some(quotient(3, 2)));
        assert!(third < half);
        assert_eq!(quotient(-1, 2).floor(), int(-1));
    }

    #[test]
    fn integer_division_leaves_no_negative_remainder() {
        for (a, b, quotient, rest) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1)]
        {
            assert_eq!(euclid(&int(a), &int(b)), Some((int(quotient), int(rest))));
        }
        assert_eq!(euclid(&int(1), &int(0)), None);
    }
}
