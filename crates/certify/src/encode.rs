//! Terms to wires, read off the definition of [`wherefore_model::Interpreter`].
//!
//! A value is of some kind: a truth value, an integer, a symbol, or a word of some type. What a term
//! denotes is a list of kinds, each with the condition under which its value is of that kind and with its
//! bits there. Nearly every term has one kind only; a variable that is `idle` or a number has two.
//!
//! A [`TermReading`] says what the variables are, now and next. They need not be inputs of the netlist: with a
//! function of the present state in place of the next one, a constraint on steps says when that function
//! makes a step.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Run, Value, deep};
use wherefore_model::{
    BinaryOp, Constraint, Domain, Model, Requirement, Term, TermId, VarId, WordOp,
};

use crate::netlist::{Netlist, Wire};
use crate::numbers::{self, Division};

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ValueKind {
    /// One bit.
    Truth,
    /// An integer in two's complement.
    Integer,
    /// The number of a symbol as an integer.
    Symbol,
    /// The bits of a word.
    Word { signed: bool, width: usize },
}

/// A kind of value that something can have.
#[derive(Clone, Debug)]
struct Alternative {
    kind: ValueKind,
    /// When the value is of this kind.
    when: Wire,
    /// What it is then.
    bits: Vec<Wire>,
}

/// A value as wires: of each kind at most one alternative, exactly one of which is so.
#[derive(Clone, Debug)]
pub(crate) struct EncodedValue(Rc<[Alternative]>);

impl EncodedValue {
    fn of_kind(kind: ValueKind, bits: Vec<Wire>) -> Self {
        let when = Wire::TRUE;
        EncodedValue([Alternative { kind, when, bits }].into())
    }

    fn truth(wire: Wire) -> Self {
        Self::of_kind(ValueKind::Truth, vec![wire])
    }

    fn integer(bits: Vec<Wire>) -> Self {
        Self::of_kind(ValueKind::Integer, numbers::shortened(bits))
    }

    fn word(signed: bool, bits: Vec<Wire>) -> Self {
        let width = bits.len();
        Self::of_kind(ValueKind::Word { signed, width }, bits)
    }

    /// The value itself.
    pub(crate) fn constant(value: Value) -> Self {
        let (kind, bits) = bits_of(value);
        Self::of_kind(kind, bits)
    }

    fn find(&self, kind: ValueKind) -> Option<&Alternative> {
        self.0.iter().find(|alternative| alternative.kind == kind)
    }

    /// The bits of the integer that it is.
    fn as_integer(&self) -> Vec<Wire> {
        let found = self.find(ValueKind::Integer);
        found.map_or_else(|| numbers::integer(0), |integer| integer.bits.clone())
    }

    /// The type and bits of the word that it is.
    fn as_word(&self) -> Option<(bool, &[Wire])> {
        self.0
            .iter()
            .find_map(|alternative| match alternative.kind {
                ValueKind::Word { signed, .. } => Some((signed, &alternative.bits[..])),
                _ => None,
            })
    }
}

fn bits_of(value: Value) -> (ValueKind, Vec<Wire>) {
    match value {
        Value::Bool(truth) => (ValueKind::Truth, vec![Wire::constant(truth)]),
        Value::Int(number) => (ValueKind::Integer, numbers::integer(number)),
        Value::Symbol(symbol) => {
            let number = i64::try_from(symbol.index()).expect("symbols are numbered from 0");
            (ValueKind::Symbol, numbers::integer(number))
        }
        Value::Word(word) => {
            let (signed, width) = (word.is_signed(), word.width() as usize);
            let bits = numbers::constant(word.bits(), width);
            (ValueKind::Word { signed, width }, bits)
        }
    }
}

impl Netlist {
    /// When two values are the same.
    pub(crate) fn same(&mut self, a: &EncodedValue, b: &EncodedValue) -> Wire {
        let mut ways = Vec::new();
        for one in a.0.iter() {
            if let Some(other) = b.find(one.kind) {
                let (x, y) = match one.kind {
                    ValueKind::Integer | ValueKind::Symbol => {
                        numbers::aligned(&one.bits, &other.bits, 0)
                    }
                    ValueKind::Truth | ValueKind::Word { .. } => {
                        (one.bits.clone(), other.bits.clone())
                    }
                };
                let equal = numbers::equal(self, &x, &y);
                ways.push(self.all([one.when, other.when, equal]));
            }
        }
        self.any(ways)
    }

