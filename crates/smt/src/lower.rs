//! Terms over finitely many values as terms of a finite model.
//!
//! Symbols stand for variables of the model: a constant for one, an array or a function for one at each index or list
//! of arguments. Quantifiers over finite sorts are written out. What has no finite meaning is refused with a reason.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use wherefore_base::{Names, Value as Plain, Word, deep};
use wherefore_model::{BinaryOp, Model, Term as Low, TermId as LowId, VarId, WordOp};

use crate::eval::{apply_op, values};
use crate::sort::{Sort, SortId};
use crate::term::{BitsOp, SmtOp, SmtQuantifier, SmtTerm, SmtTermId, SmtTerms, SymbolId};
use crate::value::{SmtValuation, SmtValue};

/// What a symbol stands for in a model.
#[derive(Clone, Debug)]
pub(crate) enum SymbolPlace {
    /// A variable, in the present state or in the next one.
    Var(VarId, bool),
    /// Variables, one for each index of an array.
    Array(BTreeMap<SmtValue, VarId>, bool),
    /// Variables, one for each list of arguments of a function.
    Function(BTreeMap<Vec<SmtValue>, VarId>, bool),
}

/// Why something has no finite meaning: a sentence without its full stop.
pub(crate) type NotFinite = String;

/// What a term is in a model.
#[derive(Clone, Debug)]
enum LoweredTerm {
    Value(SmtValue),
    Term(LowId),
    Array(BTreeMap<SmtValue, LoweredTerm>),
}

/// How many cases of quantifiers are written out at most.
const MOST_CASES: usize = 1 << 16;

/// Makes terms of a model.
pub(crate) struct FiniteLowering<'a> {
    pub(crate) terms: &'a SmtTerms,
    pub(crate) model: &'a mut Model,
    pub(crate) places: &'a FxHashMap<SymbolId, SymbolPlace>,
    /// How many values uninterpreted sorts have.
    pub(crate) universes: &'a SmtValuation,
    bound: FxHashMap<SymbolId, SmtValue>,
    done: FxHashMap<SmtTermId, LoweredTerm>,
}

/// A value as models have it: numbers that fit and truth values as such, everything else by its name.
pub(crate) fn plain(terms: &SmtTerms, names: &mut Names, value: &SmtValue) -> Plain {
    match value {
        SmtValue::Bool(value) => Plain::Bool(*value),
        SmtValue::Int(number) => match i64::try_from(number.clone()) {
            Ok(number) => Plain::Int(number),
            Err(_) => Plain::Symbol(names.intern(&number.to_string())),
        },
        SmtValue::BitVec(bits, width) => match u64::try_from(bits.clone()) {
            Ok(bits) if (1..=Word::WIDEST).contains(width) => {
                Plain::Word(Word::new(false, *width, bits))
            }
            _ => Plain::Symbol(names.intern(&value.show(terms).to_string())),
        },
        other => Plain::Symbol(names.intern(&other.show(terms).to_string())),
    }
}

impl<'a> FiniteLowering<'a> {
    /// A lowering into a model whose variables the symbols stand for.
    pub(crate) fn new(
        terms: &'a SmtTerms,
        model: &'a mut Model,
        places: &'a FxHashMap<SymbolId, SymbolPlace>,
        universes: &'a SmtValuation,
    ) -> Self {
        Self {
            terms,
            model,
            places,
            universes,
            bound: FxHashMap::default(),
            done: FxHashMap::default(),
        }
    }

    /// A condition as a term of the model.
    pub(crate) fn condition(&mut self, term: SmtTermId) -> Result<LowId, NotFinite> {
        let lowered = self.lower(term)?;
        self.low(lowered)
    }

    fn constant(&mut self, value: &SmtValue) -> LowId {
        let value = plain(self.terms, &mut self.model.names, value);
        self.model.terms.add(Low::Const(value), None)
    }

    fn low(&mut self, lowered: LoweredTerm) -> Result<LowId, NotFinite> {
        match lowered {
            LoweredTerm::Value(SmtValue::Array(_)) | LoweredTerm::Array(_) => {
                Err("an array stands where one value is needed".into())
            }
            LoweredTerm::Value(value) => Ok(self.constant(&value)),
            LoweredTerm::Term(term) => Ok(term),
        }
    }

