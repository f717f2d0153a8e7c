//! What of a state matters for a step: the part of it that makes all its states have the step.
//!
//! A state, an input and a next state cannot contradict the constraints they satisfy; the bits of the state
//! that the contradiction needs are enough (Chockler, Ivrii, Matsliah, Moran and Nevo 2011). Only the
//! constraints on what is asked of the next state count: a variable that has one assignment, and of which
//! nobody asks, can always take its value.

use std::collections::BTreeSet;

use wherefore_base::{Budget, Run};
use wherefore_model::{Constraint, Model, Requirement, Support, VarId};
use wherefore_sat::{BitSystem, CircuitEdge, Cnf, Lit, SatAnswer, Solver, Unrolling};

use crate::frames::BitCube;

/// After so many questions the solver is made anew.
const QUESTIONS: usize = 4000;

/// Finds the part of a state that matters.
#[derive(Debug)]
pub(crate) struct Lifting<S> {
    solver: S,
    cnf: Cnf,
    asked: usize,
    /// For each state variable, the next variables that have to do with its next value, itself included.
    related: Vec<BTreeSet<VarId>>,
    /// The constraints on a step and on its next state, each with the variable it assigns alone, if so.
    rules: Vec<(CircuitEdge, Option<VarId>)>,
}

/// A step, as a solver found it.
#[derive(Clone, Debug)]
pub(crate) struct LiftedState {
    /// The values of all bits of the state.
    pub(crate) state: Vec<bool>,
    /// The values of the bits of the inputs, with the edges of the unrolling.
    pub(crate) input: Vec<(CircuitEdge, bool)>,
    /// The values of the bits of each next variable, with the edges of the unrolling.
    pub(crate) next: Vec<Vec<(CircuitEdge, bool)>>,
}

impl<S: Solver> Lifting<S> {
    pub(crate) fn new(system: &BitSystem<'_>, unrolling: &mut Unrolling) -> Self {
        let model = system.model();
        let assigned_once = assigned_once(model);
        let alone = |requires: Requirement| match requires {
            Requirement::Assign(var, _) if assigned_once[var.index()] => Some(var),
            _ => None,
        };
        let of_step = system.trans.iter().enumerate().map(|(at, &edge)| {
            let constraint = at.checked_sub(model.input_vars());
            let constraint = constraint.map(|at| &model.trans[at]);
            (0, edge, constraint.and_then(|c| alone(c.requires)))
        });
        let of_next = system.invar.iter().enumerate().map(|(at, &edge)| {
            let var = match at.checked_sub(model.state_vars()) {
                Some(at) => alone(model.invar[at].requires),
                None => Some(VarId::new(at)),
            };
            (1, edge, var)
        });
        let rules: Vec<_> = of_step.chain(of_next).collect();
        let rules = rules
            .into_iter()
            .map(|(position, edge, var)| (unrolling.at(system, position, edge), var))
            .collect();
        Self {
            solver: S::empty(),
            cnf: Cnf::new(),
            asked: 0,
            related: related(model, &assigned_once),
            rules,
        }
    }

    /// The part of the state of a step that leads into the cube it stepped into. `now` are the edges of the
    /// bits of the state.
    pub(crate) fn before(
        &mut self,
        unrolling: &Unrolling,
        now: &[CircuitEdge],
        found: &LiftedState,
        into: &BTreeSet<VarId>,
        budget: &Budget,
    ) -> Run<BitCube> {
        self.refresh();
        let mut asked: BTreeSet<VarId> = BTreeSet::new();
        for var in into {
            asked.extend(&self.related[var.index()]);
        }
        let rules: Vec<CircuitEdge> = self
            .rules
            .iter()
            .filter(|(_, var)| var.is_none_or(|var| asked.contains(&var)))
            .map(|(edge, _)| *edge)
            .collect();
        let broken = self.solver.new_var();
        // The solver is asked to break a rule; as it cannot, the bits that forbid it are those that matter.
        let mut clause = vec![!broken];
        for edge in rules {
            clause.push(
                self.cnf
                    .demand(unrolling.circuit(), !edge, &mut self.solver),
            );
        }
        self.solver.add_clause(&clause);
        let next = asked.iter().flat_map(|var| &found.next[var.index()]);
        let given: Vec<(CircuitEdge, bool)> = found.input.iter().chain(next).copied().collect();
        let mut assumptions = vec![broken];
        for (edge, value) in given {
            assumptions.push(self.literal(unrolling, edge).negated_if(!value));
        }
        let cube = self.core(unrolling, now, &found.state, assumptions, budget)?;
        // The clause served this question only.
        self.solver.add_clause(&[!broken]);
        Ok(cube)
    }

