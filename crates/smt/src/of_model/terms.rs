//! Terms of a model as terms of a system.

use rustc_hash::FxHashMap;
use wherefore_base::{Value as Plain, deep};
use wherefore_model::{
    BinaryOp, Constraint, Model, Requirement, Term as Low, TermId as LowId, VarId,
};

use super::Dictionary;
use crate::number::Rational;
use crate::sort::SortId;
use crate::term::{SmtOp, SmtTerm, SmtTermId, SmtTerms};

/// Makes terms of a system from terms of a model. Errors are sentences without their full stops.
pub(super) struct ModelTranslator<'a> {
    dictionary: &'a Dictionary,
    pub(super) model: &'a Model,
    pub(super) terms: &'a mut SmtTerms,
    /// Which terms denote several values.
    several: Vec<bool>,
    values: FxHashMap<LowId, SmtTermId>,
    choices: FxHashMap<(SmtTermId, LowId), SmtTermId>,
}

impl<'a> ModelTranslator<'a> {
    pub(super) fn new(
        dictionary: &'a Dictionary,
        model: &'a Model,
        terms: &'a mut SmtTerms,
    ) -> Self {
        let mut several: Vec<bool> = Vec::with_capacity(model.terms.len());
        // Operands come before the terms that use them, so one pass is enough.
        for id in (0..model.terms.len()).map(LowId::new) {
            several.push(match model.terms.get(id) {
                Low::Set(_) => true,
                Low::Ite(_, a, b) => several[a.index()] || several[b.index()],
                _ => false,
            });
        }
        Self {
            dictionary,
            model,
            terms,
            several,
            values: FxHashMap::default(),
            choices: FxHashMap::default(),
        }
    }

    pub(super) fn constraint(
        &mut self,
        constraint: &Constraint,
        of_step: bool,
    ) -> Result<SmtTermId, String> {
        match constraint.requires {
            Requirement::Holds(term) => self.value(term),
            Requirement::Assign(var, term) => {
                let target = self.variable(var, of_step)?;
                self.chosen(target, term)
            }
        }
    }

    fn variable(&mut self, var: VarId, next: bool) -> Result<SmtTermId, String> {
        let symbols = if next {
            &self.dictionary.next
        } else {
            &self.dictionary.now
        };
        let symbol = symbols.get(&var).copied();
        let symbol =
            symbol.ok_or_else(|| format!("`{}` has no next value", self.model.vars[var].name))?;
        Ok(self.terms.var(symbol))
    }

    /// That a value is one of those that a term denotes.
    pub(super) fn chosen(&mut self, value: SmtTermId, term: LowId) -> Result<SmtTermId, String> {
        if !self.several[term.index()] {
            let other = self.value(term)?;
            return self.same(value, other);
        }
        if let Some(&known) = self.choices.get(&(value, term)) {
            return Ok(known);
        }
        let model = self.model;
        let chosen = match model.terms.get(term) {
            Low::Ite(condition, a, b) => {
                let condition = self.value(*condition)?;
                let a = deep(|| self.chosen(value, *a))?;
                let b = deep(|| self.chosen(value, *b))?;
                self.terms.ite(condition, a, b)
            }
            other => {
                let mut any = Vec::new();
                for member in other.operands() {
                    any.push(deep(|| self.chosen(value, member))?);
                }
                self.terms.or(&any)
            }
        };
        self.choices.insert((value, term), chosen);
        Ok(chosen)
    }

    /// That each value of the first term is one of the second.
    fn member(&mut self, of: LowId, among: LowId) -> Result<SmtTermId, String> {
        if !self.several[of.index()] {
            let value = self.value(of)?;
            return self.chosen(value, among);
        }
        let model = self.model;
        match model.terms.get(of) {
            Low::Ite(condition, a, b) => {
                let condition = self.value(*condition)?;
                let a = deep(|| self.member(*a, among))?;
                let b = deep(|| self.member(*b, among))?;
                Ok(self.terms.ite(condition, a, b))
            }
            other => {
                let mut all = Vec::new();
                for member in other.operands() {
                    all.push(deep(|| self.member(member, among))?);
                }
                Ok(self.terms.and(&all))
            }
        }
    }

    /// The one value of a term.
    pub(super) fn value(&mut self, id: LowId) -> Result<SmtTermId, String> {
        if let Some(&known) = self.values.get(&id) {
            return Ok(known);
        }
        let value = deep(|| self.operator(id))?;
        self.values.insert(id, value);
        Ok(value)
    }

