//! The search for instances, one after the other.

use wherefore_base::{Budget, IndexVec};
use wherefore_sat::{CircuitEdge, Lit, SatAnswer, Solver};

use crate::clauses::GateClauses;
use crate::evaluator::RelEvaluator;
use crate::instance::{Instance, InstanceWitness};
use crate::log::Log;
use crate::options::SearchOptions;
use crate::problem::Problem;
use crate::reasons::{Demands, Reasons};
use crate::refusal::{ProblemRefusal, SearchResult};
use crate::terms::RelationId;
use crate::translate::{ProblemTranslator, TranslatedConjunct, TranslatedProblem};
use crate::tuples::TupleSet;

/// About how much memory a solver takes for a variable.
const BYTES_PER_VARIABLE: usize = 200;
/// About how much memory a solver takes for a clause.
const BYTES_PER_CLAUSE: usize = 60;

/// How large a translated problem is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Size {
    /// Inputs of the circuit that make the instance.
    pub primary: usize,
    /// Gates of the circuit.
    pub gates: usize,
    /// Variables of the solver.
    pub variables: usize,
    /// Clauses of the solver.
    pub clauses: usize,
}

/// A problem in the hands of a solver: gives one instance after the other.
pub struct Search<'p, S> {
    pub(crate) problem: &'p Problem,
    pub(crate) translator: ProblemTranslator<'p>,
    conjuncts: Vec<TranslatedConjunct>,
    edges: Vec<CircuitEdge>,
    /// What must be true whatever is required.
    hard: Vec<CircuitEdge>,
    /// The inputs that make the instance.
    primary: Vec<CircuitEdge>,
    pub(crate) solver: S,
    pub(crate) clauses: GateClauses,
    /// The literals of the primary inputs in the instance found last, negated.
    last: Option<Vec<Lit>>,
}

impl<'p, S: Solver> Search<'p, S> {
    /// Translates a problem and hands it to a solver.
    pub fn new(
        problem: &'p Problem,
        options: &SearchOptions,
        budget: &Budget,
    ) -> SearchResult<Self> {
        let TranslatedProblem {
            translator,
            conjuncts,
            edges,
            hard,
            hints,
            ..
        } = TranslatedProblem::new(problem, options, budget, None)?;
        let matrices = translator
            .relations
            .iter()
            .flat_map(|matrix| matrix.edges());
        let skolems = translator.skolems.iter();
        let skolems = skolems.flat_map(|skolem| skolem.cells.iter().map(|cell| cell.2));
        let primary = matrices
            .filter(|edge| *edge != CircuitEdge::TRUE)
            .chain(skolems);
        let primary = primary.collect();
        let mut search = Self {
            problem,
            conjuncts,
            edges,
            hard,
            primary,
            solver: S::for_refutation(),
            clauses: GateClauses::default(),
            last: None,
            translator,
        };
        search.require(&hints, budget)?;
        Ok(search)
    }

    fn require(&mut self, hints: &[CircuitEdge], budget: &Budget) -> SearchResult<()> {
        let circuit = &self.translator.circuit;
        let roots = self.hard.iter().chain(&self.edges).chain(hints);
        let roots: Vec<CircuitEdge> = roots.copied().collect();
        self.clauses.count_uses(circuit, &roots);
        for edge in roots {
            budget.check()?;
            self.clauses.require(circuit, edge, &mut self.solver);
            let (variables, clauses) = self.clauses.size();
            let solver = variables * BYTES_PER_VARIABLE + clauses * BYTES_PER_CLAUSE;
            self.translator.afford(solver)?;
        }
        Ok(())
    }

    /// The conjuncts of the requirements: what the clauses come from, and where it is written.
    pub fn conjuncts(&self) -> &[TranslatedConjunct] {
        &self.conjuncts
    }

    /// How large the translated problem is.
    pub fn size(&self) -> Size {
        let (variables, clauses) = self.clauses.size();
        Size {
            primary: self.primary.len(),
            gates: self.translator.circuit.len(),
            variables,
            clauses,
        }
    }

