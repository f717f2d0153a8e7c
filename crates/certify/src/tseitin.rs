//! Gates to clauses, after Tseitin (1968): each gate has a variable that is true exactly when it is.

use crate::netlist::{LogicGate, Netlist, Wire};
use crate::rup::Literal;
use crate::solver::CheckedSolver;

/// The variables that the gates of a netlist have in a solver. Only gates that were asked for have one.
#[derive(Default)]
pub(crate) struct GateVariables {
    variables: Vec<Option<Literal>>,
}

impl GateVariables {
    /// The literal that says what a wire is.
    pub(crate) fn literal(
        &mut self,
        netlist: &Netlist,
        wire: Wire,
        solver: &mut CheckedSolver,
    ) -> Literal {
        self.variables.resize(netlist.len(), None);
        // Netlists are too deep for recursion: operands are pushed above their gate and done before it.
        let mut open = vec![wire.gate()];
        while let Some(&gate) = open.last() {
            if self.variables[gate].is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            let missing = |wire: &Wire| self.variables[wire.gate()].is_none();
            let mut want = |wires: &[Wire]| {
                let wires = wires.iter().filter(|wire| missing(wire));
                open.extend(wires.map(|wire| wire.gate()));
            };
            match netlist.gate(gate) {
                LogicGate::False | LogicGate::Input => {}
                LogicGate::All(wires) => want(wires),
                LogicGate::Xor(a, b) => want(&[*a, *b]),
                LogicGate::Mux(c, a, b) => want(&[*c, *a, *b]),
            }
            if open.len() == before {
                let output = solver.new_variable();
                self.define(netlist.gate(gate), output, solver);
                self.variables[gate] = Some(output);
                open.pop();
            }
        }
        self.known(wire)
    }

    fn known(&self, wire: Wire) -> Literal {
        let variable = self.variables[wire.gate()].expect("the gate has a variable");
        variable.negated_if(wire.is_negated())
    }

    /// The clauses that make a variable the output of a gate.
    fn define(&self, gate: &LogicGate, output: Literal, solver: &mut CheckedSolver) {
        match gate {
            LogicGate::False => solver.add_clause(&[!output]),
            LogicGate::Input => {}
            LogicGate::All(wires) => {
                let mut all = vec![output];
                for &wire in wires {
                    let literal = self.known(wire);
                    solver.add_clause(&[!output, literal]);
                    all.push(!literal);
                }
                solver.add_clause(&all);
            }
            LogicGate::Xor(a, b) => {
                let (a, b) = (self.known(*a), self.known(*b));
                solver.add_clause(&[!output, a, b]);
                solver.add_clause(&[!output, !a, !b]);
                solver.add_clause(&[output, !a, b]);
                solver.add_clause(&[output, a, !b]);
            }
            LogicGate::Mux(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|&wire| self.known(wire));
                solver.add_clause(&[!c, !a, output]);
                solver.add_clause(&[!c, a, !output]);
                solver.add_clause(&[c, !b, output]);
                solver.add_clause(&[c, b, !output]);
                // These follow, and let the solver see it when both choices are the same.
                solver.add_clause(&[!a, !b, output]);
                solver.add_clause(&[a, b, !output]);
            }
        }
    }
}
