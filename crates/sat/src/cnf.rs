//! Circuits to clauses, as far as somebody asks and no further.
//!
//! Each gate gets a variable and the clauses that define it (Tseitin 1968), and of those only the ones
//! that are needed for the direction in which it is used (Plaisted and Greenbaum 1986). A choice or an
//! equivalence, which takes three gates, gets its clauses as one.

use crate::circuit::{Circuit, CircuitEdge, Gate};
use crate::solver::{Lit, Solver};

/// Which gates of a circuit a solver knows. One solver, one circuit, one `Cnf`.
#[derive(Clone, Default, Debug)]
pub struct Cnf {
    gates: Vec<KnownGate>,
}

/// What the solver knows of a gate.
#[derive(Clone, Copy, Default, Debug)]
struct KnownGate {
    lit: Option<Lit>,
    /// The literal implies what the gate says.
    implies: bool,
    /// What the gate says implies the literal.
    implied: bool,
}

impl Cnf {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A literal that is true only where the edge is: to be required, or assumed.
    pub fn demand<S: Solver>(
        &mut self,
        circuit: &Circuit,
        edge: CircuitEdge,
        solver: &mut S,
    ) -> Lit {
        self.encode(circuit, solver, vec![(edge.gate(), !edge.is_negated())]);
        self.lit(edge, solver)
    }

    /// A literal that is true exactly where the edge is.
    pub fn literal<S: Solver>(
        &mut self,
        circuit: &Circuit,
        edge: CircuitEdge,
        solver: &mut S,
    ) -> Lit {
        let both = vec![(edge.gate(), true), (edge.gate(), false)];
        self.encode(circuit, solver, both);
        self.lit(edge, solver)
    }

    /// The literal of an edge that the solver knows already.
    pub fn known(&self, edge: CircuitEdge) -> Option<Lit> {
        let lit = self.gates.get(edge.gate())?.lit?;
        Some(lit.negated_if(edge.is_negated()))
    }

    /// Requires that an edge is true: conjunctions one operand at a time.
    pub fn require<S: Solver>(&mut self, circuit: &Circuit, edge: CircuitEdge, solver: &mut S) {
        let mut open = vec![edge];
        while let Some(edge) = open.pop() {
            match circuit.gate(edge.gate()) {
                _ if edge == CircuitEdge::TRUE => {}
                Gate::And(a, b) if !edge.is_negated() && circuit.choice(edge.gate()).is_none() => {
                    open.extend([a, b]);
                }
                _ => {
                    let lit = self.demand(circuit, edge, solver);
                    solver.add_clause(&[lit]);
                }
            }
        }
    }

    fn encode<S: Solver>(
        &mut self,
        circuit: &Circuit,
        solver: &mut S,
        mut open: Vec<(usize, bool)>,
    ) {
        if self.gates.len() < circuit.len() {
            self.gates.resize(circuit.len(), KnownGate::default());
        }
        while let Some((gate, implies)) = open.pop() {
            let known = &mut self.gates[gate];
            let done = match implies {
                true => &mut known.implies,
                false => &mut known.implied,
            };
            if std::mem::replace(done, true) {
                continue;
            }
            match circuit.gate(gate) {
                Gate::False => {
                    let lit = self.lit(CircuitEdge::FALSE, solver);
                    solver.add_clause(&[!lit]);
                    // The one clause says it in both directions.
                    self.gates[0].implies = true;
                    self.gates[0].implied = true;
                }
                Gate::Input => drop(self.gate_lit(gate, solver)),
                Gate::And(a, b) => match circuit.choice(gate) {
                    Some([c, a, b]) => {
                        let (out, c_lit) = (self.gate_lit(gate, solver), self.lit(c, solver));
                        for (c_lit, edge) in [(c_lit, a), (!c_lit, b)] {
                            let lit = self.lit(edge, solver);
                            // if c then out = a: the half that is wanted.
                            solver.add_clause(&[
                                !c_lit,
                                out.negated_if(implies),
                                lit.negated_if(!implies),
                            ]);
                            // A negation turns the direction round.
                            open.push((edge.gate(), implies != edge.is_negated()));
                        }
                        // The condition occurs with both signs.
                        open.extend([(c.gate(), true), (c.gate(), false)]);
                    }
                    None => {
                        let out = self.gate_lit(gate, solver);
                        let (a_lit, b_lit) = (self.lit(a, solver), self.lit(b, solver));
                        if implies {
                            solver.add_clause(&[!out, a_lit]);
                            solver.add_clause(&[!out, b_lit]);
                        } else {
                            solver.add_clause(&[out, !a_lit, !b_lit]);
                        }
                        for edge in [a, b] {
                            open.push((edge.gate(), implies != edge.is_negated()));
                        }
                    }
                },
            }
        }
    }

    fn lit<S: Solver>(&mut self, edge: CircuitEdge, solver: &mut S) -> Lit {
        self.gate_lit(edge.gate(), solver)
            .negated_if(edge.is_negated())
    }

    fn gate_lit<S: Solver>(&mut self, gate: usize, solver: &mut S) -> Lit {
        *self.gates[gate].lit.get_or_insert_with(|| solver.new_var())
    }
}

#[cfg(test)]
mod tests {
    use wherefore_base::Budget;

    use super::*;
    use crate::{Batsat, SatAnswer};

    #[test]
    fn clauses_say_what_the_circuit_says_in_both_directions() {
        let mut circuit = Circuit::new();
        let [a, b, c] = [(); 3].map(|()| circuit.input());
        let choice = circuit.ite(a, b, c);
        let odd = circuit.xor(choice, c);
        let edge = circuit.and(odd, !a);
        let edge = circuit.or(edge, choice);
        let mut solver = Batsat::empty();
        let mut cnf = Cnf::new();
        let inputs = [a, b, c].map(|edge| cnf.literal(&circuit, edge, &mut solver));
        let positive = cnf.demand(&circuit, edge, &mut solver);
        let negative = cnf.demand(&circuit, !edge, &mut solver);
        let never = cnf.demand(&circuit, CircuitEdge::FALSE, &mut solver);
        let budget = Budget::unlimited();
        assert_eq!(solver.solve(&[never], &budget), Ok(SatAnswer::Unsat));
        for bits in 0..8 {
            let values = [0, 1, 2].map(|place| bits >> place & 1 == 1);
            let by_gate = [a, b, c]
                .map(CircuitEdge::gate)
                .into_iter()
                .zip(values)
                .collect();
            let meant = circuit.evaluate(&by_gate, &[edge])[0];
            let mut assumed: Vec<Lit> = inputs
                .iter()
                .zip(values)
                .map(|(lit, value)| lit.negated_if(!value))
                .collect();
            assumed.push(positive);
            let answer = solver.solve(&assumed, &budget).expect("no limits");
            assert_eq!(answer == SatAnswer::Sat, meant);
            assumed.pop();
            assumed.push(negative);
            let answer = solver.solve(&assumed, &budget).expect("no limits");
            assert_eq!(answer == SatAnswer::Sat, !meant);
        }
    }
}
