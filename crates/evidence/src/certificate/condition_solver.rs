//! What breaks a condition of a certificate that is being made: a question to a SAT solver.
//!
//! A state, or a step, that breaks a condition is a reason to strengthen the invariant. That *some* step
//! leads somewhere is asked with a list of steps that were tried ([`super::copy`]): a state from which none
//! of them does is either the answer, or shows another step to try. When the certificate is made,
//! [`wherefore_certify`] checks it, with an encoding and a solver of its own.

use std::ops::Range;

use wherefore_base::{Budget, Run, Value, deep};
use wherefore_certify::{ConditionForm, StateCondition};
use wherefore_model::{Cube, Model, TermId, VarId};
use wherefore_proof::certificate::StateSet;
use wherefore_sat::{Batsat, BitSystem, CircuitEdge, Cnf, Lit, SatAnswer, Solver, Unrolling};

use super::copy::{GeneralisedMoves, SolverStep};

/// For a condition that some step leads somewhere: that none of the steps tried so far does.
#[derive(Default)]
pub(super) struct TriedMoves(Vec<Lit>);

/// A solver that knows the states and steps of a model.
pub(super) struct ConditionSolver<'m> {
    system: BitSystem<'m>,
    unrolling: Unrolling,
    budget: Budget,
    moves: Option<GeneralisedMoves>,
    /// What is required of the first position: to be a state.
    state: Vec<CircuitEdge>,
    /// The first position is initial.
    start: CircuitEdge,
    /// A step leads from the first position to the second.
    step: CircuitEdge,
    /// What is required of the first position to be in the invariant.
    kept: Vec<CircuitEdge>,
    session: ConditionSession,
}

/// What the solver was told so far.
struct ConditionSession {
    cnf: Cnf,
    solver: Batsat,
    start: Lit,
    step: Lit,
    /// The first position is in the invariant.
    kept: Lit,
    /// The bits of the state variables and inputs at the first position, and of the states at the second.
    bits: [Vec<Vec<Lit>>; 2],
    /// How many variables it had at first.
    size: usize,
}

/// A solver with so many times the variables it had at first, and a few more, is not asked any more: what it
/// was told for earlier conditions would only be in its way.
const GROWN: usize = 2;
const A_FEW: usize = 2000;

const HERE: usize = 0;
const THERE: usize = 1;

impl ConditionSession {
    fn new(
        system: &BitSystem<'_>,
        unrolling: &mut Unrolling,
        [start, step]: [CircuitEdge; 2],
        state: &[CircuitEdge],
        invariant: &[CircuitEdge],
    ) -> Self {
        let (mut cnf, mut solver) = (Cnf::new(), Batsat::empty());
        for &edge in state {
            cnf.require(unrolling.circuit(), edge, &mut solver);
        }
        let start = cnf.demand(unrolling.circuit(), start, &mut solver);
        let step = cnf.demand(unrolling.circuit(), step, &mut solver);
        // The invariant grows, so its clauses hang on one literal, which questions assume when they are about
        // it.
        let kept = solver.new_var();
        let model = system.model();
        let mut bits = [Vec::new(), Vec::new()];
        for (position, of) in [(HERE, model.vars.len()), (THERE, model.state_vars())] {
            for var in (0..of).map(VarId::new) {
                let edges = unrolling.bits(system, position, var);
                let lits = edges.into_iter();
                let lits = lits.map(|bit| cnf.literal(unrolling.circuit(), bit, &mut solver));
                bits[position].push(lits.collect());
            }
        }
        let mut session = Self {
            cnf,
            solver,
            start,
            step,
            kept,
            bits,
            size: 0,
        };
        for &edge in invariant {
            session.keep(unrolling, edge);
        }
        session.size = session.variables();
        session
    }

    fn keep(&mut self, unrolling: &Unrolling, edge: CircuitEdge) {
        let lit = self.demand(unrolling, edge);
        self.solver.add_clause(&[!self.kept, lit]);
    }

    fn demand(&mut self, unrolling: &Unrolling, edge: CircuitEdge) -> Lit {
        let circuit = unrolling.circuit();
        self.cnf.demand(circuit, edge, &mut self.solver)
    }

    fn variables(&mut self) -> usize {
        // A fresh variable has the highest number of all.
        self.solver.new_var().variable()
    }
}

