//! Words as lists of bits, the lowest one first.

use wherefore_smv::ast::{SmvBinaryOp, SmvFunction, SmvUnaryOp};

use super::SmvValue;
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

pub(super) fn unary(op: SmvUnaryOp, word: &SmvValue) -> SmvValue {
    let SmvValue::Word(signed, word) = word else {
        panic!("{word:?} is no word");
    };
    let result = match op {
        SmvUnaryOp::Not => word.iter().map(|bit| !bit).collect(),
        SmvUnaryOp::Negate => bits(-number(*signed, word), word.len()),
    };
    SmvValue::Word(*signed, result)
}

pub(super) fn apply(op: SmvBinaryOp, signed: bool, a: &[bool], b: &SmvValue) -> SmvValue {
    let (width, x) = (a.len(), number(signed, a));
    let by = match b {
        SmvValue::Word(signed, bits) => number(*signed, bits),
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
        SmvBinaryOp::ShiftLeft => Some(places.map(|p| at(p - by).unwrap_or(false)).collect()),
        SmvBinaryOp::ShiftRight => Some(places.map(|p| at(p + by).unwrap_or(fill)).collect()),
        SmvBinaryOp::RotateLeft => Some(
            places
                .map(|p| a[(p - by).rem_euclid(whole) as usize])
                .collect(),
        ),
        SmvBinaryOp::RotateRight => Some(
            places
                .map(|p| a[(p + by).rem_euclid(whole) as usize])
                .collect(),
        ),
        _ => None,
    };
    if let Some(moved) = moved {
        return SmvValue::Word(signed, moved);
    }
    let SmvValue::Word(_, other) = b else {
        panic!("{b:?} is no word");
    };
    let each = |f: fn(bool, bool) -> bool| {
        let pairs = a.iter().zip(other);
        SmvValue::Word(signed, pairs.map(|(&a, &b)| f(a, b)).collect())
    };
    let calculated = |n: i64| SmvValue::Word(signed, bits(n, width));
    match op {
        SmvBinaryOp::Concat => SmvValue::Word(false, [&**other, a].concat()),
        SmvBinaryOp::And => each(|a, b| a && b),
        SmvBinaryOp::Or => each(|a, b| a || b),
        SmvBinaryOp::Xor => each(|a, b| a != b),
        SmvBinaryOp::Xnor | SmvBinaryOp::Iff => each(|a, b| a == b),
        SmvBinaryOp::Implies => each(|a, b| !a || b),
        SmvBinaryOp::Equal => SmvValue::Bool(a == &**other),
        SmvBinaryOp::Unequal => SmvValue::Bool(a != &**other),
        SmvBinaryOp::Less => SmvValue::Bool(x < by),
        SmvBinaryOp::LessEqual => SmvValue::Bool(x <= by),
        SmvBinaryOp::Greater => SmvValue::Bool(x > by),
        SmvBinaryOp::GreaterEqual => SmvValue::Bool(x >= by),
        SmvBinaryOp::Add => calculated(x + by),
        SmvBinaryOp::Sub => calculated(x - by),
        SmvBinaryOp::Mul => calculated(x * by),
        SmvBinaryOp::Div => calculated(x / by),
        SmvBinaryOp::Mod => calculated(x % by),
        _ => panic!("{} is not for words", op.sign()),
    }
}

pub(super) fn call(function: SmvFunction, arguments: &[SmvValue]) -> SmvValue {
    let second = || as_int(&arguments[1]);
    match (function, &arguments[0]) {
        (SmvFunction::Word1, truth) => SmvValue::Word(false, vec![as_bool(truth)]),
        (SmvFunction::Uwconst, n) => SmvValue::Word(false, bits(as_int(n), second() as usize)),
        (SmvFunction::Swconst, n) => SmvValue::Word(true, bits(as_int(n), second() as usize)),
        (SmvFunction::Signed, SmvValue::Word(_, bits)) => SmvValue::Word(true, bits.clone()),
        (SmvFunction::Unsigned, SmvValue::Word(_, bits)) => SmvValue::Word(false, bits.clone()),
        (SmvFunction::Sizeof, SmvValue::Word(_, bits)) => SmvValue::Int(bits.len() as i64),
        (SmvFunction::Extend, SmvValue::Word(signed, word)) => {
            let width = word.len() + second() as usize;
            SmvValue::Word(*signed, bits(number(*signed, word), width))
        }
        (SmvFunction::Resize, SmvValue::Word(signed, word)) => {
            let width = second() as usize;
            let mut resized = bits(number(*signed, word), width);
            if *signed && width < word.len() {
                resized[width - 1] = word[word.len() - 1];
            }
            SmvValue::Word(*signed, resized)
        }
        (_, other) => panic!("{other:?} is no word"),
    }
}
