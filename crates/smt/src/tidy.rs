//! Conditions made plain: comparisons without factors that say nothing, negations inside, numbers on one side.
//!
//! What comes out says the same as what went in, for all values. Solvers write `(not (>= (+ s (* (- 1) a)) 0))`; a reader
//! wants `s < a`.

use std::collections::BTreeMap;

use num_bigint::{BigInt, Sign};

use crate::number::Rational;
use crate::sort::SortId;
use crate::term::{SmtOp, SmtTerm, SmtTermId, SmtTerms};

/// A sum of terms with factors, and a number.
#[derive(Clone, Default)]
struct LinearForm {
    factors: BTreeMap<SmtTermId, Rational>,
    number: Option<Rational>,
}

impl SmtTerms {
    /// The conjuncts of a condition, each of them plain; a conjunct that is written twice is there once.
    pub fn plain_conjuncts(&mut self, term: SmtTermId) -> Vec<SmtTermId> {
        let normal = self.negation_normal(term);
        let mut plain: Vec<SmtTermId> = Vec::new();
        for conjunct in self.conjuncts(normal) {
            let tidied = self.plain(conjunct);
            for part in self.conjuncts(tidied) {
                if !plain.contains(&part) {
                    plain.push(part);
                }
            }
        }
        plain
    }

    /// A condition whose negations are inside, with its comparisons plain.
    fn plain(&mut self, term: SmtTermId) -> SmtTermId {
        match self.get(term).clone() {
            SmtTerm::Op(op @ (SmtOp::And | SmtOp::Or), operands) => {
                let parts: Vec<SmtTermId> = operands
                    .iter()
                    .map(|&operand| wherefore_base::deep(|| self.plain(operand)))
                    .collect();
                match op {
                    SmtOp::And => self.and(&parts),
                    _ => self.or(&parts),
                }
            }
            SmtTerm::Op(SmtOp::Not, inner) => match self.get(inner[0]).clone() {
                SmtTerm::Op(op @ (SmtOp::Less | SmtOp::LessEqual), sides) => {
                    self.compared(sides[1], sides[0], op == SmtOp::LessEqual)
                }
                SmtTerm::Op(SmtOp::Equal, sides) if self.is_number(sides[0]) => {
                    let equal = self.equated(sides[0], sides[1]);
                    self.not(equal)
                }
                _ => term,
            },
            SmtTerm::Op(op @ (SmtOp::Less | SmtOp::LessEqual), sides) => {
                self.compared(sides[0], sides[1], op == SmtOp::Less)
            }
            SmtTerm::Op(SmtOp::Equal, sides) if self.is_number(sides[0]) => {
                self.equated(sides[0], sides[1])
            }
            _ => term,
        }
    }

    fn is_number(&self, term: SmtTermId) -> bool {
        self.sorts.is_number(self.sort(term))
    }

    /// `a < b` or `a <= b`.
    fn compared(&mut self, a: SmtTermId, b: SmtTermId, strict: bool) -> SmtTermId {
        let sort = self.sort(a);
        let Some((mut form, mut strict)) = self.difference(a, b).map(|form| (form, strict)) else {
            return self.ordered(a, b, strict);
        };
        let one = Rational::from(BigInt::from(1));
        let zero = Rational::from(BigInt::from(0));
        let number = form.number.clone().unwrap_or_else(|| zero.clone());
        let negative = |factor: &Rational| factor.numerator().sign() == Sign::Minus;
        if sort == SortId::INT && form.factors.values().any(negative) {
            // For integers, `x - y - 1 < 0` is `x <= y`, and `x - y + 1 <= 0` is `x < y`.
            if strict && number == one.negated() {
                (form.number, strict) = (None, false);
            } else if !strict && number == one {
                (form.number, strict) = (None, true);
            }
        }
        let (left, right) = self.sides(&form.of_one(sort), sort);
        self.ordered(left, right, strict)
    }

    fn ordered(&mut self, a: SmtTermId, b: SmtTermId, strict: bool) -> SmtTermId {
        match strict {
            true => self.less(a, b),
            false => self.less_equal(a, b),
        }
    }

    fn equated(&mut self, a: SmtTermId, b: SmtTermId) -> SmtTermId {
        let sort = self.sort(a);
        let Some(mut form) = self.difference(a, b) else {
            return self.equal(a, b);
        };
        // The first term is on the left.
        let negative = |factor: &Rational| factor.numerator().sign() == Sign::Minus;
        if form.factors.values().next().is_some_and(negative) {
            form = form.scaled(&Rational::from(BigInt::from(-1)));
        }
        let (left, right) = self.sides(&form.of_one(sort), sort);
        self.equal(left, right)
    }

    /// `a - b`, without a factor that all of it has; `None` if it is not worth rewriting.
    fn difference(&mut self, a: SmtTermId, b: SmtTermId) -> Option<LinearForm> {
        if !self.is_number(a) {
            return None;
        }
        let mut form = LinearForm::default();
        let one = Rational::from(BigInt::from(1));
        self.collect_linear(a, &one, &mut form)?;
        self.collect_linear(b, &one.negated(), &mut form)?;
        form.factors
            .retain(|_, factor| factor.numerator().sign() != Sign::NoSign);
        Some(form.without_common_factor())
    }

