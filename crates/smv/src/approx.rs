//! A cheap over-approximation of the values an expression can have.
//!
//! It looks at domains and operators, never at conditions. Where it already fits the domain of an
//! assigned variable, nothing is left to prove; otherwise an obligation remains.

use std::sync::Arc;

use wherefore_base::{Symbol, Value};
use wherefore_model::{BinaryOp, Domain};

/// The most integers that are kept one by one instead of as an interval.
const LISTED: usize = 64;

/// Possible integers and symbolic constants; truth values and words always fit and are left out.
#[derive(Clone, Debug)]
pub(crate) struct Approx {
    ints: Ints,
    symbols: Arc<[Symbol]>,
}

#[derive(Clone, Debug)]
enum Ints {
    None,
    /// `low..=high`.
    Interval(i64, i64),
    /// These, ascending, at least two of them.
    List(Arc<[i64]>),
}

impl Approx {
    /// No integer and no symbolic constant.
    pub(crate) fn none() -> Self {
        let symbols = Arc::from([]);
        Self {
            ints: Ints::None,
            symbols,
        }
    }

    /// The integers `low..=high`.
    pub(crate) fn interval(low: i64, high: i64) -> Self {
        Self {
            ints: Ints::Interval(low, high),
            ..Self::none()
        }
    }

    /// All integers.
    pub(crate) fn any() -> Self {
        Self::interval(i64::MIN, i64::MAX)
    }

    /// Whether these are all integers: those that 64 bits do not hold, too.
    pub(crate) fn is_any(&self) -> bool {
        self.bounds() == Some((i64::MIN, i64::MAX))
    }

    /// One value.
    pub(crate) fn value(value: Value) -> Self {
        match value {
            Value::Bool(_) | Value::Word(_) => Self::none(),
            Value::Int(n) => Self::interval(n, n),
            Value::Symbol(symbol) => Self {
                symbols: Arc::from([symbol]),
                ..Self::none()
            },
        }
    }

    /// All values of a domain.
    pub(crate) fn domain(domain: &Domain) -> Self {
        match domain {
            Domain::Bool | Domain::Word { .. } => Self::none(),
            Domain::Range { low, high } => Self::interval(*low, *high),
            Domain::Enum(values) => {
                let mut ints: Vec<i64> = values.iter().filter_map(|v| v.as_int()).collect();
                ints.sort_unstable();
                let symbol = |value: &Value| match value {
                    Value::Symbol(symbol) => Some(*symbol),
                    _ => None,
                };
                let mut symbols: Vec<Symbol> = values.iter().filter_map(symbol).collect();
                symbols.sort_unstable();
                Self {
                    ints: Ints::from_list(ints),
                    symbols: symbols.into(),
                }
            }
        }
    }

    /// The least and the greatest integer, if there is one.
    pub(crate) fn bounds(&self) -> Option<(i64, i64)> {
        match &self.ints {
            Ints::None => None,
            Ints::Interval(low, high) => Some((*low, *high)),
            Ints::List(list) => list.first().copied().zip(list.last().copied()),
        }
    }

    /// The only integer, if it is one.
    pub(crate) fn single(&self) -> Option<i64> {
        let (low, high) = self.bounds()?;
        (low == high).then_some(low)
    }

    /// Whether 0 is possible.
    pub(crate) fn has_zero(&self) -> bool {
        match &self.ints {
            Ints::None => false,
            Ints::Interval(low, high) => *low <= 0 && 0 <= *high,
            Ints::List(list) => list.binary_search(&0).is_ok(),
        }
    }

    /// The values of either.
    pub(crate) fn or(&self, other: &Self) -> Self {
        let (a, b) = (&self.symbols, &other.symbols);
        let within =
            |few: &[Symbol], many: &[Symbol]| few.iter().all(|s| many.binary_search(s).is_ok());
        let symbols = if within(b, a) {
            a.clone()
        } else if within(a, b) {
            b.clone()
        } else {
            // Two ascending runs, which a stable sort merges in one pass.
            let mut all: Vec<Symbol> = a.iter().chain(b.iter()).copied().collect();
            all.sort();
            all.dedup();
            all.into()
        };
        Self {
            ints: self.ints.or(&other.ints),
            symbols,
        }
    }

    /// Whether each value is one of the other's.
    pub(crate) fn fits(&self, other: &Self) -> bool {
        let symbols = self
            .symbols
            .iter()
            .all(|s| other.symbols.binary_search(s).is_ok());
        symbols && self.ints.fits(&other.ints)
    }