    /// When a value is the truth value TRUE.
    fn is_true(&mut self, value: &EncodedValue) -> Wire {
        match value.find(ValueKind::Truth) {
            Some(truth) => self.and(truth.when, truth.bits[0]),
            None => Wire::FALSE,
        }
    }

    /// `a` where the condition is true, `b` elsewhere.
    pub(crate) fn either(
        &mut self,
        condition: Wire,
        a: &EncodedValue,
        b: &EncodedValue,
    ) -> EncodedValue {
        let mut alternatives = Vec::new();
        for one in a.0.iter() {
            let Some(other) = b.find(one.kind) else {
                alternatives.push(Alternative {
                    when: self.and(condition, one.when),
                    ..one.clone()
                });
                continue;
            };
            let (x, y) = match one.kind {
                ValueKind::Integer | ValueKind::Symbol => {
                    numbers::aligned(&one.bits, &other.bits, 0)
                }
                ValueKind::Truth | ValueKind::Word { .. } => (one.bits.clone(), other.bits.clone()),
            };
            alternatives.push(Alternative {
                kind: one.kind,
                when: self.mux(condition, one.when, other.when),
                bits: numbers::choice(self, condition, &x, &y),
            });
        }
        for other in b.0.iter().filter(|other| a.find(other.kind).is_none()) {
            alternatives.push(Alternative {
                when: self.and(!condition, other.when),
                ..other.clone()
            });
        }
        alternatives.retain(|alternative| alternative.when != Wire::FALSE);
        EncodedValue(alternatives.into())
    }

    /// When a value is one of a domain.
    pub(crate) fn in_domain(&mut self, value: &EncodedValue, domain: &Domain) -> Wire {
        match domain {
            Domain::Bool => value.find(ValueKind::Truth).map_or(Wire::FALSE, |v| v.when),
            Domain::Word { signed, width } => {
                let (signed, width) = (*signed, *width as usize);
                let word = value.find(ValueKind::Word { signed, width });
                word.map_or(Wire::FALSE, |word| word.when)
            }
            Domain::Range { low, high } => {
                let Some(number) = value.find(ValueKind::Integer) else {
                    return Wire::FALSE;
                };
                let (number, when) = (number.bits.clone(), number.when);
                let (x, low) = numbers::aligned(&number, &numbers::integer(*low), 0);
                let below = numbers::less_signed(self, &x, &low);
                let (x, high) = numbers::aligned(&number, &numbers::integer(*high), 0);
                let above = numbers::less_signed(self, &high, &x);
                self.all([when, !below, !above])
            }
            Domain::Enum(values) => self.one_of(value, values),
        }
    }

    /// When a value is one of those listed.
    pub(crate) fn one_of(&mut self, value: &EncodedValue, list: &[Value]) -> Wire {
        let same = list.iter();
        let same: Vec<Wire> = same
            .map(|&v| self.same(value, &EncodedValue::constant(v)))
            .collect();
        self.any(same)
    }

    /// A bit of the index of a value in its domain.
    pub(crate) fn index_bit(
        &mut self,
        value: &EncodedValue,
        domain: &Domain,
        place: usize,
    ) -> Wire {
        let bits = match domain {
            Domain::Bool | Domain::Word { .. } => value.0.first().map(|a| a.bits.clone()),
            Domain::Range { low, .. } => {
                // One more bit than 64 is not needed: the index is the difference modulo 2^64.
                let (number, low) =
                    numbers::aligned(&value.as_integer(), &numbers::integer(*low), 1);
                let mut index = numbers::difference(self, &number, &low);
                index.resize(index.len().max(place + 1), Wire::FALSE);
                Some(index)
            }
            Domain::Enum(values) => {
                let indexed = values.iter().enumerate();
                let with_bit = indexed.filter(|(index, _)| index >> place & 1 == 1);
                let with_bit: Vec<Value> = with_bit.map(|(_, &value)| value).collect();
                return self.one_of(value, &with_bit);
            }
        };
        let bit = bits.and_then(|bits| bits.get(place).copied());
        bit.unwrap_or(Wire::FALSE)
    }
}

/// A variable whose value is free within its domain.
pub(crate) struct FreeVariable {
    /// The inputs that it consists of, the lowest first: bits of the value, of listed values bits of the index.
    pub(crate) inputs: Vec<Wire>,
    pub(crate) value: EncodedValue,
    /// When the inputs stand for a value of the domain.
    pub(crate) fits: Wire,
}

