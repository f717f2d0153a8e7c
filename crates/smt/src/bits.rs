//! Arithmetic of bit vectors, as SMT-LIB defines it.

use num_bigint::{BigInt, BigUint, Sign};

use crate::term::BitsOp;
use crate::value::SmtValue;

/// The result of an operator on bit vectors, if its operands fit it.
pub(crate) fn apply(op: BitsOp, values: &[SmtValue]) -> Option<SmtValue> {
    let operands: Option<Vec<(&BigUint, u32)>> = values
        .iter()
        .map(|value| match value {
            SmtValue::BitVec(value, width) => Some((value, *width)),
            _ => None,
        })
        .collect();
    let operands = operands?;
    let &(a, width) = operands.first()?;
    let unary = match op {
        BitsOp::Extract(high, low) => Some((a >> low, high - low + 1)),
        BitsOp::ZeroExtend(by) => Some((a.clone(), width + by)),
        BitsOp::SignExtend(by) => Some((modulo(&signed(a, width), width + by), width + by)),
        BitsOp::Not => Some((mask(width) ^ a, width)),
        BitsOp::Neg => Some(((BigUint::from(1u32) << width) - a, width)),
        _ => None,
    };
    if let Some((value, width)) = unary {
        return Some(SmtValue::BitVec(value & mask(width), width));
    }
    let mut result = SmtValue::BitVec(a.clone(), width);
    for &(b, other) in operands.get(1..)? {
        let SmtValue::BitVec(a, width) = &result else {
            return None;
        };
        if op != BitsOp::Concat && *width != other {
            return None;
        }
        result = binary(op, a, b, *width, other);
    }
    Some(result)
}

fn binary(op: BitsOp, a: &BigUint, b: &BigUint, width: u32, other: u32) -> SmtValue {
    let zero = BigUint::default();
    let (x, y) = (signed(a, width), signed(b, width));
    let full = mask(width);
    let value = match op {
        BitsOp::Ult => return SmtValue::Bool(a < b),
        BitsOp::Ule => return SmtValue::Bool(a <= b),
        BitsOp::Slt => return SmtValue::Bool(x < y),
        BitsOp::Sle => return SmtValue::Bool(x <= y),
        BitsOp::Concat => return SmtValue::BitVec((a << other) | b, width + other),
        BitsOp::And => a & b,
        BitsOp::Or => a | b,
        BitsOp::Xor => a ^ b,
        BitsOp::Add => a + b,
        // The power of two keeps the difference from being negative, and the mask takes it away again.
        BitsOp::Sub => a + (&full + 1u32) - b,
        BitsOp::Mul => a * b,
        // SMT-LIB defines division by zero: all bits are set, or, for a negative dividend of a signed
        // division, the result is one. The remainder is the dividend.
        BitsOp::Udiv if *b == zero => full.clone(),
        BitsOp::Udiv => a / b,
        BitsOp::Urem if *b == zero => a.clone(),
        BitsOp::Urem => a % b,
        BitsOp::Sdiv if *b == zero && x.sign() == Sign::Minus => BigUint::from(1u32),
        BitsOp::Sdiv if *b == zero => full.clone(),
        BitsOp::Sdiv => modulo(&(x / y), width),
        BitsOp::Srem if *b == zero => a.clone(),
        BitsOp::Srem => modulo(&(x % y), width),
        BitsOp::Smod if *b == zero => a.clone(),
        BitsOp::Smod => {
            // The result has the sign of the divisor; the remainder of two integers has that of the dividend.
            let rest = &x % &y;
            let apart = rest.sign() != Sign::NoSign && rest.sign() != y.sign();
            modulo(&(if apart { rest + y } else { rest }), width)
        }
        BitsOp::Shl => match shift(b, width) {
            Some(by) => a << by,
            None => zero,
        },
        BitsOp::Lshr => match shift(b, width) {
            Some(by) => a >> by,
            None => zero,
        },
        // Shifted by all bits or more, copies of the sign are left.
        BitsOp::Ashr => modulo(&(x >> shift(b, width).unwrap_or(width)), width),
        BitsOp::Extract(..)
        | BitsOp::ZeroExtend(_)
        | BitsOp::SignExtend(_)
        | BitsOp::Not
        | BitsOp::Neg => a.clone(),
    };
    SmtValue::BitVec(value & full, width)
}

/// How far to shift, unless everything is shifted out.
fn shift(by: &BigUint, width: u32) -> Option<u32> {
    u32::try_from(by.clone()).ok().filter(|&by| by < width)
}

fn mask(width: u32) -> BigUint {
    (BigUint::from(1u32) << width) - 1u32
}

/// The number that the bits stand for in two's complement.
fn signed(value: &BigUint, width: u32) -> BigInt {
    let number = BigInt::from(value.clone());
    match width > 0 && value.bit(u64::from(width) - 1) {
        true => number - (BigInt::from(1) << width),
        false => number,
    }
}

/// The bits of a number in two's complement.
fn modulo(number: &BigInt, width: u32) -> BigUint {
    let size = BigInt::from(1) << width;
    let rest = ((number % &size) + &size) % &size;
    rest.to_biguint().expect("a remainder made positive")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn byte(value: i64) -> SmtValue {
        SmtValue::BitVec(modulo(&BigInt::from(value), 8), 8)
    }

    #[test]
    fn bytes_calculate_as_machine_bytes_do() {
        for a in [-128i8, -77, -1, 0, 1, 3, 77, 127] {
            for b in [-128i8, -3, -1, 0, 1, 5, 127] {
                let of = |op| apply(op, &[byte(a.into()), byte(b.into())]).expect("operands fit");
                let is = |op, value: i8| assert_eq!(of(op), byte(value.into()), "{op:?} {a} {b}");
                is(BitsOp::Add, a.wrapping_add(b));
                is(BitsOp::Sub, a.wrapping_sub(b));
                is(BitsOp::Mul, a.wrapping_mul(b));
                is(BitsOp::And, a & b);
                is(BitsOp::Xor, a ^ b);
                is(
                    BitsOp::Sdiv,
                    match b {
                        0 => {
                            if a < 0 {
                                1
                            } else {
                                -1
                            }
                        }
                        _ => a.wrapping_div(b),
                    },
                );
                is(BitsOp::Srem, if b == 0 { a } else { a.wrapping_rem(b) });
                assert_eq!(of(BitsOp::Slt), SmtValue::Bool(a < b));
                assert_eq!(of(BitsOp::Ult), SmtValue::Bool((a as u8) < (b as u8)));
                let shifted = if (b as u8) < 8 { a >> b } else { a >> 7 };
                is(BitsOp::Ashr, shifted);
            }
            assert_eq!(
                apply(BitsOp::Neg, &[byte(a.into())]),
                Some(byte(i64::from(a.wrapping_neg())))
            );
        }
    }

    #[test]
    fn bits_are_taken_and_joined() {
        let word = apply(BitsOp::Concat, &[byte(1), byte(-1)]).expect("operands fit");
        assert_eq!(word, SmtValue::BitVec(BigUint::from(511u32), 16));
        let taken = apply(BitsOp::Extract(8, 7), &[word]).expect("operands fit");
        assert_eq!(taken, SmtValue::BitVec(BigUint::from(3u32), 2));
        let wide = apply(BitsOp::SignExtend(4), &[byte(-2)]).expect("operands fit");
        assert_eq!(wide, SmtValue::BitVec(BigUint::from(0xFFEu32), 12));
    }
}
