//! Values and what operators and functions make of them.

use wherefore_smv::ast::{BinaryOp, Function};

use super::word;

/// A value with its name spelt out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Datum {
    /// `TRUE` or `FALSE`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A symbolic constant.
    Symbol(String),
    /// A word: whether it has a sign, and its bits, the lowest one first.
    Word(bool, Vec<bool>),
}

pub(super) fn one(mut values: Vec<Datum>) -> Datum {
    values.dedup();
    match values.pop() {
        Some(value) if values.is_empty() => value,
        _ => panic!("one value is meant"),
    }
}

pub(super) fn as_bool(datum: &Datum) -> bool {
    match datum {
        Datum::Bool(b) => *b,
        other => panic!("{other:?} is no truth value"),
    }
}

pub(super) fn as_int(datum: &Datum) -> i64 {
    match datum {
        Datum::Int(n) => *n,
        other => panic!("{other:?} is no integer"),
    }
}

pub(super) fn apply(op: BinaryOp, a: Datum, b: Datum) -> Datum {
    if let Datum::Word(signed, bits) = &a {
        return word::apply(op, *signed, bits, &b);
    }
    let bools = || (as_bool(&a), as_bool(&b));
    let ints = || (as_int(&a), as_int(&b));
    let order = || {
        let (a, b) = ints();
        a.cmp(&b)
    };
    match op {
        BinaryOp::And => Datum::Bool(bools() == (true, true)),
        BinaryOp::Or => Datum::Bool(bools() != (false, false)),
        BinaryOp::Implies => Datum::Bool(bools() != (true, false)),
        BinaryOp::Iff | BinaryOp::Xnor => Datum::Bool(bools().0 == bools().1),
        BinaryOp::Xor => Datum::Bool(bools().0 != bools().1),
        BinaryOp::Equal => Datum::Bool(a == b),
        BinaryOp::Unequal => Datum::Bool(a != b),
        BinaryOp::Less => Datum::Bool(order().is_lt()),
        BinaryOp::LessEqual => Datum::Bool(order().is_le()),
        BinaryOp::Greater => Datum::Bool(order().is_gt()),
        BinaryOp::GreaterEqual => Datum::Bool(order().is_ge()),
        BinaryOp::Add => Datum::Int(ints().0 + ints().1),
        BinaryOp::Sub => Datum::Int(ints().0 - ints().1),
        BinaryOp::Mul => Datum::Int(ints().0 * ints().1),
        BinaryOp::Div => Datum::Int(ints().0 / ints().1),
        BinaryOp::Mod => Datum::Int(ints().0 % ints().1),
        BinaryOp::In | BinaryOp::Union | BinaryOp::Range => {
            unreachable!("operators on sets are read before")
        }
        _ => panic!("{} is for words", op.sign()),
    }
}

pub(super) fn call(function: Function, arguments: Vec<Datum>) -> Datum {
    let int = |at: usize| as_int(&arguments[at]);
    match function {
        Function::Count => {
            let count = arguments
                .iter()
                .filter(|argument| as_bool(argument))
                .count();
            Datum::Int(count as i64)
        }
        Function::ToInt => match &arguments[0] {
            Datum::Bool(b) => Datum::Int(i64::from(*b)),
            Datum::Word(signed, bits) => Datum::Int(word::number(*signed, bits)),
            other => Datum::Int(as_int(other)),
        },
        Function::Bool => match &arguments[0] {
            Datum::Int(n) => Datum::Bool(*n != 0),
            Datum::Word(_, bits) => Datum::Bool(bits[0]),
            other => Datum::Bool(as_bool(other)),
        },
        Function::Abs => Datum::Int(int(0).abs()),
        Function::Max => Datum::Int(int(0).max(int(1))),
        Function::Min => Datum::Int(int(0).min(int(1))),
        _ => word::call(function, &arguments),
    }
}