impl FreeVariable {
    pub(crate) fn new(netlist: &mut Netlist, domain: &Domain) -> Self {
        let mut inputs =
            |count: usize| -> Vec<Wire> { (0..count).map(|_| netlist.input()).collect() };
        let (inputs, value) = match domain {
            Domain::Bool => {
                let inputs = inputs(1);
                let value = EncodedValue::truth(inputs[0]);
                (inputs, value)
            }
            Domain::Word { signed, width } => {
                let inputs = inputs(*width as usize);
                let value = EncodedValue::word(*signed, inputs.clone());
                (inputs, value)
            }
            Domain::Range { low, high } => {
                let width = |number: i64| numbers::integer(number).len();
                let inputs = match *low >= 0 {
                    true => inputs(width(*high) - 1),
                    false => inputs(width(*low).max(width(*high))),
                };
                let mut bits = inputs.clone();
                if *low >= 0 {
                    bits.push(Wire::FALSE);
                }
                (inputs, EncodedValue::of_kind(ValueKind::Integer, bits))
            }
            Domain::Enum(values) => {
                let inputs = inputs(domain.bits() as usize);
                let value = listed(netlist, &inputs, values);
                (inputs, value)
            }
        };
        let fits = match domain {
            Domain::Enum(_) => {
                let last = numbers::constant(domain.last(), inputs.len());
                !numbers::less(netlist, &last, &inputs)
            }
            _ => netlist.in_domain(&value, domain),
        };
        Self {
            inputs,
            value,
            fits,
        }
    }

    /// The value that its inputs stand for.
    pub(crate) fn value_of(&self, domain: &Domain, bits: &[bool]) -> Value {
        let number = (0..).zip(bits).map(|(place, &bit)| u64::from(bit) << place);
        let number: u64 = number.sum();
        match domain {
            Domain::Range { low, high } => {
                let negative = *low < 0 && bits.last() == Some(&true);
                let above = match negative {
                    true => u64::MAX.checked_shl(bits.len() as u32).unwrap_or(0),
                    false => 0,
                };
                Value::Int(((number | above) as i64).clamp(*low, *high))
            }
            _ => domain.value(number.min(domain.last())),
        }
    }
}

/// The value of a list with an index.
fn listed(netlist: &mut Netlist, index: &[Wire], values: &[Value]) -> EncodedValue {
    let mut alternatives: Vec<Alternative> = Vec::new();
    let encoded: Vec<(ValueKind, Vec<Wire>)> = values.iter().map(|&v| bits_of(v)).collect();
    let mut here = Vec::new();
    for at in 0..values.len() {
        let meant = numbers::constant(at as u64, index.len());
        here.push(numbers::equal(netlist, index, &meant));
    }
    for (kind, _) in &encoded {
        if alternatives.iter().any(|known| known.kind == *kind) {
            continue;
        }
        let of_kind = || (0..values.len()).filter(|&at| encoded[at].0 == *kind);
        let width = of_kind().map(|at| encoded[at].1.len()).max().unwrap_or(1);
        let when = match of_kind().count() == values.len() {
            true => Wire::TRUE,
            false => netlist.any(of_kind().map(|at| here[at])),
        };
        let bits = (0..width).map(|place| {
            let set = of_kind().filter(|&at| {
                let bits = &encoded[at].1;
                bits[place.min(bits.len() - 1)] == Wire::TRUE
            });
            netlist.any(set.map(|at| here[at]))
        });
        let bits = bits.collect();
        alternatives.push(Alternative {
            kind: *kind,
            when,
            bits,
        });
    }
    EncodedValue(alternatives.into())
}

/// What variables are, and what the terms of a model denote there.
pub(crate) struct TermReading<'m> {
    model: &'m Model,
    budget: Budget,
    /// The variables of the present state, then the inputs.
    now: Vec<EncodedValue>,
    /// The variables of the next state.
    next: Vec<EncodedValue>,
    /// For each term whether it reads the next state.
    reads_next: Rc<[bool]>,
    /// What is known of terms that do not read the next state.
    of_now: FxHashMap<TermId, EncodedValue>,
    /// What is known of the others.
    of_next: FxHashMap<TermId, EncodedValue>,
}

