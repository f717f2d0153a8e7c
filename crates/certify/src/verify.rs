//! The check of a certificate: each condition is a question to a SAT solver that explores nothing.
//!
//! A condition is true when there is provably no state, or no step, that breaks it; otherwise what was
//! found is the reason to refuse the certificate. That *some* step leads somewhere is asked with a list of
//! functions that were tried ([`crate::moves`]): a state from which none of them makes such a step is
//! either the answer, or shows another one to try.

use std::rc::Rc;

use wherefore_base::{Budget, Run, Value, deep};
use wherefore_model::{Constraint, Cube, Model, Query};
use wherefore_proof::certificate::{BrokenCondition, Certificate, StateSet};

use crate::conditions::{ConditionForm, StateCondition, VerificationCondition, conditions};
use crate::encode::{TermReading, reads_next};
use crate::moves::{ConcreteStep, OwnConstraints};
use crate::netlist::{Netlist, Wire};
use crate::rup::Literal;
use crate::solver::{CheckedSolver, Satisfiable};
use crate::tseitin::GateVariables;
use crate::values::{EncodedValue, FreeVariable};

/// Checks a certificate that a query holds for a model; says how many conditions it has.
///
/// # Errors
/// When the budget ends; inside, the first condition that is not true.
pub fn verify(
    model: &Model,
    query: &Query,
    certificate: &Certificate,
    budget: &Budget,
) -> Run<Result<usize, BrokenCondition>> {
    verify_all(
        model,
        certificate,
        conditions(model, query, certificate),
        budget,
    )
}

/// Checks all conditions of a certificate, or of what is said about it.
pub(crate) fn verify_all(
    model: &Model,
    certificate: &Certificate,
    listed: Result<Vec<VerificationCondition<'_>>, String>,
    budget: &Budget,
) -> Run<Result<usize, BrokenCondition>> {
    let nonsense = |text: String| BrokenCondition {
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
    let conditions = match listed {
        Ok(conditions) => conditions,
        Err(text) => return Ok(Err(nonsense(text))),
    };
    let mut checker = ConditionChecker::new(model, &certificate.invariant, budget)?;
    for VerificationCondition { about, text, what } in &conditions {
        budget.check()?;
        let (text, state, next) = match checker.decide(what)? {
            ConditionVerdict::True => continue,
            ConditionVerdict::Broken { state, next } => (text.clone(), Some(state), next),
            ConditionVerdict::Unproved => ("the solver's proof has a gap".into(), None, None),
        };
        return Ok(Err(BrokenCondition {
            about: Some(*about),
            text,
            state,
            next,
        }));
    }
    Ok(Ok(conditions.len()))
}

/// What became of a condition.
enum ConditionVerdict {
    True,
    /// A state, or a step, breaks it.
    Broken {
        state: Vec<Value>,
        next: Option<Vec<Value>>,
    },
    /// Nothing was found that breaks it, but that there is nothing is not proved.
    Unproved,
}

/// A solver that is told of more and more conditions is not asked any more when it has so many times the
/// variables it had at first, and a few more.
const GROWN_BY: usize = 2;
const A_FEW_VARIABLES: usize = 2000;

/// Decides conditions on the states and steps of a model.
struct ConditionChecker<'m> {
    model: &'m Model,
    budget: Budget,
    netlist: Netlist,
    reads_next: Rc<[bool]>,
    own: Option<OwnConstraints>,
    /// The variables of a state and of an input.
    here: Vec<FreeVariable>,
    /// The variables of a next state.
    there: Vec<FreeVariable>,
    /// The inputs of the netlist: what all of these consist of.
    inputs: Vec<Wire>,
    /// The state, the input and the next state.
    at_here: TermReading<'m>,
    /// The next state.
    at_there: TermReading<'m>,
    /// The first position is a state.
    is_state: Vec<Wire>,
    /// It is an initial one, given that it is a state.
    is_initial: Wire,
    /// There is a step between both, given that the first is a state.
    is_step: Wire,
    /// The first position is in the invariant: all of these.
    invariant: Vec<Wire>,
    session: SolverSession,
}