    /// The part of a state that makes a condition true.
    pub(crate) fn within(
        &mut self,
        unrolling: &Unrolling,
        now: &[CircuitEdge],
        state: &[bool],
        condition: CircuitEdge,
        budget: &Budget,
    ) -> Run<BitCube> {
        self.refresh();
        let circuit = unrolling.circuit();
        let not = self.cnf.demand(circuit, !condition, &mut self.solver);
        self.core(unrolling, now, state, vec![not], budget)
    }

    fn core(
        &mut self,
        unrolling: &Unrolling,
        now: &[CircuitEdge],
        state: &[bool],
        mut assumptions: Vec<Lit>,
        budget: &Budget,
    ) -> Run<BitCube> {
        self.asked += 1;
        let own: Vec<Lit> = now
            .iter()
            .zip(state)
            .map(|(&edge, &value)| self.literal(unrolling, edge).negated_if(!value))
            .collect();
        assumptions.extend(&own);
        let answer = self.solver.solve(&assumptions, budget)?;
        let mut needed = Vec::new();
        for (bit, (&lit, &value)) in (0..).zip(own.iter().zip(state)) {
            // Without a contradiction all bits are kept, which is always right.
            if answer == SatAnswer::Sat || self.solver.failed(lit) {
                needed.push((bit, value));
            }
        }
        Ok(needed)
    }

    fn literal(&mut self, unrolling: &Unrolling, edge: CircuitEdge) -> Lit {
        let circuit = unrolling.circuit();
        self.cnf.literal(circuit, edge, &mut self.solver)
    }

    fn refresh(&mut self) {
        if self.asked > QUESTIONS {
            self.solver = S::empty();
            self.cnf = Cnf::new();
            self.asked = 0;
        }
    }
}

/// For each variable, whether exactly one constraint on steps and states speaks of its next value by
/// assigning it.
fn assigned_once(model: &Model) -> Vec<bool> {
    let mut times = vec![0; model.vars.len()];
    for constraint in model.trans.iter().chain(&model.invar) {
        if let Requirement::Assign(var, _) = constraint.requires {
            times[var.index()] += 1;
        }
    }
    times.into_iter().map(|times| times == 1).collect()
}

/// For each state variable, the next variables that its next value has to do with.
fn related(model: &Model, assigned_once: &[bool]) -> Vec<BTreeSet<VarId>> {
    // What a constraint reads of the next state.
    let reads = |constraint: &Constraint, of_step: bool| {
        let support = Support::of(model, [constraint.requires.term()]);
        if of_step { support.next } else { support.now }
    };
    let mut always = BTreeSet::new();
    let mut direct: Vec<BTreeSet<VarId>> = vec![BTreeSet::new(); model.vars.len()];
    let of_step = model.trans.iter().map(|constraint| (constraint, true));
    let of_next = model.invar.iter().map(|constraint| (constraint, false));
    for (constraint, of_step) in of_step.chain(of_next) {
        let read = reads(constraint, of_step);
        match constraint.requires {
            Requirement::Assign(var, _) if assigned_once[var.index()] => {
                direct[var.index()].extend(read);
            }
            // Whatever is no lone assignment may restrict the step, so its variables always count.
            Requirement::Assign(var, _) => {
                always.insert(var);
                always.extend(read);
            }
            Requirement::Holds(_) => always.extend(read),
        }
    }
    let close = |start: BTreeSet<VarId>| {
        let mut found = start;
        let mut open: Vec<VarId> = found.iter().copied().collect();
        while let Some(var) = open.pop() {
            for &next in &direct[var.index()] {
                if found.insert(next) {
                    open.push(next);
                }
            }
        }
        found
    };
    let vars = (0..model.state_vars()).map(VarId::new);
    vars.map(|var| {
        let mut start = always.clone();
        start.insert(var);
        close(start)
    })
    .collect()
}
