//! Values as wires.
//!
//! A value is of some kind: a truth value, an integer, a symbol, or a word of some type. What a term
//! denotes is a list of kinds, each with the condition under which its value is of that kind and with its
//! bits there. Nearly every term has one kind only; a variable that is `idle` or a number has two.

use std::rc::Rc;

use wherefore_base::Value;
use wherefore_model::Domain;

use crate::netlist::{Netlist, Wire};
use crate::numbers;

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

    pub(crate) fn truth(wire: Wire) -> Self {
        Self::of_kind(ValueKind::Truth, vec![wire])
    }

    pub(crate) fn integer(bits: Vec<Wire>) -> Self {
        Self::of_kind(ValueKind::Integer, numbers::shortened(bits))
    }

    pub(crate) fn word(signed: bool, bits: Vec<Wire>) -> Self {
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
    pub(crate) fn as_integer(&self) -> Vec<Wire> {
        let found = self.find(ValueKind::Integer);
        found.map_or_else(|| numbers::integer(0), |integer| integer.bits.clone())
    }

    /// The type and bits of the word that it is.
    pub(crate) fn as_word(&self) -> Option<(bool, &[Wire])> {
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
    pub(crate) fn is_true(&mut self, value: &EncodedValue) -> Wire {
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
                // Where no value is negative, the sign is constant and takes no input.
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
                // The bits above the inputs are copies of the sign.
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
                // Beyond its own width a number goes on with its sign.
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
