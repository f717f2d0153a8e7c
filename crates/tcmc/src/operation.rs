//! The operations that the steps of a system are.

use wherefore_alloy::Model;
use wherefore_alloy::model::{BinaryOp, Binding, FunctionId, Quantifier, TermId, TermKind, VarId};
use wherefore_base::deep;

use crate::definition::{DefinedPart, definition};
use crate::reading::{Module, bare, conjuncts};

/// One way to take a step: a predicate, for some values of its other arguments.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The name of its predicate.
    pub name: String,
    /// The variable that stands for the present state.
    pub s: VarId,
    /// The variable that stands for the next state.
    pub t: VarId,
    /// What the quantifiers around the predicate declare, the outermost first.
    pub some: Vec<Binding>,
    /// The call of the predicate, over all these variables.
    pub call: TermId,
}

/// What a step is, with the variables that stand for the present state and for the next one.
pub(crate) type StepDefinition = (VarId, VarId, TermId);

/// What the steps are, as far as a fact says so; whether the model fits in other ways does not matter.
pub(crate) fn step(model: &Model, module: &Module) -> Option<StepDefinition> {
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
pub(crate) fn operations(model: &Model, (s, t, body): StepDefinition) -> Option<Vec<Operation>> {
    let mut open: Vec<(TermId, Vec<Binding>)> = vec![(body, Vec::new())];
    let mut found: Vec<Operation> = Vec::new();
    while let Some((term, around)) = open.pop() {
        let term = bare(model, term);
        match &model.terms[term].kind {
            &TermKind::Binary(BinaryOp::Or, a, b) => {
                open.extend([(b, around.clone()), (a, around)]);
            }
            TermKind::Quantified(Quantifier::Some, bindings, inner) => {
                let around = [around, bindings.clone()].concat();
                open.push((*inner, around));
            }
            TermKind::Call(function, arguments) => {
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
    model: &Model,
    function: FunctionId,
    arguments: &[TermId],
    s: VarId,
    t: VarId,
) -> Option<(VarId, VarId, TermId)> {
    let callee = &model.functions[function];
    let body = callee.body?;
    let &[a, b] = arguments else {
        return None;
    };
    let params: Vec<VarId> = callee.vars().collect();
    let is =
        |term: TermId, var: VarId| matches!(model.terms[term].kind, TermKind::Var(v) if v == var);
    if is(a, s) && is(b, t) {
        Some((params[0], params[1], body))
    } else if is(a, t) && is(b, s) {
        Some((params[1], params[0], body))
    } else {
        None
    }
}