    /// The next instance, different from those before; none if there is no other. Every instance is
    /// checked by the [`RelEvaluator`].
    pub fn next(&mut self, budget: &Budget) -> SearchResult<Option<Instance>> {
        let Some(instance) = self.next_unchecked(budget)? else {
            return Ok(None);
        };
        let mut evaluator = RelEvaluator::new(self.problem, &instance, budget)?;
        match evaluator.all_hold() {
            // Too many subsets to try: the solver is believed.
            Err(ProblemRefusal::TooLarge { .. }) | Ok(true) => Ok(Some(instance)),
            Ok(false) => Err(ProblemRefusal::Mistake {
                message: "The instance found does not satisfy the problem.".to_string(),
            }),
            Err(refusal) => Err(refusal),
        }
    }

    /// The next instance, as the solver has it.
    pub fn next_unchecked(&mut self, budget: &Budget) -> SearchResult<Option<Instance>> {
        if let Some(clause) = self.last.take() {
            self.solver.add_clause(&clause);
        }
        if self.solver.solve(&[], budget)? == SatAnswer::Unsat {
            return Ok(None);
        }
        Ok(Some(self.instance_found()))
    }

    /// The instance that the solver found last, which is not given again.
    pub(crate) fn instance_found(&mut self) -> Instance {
        let mut clause = Vec::with_capacity(self.primary.len());
        for &edge in &self.primary {
            let lit = self
                .clauses
                .input(&self.translator.circuit, edge, &mut self.solver);
            clause.push(lit);
        }
        let mut values = Vec::with_capacity(clause.len());
        for lit in &mut clause {
            let value = self.solver.value(*lit);
            values.push(value);
            *lit = lit.negated_if(value);
        }
        self.last = Some(clause);
        self.instance(&values)
    }

    /// The instance in which the primary inputs have these values.
    fn instance(&self, values: &[bool]) -> Instance {
        let packing = self.translator.packing;
        let mut values = values.iter().copied();
        // Values come in the order in which `new` collected the inputs: relations first, then witnesses.
        let mut value = |edge: CircuitEdge| {
            edge == CircuitEdge::TRUE || values.next().expect("every primary input has a value")
        };
        let mut relations: IndexVec<RelationId, TupleSet> = IndexVec::new();
        for matrix in self.translator.relations.iter() {
            let cells = matrix.cells.iter();
            let tuples = cells.filter_map(|&(tuple, edge)| value(edge).then_some(tuple));
            relations.push(TupleSet::from_packed(
                packing,
                matrix.arity,
                tuples.collect(),
            ));
        }
        let mut witnesses = Vec::new();
        for skolem in &self.translator.skolems {
            let variables = self.problem.variables();
            let arities = skolem
                .outer
                .iter()
                .map(|&variable| variables[variable].arity);
            let arities: Vec<usize> = arities.collect();
            let own = variables[skolem.variable].arity;
            let mut rows = Vec::new();
            for (outer, tuple, edge) in &skolem.cells {
                if value(*edge) {
                    let mut row = Vec::new();
                    for (&tuple, &arity) in outer.iter().zip(&arities) {
                        row.extend(packing.unpack(tuple, arity));
                    }
                    row.extend(packing.unpack(*tuple, own));
                    rows.push(row);
                }
            }
            rows.sort();
            witnesses.push(InstanceWitness {
                variable: skolem.variable,
                outer: skolem.outer.clone(),
                rows,
            });
        }
        Instance::new(relations, witnesses)
    }

    /// Where every clause comes from. The problem is translated again for it.
    pub fn log(&self, budget: &Budget) -> SearchResult<Log> {
        Log::new(self.problem, &self.translator.options, budget)
    }

    /// The conjuncts in the hands of a solver of their own, which can leave some of them out.
    pub fn reasons(&self, budget: &Budget) -> SearchResult<Reasons<S>> {
        let demands = Demands {
            hard: self.hard.clone(),
            edges: self.edges.clone(),
            // They follow from all conjuncts, and here some are left out.
            hints: Vec::new(),
            in_force: vec![CircuitEdge::TRUE; self.edges.len()],
        };
        let circuit = self.translator.circuit.clone();
        Reasons::of(circuit, demands, self.conjuncts.clone(), budget)
    }

    /// Conjuncts that cannot hold together, each of them needed: without any one of them the others can
    /// hold together. None if all can.
    pub fn core(&self, budget: &Budget) -> SearchResult<Option<Vec<TranslatedConjunct>>> {
        let every: Vec<usize> = (0..self.conjuncts.len()).collect();
        let core = self.reasons(budget)?.core(&every, budget)?;
        let conjunct = |place: usize| self.conjuncts[place].clone();
        Ok(core.map(|places| places.into_iter().map(conjunct).collect()))
    }
}
