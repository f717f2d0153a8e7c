//! The check of a certificate: each condition is a question to a SAT solver that explores nothing.
//!
//! Nothing here uses a state space or the model checker. A condition is true when the solver finds no
//! state, or no step, that breaks it; otherwise what it found is the reason to refuse the certificate.
//! That *some* step leads somewhere is asked with a list of steps that were tried ([`super::copy`]): a
//! state from which none of them does is either the answer, or shows another step to try.

use wherefore_base::{Budget, Run, Value, deep};
use wherefore_model::{Model, Query, VarId};
use wherefore_sat::{Answer, Batsat, Cnf, Edge, Lit, Solver, System, Unrolling};
use wherefore_space::Cube;

use super::conditions::{About, Condition, Expr, What, conditions};
use super::copy::{Moves, Step};
use super::{Certificate, StateSet};

/// Why a certificate is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// What the condition is about that is not true; `None` when the certificate makes no sense.
    pub about: Option<About>,
    /// The condition, or what makes no sense, as a sentence without its end.
    pub text: String,
    /// A state that breaks it.
    pub state: Option<Vec<Value>>,
    /// The state after it, where a step breaks it.
    pub next: Option<Vec<Value>>,
}

/// Checks a certificate that a query holds for a model; says how many conditions it has.
///
/// # Errors
/// When the budget ends; inside, the first condition that is not true.
pub fn verify(
    model: &Model,
    query: &Query,
    certificate: &Certificate,
    budget: &Budget,
) -> Run<Result<usize, Broken>> {
    let nonsense = |text: String| Broken {
        about: None,
        text,
        state: None,
        next: None,
    };
    let states = model.state_vars();
    let mut cubes = certificate.sets().into_iter().flat_map(|set| &set.cubes);
    if cubes.any(|cube| cube.values.iter().any(|(var, _)| var.index() >= states)) {
        return Ok(Err(nonsense(
            "it names a variable that no state has".into(),
        )));
    }
    let conditions = match conditions(model, query, certificate) {
        Ok(conditions) => conditions,
        Err(text) => return Ok(Err(nonsense(text))),
    };
    let mut prover = Prover::new(model, budget)?;
    prover.assume(&certificate.invariant)?;
    for Condition { about, text, what } in &conditions {
        budget.check()?;
        if let Some(found) = prover.counterexample(what, &mut Tried::default())? {
            return Ok(Err(Broken {
                about: Some(*about),
                text: text.clone(),
                state: Some(found.state),
                next: found.next,
            }));
        }
    }
    Ok(Ok(conditions.len()))
}

/// A state, or a step, that breaks a condition.
pub(super) struct Found {
    pub(super) state: Vec<Value>,
    pub(super) next: Option<Vec<Value>>,
}

/// For a condition that some step leads somewhere: that none of the steps tried so far does.
#[derive(Default)]
pub(super) struct Tried(Vec<Lit>);

/// A solver that knows the states and steps of a model.
pub(super) struct Prover<'m> {
    system: System<'m>,
    unrolling: Unrolling,
    cnf: Cnf,
    solver: Batsat,
    budget: Budget,
    moves: Option<Moves>,
    /// The first position is initial.
    start: Lit,
    /// A step leads from the first position to the second.
    step: Lit,
    /// The first position is in the invariant.
    kept: Lit,
    /// The bits of the state variables and inputs at the first position, and of the states at the second.
    bits: [Vec<Vec<Lit>>; 2],
}

const HERE: usize = 0;
const THERE: usize = 1;

