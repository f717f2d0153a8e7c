//! The check of a certificate: each condition is a question to a SAT solver that explores nothing.
//!
//! Nothing here uses a state space or the model checker. A condition is true when the solver finds no
//! state, or no step, that breaks it; otherwise what it found is the reason to refuse the certificate.
//! That *some* step leads somewhere is asked with a list of steps that were tried ([`super::copy`]): a
//! state from which none of them does is either the answer, or shows another step to try.

use wherefore_base::{Budget, Run, Value, deep};
use wherefore_model::{Cube, Model, Query, VarId};
use wherefore_proof::certificate::{Broken, Certificate, StateSet};
use wherefore_sat::{Answer, Batsat, Cnf, Edge, Lit, Solver, System, Unrolling};

use super::conditions::{Condition, Expr, What, conditions};
use super::copy::{Moves, Step};

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
    if cubes.any(|cube| cube.vars().any(|var| var.index() >= states)) {
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
    budget: Budget,
    moves: Option<Moves>,
    /// What is required of the first position: to be a state.
    state: Vec<Edge>,
    /// The first position is initial.
    start: Edge,
    /// A step leads from the first position to the second.
    step: Edge,
    /// What is required of the first position to be in the invariant.
    kept: Vec<Edge>,
    session: Session,
}

/// What the solver was told so far.
struct Session {
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

impl Session {
    fn new(
        system: &System<'_>,
        unrolling: &mut Unrolling,
        [start, step]: [Edge; 2],
        state: &[Edge],
        invariant: &[Edge],
    ) -> Self {
        let (mut cnf, mut solver) = (Cnf::new(), Batsat::empty());
        for &edge in state {
            cnf.require(unrolling.circuit(), edge, &mut solver);
        }
        let start = cnf.demand(unrolling.circuit(), start, &mut solver);
        let step = cnf.demand(unrolling.circuit(), step, &mut solver);
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

    fn keep(&mut self, unrolling: &Unrolling, edge: Edge) {
        let lit = self.demand(unrolling, edge);
        self.solver.add_clause(&[!self.kept, lit]);
    }

    fn demand(&mut self, unrolling: &Unrolling, edge: Edge) -> Lit {
        let circuit = unrolling.circuit();
        self.cnf.demand(circuit, edge, &mut self.solver)
    }

    fn variables(&mut self) -> usize {
        self.solver.new_var().variable()
    }
}

impl<'m> Prover<'m> {
    pub(super) fn new(model: &'m Model, budget: &Budget) -> Run<Self> {
        let system = System::new(model, budget)?;
        let mut unrolling = Unrolling::new();
        let at = |unrolling: &mut Unrolling, position, edges: &[Edge]| -> Vec<Edge> {
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
        let session = Session::new(&system, &mut unrolling, [start, step], &state, &[]);
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
            self.session = Session::new(&self.system, &mut self.unrolling, ends, state, kept);
        }
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
        self.kept.push(edge);
        self.session.keep(&self.unrolling, edge);
    }

    /// What breaks a condition.
    pub(super) fn counterexample(
        &mut self,
        what: &What<'_>,
        tried: &mut Tried,
    ) -> Run<Option<Found>> {
        if tried.0.is_empty() {
            self.refresh();
        }
        let Session {
            start, step, kept, ..
        } = self.session;
        match what {
            What::Never(expr) => {
                let here = self.demand(expr, HERE)?;
                self.ask(&[kept, here], false)
            }
            What::NeverAtStart(expr) => {
                let here = self.demand(expr, HERE)?;
                self.ask(&[start, here], false)
            }
            What::NoStep(from, to) => {
                let from = self.demand(from, HERE)?;
                let to = self.demand(to, THERE)?;
                self.ask(&[kept, step, from, to], true)
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
            let mut asked = vec![self.session.kept, from];
            asked.extend(&*tried);
            let Some(found) = self.ask(&asked, false)? else {
                return Ok(None);
            };
            let mut asked = vec![self.session.step, to];
            for (at, value) in found.state.iter().enumerate() {
                asked.extend(self.fixed(at, *value));
            }
            if self.session.solver.solve(&asked, &self.budget)? == Answer::Unsat {
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
            tried.push(self.session.demand(&self.unrolling, !does));
        }
    }

    fn ask(&mut self, assumed: &[Lit], of_step: bool) -> Run<Option<Found>> {
        if self.session.solver.solve(assumed, &self.budget)? == Answer::Unsat {
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
        let bits = self.session.bits[HERE][at].iter().enumerate();
        bits.map(move |(place, lit)| lit.negated_if(index >> place & 1 == 0))
    }

    /// The values at a position from a variable on, as the solver found them.
    fn values(&mut self, position: usize, from: usize) -> Vec<Value> {
        let Session { solver, bits, .. } = &mut self.session;
        let bits = &bits[position];
        self.system.values(from..bits.len(), |var, place| {
            solver.value(bits[var.index()][place])
        })
    }

    fn demand(&mut self, expr: &Expr<'_>, position: usize) -> Run<Lit> {
        let edge = self.edge(expr)?;
        let edge = self.unrolling.at(&self.system, position, edge);
        Ok(self.session.demand(&self.unrolling, edge))
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
        for &(var, bits) in &cube.bits {
            for (place, bit) in bits.iter() {
                all.push(self.system.has_bit(var, place, bit));
            }
        }
        Ok(self.system.circuit_mut().all(all))
    }
}
