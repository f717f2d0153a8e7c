//! Terms to circuits.
//!
//! The index of a variable's value in its domain is a binary number. A condition becomes one edge, a
//! number its bits, and a term whose values are of several kinds becomes its *parts*: each value it can
//! have, with the edge that says when. Results are only meant where the bits of all variables name
//! values, since unused combinations of bits are excluded elsewhere.

mod operators;

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Run, Value, Word, deep};
use wherefore_model::{Domain, Model, Term, TermId, VarId, WordOp};

use crate::arithmetic as bits;
use crate::circuit::{Circuit, CircuitEdge};

/// Which state a variable is read in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The present state, or the input of the step.
    Now,
    /// The next state.
    Next,
}

/// A value that a circuit computes.
#[derive(Clone, Debug)]
enum Signal {
    Bool(CircuitEdge),
    /// In two's complement, the lowest bit first, the sign last.
    Int(Arc<[CircuitEdge]>),
    /// Whether it has a sign, and its bits, the lowest first.
    Word(bool, Arc<[CircuitEdge]>),
    /// Each value with when it is the one; exactly one is.
    Parts(Arc<[(Value, CircuitEdge)]>),
}

/// Turns the terms of one model into edges of one circuit.
#[derive(Debug)]
pub struct Blaster<'m> {
    model: &'m Model,
    budget: Budget,
    circuit: Circuit,
    now: Vec<Vec<CircuitEdge>>,
    next: Vec<Vec<CircuitEdge>>,
    meaning: FxHashMap<usize, (VarId, usize, bool)>,
    variables: FxHashMap<(VarId, Side), Signal>,
    signals: FxHashMap<TermId, Signal>,
    members: FxHashMap<(TermId, TermId), CircuitEdge>,
    takes: FxHashMap<(VarId, Side, TermId), CircuitEdge>,
}

