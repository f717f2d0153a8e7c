//! Which states must come again and again, by one constraint or by several.
//!
//! With `ctlfc` the fair states are one set, `fc`. With `ctlfc_several` there is one set for each atom of a
//! signature, and a fact defines them all, `all c: C, s: State | s in fc[c] iff ..`, or there is a fact for each,
//! `all s: State | s in fc[North] iff ..`.

use wherefore_alloy::Model;
use wherefore_alloy::model::{BinaryOp, Mult, Quantifier, SigId, TermId, TermKind, VarId};
use wherefore_base::Span;

use crate::definition::{self, DefinedPart, one_of_states};
use crate::misfit::Misfit;
use crate::reading::{Module, bare, conjuncts, is_state_signature};

/// The states that must come again and again by one constraint, or by one for each atom of a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fair {
    /// The constraint.
    pub of: Constraint,
    /// The variable that stands for a state.
    pub s: VarId,
    /// What a fair state is.
    pub body: TermId,
}

/// Which constraint a definition of fair states is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constraint {
    /// The only one.
    Only,
    /// That of the one atom of a signature.
    Of(SigId),
    /// Each of those of a signature, by a variable.
    Each(VarId, SigId),
}

impl Module {
    /// The signature of the fairness constraints, if there may be several.
    pub fn constraints(&self, model: &Model) -> Option<SigId> {
        match model.fields[self.fair?].ty.products() {
            [product] if product.len() == 3 => Some(product[1]),
            _ => None,
        }
    }
}

/// What the fair states are, as far as facts say so; whether the model fits in other ways does not matter.
pub(crate) fn definitions(model: &Model, module: &Module) -> Vec<Fair> {
    let Some(state) = module.states(model) else {
        return Vec::new();
    };
    let facts = model.facts.iter().map(|fact| fact.body);
    let parts = facts.flat_map(|body| conjuncts(model, body));
    let found = parts.filter_map(|term| {
        definition(model, module, state, term).or_else(|| {
            match definition::definition(model, module, state, term)? {
                DefinedPart::Fair(s, body) => Some(Fair {
                    of: Constraint::Only,
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
    model: &Model,
    module: &Module,
    state: SigId,
    term: TermId,
) -> Option<Fair> {
    let all = module.constraints(model)?;
    let mut each = None;
    let mut s = None;
    let mut body = bare(model, term);
    while let TermKind::Quantified(Quantifier::All, bindings, inner) = &model.terms[body].kind {
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
        (&TermKind::Binary(BinaryOp::Iff, a, b), Some(s)) => {
            let (a, b) = (bare(model, a), bare(model, b));
            let member = |term: TermId| match model.terms[term].kind {
                TermKind::Binary(BinaryOp::In, element, set) => {
                    let is_s = matches!(model.terms[element].kind, TermKind::Var(var) if var == s);
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
        (&TermKind::Binary(BinaryOp::Equal, a, b), None) => {
            let set = |term: TermId| one_of_states(model, state, term);
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
        (Some(var), TermKind::Var(named)) if *named == var => Constraint::Each(var, all),
        (None, TermKind::Sig(sig)) if model.sigs[*sig].mult == Some(Mult::One) => {
            Constraint::Of(*sig)
        }
        _ => return None,
    };
    Some(Fair { of, s, body })
}

/// The constraint whose fair states a term is: `fc[c]`.
fn of(model: &Model, module: &Module, set: TermId) -> Option<TermId> {
    let fair = module.fair?;
    match model.terms[set].kind {
        TermKind::Join(constraint, all) if module.is_field(model, all, fair, "fc") => {
            Some(bare_atom(model, constraint))
        }
        TermKind::Mult(_, inner) => of(model, module, inner),
        _ => None,
    }
}

fn bare_atom(model: &Model, term: TermId) -> TermId {
    match model.terms[term].kind {
        TermKind::Mult(_, inner) => bare_atom(model, inner),
        _ => term,
    }
}

/// Every constraint must be defined, and once.
pub(crate) fn check(
    model: &Model,
    module: &Module,
    fair: &[Fair],
    span: Span,
) -> Result<(), Misfit> {
    let all = module.constraints(model);
    for (at, one) in fair.iter().enumerate() {
        let again = |other: &Fair| match (one.of, other.of) {
            (Constraint::Of(a), Constraint::Of(b)) => a == b,
            _ => true,
        };
        if fair[..at].iter().any(again) {
            let span = model.terms[one.body].span;
            return Err(Misfit::new(
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
                    of: Constraint::Each(..),
                    ..
                },
            ],
        ) => return Ok(()),
        (Some(all), _) => {
            let sig = &model.sigs[all];
            let defined = |id: SigId| fair.iter().any(|fair| fair.of == Constraint::Of(id));
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
    Err(Misfit::new(span, message))
}
