//! Terms to decision diagrams.
//!
//! A condition becomes one function. Any other term becomes its *parts*: each value it can have,
//! with the function that says when it has it. Results are only meant where all variables have
//! values, since unused combinations of bits are excluded elsewhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use wherefore_base::{Run, Value, deep};
use wherefore_model::{BinaryOp, Domain, Model, Term, TermId, VarId, apply};

use super::bdd::{Bdd, Bdds};
use super::encoding::{BitEncoding, StateSide};
use super::word::CompiledWords;

/// The values of a term, ascending, each with when the term has it; never when is left out.
pub(crate) type ValueParts = Arc<[(Value, Bdd)]>;

/// What was compiled before.
#[derive(Default, Debug)]
pub(crate) struct CompiledTerms {
    conditions: FxHashMap<TermId, Bdd>,
    parts: FxHashMap<TermId, ValueParts>,
    takes: FxHashMap<(VarId, StateSide, TermId), Bdd>,
    pub(super) words: CompiledWords,
}

impl CompiledTerms {
    /// Forgets all but conditions.
    pub(crate) fn trim(&mut self) {
        self.parts = FxHashMap::default();
        self.takes = FxHashMap::default();
        self.words = CompiledWords::default();
    }
}

/// Compiles terms of one model.
pub(crate) struct BddCompiler<'a> {
    pub(crate) model: &'a Model,
    pub(crate) encoding: &'a BitEncoding,
    pub(crate) bdds: &'a Bdds,
    pub(crate) memo: CompiledTerms,
}

impl<'a> BddCompiler<'a> {
    pub(crate) fn new(model: &'a Model, encoding: &'a BitEncoding, bdds: &'a Bdds) -> Self {
        let memo = CompiledTerms::default();
        Self {
            model,
            encoding,
            bdds,
            memo,
        }
    }

    /// When a condition is true.
    pub(crate) fn condition(&mut self, id: TermId) -> Run<Bdd> {
        if let Some(known) = self.memo.conditions.get(&id) {
            return Ok(known.clone());
        }
        let result = deep(|| self.condition_here(id))?;
        self.memo.conditions.insert(id, result.clone());
        Ok(result)
    }

    /// The values of a term, with when it has them; a choice among several has all of them at once.
    pub(crate) fn parts(&mut self, id: TermId) -> Run<ValueParts> {
        if let Some(known) = self.memo.parts.get(&id) {
            return Ok(known.clone());
        }
        let parts = deep(|| self.parts_here(id))?;
        self.memo.parts.insert(id, parts.clone());
        Ok(parts)
    }

    /// When a variable has one of the values of a term.
    pub(crate) fn takes(&mut self, var: VarId, side: StateSide, id: TermId) -> Run<Bdd> {
        if let Some(known) = self.memo.takes.get(&(var, side, id)) {
            return Ok(known.clone());
        }
        let result = deep(|| self.takes_here(var, side, id))?;
        self.memo.takes.insert((var, side, id), result.clone());
        Ok(result)
    }

    fn condition_here(&mut self, id: TermId) -> Run<Bdd> {
        let (model, bdds) = (self.model, self.bdds);
        match model.terms.get(id) {
            Term::Const(Value::Bool(true)) => Ok(bdds.one()),
            Term::Const(_) => Ok(bdds.zero()),
            Term::Var(_) | Term::Next(_) => {
                let (var, side) = self.variable(id).expect("the term is a variable");
                match (&model.vars[var].domain, self.encoding.bits(var, side)) {
                    (Domain::Bool, &[bit]) => Ok(bdds.var(bit).clone()),
                    _ => self.equals(var, side, Value::Bool(true)),
                }
            }
            Term::Not(a) => bdds.not(&self.condition(*a)?),
            Term::Binary(op, a, b) => self.binary_condition(*op, *a, *b),
            Term::Ite(condition, then, otherwise) => {
                let condition = self.condition(*condition)?;
                let (then, otherwise) = (self.condition(*then)?, self.condition(*otherwise)?);
                bdds.ite(&condition, &then, &otherwise)
            }
            Term::Member(a, b) => self.member(*a, *b),
            Term::Set(_) | Term::Negate(_) | Term::Count(_) | Term::Word(..) => {
                let parts = self.parts(id)?;
                Ok(find(&parts, Value::Bool(true))
                    .cloned()
                    .unwrap_or_else(|| bdds.zero()))
            }
        }
    }