    fn collect_linear(&self, term: SmtTermId, by: &Rational, form: &mut LinearForm) -> Option<()> {
        let go = |term: SmtTermId, by: &Rational, form: &mut LinearForm| {
            wherefore_base::deep(|| self.collect_linear(term, by, form))
        };
        match self.get(term) {
            SmtTerm::Int(value) => form.add_number(&Rational::from(value.clone()).mul(by)),
            SmtTerm::Real(value) => form.add_number(&value.mul(by)),
            SmtTerm::Op(SmtOp::Add, all) => {
                for &part in all {
                    go(part, by, form)?;
                }
            }
            SmtTerm::Op(SmtOp::Neg, all) => go(all[0], &by.negated(), form)?,
            SmtTerm::Op(SmtOp::Sub, all) => {
                go(all[0], by, form)?;
                for &part in &all[1..] {
                    go(part, &by.negated(), form)?;
                }
            }
            SmtTerm::Op(SmtOp::Mul, all) if all.len() == 2 => {
                match (self.number_of(all[0]), self.number_of(all[1])) {
                    (Some(factor), _) => go(all[1], &by.mul(&factor), form)?,
                    (_, Some(factor)) => go(all[0], &by.mul(&factor), form)?,
                    _ => form.add_term(term, by),
                }
            }
            _ => form.add_term(term, by),
        }
        Some(())
    }

    fn number_of(&self, term: SmtTermId) -> Option<Rational> {
        match self.get(term) {
            SmtTerm::Int(value) => Some(Rational::from(value.clone())),
            SmtTerm::Real(value) => Some(value.clone()),
            SmtTerm::Op(SmtOp::Neg, all) => self.number_of(all[0]).map(|value| value.negated()),
            _ => None,
        }
    }

    /// Two terms whose difference is the form, with positive factors only.
    fn sides(&mut self, form: &LinearForm, sort: SortId) -> (SmtTermId, SmtTermId) {
        let negative = |factor: &Rational| factor.numerator().sign() == Sign::Minus;
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (&term, factor) in &form.factors {
            match negative(factor) {
                true => right.push(self.times(&factor.negated(), term, sort)),
                false => left.push(self.times(factor, term, sort)),
            }
        }
        let zero = Rational::from(BigInt::from(0));
        let number = form.number.clone().unwrap_or_else(|| zero.clone());
        if number != zero {
            let is_negative = negative(&number);
            // A number stands alone on its side if it can.
            match (left.is_empty(), right.is_empty(), is_negative) {
                (_, true, _) | (false, false, true) => {
                    let number = self.number(&number.negated(), sort);
                    right.push(number);
                }
                (true, false, _) | (false, false, false) => {
                    let number = self.number(&number, sort);
                    left.push(number);
                }
            }
        }
        (self.added(left, sort), self.added(right, sort))
    }

    fn times(&mut self, factor: &Rational, term: SmtTermId, sort: SortId) -> SmtTermId {
        if *factor == Rational::from(BigInt::from(1)) {
            return term;
        }
        let factor = self.number(factor, sort);
        self.op(SmtOp::Mul, &[factor, term])
    }

    fn number(&mut self, value: &Rational, sort: SortId) -> SmtTermId {
        match sort {
            SortId::REAL => self.real(value.clone()),
            _ => self.add(SmtTerm::Int(value.floor())),
        }
    }

    fn added(&mut self, parts: Vec<SmtTermId>, sort: SortId) -> SmtTermId {
        match &parts[..] {
            [] => self.zero(sort),
            [one] => *one,
            all => self.op(SmtOp::Add, all),
        }
    }
}

impl LinearForm {
    fn add_number(&mut self, value: &Rational) {
        let sum = match &self.number {
            Some(number) => number.add(value),
            None => value.clone(),
        };
        self.number = Some(sum);
    }

    fn add_term(&mut self, term: SmtTermId, factor: &Rational) {
        let sum = match self.factors.get(&term) {
            Some(known) => known.add(factor),
            None => factor.clone(),
        };
        self.factors.insert(term, sum);
    }

    fn scaled(&self, by: &Rational) -> Self {
        let factors = self.factors.iter();
        Self {
            factors: factors.map(|(&term, f)| (term, f.mul(by))).collect(),
            number: self.number.as_ref().map(|number| number.mul(by)),
        }
    }

    /// The form whose only term has no factor, where numbers need not be whole.
    fn of_one(self, sort: SortId) -> Self {
        let mut factors = self.factors.values();
        match (factors.next(), factors.next(), sort) {
            (Some(factor), None, SortId::REAL) => {
                let size = match factor.numerator().sign() {
                    Sign::Minus => factor.negated(),
                    _ => factor.clone(),
                };
                let by = Rational::from(BigInt::from(1)).div(&size);
                by.map_or_else(|| self.clone(), |by| self.scaled(&by))
            }
            _ => self,
        }
    }

    /// The form with whole factors that have no divisor in common, if the number is whole then too. The scale is positive.
    fn without_common_factor(self) -> Self {
        let all = || self.factors.values().chain(&self.number);
        let mut denominator = BigInt::from(1);
        for value in all() {
            denominator = lcm(&denominator, value.denominator());
        }
        let whole = self.scaled(&Rational::from(denominator));
        let mut divisor = BigInt::from(0);
        for value in whole.factors.values().chain(&whole.number) {
            divisor = gcd(&divisor, value.numerator());
        }
        match Rational::new(BigInt::from(1), divisor) {
            Some(by) => whole.scaled(&by),
            None => whole,
        }
    }
}

fn gcd(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut a, mut b) = (a.magnitude().clone(), b.magnitude().clone());
    while b != 0u32.into() {
        (a, b) = (b.clone(), a % b);
    }
    BigInt::from(a)
}

fn lcm(a: &BigInt, b: &BigInt) -> BigInt {
    a * b / gcd(a, b)
}
