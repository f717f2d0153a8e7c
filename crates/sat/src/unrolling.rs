//! A system repeated along the positions of a run.
//!
//! Position `t` has bits for its state and for the input of the step after it; a step shares the bits of
//! its next state with the position that follows. Everything is one circuit, so positions share gates.

use wherefore_model::VarId;

use crate::circuit::{Circuit, CircuitEdge, Gate};
use crate::system::BitSystem;

/// The positions of a run of a system, as a circuit.
#[derive(Clone, Debug)]
pub struct Unrolling {
    circuit: Circuit,
    positions: Vec<UnrolledPosition>,
}

#[derive(Clone, Debug)]
struct UnrolledPosition {
    /// Bits of the state variables and of the inputs, by variable.
    bits: Vec<Vec<CircuitEdge>>,
    /// For each gate of the system its edge here.
    known: Vec<Option<CircuitEdge>>,
}

impl Unrolling {
    /// No position yet.
    pub fn new() -> Self {
        Self {
            circuit: Circuit::new(),
            positions: Vec::new(),
        }
    }

    /// The circuit of all positions.
    pub fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// The circuit of all positions, to build on.
    pub fn circuit_mut(&mut self) -> &mut Circuit {
        &mut self.circuit
    }

    /// The bits of a variable at a position, the lowest one first.
    pub fn bits(
        &mut self,
        system: &BitSystem<'_>,
        position: usize,
        var: VarId,
    ) -> Vec<CircuitEdge> {
        self.reach(system, position);
        self.positions[position].bits[var.index()].clone()
    }

    /// An edge of the system at a position; what it says of the next state is said of the position after.
    pub fn at(
        &mut self,
        system: &BitSystem<'_>,
        position: usize,
        edge: CircuitEdge,
    ) -> CircuitEdge {
        // The edge may speak of the next state, so `after` must not be empty.
        self.reach(system, position + 1);
        let template = system.circuit();
        let (before, after) = self.positions.split_at_mut(position + 1);
        let (here, next) = (&mut before[position], &after[0]);
        if here.known.len() < template.len() {
            here.known.resize(template.len(), None);
        }
        // A stack of its own, since a circuit may be deeper than the stack of a thread.
        let mut open = vec![edge.gate()];
        while let Some(&gate) = open.last() {
            if here.known[gate].is_some() {
                open.pop();
                continue;
            }
            let found = match template.gate(gate) {
                Gate::False => Some(CircuitEdge::FALSE),
                Gate::Input => {
                    let (var, place, of_next) = system.meaning(gate);
                    let position = if of_next { next } else { &*here };
                    Some(position.bits[var.index()][place])
                }
                Gate::And(a, b) => match (here.known[a.gate()], here.known[b.gate()]) {
                    (Some(x), Some(y)) => {
                        let (x, y) = (x.negated_if(a.is_negated()), y.negated_if(b.is_negated()));
                        Some(self.circuit.and(x, y))
                    }
                    (x, y) => {
                        open.extend(x.is_none().then_some(a.gate()));
                        open.extend(y.is_none().then_some(b.gate()));
                        None
                    }
                },
            };
            if found.is_some() {
                here.known[gate] = found;
                open.pop();
            }
        }
        let found = here.known[edge.gate()].expect("the gate was just worked out");
        found.negated_if(edge.is_negated())
    }

    /// That two positions have the same state.
    pub fn same_state(&mut self, system: &BitSystem<'_>, a: usize, b: usize) -> CircuitEdge {
        let vars = system.model().state_vars();
        let mut same = Vec::new();
        for var in (0..vars).map(VarId::new) {
            let pairs = self.bits(system, a, var);
            for (x, y) in pairs.into_iter().zip(self.bits(system, b, var)) {
                same.push(self.circuit.iff(x, y));
            }
        }
        self.circuit.all(same)
    }

    /// Makes one more position, whose bits are given by variable. Returns its number.
    pub fn add(&mut self, bits: Vec<Vec<CircuitEdge>>) -> usize {
        self.positions.push(UnrolledPosition {
            bits,
            known: Vec::new(),
        });
        self.positions.len() - 1
    }

    /// Makes a position, and all before it.
    fn reach(&mut self, system: &BitSystem<'_>, position: usize) {
        while self.positions.len() <= position {
            let vars = system.model().vars.entries();
            let bits = vars.map(|(_, var)| {
                let bits = 0..var.domain.bits();
                bits.map(|_| self.circuit.input()).collect()
            });
            let bits = bits.collect();
            self.add(bits);
        }
    }
}

impl Default for Unrolling {
    fn default() -> Self {
        Self::new()
    }
}