impl<'m> Blaster<'m> {
    /// A circuit with the bits of all variables as its inputs.
    pub fn new(model: &'m Model, budget: &Budget) -> Self {
        let mut circuit = Circuit::new();
        let mut meaning = FxHashMap::default();
        let states = model.state_vars();
        let mut inputs = |next: bool| {
            let vars = model.vars.entries();
            let bits = vars.map(|(id, var)| {
                let some = !next || id.index() < states;
                let places = 0..(if some { var.domain.bits() as usize } else { 0 });
                let bits = places.map(|place| {
                    let edge = circuit.input();
                    meaning.insert(edge.gate(), (id, place, next));
                    edge
                });
                bits.collect()
            });
            bits.collect::<Vec<Vec<CircuitEdge>>>()
        };
        let (now, next) = (inputs(false), inputs(true));
        Self {
            model,
            budget: budget.clone(),
            circuit,
            now,
            next,
            meaning,
            variables: FxHashMap::default(),
            signals: FxHashMap::default(),
            members: FxHashMap::default(),
            takes: FxHashMap::default(),
        }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The circuit.
    pub fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// The circuit, to build on.
    pub fn circuit_mut(&mut self) -> &mut Circuit {
        &mut self.circuit
    }

    /// What an input of the circuit means: a variable, the place of a bit from the lowest, and whether it
    /// is one of the next state.
    ///
    /// # Panics
    /// When the gate is no input.
    pub fn meaning(&self, gate: usize) -> (VarId, usize, bool) {
        self.meaning[&gate]
    }

    /// The bits of a variable, the lowest one first.
    pub fn bits(&self, var: VarId, side: Side) -> &[CircuitEdge] {
        match side {
            Side::Now => &self.now[var.index()],
            Side::Next => &self.next[var.index()],
        }
    }

    /// That the bits of a variable name a value.
    pub fn fits(&mut self, var: VarId, side: Side) -> CircuitEdge {
        let last = self.model.vars[var].domain.last();
        let index = self.bits(var, side).to_vec();
        let last = bits::constant(last, index.len());
        bits::less(&mut self.circuit, &index, &last, false, true)
    }

    /// That a variable has the value with this index.
    pub fn has(&mut self, var: VarId, side: Side, index: u64) -> CircuitEdge {
        let own = self.bits(var, side).to_vec();
        let meant = bits::constant(index, own.len());
        bits::equal(&mut self.circuit, &own, &meant)
    }

    /// When a condition is true.
    pub fn condition(&mut self, id: TermId) -> Run<CircuitEdge> {
        Ok(match self.signal(id)? {
            Signal::Bool(edge) => edge,
            Signal::Parts(parts) => when(&parts, Value::Bool(true)),
            Signal::Int(_) | Signal::Word(..) => CircuitEdge::FALSE,
        })
    }

    /// When a variable has one of the values of a term.
    pub fn takes(&mut self, var: VarId, side: Side, id: TermId) -> Run<CircuitEdge> {
        if let Some(&known) = self.takes.get(&(var, side, id)) {
            return Ok(known);
        }
        let edge = deep(|| self.takes_here(var, side, id))?;
        self.takes.insert((var, side, id), edge);
        Ok(edge)
    }

    fn takes_here(&mut self, var: VarId, side: Side, id: TermId) -> Run<CircuitEdge> {
        let model = self.model;
        let domain = &model.vars[var].domain;
        match model.terms.get(id) {
            Term::Const(value) => Ok(match domain.index_of(*value) {
                Some(index) => self.has(var, side, index),
                None => CircuitEdge::FALSE,
            }),
            Term::Ite(condition, then, otherwise) => {
                let condition = self.condition(*condition)?;
                let then = self.takes(var, side, *then)?;
                let otherwise = self.takes(var, side, *otherwise)?;
                Ok(self.circuit.ite(condition, then, otherwise))
            }
            Term::Set(members) => {
                let taken = members.iter().map(|&member| self.takes(var, side, member));
                let taken = taken.collect::<Run<Vec<CircuitEdge>>>()?;
                Ok(self.circuit.any(taken))
            }
            _ => {
                if let Some((other, other_side)) = self.variable(id)
                    && model.vars[other].domain == *domain
                {
                    let own = self.bits(var, side).to_vec();
                    let others = self.bits(other, other_side).to_vec();
                    return Ok(bits::equal(&mut self.circuit, &own, &others));
                }
                let own = self.of_variable(var, side);
                let value = self.signal(id)?;
                self.equal(&own, &value)
            }
        }
    }

    /// The variable a term is, and where it is read.
    fn variable(&self, id: TermId) -> Option<(VarId, Side)> {
        match self.model.terms.get(id) {
            Term::Var(var) => Some((*var, Side::Now)),
            Term::Next(var) => Some((*var, Side::Next)),
            _ => None,
        }
    }

    fn of_variable(&mut self, var: VarId, side: Side) -> Signal {
        if let Some(known) = self.variables.get(&(var, side)) {
            return known.clone();
        }
        let index = self.bits(var, side).to_vec();
        let signal = match &self.model.vars[var].domain {
            Domain::Bool => Signal::Bool(index[0]),
            Domain::Word { signed, .. } => Signal::Word(*signed, index.into()),
            Domain::Range { low, .. } => {
                let mut index = index;
                // An index is never negative: a sign of 0 makes an integer of it.
                index.push(CircuitEdge::FALSE);
                let (index, low) = bits::level(&index, &bits::integer(*low), 1);
                let number = bits::sum(&mut self.circuit, &index, &low, CircuitEdge::FALSE);
                Signal::Int(bits::narrow(number).into())
            }
            Domain::Enum(values) => {
                let parts: Vec<(Value, CircuitEdge)> = (0..)
                    .zip(values)
                    .map(|(index, value)| (*value, self.has(var, side, index)))
                    .collect();
                self.of_parts(parts)
            }
        };
        self.variables.insert((var, side), signal.clone());
        signal
    }

    /// The simplest signal that has these values.
    fn of_parts(&mut self, mut parts: Vec<(Value, CircuitEdge)>) -> Signal {
        parts.retain(|(_, when)| *when != CircuitEdge::FALSE);
        if parts.iter().all(|(value, _)| value.as_int().is_some()) {
            return Signal::Int(self.merge(&parts).into());
        }
        if parts.iter().all(|(value, _)| value.as_bool().is_some()) {
            return Signal::Bool(when(&parts, Value::Bool(true)));
        }
        Signal::Parts(parts.into())
    }

    /// The integer among values, as bits.
    fn merge(&mut self, parts: &[(Value, CircuitEdge)]) -> Vec<CircuitEdge> {
        let numbers = parts.iter();
        let numbers: Vec<(Vec<CircuitEdge>, CircuitEdge)> = numbers
            .filter_map(|(value, when)| Some((bits::integer(value.as_int()?), *when)))
            .collect();
        let width = numbers.iter().map(|(number, _)| number.len()).max();
        let places = 0..width.unwrap_or(1);
        let bit = |place: usize| {
            // Beyond its own bits a number repeats its sign.
            let set = numbers
                .iter()
                .filter(|(number, _)| number[place.min(number.len() - 1)] == CircuitEdge::TRUE);
            let set: Vec<CircuitEdge> = set.map(|(_, when)| *when).collect();
            self.circuit.any(set)
        };
        bits::narrow(places.map(bit).collect())
    }

    fn signal(&mut self, id: TermId) -> Run<Signal> {
        if let Some(known) = self.signals.get(&id) {
            return Ok(known.clone());
        }
        let signal = deep(|| self.signal_here(id))?;
        self.signals.insert(id, signal.clone());
        Ok(signal)
    }

    fn signal_here(&mut self, id: TermId) -> Run<Signal> {
        self.budget.check()?;
        let model = self.model;
        Ok(match model.terms.get(id) {
            Term::Const(value) => constant(*value),
            Term::Var(var) => self.of_variable(*var, Side::Now),
            Term::Next(var) => self.of_variable(*var, Side::Next),
            Term::Not(a) => Signal::Bool(!self.condition(*a)?),
            Term::Negate(a) => {
                let number = self.integer(*a)?;
                // The least number of a width has a negation that takes one bit more.
                let wide = bits::extend(&number, (number.len() + 1).min(bits::WIDEST));
                let negated = bits::negated_if(&mut self.circuit, CircuitEdge::TRUE, &wide);
                Signal::Int(bits::narrow(negated).into())
            }
            Term::Binary(op, a, b) => self.binary(*op, *a, *b)?,
            Term::Ite(condition, then, otherwise) => {
                let condition = self.condition(*condition)?;
                match condition.as_constant() {
                    Some(true) => self.signal(*then)?,
                    Some(false) => self.signal(*otherwise)?,
                    None => {
                        let (then, otherwise) = (self.signal(*then)?, self.signal(*otherwise)?);
                        self.choose(condition, &then, &otherwise)?
                    }
                }
            }
            // Where one value is meant, all members have it.
            Term::Set(members) => match members.first() {
                Some(member) => self.signal(*member)?,
                None => Signal::Bool(CircuitEdge::FALSE),
            },
            Term::Member(a, b) => Signal::Bool(self.member(*a, *b)?),
            Term::Count(conditions) => {
                let edges = conditions.iter().map(|&c| self.condition(c));
                let edges = edges.collect::<Run<Vec<CircuitEdge>>>()?;
                Signal::Int(bits::count(&mut self.circuit, &edges).into())
            }
            Term::Word(op, a) => match self.signal(*a)? {
                Signal::Word(signed, word) => word_operator(*op, signed, &word),
                other => other,
            },
        })
    }

    fn choose(&mut self, c: CircuitEdge, a: &Signal, b: &Signal) -> Run<Signal> {
        Ok(match (a, b) {
            (Signal::Bool(a), Signal::Bool(b)) => Signal::Bool(self.circuit.ite(c, *a, *b)),
            (Signal::Int(a), Signal::Int(b)) => {
                let (a, b) = bits::level(a, b, 0);
                Signal::Int(bits::narrow(self.choose_bits(c, &a, &b)).into())
            }
            (Signal::Word(signed, a), Signal::Word(other, b))
                if signed == other && a.len() == b.len() =>
            {
                Signal::Word(*signed, self.choose_bits(c, a, b).into())
            }
            _ => {
                let mut cases: BTreeMap<Value, Vec<CircuitEdge>> = BTreeMap::new();
                for (side, parts) in [(c, self.parts(a)?), (!c, self.parts(b)?)] {
                    for (value, when) in parts.iter() {
                        let when = self.circuit.and(side, *when);
                        cases.entry(*value).or_default().push(when);
                    }
                }
                let parts = cases.into_iter();
                let parts = parts
                    .map(|(value, when)| (value, self.circuit.any(when)))
                    .collect();
                self.of_parts(parts)
            }
        })
    }

    fn choose_bits(
        &mut self,
        c: CircuitEdge,
        a: &[CircuitEdge],
        b: &[CircuitEdge],
    ) -> Vec<CircuitEdge> {
        let pairs = a.iter().zip(b);
        pairs.map(|(a, b)| self.circuit.ite(c, *a, *b)).collect()
    }

    /// Each value of a signal, with when it has it.
    fn parts(&mut self, signal: &Signal) -> Run<Arc<[(Value, CircuitEdge)]>> {
        Ok(match signal {
            Signal::Parts(parts) => parts.clone(),
            Signal::Bool(edge) => {
                let parts = [(Value::Bool(false), !*edge), (Value::Bool(true), *edge)];
                parts.into()
            }
            Signal::Int(number) => {
                // The last bit is the sign, which the shifts copy upwards.
                let unused = 64 - number.len();
                let found = self.numbers(number)?.into_iter();
                let value = |bits: u64| Value::Int(((bits << unused) as i64) >> unused);
                found.map(|(bits, when)| (value(bits), when)).collect()
            }
            Signal::Word(signed, word) => {
                let width = u32::try_from(word.len()).expect("a word has at most 64 bits");
                let found = self.numbers(word)?.into_iter();
                let value = |bits: u64| Value::Word(Word::new(*signed, width, bits));
                found.map(|(bits, when)| (value(bits), when)).collect()
            }
        })
    }

    /// Every number that some bits can be, with when they are it.
    fn numbers(&mut self, digits: &[CircuitEdge]) -> Run<Vec<(u64, CircuitEdge)>> {
        let mut found = vec![(0, CircuitEdge::TRUE)];
        for &digit in digits.iter().rev() {
            let mut longer = Vec::with_capacity(2 * found.len());
            for (number, when) in found {
                self.budget.check()?;
                for (value, digit) in [(0, !digit), (1, digit)] {
                    let when = self.circuit.and(when, digit);
                    // Prefixes that are false by their form have no numbers.
                    if when != CircuitEdge::FALSE {
                        longer.push((number << 1 | value, when));
                    }
                }
            }
            found = longer;
        }
        Ok(found)
    }

    /// The bits of a term that is an integer.
    fn integer(&mut self, id: TermId) -> Run<Arc<[CircuitEdge]>> {
        Ok(match self.signal(id)? {
            Signal::Int(number) => number,
            Signal::Word(signed, word) => match word_operator(WordOp::ToInt, signed, &word) {
                Signal::Int(number) => number,
                _ => word,
            },
            Signal::Parts(parts) => self.merge(&parts).into(),
            Signal::Bool(_) => bits::integer(0).into(),
        })
    }
}

fn constant(value: Value) -> Signal {
    match value {
        Value::Bool(value) => Signal::Bool(CircuitEdge::constant(value)),
        Value::Int(number) => Signal::Int(bits::integer(number).into()),
        Value::Word(word) => {
            let digits = bits::constant(word.bits(), word.width() as usize);
            Signal::Word(word.is_signed(), digits.into())
        }
        Value::Symbol(_) => Signal::Parts([(value, CircuitEdge::TRUE)].into()),
    }
}

/// Whether a signal could have a value of this kind.
fn kin(signal: &Signal, value: Value) -> bool {
    matches!(
        (signal, value),
        (Signal::Bool(_), Value::Bool(_))
            | (Signal::Int(_), Value::Int(_))
            | (Signal::Word(..), Value::Word(_))
            | (Signal::Parts(_), _)
    )
}

fn when(parts: &[(Value, CircuitEdge)], value: Value) -> CircuitEdge {
    let found = parts.iter().find(|(other, _)| *other == value);
    found.map_or(CircuitEdge::FALSE, |(_, when)| *when)
}

fn word_operator(op: WordOp, signed: bool, word: &[CircuitEdge]) -> Signal {
    let fill = match word.last() {
        Some(&sign) if signed => sign,
        _ => CircuitEdge::FALSE,
    };
    match op {
        WordOp::Select(high, low) => Signal::Word(false, word[low as usize..=high as usize].into()),
        WordOp::Convert { signed, width } => {
            let mut digits = word.to_vec();
            digits.resize(width as usize, fill);
            Signal::Word(signed, digits.into())
        }
        WordOp::ToInt => {
            let mut number = word.to_vec();
            // Without a sign of its own, a word gets one that is 0.
            number.push(fill);
            Signal::Int(bits::narrow(number).into())
        }
    }
}
