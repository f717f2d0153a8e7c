//! And-inverter graphs: circuits of conjunctions and negations, in which equal gates are one gate.
//!
//! Constants are folded and gates are shared while a circuit is built (Kuehlmann, Paruthi, Krohm and
//! Ganai 2002), so that most of what is trivially equal is never asked of a solver.

use std::fmt;
use std::ops::Not;

use rustc_hash::FxHashMap;

use crate::arithmetic;

/// The output of a gate, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CircuitEdge(u32);

impl CircuitEdge {
    /// Always false.
    pub const FALSE: CircuitEdge = CircuitEdge(0);
    /// Always true.
    pub const TRUE: CircuitEdge = CircuitEdge(1);

    /// The constant edge of a truth value.
    pub fn constant(value: bool) -> Self {
        CircuitEdge(u32::from(value))
    }

    /// The truth value, if the edge is constant.
    pub fn as_constant(self) -> Option<bool> {
        (self.gate() == 0).then_some(self == CircuitEdge::TRUE)
    }

    /// The output of the gate with this number.
    ///
    /// # Panics
    /// When the number does not fit 31 bits.
    pub fn from_gate(number: usize) -> Self {
        let number = u32::try_from(number).ok().filter(|n| *n < 1 << 31);
        CircuitEdge(number.expect("a circuit has fewer than 2^31 gates") << 1)
    }

    /// The number of its gate.
    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the negation of its gate.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The edge or its negation.
    #[must_use]
    pub fn negated_if(self, negated: bool) -> Self {
        CircuitEdge(self.0 ^ u32::from(negated))
    }
}

impl Not for CircuitEdge {
    type Output = CircuitEdge;

    fn not(self) -> CircuitEdge {
        CircuitEdge(self.0 ^ 1)
    }
}

impl fmt::Debug for CircuitEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negated() { "!" } else { "" };
        write!(f, "{sign}{}", self.gate())
    }
}

/// What a gate is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// The constant `false`: gate 0.
    False,
    /// Given from outside.
    Input,
    /// Both edges are true.
    And(CircuitEdge, CircuitEdge),
}

/// A circuit without memory.
///
/// Invariant: the operands of a gate have smaller numbers; no two conjunctions have the same operands,
/// and none has a constant operand or twice the same gate.
#[derive(Clone, Debug)]
pub struct Circuit {
    gates: Vec<Gate>,
    known: FxHashMap<(CircuitEdge, CircuitEdge), u32>,
}

impl Default for Circuit {
    fn default() -> Self {
        Self::new()
    }
}

impl Circuit {
    /// A circuit with the constant alone.
    pub fn new() -> Self {
        Self {
            gates: vec![Gate::False],
            known: FxHashMap::default(),
        }
    }

    /// How many gates there are.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Whether there is nothing but the constant.
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    /// The gate with this number.
    pub fn gate(&self, number: usize) -> Gate {
        self.gates[number]
    }