/// For each term of a model whether it reads the next state.
pub(crate) fn reads_next(model: &Model) -> Rc<[bool]> {
    let mut reads: Vec<bool> = Vec::with_capacity(model.terms.len());
    for term in (0..model.terms.len()).map(TermId::new) {
        let term = model.terms.get(term);
        let read = matches!(term, Term::Next(_)) || term.operands().any(|o| reads[o.index()]);
        reads.push(read);
    }
    reads.into()
}

impl<'m> TermReading<'m> {
    pub(crate) fn new(
        model: &'m Model,
        reads_next: &Rc<[bool]>,
        now: Vec<EncodedValue>,
        next: Vec<EncodedValue>,
        budget: &Budget,
    ) -> Self {
        Self {
            model,
            budget: budget.clone(),
            now,
            next,
            reads_next: Rc::clone(reads_next),
            of_now: FxHashMap::default(),
            of_next: FxHashMap::default(),
        }
    }

    /// Takes other variables for the next state.
    pub(crate) fn set_next(&mut self, next: Vec<EncodedValue>) {
        self.next = next;
        self.of_next.clear();
    }

    /// Takes another value for a variable of the next state.
    pub(crate) fn set_next_variable(&mut self, var: VarId, value: EncodedValue) {
        self.next[var.index()] = value;
        self.of_next.clear();
    }

    /// A variable of the present state or an input.
    pub(crate) fn variable(&self, var: VarId) -> &EncodedValue {
        &self.now[var.index()]
    }

    /// Whether a term reads the next state.
    pub(crate) fn reads_next(&self, term: TermId) -> bool {
        self.reads_next[term.index()]
    }

    /// When a condition is true.
    pub(crate) fn condition(&mut self, netlist: &mut Netlist, term: TermId) -> Run<Wire> {
        let value = self.value(netlist, term)?;
        Ok(netlist.is_true(&value))
    }

    /// When a constraint is met; `of_step`: it assigns values of the next state.
    pub(crate) fn constraint(
        &mut self,
        netlist: &mut Netlist,
        constraint: &Constraint,
        of_step: bool,
    ) -> Run<Wire> {
        match constraint.requires {
            Requirement::Holds(term) => self.condition(netlist, term),
            Requirement::Assign(var, term) => {
                let side = if of_step { &self.next } else { &self.now };
                let value = side[var.index()].clone();
                self.is_among(netlist, &value, term)
            }
        }
    }

    /// When a value is one of those that a term denotes.
    pub(crate) fn is_among(
        &mut self,
        netlist: &mut Netlist,
        value: &EncodedValue,
        term: TermId,
    ) -> Run<Wire> {
        self.among(netlist, value, term, &mut FxHashMap::default())
    }

    fn among(
        &mut self,
        netlist: &mut Netlist,
        value: &EncodedValue,
        term: TermId,
        known: &mut FxHashMap<TermId, Wire>,
    ) -> Run<Wire> {
        if let Some(&known) = known.get(&term) {
            return Ok(known);
        }
        let model = self.model;
        let wire = deep(|| {
            Ok(match model.terms.get(term) {
                Term::Set(members) => {
                    let members = members.iter();
                    let each = members.map(|&m| self.among(netlist, value, m, known));
                    let each: Vec<Wire> = each.collect::<Run<_>>()?;
                    netlist.any(each)
                }
                Term::Ite(condition, then, otherwise) => {
                    let condition = self.condition(netlist, *condition)?;
                    let then = self.among(netlist, value, *then, known)?;
                    let otherwise = self.among(netlist, value, *otherwise, known)?;
                    netlist.mux(condition, then, otherwise)
                }
                _ => {
                    let other = self.value(netlist, term)?;
                    netlist.same(value, &other)
                }
            })
        })?;
        known.insert(term, wire);
        Ok(wire)
    }

    /// When every value that `a` denotes is one that `b` denotes.
    fn contained(&mut self, netlist: &mut Netlist, a: TermId, b: TermId) -> Run<Wire> {
        let model = self.model;
        deep(|| {
            Ok(match model.terms.get(a) {
                Term::Set(members) => {
                    let members = members.iter();
                    let each = members.map(|&member| self.contained(netlist, member, b));
                    let each: Vec<Wire> = each.collect::<Run<_>>()?;
                    netlist.all(each)
                }
                Term::Ite(condition, then, otherwise) => {
                    let condition = self.condition(netlist, *condition)?;
                    let then = self.contained(netlist, *then, b)?;
                    let otherwise = self.contained(netlist, *otherwise, b)?;
                    netlist.mux(condition, then, otherwise)
                }
                _ => {
                    let value = self.value(netlist, a)?;
                    self.is_among(netlist, &value, b)?
                }
            })
        })
    }