    fn lower(&mut self, term: SmtTermId) -> Result<LoweredTerm, NotFinite> {
        if let Some(done) = self.done.get(&term) {
            return Ok(done.clone());
        }
        let terms = self.terms;
        let result = match terms.get(term) {
            SmtTerm::Bool(value) => LoweredTerm::Value(SmtValue::Bool(*value)),
            SmtTerm::Int(value) => LoweredTerm::Value(SmtValue::Int(value.clone())),
            SmtTerm::Real(_) => return Err("real numbers have no finite version".into()),
            SmtTerm::BitVec(value, width) => {
                LoweredTerm::Value(SmtValue::BitVec(value.clone(), *width))
            }
            SmtTerm::Constant(sort, at) => LoweredTerm::Value(SmtValue::Constant(*sort, *at)),
            SmtTerm::Apply(symbol, args) => deep(|| self.apply(*symbol, args))?,
            SmtTerm::Op(op, operands) => deep(|| self.op(*op, operands))?,
            SmtTerm::Quantified(quantifier, symbols, body) => {
                deep(|| self.quantified(*quantifier, symbols, *body))?
            }
        };
        self.done.insert(term, result.clone());
        Ok(result)
    }

    fn apply(&mut self, symbol: SymbolId, args: &[SmtTermId]) -> Result<LoweredTerm, NotFinite> {
        if let Some(value) = self.bound.get(&symbol) {
            return Ok(LoweredTerm::Value(value.clone()));
        }
        let name = &self.terms.info(symbol).name;
        let place = self
            .places
            .get(&symbol)
            .ok_or_else(|| format!("{name} has no finite range"))?;
        match (place, args.is_empty()) {
            (SymbolPlace::Var(var, next), true) => Ok(self.var(*var, *next)),
            (SymbolPlace::Array(cells, next), true) => {
                let cells = cells
                    .iter()
                    .map(|(index, &var)| (index.clone(), self.var(var, *next)));
                Ok(LoweredTerm::Array(cells.collect()))
            }
            (SymbolPlace::Function(cells, next), false) => {
                let lowered: Result<Vec<LoweredTerm>, NotFinite> =
                    args.iter().map(|&arg| self.lower(arg)).collect();
                let cells: Vec<(Vec<SmtValue>, LoweredTerm)> = cells
                    .iter()
                    .map(|(args, &var)| (args.clone(), self.var(var, *next)))
                    .collect();
                self.choose(&lowered?, cells)
            }
            _ => Err(format!(
                "{name} is used in a way that has no finite version"
            )),
        }
    }

    fn var(&mut self, var: VarId, next: bool) -> LoweredTerm {
        let term = if next { Low::Next(var) } else { Low::Var(var) };
        LoweredTerm::Term(self.model.terms.add(term, None))
    }

    /// The one of several values whose key is equal to the arguments; the last one if none is.
    fn choose(
        &mut self,
        args: &[LoweredTerm],
        mut cells: Vec<(Vec<SmtValue>, LoweredTerm)>,
    ) -> Result<LoweredTerm, NotFinite> {
        let known: Option<Vec<SmtValue>> = args
            .iter()
            .map(|arg| match arg {
                LoweredTerm::Value(value) => Some(value.clone()),
                _ => None,
            })
            .collect();
        if let Some(key) = known {
            let found = cells.into_iter().find(|(args, _)| *args == key);
            return found
                .map(|(_, value)| value)
                .ok_or_else(|| "an argument lies outside of its range".to_string());
        }
        let Some((_, mut result)) = cells.pop() else {
            return Err("a function has no argument".into());
        };
        for (key, value) in cells.into_iter().rev() {
            let mut all = LoweredTerm::Value(SmtValue::Bool(true));
            for (arg, wanted) in args.iter().zip(key) {
                let same = self.equal(arg.clone(), LoweredTerm::Value(wanted))?;
                all = self.both(BinaryOp::And, all, same)?;
            }
            result = self.ite(all, value, result)?;
        }
        Ok(result)
    }