    fn binary_condition(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Run<Bdd> {
        let bdds = self.bdds;
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                let (a, b) = (self.condition(a)?, self.condition(b)?);
                match op {
                    BinaryOp::And => bdds.and(&a, &b),
                    BinaryOp::Or => bdds.or(&a, &b),
                    _ => bdds.implies(&a, &b),
                }
            }
            BinaryOp::Equal => self.equal(a, b),
            BinaryOp::Unequal => bdds.not(&self.equal(a, b)?),
            BinaryOp::Less => self.less(a, b, false),
            BinaryOp::LessEqual => self.less(a, b, true),
            BinaryOp::Greater => self.less(b, a, false),
            BinaryOp::GreaterEqual => self.less(b, a, true),
            _ => Ok(bdds.zero()),
        }
    }

    fn equal(&mut self, a: TermId, b: TermId) -> Run<Bdd> {
        // Against a variable, the other term is followed branch by branch instead of value by value.
        for (side, term) in [(a, b), (b, a)] {
            if let Some((var, side)) = self.variable(side) {
                return self.takes(var, side, term);
            }
        }
        if self.word_type(a).is_some() {
            let (a, b) = (self.bits(a)?, self.bits(b)?);
            return self.same_words(&a, &b);
        }
        if self.is_condition(a) && self.is_condition(b) {
            let (a, b) = (self.condition(a)?, self.condition(b)?);
            return self.bdds.iff(&a, &b);
        }
        let (a, b) = (self.parts(a)?, self.parts(b)?);
        self.overlap(&a, &b)
    }

    /// When two terms share a value.
    fn overlap(&mut self, a: &ValueParts, b: &ValueParts) -> Run<Bdd> {
        let mut both = Vec::new();
        for (value, when) in a.iter() {
            if let Some(other) = find(b, *value) {
                both.push(self.bdds.and(when, other)?);
            }
        }
        self.bdds.any(both)
    }

    /// `a < b`, or `a <= b`.
    fn less(&mut self, a: TermId, b: TermId, or_equal: bool) -> Run<Bdd> {
        let bdds = self.bdds;
        if let Some((signed, _)) = self.word_type(a) {
            let (a, b) = (self.bits(a)?, self.bits(b)?);
            return self.less_words(&a, &b, signed, or_equal);
        }
        if let Some(result) = self.less_of_variables(a, b, or_equal)? {
            return Ok(result);
        }
        let (a, b) = (self.parts(a)?, self.parts(b)?);
        let mut cases = Vec::new();
        let mut above = bdds.zero();
        // Both lists go from the greatest value down; `above` says when `b` is above the value at hand.
        let mut rest = b.iter().rev().peekable();
        for (value, when) in a.iter().rev() {
            while let Some((other, when)) = rest.peek()
                && (other > value || or_equal && other == value)
            {
                above = bdds.or(&above, when)?;
                rest.next();
            }
            cases.push(bdds.and(when, &above)?);
        }
        bdds.any(cases)
    }

    /// `a < b` or `a <= b` bit by bit, where one is a variable of a range and the other a constant
    /// or a variable of a range with the same least value.
    fn less_of_variables(&mut self, a: TermId, b: TermId, or_equal: bool) -> Run<Option<Bdd>> {
        let (bdds, encoding) = (self.bdds, self.encoding);
        let result = match (
            self.ranged(a),
            self.ranged(b),
            self.constant(a),
            self.constant(b),
        ) {
            (Some((var, side, low)), _, _, Some(bound)) => {
                // Indices count from the least value of the range, and `<=` is `<` of one more.
                let bound = i128::from(bound) - i128::from(low) + i128::from(or_equal);
                let bound = bound.max(0).unsigned_abs();
                encoding.below(bdds, var, side, bound)?
            }
            (_, Some((var, side, low)), Some(bound), _) => {
                // `bound < x` is the complement of `x < bound + 1`, and `bound <= x` that of `x < bound`.
                let bound = i128::from(bound) - i128::from(low) + i128::from(!or_equal);
                let bound = bound.max(0).unsigned_abs();
                bdds.not(&encoding.below(bdds, var, side, bound)?)?
            }
            (Some((x, x_side, x_low)), Some((y, y_side, y_low)), _, _) if x_low == y_low => {
                let (x, y) = (encoding.bits(x, x_side), encoding.bits(y, y_side));
                let bit = |bits: &[u32], place: usize| match bits.iter().rev().nth(place) {
                    Some(&bit) => bdds.var(bit).clone(),
                    None => bdds.zero(),
                };
                let mut less = if or_equal { bdds.one() } else { bdds.zero() };
                for place in 0..x.len().max(y.len()) {
                    let (x, y) = (bit(x, place), bit(y, place));
                    less = bdds.ite(&bdds.iff(&x, &y)?, &less, &y)?;
                }
                less
            }
            _ => return Ok(None),
        };
        Ok(Some(result))
    }

    /// When each value of `a` is a value of `b`.
    fn member(&mut self, a: TermId, b: TermId) -> Run<Bdd> {
        let bdds = self.bdds;
        if let Some((var, side)) = self.variable(a) {
            return self.takes(var, side, b);
        }
        if self.word_type(a).is_some() {
            return self.member_words(a, b);
        }
        let (a, b) = (self.parts(a)?, self.parts(b)?);
        let mut outside = Vec::new();
        for (value, when) in a.iter() {
            outside.push(match find(&b, *value) {
                Some(inside) => bdds.minus(when, inside)?,
                None => when.clone(),
            });
        }
        bdds.not(&bdds.any(outside)?)
    }

    fn takes_here(&mut self, var: VarId, side: StateSide, id: TermId) -> Run<Bdd> {
        let (model, bdds) = (self.model, self.bdds);
        let domain = &model.vars[var].domain;
        match model.terms.get(id) {
            Term::Const(value) => self.equals(var, side, *value),
            Term::Ite(condition, then, otherwise) => {
                let condition = self.condition(*condition)?;
                let then = self.takes(var, side, *then)?;
                let otherwise = self.takes(var, side, *otherwise)?;
                bdds.ite(&condition, &then, &otherwise)
            }
            Term::Set(members) => {
                let taken = members.iter().map(|&member| self.takes(var, side, member));
                let taken = taken.collect::<Run<_>>()?;
                bdds.any(taken)
            }
            _ => {
                if let Some((other, other_side)) = self.variable(id)
                    && model.vars[other].domain == *domain
                {
                    return self.same_bits((var, side), (other, other_side));
                }
                if let (Domain::Bool, &[bit], true) =
                    (domain, self.encoding.bits(var, side), self.is_condition(id))
                {
                    let condition = self.condition(id)?;
                    return bdds.iff(bdds.var(bit), &condition);
                }
                if let Domain::Word { .. } = domain {
                    let own = self.bits_of(var, side);
                    let bits = self.bits(id)?;
                    return self.same_words(&own, &bits);
                }
                let mut cases = Vec::new();
                for (value, when) in self.parts(id)?.iter() {
                    cases.push(bdds.and(&self.equals(var, side, *value)?, when)?);
                }
                bdds.any(cases)
            }
        }
    }

    fn same_bits(&mut self, a: (VarId, StateSide), b: (VarId, StateSide)) -> Run<Bdd> {
        let bdds = self.bdds;
        let (a, b) = (self.encoding.bits(a.0, a.1), self.encoding.bits(b.0, b.1));
        let mut same = bdds.one();
        for (&a, &b) in a.iter().zip(b).rev() {
            same = bdds.and(&bdds.iff(bdds.var(a), bdds.var(b))?, &same)?;
        }
        Ok(same)
    }

    fn parts_here(&mut self, id: TermId) -> Run<ValueParts> {
        let (model, bdds) = (self.model, self.bdds);
        if self.is_condition(id) {
            let condition = self.condition(id)?;
            let parts = [
                (Value::Bool(false), bdds.not(&condition)?),
                (Value::Bool(true), condition),
            ];
            return Ok(parts
                .into_iter()
                .filter(|(_, when)| !bdds.is_zero(when))
                .collect());
        }
        let mut cases: BTreeMap<Value, Vec<Bdd>> = BTreeMap::new();
        let choice = matches!(model.terms.get(id), Term::Ite(..) | Term::Set(_));
        if let Some(word_type) = self.word_type(id).filter(|_| !choice) {
            return self.word_parts(id, word_type);
        }
        match model.terms.get(id) {
            Term::Word(op, a) => {
                for (value, when) in self.parts(*a)?.iter() {
                    if let Value::Word(word) = value {
                        cases.entry(op.apply(*word)).or_default().push(when.clone());
                    }
                }
            }
            Term::Const(value) => drop(cases.insert(*value, vec![bdds.one()])),
            Term::Var(_) | Term::Next(_) => {
                let (var, side) = self.variable(id).expect("the term is a variable");
                for (value, index) in model.vars[var].domain.values().zip(0..) {
                    let when = bdds.cube(self.encoding.literals(var, side, index))?;
                    cases.insert(value, vec![when]);
                }
            }
            Term::Negate(a) => {
                for (value, when) in self.parts(*a)?.iter() {
                    if let Value::Int(number) = value {
                        let negated = Value::Int(number.wrapping_neg());
                        cases.entry(negated).or_default().push(when.clone());
                    }
                }
            }
            Term::Binary(op, a, b) => {
                let (a, b) = (self.parts(*a)?, self.parts(*b)?);
                for (x, x_when) in a.iter() {
                    for (y, y_when) in b.iter() {
                        let Some(value) = apply(*op, *x, *y) else {
                            continue;
                        };
                        let when = bdds.and(x_when, y_when)?;
                        if !bdds.is_zero(&when) {
                            cases.entry(value).or_default().push(when);
                        }
                    }
                }
            }
            Term::Ite(condition, then, otherwise) => {
                let condition = self.condition(*condition)?;
                // A branch that is never taken is not compiled.
                if !bdds.is_zero(&condition) {
                    for (value, when) in self.parts(*then)?.iter() {
                        cases
                            .entry(*value)
                            .or_default()
                            .push(bdds.and(when, &condition)?);
                    }
                }
                if !bdds.is_one(&condition) {
                    for (value, when) in self.parts(*otherwise)?.iter() {
                        cases
                            .entry(*value)
                            .or_default()
                            .push(bdds.minus(when, &condition)?);
                    }
                }
            }
            Term::Set(members) => {
                for &member in members {
                    for (value, when) in self.parts(member)?.iter() {
                        cases.entry(*value).or_default().push(when.clone());
                    }
                }
            }
            Term::Count(conditions) => {
                for (count, when) in (0..).zip(self.count(conditions)?) {
                    cases.insert(Value::Int(count), vec![when]);
                }
            }
            Term::Not(_) | Term::Member(..) => {}
        }
        let mut parts = Vec::with_capacity(cases.len());
        for (value, when) in cases {
            let when = bdds.any(when)?;
            if !bdds.is_zero(&when) {
                parts.push((value, when));
            }
        }
        Ok(parts.into())
    }

    /// For each number from 0 on, when that many of the conditions are true.
    fn count(&mut self, conditions: &[TermId]) -> Run<Vec<Bdd>> {
        let bdds = self.bdds;
        let mut counts = vec![bdds.one()];
        for &condition in conditions {
            let condition = self.condition(condition)?;
            counts.push(bdds.zero());
            // From the greatest count down, since each reads what the one before it was.
            for at in (0..counts.len()).rev() {
                let one_less = match at {
                    0 => bdds.zero(),
                    _ => counts[at - 1].clone(),
                };
                counts[at] = bdds.ite(&condition, &one_less, &counts[at])?;
            }
        }
        Ok(counts)
    }

    fn equals(&self, var: VarId, side: StateSide, value: Value) -> Run<Bdd> {
        self.encoding
            .equals((self.model, self.bdds), var, side, value)
    }

    /// The variable a term is, if it is one.
    fn variable(&self, id: TermId) -> Option<(VarId, StateSide)> {
        match self.model.terms.get(id) {
            Term::Var(var) => Some((*var, StateSide::Now)),
            Term::Next(var) => Some((*var, StateSide::Next)),
            _ => None,
        }
    }

    /// The variable a term is, if it is one with a range, and the least value of the range.
    fn ranged(&self, id: TermId) -> Option<(VarId, StateSide, i64)> {
        let (var, side) = self.variable(id)?;
        match self.model.vars[var].domain {
            Domain::Range { low, .. } => Some((var, side, low)),
            _ => None,
        }
    }

    fn constant(&self, id: TermId) -> Option<i64> {
        match self.model.terms.get(id) {
            Term::Const(value) => value.as_int(),
            _ => None,
        }
    }

    /// Whether a term denotes one truth value, at first sight.
    fn is_condition(&self, id: TermId) -> bool {
        match self.model.terms.get(id) {
            Term::Const(value) => value.as_bool().is_some(),
            Term::Var(var) | Term::Next(var) => self.model.vars[*var].domain == Domain::Bool,
            Term::Not(_) | Term::Member(..) => true,
            Term::Binary(op, ..) => op.is_condition(),
            Term::Negate(_) | Term::Ite(..) | Term::Set(_) | Term::Count(_) | Term::Word(..) => {
                false
            }
        }
    }
}

/// When a term has this value, if ever.
fn find(parts: &ValueParts, value: Value) -> Option<&Bdd> {
    let at = parts.binary_search_by_key(&value, |part| part.0).ok()?;
    Some(&parts[at].1)
}
