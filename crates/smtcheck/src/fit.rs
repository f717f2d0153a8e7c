//! Coefficients that fit: which linear combination of numbers satisfies what was seen so far.

use num_bigint::BigInt;
use wherefore_base::Budget;
use wherefore_smt::{Rational, SmtOp, SmtTermId, SmtTerms, SmtValue, SortId, SymbolId};

use crate::asker::TermSession;
use crate::reading::ModelReader;
use crate::solver::Satisfiability;
use crate::trouble::SolverTrouble;

/// How large a guess may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GuessSize {
    /// The absolute values of the coefficients together.
    coefficients: i64,
    /// The absolute value of the constant, if that matters.
    constant: Option<i64>,
}

impl GuessSize {
    const fn new(coefficients: i64, constant: Option<i64>) -> Self {
        Self {
            coefficients,
            constant,
        }
    }
}

/// The sizes in the order in which they are tried; the next one when none fits. With any constant, a simple wrong guess
/// could be mended for ever by a larger constant: so large ones come late.
pub(crate) const SIZES: [GuessSize; 8] = [
    GuessSize::new(1, Some(0)),
    GuessSize::new(1, Some(4)),
    GuessSize::new(2, Some(8)),
    GuessSize::new(4, Some(16)),
    GuessSize::new(1, None),
    GuessSize::new(2, None),
    GuessSize::new(8, None),
    GuessSize::new(40, None),
];

/// A demand: the combination of these numbers, with or without its constant, is at least this.
#[derive(Clone, Debug)]
pub(crate) struct AtLeast {
    numbers: Vec<Rational>,
    constant: bool,
    least: i64,
}

impl AtLeast {
    /// The combination is not negative for these numbers.
    pub(crate) fn natural(numbers: &[Rational]) -> Self {
        Self {
            numbers: numbers.to_vec(),
            constant: true,
            least: 0,
        }
    }

    /// The combination falls at least by so much from these numbers to those.
    pub(crate) fn fall(before: &[Rational], after: &[Rational], least: i64) -> Self {
        let by = before.iter().zip(after).map(|(a, b)| a.sub(b));
        Self {
            numbers: by.collect(),
            constant: false,
            least,
        }
    }

    /// The demand on coefficients, all numbers made whole.
    fn term(&self, terms: &mut SmtTerms, vars: &[SmtTermId]) -> SmtTermId {
        // Denominators are positive, so multiplying both sides by their product keeps the demand.
        let scale = self.numbers.iter().fold(BigInt::from(1), |scale, number| {
            scale * number.denominator()
        });
        let zero = BigInt::default();
        let mut parts = Vec::new();
        for (number, &var) in self.numbers.iter().zip(vars) {
            let factor = number.numerator() * (&scale / number.denominator());
            if factor != zero {
                let factor = terms.int(factor);
                parts.push(terms.op(SmtOp::Mul, &[factor, var]));
            }
        }
        if let (true, Some(&last)) = (self.constant, vars.last()) {
            let factor = terms.int(scale.clone());
            parts.push(terms.op(SmtOp::Mul, &[factor, last]));
        }
        let (least, all) = (terms.int(scale * self.least), sum(terms, &parts));
        terms.less_equal(least, all)
    }
}

/// Coefficients for so many numbers, the constant last, of at most this size: for every sample all demands of one of its
/// options are met.
pub(crate) fn fit(
    terms: &SmtTerms,
    count: usize,
    samples: &[Vec<Vec<AtLeast>>],
    size: GuessSize,
    asker: &mut TermSession,
    budget: &Budget,
) -> Result<Option<Vec<BigInt>>, SolverTrouble> {
    let mut work = terms.clone();
    let terms = &mut work;
    let symbols: Vec<SymbolId> = (0..=count)
        .map(|n| terms.declare(format!("coefficient@{n}"), &[], SortId::INT))
        .collect();
    let vars: Vec<SmtTermId> = symbols.iter().map(|&symbol| terms.var(symbol)).collect();
    let zero = terms.int(0);
    let mut sizes = Vec::new();
    for &var in &vars {
        let positive = terms.less_equal(zero, var);
        let negative = terms.op(SmtOp::Neg, &[var]);
        sizes.push(terms.ite(positive, var, negative));
    }
    let (most, total) = (terms.int(size.coefficients), sum(terms, &sizes[..count]));
    let mut parts = vec![terms.less_equal(total, most)];
    if let Some(constant) = size.constant {
        let most = terms.int(constant);
        parts.push(terms.less_equal(sizes[count], most));
    }
    for options in samples {
        let mut ways = Vec::new();
        for option in options {
            let demands: Vec<SmtTermId> = option.iter().map(|d| d.term(terms, &vars)).collect();
            ways.push(terms.and(&demands));
        }
        parts.push(terms.or(&ways));
    }
    let all = terms.and(&parts);
    asker.push();
    asker.assert(terms, all);
    let outcome = asker.check(budget)?;
    let mut found = None;
    if outcome == Satisfiability::Sat {
        let values = asker.values(terms, &symbols, &mut ModelReader::default(), budget)?;
        let numbers = values.into_iter().map(|value| match value {
            Some(SmtValue::Int(number)) => Some(number),
            _ => None,
        });
        found = numbers.collect();
    }
    asker.pop();
    Ok(found)
}

/// The linear combination of terms with these coefficients, the constant last.
pub(crate) fn combination(
    terms: &mut SmtTerms,
    features: &[SmtTermId],
    coefficients: &[BigInt],
) -> SmtTermId {
    let real = features
        .iter()
        .any(|&feature| terms.sort(feature) == SortId::REAL);
    let number = |terms: &mut SmtTerms, value: &BigInt| match real {
        true => terms.real(Rational::from(value.clone())),
        false => terms.int(value.clone()),
    };
    let mut parts = Vec::new();
    let zero = BigInt::default();
    for (&feature, coefficient) in features.iter().zip(coefficients) {
        if *coefficient == zero {
            continue;
        }
        let value = match real && terms.sort(feature) == SortId::INT {
            true => terms.op(SmtOp::ToReal, &[feature]),
            false => feature,
        };
        let factor = number(terms, coefficient);
        parts.push(match *coefficient == BigInt::from(1) {
            true => value,
            false => terms.op(SmtOp::Mul, &[factor, value]),
        });
    }
    if let Some(last) = coefficients.last()
        && (*last != zero || parts.is_empty())
    {
        parts.push(number(terms, last));
    }
    sum(terms, &parts)
}

fn sum(terms: &mut SmtTerms, parts: &[SmtTermId]) -> SmtTermId {
    match parts {
        [] => terms.int(0),
        [one] => *one,
        _ => terms.op(SmtOp::Add, parts),
    }
}
