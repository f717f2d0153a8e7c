//! Numbers as lists of bits, the lowest one first.
//!
//! Words have a fixed width and are calculated modulo a power of two. Integers are in two's complement
//! and as wide as they need to be, up to 64 bits: the last bit is the sign, and a sign that is repeated
//! is dropped.

use crate::circuit::{Circuit, CircuitEdge};

/// The most bits of an integer.
pub const WIDEST: usize = 64;

/// The bits of a constant.
pub fn constant(number: u64, width: usize) -> Vec<CircuitEdge> {
    let bit = |place: usize| place < 64 && number >> place & 1 == 1;
    (0..width)
        .map(|place| CircuitEdge::constant(bit(place)))
        .collect()
}

/// An integer as few bits.
pub fn integer(number: i64) -> Vec<CircuitEdge> {
    narrow(constant(number as u64, WIDEST))
}

/// Drops repeated signs.
pub fn narrow(mut bits: Vec<CircuitEdge>) -> Vec<CircuitEdge> {
    // Integers wrap at 64 bits, as those of models do.
    bits.truncate(WIDEST);
    while let [.., a, b] = bits[..]
        && a == b
    {
        bits.pop();
    }
    bits
}

/// The integer with this many bits: its sign is repeated.
pub fn extend(bits: &[CircuitEdge], width: usize) -> Vec<CircuitEdge> {
    let sign = bits.last().copied().unwrap_or(CircuitEdge::FALSE);
    let mut bits = bits.to_vec();
    bits.resize(width, sign);
    bits
}

/// Two integers with equally many bits, and some to spare.
pub fn level(
    a: &[CircuitEdge],
    b: &[CircuitEdge],
    spare: usize,
) -> (Vec<CircuitEdge>, Vec<CircuitEdge>) {
    let width = (a.len().max(b.len()) + spare).min(WIDEST);
    (extend(a, width), extend(b, width))
}

/// `a = b`, of equal widths.
pub fn equal(circuit: &mut Circuit, a: &[CircuitEdge], b: &[CircuitEdge]) -> CircuitEdge {
    let same: Vec<CircuitEdge> = a.iter().zip(b).map(|(a, b)| circuit.iff(*a, *b)).collect();
    circuit.all(same)
}

/// `a < b` or `a <= b`, of equal widths.
pub fn less(
    circuit: &mut Circuit,
    a: &[CircuitEdge],
    b: &[CircuitEdge],
    signed: bool,
    or_equal: bool,
) -> CircuitEdge {
    let mut less = CircuitEdge::constant(or_equal);
    let sign = a.len().saturating_sub(1);
    for (place, (&a, &b)) in a.iter().zip(b).enumerate() {
        let differ = circuit.xor(a, b);
        // At the place of the sign the greater bit is the lesser number.
        let greater = if signed && place == sign { a } else { b };
        // The highest place where the numbers differ decides, so it is looked at last.
        less = circuit.ite(differ, greater, less);
    }
    less
}

/// `a + b + carry`, of equal widths, without the last carry.
pub fn sum(
    circuit: &mut Circuit,
    a: &[CircuitEdge],
    b: &[CircuitEdge],
    mut carry: CircuitEdge,
) -> Vec<CircuitEdge> {
    let mut sum = Vec::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let half = circuit.xor(a, b);
        sum.push(circuit.xor(half, carry));
        // Where both bits differ the carry goes on; where they agree either of them is the new carry.
        carry = circuit.ite(half, carry, a);
    }
    sum
}

/// `a - b`, of equal widths.
pub fn difference(circuit: &mut Circuit, a: &[CircuitEdge], b: &[CircuitEdge]) -> Vec<CircuitEdge> {
    // In two's complement `a - b` is `a + !b + 1`.
    let b: Vec<CircuitEdge> = b.iter().map(|b| !*b).collect();
    sum(circuit, a, &b, CircuitEdge::TRUE)
}

/// `a * b`, of equal widths.
pub fn product(circuit: &mut Circuit, a: &[CircuitEdge], b: &[CircuitEdge]) -> Vec<CircuitEdge> {
    let mut product = vec![CircuitEdge::FALSE; a.len()];
    for (place, &bit) in b.iter().enumerate() {
        if bit == CircuitEdge::FALSE {
            continue;
        }
        let mut shifted = vec![CircuitEdge::FALSE; place];
        for &a in &a[..a.len() - place] {
            shifted.push(circuit.and(a, bit));
        }
        product = sum(circuit, &product, &shifted, CircuitEdge::FALSE);
    }
    product
}

/// `a` or, where the condition is true, `-a`.
pub fn negated_if(
    circuit: &mut Circuit,
    condition: CircuitEdge,
    a: &[CircuitEdge],
) -> Vec<CircuitEdge> {
    // `-a` is `!a + 1`; where the condition is false, nothing is flipped and nothing is added.
    let flipped: Vec<CircuitEdge> = a.iter().map(|a| circuit.xor(*a, condition)).collect();
    sum(
        circuit,
        &flipped,
        &vec![CircuitEdge::FALSE; a.len()],
        condition,
    )
}

