//! One step of a model, generalised to a way of stepping from many states.
//!
//! The solver names a state, an input and a next state. From another state the same input is taken, and
//! each variable gets the value it got there, or keeps its own, or takes the first value that its own
//! constraints allow: a function of the state. Whether that is a step from the other state, and leads
//! where it should, is then a condition on that state alone.

use rustc_hash::FxHashMap;
use wherefore_base::{Run, Value};
use wherefore_model::VarId;
use wherefore_sat::{BitSystem, Circuit, CircuitEdge, Gate};

/// Variables with more values than this take one of two values only.
const TRIED: u64 = 16;

/// A step that the solver found.
pub(super) struct SolverStep {
    pub(super) state: Vec<Value>,
    pub(super) input: Vec<Value>,
    pub(super) next: Vec<Value>,
}

/// The inputs of the circuit of a system, and which constraints bind which next value alone.
pub(super) struct GeneralisedMoves {
    /// For each variable the gates of its bits, in the present and in the next state.
    bits: [Vec<Vec<usize>>; 2],
    /// For each state variable the constraints on steps that read no other variable of the next state.
    own: Vec<Vec<CircuitEdge>>,
}

/// Edges that stand for gates.
type KnownEdges = FxHashMap<usize, CircuitEdge>;

impl GeneralisedMoves {
    pub(super) fn new(system: &BitSystem<'_>) -> Self {
        let model = system.model();
        let circuit = system.circuit();
        let widths = model
            .vars
            .iter()
            .map(|var| vec![0; var.domain.bits() as usize]);
        let mut bits = [widths.clone().collect::<Vec<_>>(), widths.collect()];
        for gate in 0..circuit.len() {
            if circuit.gate(gate) == Gate::Input {
                let (var, place, of_next) = system.meaning(gate);
                bits[usize::from(of_next)][var.index()][place] = gate;
            }
        }
        let mut own = vec![Vec::new(); model.state_vars()];
        for &edge in &system.trans {
            if let [var] = next_support(system, edge)[..] {
                own[var.index()].push(edge);
            }
        }
        Self { bits, own }
    }

    /// When the step, taken as a way of stepping, leads into `target`.
    pub(super) fn generalised(
        &self,
        system: &mut BitSystem<'_>,
        step: &SolverStep,
        target: CircuitEdge,
    ) -> Run<CircuitEdge> {
        let model = system.model();
        let states = model.state_vars();
        let mut inputs = KnownEdges::default();
        for (at, &value) in (states..).zip(&step.input) {
            let index = index_of(system, at, value);
            fix(&mut inputs, &self.bits[0][at], index);
        }
        let mut there = KnownEdges::default();
        let mut moved = inputs.clone();
        for at in 0..states {
            let value = self.moved(system, &inputs, step, at);
            for (place, edge) in value.into_iter().enumerate() {
                there.insert(self.bits[0][at][place], edge);
                moved.insert(self.bits[1][at][place], edge);
            }
        }
        let (trans, mut ends) = (system.trans.clone(), system.invar.clone());
        ends.push(target);
        let circuit = system.circuit_mut();
        let mut all = Vec::new();
        for (edges, known) in [(trans, &mut moved), (ends, &mut there)] {
            for edge in edges {
                all.push(substituted(circuit, edge, known));
            }
        }
        Ok(circuit.all(all))
    }

    /// The bits of the next value of a variable.
    fn moved(
        &self,
        system: &mut BitSystem<'_>,
        inputs: &KnownEdges,
        step: &SolverStep,
        at: usize,
    ) -> Vec<CircuitEdge> {
        let (before, after) = (step.state[at], step.next[at]);
        let last = system.model().vars[VarId::new(at)].domain.last();
        let chosen = index_of(system, at, after);
        let keep: Vec<CircuitEdge> = {
            let own = self.bits[0][at].iter();
            own.map(|&gate| system.circuit().output(gate)).collect()
        };
        let constant = |index: u64| -> Vec<CircuitEdge> {
            let places = 0..keep.len();
            places
                .map(|place| CircuitEdge::constant(index >> place & 1 == 1))
                .collect()
        };
        let mut ways = vec![constant(chosen), keep.clone()];
        // A variable that kept its value is likelier to keep it from other states than to get this one.
        if before == after {
            ways.swap(0, 1);
        }
        // Without a constraint of its own, nothing tells a value that fits from another.
        if self.own[at].is_empty() {
            return ways.swap_remove(0);
        }
        if last < TRIED {
            ways.extend((0..=last).filter(|&index| index != chosen).map(constant));
        }
        let mut value = ways[0].clone();
        // The choice is built from its end, so that the first way that is allowed wins.
        for way in ways.into_iter().rev() {
            let mut known = inputs.clone();
            for (&gate, &edge) in self.bits[1][at].iter().zip(&way) {
                known.insert(gate, edge);
            }
            let circuit = system.circuit_mut();
            let allowed = self.own[at].iter();
            let allowed: Vec<CircuitEdge> = allowed
                .map(|&edge| substituted(circuit, edge, &mut known))
                .collect();
            let allowed = circuit.all(allowed);
            let bits = way.into_iter().zip(value);
            value = bits
                .map(|(then, otherwise)| circuit.ite(allowed, then, otherwise))
                .collect();
        }
        value
    }
}

fn index_of(system: &BitSystem<'_>, at: usize, value: Value) -> u64 {
    let domain = &system.model().vars[VarId::new(at)].domain;
    domain.index_of(value).unwrap_or(0)
}

fn fix(known: &mut KnownEdges, bits: &[usize], index: u64) {
    for (place, &gate) in bits.iter().enumerate() {
        known.insert(gate, CircuitEdge::constant(index >> place & 1 == 1));
    }
}

/// The state variables whose next values an edge depends on, ascending.
fn next_support(system: &BitSystem<'_>, edge: CircuitEdge) -> Vec<VarId> {
    let circuit = system.circuit();
    let mut seen = vec![false; circuit.len()];
    let mut open = vec![edge.gate()];
    let mut vars = Vec::new();
    while let Some(gate) = open.pop() {
        if std::mem::replace(&mut seen[gate], true) {
            continue;
        }
        match circuit.gate(gate) {
            Gate::False => {}
            Gate::Input => {
                let (var, _, of_next) = system.meaning(gate);
                vars.extend(of_next.then_some(var));
            }
            Gate::And(a, b) => open.extend([a.gate(), b.gate()]),
        }
    }
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// An edge with edges in place of some gates; `known` learns what became of the others.
fn substituted(circuit: &mut Circuit, edge: CircuitEdge, known: &mut KnownEdges) -> CircuitEdge {
    let mut open = vec![edge.gate()];
    // Circuits are too deep for recursion: operands are pushed above their gate and done before it.
    while let Some(&gate) = open.last() {
        if known.contains_key(&gate) {
            open.pop();
            continue;
        }
        let found = match circuit.gate(gate) {
            Gate::False => Some(CircuitEdge::FALSE),
            Gate::Input => Some(circuit.output(gate)),
            Gate::And(a, b) => match (known.get(&a.gate()), known.get(&b.gate())) {
                (Some(x), Some(y)) => {
                    let (x, y) = (x.negated_if(a.is_negated()), y.negated_if(b.is_negated()));
                    Some(circuit.and(x, y))
                }
                (x, y) => {
                    open.extend(x.is_none().then_some(a.gate()));
                    open.extend(y.is_none().then_some(b.gate()));
                    None
                }
            },
        };
        if let Some(found) = found {
            known.insert(gate, found);
            open.pop();
        }
    }
    known[&edge.gate()].negated_if(edge.is_negated())
}
