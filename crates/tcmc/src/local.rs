//! Whether a formula speaks of the states it is given, and of no others.
//!
//! In a complete system a state is the values of its fields. A formula over one or two states means the same
//! there only if it reads nothing but their fields: it may not count states, quantify over them, or ask for
//! fields of all of them at once.

use std::cell::RefCell;

use rustc_hash::FxHashSet;
use wherefore_alloy::AlloyModel;
use wherefore_alloy::model::{
    AlloyBinaryOp, AlloyQuantifier, AlloyTermId, AlloyTermKind, FieldId, FunctionId, SigId,
};
use wherefore_base::deep;

use crate::misfit::TcmcMisfit;
use crate::reading::{TcmcModule, is_state_signature};

/// Looks at the formulas of a model.
pub(crate) struct Locality<'m> {
    model: &'m AlloyModel,
    module: &'m TcmcModule,
    state: SigId,
    /// Functions whose bodies were looked at.
    known: RefCell<FxHashSet<FunctionId>>,
}

impl<'m> Locality<'m> {
    pub(crate) fn new(model: &'m AlloyModel, module: &'m TcmcModule, state: SigId) -> Self {
        Self {
            model,
            module,
            state,
            known: RefCell::default(),
        }
    }

    /// A formula over variables that stand for states, or over none.
    pub(crate) fn body(&self, term: AlloyTermId) -> Result<(), TcmcMisfit> {
        deep(|| self.body_here(term))
    }

    fn body_here(&self, term: AlloyTermId) -> Result<(), TcmcMisfit> {
        let model = self.model;
        match &model.terms[term].kind {
            AlloyTermKind::Sig(sig) => self.sig(*sig, term),
            AlloyTermKind::Field(field) => self.field(*field, term),
            AlloyTermKind::Join(left, right) => {
                let of_state = |field: FieldId| model.fields[field].sig == self.state;
                match model.terms[*right].kind {
                    // The field of a state that is at hand.
                    AlloyTermKind::Field(field) if of_state(field) && self.is_variable(*left) => {
                        Ok(())
                    }
                    _ => {
                        for side in [*left, *right] {
                            if !self.is_everything(side) {
                                self.body(side)?;
                            }
                        }
                        Ok(())
                    }
                }
            }
            AlloyTermKind::Binary(AlloyBinaryOp::In, a, b) if self.is_of_states(*a) => {
                // `s in State` is true, and no other set of states is known here.
                match is_state_signature(model, self.state, *b) {
                    true => self.body(*a),
                    false => Err(self.other_states(term)),
                }
            }
            AlloyTermKind::Binary(AlloyBinaryOp::Equal, a, b) if self.is_of_states(*a) => {
                match self.is_variable(*a) && self.is_variable(*b) {
                    true => Ok(()),
                    false => Err(self.other_states(term)),
                }
            }
            AlloyTermKind::Call(function, arguments) => {
                if self.module.function(model, *function).is_some() {
                    return Err(self.other_states(term));
                }
                for &argument in arguments {
                    self.body(argument)?;
                }
                self.function(*function)
            }
            kind => {
                // Present and next state are two atoms, also where they are equal: only `=` knows better.
                let counts_atoms = matches!(
                    kind,
                    AlloyTermKind::Unary(..)
                        | AlloyTermKind::Binary(..)
                        | AlloyTermKind::Arrow(..)
                        | AlloyTermKind::Disj(_)
                        | AlloyTermKind::TotalOrder(..)
                );
                for operand in kind.operands() {
                    if counts_atoms && self.is_of_states(operand) {
                        return Err(self.other_states(term));
                    }
                    self.body(operand)?;
                }
                Ok(())
            }
        }
    }

    /// A set of states that is described state by state: whether a state belongs to it is said by its own
    /// fields.
    pub(crate) fn set(&self, term: AlloyTermId) -> Result<(), TcmcMisfit> {
        deep(|| self.set_here(term))
    }

    fn set_here(&self, term: AlloyTermId) -> Result<(), TcmcMisfit> {
        let model = self.model;
        match &model.terms[term].kind {
            AlloyTermKind::Sig(sig) if *sig == self.state => Ok(()),
            AlloyTermKind::Binary(
                AlloyBinaryOp::Union | AlloyBinaryOp::Intersection | AlloyBinaryOp::Difference,
                a,
                b,
            ) => {
                self.set(*a)?;
                self.set(*b)
            }
            AlloyTermKind::Mult(_, inner) => self.set(*inner),
            AlloyTermKind::Quantified(AlloyQuantifier::Comprehension, bindings, body) => {
                let [binding] = &bindings[..] else {
                    return Err(self.other_states(term));
                };
                if !is_state_signature(model, self.state, binding.bound) {
                    self.set(binding.bound)?;
                }
                self.body(*body)
            }
            // The states whose field has a value: `mode.start`, `State.mode` is not one.
            AlloyTermKind::Join(left, right) => {
                match model.terms[*left].kind {
                    AlloyTermKind::Field(field) if model.fields[field].sig == self.state => {}
                    AlloyTermKind::Join(..) => self.set(*left)?,
                    _ => return Err(self.other_states(term)),
                }
                match self.is_everything(*right) {
                    true => Ok(()),
                    false => self.body(*right),
                }
            }
            AlloyTermKind::Call(function, arguments) if arguments.is_empty() => {
                match model.functions[*function].body {
                    Some(body) if self.module.function(model, *function).is_none() => {
                        self.set(body)
                    }
                    _ => Err(self.other_states(term)),
                }
            }
            _ => Err(self.other_states(term)),
        }
    }

    fn function(&self, id: FunctionId) -> Result<(), TcmcMisfit> {
        if !self.known.borrow_mut().insert(id) {
            return Ok(());
        }
        match self.model.functions[id].body {
            Some(body) => self.body(body),
            None => Ok(()),
        }
    }

    fn sig(&self, sig: SigId, term: AlloyTermId) -> Result<(), TcmcMisfit> {
        let everything = sig.index() == AlloyModel::UNIV;
        if sig == self.state || everything || self.module.owns(self.model, sig) {
            return Err(self.other_states(term));
        }
        Ok(())
    }

    fn field(&self, field: FieldId, term: AlloyTermId) -> Result<(), TcmcMisfit> {
        let sig = self.model.fields[field].sig;
        if sig == self.state || self.module.owns(self.model, sig) {
            return Err(self.other_states(term));
        }
        Ok(())
    }

    /// Whether a term is a variable.
    fn is_variable(&self, term: AlloyTermId) -> bool {
        matches!(self.model.terms[term].kind, AlloyTermKind::Var(_))
    }

    /// Whether a term is `univ`, which is harmless beside a dot.
    fn is_everything(&self, term: AlloyTermId) -> bool {
        matches!(self.model.terms[term].kind, AlloyTermKind::Sig(sig) if sig.index() == AlloyModel::UNIV)
    }

    fn is_of_states(&self, term: AlloyTermId) -> bool {
        let products = self.model.terms[term].ty.products();
        products.iter().any(|product| product.contains(&self.state))
    }

    fn other_states(&self, term: AlloyTermId) -> TcmcMisfit {
        let state = &self.model.sigs[self.state].label;
        let message =
            format!("This asks about more of `{state}` than the fields of the states at hand");
        TcmcMisfit::new(self.model.terms[term].span, message)
    }
}