/// The quotient, rounded towards zero, and the remainder, which has the sign of `a`; both are zero where
/// `b` is. Of equal widths.
pub fn quotient(
    circuit: &mut Circuit,
    a: &[CircuitEdge],
    b: &[CircuitEdge],
    signed: bool,
) -> (Vec<CircuitEdge>, Vec<CircuitEdge>) {
    if let (true, Some(&a_sign), Some(&b_sign)) = (signed, a.last(), b.last()) {
        let (x, y) = (
            negated_if(circuit, a_sign, a),
            negated_if(circuit, b_sign, b),
        );
        let (whole, rest) = quotient(circuit, &x, &y, false);
        let negative = circuit.xor(a_sign, b_sign);
        let whole = negated_if(circuit, negative, &whole);
        return (whole, negated_if(circuit, a_sign, &rest));
    }
    let nonzero = circuit.any(b.iter().copied());
    // One bit more than the divisor, so that a difference does not overflow.
    let mut divisor = b.to_vec();
    divisor.push(CircuitEdge::FALSE);
    let mut rest = vec![CircuitEdge::FALSE; divisor.len()];
    let mut whole = Vec::with_capacity(a.len());
    // Long division, from the highest bit down.
    for &bit in a.iter().rev() {
        rest.insert(0, bit);
        rest.pop();
        let fits = !less(circuit, &rest, &divisor, false, false);
        let lower = difference(circuit, &rest, &divisor);
        for (bit, lower) in rest.iter_mut().zip(lower) {
            *bit = circuit.ite(fits, lower, *bit);
        }
        whole.push(circuit.and(fits, nonzero));
    }
    whole.reverse();
    rest.pop();
    for bit in &mut rest {
        *bit = circuit.and(*bit, nonzero);
    }
    (whole, rest)
}

/// A word shifted by a number without a sign; `fill` comes in.
pub fn shift(
    circuit: &mut Circuit,
    word: &[CircuitEdge],
    by: &[CircuitEdge],
    left: bool,
    fill: CircuitEdge,
) -> Vec<CircuitEdge> {
    let mut bits = word.to_vec();
    for (place, &far) in by.iter().enumerate() {
        let by = u32::try_from(place)
            .ok()
            .and_then(|p| 1usize.checked_shl(p));
        let shifted: Vec<CircuitEdge> = (0..bits.len())
            .map(|place| {
                // A distance that does not fit a number is beyond every width, so only the fill is left.
                let from = by.and_then(|by| match left {
                    true => place.checked_sub(by),
                    false => place.checked_add(by).filter(|&from| from < bits.len()),
                });
                from.map_or(fill, |from| bits[from])
            })
            .collect();
        for (bit, shifted) in bits.iter_mut().zip(shifted) {
            *bit = circuit.ite(far, shifted, *bit);
        }
    }
    bits
}

/// How many of the edges are true, as an integer.
pub fn count(circuit: &mut Circuit, edges: &[CircuitEdge]) -> Vec<CircuitEdge> {
    // The second bit is the sign: a single bit would be 0 or -1.
    let mut numbers: Vec<Vec<CircuitEdge>> =
        edges.iter().map(|&e| vec![e, CircuitEdge::FALSE]).collect();
    while numbers.len() > 1 {
        let pairs = numbers.chunks(2);
        let half = pairs.map(|pair| match pair {
            [a, b] => {
                let (a, b) = level(a, b, 1);
                narrow(sum(circuit, &a, &b, CircuitEdge::FALSE))
            }
            _ => pair[0].clone(),
        });
        numbers = half.collect();
    }
    numbers.pop().unwrap_or_else(|| integer(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(bits: &[CircuitEdge]) -> i64 {
        let wide = extend(bits, 64);
        let bit = |(place, edge): (usize, &CircuitEdge)| {
            u64::from(edge.as_constant().expect("constants stay constants")) << place
        };
        wide.iter().enumerate().map(bit).sum::<u64>() as i64
    }

    #[test]
    fn arithmetic_on_constants_is_arithmetic() {
        let circuit = &mut Circuit::new();
        for a in -9..=9_i64 {
            for b in -9..=9_i64 {
                let (x, y) = level(&integer(a), &integer(b), 1);
                assert_eq!(number(&sum(circuit, &x, &y, CircuitEdge::FALSE)), a + b);
                assert_eq!(number(&difference(circuit, &x, &y)), a - b);
                let (whole, rest) = quotient(circuit, &x, &y, true);
                assert_eq!(number(&whole), a.checked_div(b).unwrap_or(0));
                assert_eq!(number(&rest), a.checked_rem(b).unwrap_or(0));
                let wide = (extend(&x, 12), extend(&y, 12));
                assert_eq!(number(&product(circuit, &wide.0, &wide.1)), a * b);
                let least = less(circuit, &x, &y, true, false).as_constant();
                assert_eq!(least, Some(a < b));
            }
        }
        let edges = [
            CircuitEdge::TRUE,
            CircuitEdge::FALSE,
            CircuitEdge::TRUE,
            CircuitEdge::TRUE,
            CircuitEdge::TRUE,
        ];
        assert_eq!(number(&count(circuit, &edges)), 4);
        assert_eq!(number(&integer(i64::MIN)), i64::MIN);
    }
}
