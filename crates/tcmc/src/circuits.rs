//! What an edge of a circuit is made of.

use rustc_hash::FxHashSet;
use wherefore_sat::{Circuit, CircuitEdge, Gate};

/// The edges whose conjunction an edge is.
pub(crate) fn conjuncts(circuit: &Circuit, edge: CircuitEdge) -> Vec<CircuitEdge> {
    let mut open = vec![edge];
    let mut parts = Vec::new();
    while let Some(edge) = open.pop() {
        match circuit.gate(edge.gate()) {
            Gate::And(a, b) if !edge.is_negated() => open.extend([b, a]),
            _ if edge == CircuitEdge::TRUE => {}
            _ => parts.push(edge),
        }
    }
    parts
}

/// The inputs that an edge depends on.
pub(crate) fn support(circuit: &Circuit, edge: CircuitEdge) -> impl Iterator<Item = usize> {
    let mut open = vec![edge.gate()];
    let mut seen = FxHashSet::default();
    let mut inputs = Vec::new();
    while let Some(gate) = open.pop() {
        if !seen.insert(gate) {
            continue;
        }
        match circuit.gate(gate) {
            Gate::And(a, b) => open.extend([a.gate(), b.gate()]),
            Gate::Input => inputs.push(gate),
            Gate::False => {}
        }
    }
    inputs.into_iter()
}
