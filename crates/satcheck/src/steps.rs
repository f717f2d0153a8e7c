//! The positions of a run, as a solver sees them.

use wherefore_base::{Budget, Run, Value};
use wherefore_model::{Model, VarId};
use wherefore_sat::{BitSystem, Circuit, CircuitEdge, Cnf, Lit, SatAnswer, Solver, Unrolling};

/// A run: its states, and the position its last state steps back to, if it goes on for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundedTrace {
    /// The values of the state variables, position by position.
    pub states: Vec<Vec<Value>>,
    /// Where the last state steps to; `None`: the run just ends.
    pub back: Option<usize>,
}

/// A model repeated along the positions of a run, and a solver that knows it.
#[derive(Debug)]
pub(crate) struct RunSteps<'m, S> {
    pub(crate) system: BitSystem<'m>,
    pub(crate) unrolling: Unrolling,
    cnf: Cnf,
    pub(crate) solver: S,
    /// How many steps the solver knows.
    known: usize,
    /// The literals of the bits of states, position by position, as far as asked for.
    bits: Vec<Vec<Vec<Lit>>>,
}

impl<'m, S: Solver> RunSteps<'m, S> {
    pub(crate) fn new(model: &'m Model, budget: &Budget) -> Run<Self> {
        let mut steps = Self {
            system: BitSystem::new(model, budget)?,
            unrolling: Unrolling::new(),
            cnf: Cnf::new(),
            solver: S::empty(),
            known: 0,
            bits: Vec::new(),
        };
        for edge in steps.system.invar.clone() {
            let edge = steps.at(0, edge);
            steps.require(edge);
        }
        Ok(steps)
    }

    pub(crate) fn model(&self) -> &'m Model {
        self.system.model()
    }

    pub(crate) fn circuit(&mut self) -> &mut Circuit {
        self.unrolling.circuit_mut()
    }

    /// Requires that the run starts in an initial state.
    pub(crate) fn require_initial(&mut self) {
        for edge in self.system.init.clone() {
            let edge = self.at(0, edge);
            self.require(edge);
        }
    }

    /// Lets the run have at least this many steps.
    pub(crate) fn extend(&mut self, steps: usize) {
        while self.known < steps {
            // The step is required for good: every longer run has it as well.
            let here = self.known;
            for edge in self.system.trans.clone() {
                let edge = self.at(here, edge);
                self.require(edge);
            }
            for edge in self.system.invar.clone() {
                let edge = self.at(here + 1, edge);
                self.require(edge);
            }
            self.known += 1;
        }
    }

    /// An edge of the system at a position.
    pub(crate) fn at(&mut self, position: usize, edge: CircuitEdge) -> CircuitEdge {
        self.unrolling.at(&self.system, position, edge)
    }

    /// That two positions have the same state.
    pub(crate) fn same(&mut self, a: usize, b: usize) -> CircuitEdge {
        self.unrolling.same_state(&self.system, a, b)
    }

    pub(crate) fn require(&mut self, edge: CircuitEdge) {
        let circuit = self.unrolling.circuit();
        self.cnf.require(circuit, edge, &mut self.solver);
    }

    /// A literal that may be assumed to make an edge true.
    pub(crate) fn demand(&mut self, edge: CircuitEdge) -> Lit {
        let circuit = self.unrolling.circuit();
        self.cnf.demand(circuit, edge, &mut self.solver)
    }

    /// A literal that is true exactly where the edge is.
    pub(crate) fn literal(&mut self, edge: CircuitEdge) -> Lit {
        let circuit = self.unrolling.circuit();
        self.cnf.literal(circuit, edge, &mut self.solver)
    }

    pub(crate) fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Run<bool> {
        Ok(self.solver.solve(assumptions, budget)? == SatAnswer::Sat)
    }

    /// The literals of the bits of the state variables at a position, the lowest bit first.
    pub(crate) fn bits(&mut self, position: usize) -> Vec<Vec<Lit>> {
        while self.bits.len() <= position {
            let here = self.bits.len();
            let vars = (0..self.model().state_vars()).map(VarId::new);
            let bits = vars.map(|var| {
                let bits = self.unrolling.bits(&self.system, here, var);
                bits.into_iter().map(|bit| self.literal(bit)).collect()
            });
            let bits = bits.collect();
            self.bits.push(bits);
        }
        self.bits[position].clone()
    }

    /// The states of the run that the solver just found.
    pub(crate) fn states(&mut self, positions: std::ops::Range<usize>) -> Vec<Vec<Value>> {
        let vars = self.model().state_vars();
        let read = |position: usize| {
            let bits = &self.bits[position];
            let solver = &mut self.solver;
            let bit = |var: VarId, place: usize| solver.value(bits[var.index()][place]);
            self.system.values(0..vars, bit)
        };
        positions.map(read).collect()
    }
}
