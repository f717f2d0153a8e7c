//! Circuits to clauses, with as few variables as their shape allows.
//!
//! A conjunction of conjunctions that nothing else uses is one conjunction, and a disjunction that is
//! used once, and in one direction, is a clause without a variable of its own. Otherwise each gate gets a
//! variable, and the clauses of the directions in which it is used (Plaisted and Greenbaum 1986).

use wherefore_sat::{Circuit, CircuitEdge, Gate, Lit, Solver};

/// What takes clauses.
pub(crate) trait ClauseSink {
    /// A variable that was not used before, as a literal.
    fn new_var(&mut self) -> Lit;

    /// Takes a clause.
    fn add_clause(&mut self, clause: &[Lit]);
}

impl<S: Solver> ClauseSink for S {
    fn new_var(&mut self) -> Lit {
        Solver::new_var(self)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        Solver::add_clause(self, clause);
    }
}

/// What a clause is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ClausePurpose {
    /// It says that a requirement, by its number, holds, and was made for a gate of it.
    Required(usize, usize),
    /// It says what a gate means.
    Gate(usize),
}

/// What a solver knows of the gates of one circuit.
#[derive(Debug, Default)]
pub(crate) struct GateClauses {
    gates: Vec<GateState>,
    /// How many gates use each gate, and requirements.
    uses: Vec<u32>,
    clauses: usize,
    variables: usize,
    /// How many requirements there are so far.
    required: usize,
    /// For each clause, what it is for, if somebody wants to know.
    pub(crate) log: Option<Vec<ClausePurpose>>,
}

#[derive(Clone, Copy, Default, Debug)]
struct GateState {
    lit: Option<Lit>,
    implies: bool,
    implied: bool,
}

impl GateClauses {
    /// Counts who uses the gates below some edges. Asked before they are required, it makes for fewer
    /// variables.
    pub(crate) fn count_uses(&mut self, circuit: &Circuit, edges: &[CircuitEdge]) {
        self.uses.resize(circuit.len(), 0);
        let mut open: Vec<usize> = Vec::new();
        for edge in edges {
            self.uses[edge.gate()] += 1;
            if self.uses[edge.gate()] == 1 {
                open.push(edge.gate());
            }
        }
        while let Some(gate) = open.pop() {
            if let Gate::And(a, b) = circuit.gate(gate) {
                for edge in [a, b] {
                    self.uses[edge.gate()] += 1;
                    if self.uses[edge.gate()] == 1 {
                        open.push(edge.gate());
                    }
                }
            }
        }
    }

