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
use crate::term::{Op, Quantifier, SymbolId, SymbolKind, Term, TermId, Terms};
use crate::value::{ArrayValue, Valuation, Value};

/// Why a term has no value here: a whole sentence without its full stop.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct CannotEvaluate(pub String);

/// How many values of the bound variables of one quantifier are tried at most.
const MOST_INSTANCES: u128 = 1 << 20;

/// The value of a term.
pub fn eval(terms: &Terms, term: TermId, valuation: &Valuation) -> Result<Value, CannotEvaluate> {
    let mut evaluator = TermEvaluator {
        terms,
        valuation,
        bound: FxHashMap::default(),
        done: FxHashMap::default(),
    };
    evaluator.term(term)
}

/// Whether a term of sort `Bool` is true.
pub fn holds(terms: &Terms, term: TermId, valuation: &Valuation) -> Result<bool, CannotEvaluate> {
    let value = eval(terms, term, valuation)?;
    value
        .as_bool()
        .ok_or_else(|| no("a condition is not a truth value"))
}

/// The value of a term in which no symbol occurs, if it has one.
pub(crate) fn constant(terms: &Terms, term: TermId) -> Option<Value> {
    eval(terms, term, &Valuation::default()).ok()
}

/// The values of a finite sort in order, if they are not too many; of an uninterpreted sort those that the valuation
/// counts.
pub fn values(terms: &Terms, sort: SortId, valuation: &Valuation) -> Option<Vec<Value>> {
    match terms.sorts.get(sort) {
        Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Sort::Enumeration(_, constants) => {
            let count = u32::try_from(constants.len()).ok()?;
            Some((0..count).map(|at| Value::Constant(sort, at)).collect())
        }
        Sort::BitVec(width) if *width <= 20 => Some(
            (0..1u32 << width)
                .map(|value| Value::BitVec(BigUint::from(value), *width))
                .collect(),
        ),
        Sort::Uninterpreted(_) => {
            let count = valuation.universe(sort)?;
            Some((0..count).map(|at| Value::Atom(sort, at)).collect())
        }
        Sort::BitVec(_) | Sort::Int | Sort::Real | Sort::Array(..) => None,
    }
}

fn no(why: impl Into<String>) -> CannotEvaluate {
    CannotEvaluate(why.into())
}

struct TermEvaluator<'a> {
    terms: &'a Terms,
    valuation: &'a Valuation,
    bound: FxHashMap<SymbolId, Value>,
    /// Values of terms under the present values of bound variables.
    done: FxHashMap<TermId, Value>,
}