    fn operator(&mut self, id: LowId) -> Result<SmtTermId, String> {
        let model = self.model;
        Ok(match model.terms.get(id) {
            Low::Const(value) => {
                let constant = self.dictionary.constant(self.terms, *value);
                constant.ok_or("a constant has no value")?
            }
            Low::Var(var) => self.variable(*var, false)?,
            Low::Next(var) => self.variable(*var, true)?,
            Low::Not(a) => {
                let a = self.value(*a)?;
                self.terms.not(a)
            }
            Low::Negate(a) => {
                let zero = self.terms.int(0);
                let value = self.value(*a)?;
                match self.word(*a) {
                    Some(of) => {
                        let less = self.binary(BinaryOp::Sub, zero, value)?;
                        of.wrapped(self.terms, less)
                    }
                    None => self.terms.op(SmtOp::Neg, &[value]),
                }
            }
            Low::Binary(BinaryOp::Div, a, b) if model.unbounded.fractions.contains(&id) => {
                self.fraction(*a, *b)?
            }
            Low::Binary(op, a, b) => match self.word(*a) {
                Some(of) => self.of_words(of, *op, *a, *b)?,
                None => {
                    let (a, b) = (self.value(*a)?, self.value(*b)?);
                    self.binary(*op, a, b)?
                }
            },
            Low::Ite(condition, a, b) => {
                let condition = self.value(*condition)?;
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                let (a, b) = self.alike(a, b)?;
                self.terms.ite(condition, a, b)
            }
            Low::Member(of, among) => self.member(*of, *among)?,
            Low::Count(conditions) => {
                let (one, zero) = (self.terms.int(1), self.terms.int(0));
                let mut all = vec![zero];
                for &condition in conditions {
                    let condition = self.value(condition)?;
                    all.push(self.terms.ite(condition, one, zero));
                }
                match all.len() {
                    1 => zero,
                    _ => self.terms.op(SmtOp::Add, &all),
                }
            }
            Low::Set(_) => return Err("a set stands where one value is needed".into()),
            Low::Word(op, a) => self.of_word(*op, *a)?,
        })
    }

    fn fraction(&mut self, top: LowId, bottom: LowId) -> Result<SmtTermId, String> {
        let number = |id| match self.model.terms.get(id) {
            Low::Const(Plain::Int(n)) => Some(*n),
            _ => None,
        };
        let number = number(top).zip(number(bottom));
        let rational = number.and_then(|(a, b)| Rational::new(a.into(), b.into()));
        let rational = rational.ok_or("a fraction has no value")?;
        Ok(self.terms.real(rational))
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        a: SmtTermId,
        b: SmtTermId,
    ) -> Result<SmtTermId, String> {
        use BinaryOp as B;
        let (a, b) = self.alike(a, b)?;
        let terms = &mut *self.terms;
        let real = terms.sort(a) == SortId::REAL;
        Ok(match op {
            B::And => terms.and(&[a, b]),
            B::Or => terms.or(&[a, b]),
            B::Implies => terms.implies(a, b),
            B::Equal => return self.same(a, b),
            B::Unequal => {
                let same = self.same(a, b)?;
                self.terms.not(same)
            }
            B::Less => terms.less(a, b),
            B::LessEqual => terms.less_equal(a, b),
            B::Greater => terms.less(b, a),
            B::GreaterEqual => terms.less_equal(b, a),
            B::Add => terms.op(SmtOp::Add, &[a, b]),
            B::Sub => terms.op(SmtOp::Sub, &[a, b]),
            B::Mul => terms.op(SmtOp::Mul, &[a, b]),
            B::Div if real => terms.op(SmtOp::Div, &[a, b]),
            B::Div => self.towards_zero(SmtOp::IntDiv, a, b),
            B::Mod => self.towards_zero(SmtOp::Mod, a, b),
            B::BitAnd | B::BitOr | B::BitXor | B::ShiftLeft | B::ShiftRight | B::Concat => {
                return Err("an operator for words stands between numbers".into());
            }
        })
    }

    /// Division as in C, where the quotient is cut off and the remainder has the sign of what is divided; that of solvers
    /// leaves no negative remainder, which is the same for what is not negative.
    fn towards_zero(&mut self, op: SmtOp, a: SmtTermId, b: SmtTermId) -> SmtTermId {
        let terms = &mut *self.terms;
        let zero = terms.int(0);
        let negative = terms.less(a, zero);
        let plain = terms.op(op, &[a, b]);
        let denied = terms.op(SmtOp::Neg, &[a]);
        let other = terms.op(op, &[denied, b]);
        let other = terms.op(SmtOp::Neg, &[other]);
        terms.ite(negative, other, plain)
    }

    /// Two terms of one sort: where one is real, an integer becomes real, too.
    fn alike(&mut self, a: SmtTermId, b: SmtTermId) -> Result<(SmtTermId, SmtTermId), String> {
        let (of_a, of_b) = (self.terms.sort(a), self.terms.sort(b));
        match (of_a, of_b) {
            _ if of_a == of_b => Ok((a, b)),
            (SortId::REAL, SortId::INT) => Ok((a, self.as_real(b))),
            (SortId::INT, SortId::REAL) => Ok((self.as_real(a), b)),
            _ => Err("integers and symbolic constants are mixed, which is for models with finitely many states".into()),
        }
    }

    fn as_real(&mut self, term: SmtTermId) -> SmtTermId {
        match self.terms.get(term).clone() {
            SmtTerm::Int(number) => self.terms.real(Rational::from(number)),
            _ => self.terms.op(SmtOp::ToReal, &[term]),
        }
    }

    fn same(&mut self, a: SmtTermId, b: SmtTermId) -> Result<SmtTermId, String> {
        let (a, b) = self.alike(a, b)?;
        Ok(self.terms.equal(a, b))
    }
}

/// That a number is within bounds.
pub(super) fn within(terms: &mut SmtTerms, value: SmtTermId, low: i128, high: i128) -> SmtTermId {
    let (low, high) = (terms.int(low), terms.int(high));
    let (least, most) = (terms.less_equal(low, value), terms.less_equal(value, high));
    terms.and(&[least, most])
}
