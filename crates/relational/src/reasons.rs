//! Why there is no instance: conjuncts that cannot hold together.

use std::collections::BTreeSet;

use wherefore_base::Budget;
use wherefore_sat::{Circuit, CircuitEdge, Lit, SatAnswer, Solver};

use crate::clauses::GateClauses;
use crate::options::SearchOptions;
use crate::problem::Problem;
use crate::refusal::SearchResult;
use crate::translate::{TranslatedConjunct, TranslatedProblem};

/// The conjuncts of a problem, each of which can be left out.
pub struct Reasons<S> {
    solver: S,
    conjuncts: Vec<TranslatedConjunct>,
    /// For each conjunct, the literal that asks for it.
    wanted: Vec<Lit>,
    circuit: Circuit,
    demands: Demands,
    /// The inputs of the circuit that the solver knows.
    inputs: Vec<(usize, Lit)>,
}

/// What the conjuncts of a problem ask of a circuit.
#[derive(Clone, Default, Debug)]
pub(crate) struct Demands {
    /// What must be true whatever is required.
    pub(crate) hard: Vec<CircuitEdge>,
    /// For each conjunct, its edge.
    pub(crate) edges: Vec<CircuitEdge>,
    /// What follows from the conjuncts, and helps a solver.
    pub(crate) hints: Vec<CircuitEdge>,
    /// For each conjunct, the input that is true where hints may use it, or a constant.
    pub(crate) in_force: Vec<CircuitEdge>,
}

impl<S: Solver> Reasons<S> {
    /// Translates a problem for nothing but the question which of its conjuncts can hold together.
    pub fn new(problem: &Problem, options: &SearchOptions, budget: &Budget) -> SearchResult<Self> {
        let translated = TranslatedProblem::apart(problem, options, budget)?;
        let demands = Demands {
            hard: translated.hard,
            edges: translated.edges,
            hints: translated.hints,
            in_force: translated.in_force,
        };
        let circuit = translated.translator.circuit;
        Self::of(circuit, demands, translated.conjuncts, budget)
    }

    /// The conjuncts that demand something of a circuit.
    pub(crate) fn of(
        circuit: Circuit,
        demands: Demands,
        conjuncts: Vec<TranslatedConjunct>,
        budget: &Budget,
    ) -> SearchResult<Self> {
        let mut solver = S::empty();
        let mut clauses = GateClauses::default();
        let given = || demands.hard.iter().chain(&demands.hints);
        let roots: Vec<CircuitEdge> = given().chain(&demands.edges).copied().collect();
        clauses.count_uses(&circuit, &roots);
        for &edge in given() {
            budget.check()?;
            clauses.require(&circuit, edge, &mut solver);
        }
        let mut wanted = Vec::with_capacity(demands.edges.len());
        for (&edge, &input) in demands.edges.iter().zip(&demands.in_force) {
            budget.check()?;
            // Each has a literal of its own, so that equal conjuncts stay apart.
            let own = solver.new_var();
            let lit = clauses.demand(&circuit, edge, &mut solver);
            solver.add_clause(&[!own, lit]);
            if input != CircuitEdge::TRUE {
                let lit = clauses.input(&circuit, input, &mut solver);
                solver.add_clause(&[!own, lit]);
            }
            wanted.push(own);
        }
        let inputs = clauses.inputs(&circuit);
        Ok(Self {
            solver,
            conjuncts,
            wanted,
            circuit,
            demands,
            inputs,
        })
    }

    /// The conjuncts of the requirements; their places here are those asked for.
    pub fn conjuncts(&self) -> &[TranslatedConjunct] {
        &self.conjuncts
    }

    /// Whether some conjuncts, given by their places, can hold together.
    pub fn can_hold(&mut self, places: &[usize], budget: &Budget) -> SearchResult<bool> {
        let wanted: Vec<Lit> = places.iter().map(|&place| self.wanted[place]).collect();
        Ok(self.solver.solve(&wanted, budget)? == SatAnswer::Sat)
    }

    /// Whether some conjuncts can hold together, by a solver that knows nothing but these.
    pub fn can_hold_alone(&self, places: &[usize], budget: &Budget) -> SearchResult<bool> {
        let Demands {
            hard,
            edges,
            hints,
            in_force,
        } = &self.demands;
        let asked: BTreeSet<usize> = places.iter().copied().collect();
        let mut roots: Vec<CircuitEdge> = hard.iter().chain(hints).copied().collect();
        for (place, (&edge, &input)) in edges.iter().zip(in_force).enumerate() {
            match asked.contains(&place) {
                true => roots.extend([edge, input]),
                // Hints must not rely on a conjunct that is not asked for.
                false if input != CircuitEdge::TRUE => roots.push(!input),
                false => {}
            }
        }
        let (mut solver, mut clauses) = (S::for_refutation(), GateClauses::default());
        clauses.count_uses(&self.circuit, &roots);
        for edge in roots {
            clauses.require(&self.circuit, edge, &mut solver);
        }
        Ok(solver.solve(&[], budget)? == SatAnswer::Sat)
    }

    /// The conjuncts that hold in what was found last, after [`Reasons::can_hold`] said that some can hold together.
    pub fn holding(&mut self) -> Vec<usize> {
        let value = |&(gate, lit): &(usize, Lit)| (gate, self.solver.value(lit));
        let values = self.inputs.iter().map(value).collect();
        let edges = self.circuit.evaluate(&values, &self.demands.edges);
        let places = edges.into_iter().enumerate();
        places
            .filter_map(|(place, holds)| holds.then_some(place))
            .collect()
    }

    /// Conjuncts among these that cannot hold together, each of them needed: without any one of them
    /// the others can. None if all can hold together.
    pub fn core(&mut self, among: &[usize], budget: &Budget) -> SearchResult<Option<Vec<usize>>> {
        if self.can_hold(among, budget)? {
            return Ok(None);
        }
        let mut core = self.failed(among);
        let mut needed = 0;
        // The first `needed` of them are known to be so.
        while needed < core.len() {
            let mut fewer = core.clone();
            fewer.remove(needed);
            if self.can_hold(&fewer, budget)? {
                needed += 1;
            } else {
                let failed = self.failed(&fewer);
                let keep = |place: &usize| core[..needed].contains(place) || failed.contains(place);
                core = fewer.into_iter().filter(keep).collect();
            }
        }
        core.sort_unstable();
        Ok(Some(core))
    }

    /// Those of the conjuncts asked for last that the solver found to be contradictory, after
    /// [`Reasons::can_hold`] said that they cannot hold together.
    pub fn failed(&mut self, asked: &[usize]) -> Vec<usize> {
        let failed = asked
            .iter()
            .filter(|&&place| self.solver.failed(self.wanted[place]));
        failed.copied().collect()
    }
}
