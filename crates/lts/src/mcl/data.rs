//! Values in labels: `GAME !1 !ROCK` is the gate `GAME` with the offers `1` and `ROCK`.

use super::ast::{DataOperator, DataType};

/// A value of an expression or of an offer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum DataValue {
    Int(i64),
    Bool(bool),
    /// Anything else, as it is printed, without quotes.
    Text(String),
}

impl std::fmt::Display for DataValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DataValue::Int(number) => write!(f, "{number}"),
            DataValue::Bool(truth) => write!(f, "{truth}"),
            DataValue::Text(text) => f.write_str(text),
        }
    }
}

/// A label in its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Offers {
    pub(super) gate: String,
    pub(super) values: Vec<String>,
}

/// Takes a label apart: `GATE !v !w` as CADP prints it, or `gate(v, w)` as mCRL2 does. Signs within
/// quotes, parentheses, brackets and braces separate nothing.
pub(super) fn offers(label: &str) -> Offers {
    let label = label.trim();
    let parts = split(label, b'!');
    // Only a label without `!` is read in the other notation.
    if parts.len() == 1
        && let Some(inside) = label.strip_suffix(')')
        && let Some((gate, inside)) = inside.split_once('(')
        && !gate.trim().is_empty()
    {
        let values = split(inside, b',');
        return Offers {
            gate: gate.trim().to_owned(),
            values: values.iter().map(|value| value.trim().to_owned()).collect(),
        };
    }
    let mut parts = parts.into_iter().map(|part| part.trim().to_owned());
    Offers {
        gate: parts.next().unwrap_or_default(),
        values: parts.collect(),
    }
}

fn split(text: &str, separator: u8) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut quoted) = (0, 0usize, false);
    // Separators are ASCII, and no byte of a longer character is.
    for (at, &byte) in text.as_bytes().iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ if byte == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// The value of an offer, if it is of a type.
pub(super) fn value(offer: &str, kind: DataType) -> Option<DataValue> {
    match kind {
        DataType::Nat if offer.starts_with(['+', '-']) => None,
        DataType::Nat | DataType::Int => int(offer).map(DataValue::Int),
        DataType::Bool => boolean(offer).map(DataValue::Bool),
        DataType::Text => Some(DataValue::Text(bare(offer).to_owned())),
        DataType::Any => {
            let other = || DataValue::Text(bare(offer).to_owned());
            let truth = || boolean(offer).map(DataValue::Bool);
            Some(
                int(offer)
                    .map(DataValue::Int)
                    .or_else(truth)
                    .unwrap_or_else(other),
            )
        }
    }
}

/// Whether an offer is this value.
pub(super) fn is(offer: &str, value: &DataValue) -> bool {
    match value {
        DataValue::Int(number) => int(offer) == Some(*number),
        DataValue::Bool(truth) => boolean(offer) == Some(*truth),
        DataValue::Text(text) => bare(offer) == text || offer == text,
    }
}

/// Numerals as CADP prints them: naturals without, integers with a sign.
fn int(offer: &str) -> Option<i64> {
    offer.parse().ok()
}

fn boolean(offer: &str) -> Option<bool> {
    match offer {
        "TRUE" | "true" => Some(true),
        "FALSE" | "false" => Some(false),
        _ => None,
    }
}

fn bare(offer: &str) -> &str {
    let inside = offer.strip_prefix('"').and_then(|o| o.strip_suffix('"'));
    inside.unwrap_or(offer)
}

/// The value of an operation, or what is wrong with it.
pub(super) fn apply(
    operator: DataOperator,
    one: &DataValue,
    other: &DataValue,
) -> Result<DataValue, String> {
    use DataOperator as O;
    Ok(match (operator, one, other) {
        (O::And, DataValue::Bool(a), DataValue::Bool(b)) => DataValue::Bool(*a && *b),
        (O::Or, DataValue::Bool(a), DataValue::Bool(b)) => DataValue::Bool(*a || *b),
        (O::Implies, DataValue::Bool(a), DataValue::Bool(b)) => DataValue::Bool(!*a || *b),
        (O::Equ, DataValue::Bool(a), DataValue::Bool(b)) => DataValue::Bool(a == b),
        (O::And | O::Or | O::Implies | O::Equ, ..) => {
            return Err(format!(
                "`{one}` and `{other}` are joined as truth values, which they are not both"
            ));
        }
        (O::Equal | O::Unequal, ..) => {
            if std::mem::discriminant(one) != std::mem::discriminant(other) {
                return Err(format!(
                    "`{one}` and `{other}` are compared, which are of different types"
                ));
            }
            DataValue::Bool((one == other) == (operator == O::Equal))
        }
        (_, DataValue::Int(a), DataValue::Int(b)) => match operator {
            O::Less => DataValue::Bool(a < b),
            O::AtMost => DataValue::Bool(a <= b),
            O::Greater => DataValue::Bool(a > b),
            O::AtLeast => DataValue::Bool(a >= b),
            _ => {
                let result = match operator {
                    O::Add => a.checked_add(*b),
                    O::Subtract => a.checked_sub(*b),
                    O::Multiply => a.checked_mul(*b),
                    O::Divide => a.checked_div(*b),
                    _ => a.checked_rem(*b),
                };
                let message = || format!("This has no value for `{one}` and `{other}`");
                DataValue::Int(result.ok_or_else(message)?)
            }
        },
        _ => {
            return Err(format!(
                "`{one}` and `{other}` are used as numbers, which they are not both"
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(label: &str) -> (String, Vec<String>) {
        let Offers { gate, values } = offers(label);
        (gate, values)
    }

    #[test]
    fn labels_fall_into_gate_and_offers() {
        let owned = |gate: &str, values: &[&str]| {
            (
                gate.to_owned(),
                values.iter().map(|v| (*v).to_owned()).collect(),
            )
        };
        assert_eq!(parts("SEND"), owned("SEND", &[]));
        assert_eq!(parts("SEND !1 !+2"), owned("SEND", &["1", "+2"]));
        assert_eq!(
            parts("A !{B, !C} !\"x!y\""),
            owned("A", &["{B, !C}", "\"x!y\""])
        );
        assert_eq!(parts("send(1, f(2, 3))"), owned("send", &["1", "f(2, 3)"]));
        assert_eq!(parts("READY (FALSE)"), owned("READY", &["FALSE"]));
        assert_eq!(parts(""), owned("", &[]));
        assert_eq!(parts("!1"), owned("", &["1"]));
    }

    #[test]
    fn offers_have_the_types_their_text_allows() {
        assert_eq!(value("3", DataType::Nat), Some(DataValue::Int(3)));
        assert_eq!(value("+3", DataType::Nat), None);
        assert_eq!(value("+3", DataType::Int), Some(DataValue::Int(3)));
        assert_eq!(value("ROCK", DataType::Nat), None);
        assert_eq!(value("TRUE", DataType::Bool), Some(DataValue::Bool(true)));
        assert_eq!(
            value("ROCK", DataType::Any),
            Some(DataValue::Text("ROCK".into()))
        );
        assert!(is("+1", &DataValue::Int(1)) && is("\"a\"", &DataValue::Text("a".into())));
    }
}