impl<'m> Prover<'m> {
    pub(super) fn new(model: &'m Model, budget: &Budget) -> Run<Self> {
        let system = System::new(model, budget)?;
        let (mut unrolling, mut cnf, mut solver) = (Unrolling::new(), Cnf::new(), Batsat::empty());
        for &edge in &system.invar {
            let edge = unrolling.at(&system, HERE, edge);
            cnf.require(unrolling.circuit(), edge, &mut solver);
        }
        let at = |unrolling: &mut Unrolling, position, edges: &[Edge]| -> Vec<Edge> {
            let edges = edges.iter();
            edges
                .map(|&edge| unrolling.at(&system, position, edge))
                .collect()
        };
        let start = at(&mut unrolling, HERE, &system.init);
        let start = unrolling.circuit_mut().all(start);
        let mut step = at(&mut unrolling, HERE, &system.trans);
        step.extend(at(&mut unrolling, THERE, &system.invar));
        let step = unrolling.circuit_mut().all(step);
        let start = cnf.demand(unrolling.circuit(), start, &mut solver);
        let step = cnf.demand(unrolling.circuit(), step, &mut solver);
        let kept = solver.new_var();
        let mut bits = [Vec::new(), Vec::new()];
        for (position, of) in [(HERE, model.vars.len()), (THERE, model.state_vars())] {
            for var in (0..of).map(VarId::new) {
                let edges = unrolling.bits(&system, position, var);
                let lits = edges.into_iter();
                let lits = lits.map(|bit| cnf.literal(unrolling.circuit(), bit, &mut solver));
                bits[position].push(lits.collect());
            }
        }
        Ok(Self {
            system,
            unrolling,
            cnf,
            solver,
            budget: budget.clone(),
            moves: None,
            start,
            step,
            kept,
            bits,
        })
    }

    /// Takes a set as the invariant, or as a part of it.
    pub(super) fn assume(&mut self, invariant: &StateSet) -> Run<()> {
        if invariant.outside {
            return invariant.cubes.iter().try_for_each(|c| self.exclude(c));
        }
        let edge = self.set(invariant)?;
        let edge = self.unrolling.at(&self.system, HERE, edge);
        self.only_if_kept(edge);
        Ok(())
    }

    /// Takes the states outside of a cube as a part of the invariant.
    pub(super) fn exclude(&mut self, cube: &Cube) -> Run<()> {
        let edge = self.cube(cube)?;
        let edge = self.unrolling.at(&self.system, HERE, edge);
        self.only_if_kept(!edge);
        Ok(())
    }

    fn only_if_kept(&mut self, edge: Edge) {
        let (circuit, solver) = (self.unrolling.circuit(), &mut self.solver);
        let lit = self.cnf.demand(circuit, edge, solver);
        self.solver.add_clause(&[!self.kept, lit]);
    }

    /// What breaks a condition.
    pub(super) fn counterexample(
        &mut self,
        what: &What<'_>,
        tried: &mut Tried,
    ) -> Run<Option<Found>> {
        match what {
            What::Never(expr) => {
                let here = self.demand(expr, HERE)?;
                self.ask(&[self.kept, here], false)
            }
            What::NeverAtStart(expr) => {
                let here = self.demand(expr, HERE)?;
                self.ask(&[self.start, here], false)
            }
            What::NoStep(from, to) => {
                let from = self.demand(from, HERE)?;
                let to = self.demand(to, THERE)?;
                self.ask(&[self.kept, self.step, from, to], true)
            }
            What::SomeStep(from, to) => self.without_step(from, to, tried),
        }
    }

    /// A state without a step, if there is one.
    fn without_step(
        &mut self,
        from: &Expr<'_>,
        to: &Expr<'_>,
        Tried(tried): &mut Tried,
    ) -> Run<Option<Found>> {
        let from = self.demand(from, HERE)?;
        let target = self.edge(to)?;
        let to = self.demand(to, THERE)?;
        loop {
            let mut asked = vec![self.kept, from];
            asked.extend(&*tried);
            let Some(found) = self.ask(&asked, false)? else {
                return Ok(None);
            };
            let mut asked = vec![self.step, to];
            for (at, value) in found.state.iter().enumerate() {
                asked.extend(self.fixed(at, *value));
            }
            if self.solver.solve(&asked, &self.budget)? == Answer::Unsat {
                return Ok(Some(found));
            }
            let step = Step {
                state: found.state,
                input: self.values(HERE, self.system.model().state_vars()),
                next: self.values(THERE, 0),
            };
            if self.moves.is_none() {
                self.moves = Some(Moves::new(&self.system));
            }
            let moves = self.moves.as_ref().expect("it was just made");
            let does = moves.generalised(&mut self.system, &step, target)?;
            let does = self.unrolling.at(&self.system, HERE, does);
            let (circuit, solver) = (self.unrolling.circuit(), &mut self.solver);
            tried.push(self.cnf.demand(circuit, !does, solver));
        }
    }

