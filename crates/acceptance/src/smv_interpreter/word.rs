//! Words as lists of bits, the lowest one first.

use wherefore_smv::ast::{BinaryOp, Function, UnaryOp};

use super::Datum;
use super::value::{as_bool, as_int};

/// The lowest bits of a number.
pub(super) fn bits(number: i64, width: usize) -> Vec<bool> {
    (0..width).map(|place| (number >> place) & 1 == 1).collect()
}

/// The number that bits stand for.
pub(super) fn number(signed: bool, bits: &[bool]) -> i64 {
    let weigh = |(place, &bit): (usize, &bool)| match bit {
        true if signed && place + 1 == bits.len() => -(1 << place),
        true => 1 << place,
        false => 0,
    };
    bits.iter().enumerate().map(weigh).sum()
}

pub(super) fn unary(op: UnaryOp, word: &Datum) -> Datum {
    let Datum::Word(signed, word) = word else {
        panic!("{word:?} is no word");
    };
    let result = match op {
        UnaryOp::Not => word.iter().map(|bit| !bit).collect(),
        UnaryOp::Negate => bits(-number(*signed, word), word.len()),
    };
    Datum::Word(*signed, result)
}

pub(super) fn apply(op: BinaryOp, signed: bool, a: &[bool], b: &Datum) -> Datum {
    let (width, x) = (a.len(), number(signed, a));
    let by = match b {
        Datum::Word(signed, bits) => number(*signed, bits),
        other => as_int(other),
    };
    let fill = signed && a[width - 1];
    let at = |place: i64| {
        usize::try_from(place)
            .ok()
            .and_then(|place| a.get(place).copied())
    };
    let places = 0..width as i64;
    let whole = width as i64;
    let moved: Option<Vec<bool>> = match op {
        BinaryOp::ShiftLeft => Some(places.map(|p| at(p - by).unwrap_or(false)).collect()),
        BinaryOp::ShiftRight => Some(places.map(|p| at(p + by).unwrap_or(fill)).collect()),
        BinaryOp::RotateLeft => Some(
            places
                .map(|p| a[(p - by).rem_euclid(whole) as usize])
                .collect(),
        ),
        BinaryOp::RotateRight => Some(
            places
                .map(|p| a[(p + by).rem_euclid(whole) as usize])
                .collect(),
        ),
        _ => None,
    };
    if let Some(moved) = moved {
        return Datum::Word(signed, moved);
    }
    let Datum::Word(_, other) = b else {
        panic!("{b:?} is no word");
    };
    let each = |f: fn(bool, bool) -> bool| {
        let pairs = a.iter().zip(other);
        Datum::Word(signed, pairs.map(|(&a, &b)| f(a, b)).collect())
    };
    let calculated = |n: i64| Datum::Word(signed, bits(n, width));
    match op {
        BinaryOp::Concat => Datum::Word(false, [&**other, a].concat()),
        BinaryOp::And => each(|a, b| a && b),
        BinaryOp::Or => each(|a, b| a || b),
        BinaryOp::Xor => each(|a, b| a != b),
        BinaryOp::Xnor | BinaryOp::Iff => each(|a, b| a == b),
        BinaryOp::Implies => each(|a, b| !a || b),
        BinaryOp::Equal => Datum::Bool(a == &**other),
        BinaryOp::Unequal => Datum::Bool(a != &**other),
        BinaryOp::Less => Datum::Bool(x < by),
        BinaryOp::LessEqual => Datum::Bool(x <= by),
        BinaryOp::Greater => Datum::Bool(x > by),
        BinaryOp::GreaterEqual => Datum::Bool(x >= by),
        BinaryOp::Add => calculated(x + by),
        BinaryOp::Sub => calculated(x - by),
        BinaryOp::Mul => calculated(x * by),
        BinaryOp::Div => calculated(x / by),
        BinaryOp::Mod => calculated(x % by),
        _ => panic!("{} is not for words", op.sign()),
    }
}

pub(super) fn call(function: Function, arguments: &[Datum]) -> Datum {
    let second = || as_int(&arguments[1]);
    match (function, &arguments[0]) {
        (Function::Word1, truth) => Datum::Word(false, vec![as_bool(truth)]),
        (Function::Uwconst, n) => Datum::Word(false, bits(as_int(n), second() as usize)),
        (Function::Swconst, n) => Datum::Word(true, bits(as_int(n), second() as usize)),
        (Function::Signed, Datum::Word(_, bits)) => Datum::Word(true, bits.clone()),
        (Function::Unsigned, Datum::Word(_, bits)) => Datum::Word(false, bits.clone()),
        (Function::Sizeof, Datum::Word(_, bits)) => Datum::Int(bits.len() as i64),
        (Function::Extend, Datum::Word(signed, word)) => {
            let width = word.len() + second() as usize;
            Datum::Word(*signed, bits(number(*signed, word), width))
        }
        (Function::Resize, Datum::Word(signed, word)) => {
            let width = second() as usize;
            let mut resized = bits(number(*signed, word), width);
            if *signed && width < word.len() {
                resized[width - 1] = word[word.len() - 1];
            }
            Datum::Word(*signed, resized)
        }
        (_, other) => panic!("{other:?} is no word"),
    }
}
