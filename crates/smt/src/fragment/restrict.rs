//! A model restricted to given states and steps.

use std::collections::BTreeMap;

use wherefore_base::{Span, Value as Plain};
use wherefore_model::{
    BinaryOp, Constraint, Model, Requirement, Term as Low, TermId as LowId, VarId, VarKind,
};

/// States and steps, as values of the variables.
#[derive(Clone, Debug, Default)]
pub(super) struct ValueSteps {
    /// Values of the state.
    pub(super) initial: Vec<Vec<Plain>>,
    pub(super) steps: Vec<ValueStep>,
}

/// A step, as values of the variables.
#[derive(Clone, Debug)]
pub(super) struct ValueStep {
    /// The state before it.
    pub(super) before: Vec<Plain>,
    /// The state after it.
    pub(super) after: Vec<Plain>,
    pub(super) inputs: Vec<Plain>,
}

/// Restricts a model to these states and steps.
pub(super) fn restrict(model: &mut Model, allowed: &ValueSteps, span: Span) {
    let state: Vec<VarId> = model.vars.ids().take(model.state_vars()).collect();
    restrict_initial(model, &state, allowed, span);
    restrict_steps(model, &state, allowed, span);
}

fn restrict_initial(model: &mut Model, state: &[VarId], allowed: &ValueSteps, span: Span) {
    let constraint = |requires| Constraint { requires, span };
    let mut initial = constant(model, Plain::Bool(false));
    for values in &allowed.initial {
        let is = are(model, state, values, false);
        initial = binary(model, BinaryOp::Or, initial, is);
    }
    for (at, &var) in state.iter().enumerate() {
        let values = allowed.initial.iter().map(|first| first[at]);
        if let Some(set) = one_of(model, values) {
            model.init.push(constraint(Requirement::Assign(var, set)));
        }
    }
    model.init.push(constraint(Requirement::Holds(initial)));
}

fn restrict_steps(model: &mut Model, state: &[VarId], allowed: &ValueSteps, span: Span) {
    let constraint = |requires| Constraint { requires, span };
    let inputs: Vec<VarId> = model.vars.ids().skip(state.len()).collect();
    let mut by_source: BTreeMap<&Vec<Plain>, Vec<&ValueStep>> = BTreeMap::new();
    for step in &allowed.steps {
        by_source.entry(&step.before).or_default().push(step);
    }
    let mut sources = Vec::new();
    for before in by_source.keys() {
        sources.push(are(model, state, before, false));
    }
    // What is tried first is where the runs go, so there is nothing to search.
    for (at, &var) in state.iter().enumerate() {
        if model.vars[var].kind == VarKind::Frozen {
            continue;
        }
        let mut next = model.terms.add(Low::Var(var), None);
        for (steps, &source) in by_source.values().zip(&sources) {
            let values = steps.iter().map(|step| step.after[at]);
            if let Some(value) = one_of(model, values) {
                next = model.terms.add(Low::Ite(source, value, next), None);
            }
        }
        model.trans.push(constraint(Requirement::Assign(var, next)));
    }
    // Each variable alone may take any of its values: only together do they make a step.
    let mut along = constant(model, Plain::Bool(false));
    for (steps, &source) in by_source.values().zip(&sources) {
        for step in steps {
            let to = are(model, state, &step.after, true);
            let with = are(model, &inputs, &step.inputs, false);
            let both = binary(model, BinaryOp::And, to, with);
            let is = binary(model, BinaryOp::And, source, both);
            along = binary(model, BinaryOp::Or, along, is);
        }
    }
    model.trans.push(constraint(Requirement::Holds(along)));
}

pub(super) fn constant(model: &mut Model, value: Plain) -> LowId {
    model.terms.add(Low::Const(value), None)
}

pub(super) fn binary(model: &mut Model, op: BinaryOp, a: LowId, b: LowId) -> LowId {
    model.terms.add(Low::Binary(op, a, b), None)
}

/// That a variable has a value.
pub(super) fn is(model: &mut Model, var: Low, value: Plain) -> LowId {
    let var = model.terms.add(var, None);
    let value = constant(model, value);
    binary(model, BinaryOp::Equal, var, value)
}

/// That variables have these values, now or in the next state.
fn are(model: &mut Model, vars: &[VarId], values: &[Plain], next: bool) -> LowId {
    let mut all = constant(model, Plain::Bool(true));
    for (&var, &value) in vars.iter().zip(values) {
        // A frozen variable has no next value of its own.
        let frozen = model.vars[var].kind == VarKind::Frozen;
        let term = if next && !frozen {
            Low::Next(var)
        } else {
            Low::Var(var)
        };
        let is = is(model, term, value);
        all = binary(model, BinaryOp::And, all, is);
    }
    all
}

/// The choice among values, each taken once, in the order in which they come; `None` without any.
fn one_of(model: &mut Model, values: impl Iterator<Item = Plain>) -> Option<LowId> {
    let mut different: Vec<Plain> = Vec::new();
    for value in values {
        if !different.contains(&value) {
            different.push(value);
        }
    }
    let terms: Vec<LowId> = different.iter().map(|&v| constant(model, v)).collect();
    match terms[..] {
        [] => None,
        [one] => Some(one),
        _ => Some(model.terms.add(Low::Set(terms.into()), None)),
    }
}