impl<'m> ConditionSolver<'m> {
    pub(super) fn new(model: &'m Model, budget: &Budget) -> Run<Self> {
        let system = BitSystem::new(model, budget)?;
        let mut unrolling = Unrolling::new();
        let at = |unrolling: &mut Unrolling, position, edges: &[CircuitEdge]| -> Vec<CircuitEdge> {
            let edges = edges.iter();
            edges
                .map(|&edge| unrolling.at(&system, position, edge))
                .collect()
        };
        let state = at(&mut unrolling, HERE, &system.invar);
        let start = at(&mut unrolling, HERE, &system.init);
        let start = unrolling.circuit_mut().all(start);
        let mut step = at(&mut unrolling, HERE, &system.trans);
        step.extend(at(&mut unrolling, THERE, &system.invar));
        let step = unrolling.circuit_mut().all(step);
        let session = ConditionSession::new(&system, &mut unrolling, [start, step], &state, &[]);
        Ok(Self {
            system,
            unrolling,
            budget: budget.clone(),
            moves: None,
            state,
            start,
            step,
            kept: Vec::new(),
            session,
        })
    }

    /// Begins with another solver when this one knows much that does not matter any more.
    fn refresh(&mut self) {
        if self.session.variables() > GROWN * self.session.size + A_FEW {
            let ends = [self.start, self.step];
            let (state, kept) = (&self.state, &self.kept);
            self.session =
                ConditionSession::new(&self.system, &mut self.unrolling, ends, state, kept);
        }
    }

    /// Takes the states outside of a cube as a part of the invariant.
    pub(super) fn exclude(&mut self, cube: &Cube) -> Run<()> {
        let edge = self.cube(cube)?;
        let edge = self.unrolling.at(&self.system, HERE, edge);
        self.only_if_kept(!edge);
        Ok(())
    }

    fn only_if_kept(&mut self, edge: CircuitEdge) {
        self.kept.push(edge);
        self.session.keep(&self.unrolling, edge);
    }

    /// A state that breaks a condition.
    pub(super) fn counterexample(
        &mut self,
        what: &ConditionForm<'_>,
        tried: &mut TriedMoves,
    ) -> Run<Option<Vec<Value>>> {
        // Literals of tried steps belong to this solver, so it is not replaced while there are some.
        if tried.0.is_empty() {
            self.refresh();
        }
        let ConditionSession {
            start, step, kept, ..
        } = self.session;
        match what {
            ConditionForm::Never(expr) => {
                let here = self.demand(expr, HERE)?;
                self.ask(&[kept, here])
            }
            ConditionForm::NeverAtStart(expr) => {
                let here = self.demand(expr, HERE)?;
                self.ask(&[start, here])
            }
            ConditionForm::NoStep(from, to) => {
                let from = self.demand(from, HERE)?;
                let to = self.demand(to, THERE)?;
                self.ask(&[kept, step, from, to])
            }
            ConditionForm::SomeStep(from, to) => self.without_step(from, to, tried),
        }
    }

    /// Whether a condition of the model is true at a state.
    pub(super) fn is_true_at(&mut self, state: &[Value], term: TermId) -> Run<bool> {
        let mut asked = vec![self.demand(&StateCondition::Term(term), HERE)?];
        for (at, value) in state.iter().enumerate() {
            asked.extend(self.fixed(at, *value));
        }
        Ok(self.session.solver.solve(&asked, &self.budget)? == SatAnswer::Sat)
    }

    /// A state without a step, if there is one.
    fn without_step(
        &mut self,
        from: &StateCondition<'_>,
        to: &StateCondition<'_>,
        TriedMoves(tried): &mut TriedMoves,
    ) -> Run<Option<Vec<Value>>> {
        let from = self.demand(from, HERE)?;
        let target = self.edge(to)?;
        let to = self.demand(to, THERE)?;
        loop {
            let mut asked = vec![self.session.kept, from];
            asked.extend(&*tried);
            let Some(state) = self.ask(&asked)? else {
                return Ok(None);
            };
            let mut asked = vec![self.session.step, to];
            for (at, value) in state.iter().enumerate() {
                asked.extend(self.fixed(at, *value));
            }
            if self.session.solver.solve(&asked, &self.budget)? == SatAnswer::Unsat {
                return Ok(Some(state));
            }
            let (states, all) = (
                self.system.model().state_vars(),
                self.system.model().vars.len(),
            );
            let step = SolverStep {
                state,
                input: self.values(HERE, states..all),
                next: self.values(THERE, 0..states),
            };
            if self.moves.is_none() {
                self.moves = Some(GeneralisedMoves::new(&self.system));
            }
            let moves = self.moves.as_ref().expect("it was just made");
            let does = moves.generalised(&mut self.system, &step, target)?;
            let does = self.unrolling.at(&self.system, HERE, does);
            tried.push(self.session.demand(&self.unrolling, !does));
        }
    }

