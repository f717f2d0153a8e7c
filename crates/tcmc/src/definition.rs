//! What single facts define: the initial states, the steps, the fair states.

use wherefore_alloy::AlloyModel;
use wherefore_alloy::model::{
    AlloyBinaryOp, AlloyQuantifier, AlloyTermId, AlloyTermKind, AlloyVarId, SigId,
};

use crate::facts::StepBody;
use crate::reading::{SystemReading, TcmcModule, all_states, bare, states_for_all};

/// What a fact defines.
pub(crate) enum DefinedPart {
    Initial(AlloyVarId, AlloyTermId),
    Step(AlloyVarId, AlloyVarId, AlloyTermId),
    Fair(AlloyVarId, AlloyTermId),
}

/// What a fact defines, if it is a definition.
pub(crate) fn definition(
    model: &AlloyModel,
    module: &TcmcModule,
    state: SigId,
    term: AlloyTermId,
) -> Option<DefinedPart> {
    let term = bare(model, term);
    if let AlloyTermKind::Binary(AlloyBinaryOp::Equal, a, b) = model.terms[term].kind {
        return set_definition(model, module, state, a, b)
            .or_else(|| set_definition(model, module, state, b, a));
    }
    let (vars, body) = states_for_all(model, state, term)?;
    match (&model.terms[body].kind, &vars[..]) {
        (&AlloyTermKind::Binary(AlloyBinaryOp::Iff, a, b), _) => {
            let (a, b) = (bare(model, a), bare(model, b));
            said_of(model, module, &vars, a, b).or_else(|| said_of(model, module, &vars, b, a))
        }
        (&AlloyTermKind::Binary(AlloyBinaryOp::Equal, a, b), &[s]) => {
            let next = |set: AlloyTermId, value: AlloyTermId| {
                let from = next_states(model, module, set)?;
                let (t, body) = one_of_states(model, state, value)?;
                (from == s).then_some(DefinedPart::Step(s, t, body))
            };
            next(a, b).or_else(|| next(b, a))
        }
        _ => None,
    }
}

/// The state whose next states a term is: `s.nextState`.
fn next_states(model: &AlloyModel, module: &TcmcModule, set: AlloyTermId) -> Option<AlloyVarId> {
    match model.terms[set].kind {
        AlloyTermKind::Join(from, steps) if is_step(module, model, steps) => {
            match model.terms[from].kind {
                AlloyTermKind::Var(s) => Some(s),
                _ => None,
            }
        }
        AlloyTermKind::Mult(_, inner) => next_states(model, module, inner),
        _ => None,
    }
}

