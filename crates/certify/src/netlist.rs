//! Netlists: Boolean functions as gates over inputs.

use std::ops::Not;

use rustc_hash::FxHashMap;

/// The output of a gate, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Wire(u32);

impl Wire {
    pub(crate) const FALSE: Wire = Wire(0);
    pub(crate) const TRUE: Wire = Wire(1);

    fn of_gate(gate: usize) -> Self {
        let gate = u32::try_from(gate).expect("memory ends before the numbers do");
        Wire(gate << 1)
    }

    pub(crate) fn constant(value: bool) -> Self {
        Wire(u32::from(value))
    }

    pub(crate) fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn negated_if(self, condition: bool) -> Self {
        Wire(self.0 ^ u32::from(condition))
    }

    fn is_constant(self) -> bool {
        self.gate() == 0
    }
}

impl Not for Wire {
    type Output = Wire;

    fn not(self) -> Wire {
        Wire(self.0 ^ 1)
    }
}

/// How the output of a gate depends on other wires.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum LogicGate {
    /// Gate 0, which is always false.
    False,
    /// Free.
    Input,
    /// All of them, two at least.
    All(Box<[Wire]>),
    /// One of both but not the other.
    Xor(Wire, Wire),
    /// The second where the first is true, the third elsewhere.
    Mux(Wire, Wire, Wire),
}

/// Gates over inputs, each gate once.
///
/// Invariant: gates come after the gates that they depend on.
#[derive(Debug)]
pub(crate) struct Netlist {
    gates: Vec<LogicGate>,
    known: FxHashMap<LogicGate, Wire>,
}

impl Netlist {
    pub(crate) fn new() -> Self {
        Self {
            gates: vec![LogicGate::False],
            known: FxHashMap::default(),
        }
    }

    pub(crate) fn gate(&self, gate: usize) -> &LogicGate {
        &self.gates[gate]
    }

    pub(crate) fn len(&self) -> usize {
        self.gates.len()
    }

    pub(crate) fn input(&mut self) -> Wire {
        self.gates.push(LogicGate::Input);
        Wire::of_gate(self.gates.len() - 1)
    }

    fn wire(&mut self, gate: LogicGate) -> Wire {
        if let Some(&known) = self.known.get(&gate) {
            return known;
        }
        let wire = Wire::of_gate(self.gates.len());
        self.gates.push(gate.clone());
        self.known.insert(gate, wire);
        wire
    }

    pub(crate) fn all(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        let mut wires: Vec<Wire> = wires.into_iter().filter(|w| *w != Wire::TRUE).collect();
        wires.sort_unstable();
        wires.dedup();
        // A wire and its negation are neighbours in the order.
        let contrary = wires.windows(2).any(|pair| pair[0] == !pair[1]);
        match wires[..] {
            [] => Wire::TRUE,
            [Wire::FALSE, ..] => Wire::FALSE,
            _ if contrary => Wire::FALSE,
            [one] => one,
            _ => self.wire(LogicGate::All(wires.into())),
        }
    }

    pub(crate) fn any(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        !self.all(wires.into_iter().map(|wire| !wire))
    }

    pub(crate) fn and(&mut self, a: Wire, b: Wire) -> Wire {
        self.all([a, b])
    }

    pub(crate) fn or(&mut self, a: Wire, b: Wire) -> Wire {
        self.any([a, b])
    }

    pub(crate) fn xor(&mut self, a: Wire, b: Wire) -> Wire {
        // Only the parity of the negations matters.
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.negated_if(a.is_negated()), b.negated_if(b.is_negated()));
        // Operands are kept in order, so that the same gate is not made twice.
        let wire = match (a.min(b), a.max(b)) {
            (a, b) if a == b => Wire::FALSE,
            (Wire::FALSE, b) => b,
            (a, b) => self.wire(LogicGate::Xor(a, b)),
        };
        wire.negated_if(negated)
    }

    pub(crate) fn mux(&mut self, condition: Wire, then: Wire, otherwise: Wire) -> Wire {
        let negated = condition.is_negated();
        let condition = condition.negated_if(negated);
        let (then, otherwise) = if negated {
            (otherwise, then)
        } else {
            (then, otherwise)
        };
        // The condition is not negated any more, so where it is constant it is false.
        if condition.is_constant() || then == otherwise {
            return otherwise;
        }
        if then == !otherwise {
            return self.xor(condition, otherwise);
        }
        if then.is_constant() || otherwise.is_constant() {
            let first = self.and(condition, then);
            let second = self.and(!condition, otherwise);
            return self.or(first, second);
        }
        // One polarity stands for both, so that more gates are shared.
        let flipped = then.is_negated();
        let gate = LogicGate::Mux(
            condition,
            then.negated_if(flipped),
            otherwise.negated_if(flipped),
        );
        self.wire(gate).negated_if(flipped)
    }

    /// The values of all gates, given those of the inputs in the order in which they were made.
    #[cfg(test)]
    pub(crate) fn evaluate(&self, inputs: &[bool]) -> Vec<bool> {
        let mut inputs = inputs.iter();
        let mut values: Vec<bool> = Vec::new();
        for gate in &self.gates {
            let value = |wire: &Wire| values[wire.gate()] != wire.is_negated();
            let found = match gate {
                LogicGate::False => false,
                LogicGate::Input => *inputs.next().expect("each input has a value"),
                LogicGate::All(wires) => wires.iter().all(value),
                LogicGate::Xor(a, b) => value(a) != value(b),
                LogicGate::Mux(c, a, b) => value(if value(c) { a } else { b }),
            };
            values.push(found);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_what_their_names_say_whatever_is_constant_or_the_same() {
        let mut netlist = Netlist::new();
        let inputs = [netlist.input(), netlist.input()];
        let mut wires = vec![Wire::FALSE, Wire::TRUE];
        wires.extend(inputs.iter().flat_map(|&wire| [wire, !wire]));
        let mut made = Vec::new();
        for &a in &wires {
            for &b in &wires {
                let (and, or, xor) = (netlist.and(a, b), netlist.or(a, b), netlist.xor(a, b));
                made.push(([and, or, xor], [a, b]));
            }
        }
        let mut muxes = Vec::new();
        for &c in &wires {
            for &a in &wires {
                for &b in &wires {
                    muxes.push((netlist.mux(c, a, b), [c, a, b]));
                }
            }
        }
        for bits in 0..4 {
            let values = netlist.evaluate(&[bits & 1 == 1, bits & 2 == 2]);
            let value = |wire: Wire| values[wire.gate()] != wire.is_negated();
            for &([and, or, xor], [a, b]) in &made {
                let (a, b) = (value(a), value(b));
                assert_eq!(
                    [value(and), value(or), value(xor)],
                    [a && b, a || b, a != b]
                );
            }
            for &(mux, [c, a, b]) in &muxes {
                assert_eq!(value(mux), if value(c) { value(a) } else { value(b) });
            }
        }
    }
}