    /// How many variables and clauses were handed to the solver.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.variables, self.clauses)
    }

    /// A literal that is true only where the edge is.
    pub(crate) fn demand<S: ClauseSink>(
        &mut self,
        circuit: &Circuit,
        edge: CircuitEdge,
        solver: &mut S,
    ) -> Lit {
        self.grow(circuit);
        let lit = self.lit(edge, solver);
        let open = vec![(edge.gate(), !edge.is_negated())];
        self.define(circuit, open, solver);
        lit
    }

    /// The literal of an input.
    pub(crate) fn input<S: ClauseSink>(
        &mut self,
        circuit: &Circuit,
        edge: CircuitEdge,
        solver: &mut S,
    ) -> Lit {
        self.grow(circuit);
        self.lit(edge, solver)
    }

    /// The inputs that have a literal, by their gates.
    pub(crate) fn inputs(&self, circuit: &Circuit) -> Vec<(usize, Lit)> {
        let known = self.gates.iter().enumerate();
        let known = known.filter_map(|(gate, known)| Some((gate, known.lit?)));
        known
            .filter(|(gate, _)| circuit.gate(*gate) == Gate::Input)
            .collect()
    }

    /// Requires that an edge is true.
    pub(crate) fn require<S: ClauseSink>(
        &mut self,
        circuit: &Circuit,
        edge: CircuitEdge,
        solver: &mut S,
    ) {
        self.grow(circuit);
        let mut edges = vec![edge];
        let mut open = Vec::new();
        while let Some(edge) = edges.pop() {
            match circuit.gate(edge.gate()) {
                _ if edge == CircuitEdge::TRUE => {}
                Gate::And(a, b) if !edge.is_negated() => edges.extend([b, a]),
                _ => {
                    let clause = self.clause(circuit, edge, &mut open, solver);
                    self.add(
                        ClausePurpose::Required(self.required, edge.gate()),
                        &clause,
                        solver,
                    );
                }
            }
        }
        self.required += 1;
        self.define(circuit, open, solver);
    }

    fn grow(&mut self, circuit: &Circuit) {
        self.gates.resize(circuit.len(), GateState::default());
        // Gates that nobody counted are taken to be used twice, so that they get variables of their own.
        self.uses.resize(circuit.len(), 2);
    }

    fn add<S: ClauseSink>(&mut self, made: ClausePurpose, clause: &[Lit], solver: &mut S) {
        self.clauses += 1;
        if let Some(log) = &mut self.log {
            log.push(made);
        }
        solver.add_clause(clause);
    }

    /// An edge as a disjunction of literals. Where it is the negation of a conjunction that nothing else
    /// uses, the conjunction needs no variable.
    fn clause<S: ClauseSink>(
        &mut self,
        circuit: &Circuit,
        edge: CircuitEdge,
        open: &mut Vec<(usize, bool)>,
        solver: &mut S,
    ) -> Vec<Lit> {
        let gate = edge.gate();
        let bare = edge.is_negated() && self.uses[gate] < 2 && self.gates[gate].lit.is_none();
        let gathered = match circuit.gate(gate) {
            Gate::And(..) if bare => self.operands(circuit, gate, false),
            _ => vec![!edge],
        };
        let lits = gathered.into_iter().map(|operand| {
            open.push((operand.gate(), operand.is_negated()));
            self.lit(!operand, solver)
        });
        lits.collect()
    }

    /// The operands of a conjunction, through conjunctions that nothing else uses. A choice is a
    /// conjunction of two clauses, which is taken apart where clauses are wanted.
    fn operands(&self, circuit: &Circuit, gate: usize, choices: bool) -> Vec<CircuitEdge> {
        let mut operands = Vec::new();
        let mut open = vec![CircuitEdge::from_gate(gate)];
        let mut first = true;
        while let Some(edge) = open.pop() {
            let own = first || self.uses[edge.gate()] < 2 && self.gates[edge.gate()].lit.is_none();
            match circuit.gate(edge.gate()) {
                Gate::And(a, b)
                    if own
                        && !edge.is_negated()
                        && (first || choices || circuit.choice(edge.gate()).is_none()) =>
                {
                    open.extend([b, a]);
                }
                _ => operands.push(edge),
            }
            first = false;
        }
        operands
    }

    /// Writes the clauses of gates: `(gate, true)` asks that its literal implies it, `(gate, false)`
    /// the other way around.
    fn define<S: ClauseSink>(
        &mut self,
        circuit: &Circuit,
        mut open: Vec<(usize, bool)>,
        solver: &mut S,
    ) {
        while let Some((gate, implies)) = open.pop() {
            let known = &mut self.gates[gate];
            let done = match implies {
                true => &mut known.implies,
                false => &mut known.implied,
            };
            if std::mem::replace(done, true) {
                continue;
            }
            let out = self.lit(CircuitEdge::from_gate(gate), solver);
            match circuit.gate(gate) {
                Gate::Input => {}
                Gate::False => {
                    // With both directions noted, the clause was written for the first of them.
                    if !(self.gates[0].implies && self.gates[0].implied) {
                        self.add(ClausePurpose::Gate(gate), &[!out], solver);
                    }
                }
                Gate::And(..) => match circuit.choice(gate) {
                    Some([c, a, b]) => {
                        let c_lit = self.lit(c, solver);
                        for (c_lit, edge) in [(c_lit, a), (!c_lit, b)] {
                            let lit = self.lit(edge, solver);
                            let (out, lit) = (out.negated_if(implies), lit.negated_if(!implies));
                            self.add(ClausePurpose::Gate(gate), &[!c_lit, out, lit], solver);
                            open.push((edge.gate(), implies != edge.is_negated()));
                        }
                        // A choice reads its condition in both directions.
                        open.extend([(c.gate(), true), (c.gate(), false)]);
                    }
                    None => {
                        let operands = self.operands(circuit, gate, implies);
                        if implies {
                            for operand in operands {
                                let mut clause = self.clause(circuit, operand, &mut open, solver);
                                clause.push(!out);
                                self.add(ClausePurpose::Gate(gate), &clause, solver);
                            }
                        } else {
                            let mut clause = vec![out];
                            for operand in operands {
                                clause.push(self.lit(!operand, solver));
                                open.push((operand.gate(), operand.is_negated()));
                            }
                            self.add(ClausePurpose::Gate(gate), &clause, solver);
                        }
                    }
                },
            }
        }
    }

    fn lit<S: ClauseSink>(&mut self, edge: CircuitEdge, solver: &mut S) -> Lit {
        let known = &mut self.gates[edge.gate()].lit;
        let lit = *known.get_or_insert_with(|| {
            self.variables += 1;
            solver.new_var()
        });
        lit.negated_if(edge.is_negated())
    }
}

