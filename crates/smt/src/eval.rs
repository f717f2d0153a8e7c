//! Our own evaluator: the value of a term under a valuation, with exact numbers.
//!
//! It shares nothing with solvers, so that what they say can be replayed. Quantifiers are evaluated over finite sorts,
//! and over uninterpreted ones whose values the valuation counts; whatever else has no value here is told as such and
//! never guessed.

use num_bigint::{BigInt, BigUint, Sign};
use rustc_hash::FxHashMap;
use wherefore_base::deep;

use crate::bits;
use crate::number::{Rational, euclid};
use crate::sort::{Sort, SortId};
use crate::term::{SmtOp, SmtQuantifier, SmtTerm, SmtTermId, SmtTerms, SymbolId, SymbolKind};
use crate::value::{ArrayValue, SmtValuation, SmtValue};

/// Why a term has no value here: a whole sentence without its full stop.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct CannotEvaluate(pub String);

/// How many values of the bound variables of one quantifier are tried at most.
const MOST_INSTANCES: u128 = 1 << 20;

/// The value of a term.
pub fn eval(
    terms: &SmtTerms,
    term: SmtTermId,
    valuation: &SmtValuation,
) -> Result<SmtValue, CannotEvaluate> {
    let mut evaluator = TermEvaluator {
        terms,
        valuation,
        bound: FxHashMap::default(),
        done: FxHashMap::default(),
    };
    evaluator.term(term)
}

/// Whether a term of sort `Bool` is true.
pub fn holds(
    terms: &SmtTerms,
    term: SmtTermId,
    valuation: &SmtValuation,
) -> Result<bool, CannotEvaluate> {
    let value = eval(terms, term, valuation)?;
    value
        .as_bool()
        .ok_or_else(|| no("a condition is not a truth value"))
}

/// Whether a term of sort `Bool` is true where a condition within it has this truth value. Under quantifiers the condition keeps its
/// own.
pub(crate) fn holds_with(
    terms: &SmtTerms,
    term: SmtTermId,
    valuation: &SmtValuation,
    (condition, value): (SmtTermId, bool),
) -> Result<bool, CannotEvaluate> {
    let mut evaluator = TermEvaluator {
        terms,
        valuation,
        bound: FxHashMap::default(),
        done: FxHashMap::from_iter([(condition, SmtValue::Bool(value))]),
    };
    let value = evaluator.term(term)?;
    value
        .as_bool()
        .ok_or_else(|| no("a condition is not a truth value"))
}

/// The value of a term in which no symbol occurs, if it has one.
pub(crate) fn constant(terms: &SmtTerms, term: SmtTermId) -> Option<SmtValue> {
    eval(terms, term, &SmtValuation::default()).ok()
}

/// The values of a finite sort in order, if they are not too many; of an uninterpreted sort those that the valuation
/// counts.
pub fn values(terms: &SmtTerms, sort: SortId, valuation: &SmtValuation) -> Option<Vec<SmtValue>> {
    match terms.sorts.get(sort) {
        Sort::Bool => Some(vec![SmtValue::Bool(false), SmtValue::Bool(true)]),
        Sort::Enumeration(_, constants) => {
            let count = u32::try_from(constants.len()).ok()?;
            Some((0..count).map(|at| SmtValue::Constant(sort, at)).collect())
        }
        // Wider vectors have too many values to list.
        Sort::BitVec(width) if *width <= 20 => Some(
            (0..1u32 << width)
                .map(|value| SmtValue::BitVec(BigUint::from(value), *width))
                .collect(),
        ),
        Sort::Uninterpreted(_) => {
            let count = valuation.universe(sort)?;
            Some((0..count).map(|at| SmtValue::Atom(sort, at)).collect())
        }
        Sort::BitVec(_) | Sort::Int | Sort::Real | Sort::Array(..) => None,
    }
}

fn no(why: impl Into<String>) -> CannotEvaluate {
    CannotEvaluate(why.into())
}

struct TermEvaluator<'a> {
    terms: &'a SmtTerms,
    valuation: &'a SmtValuation,
    bound: FxHashMap<SymbolId, SmtValue>,
    /// Values of terms under the present values of bound variables.
    done: FxHashMap<SmtTermId, SmtValue>,
}