/// The variable and the body of `{s: State | body}`.
pub(crate) fn one_of_states(
    model: &AlloyModel,
    state: SigId,
    value: AlloyTermId,
) -> Option<(AlloyVarId, AlloyTermId)> {
    match &model.terms[value].kind {
        AlloyTermKind::Quantified(AlloyQuantifier::Comprehension, bindings, body) => {
            match all_states(model, state, bindings)?[..] {
                [s] => Some((s, bare(model, *body))),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `s in initialState iff body` and its relatives.
fn said_of(
    model: &AlloyModel,
    module: &TcmcModule,
    vars: &[AlloyVarId],
    member: AlloyTermId,
    body: AlloyTermId,
) -> Option<DefinedPart> {
    let AlloyTermKind::Binary(AlloyBinaryOp::In, element, set) = model.terms[member].kind else {
        return None;
    };
    let is = |term: AlloyTermId, var: AlloyVarId| matches!(model.terms[term].kind, AlloyTermKind::Var(v) if v == var);
    match (vars, &model.terms[element].kind) {
        (&[s], AlloyTermKind::Var(var)) if *var == s => {
            if module.is_field(model, set, module.initial, "initialState") {
                return Some(DefinedPart::Initial(s, body));
            }
            let fair = module
                .fair
                .filter(|_| module.constraints(model).is_none())?;
            module
                .is_field(model, set, fair, "fc")
                .then_some(DefinedPart::Fair(s, body))
        }
        (&[s, t], &AlloyTermKind::Var(element)) => {
            let from = next_states(model, module, set)?;
            // Either of the two variables may be the one for the present state.
            let step = (from == s && element == t) || (from == t && element == s);
            step.then_some(DefinedPart::Step(from, element, body))
        }
        (&[s, t], &AlloyTermKind::Arrow(_, _, a, b)) if is_step(module, model, set) => {
            if is(a, s) && is(b, t) {
                Some(DefinedPart::Step(s, t, body))
            } else if is(a, t) && is(b, s) {
                Some(DefinedPart::Step(t, s, body))
            } else {
                None
            }
        }
        _ => None,
    }
}

/// `s -> t in nextState implies body`
pub(crate) fn of_steps(
    model: &AlloyModel,
    module: &TcmcModule,
    vars: &[AlloyVarId],
    body: AlloyTermId,
) -> Option<StepBody> {
    let (member, said) = implication(model, body)?;
    said_of_steps(model, module, vars, member, said)
}

/// `body implies s -> t in nextState`
pub(crate) fn enough_for_step(
    model: &AlloyModel,
    module: &TcmcModule,
    vars: &[AlloyVarId],
    body: AlloyTermId,
) -> Option<StepBody> {
    let (said, member) = implication(model, body)?;
    said_of_steps(model, module, vars, member, said)
}

fn implication(model: &AlloyModel, term: AlloyTermId) -> Option<(AlloyTermId, AlloyTermId)> {
    match model.terms[term].kind {
        AlloyTermKind::Binary(AlloyBinaryOp::Implies, a, b) => Some((a, b)),
        _ => None,
    }
}

/// What is said of pairs of states beside that they are steps.
fn said_of_steps(
    model: &AlloyModel,
    module: &TcmcModule,
    vars: &[AlloyVarId],
    member: AlloyTermId,
    said: AlloyTermId,
) -> Option<StepBody> {
    match said_of(model, module, vars, bare(model, member), said)? {
        DefinedPart::Step(s, t, said) => Some((s, t, said)),
        DefinedPart::Initial(..) | DefinedPart::Fair(..) => None,
    }
}

pub(crate) fn is_enough_for_step(
    model: &AlloyModel,
    module: &TcmcModule,
    state: SigId,
    term: AlloyTermId,
) -> bool {
    let said = states_for_all(model, state, term);
    said.is_some_and(|(vars, body)| enough_for_step(model, module, &vars, body).is_some())
}

/// Whether a fact tells, alone or with others, which pairs of states are steps.
pub(crate) fn tells_steps(model: &AlloyModel, reading: &SystemReading, term: AlloyTermId) -> bool {
    let (module, state) = (&reading.module, reading.state);
    if reading.enough.is_empty() {
        return matches!(
            definition(model, module, state, term),
            Some(DefinedPart::Step(..))
        );
    }
    let Some((vars, body)) = states_for_all(model, state, term) else {
        return false;
    };
    of_steps(model, module, &vars, body).is_some()
        || enough_for_step(model, module, &vars, body).is_some()
}

fn is_step(module: &TcmcModule, model: &AlloyModel, set: AlloyTermId) -> bool {
    module.is_field(model, set, module.steps, "nextState")
}

/// `initialState = {s: State | body}` and its relatives.
fn set_definition(
    model: &AlloyModel,
    module: &TcmcModule,
    state: SigId,
    set: AlloyTermId,
    value: AlloyTermId,
) -> Option<DefinedPart> {
    let AlloyTermKind::Quantified(AlloyQuantifier::Comprehension, bindings, body) =
        &model.terms[value].kind
    else {
        return None;
    };
    let body = bare(model, *body);
    match all_states(model, state, bindings)?[..] {
        [s] if module.is_field(model, set, module.initial, "initialState") => {
            Some(DefinedPart::Initial(s, body))
        }
        [s] if module.constraints(model).is_none()
            && module
                .fair
                .is_some_and(|fair| module.is_field(model, set, fair, "fc")) =>
        {
            Some(DefinedPart::Fair(s, body))
        }
        [s, t] if is_step(module, model, set) => Some(DefinedPart::Step(s, t, body)),
        _ => None,
    }
}