    fn quantified(
        &mut self,
        quantifier: SmtQuantifier,
        symbols: &[SymbolId],
        body: SmtTermId,
    ) -> Result<LoweredTerm, NotFinite> {
        let mut ranges: Vec<Vec<SmtValue>> = Vec::new();
        let mut cases = 1usize;
        for &symbol in symbols {
            let sort = self.terms.info(symbol).sort;
            let range = values(self.terms, sort, self.universes).ok_or_else(|| {
                format!(
                    "a quantifier ranges over {}, which has no finite range",
                    self.terms.sorts.text(sort)
                )
            })?;
            cases = cases.saturating_mul(range.len());
            ranges.push(range);
        }
        if cases > MOST_CASES {
            return Err("a quantifier has too many cases".into());
        }
        let (op, neutral) = match quantifier {
            SmtQuantifier::Forall => (BinaryOp::And, true),
            SmtQuantifier::Exists => (BinaryOp::Or, false),
        };
        let mut result = LoweredTerm::Value(SmtValue::Bool(neutral));
        for case in 0..cases {
            let mut rest = case;
            // What a part is depends on the bound variables, so nothing that is known outside counts here.
            let outer = std::mem::take(&mut self.done);
            for (&symbol, range) in symbols.iter().zip(&ranges) {
                self.bound.insert(symbol, range[rest % range.len()].clone());
                rest /= range.len();
            }
            let instance = self.lower(body);
            for symbol in symbols {
                self.bound.remove(symbol);
            }
            self.done = outer;
            result = self.both(op, result, instance?)?;
        }
        Ok(result)
    }

    fn op(&mut self, op: SmtOp, operands: &[SmtTermId]) -> Result<LoweredTerm, NotFinite> {
        let lowered: Result<Vec<LoweredTerm>, NotFinite> = operands
            .iter()
            .map(|&operand| self.lower(operand))
            .collect();
        let mut lowered = lowered?;
        let known: Option<Vec<SmtValue>> = lowered
            .iter()
            .map(|operand| match operand {
                LoweredTerm::Value(value) => Some(value.clone()),
                _ => None,
            })
            .collect();
        // The operators named here are folded below, also where only some of their operands are known.
        if let Some(known) = known
            && !matches!(
                op,
                SmtOp::And
                    | SmtOp::Or
                    | SmtOp::Implies
                    | SmtOp::Ite
                    | SmtOp::Equal
                    | SmtOp::Distinct
                    | SmtOp::ConstArray(_)
            )
            && let Ok(value) = apply_op(op, known)
        {
            return Ok(LoweredTerm::Value(value));
        }
        match op {
            SmtOp::And | SmtOp::Or => {
                let (op, neutral) = if op == SmtOp::And {
                    (BinaryOp::And, true)
                } else {
                    (BinaryOp::Or, false)
                };
                let mut result = LoweredTerm::Value(SmtValue::Bool(neutral));
                for operand in lowered {
                    result = self.both(op, result, operand)?;
                }
                Ok(result)
            }
            SmtOp::Not => self.not(lowered.remove(0)),
            SmtOp::Implies => {
                let (b, a) = (lowered.remove(1), lowered.remove(0));
                let not = self.not(a)?;
                self.both(BinaryOp::Or, not, b)
            }
            SmtOp::Ite => {
                let (c, b, a) = (lowered.remove(2), lowered.remove(1), lowered.remove(0));
                self.ite(a, b, c)
            }
            SmtOp::Equal => {
                let (b, a) = (lowered.remove(1), lowered.remove(0));
                self.equal(a, b)
            }
            SmtOp::Distinct => self.distinct(&lowered),
            SmtOp::Select | SmtOp::Store | SmtOp::ConstArray(_) => self.array(op, lowered),
            SmtOp::Bits(op) => self.bits(op, lowered),
            SmtOp::Div | SmtOp::ToReal | SmtOp::ToInt | SmtOp::IsInt => {
                Err("real numbers have no finite version".into())
            }
            _ => self.arithmetic(op, lowered),
        }
    }

    fn distinct(&mut self, operands: &[LoweredTerm]) -> Result<LoweredTerm, NotFinite> {
        let mut result = LoweredTerm::Value(SmtValue::Bool(true));
        for (at, a) in operands.iter().enumerate() {
            for b in &operands[at + 1..] {
                let same = self.equal(a.clone(), b.clone())?;
                let not = self.not(same)?;
                result = self.both(BinaryOp::And, result, not)?;
            }
        }
        Ok(result)
    }