#[cfg(test)]
mod tests {
    use wherefore_base::Budget;
    use wherefore_sat::{Batsat, SatAnswer};

    use super::*;

    /// A small generator of numbers, for circuits of all shapes.
    fn next(state: &mut u64) -> usize {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as usize
    }

    #[test]
    fn clauses_say_what_the_circuit_says() {
        for seed in 0..300 {
            let state = &mut (seed * 2 + 1);
            let mut circuit = Circuit::new();
            let inputs: Vec<CircuitEdge> = (0..4).map(|_| circuit.input()).collect();
            let mut edges = inputs.clone();
            for _ in 0..12 {
                let [a, b, c] = [(); 3].map(|()| {
                    edges[next(state) % edges.len()].negated_if(next(state).is_multiple_of(2))
                });
                edges.push(match next(state) % 4 {
                    0 => circuit.ite(a, b, c),
                    1 => circuit.iff(a, b),
                    2 => circuit.any([a, b, c]),
                    _ => circuit.and(a, b),
                });
            }
            let roots = [edges[edges.len() - 1], !edges[edges.len() - 2]];
            let mut solver = Batsat::empty();
            let mut clauses = GateClauses::default();
            clauses.count_uses(&circuit, &roots);
            clauses.require(&circuit, roots[0], &mut solver);
            let second = clauses.demand(&circuit, roots[1], &mut solver);
            for bits in 0..16 {
                let value = |place: usize| bits >> place & 1 == 1;
                let given = inputs.iter().enumerate();
                let given: Vec<Lit> = given
                    .map(|(place, &input)| {
                        let lit = clauses.input(&circuit, input, &mut solver);
                        lit.negated_if(!value(place))
                    })
                    .collect();
                let known = inputs.iter().enumerate();
                let known = known.map(|(place, input)| (input.gate(), value(place)));
                let meant = circuit.evaluate(&known.collect(), &roots);
                let budget = Budget::unlimited();
                let first = solver.solve(&given, &budget).expect("nothing stops it");
                assert_eq!(
                    first == SatAnswer::Sat,
                    meant[0],
                    "seed {seed}, inputs {bits}"
                );
                let both: Vec<Lit> = given.iter().copied().chain([second]).collect();
                let both = solver.solve(&both, &budget).expect("nothing stops it");
                assert_eq!(both == SatAnswer::Sat, meant[0] && meant[1], "seed {seed}");
            }
        }
    }
}
