//! Which states must come again and again, by one constraint or by several.
//!
//! With `ctlfc` the fair states are one set, `fc`. With `ctlfc_several` there is one set for each atom of a
//! signature, and a fact defines them all, `all c: C, s: State | s in fc[c] iff ..`, or there is a fact for each,
//! `all s: State | s in fc[North] iff ..`.

use wherefore_alloy::AlloyModel;
use wherefore_alloy::model::{
    AlloyBinaryOp, AlloyQuantifier, AlloyTermId, AlloyTermKind, AlloyVarId, Mult, SigId,
};
use wherefore_base::Span;

use crate::definition::{self, DefinedPart, one_of_states};
use crate::misfit::TcmcMisfit;
use crate::reading::{TcmcModule, bare, conjuncts, is_state_signature};

/// The states that must come again and again by one constraint, or by one for each atom of a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fair {
    /// The constraint.
    pub of: FairnessConstraint,
    /// The variable that stands for a state.
    pub s: AlloyVarId,
    /// What a fair state is.
    pub body: AlloyTermId,
}

/// Which constraint a definition of fair states is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FairnessConstraint {
    /// The only one.
    Only,
    /// That of the one atom of a signature.
    Of(SigId),
    /// Each of those of a signature, by a variable.
    Each(AlloyVarId, SigId),
}

impl TcmcModule {
    /// The signature of the fairness constraints, if there may be several.
    pub fn constraints(&self, model: &AlloyModel) -> Option<SigId> {
        match model.fields[self.fair?].ty.products() {
            [product] if product.len() == 3 => Some(product[1]),
            _ => None,
        }
    }
}

/// What the fair states are, as far as facts say so; whether the model fits in other ways does not matter.
pub(crate) fn definitions(model: &AlloyModel, module: &TcmcModule) -> Vec<Fair> {
    let Some(state) = module.states(model) else {
        return Vec::new();
    };
    let facts = model.facts.iter().map(|fact| fact.body);
    let parts = facts.flat_map(|body| conjuncts(model, body));
    let found = parts.filter_map(|term| {
        definition(model, module, state, term).or_else(|| {
            match definition::definition(model, module, state, term)? {
                DefinedPart::Fair(s, body) => Some(Fair {
                    of: FairnessConstraint::Only,
                    s,
                    body,
                }),
                _ => None,
            }
        })
    });
    found.collect()
}

/// What a fact says of the fair states of several constraints, if it is a definition of them.
pub(crate) fn definition(
    model: &AlloyModel,
    module: &TcmcModule,
    state: SigId,
    term: AlloyTermId,
) -> Option<Fair> {
    let all = module.constraints(model)?;
    let mut each = None;
    let mut s = None;
    let mut body = bare(model, term);
    while let AlloyTermKind::Quantified(AlloyQuantifier::All, bindings, inner) =
        &model.terms[body].kind
    {
        for binding in bindings {
            let place = match is_state_signature(model, state, binding.bound) {
                true => &mut s,
                false if is_state_signature(model, all, binding.bound) => &mut each,
                false => return None,
            };
            let &[var] = &binding.vars[..] else {
                return None;
            };
            if place.replace(var).is_some() {
                return None;
            }
        }
        body = bare(model, *inner);
    }
    let (set, s, body) = match (&model.terms[body].kind, s) {
        (&AlloyTermKind::Binary(AlloyBinaryOp::Iff, a, b), Some(s)) => {
            let (a, b) = (bare(model, a), bare(model, b));
            let member = |term: AlloyTermId| match model.terms[term].kind {
                AlloyTermKind::Binary(AlloyBinaryOp::In, element, set) => {
                    let is_s =
                        matches!(model.terms[element].kind, AlloyTermKind::Var(var) if var == s);
                    is_s.then_some(set)
                }
                _ => None,
            };
            match (member(a), member(b)) {
                (Some(set), _) if of(model, module, set).is_some() => (set, s, b),
                (_, Some(set)) => (set, s, a),
                _ => return None,
            }
        }
        (&AlloyTermKind::Binary(AlloyBinaryOp::Equal, a, b), None) => {
            let set = |term: AlloyTermId| one_of_states(model, state, term);
            match (set(a), set(b)) {
                (_, Some((s, body))) => (a, s, body),
                (Some((s, body)), _) => (b, s, body),
                _ => return None,
            }
        }
        _ => return None,
    };
    let constraint = of(model, module, set)?;
    let of = match (each, &model.terms[constraint].kind) {
        (Some(var), AlloyTermKind::Var(named)) if *named == var => {
            FairnessConstraint::Each(var, all)
        }
        (None, AlloyTermKind::Sig(sig)) if model.sigs[*sig].mult == Some(Mult::One) => {
            FairnessConstraint::Of(*sig)
        }
        _ => return None,
    };
    Some(Fair { of, s, body })
}

/// The constraint whose fair states a term is: `fc[c]`.
fn of(model: &AlloyModel, module: &TcmcModule, set: AlloyTermId) -> Option<AlloyTermId> {
    let fair = module.fair?;
    match model.terms[set].kind {
        AlloyTermKind::Join(constraint, all) if module.is_field(model, all, fair, "fc") => {
            Some(bare_atom(model, constraint))
        }
        AlloyTermKind::Mult(_, inner) => of(model, module, inner),
        _ => None,
    }
}

fn bare_atom(model: &AlloyModel, term: AlloyTermId) -> AlloyTermId {
    match model.terms[term].kind {
        AlloyTermKind::Mult(_, inner) => bare_atom(model, inner),
        _ => term,
    }
}

/// Every constraint must be defined, and once.
pub(crate) fn check(
    model: &AlloyModel,
    module: &TcmcModule,
    fair: &[Fair],
    span: Span,
) -> Result<(), TcmcMisfit> {
    let all = module.constraints(model);
    for (at, one) in fair.iter().enumerate() {
        // Two definitions go together only if they are of different single constraints.
        let again = |other: &Fair| match (one.of, other.of) {
            (FairnessConstraint::Of(a), FairnessConstraint::Of(b)) => a == b,
            _ => true,
        };
        if fair[..at].iter().any(again) {
            let span = model.terms[one.body].span;
            return Err(TcmcMisfit::new(
                span,
                "The fair states are defined a second time here",
            ));
        }
    }
    let message = match (all, fair) {
        (_, []) => "No fact says with `iff`, for every state, what the fair states are".to_owned(),
        (None, _) => return Ok(()),
        (
            Some(_),
            [
                Fair {
                    of: FairnessConstraint::Each(..),
                    ..
                },
            ],
        ) => return Ok(()),
        (Some(all), _) => {
            let sig = &model.sigs[all];
            let defined = |id: SigId| {
                fair.iter()
                    .any(|fair| fair.of == FairnessConstraint::Of(id))
            };
            if sig.mult == Some(Mult::One) && defined(all) {
                return Ok(());
            }
            match sig.children.iter().find(|id| !defined(**id)) {
                Some(missing) => format!(
                    "No fact says with `iff`, for every state, what the fair states of `{}` are",
                    model.sigs[*missing].label
                ),
                None if sig.is_abstract && !sig.children.is_empty() => return Ok(()),
                None => format!(
                    "No fact says with `iff`, for every state, what the fair states of each of `{}` are",
                    sig.label
                ),
            }
        }
    };
    Err(TcmcMisfit::new(span, message))
}