    fn ask(&mut self, assumed: &[Lit]) -> Run<Option<Vec<Value>>> {
        if self.session.solver.solve(assumed, &self.budget)? == SatAnswer::Unsat {
            return Ok(None);
        }
        // The first position has inputs after its state variables. Where no step is asked for, the solver may give them
        // bits that stand for no value.
        let states = self.system.model().state_vars();
        Ok(Some(self.values(HERE, 0..states)))
    }

    /// Literals that fix a variable of the first state.
    fn fixed(&self, at: usize, value: Value) -> impl Iterator<Item = Lit> + '_ {
        let domain = &self.system.model().vars[VarId::new(at)].domain;
        let index = domain.index_of(value).unwrap_or(0);
        let bits = self.session.bits[HERE][at].iter().enumerate();
        bits.map(move |(place, lit)| lit.negated_if(index >> place & 1 == 0))
    }

    /// The values of some variables at a position, as the solver found them.
    fn values(&mut self, position: usize, of: Range<usize>) -> Vec<Value> {
        let ConditionSession { solver, bits, .. } = &mut self.session;
        let bits = &bits[position];
        self.system
            .values(of, |var, place| solver.value(bits[var.index()][place]))
    }

    fn demand(&mut self, expr: &StateCondition<'_>, position: usize) -> Run<Lit> {
        let edge = self.edge(expr)?;
        let edge = self.unrolling.at(&self.system, position, edge);
        Ok(self.session.demand(&self.unrolling, edge))
    }

    /// A condition as an edge over the bits of a state.
    fn edge(&mut self, expr: &StateCondition<'_>) -> Run<CircuitEdge> {
        deep(|| {
            Ok(match expr {
                StateCondition::Const(value) => CircuitEdge::constant(*value),
                StateCondition::Term(term) => self.system.condition(*term)?,
                StateCondition::In(set) => self.set(set)?,
                StateCondition::Not(expr) => !self.edge(expr)?,
                StateCondition::All(exprs) => {
                    let edges: Vec<CircuitEdge> =
                        exprs.iter().map(|e| self.edge(e)).collect::<Run<_>>()?;
                    self.system.circuit_mut().all(edges)
                }
                StateCondition::Any(exprs) => {
                    let edges: Vec<CircuitEdge> =
                        exprs.iter().map(|e| self.edge(e)).collect::<Run<_>>()?;
                    self.system.circuit_mut().any(edges)
                }
            })
        })
    }

    fn set(&mut self, set: &StateSet) -> Run<CircuitEdge> {
        let cubes: Vec<CircuitEdge> = set
            .cubes
            .iter()
            .map(|cube| self.cube(cube))
            .collect::<Run<_>>()?;
        let inside = self.system.circuit_mut().any(cubes);
        Ok(inside.negated_if(set.outside))
    }

    fn cube(&mut self, cube: &Cube) -> Run<CircuitEdge> {
        self.budget.check()?;
        let mut all = Vec::new();
        for (var, values) in &cube.values {
            let domain = &self.system.model().vars[*var].domain;
            let indices: Vec<u64> = values.iter().filter_map(|&v| domain.index_of(v)).collect();
            let has: Vec<CircuitEdge> = indices.iter().map(|&i| self.system.has(*var, i)).collect();
            all.push(self.system.circuit_mut().any(has));
        }
        for &(var, bits) in &cube.bits {
            for (place, bit) in bits.iter() {
                all.push(self.system.has_bit(var, place, bit));
            }
        }
        for &(term, holds) in &cube.terms {
            all.push(self.system.condition(term)?.negated_if(!holds));
        }
        Ok(self.system.circuit_mut().all(all))
    }
}