/// A solver and what it was told.
struct SolverSession {
    solver: CheckedSolver,
    gates: GateVariables,
    /// If it is true, the first position is in the invariant.
    in_invariant: Literal,
    /// How many variables the solver had at first.
    size: usize,
}

impl<'m> ConditionChecker<'m> {
    fn new(model: &'m Model, invariant: &StateSet, budget: &Budget) -> Run<Self> {
        let mut netlist = Netlist::new();
        let states = model.state_vars();
        let domains = || model.vars.iter().map(|var| &var.domain);
        let mut free = |count: usize| -> Vec<FreeVariable> {
            let domains = domains().take(count);
            domains
                .map(|d| FreeVariable::new(&mut netlist, d))
                .collect()
        };
        let (here, there) = (free(model.vars.len()), free(states));
        let values = |vars: &[FreeVariable]| -> Vec<EncodedValue> {
            vars.iter().map(|var| var.value.clone()).collect()
        };
        let reads_next = reads_next(model);
        let mut at_here =
            TermReading::new(model, &reads_next, values(&here), values(&there), budget);
        let mut at_there = TermReading::new(model, &reads_next, values(&there), Vec::new(), budget);

        let fits =
            |vars: &[FreeVariable]| -> Vec<Wire> { vars.iter().map(|var| var.fits).collect() };
        let mut is_state = fits(&here[..states]);
        is_state.extend(met(&mut at_here, &mut netlist, &model.invar, false)?);
        let is_initial = met(&mut at_here, &mut netlist, &model.init, false)?;
        let is_initial = netlist.all(is_initial);
        let mut is_step = fits(&here[states..]);
        is_step.extend(fits(&there));
        is_step.extend(met(&mut at_here, &mut netlist, &model.trans, true)?);
        is_step.extend(met(&mut at_there, &mut netlist, &model.invar, false)?);
        let is_step = netlist.all(is_step);

        // Outside of cubes the invariant is a conjunction, which the solver can take clause by clause.
        let invariant = match invariant.outside {
            true => {
                let cubes = invariant.cubes.iter();
                let outside =
                    cubes.map(|cube| Ok(!in_cube(&mut netlist, &mut at_here, model, cube)?));
                outside.collect::<Run<_>>()?
            }
            false => vec![in_set(&mut netlist, &mut at_here, model, invariant)?],
        };
        let variables = here.iter().chain(&there);
        let inputs: Vec<Wire> = variables.flat_map(|var| var.inputs.clone()).collect();
        let session = SolverSession::new(&netlist, &inputs, &is_state, &invariant);
        Ok(Self {
            model,
            budget: budget.clone(),
            netlist,
            reads_next,
            own: None,
            here,
            there,
            inputs,
            at_here,
            at_there,
            is_state,
            is_initial,
            is_step,
            invariant,
            session,
        })
    }

    fn decide(&mut self, what: &ConditionForm<'_>) -> Run<ConditionVerdict> {
        if self.session.solver.variables() > GROWN_BY * self.session.size + A_FEW_VARIABLES {
            self.session =
                SolverSession::new(&self.netlist, &self.inputs, &self.is_state, &self.invariant);
        }
        let in_invariant = self.session.in_invariant;
        match what {
            ConditionForm::Never(expr) => {
                let here = self.here(expr)?;
                let asked = [in_invariant, self.literal(here)];
                self.ask(&asked, false)
            }
            ConditionForm::NeverAtStart(expr) => {
                let here = self.here(expr)?;
                let asked = [self.literal(self.is_initial), self.literal(here)];
                self.ask(&asked, false)
            }
            ConditionForm::NoStep(from, to) => {
                let wires = [self.is_step, self.here(from)?, self.there(to)?];
                let [step, from, to] = wires.map(|wire| self.literal(wire));
                self.ask(&[in_invariant, step, from, to], true)
            }
            ConditionForm::SomeStep(from, to) => self.some_step(from, to),
        }
    }

    fn here(&mut self, expr: &StateCondition<'_>) -> Run<Wire> {
        encoded(&mut self.netlist, &mut self.at_here, self.model, expr)
    }