    /// The results of an arithmetic operator; `None` when 64 bits may not hold them.
    pub(crate) fn arithmetic(&self, op: BinaryOp, other: &Self) -> Option<Self> {
        let (Some((a, b)), Some((c, d))) = (self.bounds(), other.bounds()) else {
            return Some(Self::none());
        };
        let any = match op {
            // The remainder is less than the divisor, whatever is divided.
            BinaryOp::Mod => other.is_any(),
            _ => self.is_any() || other.is_any(),
        };
        if any {
            return Some(Self::any());
        }
        let hull = |values: [Option<i64>; 4]| {
            let [p, q, r, s] = values;
            let values = [p?, q?, r?, s?];
            Some((*values.iter().min()?, *values.iter().max()?))
        };
        let (low, high) = match op {
            BinaryOp::Add => (a.checked_add(c)?, b.checked_add(d)?),
            BinaryOp::Sub => (a.checked_sub(d)?, b.checked_sub(c)?),
            // The extremes of a product are among the products of the bounds.
            BinaryOp::Mul => hull([
                a.checked_mul(c),
                a.checked_mul(d),
                b.checked_mul(c),
                b.checked_mul(d),
            ])?,
            BinaryOp::Div if c == d && c != 0 => {
                // Division by a constant is monotonic, upwards or downwards.
                let (low, high) = (a.checked_div(c)?, b.checked_div(c)?);
                (low.min(high), low.max(high))
            }
            BinaryOp::Div => {
                // A quotient of integers is never farther from zero than the dividend.
                let most = a.checked_abs()?.max(b.checked_abs()?);
                let low = if a >= 0 && c >= 0 { 0 } else { -most };
                (low, most)
            }
            _ => {
                // A remainder is less than the divisor in size and has the sign of the dividend.
                let most = c
                    .checked_abs()?
                    .max(d.checked_abs()?)
                    .saturating_sub(1)
                    .max(0);
                let low = if a >= 0 { 0 } else { a.max(-most) };
                (low, b.clamp(0, most))
            }
        };
        Some(Self::interval(low, high))
    }

    /// The results of arithmetic negation; `None` when 64 bits may not hold them.
    pub(crate) fn negated(&self) -> Option<Self> {
        match self.bounds() {
            Some(_) if self.is_any() => Some(Self::any()),
            Some((low, high)) => Some(Self::interval(high.checked_neg()?, low.checked_neg()?)),
            None => Some(Self::none()),
        }
    }
}

impl Ints {
    fn from_list(sorted: Vec<i64>) -> Self {
        match (sorted.first(), sorted.last()) {
            // A list without gaps is an interval.
            (Some(&low), Some(&high)) if high.abs_diff(low) + 1 == sorted.len() as u64 => {
                Ints::Interval(low, high)
            }
            (Some(_), Some(_)) => Ints::List(sorted.into()),
            _ => Ints::None,
        }
    }

    fn or(&self, other: &Self) -> Self {
        match (self, other) {
            (Ints::None, ints) | (ints, Ints::None) => ints.clone(),
            _ if other.fits(self) => self.clone(),
            _ if self.fits(other) => other.clone(),
            _ => match (self.few(), other.few()) {
                (Some(mut all), Some(more)) => {
                    all.extend(more);
                    all.sort_unstable();
                    all.dedup();
                    Ints::from_list(all)
                }
                _ => {
                    let (a, b) = self.hull();
                    let (c, d) = other.hull();
                    Ints::Interval(a.min(c), b.max(d))
                }
            },
        }
    }

    /// All of them, if they are few.
    fn few(&self) -> Option<Vec<i64>> {
        match self {
            Ints::None => Some(Vec::new()),
            Ints::Interval(low, high) if high.abs_diff(*low) < LISTED as u64 => {
                Some((*low..=*high).collect())
            }
            Ints::List(list) if list.len() <= LISTED => Some(list.to_vec()),
            _ => None,
        }
    }

    fn hull(&self) -> (i64, i64) {
        match self {
            Ints::None => (i64::MAX, i64::MIN),
            Ints::Interval(low, high) => (*low, *high),
            Ints::List(list) => (list[0], list[list.len() - 1]),
        }
    }

    fn fits(&self, other: &Self) -> bool {
        match (self, other) {
            (Ints::None, _) => true,
            (_, Ints::None) => false,
            (_, Ints::Interval(low, high)) => {
                let (a, b) = self.hull();
                *low <= a && b <= *high
            }
            (Ints::Interval(low, high), Ints::List(list)) => {
                // A list skips at least one integer, so only intervals shorter than it can fit.
                let short = high.abs_diff(*low) < list.len() as u64;
                short && (*low..=*high).all(|n| list.binary_search(&n).is_ok())
            }
            (Ints::List(few), Ints::List(many)) => {
                few.iter().all(|n| many.binary_search(n).is_ok())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_encloses_every_result() {
        let ops = [
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Mul,
            BinaryOp::Div,
            BinaryOp::Mod,
        ];
        let ranges = [(-3, 2), (0, 4), (1, 3), (-5, -2), (2, 2), (0, 0), (-2, -2)];
        for op in ops {
            for (a, b) in ranges {
                for (c, d) in ranges {
                    let approx = Approx::interval(a, b).arithmetic(op, &Approx::interval(c, d));
                    let approx = approx.expect("small numbers do not overflow");
                    for x in a..=b {
                        for y in (c..=d)
                            .filter(|&y| y != 0 || !matches!(op, BinaryOp::Div | BinaryOp::Mod))
                        {
                            let value = wherefore_model::apply(op, Value::Int(x), Value::Int(y));
                            let value = Approx::value(value.expect("integers fit arithmetic"));
                            assert!(value.fits(&approx), "{op:?} {x} {y} {approx:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_join_has_the_values_of_both_and_sparse_lists_stay_exact() {
        let list = |values: &[i64]| {
            let values = values.iter().map(|&n| Value::Int(n));
            Approx::domain(&Domain::Enum(values.collect()))
        };
        let joined = list(&[1, 5]).or(&list(&[9]));
        assert!(list(&[5, 9]).fits(&joined));
        assert!(!list(&[6]).fits(&joined));
        assert!(joined.fits(&Approx::interval(1, 9)));
        assert!(!Approx::interval(1, 9).fits(&joined));
    }
}