    /// A gate as `if c then a else b`, if it has that form.
    pub fn choice(&self, gate: usize) -> Option<[CircuitEdge; 3]> {
        let Gate::And(x, y) = self.gate(gate) else {
            return None;
        };
        if !x.is_negated() || !y.is_negated() {
            return None;
        }
        let (Gate::And(p, q), Gate::And(r, s)) = (self.gate(x.gate()), self.gate(y.gate())) else {
            return None;
        };
        // not (c and a) and not (not c and b)  =  if c then not a else not b
        let found = [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)];
        let found = found.into_iter().find(|(c, _, d, _)| *c == !*d);
        found.map(|(c, a, _, b)| [c, !a, !b])
    }

    /// The output of the gate with this number.
    ///
    /// # Panics
    /// When there is no such gate.
    pub fn output(&self, number: usize) -> CircuitEdge {
        assert!(number < self.gates.len(), "there is such a gate");
        CircuitEdge((number as u32) << 1)
    }

    /// A new input.
    pub fn input(&mut self) -> CircuitEdge {
        self.push(Gate::Input)
    }

    /// `a` and `b`
    pub fn and(&mut self, a: CircuitEdge, b: CircuitEdge) -> CircuitEdge {
        // Constants have the least numbers, so after sorting only `a` can be one.
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == CircuitEdge::FALSE || a == !b {
            return CircuitEdge::FALSE;
        }
        if a == CircuitEdge::TRUE || a == b {
            return b;
        }
        if let Some(&known) = self.known.get(&(a, b)) {
            return CircuitEdge(known);
        }
        let edge = self.push(Gate::And(a, b));
        self.known.insert((a, b), edge.0);
        edge
    }

    /// `a` or `b`
    pub fn or(&mut self, a: CircuitEdge, b: CircuitEdge) -> CircuitEdge {
        !self.and(!a, !b)
    }

    /// `a` and `b` are equal.
    pub fn iff(&mut self, a: CircuitEdge, b: CircuitEdge) -> CircuitEdge {
        self.ite(a, b, !b)
    }

    /// `a` and `b` differ.
    pub fn xor(&mut self, a: CircuitEdge, b: CircuitEdge) -> CircuitEdge {
        !self.iff(a, b)
    }

    /// `if c then a else b`
    pub fn ite(&mut self, c: CircuitEdge, a: CircuitEdge, b: CircuitEdge) -> CircuitEdge {
        if a == b {
            return a;
        }
        if c.is_negated() {
            return self.ite(!c, b, a);
        }
        // One orientation for a choice and its negation, so that they share their gates.
        if a.is_negated() {
            return !self.choose(c, !a, !b);
        }
        self.choose(c, a, b)
    }

    fn choose(&mut self, c: CircuitEdge, a: CircuitEdge, b: CircuitEdge) -> CircuitEdge {
        let then = self.and(c, a);
        let otherwise = self.and(!c, b);
        self.or(then, otherwise)
    }

    /// All of them, in a balanced tree.
    pub fn all(&mut self, edges: impl IntoIterator<Item = CircuitEdge>) -> CircuitEdge {
        let mut edges: Vec<CircuitEdge> = edges.into_iter().collect();
        while edges.len() > 1 {
            let pairs = edges.chunks(2);
            let half = pairs.map(|pair| match *pair {
                [a, b] => self.and(a, b),
                _ => pair[0],
            });
            edges = half.collect();
        }
        edges.first().copied().unwrap_or(CircuitEdge::TRUE)
    }

    /// At least one of them.
    pub fn any(&mut self, edges: impl IntoIterator<Item = CircuitEdge>) -> CircuitEdge {
        !self.all(edges.into_iter().map(|edge| !edge))
    }

    /// How many of the edges are true, as a binary number, the lowest bit first.
    pub fn count(&mut self, edges: impl IntoIterator<Item = CircuitEdge>) -> Vec<CircuitEdge> {
        let edges: Vec<CircuitEdge> = edges.into_iter().collect();
        arithmetic::count(self, &edges)
    }

    /// That a binary number, the lowest bit first, is at most a constant.
    pub fn at_most(&mut self, number: &[CircuitEdge], most: u64) -> CircuitEdge {
        let width = number.len().max(64 - most.leading_zeros() as usize);
        let mut number = number.to_vec();
        number.resize(width, CircuitEdge::FALSE);
        let most = arithmetic::constant(most, width);
        arithmetic::less(self, &number, &most, false, true)
    }

    /// The value of some edges when the inputs have these values; inputs that are left out are false.
    pub fn evaluate(&self, inputs: &FxHashMap<usize, bool>, edges: &[CircuitEdge]) -> Vec<bool> {
        let mut values = vec![false; self.gates.len()];
        let of = |values: &[bool], edge: CircuitEdge| values[edge.gate()] != edge.is_negated();
        // Operands have smaller numbers, so they are evaluated first.
        for (number, gate) in self.gates.iter().enumerate() {
            values[number] = match *gate {
                Gate::False => false,
                Gate::Input => inputs.get(&number).copied().unwrap_or(false),
                Gate::And(a, b) => of(&values, a) && of(&values, b),
            };
        }
        edges.iter().map(|&edge| of(&values, edge)).collect()
    }

    fn push(&mut self, gate: Gate) -> CircuitEdge {
        let number = u32::try_from(self.gates.len()).ok();
        let number = number.filter(|number| *number < 1 << 31);
        let number = number.expect("a circuit has fewer than 2^31 gates");
        self.gates.push(gate);
        CircuitEdge(number << 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_gates_are_one_gate_and_constants_are_folded() {
        let mut circuit = Circuit::new();
        let (a, b) = (circuit.input(), circuit.input());
        let both = circuit.and(a, b);
        assert_eq!(circuit.and(b, a), both);
        assert_eq!(circuit.and(a, CircuitEdge::TRUE), a);
        assert_eq!(circuit.and(a, !a), CircuitEdge::FALSE);
        assert_eq!(circuit.iff(a, b), circuit.iff(b, a));
        assert_eq!(circuit.xor(a, b), !circuit.iff(!a, !b));
        assert_eq!(circuit.ite(CircuitEdge::TRUE, a, b), a);
        assert_eq!(circuit.all([]), CircuitEdge::TRUE);
        assert_eq!(circuit.any([]), CircuitEdge::FALSE);
    }

    #[test]
    fn gates_compute_what_they_are_named_for() {
        let mut circuit = Circuit::new();
        let [a, b, c] = [(); 3].map(|()| circuit.input());
        let edges = [
            circuit.and(a, b),
            circuit.or(a, b),
            circuit.iff(a, b),
            circuit.xor(a, b),
            circuit.ite(a, b, c),
            circuit.all([a, b, c]),
            circuit.any([!a, b, c]),
        ];
        for bits in 0..8 {
            let [x, y, z] = [0, 1, 2].map(|place| bits >> place & 1 == 1);
            let inputs = [(a.gate(), x), (b.gate(), y), (c.gate(), z)];
            let values = circuit.evaluate(&inputs.into_iter().collect(), &edges);
            let meant = [
                x && y,
                x || y,
                x == y,
                x != y,
                if x { y } else { z },
                x && y && z,
                !x || y || z,
            ];
            assert_eq!(values, meant);
        }
    }
}