impl TermEvaluator<'_> {
    fn term(&mut self, term: SmtTermId) -> Result<SmtValue, CannotEvaluate> {
        if let Some(value) = self.done.get(&term) {
            return Ok(value.clone());
        }
        let terms = self.terms;
        let value = match terms.get(term) {
            SmtTerm::Bool(value) => SmtValue::Bool(*value),
            SmtTerm::Int(value) => SmtValue::Int(value.clone()),
            SmtTerm::Real(value) => SmtValue::Real(value.clone()),
            SmtTerm::BitVec(value, width) => SmtValue::BitVec(value.clone(), *width),
            SmtTerm::Constant(sort, at) => SmtValue::Constant(*sort, *at),
            SmtTerm::Apply(symbol, args) => self.apply(*symbol, args)?,
            SmtTerm::Op(op, operands) => self.op(*op, operands)?,
            SmtTerm::Quantified(quantifier, symbols, body) => {
                self.quantified(*quantifier, symbols, *body)?
            }
        };
        self.done.insert(term, value.clone());
        Ok(value)
    }

    fn apply(&mut self, symbol: SymbolId, args: &[SmtTermId]) -> Result<SmtValue, CannotEvaluate> {
        let info = self.terms.info(symbol);
        let unknown = || no(format!("nothing is said of the value of {}", info.name));
        if args.is_empty() {
            if let Some(value) = self
                .bound
                .get(&symbol)
                .or_else(|| self.valuation.get(symbol))
            {
                return Ok(value.clone());
            }
            if let SymbolKind::Defined { body, .. } = info.kind {
                return deep(|| self.term(body));
            }
        }
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(deep(|| self.term(arg))?);
        }
        if let SymbolKind::Defined { params, body } = &info.kind {
            return self.with(params, values, *body);
        }
        let function = self.valuation.function(symbol).ok_or_else(unknown)?;
        function.at(&values).cloned().ok_or_else(unknown)
    }

    /// The value of a term in which some symbols have these values.
    fn with(
        &mut self,
        symbols: &[SymbolId],
        values: Vec<SmtValue>,
        term: SmtTermId,
    ) -> Result<SmtValue, CannotEvaluate> {
        // What is known depends on the bound variables, which get other values here.
        let outer = std::mem::take(&mut self.done);
        let mut before = Vec::with_capacity(symbols.len());
        for (&symbol, value) in symbols.iter().zip(values) {
            before.push((symbol, self.bound.insert(symbol, value)));
        }
        let result = deep(|| self.term(term));
        // In reverse, so that a symbol that is given twice gets back what it had at first.
        for (symbol, value) in before.into_iter().rev() {
            match value {
                Some(value) => self.bound.insert(symbol, value),
                None => self.bound.remove(&symbol),
            };
        }
        self.done = outer;
        result
    }

    fn quantified(
        &mut self,
        quantifier: SmtQuantifier,
        symbols: &[SymbolId],
        body: SmtTermId,
    ) -> Result<SmtValue, CannotEvaluate> {
        let mut ranges = Vec::new();
        let mut instances = 1u128;
        for &symbol in symbols {
            let sort = self.terms.info(symbol).sort;
            let range = values(self.terms, sort, self.valuation).ok_or_else(|| {
                no(format!(
                    "a quantifier ranges over {}, whose values cannot be listed",
                    self.terms.sorts.text(sort)
                ))
            })?;
            instances = instances.saturating_mul(range.len() as u128);
            ranges.push(range);
        }
        if instances > MOST_INSTANCES {
            return Err(no("a quantifier ranges over too many values"));
        }
        // What decides the quantifier: a false instance of `forall`, a true one of `exists`.
        let decides = quantifier == SmtQuantifier::Exists;
        let mut at = vec![0; ranges.len()];
        // Over an empty range nothing decides: `forall` is true and `exists` is false.
        if ranges.iter().any(Vec::is_empty) {
            return Ok(SmtValue::Bool(!decides));
        }
        loop {
            let instance = at
                .iter()
                .zip(&ranges)
                .map(|(&at, range)| range[at].clone())
                .collect();
            let value = self.with(symbols, instance, body)?;
            if value == SmtValue::Bool(decides) {
                return Ok(value);
            }
            let Some(turn) = (0..at.len())
                .rev()
                .find(|&turn| at[turn] + 1 < ranges[turn].len())
            else {
                return Ok(SmtValue::Bool(!decides));
            };
            at[turn] += 1;
            at[turn + 1..].fill(0);
        }
    }

    fn op(&mut self, op: SmtOp, operands: &[SmtTermId]) -> Result<SmtValue, CannotEvaluate> {
        match op {
            SmtOp::And | SmtOp::Or => {
                let decides = op == SmtOp::Or;
                // One operand that decides is enough, whatever becomes of the others.
                let mut trouble = None;
                for &operand in operands {
                    match deep(|| self.term(operand)) {
                        Ok(value) if value == SmtValue::Bool(decides) => return Ok(value),
                        Ok(_) => {}
                        Err(why) => trouble = trouble.or(Some(why)),
                    }
                }
                return match trouble {
                    Some(why) => Err(why),
                    None => Ok(SmtValue::Bool(!decides)),
                };
            }
            SmtOp::Implies => {
                let premise = deep(|| self.term(operands[0]));
                if premise == Ok(SmtValue::Bool(false)) {
                    return Ok(SmtValue::Bool(true));
                }
                // A true conclusion decides as well, even where the premise has no value.
                let conclusion = deep(|| self.term(operands[1]))?;
                return match conclusion == SmtValue::Bool(true) {
                    true => Ok(conclusion),
                    false => premise.map(|_| SmtValue::Bool(false)),
                };
            }
            SmtOp::Ite => {
                let condition = deep(|| self.term(operands[0]))?;
                let chosen = if condition == SmtValue::Bool(true) {
                    1
                } else {
                    2
                };
                return deep(|| self.term(operands[chosen]));
            }
            _ => {}
        }
        let mut values = Vec::with_capacity(operands.len());
        for &operand in operands {
            values.push(deep(|| self.term(operand))?);
        }
        match op {
            SmtOp::Equal | SmtOp::Distinct => {
                let sort = self.terms.sort(operands[0]);
                let mut any = false;
                for (at, a) in values.iter().enumerate() {
                    for b in &values[at + 1..] {
                        any |= self.same(a, b, sort)?;
                    }
                }
                Ok(SmtValue::Bool(any == (op == SmtOp::Equal)))
            }
            _ => apply_op(op, values),
        }
    }

    /// Whether two values of a sort are equal. Arrays are so when all their elements are.
    fn same(&self, a: &SmtValue, b: &SmtValue, sort: SortId) -> Result<bool, CannotEvaluate> {
        let (SmtValue::Array(one), SmtValue::Array(other)) = (a, b) else {
            return Ok(a == b);
        };
        if a == b {
            return Ok(true);
        }
        let Sort::Array(index, element) = *self.terms.sorts.get(sort) else {
            return Err(no("an array is of no sort of arrays"));
        };
        let listed = one.entries().chain(other.entries()).map(|(at, _)| at);
        for at in listed {
            if !deep(|| self.same(one.select(at), other.select(at), element))? {
                return Ok(false);
            }
        }
        if deep(|| self.same(one.default(), other.default(), element))? {
            return Ok(true);
        }
        // There are infinitely many other indices, and at these both arrays have their defaults.
        if matches!(self.terms.sorts.get(index), Sort::Int | Sort::Real) {
            return Ok(false);
        }
        let all = values(self.terms, index, self.valuation).ok_or_else(|| {
            no("two arrays cannot be compared, since their indices cannot be listed")
        })?;
        for at in &all {
            if !deep(|| self.same(one.select(at), other.select(at), element))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The result of an operator on values.
pub(crate) fn apply_op(op: SmtOp, values: Vec<SmtValue>) -> Result<SmtValue, CannotEvaluate> {
    let unfit = || no("an operator has operands that do not fit it");
    match op {
        SmtOp::Not => values[0]
            .as_bool()
            .map(|value| SmtValue::Bool(!value))
            .ok_or_else(unfit),
        SmtOp::Equal => Ok(SmtValue::Bool(values[0] == values[1])),
        SmtOp::Distinct => {
            let mut sorted: Vec<&SmtValue> = values.iter().collect();
            sorted.sort();
            Ok(SmtValue::Bool(
                sorted.windows(2).all(|pair| pair[0] != pair[1]),
            ))
        }
        SmtOp::Select => match &values[0] {
            SmtValue::Array(array) => Ok(array.select(&values[1]).clone()),
            _ => Err(unfit()),
        },
        SmtOp::Store => {
            let mut values = values.into_iter();
            match (values.next(), values.next(), values.next()) {
                (Some(SmtValue::Array(array)), Some(index), Some(element)) => {
                    Ok(SmtValue::Array(array.store(index, element)))
                }
                _ => Err(unfit()),
            }
        }
        SmtOp::ConstArray(_) => Ok(SmtValue::Array(ArrayValue::constant(values[0].clone()))),
        SmtOp::Bits(op) => bits::apply(op, &values).ok_or_else(unfit),
        _ => arithmetic(op, &values),
    }
}

fn arithmetic(op: SmtOp, values: &[SmtValue]) -> Result<SmtValue, CannotEvaluate> {
    let unfit = || no("an operator has operands that do not fit it");
    let zero = || no("the value of a division by zero is open");
    if let Some(ints) = integers(values) {
        return Ok(match op {
            SmtOp::Neg => SmtValue::Int(-ints[0].clone()),
            SmtOp::Add => SmtValue::Int(ints.iter().copied().sum()),
            SmtOp::Sub => SmtValue::Int(
                ints[1..]
                    .iter()
                    .fold(ints[0].clone(), |rest, &by| rest - by),
            ),
            SmtOp::Mul => SmtValue::Int(ints.iter().copied().product()),
            SmtOp::IntDiv => SmtValue::Int(euclid(ints[0], ints[1]).ok_or_else(zero)?.0),
            SmtOp::Mod => SmtValue::Int(euclid(ints[0], ints[1]).ok_or_else(zero)?.1),
            SmtOp::Abs => SmtValue::Int(match ints[0].sign() {
                Sign::Minus => -ints[0].clone(),
                _ => ints[0].clone(),
            }),
            SmtOp::Less => SmtValue::Bool(ints[0] < ints[1]),
            SmtOp::LessEqual => SmtValue::Bool(ints[0] <= ints[1]),
            SmtOp::ToReal => SmtValue::Real(Rational::from(ints[0].clone())),
            SmtOp::Divisible(by) => {
                let (_, rest) = euclid(ints[0], &BigInt::from(by)).ok_or_else(zero)?;
                SmtValue::Bool(rest.sign() == Sign::NoSign)
            }
            _ => return Err(unfit()),
        });
    }
    let reals: Option<Vec<&Rational>> = values
        .iter()
        .map(|value| match value {
            SmtValue::Real(value) => Some(value),
            _ => None,
        })
        .collect();
    let reals = reals.ok_or_else(unfit)?;
    Ok(match op {
        SmtOp::Neg => SmtValue::Real(reals[0].negated()),
        SmtOp::Add => SmtValue::Real(
            reals[1..]
                .iter()
                .fold(reals[0].clone(), |sum, by| sum.add(by)),
        ),
        SmtOp::Sub => SmtValue::Real(
            reals[1..]
                .iter()
                .fold(reals[0].clone(), |rest, by| rest.sub(by)),
        ),
        SmtOp::Mul => SmtValue::Real(
            reals[1..]
                .iter()
                .fold(reals[0].clone(), |product, by| product.mul(by)),
        ),
        SmtOp::Div => SmtValue::Real(reals[0].div(reals[1]).ok_or_else(zero)?),
        SmtOp::Less => SmtValue::Bool(reals[0] < reals[1]),
        SmtOp::LessEqual => SmtValue::Bool(reals[0] <= reals[1]),
        SmtOp::ToInt => SmtValue::Int(reals[0].floor()),
        SmtOp::IsInt => SmtValue::Bool(reals[0].is_integer()),
        _ => return Err(unfit()),
    })
}

fn integers(values: &[SmtValue]) -> Option<Vec<&BigInt>> {
    let ints = values.iter().map(|value| match value {
        SmtValue::Int(value) => Some(value),
        _ => None,
    });
    ints.collect()
}