    fn ask(&mut self, assumed: &[Lit], of_step: bool) -> Run<Option<Found>> {
        if self.solver.solve(assumed, &self.budget)? == Answer::Unsat {
            return Ok(None);
        }
        let mut state = self.values(HERE, 0);
        state.truncate(self.system.model().state_vars());
        let next = of_step.then(|| self.values(THERE, 0));
        Ok(Some(Found { state, next }))
    }

    /// Literals that fix a variable of the first state.
    fn fixed(&self, at: usize, value: Value) -> impl Iterator<Item = Lit> + '_ {
        let domain = &self.system.model().vars[VarId::new(at)].domain;
        let index = domain.index_of(value).unwrap_or(0);
        let bits = self.bits[HERE][at].iter().enumerate();
        bits.map(move |(place, lit)| lit.negated_if(index >> place & 1 == 0))
    }

    /// The values at a position from a variable on, as the solver found them.
    fn values(&mut self, position: usize, from: usize) -> Vec<Value> {
        let Self {
            system,
            solver,
            bits,
            ..
        } = self;
        let bits = &bits[position];
        system.values(from..bits.len(), |var, place| {
            solver.value(bits[var.index()][place])
        })
    }

    fn demand(&mut self, expr: &Expr<'_>, position: usize) -> Run<Lit> {
        let edge = self.edge(expr)?;
        let edge = self.unrolling.at(&self.system, position, edge);
        let (circuit, solver) = (self.unrolling.circuit(), &mut self.solver);
        Ok(self.cnf.demand(circuit, edge, solver))
    }

    /// A condition as an edge over the bits of a state.
    fn edge(&mut self, expr: &Expr<'_>) -> Run<Edge> {
        deep(|| {
            Ok(match expr {
                Expr::Const(value) => Edge::constant(*value),
                Expr::Term(term) => self.system.condition(*term)?,
                Expr::In(set) => self.set(set)?,
                Expr::Not(expr) => !self.edge(expr)?,
                Expr::All(exprs) => {
                    let edges: Vec<Edge> =
                        exprs.iter().map(|e| self.edge(e)).collect::<Run<_>>()?;
                    self.system.circuit_mut().all(edges)
                }
                Expr::Any(exprs) => {
                    let edges: Vec<Edge> =
                        exprs.iter().map(|e| self.edge(e)).collect::<Run<_>>()?;
                    self.system.circuit_mut().any(edges)
                }
            })
        })
    }

    fn set(&mut self, set: &StateSet) -> Run<Edge> {
        let cubes: Vec<Edge> = set
            .cubes
            .iter()
            .map(|cube| self.cube(cube))
            .collect::<Run<_>>()?;
        let inside = self.system.circuit_mut().any(cubes);
        Ok(inside.negated_if(set.outside))
    }

    fn cube(&mut self, cube: &Cube) -> Run<Edge> {
        self.budget.check()?;
        let mut all = Vec::new();
        for (var, values) in &cube.values {
            let domain = &self.system.model().vars[*var].domain;
            let indices: Vec<u64> = values.iter().filter_map(|&v| domain.index_of(v)).collect();
            let has: Vec<Edge> = indices.iter().map(|&i| self.system.has(*var, i)).collect();
            all.push(self.system.circuit_mut().any(has));
        }
        Ok(self.system.circuit_mut().all(all))
    }
}
