//! Values and what operators and functions make of them.

use wherefore_smv::ast::{SmvBinaryOp, SmvFunction};

use super::word;

/// A value with its name spelt out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SmvValue {
    /// `TRUE` or `FALSE`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A symbolic constant.
    Symbol(String),
    /// A word: whether it has a sign, and its bits, the lowest one first.
    Word(bool, Vec<bool>),
}

pub(super) fn one(mut values: Vec<SmvValue>) -> SmvValue {
    values.dedup();
    match values.pop() {
        Some(value) if values.is_empty() => value,
        _ => panic!("one value is meant"),
    }
}

pub(super) fn as_bool(datum: &SmvValue) -> bool {
    match datum {
        SmvValue::Bool(b) => *b,
        other => panic!("{other:?} is no truth value"),
    }
}

pub(super) fn as_int(datum: &SmvValue) -> i64 {
    match datum {
        SmvValue::Int(n) => *n,
        other => panic!("{other:?} is no integer"),
    }
}

pub(super) fn apply(op: SmvBinaryOp, a: SmvValue, b: SmvValue) -> SmvValue {
    if let SmvValue::Word(signed, bits) = &a {
        return word::apply(op, *signed, bits, &b);
    }
    let bools = || (as_bool(&a), as_bool(&b));
    let ints = || (as_int(&a), as_int(&b));
    let order = || {
        let (a, b) = ints();
        a.cmp(&b)
    };
    match op {
        SmvBinaryOp::And => SmvValue::Bool(bools() == (true, true)),
        SmvBinaryOp::Or => SmvValue::Bool(bools() != (false, false)),
        SmvBinaryOp::Implies => SmvValue::Bool(bools() != (true, false)),
        SmvBinaryOp::Iff | SmvBinaryOp::Xnor => SmvValue::Bool(bools().0 == bools().1),
        SmvBinaryOp::Xor => SmvValue::Bool(bools().0 != bools().1),
        SmvBinaryOp::Equal => SmvValue::Bool(a == b),
        SmvBinaryOp::Unequal => SmvValue::Bool(a != b),
        SmvBinaryOp::Less => SmvValue::Bool(order().is_lt()),
        SmvBinaryOp::LessEqual => SmvValue::Bool(order().is_le()),
        SmvBinaryOp::Greater => SmvValue::Bool(order().is_gt()),
        SmvBinaryOp::GreaterEqual => SmvValue::Bool(order().is_ge()),
        SmvBinaryOp::Add => SmvValue::Int(ints().0 + ints().1),
        SmvBinaryOp::Sub => SmvValue::Int(ints().0 - ints().1),
        SmvBinaryOp::Mul => SmvValue::Int(ints().0 * ints().1),
        SmvBinaryOp::Div => SmvValue::Int(ints().0 / ints().1),
        SmvBinaryOp::Mod => SmvValue::Int(ints().0 % ints().1),
        SmvBinaryOp::In | SmvBinaryOp::Union | SmvBinaryOp::Range => {
            unreachable!("operators on sets are read before")
        }
        _ => panic!("{} is for words", op.sign()),
    }
}

pub(super) fn call(function: SmvFunction, arguments: Vec<SmvValue>) -> SmvValue {
    let int = |at: usize| as_int(&arguments[at]);
    match function {
        SmvFunction::Count => {
            let count = arguments
                .iter()
                .filter(|argument| as_bool(argument))
                .count();
            SmvValue::Int(count as i64)
        }
        SmvFunction::ToInt => match &arguments[0] {
            SmvValue::Bool(b) => SmvValue::Int(i64::from(*b)),
            SmvValue::Word(signed, bits) => SmvValue::Int(word::number(*signed, bits)),
            other => SmvValue::Int(as_int(other)),
        },
        SmvFunction::Bool => match &arguments[0] {
            SmvValue::Int(n) => SmvValue::Bool(*n != 0),
            SmvValue::Word(_, bits) => SmvValue::Bool(bits[0]),
            other => SmvValue::Bool(as_bool(other)),
        },
        SmvFunction::Abs => SmvValue::Int(int(0).abs()),
        SmvFunction::Max => SmvValue::Int(int(0).max(int(1))),
        SmvFunction::Min => SmvValue::Int(int(0).min(int(1))),
        _ => word::call(function, &arguments),
    }
}
