//! Arithmetic on lists of wires, the lowest bit first.
//!
//! What is read as a number with a sign is in two's complement, its last bit being the sign. Unless a
//! function says otherwise, both operands have the same width, so has the result, and it is right modulo
//! two to the power of that width.

use crate::netlist::{Netlist, Wire};

/// Integers have at most so many bits.
pub(crate) const MOST_BITS: usize = 64;

/// The lowest bits of a constant.
pub(crate) fn constant(number: u64, width: usize) -> Vec<Wire> {
    let bit = |place: usize| place < 64 && number >> place & 1 == 1;
    (0..width).map(|place| Wire::constant(bit(place))).collect()
}

/// An integer with as few bits as it needs.
pub(crate) fn integer(number: i64) -> Vec<Wire> {
    let same_as_sign = match number < 0 {
        true => number.leading_ones(),
        false => number.leading_zeros(),
    };
    // Of the bits that are like the sign one must stay: it is the sign.
    constant(number as u64, MOST_BITS - same_as_sign as usize + 1)
}

/// The same integer with so many bits, at least as many as it has.
pub(crate) fn widened(number: &[Wire], width: usize) -> Vec<Wire> {
    let sign = *number.last().expect("an integer has a sign");
    let mut number = number.to_vec();
    number.resize(width, sign);
    number
}

/// Two integers with one width, which is larger than both by so many bits if it can be.
pub(crate) fn aligned(a: &[Wire], b: &[Wire], larger_by: usize) -> (Vec<Wire>, Vec<Wire>) {
    let width = (a.len().max(b.len()) + larger_by).min(MOST_BITS);
    (widened(a, width), widened(b, width))
}

/// The same integer without bits that repeat its sign.
pub(crate) fn shortened(mut number: Vec<Wire>) -> Vec<Wire> {
    number.truncate(MOST_BITS);
    while number.len() > 1 && number[number.len() - 1] == number[number.len() - 2] {
        number.pop();
    }
    number
}

/// `a = b`.
pub(crate) fn equal(netlist: &mut Netlist, a: &[Wire], b: &[Wire]) -> Wire {
    let differ: Vec<Wire> = a.iter().zip(b).map(|(&a, &b)| netlist.xor(a, b)).collect();
    !netlist.any(differ)
}

/// `a < b`, both without a sign.
pub(crate) fn less(netlist: &mut Netlist, a: &[Wire], b: &[Wire]) -> Wire {
    let mut less = Wire::FALSE;
    // The highest bit in which they differ decides, so it comes last.
    for (&a, &b) in a.iter().zip(b) {
        let differ = netlist.xor(a, b);
        less = netlist.mux(differ, b, less);
    }
    less
}

/// `a < b`, both with a sign.
pub(crate) fn less_signed(netlist: &mut Netlist, a: &[Wire], b: &[Wire]) -> Wire {
    // With the sign flipped, the order is the one of numbers without a sign.
    let flipped = |number: &[Wire]| {
        let mut number = number.to_vec();
        if let Some(sign) = number.last_mut() {
            *sign = !*sign;
        }
        number
    };
    less(netlist, &flipped(a), &flipped(b))
}

/// `a + b + carry`.
pub(crate) fn sum(netlist: &mut Netlist, a: &[Wire], b: &[Wire], carry: Wire) -> Vec<Wire> {
    let mut carry = carry;
    let mut sum = Vec::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let differ = netlist.xor(a, b);
        sum.push(netlist.xor(differ, carry));
        // Where the bits differ the carry passes on; where they are equal they make it.
        carry = netlist.mux(differ, carry, a);
    }
    sum
}

/// `a - b`.
pub(crate) fn difference(netlist: &mut Netlist, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
    // In two's complement `-b` is the complement of `b`, plus 1.
    let complement: Vec<Wire> = b.iter().map(|&bit| !bit).collect();
    sum(netlist, a, &complement, Wire::TRUE)
}

/// `-a`.
pub(crate) fn negative(netlist: &mut Netlist, a: &[Wire]) -> Vec<Wire> {
    difference(netlist, &vec![Wire::FALSE; a.len()], a)
}

