//! Conditions on states, as people write them: `x != 3`, `!locked`, `n <= 4`.

use wherefore_base::Value;
use wherefore_evidence::Cube;
use wherefore_model::{BinaryOp, Domain, Term, TermId, VarId};

use super::certificate::bits_text;
use crate::Report;
use crate::words::clean;

/// A condition, its opposite, and whether the opposite is the plainer one.
pub(super) struct WordedLiteral {
    pub(super) text: String,
    pub(super) opposite: String,
    pub(super) is_negative: bool,
}

/// The conditions of a cube.
pub(super) fn literals(report: &Report<'_>, cube: &Cube) -> Vec<WordedLiteral> {
    let terms = cube.terms.iter();
    let terms = terms.map(|&(term, holds)| term_literal(report, term, holds));
    let values = cube.values.iter();
    let values = values.map(|(var, values)| value_literal(report, *var, values));
    let bits = cube.bits.iter().flat_map(|&(var, bits)| {
        let domain = &report.model.vars[var].domain;
        let texts = bits_text(&report.name(var), Some(domain), bits);
        texts.into_iter().map(|text| WordedLiteral {
            opposite: negated(&text),
            text,
            is_negative: false,
        })
    });
    terms.chain(values).chain(bits).collect()
}

/// The negation of a text of a formula.
pub(super) fn negated(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_.[]$#".contains(c);
    match text.chars().all(plain) {
        true => format!("!{text}"),
        false => format!("!({text})"),
    }
}

fn term_literal(report: &Report<'_>, term: TermId, holds: bool) -> WordedLiteral {
    let defined = report
        .model
        .defines
        .iter()
        .find(|define| define.term == term);
    let (text, opposite) = match (defined, report.model.terms.get(term)) {
        (Some(define), _) => {
            let name = clean(&define.name);
            let opposite = negated(&name);
            (name, opposite)
        }
        (None, Term::Not(inner)) => {
            let inner = term_literal(report, *inner, true);
            (inner.opposite, inner.text)
        }
        (None, &Term::Binary(op, a, b)) if turned(op).is_some() => {
            let (sign, other) = turned(op).unwrap_or_default();
            let (a, b) = (clean(&report.term(a)), clean(&report.term(b)));
            (format!("{a} {sign} {b}"), format!("{a} {other} {b}"))
        }
        (None, _) => {
            let text = clean(&report.term(term));
            let opposite = negated(&text);
            let text = match text.contains(' ') {
                true => format!("({text})"),
                false => text,
            };
            (text, opposite)
        }
    };
    let (text, opposite) = match holds {
        true => (text, opposite),
        false => (opposite, text),
    };
    WordedLiteral {
        is_negative: text.starts_with('!') || text.contains(" != "),
        text,
        opposite,
    }
}

/// A comparison and its opposite.
fn turned(op: BinaryOp) -> Option<(&'static str, &'static str)> {
    Some(match op {
        BinaryOp::Equal => ("=", "!="),
        BinaryOp::Unequal => ("!=", "="),
        BinaryOp::Less => ("<", ">="),
        BinaryOp::LessEqual => ("<=", ">"),
        BinaryOp::Greater => (">", "<="),
        BinaryOp::GreaterEqual => (">=", "<"),
        _ => return None,
    })
}

/// That a variable has one of some values, as people write it.
fn value_literal(report: &Report<'_>, var: VarId, values: &[Value]) -> WordedLiteral {
    let variable = &report.model.vars[var];
    let others: Vec<Value> = match variable.domain.size() <= 1 << 16 {
        true => variable
            .domain
            .values()
            .filter(|v| !values.contains(v))
            .collect(),
        false => vec![],
    };
    let text = values_text(report, var, values, &others);
    let opposite = match others.is_empty() {
        true => negated(&text),
        false => values_text(report, var, &others, values),
    };
    let is_negative = match variable.domain {
        Domain::Bool => values == [Value::Bool(false)],
        _ => others.len() == 1 && values.len() > 1,
    };
    WordedLiteral {
        text,
        opposite,
        is_negative,
    }
}

fn values_text(report: &Report<'_>, var: VarId, values: &[Value], others: &[Value]) -> String {
    if !report.model.vars[var].is_declared()
        && let Some(text) = report.undeclared(var, values)
    {
        return text;
    }
    let name = report.name(var);
    let value = |value: &Value| report.value(*value);
    match (values, others) {
        ([Value::Bool(true)], _) => name,
        ([Value::Bool(false)], _) => format!("!{name}"),
        ([one], _) => format!("{name} = {}", value(one)),
        (_, [one]) => format!("{name} != {}", value(one)),
        ([first, .., last], [.., other]) if is_range(values) && is_range(others) => {
            match number(last) < number(other) {
                true => format!("{name} <= {}", value(last)),
                false => format!("{name} >= {}", value(first)),
            }
        }
        ([first, _, .., last], _) if is_range(values) => {
            format!("{name} in {}..{}", value(first), value(last))
        }
        _ => {
            let values: Vec<String> = values.iter().map(value).collect();
            format!("{name} in {{{}}}", values.join(", "))
        }
    }
}

fn number(value: &Value) -> i64 {
    match value {
        Value::Int(number) => *number,
        _ => 0,
    }
}

/// Whether values are numbers without a gap.
fn is_range(values: &[Value]) -> bool {
    let ints = values.iter().all(|value| matches!(value, Value::Int(_)));
    ints && values
        .windows(2)
        .all(|pair| number(&pair[1]) == number(&pair[0]) + 1)
}