    fn there(&mut self, expr: &StateCondition<'_>) -> Run<Wire> {
        encoded(&mut self.netlist, &mut self.at_there, self.model, expr)
    }

    fn literal(&mut self, wire: Wire) -> Literal {
        let SolverSession { solver, gates, .. } = &mut self.session;
        gates.literal(&self.netlist, wire, solver)
    }

    fn solve(&mut self, assumed: &[Literal]) -> Run<Satisfiable> {
        self.session.solver.solve(assumed, &self.budget)
    }

    fn ask(&mut self, assumed: &[Literal], of_step: bool) -> Run<ConditionVerdict> {
        Ok(match self.solve(assumed)? {
            Satisfiable::No => ConditionVerdict::True,
            Satisfiable::Unproved => ConditionVerdict::Unproved,
            Satisfiable::Yes => {
                let mut state = self.values(StepEnd::Here);
                state.truncate(self.model.state_vars());
                let next = of_step.then(|| self.values(StepEnd::There));
                ConditionVerdict::Broken { state, next }
            }
        })
    }

    /// Whether each state that is like the first has a step to one that is like the second.
    fn some_step(
        &mut self,
        from: &StateCondition<'_>,
        to: &StateCondition<'_>,
    ) -> Run<ConditionVerdict> {
        let wires = [self.here(from)?, self.is_step, self.there(to)?];
        let [from, step, there] = wires.map(|wire| self.literal(wire));
        // None of the functions tried so far makes such a step.
        let mut asked = vec![self.session.in_invariant, from];
        loop {
            let found = self.ask(&asked, false)?;
            let ConditionVerdict::Broken { state, .. } = &found else {
                return Ok(found);
            };
            // Of this very state any step to the target will do.
            let mut fixed = vec![step, there];
            for wire in self.inputs_of_state() {
                let literal = self.literal(wire);
                fixed.push(literal.negated_if(!self.session.solver.value(literal)));
            }
            match self.solve(&fixed)? {
                // A certificate may be refused on the solver's word alone.
                Satisfiable::No | Satisfiable::Unproved => return Ok(found),
                Satisfiable::Yes => {}
            }
            let input = self
                .values(StepEnd::Here)
                .split_off(self.model.state_vars());
            let step = ConcreteStep {
                state: state.clone(),
                input,
                next: self.values(StepEnd::There),
            };
            // From the state that was found the function makes the step that was found, so this state does
            // not come up again.
            let does = self.generalised(&step, to)?;
            asked.push(self.literal(!does));
        }
    }

    /// When the generalisation of a step makes a step to a state that is so.
    fn generalised(&mut self, step: &ConcreteStep, to: &StateCondition<'_>) -> Run<Wire> {
        let (model, budget) = (self.model, &self.budget);
        let states = model.state_vars();
        let mut now: Vec<EncodedValue> = Vec::new();
        now.extend(self.here[..states].iter().map(|var| var.value.clone()));
        now.extend(
            step.input
                .iter()
                .map(|&value| EncodedValue::constant(value)),
        );
        let mut reading = TermReading::new(model, &self.reads_next, now, Vec::new(), budget);
        let own = self.own.get_or_insert_with(|| OwnConstraints::new(model));
        let netlist = &mut self.netlist;
        let next = own.next_state(model, netlist, &mut reading, step)?;
        let mut all = Vec::new();
        // The next state is computed, so that it is within the domains must be asked.
        for (var, value) in model.vars.iter().zip(&next) {
            all.push(netlist.in_domain(value, &var.domain));
        }
        reading.set_next(next.clone());
        all.extend(met(&mut reading, netlist, &model.trans, true)?);
        let mut after = TermReading::new(model, &self.reads_next, next, Vec::new(), budget);
        all.extend(met(&mut after, netlist, &model.invar, false)?);
        all.push(encoded(netlist, &mut after, model, to)?);
        Ok(netlist.all(all))
    }

    fn inputs_of_state(&self) -> Vec<Wire> {
        let vars = self.here[..self.model.state_vars()].iter();
        vars.flat_map(|var| var.inputs.iter().copied()).collect()
    }