/// `a` where the condition is true, `b` elsewhere.
pub(crate) fn choice(netlist: &mut Netlist, condition: Wire, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
    let pairs = a.iter().zip(b);
    pairs.map(|(&a, &b)| netlist.mux(condition, a, b)).collect()
}

/// `a * b`.
pub(crate) fn product(netlist: &mut Netlist, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
    let width = a.len();
    let mut product = vec![Wire::FALSE; width];
    for (place, &bit) in b.iter().enumerate() {
        let mut row = vec![Wire::FALSE; place];
        row.extend(a[..width - place].iter().map(|&a| netlist.and(a, bit)));
        product = sum(netlist, &product, &row, Wire::FALSE);
    }
    product
}

/// A quotient with its remainder.
pub(crate) struct Division {
    pub(crate) quotient: Vec<Wire>,
    pub(crate) remainder: Vec<Wire>,
}

/// `a / b` and `a mod b`, all without a sign; both are 0 where `b` is.
pub(crate) fn division(netlist: &mut Netlist, a: &[Wire], b: &[Wire]) -> Division {
    let nonzero = netlist.any(b.iter().copied());
    // Twice the remainder may need one bit more than the divisor.
    let wide: Vec<Wire> = b.iter().copied().chain([Wire::FALSE]).collect();
    let mut remainder = vec![Wire::FALSE; b.len()];
    let mut quotient = Vec::new();
    // Long division: the bits of `a` come down one after the other, the highest first.
    for &bit in a.iter().rev() {
        let mut larger = vec![bit];
        larger.extend(&remainder);
        let fits = !less(netlist, &larger, &wide);
        let smaller = difference(netlist, &larger, &wide);
        remainder = choice(netlist, fits, &smaller, &larger);
        // A remainder is less than its divisor, so its top bit is 0; for a divisor of 0 the result is masked
        // below.
        remainder.pop();
        quotient.push(netlist.and(fits, nonzero));
    }
    quotient.reverse();
    let remainder = remainder.into_iter().map(|bit| netlist.and(bit, nonzero));
    Division {
        quotient,
        remainder: remainder.collect(),
    }
}

/// `a / b`, rounded towards zero, and the remainder, which has the sign of `a`; both are 0 where `b` is.
pub(crate) fn division_signed(netlist: &mut Netlist, a: &[Wire], b: &[Wire]) -> Division {
    let sign = |number: &[Wire]| *number.last().expect("it has a sign");
    let with_sign = |netlist: &mut Netlist, sign: Wire, number: &[Wire]| {
        let negative = negative(netlist, number);
        choice(netlist, sign, &negative, number)
    };
    // The absolute value of the least number is right, too, when it is read without a sign.
    let (size_a, size_b) = (
        with_sign(netlist, sign(a), a),
        with_sign(netlist, sign(b), b),
    );
    let sizes = division(netlist, &size_a, &size_b);
    let differ = netlist.xor(sign(a), sign(b));
    Division {
        quotient: with_sign(netlist, differ, &sizes.quotient),
        remainder: with_sign(netlist, sign(a), &sizes.remainder),
    }
}

/// The bits, moved up by a number without a sign and of any width; `fill` comes in from below.
pub(crate) fn shifted_up(
    netlist: &mut Netlist,
    bits: &[Wire],
    by: &[Wire],
    fill: Wire,
) -> Vec<Wire> {
    let mut bits = bits.to_vec();
    for (place, &moved) in by.iter().enumerate() {
        // Beyond the width, every distance moves all bits out.
        let distance = match place < usize::BITS as usize - 1 {
            true => (1 << place).min(bits.len()),
            false => bits.len(),
        };
        let mut far = vec![fill; distance];
        far.extend(&bits[..bits.len() - distance]);
        bits = choice(netlist, moved, &far, &bits);
    }
    bits
}

/// How many of the wires are true, as an integer.
pub(crate) fn count(netlist: &mut Netlist, wires: &[Wire]) -> Vec<Wire> {
    match *wires {
        [] => integer(0),
        [one] => vec![one, Wire::FALSE],
        _ => {
            let (left, right) = wires.split_at(wires.len() / 2);
            let (left, right) = (count(netlist, left), count(netlist, right));
            let (left, right) = aligned(&left, &right, 1);
            shortened(sum(netlist, &left, &right, Wire::FALSE))
        }
    }
}