impl TermEvaluator<'_> {
    fn term(&mut self, term: TermId) -> Result<Value, CannotEvaluate> {
        if let Some(value) = self.done.get(&term) {
            return Ok(value.clone());
        }
        let terms = self.terms;
        let value = match terms.get(term) {
            Term::Bool(value) => Value::Bool(*value),
            Term::Int(value) => Value::Int(value.clone()),
            Term::Real(value) => Value::Real(value.clone()),
            Term::BitVec(value, width) => Value::BitVec(value.clone(), *width),
            Term::Constant(sort, at) => Value::Constant(*sort, *at),
            Term::Apply(symbol, args) => self.apply(*symbol, args)?,
            Term::Op(op, operands) => self.op(*op, operands)?,
            Term::Quantified(quantifier, symbols, body) => {
                self.quantified(*quantifier, symbols, *body)?
            }
        };
        self.done.insert(term, value.clone());
        Ok(value)
    }

    fn apply(&mut self, symbol: SymbolId, args: &[TermId]) -> Result<Value, CannotEvaluate> {
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
        values: Vec<Value>,
        term: TermId,
    ) -> Result<Value, CannotEvaluate> {
        let outer = std::mem::take(&mut self.done);
        let mut before = Vec::with_capacity(symbols.len());
        for (&symbol, value) in symbols.iter().zip(values) {
            before.push((symbol, self.bound.insert(symbol, value)));
        }
        let result = deep(|| self.term(term));
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
        quantifier: Quantifier,
        symbols: &[SymbolId],
        body: TermId,
    ) -> Result<Value, CannotEvaluate> {
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
        let decides = quantifier == Quantifier::Exists;
        let mut at = vec![0; ranges.len()];
        if ranges.iter().any(Vec::is_empty) {
            return Ok(Value::Bool(!decides));
        }
        loop {
            let instance = at
                .iter()
                .zip(&ranges)
                .map(|(&at, range)| range[at].clone())
                .collect();
            let value = self.with(symbols, instance, body)?;
            if value == Value::Bool(decides) {
                return Ok(value);
            }
            let Some(turn) = (0..at.len())
                .rev()
                .find(|&turn| at[turn] + 1 < ranges[turn].len())
            else {
                return Ok(Value::Bool(!decides));
            };
            at[turn] += 1;
            at[turn + 1..].fill(0);
        }
    }

    fn op(&mut self, op: Op, operands: &[TermId]) -> Result<Value, CannotEvaluate> {
        match op {
            Op::And | Op::Or => {
                let decides = op == Op::Or;
                // One operand that decides is enough, whatever becomes of the others.
                let mut trouble = None;
                for &operand in operands {
                    match deep(|| self.term(operand)) {
                        Ok(value) if value == Value::Bool(decides) => return Ok(value),
                        Ok(_) => {}
                        Err(why) => trouble = trouble.or(Some(why)),
                    }
                }
                return match trouble {
                    Some(why) => Err(why),
                    None => Ok(Value::Bool(!decides)),
                };
            }
            Op::Implies => {
                let premise = deep(|| self.term(operands[0]));
                if premise == Ok(Value::Bool(false)) {
                    return Ok(Value::Bool(true));
                }
                let conclusion = deep(|| self.term(operands[1]))?;
                return match conclusion == Value::Bool(true) {
                    true => Ok(conclusion),
                    false => premise.map(|_| Value::Bool(false)),
                };
            }
            Op::Ite => {
                let condition = deep(|| self.term(operands[0]))?;
                let chosen = if condition == Value::Bool(true) { 1 } else { 2 };
                return deep(|| self.term(operands[chosen]));
            }
            _ => {}
        }
        let mut values = Vec::with_capacity(operands.len());
        for &operand in operands {
            values.push(deep(|| self.term(operand))?);
        }
        match op {
            Op::Equal | Op::Distinct => {
                let sort = self.terms.sort(operands[0]);
                let mut any = false;
                for (at, a) in values.iter().enumerate() {
                    for b in &values[at + 1..] {
                        any |= self.same(a, b, sort)?;
                    }
                }
                Ok(Value::Bool(any == (op == Op::Equal)))
            }
            _ => apply_op(op, values),
        }
    }

    /// Whether two values of a sort are equal. Arrays are so when all their elements are.
    fn same(&self, a: &Value, b: &Value, sort: SortId) -> Result<bool, CannotEvaluate> {
        let (Value::Array(one), Value::Array(other)) = (a, b) else {
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
pub(crate) fn apply_op(op: Op, values: Vec<Value>) -> Result<Value, CannotEvaluate> {
    let unfit = || no("an operator has operands that do not fit it");
    match op {
        Op::Not => values[0]
            .as_bool()
            .map(|value| Value::Bool(!value))
            .ok_or_else(unfit),
        Op::Equal => Ok(Value::Bool(values[0] == values[1])),
        Op::Distinct => {
            let mut sorted: Vec<&Value> = values.iter().collect();
            sorted.sort();
            Ok(Value::Bool(
                sorted.windows(2).all(|pair| pair[0] != pair[1]),
            ))
        }
        Op::Select => match &values[0] {
            Value::Array(array) => Ok(array.select(&values[1]).clone()),
            _ => Err(unfit()),
        },
        Op::Store => {
            let mut values = values.into_iter();
            match (values.next(), values.next(), values.next()) {
                (Some(Value::Array(array)), Some(index), Some(element)) => {
                    Ok(Value::Array(array.store(index, element)))
                }
                _ => Err(unfit()),
            }
        }
        Op::ConstArray(_) => Ok(Value::Array(ArrayValue::constant(values[0].clone()))),
        Op::Bits(op) => bits::apply(op, &values).ok_or_else(unfit),
        _ => arithmetic(op, &values),
    }
}

fn arithmetic(op: Op, values: &[Value]) -> Result<Value, CannotEvaluate> {
    let unfit = || no("an operator has operands that do not fit it");
    let zero = || no("the value of a division by zero is open");
    if let Some(ints) = integers(values) {
        return Ok(match op {
            Op::Neg => Value::Int(-ints[0].clone()),
            Op::Add => Value::Int(ints.iter().copied().sum()),
            Op::Sub => Value::Int(
                ints[1..]
                    .iter()
                    .fold(ints[0].clone(), |rest, &by| rest - by),
            ),
            Op::Mul => Value::Int(ints.iter().copied().product()),
            Op::IntDiv => Value::Int(euclid(ints[0], ints[1]).ok_or_else(zero)?.0),
            Op::Mod => Value::Int(euclid(ints[0], ints[1]).ok_or_else(zero)?.1),
            Op::Abs => Value::Int(match ints[0].sign() {
                Sign::Minus => -ints[0].clone(),
                _ => ints[0].clone(),
            }),
            Op::Less => Value::Bool(ints[0] < ints[1]),
            Op::LessEqual => Value::Bool(ints[0] <= ints[1]),
            Op::ToReal => Value::Real(Rational::from(ints[0].clone())),
            Op::Divisible(by) => {
                let (_, rest) = euclid(ints[0], &BigInt::from(by)).ok_or_else(zero)?;
                Value::Bool(rest.sign() == Sign::NoSign)
            }
            _ => return Err(unfit()),
        });
    }
    let reals: Option<Vec<&Rational>> = values
        .iter()
        .map(|value| match value {
            Value::Real(value) => Some(value),
            _ => None,
        })
        .collect();
    let reals = reals.ok_or_else(unfit)?;
    Ok(match op {
        Op::Neg => Value::Real(reals[0].negated()),
        Op::Add => Value::Real(
            reals[1..]
                .iter()
                .fold(reals[0].clone(), |sum, by| sum.add(by)),
        ),
        Op::Sub => Value::Real(
            reals[1..]
                .iter()
                .fold(reals[0].clone(), |rest, by| rest.sub(by)),
        ),
        Op::Mul => Value::Real(
            reals[1..]
                .iter()
                .fold(reals[0].clone(), |product, by| product.mul(by)),
        ),
        Op::Div => Value::Real(reals[0].div(reals[1]).ok_or_else(zero)?),
        Op::Less => Value::Bool(reals[0] < reals[1]),
        Op::LessEqual => Value::Bool(reals[0] <= reals[1]),
        Op::ToInt => Value::Int(reals[0].floor()),
        Op::IsInt => Value::Bool(reals[0].is_integer()),
        _ => return Err(unfit()),
    })
}

fn integers(values: &[Value]) -> Option<Vec<&BigInt>> {
    let ints = values.iter().map(|value| match value {
        Value::Int(value) => Some(value),
        _ => None,
    });
    ints.collect()
}