    /// The value of a term that denotes one.
    pub(crate) fn value(&mut self, netlist: &mut Netlist, term: TermId) -> Run<EncodedValue> {
        let of_next = self.reads_next[term.index()];
        let known = if of_next { &self.of_next } else { &self.of_now };
        if let Some(known) = known.get(&term) {
            return Ok(known.clone());
        }
        self.budget.check()?;
        let value = deep(|| self.value_here(netlist, term))?;
        let known = if of_next {
            &mut self.of_next
        } else {
            &mut self.of_now
        };
        known.insert(term, value.clone());
        Ok(value)
    }

    fn value_here(&mut self, netlist: &mut Netlist, term: TermId) -> Run<EncodedValue> {
        let model = self.model;
        Ok(match model.terms.get(term) {
            Term::Const(value) => EncodedValue::constant(*value),
            Term::Var(var) => self.now[var.index()].clone(),
            Term::Next(var) => self.next[var.index()].clone(),
            Term::Not(a) => EncodedValue::truth(!self.condition(netlist, *a)?),
            Term::Negate(a) => {
                let number = self.value(netlist, *a)?.as_integer();
                let (number, _) = numbers::aligned(&number, &number, 1);
                EncodedValue::integer(numbers::negative(netlist, &number))
            }
            Term::Binary(op, a, b) => self.binary(netlist, *op, *a, *b)?,
            Term::Ite(condition, then, otherwise) => {
                let condition = self.condition(netlist, *condition)?;
                let then = self.value(netlist, *then)?;
                let otherwise = self.value(netlist, *otherwise)?;
                netlist.either(condition, &then, &otherwise)
            }
            // It denotes one value, so every member does.
            Term::Set(members) => self.value(netlist, members[0])?,
            Term::Member(a, b) => EncodedValue::truth(self.contained(netlist, *a, *b)?),
            Term::Count(conditions) => {
                let conditions = conditions.iter();
                let wires = conditions.map(|&c| self.condition(netlist, c));
                let wires: Vec<Wire> = wires.collect::<Run<_>>()?;
                EncodedValue::integer(numbers::count(netlist, &wires))
            }
            Term::Word(op, a) => {
                let value = self.value(netlist, *a)?;
                word_operator(*op, &value)
            }
        })
    }

    fn binary(
        &mut self,
        netlist: &mut Netlist,
        op: BinaryOp,
        a: TermId,
        b: TermId,
    ) -> Run<EncodedValue> {
        use BinaryOp as B;
        if matches!(op, B::And | B::Or | B::Implies) {
            let (a, b) = (self.condition(netlist, a)?, self.condition(netlist, b)?);
            return Ok(EncodedValue::truth(match op {
                B::And => netlist.and(a, b),
                B::Or => netlist.or(a, b),
                _ => netlist.or(!a, b),
            }));
        }
        let (a, b) = (self.value(netlist, a)?, self.value(netlist, b)?);
        Ok(match op {
            B::Equal => EncodedValue::truth(netlist.same(&a, &b)),
            B::Unequal => EncodedValue::truth(!netlist.same(&a, &b)),
            B::Less => EncodedValue::truth(less(netlist, &a, &b)),
            B::LessEqual => EncodedValue::truth(!less(netlist, &b, &a)),
            B::Greater => EncodedValue::truth(less(netlist, &b, &a)),
            B::GreaterEqual => EncodedValue::truth(!less(netlist, &a, &b)),
            B::ShiftLeft | B::ShiftRight => shift(netlist, op, &a, &b),
            _ => match (a.as_word(), b.as_word()) {
                (Some((signed, x)), Some((_, y))) => word_arithmetic(netlist, op, signed, x, y),
                _ => arithmetic(netlist, op, &a.as_integer(), &b.as_integer()),
            },
        })
    }
}

fn less(netlist: &mut Netlist, a: &EncodedValue, b: &EncodedValue) -> Wire {
    match (a.as_word(), b.as_word()) {
        (Some((true, x)), Some((_, y))) => numbers::less_signed(netlist, x, y),
        (Some((false, x)), Some((_, y))) => numbers::less(netlist, x, y),
        _ => {
            let (x, y) = numbers::aligned(&a.as_integer(), &b.as_integer(), 0);
            numbers::less_signed(netlist, &x, &y)
        }
    }
}