    /// The values at a position that the solver found.
    fn values(&mut self, position: StepEnd) -> Vec<Value> {
        let SolverSession { solver, gates, .. } = &mut self.session;
        let vars = match position {
            StepEnd::Here => &self.here,
            StepEnd::There => &self.there,
        };
        let values = vars.iter().zip(self.model.vars.iter()).map(|(free, var)| {
            let inputs = free.inputs.iter();
            let bits = inputs.map(|&wire| {
                let literal = gates.literal(&self.netlist, wire, solver);
                solver.value(literal)
            });
            let bits: Vec<bool> = bits.collect();
            free.value_of(&var.domain, &bits)
        });
        values.collect()
    }
}

/// Which state of a step.
#[derive(Clone, Copy)]
enum StepEnd {
    Here,
    There,
}

impl SolverSession {
    fn new(netlist: &Netlist, inputs: &[Wire], required: &[Wire], invariant: &[Wire]) -> Self {
        let mut solver = CheckedSolver::new();
        let mut gates = GateVariables::default();
        // Values are read after the solver answered, when it is too late for another variable.
        for &wire in inputs {
            gates.literal(netlist, wire, &mut solver);
        }
        for &wire in required {
            let literal = gates.literal(netlist, wire, &mut solver);
            solver.add_clause(&[literal]);
        }
        let in_invariant = solver.new_variable();
        for &wire in invariant {
            let literal = gates.literal(netlist, wire, &mut solver);
            solver.add_clause(&[!in_invariant, literal]);
        }
        let size = solver.variables();
        Self {
            solver,
            gates,
            in_invariant,
            size,
        }
    }
}

/// When each of some constraints is met.
fn met(
    reading: &mut TermReading<'_>,
    netlist: &mut Netlist,
    constraints: &[Constraint],
    of_step: bool,
) -> Run<Vec<Wire>> {
    let each = constraints.iter();
    each.map(|constraint| reading.constraint(netlist, constraint, of_step))
        .collect()
}

/// When a condition is true of the present state.
fn encoded(
    netlist: &mut Netlist,
    reading: &mut TermReading<'_>,
    model: &Model,
    expr: &StateCondition<'_>,
) -> Run<Wire> {
    let mut each = |netlist: &mut Netlist, exprs: &[StateCondition<'_>]| -> Run<Vec<Wire>> {
        let exprs = exprs.iter();
        exprs
            .map(|expr| deep(|| encoded(netlist, reading, model, expr)))
            .collect()
    };
    Ok(match expr {
        StateCondition::Const(value) => Wire::constant(*value),
        StateCondition::All(exprs) => {
            let each = each(netlist, exprs)?;
            netlist.all(each)
        }
        StateCondition::Any(exprs) => {
            let each = each(netlist, exprs)?;
            netlist.any(each)
        }
        StateCondition::Not(expr) => !deep(|| encoded(netlist, reading, model, expr))?,
        StateCondition::Term(term) => reading.condition(netlist, *term)?,
        StateCondition::In(set) => in_set(netlist, reading, model, set)?,
    })
}

fn in_set(
    netlist: &mut Netlist,
    reading: &mut TermReading<'_>,
    model: &Model,
    set: &StateSet,
) -> Run<Wire> {
    let cubes = set.cubes.iter();
    let inside: Vec<Wire> = cubes
        .map(|cube| in_cube(netlist, reading, model, cube))
        .collect::<Run<_>>()?;
    Ok(netlist.any(inside).negated_if(set.outside))
}

fn in_cube(
    netlist: &mut Netlist,
    reading: &mut TermReading<'_>,
    model: &Model,
    cube: &Cube,
) -> Run<Wire> {
    let mut all = Vec::new();
    for (var, values) in &cube.values {
        all.push(netlist.one_of(reading.variable(*var), values));
    }
    for &(var, bits) in &cube.bits {
        let (value, domain) = (reading.variable(var), &model.vars[var].domain);
        for (place, bit) in bits.iter() {
            all.push(netlist.index_bit(value, domain, place).negated_if(!bit));
        }
    }
    for &(term, holds) in &cube.terms {
        all.push(reading.condition(netlist, term)?.negated_if(!holds));
    }
    Ok(netlist.all(all))
}
