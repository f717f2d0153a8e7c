//! The operations that the steps of a system are.

use wherefore_alloy::AlloyModel;
use wherefore_alloy::model::{
    AlloyBinaryOp, AlloyQuantifier, AlloyTermId, AlloyTermKind, AlloyVarId, Binding, FunctionId,
};
use wherefore_base::deep;

use crate::definition::{DefinedPart, definition};
use crate::reading::{TcmcModule, bare, conjuncts};

/// One way to take a step: a predicate, for some values of its other arguments.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The name of its predicate.
    pub name: String,
    /// The variable that stands for the present state.
    pub s: AlloyVarId,
    /// The variable that stands for the next state.
    pub t: AlloyVarId,
    /// What the quantifiers around the predicate declare, the outermost first.
    pub some: Vec<Binding>,
    /// The call of the predicate, over all these variables.
    pub call: AlloyTermId,
}

/// What a step is, with the variables that stand for the present state and for the next one.
pub(crate) type StepDefinition = (AlloyVarId, AlloyVarId, AlloyTermId);

/// What the steps are, as far as a fact says so; whether the model fits in other ways does not matter.
pub(crate) fn step(model: &AlloyModel, module: &TcmcModule) -> Option<StepDefinition> {
    let state = module.states(model)?;
    let facts = model.facts.iter().map(|fact| fact.body);
    let mut parts = facts.flat_map(|body| conjuncts(model, body));
    parts.find_map(|term| match definition(model, module, state, term) {
        Some(DefinedPart::Step(s, t, body)) => Some((s, t, body)),
        _ => None,
    })
}

/// The predicates whose disjunction a step is, if it is one. A predicate of the two states of the
/// step is looked into.
pub(crate) fn operations(
    model: &AlloyModel,
    (s, t, body): StepDefinition,
) -> Option<Vec<Operation>> {
    let mut open: Vec<(AlloyTermId, Vec<Binding>)> = vec![(body, Vec::new())];
    let mut found: Vec<Operation> = Vec::new();
    while let Some((term, around)) = open.pop() {
        let term = bare(model, term);
        match &model.terms[term].kind {
            &AlloyTermKind::Binary(AlloyBinaryOp::Or, a, b) => {
                open.extend([(b, around.clone()), (a, around)]);
            }
            AlloyTermKind::Quantified(AlloyQuantifier::Some, bindings, inner) => {
                let around = [around, bindings.clone()].concat();
                open.push((*inner, around));
            }
            AlloyTermKind::Call(function, arguments) => {
                let inner = around
                    .is_empty()
                    .then(|| {
                        deep(|| operations(model, handed_on(model, *function, arguments, s, t)?))
                    })
                    .flatten();
                match inner {
                    Some(inner) => found.extend(inner),
                    None => {
                        found.push(Operation {
                            name: model.functions[*function].label.clone(),
                            s,
                            t,
                            some: around,
                            call: term,
                        });
                    }
                }
            }
            _ => return None,
        }
    }
    (!found.is_empty()).then_some(found)
}

/// The body of a predicate that is called with the two states of a step alone.
pub(crate) fn handed_on(
    model: &AlloyModel,
    function: FunctionId,
    arguments: &[AlloyTermId],
    s: AlloyVarId,
    t: AlloyVarId,
) -> Option<(AlloyVarId, AlloyVarId, AlloyTermId)> {
    let callee = &model.functions[function];
    let body = callee.body?;
    let &[a, b] = arguments else {
        return None;
    };
    let params: Vec<AlloyVarId> = callee.vars().collect();
    let is = |term: AlloyTermId, var: AlloyVarId| matches!(model.terms[term].kind, AlloyTermKind::Var(v) if v == var);
    if is(a, s) && is(b, t) {
        Some((params[0], params[1], body))
    } else if is(a, t) && is(b, s) {
        Some((params[1], params[0], body))
    } else {
        None
    }
}