/// Integers: with one bit more than the operands have (of a product, with the bits of both) every result
/// but one of 64 bits is exact, and that wraps.
fn arithmetic(netlist: &mut Netlist, op: BinaryOp, a: &[Wire], b: &[Wire]) -> EncodedValue {
    let larger_by = match op {
        BinaryOp::Mul => a.len().min(b.len()),
        _ => 1,
    };
    let (a, b) = numbers::aligned(a, b, larger_by);
    EncodedValue::integer(match op {
        BinaryOp::Add => numbers::sum(netlist, &a, &b, Wire::FALSE),
        BinaryOp::Sub => numbers::difference(netlist, &a, &b),
        BinaryOp::Mul => numbers::product(netlist, &a, &b),
        BinaryOp::Div => numbers::division_signed(netlist, &a, &b).quotient,
        BinaryOp::Mod => numbers::division_signed(netlist, &a, &b).remainder,
        _ => unreachable!("integers have no such operator"),
    })
}

fn word_arithmetic(
    netlist: &mut Netlist,
    op: BinaryOp,
    signed: bool,
    a: &[Wire],
    b: &[Wire],
) -> EncodedValue {
    use BinaryOp as B;
    let division = |netlist: &mut Netlist| -> Division {
        match signed {
            true => numbers::division_signed(netlist, a, b),
            false => numbers::division(netlist, a, b),
        }
    };
    let each = |netlist: &mut Netlist, gate: fn(&mut Netlist, Wire, Wire) -> Wire| {
        let pairs = a.iter().zip(b);
        pairs.map(|(&a, &b)| gate(netlist, a, b)).collect()
    };
    let bits = match op {
        B::Add => numbers::sum(netlist, a, b, Wire::FALSE),
        B::Sub => numbers::difference(netlist, a, b),
        B::Mul => numbers::product(netlist, a, b),
        B::Div => division(netlist).quotient,
        B::Mod => division(netlist).remainder,
        B::BitAnd => each(netlist, Netlist::and),
        B::BitOr => each(netlist, Netlist::or),
        B::BitXor => each(netlist, Netlist::xor),
        // The bits of the left word are the higher ones, and the result has no sign.
        B::Concat => return EncodedValue::word(false, [b, a].concat()),
        _ => unreachable!("conditions and shifts are read elsewhere"),
    };
    EncodedValue::word(signed, bits)
}

fn shift(
    netlist: &mut Netlist,
    op: BinaryOp,
    word: &EncodedValue,
    by: &EncodedValue,
) -> EncodedValue {
    let (signed, bits) = word.as_word().expect("a word is shifted");
    let by: Vec<Wire> = match by.as_word() {
        Some((_, by)) => by.to_vec(),
        None => {
            // A negative number counts as 0.
            let mut by = by.as_integer();
            let sign = by.pop().expect("an integer has a sign");
            by.iter().map(|&bit| netlist.and(bit, !sign)).collect()
        }
    };
    let bits = if op == BinaryOp::ShiftLeft {
        numbers::shifted_up(netlist, bits, &by, Wire::FALSE)
    } else {
        let fill = match bits.last() {
            Some(&sign) if signed => sign,
            _ => Wire::FALSE,
        };
        let reversed: Vec<Wire> = bits.iter().rev().copied().collect();
        let mut bits = numbers::shifted_up(netlist, &reversed, &by, fill);
        bits.reverse();
        bits
    };
    EncodedValue::word(signed, bits)
}

fn word_operator(op: WordOp, word: &EncodedValue) -> EncodedValue {
    let (signed, bits) = word.as_word().expect("the operand is a word");
    let sign = match bits.last() {
        Some(&sign) if signed => sign,
        _ => Wire::FALSE,
    };
    match op {
        WordOp::Select(high, low) => {
            EncodedValue::word(false, bits[low as usize..=high as usize].to_vec())
        }
        WordOp::Convert { signed, width } => {
            let mut bits = bits.to_vec();
            bits.resize(width as usize, sign);
            EncodedValue::word(signed, bits)
        }
        WordOp::ToInt => {
            let mut bits = bits.to_vec();
            bits.push(sign);
            EncodedValue::integer(bits)
        }
    }
}
