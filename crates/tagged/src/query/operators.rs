//! The operators of queries on values that are known. Null stands for what is unknown.

use super::ast::{ArithmeticOp, ComparisonOp, SourceMark};
use super::engine::Do;
use super::eval::wrong;
use super::value::QueryValue;

pub(super) fn compare(one: &QueryValue, sign: ComparisonOp, two: &QueryValue) -> Option<bool> {
    match sign {
        ComparisonOp::Equal => one.equals(two),
        ComparisonOp::Unequal => one.equals(two).map(|same| !same),
        ComparisonOp::Less => one.compares(two).map(|order| order.is_lt()),
        ComparisonOp::LessEqual => one.compares(two).map(|order| order.is_le()),
        ComparisonOp::Greater => one.compares(two).map(|order| order.is_gt()),
        ComparisonOp::GreaterEqual => one.compares(two).map(|order| order.is_ge()),
    }
}

pub(super) fn slice(
    list: &QueryValue,
    ends: &[Option<QueryValue>; 2],
    mark: SourceMark,
) -> Do<QueryValue> {
    let QueryValue::List(list) = list else {
        return match list {
            QueryValue::Null => Ok(QueryValue::Null),
            other => wrong(mark, format!("A list can be cut, {} cannot", other.sort())),
        };
    };
    let mut at = [0, list.len()];
    for (at, end) in at.iter_mut().zip(ends) {
        *at = match end {
            None => continue,
            Some(QueryValue::Null) => return Ok(QueryValue::Null),
            Some(QueryValue::Int(end)) => {
                // A negative end counts from the end of the list.
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
    // Ends that are the wrong way round cut out nothing.
    Ok(QueryValue::list(list[at[0]..at[1].max(at[0])].to_vec()))
}

/// The number with the other sign.
pub(super) fn negate(value: QueryValue, mark: SourceMark) -> Do<QueryValue> {
    match value {
        QueryValue::Null => Ok(QueryValue::Null),
        QueryValue::Int(number) => match number.checked_neg() {
            Some(number) => Ok(QueryValue::Int(number)),
            None => wrong(mark, TOO_LARGE),
        },
        QueryValue::Float(number) => Ok(QueryValue::Float(-number)),
        other => wrong(
            mark,
            format!("A number can be negated, {} cannot", other.sort()),
        ),
    }
}

pub(super) fn calculate(
    sign: ArithmeticOp,
    one: QueryValue,
    two: QueryValue,
    mark: SourceMark,
) -> Do<QueryValue> {
    if one.is_null() || two.is_null() {
        return Ok(QueryValue::Null);
    }
    let too_large = || wrong(mark, TOO_LARGE);
    if sign == ArithmeticOp::Plus {
        // The size is looked at before anything is made.
        if size(&one).saturating_add(size(&two)) > LARGEST {
            return too_large();
        }
        match (&one, &two) {
            (QueryValue::List(one), QueryValue::List(two)) => {
                return Ok(QueryValue::list(
                    one.iter().chain(two.iter()).cloned().collect(),
                ));
            }
            (QueryValue::List(list), item) => {
                return Ok(QueryValue::list(
                    list.iter().chain([item]).cloned().collect(),
                ));
            }
            (item, QueryValue::List(list)) => {
                return Ok(QueryValue::list(
                    [item].into_iter().chain(list.iter()).cloned().collect(),
                ));
            }
            (QueryValue::Text(_), other) | (other, QueryValue::Text(_))
                if matches!(
                    other,
                    QueryValue::Text(_) | QueryValue::Int(_) | QueryValue::Float(_)
                ) =>
            {
                return Ok(QueryValue::Text(
                    format!("{}{}", plain(&one), plain(&two)).into(),
                ));
            }
            _ => {}
        }
    }
    if let (QueryValue::Int(one), QueryValue::Int(two)) = (&one, &two) {
        let result = match sign {
            ArithmeticOp::Plus => one.checked_add(*two),
            ArithmeticOp::Minus => one.checked_sub(*two),
            ArithmeticOp::Times => one.checked_mul(*two),
            ArithmeticOp::Divide | ArithmeticOp::Modulo if *two == 0 => {
                return wrong(mark, "This divides by zero");
            }
            ArithmeticOp::Divide => one.checked_div(*two),
            ArithmeticOp::Modulo => one.checked_rem(*two),
            ArithmeticOp::Power => return Ok(QueryValue::Float((*one as f64).powf(*two as f64))),
        };
        return result.map_or_else(too_large, |number| Ok(QueryValue::Int(number)));
    }
    let number = |value: &QueryValue| match value {
        QueryValue::Int(number) => Some(*number as f64),
        QueryValue::Float(number) => Some(*number),
        _ => None,
    };
    match (number(&one), number(&two)) {
        (Some(one), Some(two)) => Ok(QueryValue::Float(match sign {
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
fn size(value: &QueryValue) -> usize {
    match value {
        QueryValue::Text(text) => text.len(),
        QueryValue::List(items) => items.len(),
        _ => 1,
    }
}

/// A number or a text, as a text.
pub(super) fn plain(value: &QueryValue) -> String {
    match value {
        QueryValue::Int(number) => number.to_string(),
        QueryValue::Float(number) => format!("{number:?}"),
        QueryValue::Text(text) => text.to_string(),
        QueryValue::Bool(truth) => truth.to_string(),
        _ => String::new(),
    }
}
