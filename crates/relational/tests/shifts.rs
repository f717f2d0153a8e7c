//! Shifts against a reading of them bit by bit, for all numbers of small widths.

use wherefore_base::Budget;
use wherefore_relational::{
    Arithmetic, IntComparison, Integers, Overflow, Problem, Search, SearchOptions, Universe,
};
use wherefore_sat::Batsat;

const SHIFTS: [Arithmetic; 3] = [
    Arithmetic::ShiftLeft,
    Arithmetic::ShiftRight,
    Arithmetic::ShiftRightZero,
];

/// Whether a comparison of a shift can hold; instances are checked by the evaluator.
fn holds(
    (width, overflow): (u32, Overflow),
    (op, x, y): (Arithmetic, i64, i64),
    value: i64,
) -> bool {
    let integers = Integers {
        width,
        overflow,
        atoms: Vec::new(),
    };
    let mut problem = Problem::new(Universe::new(["a".to_string()]), integers);
    let (x, y) = (problem.number(x), problem.number(y));
    let (shifted, value) = (problem.arithmetic(op, x, y), problem.number(value));
    let equal = problem.compare(IntComparison::Equal, shifted, value);
    problem.require(equal);
    let budget = Budget::unlimited();
    let search = Search::<Batsat>::new(&problem, &SearchOptions::default(), &budget);
    let found = search.expect("it is small").next(&budget);
    found.expect("no limit").is_some()
}

/// The value of a shift: of the distance the lowest bits count, as many as are needed to name each bit of a number.
fn shifted(width: u32, op: Arithmetic, x: i64, y: i64) -> i64 {
    let mut bits: Vec<bool> = (0..width).map(|place| x >> place & 1 == 1).collect();
    let counted = (0..).find(|&bits| 1u32 << bits >= width).expect("some do");
    let places = (0..counted).map(|place| (y >> place & 1) << place).sum();
    for _ in 0..places {
        match op {
            Arithmetic::ShiftLeft => {
                bits.pop();
                bits.insert(0, false);
            }
            _ => {
                let sign = op == Arithmetic::ShiftRight && bits[bits.len() - 1];
                bits.remove(0);
                bits.push(sign);
            }
        }
    }
    let value = |(place, &bit): (usize, &bool)| i64::from(bit) << place;
    let unsigned: i64 = bits.iter().enumerate().map(value).sum();
    unsigned - (i64::from(bits[bits.len() - 1]) << width)
}

#[test]
fn the_low_bits_of_a_distance_count() {
    for width in 1..=5u32 {
        let half = 1i64 << (width - 1);
        for x in -half..half {
            for y in -half..half {
                for op in SHIFTS {
                    let value = shifted(width, op, x, y);
                    let kind = (width, Overflow::Wrap);
                    assert!(
                        holds(kind, (op, x, y), value),
                        "{width} bits: {x} {op:?} {y} = {value}"
                    );
                    let other = if value == 0 { -1 } else { 0 };
                    assert!(!holds(kind, (op, x, y), other));
                }
            }
        }
    }
}

#[test]
fn what_is_shifted_out_on_the_left_overflows() {
    for width in 2..=4u32 {
        let half = 1i64 << (width - 1);
        for x in -half..half {
            for y in -half..half {
                let places = y.rem_euclid(2 * half);
                let fits = x == 0 || places < 8 && (-half..half).contains(&(x << places));
                let value = shifted(width, Arithmetic::ShiftLeft, x, y);
                let kind = (width, Overflow::Forbid);
                assert_eq!(
                    holds(kind, (Arithmetic::ShiftLeft, x, y), value),
                    fits,
                    "{width} bits: {x} << {y}"
                );
            }
        }
    }
}