    /// Operators on arrays, which are lowered to one term for each index.
    fn array(
        &mut self,
        op: SmtOp,
        mut operands: Vec<LoweredTerm>,
    ) -> Result<LoweredTerm, NotFinite> {
        let first = operands.remove(0);
        if let SmtOp::ConstArray(sort) = op {
            let indices = self.indices(sort)?.into_iter();
            let cells = indices.map(|index| (index, first.clone()));
            return Ok(LoweredTerm::Array(cells.collect()));
        }
        let LoweredTerm::Array(cells) = first else {
            return Err("an array has no finite range of indices".into());
        };
        let index = operands.remove(0);
        let Some(element) = operands.pop() else {
            let cells = cells.into_iter();
            let cells = cells.map(|(index, element)| (vec![index], element));
            return self.choose(&[index], cells.collect());
        };
        let mut stored = BTreeMap::new();
        for (at, old) in cells {
            let here = self.equal(index.clone(), LoweredTerm::Value(at.clone()))?;
            stored.insert(at, self.ite(here, element.clone(), old)?);
        }
        Ok(LoweredTerm::Array(stored))
    }

    fn indices(&self, array: SortId) -> Result<Vec<SmtValue>, NotFinite> {
        match *self.terms.sorts.get(array) {
            Sort::Array(index, _) => values(self.terms, index, self.universes).ok_or_else(|| {
                format!(
                    "arrays with indices of sort {} have no finite version",
                    self.terms.sorts.text(index)
                )
            }),
            _ => Err("a constant array is of no sort of arrays".into()),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: LowId, b: LowId) -> LowId {
        self.model.terms.add(Low::Binary(op, a, b), None)
    }

    fn arithmetic(
        &mut self,
        op: SmtOp,
        lowered: Vec<LoweredTerm>,
    ) -> Result<LoweredTerm, NotFinite> {
        let mut low = Vec::new();
        for operand in lowered {
            low.push(self.low(operand)?);
        }
        let zero = |this: &mut Self| this.constant(&SmtValue::Int(BigInt::default()));
        let result = match op {
            SmtOp::Neg => self.model.terms.add(Low::Negate(low[0]), None),
            SmtOp::Add | SmtOp::Sub | SmtOp::Mul => {
                let op = match op {
                    SmtOp::Add => BinaryOp::Add,
                    SmtOp::Sub => BinaryOp::Sub,
                    _ => BinaryOp::Mul,
                };
                let mut result = low[0];
                for &next in &low[1..] {
                    result = self.binary(op, result, next);
                }
                result
            }
            SmtOp::Less => self.binary(BinaryOp::Less, low[0], low[1]),
            SmtOp::LessEqual => self.binary(BinaryOp::LessEqual, low[0], low[1]),
            SmtOp::Abs => {
                let zero = zero(self);
                let negative = self.binary(BinaryOp::Less, low[0], zero);
                let negated = self.model.terms.add(Low::Negate(low[0]), None);
                self.model
                    .terms
                    .add(Low::Ite(negative, negated, low[0]), None)
            }
            SmtOp::IntDiv | SmtOp::Mod => {
                let divisor = match self.model.terms.get(low[1]) {
                    Low::Const(Plain::Int(by)) if *by != 0 => *by,
                    _ => {
                        return Err(
                            "division by something else than a number has no finite version".into(),
                        );
                    }
                };
                let rest = self.remainder(low[0], divisor);
                match op {
                    SmtOp::Mod => rest,
                    _ => {
                        // The multiple is divided without a rest, so it does not matter how models round.
                        let multiple = self.binary(BinaryOp::Sub, low[0], rest);
                        self.binary(BinaryOp::Div, multiple, low[1])
                    }
                }
            }
            SmtOp::Divisible(by) => {
                let rest = self.remainder(low[0], i64::from(by));
                let zero = zero(self);
                self.binary(BinaryOp::Equal, rest, zero)
            }
            _ => return Err("an operator has no finite version".into()),
        };
        Ok(LoweredTerm::Term(result))
    }

    /// The remainder that is never negative.
    fn remainder(&mut self, number: LowId, by: i64) -> LowId {
        let size = self.constant(&SmtValue::Int(BigInt::from(by).magnitude().clone().into()));
        // The remainder of a model has the sign of the number that is divided.
        let rest = self.binary(BinaryOp::Mod, number, size);
        let zero = self.constant(&SmtValue::Int(BigInt::default()));
        let negative = self.binary(BinaryOp::Less, rest, zero);
        let positive = self.binary(BinaryOp::Add, rest, size);
        self.model
            .terms
            .add(Low::Ite(negative, positive, rest), None)
    }

    fn bits(&mut self, op: BitsOp, lowered: Vec<LoweredTerm>) -> Result<LoweredTerm, NotFinite> {
        let mut low = Vec::new();
        for operand in lowered {
            low.push(self.low(operand)?);
        }
        let op = match op {
            BitsOp::And => BinaryOp::BitAnd,
            BitsOp::Or => BinaryOp::BitOr,
            BitsOp::Xor => BinaryOp::BitXor,
            BitsOp::Add => BinaryOp::Add,
            BitsOp::Sub => BinaryOp::Sub,
            BitsOp::Mul => BinaryOp::Mul,
            BitsOp::Ult => BinaryOp::Less,
            BitsOp::Ule => BinaryOp::LessEqual,
            BitsOp::Concat => BinaryOp::Concat,
            BitsOp::Extract(high, low_bit) => {
                let term = Low::Word(WordOp::Select(high, low_bit), low[0]);
                return Ok(LoweredTerm::Term(self.model.terms.add(term, None)));
            }
            _ => return Err("an operator on bit vectors has no finite version".into()),
        };
        let mut result = low[0];
        for &next in &low[1..] {
            result = self.binary(op, result, next);
        }
        Ok(LoweredTerm::Term(result))
    }

    fn not(&mut self, a: LoweredTerm) -> Result<LoweredTerm, NotFinite> {
        if let LoweredTerm::Value(SmtValue::Bool(value)) = a {
            return Ok(LoweredTerm::Value(SmtValue::Bool(!value)));
        }
        let a = self.low(a)?;
        Ok(LoweredTerm::Term(self.model.terms.add(Low::Not(a), None)))
    }

    /// `and` and `or`.
    fn both(
        &mut self,
        op: BinaryOp,
        a: LoweredTerm,
        b: LoweredTerm,
    ) -> Result<LoweredTerm, NotFinite> {
        let neutral = op == BinaryOp::And;
        match (&a, &b) {
            (LoweredTerm::Value(SmtValue::Bool(value)), _) => {
                return Ok(if *value == neutral { b } else { a });
            }
            (_, LoweredTerm::Value(SmtValue::Bool(value))) => {
                return Ok(if *value == neutral { a } else { b });
            }
            _ => {}
        }
        let (a, b) = (self.low(a)?, self.low(b)?);
        Ok(LoweredTerm::Term(self.binary(op, a, b)))
    }

    fn ite(
        &mut self,
        a: LoweredTerm,
        b: LoweredTerm,
        c: LoweredTerm,
    ) -> Result<LoweredTerm, NotFinite> {
        if let LoweredTerm::Value(SmtValue::Bool(value)) = a {
            return Ok(if value { b } else { c });
        }
        if let (LoweredTerm::Array(one), LoweredTerm::Array(other)) = (&b, &c) {
            let mut cells = BTreeMap::new();
            for (index, element) in one {
                let against = other
                    .get(index)
                    .cloned()
                    .ok_or("two arrays have different indices")?;
                cells.insert(
                    index.clone(),
                    self.ite(a.clone(), element.clone(), against)?,
                );
            }
            return Ok(LoweredTerm::Array(cells));
        }
        let (a, b, c) = (self.low(a)?, self.low(b)?, self.low(c)?);
        Ok(LoweredTerm::Term(
            self.model.terms.add(Low::Ite(a, b, c), None),
        ))
    }

    fn equal(&mut self, a: LoweredTerm, b: LoweredTerm) -> Result<LoweredTerm, NotFinite> {
        match (a, b) {
            (LoweredTerm::Value(a), LoweredTerm::Value(b)) => {
                Ok(LoweredTerm::Value(SmtValue::Bool(a == b)))
            }
            (LoweredTerm::Array(one), LoweredTerm::Array(other)) => {
                let mut all = LoweredTerm::Value(SmtValue::Bool(true));
                for (index, element) in one {
                    let against = other
                        .get(&index)
                        .cloned()
                        .ok_or("two arrays have different indices")?;
                    let same = self.equal(element, against)?;
                    all = self.both(BinaryOp::And, all, same)?;
                }
                Ok(all)
            }
            (a, b) => {
                let (a, b) = (self.low(a)?, self.low(b)?);
                Ok(LoweredTerm::Term(self.binary(BinaryOp::Equal, a, b)))
            }
        }
    }
}
