//! One step of a model, generalised to a function that makes a step from many states.
//!
//! The solver names a state, an input and a next state. From another state the same input is taken, and
//! each variable gets the value it got there, or keeps its own, or takes another one that its own
//! constraints allow: a function of the state. Whether that is a step from the other state, and leads
//! where it should, is then a condition on that state alone. Nothing here is believed: a function that
//! makes no step satisfies no condition.

use rustc_hash::FxHashMap;
use wherefore_base::{Run, Value};
use wherefore_model::{Env, Interpreter, Model, Requirement, Support, Term, TermId, VarId};

use crate::encode::TermReading;
use crate::netlist::{Netlist, Wire};
use crate::values::EncodedValue;

/// A variable with more values than this is not tried with each of them.
const TRIED_VALUES: u64 = 16;

/// A step that the solver found.
pub(crate) struct ConcreteStep {
    pub(crate) state: Vec<Value>,
    pub(crate) input: Vec<Value>,
    pub(crate) next: Vec<Value>,
}

/// For each state variable, the constraints on steps that read no other variable of the next state.
pub(crate) struct OwnConstraints(Vec<Vec<usize>>);

impl OwnConstraints {
    pub(crate) fn new(model: &Model) -> Self {
        let mut own = vec![Vec::new(); model.state_vars()];
        for (at, constraint) in model.trans.iter().enumerate() {
            let mut read: Vec<VarId> = Support::of(model, [constraint.requires.term()])
                .next
                .into_iter()
                .collect();
            if let Requirement::Assign(var, _) = constraint.requires {
                read.push(var);
            }
            read.sort_unstable();
            read.dedup();
            if let [var] = read[..] {
                own[var.index()].push(at);
            }
        }
        Self(own)
    }

    /// The next state as a function of the present one, which the reading has together with the input of
    /// the step.
    pub(crate) fn next_state(
        &self,
        model: &Model,
        netlist: &mut Netlist,
        reading: &mut TermReading<'_>,
        step: &ConcreteStep,
    ) -> Run<Vec<EncodedValue>> {
        // These constraints read no next value but that of their own variable, so the others do not matter.
        let constants = step.next.iter().map(|&value| EncodedValue::constant(value));
        reading.set_next(constants.collect());
        let vars = (0..model.state_vars()).map(VarId::new);
        vars.map(|var| self.next_value(model, netlist, reading, step, var))
            .collect()
    }

    fn next_value(
        &self,
        model: &Model,
        netlist: &mut Netlist,
        reading: &mut TermReading<'_>,
        step: &ConcreteStep,
        var: VarId,
    ) -> Run<EncodedValue> {
        let (before, after) = (step.state[var.index()], step.next[var.index()]);
        let keep = reading.variable(var).clone();
        let mut ways = vec![EncodedValue::constant(after), keep];
        // A variable that kept its value is likelier to keep it from other states than to get this one.
        if before == after {
            ways.swap(0, 1);
        }
        let own = &self.0[var.index()];
        if own.is_empty() {
            return Ok(ways.swap_remove(0));
        }
        let assigned = own.iter().find_map(|&at| match model.trans[at].requires {
            Requirement::Assign(_, term) if !reading.reads_next(term) => Some(term),
            _ => None,
        });
        let domain = &model.vars[var].domain;
        match assigned {
            Some(term) => {
                let mut choice = MemberChoice {
                    model,
                    interpreter: Interpreter::new(model),
                    step,
                    wanted: after,
                    known: FxHashMap::default(),
                };
                ways.push(choice.value(netlist, reading, term)?);
            }
            None if domain.last() < TRIED_VALUES => {
                let others = domain.values().filter(|&value| value != after);
                ways.extend(others.map(EncodedValue::constant));
            }
            None => {}
        }
        let mut value = ways[0].clone();
        // The choice is built from its end, so that the first way that is allowed wins.
        for way in ways.into_iter().rev() {
            reading.set_next_variable(var, way.clone());
            let allowed = own.iter();
            let allowed = allowed.map(|&at| reading.constraint(netlist, &model.trans[at], true));
            let allowed: Vec<Wire> = allowed.collect::<Run<_>>()?;
            let allowed = netlist.all(allowed);
            value = netlist.either(allowed, &way, &value);
        }
        Ok(value)
    }
}

/// One value of a term that denotes several: of each list, the member that gave the value wanted.
struct MemberChoice<'a> {
    model: &'a Model,
    interpreter: Interpreter<'a>,
    step: &'a ConcreteStep,
    wanted: Value,
    known: FxHashMap<TermId, EncodedValue>,
}

impl MemberChoice<'_> {
    fn value(
        &mut self,
        netlist: &mut Netlist,
        reading: &mut TermReading<'_>,
        term: TermId,
    ) -> Run<EncodedValue> {
        if let Some(known) = self.known.get(&term) {
            return Ok(known.clone());
        }
        let value = match self.model.terms.get(term) {
            Term::Ite(condition, then, otherwise) => {
                let condition = reading.condition(netlist, *condition)?;
                let mut branch =
                    |term: TermId| wherefore_base::deep(|| self.value(netlist, reading, term));
                let (then, otherwise) = (branch(*then)?, branch(*otherwise)?);
                netlist.either(condition, &then, &otherwise)
            }
            Term::Set(members) => {
                let gave = |member: &&TermId| self.denoted(**member).contains(&self.wanted);
                // In a branch that the step did not take, no member may have given the value: any is worth a
                // try.
                let member = *members.iter().find(gave).unwrap_or(&members[0]);
                wherefore_base::deep(|| self.value(netlist, reading, member))?
            }
            _ => reading.value(netlist, term)?,
        };
        self.known.insert(term, value.clone());
        Ok(value)
    }

    fn denoted(&self, term: TermId) -> Vec<Value> {
        let ConcreteStep { state, input, next } = self.step;
        self.interpreter.values(term, Env { state, input, next })
    }
}
