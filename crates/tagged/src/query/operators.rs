//! The operators of queries on values that are known. Null stands for what is unknown.

use super::ast::{ArithmeticOp, ComparisonOp, SourceMark};
use super::engine::Do;
use super::eval::wrong;
use super::value::Value;

pub(super) fn compare(one: &Value, sign: ComparisonOp, two: &Value) -> Option<bool> {
    match sign {
        ComparisonOp::Equal => one.equals(two),
        ComparisonOp::Unequal => one.equals(two).map(|same| !same),
        ComparisonOp::Less => one.compares(two).map(|order| order.is_lt()),
        ComparisonOp::LessEqual => one.compares(two).map(|order| order.is_le()),
        ComparisonOp::Greater => one.compares(two).map(|order| order.is_gt()),
        ComparisonOp::GreaterEqual => one.compares(two).map(|order| order.is_ge()),
    }
}

pub(super) fn slice(list: &Value, ends: &[Option<Value>; 2], mark: SourceMark) -> Do<Value> {
    let Value::List(list) = list else {
        return match list {
            Value::Null => Ok(Value::Null),
            other => wrong(mark, format!("A list can be cut, {} cannot", other.sort())),
        };
    };
    let mut at = [0, list.len()];
    for (at, end) in at.iter_mut().zip(ends) {
        *at = match end {
            None => continue,
            Some(Value::Null) => return Ok(Value::Null),
            Some(Value::Int(end)) => {
                let end = if *end < 0 {
                    end.saturating_add(list.len() as i64)
                } else {
                    *end
                };
                usize::try_from(end.max(0))
                    .unwrap_or(usize::MAX)
                    .min(list.len())
            }
            Some(other) => {
                return wrong(
                    mark,
                    format!("A list is cut at numbers, not at {}", other.sort()),
                );
            }
        };
    }
    Ok(Value::list(list[at[0]..at[1].max(at[0])].to_vec()))
}

/// The number with the other sign.
pub(super) fn negate(value: Value, mark: SourceMark) -> Do<Value> {
    match value {
        Value::Null => Ok(Value::Null),
        Value::Int(number) => match number.checked_neg() {
            Some(number) => Ok(Value::Int(number)),
            None => wrong(mark, TOO_LARGE),
        },
        Value::Float(number) => Ok(Value::Float(-number)),
        other => wrong(
            mark,
            format!("A number can be negated, {} cannot", other.sort()),
        ),
    }
}

pub(super) fn calculate(sign: ArithmeticOp, one: Value, two: Value, mark: SourceMark) -> Do<Value> {
    if one.is_null() || two.is_null() {
        return Ok(Value::Null);
    }
    let too_large = || wrong(mark, TOO_LARGE);
    if sign == ArithmeticOp::Plus {
        if size(&one).saturating_add(size(&two)) > LARGEST {
            return too_large();
        }
        match (&one, &two) {
            (Value::List(one), Value::List(two)) => {
                return Ok(Value::list(one.iter().chain(two.iter()).cloned().collect()));
            }
            (Value::List(list), item) => {
                return Ok(Value::list(list.iter().chain([item]).cloned().collect()));
            }
            (item, Value::List(list)) => {
                return Ok(Value::list(
                    [item].into_iter().chain(list.iter()).cloned().collect(),
                ));
            }
            (Value::Text(_), other) | (other, Value::Text(_))
                if matches!(other, Value::Text(_) | Value::Int(_) | Value::Float(_)) =>
            {
                return Ok(Value::Text(
                    format!("{}{}", plain(&one), plain(&two)).into(),
                ));
            }
            _ => {}
        }
    }
    if let (Value::Int(one), Value::Int(two)) = (&one, &two) {
        let result = match sign {
            ArithmeticOp::Plus => one.checked_add(*two),
            ArithmeticOp::Minus => one.checked_sub(*two),
            ArithmeticOp::Times => one.checked_mul(*two),
            ArithmeticOp::Divide | ArithmeticOp::Modulo if *two == 0 => {
                return wrong(mark, "This divides by zero");
            }
            ArithmeticOp::Divide => one.checked_div(*two),
            ArithmeticOp::Modulo => one.checked_rem(*two),
            ArithmeticOp::Power => return Ok(Value::Float((*one as f64).powf(*two as f64))),
        };
        return result.map_or_else(too_large, |number| Ok(Value::Int(number)));
    }
    let number = |value: &Value| match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    };
    match (number(&one), number(&two)) {
        (Some(one), Some(two)) => Ok(Value::Float(match sign {
            ArithmeticOp::Plus => one + two,
            ArithmeticOp::Minus => one - two,
            ArithmeticOp::Times => one * two,
            ArithmeticOp::Divide => one / two,
            ArithmeticOp::Modulo => one % two,
            ArithmeticOp::Power => one.powf(two),
        })),
        _ => {
            let message = format!(
                "There is no arithmetic with {} and {}",
                one.sort(),
                two.sort()
            );
            wrong(mark, message)
        }
    }
}

/// The message where a number, a text or a list would be too large.
pub(super) const TOO_LARGE: &str = "The result is too large";

/// Larger texts and lists are not made.
pub(super) const LARGEST: usize = 1 << 24;

/// How many bytes or items a value has.
fn size(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::List(items) => items.len(),
        _ => 1,
    }
}

/// A number or a text, as a text.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Text(text) => text.to_string(),
        Value::Bool(truth) => truth.to_string(),
        _ => String::new(),
    }
}
