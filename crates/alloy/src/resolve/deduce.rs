//! The type of a call: that of the declared result, with the types of the arguments for the parameters.
//!
//! So `dom[r]`, whose declared result is `set r.univ`, has the type of the first column of what is given for `r`.

use rustc_hash::FxHashMap;
use wherefore_base::deep;

use super::Resolver;
use crate::ast::{BinaryOp, UnaryOp};
use crate::model::{FunctionId, Model, TermId, TermKind, VarId};
use crate::types::Type;

impl Resolver<'_, '_> {
    /// The type of a call with arguments of these types.
    pub(super) fn type_of_call(&mut self, function: FunctionId, arguments: &[Type]) -> Type {
        let callee = &self.model.functions[function];
        let Some(result) = callee.result else {
            return Type::formula();
        };
        let declared = self.model.terms[result].ty.as_set();
        if arguments.is_empty() || !self.depends_on_parameters(function, result) {
            return declared;
        }
        let mut given = FxHashMap::default();
        for (param, argument) in self.model.functions[function].vars().zip(arguments) {
            let columns = self.model.vars[param].ty.arity();
            let argument = columns.map_or_else(Type::default, |columns| argument.of_arity(columns));
            if argument.is_set() {
                given.insert(param, argument);
            }
        }
        let deduced = self.deduced(result, &given).as_set();
        if deduced.is_set() && deduced.arity() == declared.arity() {
            deduced
        } else {
            declared
        }
    }

    fn depends_on_parameters(&mut self, function: FunctionId, result: TermId) -> bool {
        if let Some(&known) = self.dependent.get(&function) {
            return known;
        }
        let mut waiting = vec![result];
        let mut depends = false;
        while let Some(term) = waiting.pop() {
            let kind = &self.model.terms[term].kind;
            depends |= matches!(kind, TermKind::Var(_));
            waiting.extend(kind.operands());
        }
        self.dependent.insert(function, depends);
        depends
    }

    fn deduced(&self, term: TermId, given: &FxHashMap<VarId, Type>) -> Type {
        deep(|| self.deduced_here(term, given))
    }

    fn deduced_here(&self, term: TermId, given: &FxHashMap<VarId, Type>) -> Type {
        use BinaryOp as B;
        let of = |term: TermId| self.deduced(term, given);
        let own = &self.model.terms[term].ty;
        match &self.model.terms[term].kind {
            TermKind::Var(var) => given.get(var).unwrap_or(own).clone(),
            TermKind::Mult(_, a) | TermKind::Unary(UnaryOp::Set | UnaryOp::Prime, a) => of(*a),
            TermKind::Unary(UnaryOp::Transpose, a) => self.hierarchy.transpose(&of(*a)),
            TermKind::Unary(UnaryOp::Closure, a) => self.hierarchy.closure(&of(*a)),
            TermKind::Unary(UnaryOp::ReflexiveClosure, _) => {
                let univ = self.sig_type(Model::UNIV);
                self.hierarchy.product(&univ, &univ)
            }
            TermKind::Arrow(_, _, a, b) => self.hierarchy.product(&of(*a), &of(*b)),
            TermKind::Join(a, b) => self.hierarchy.join(&of(*a), &of(*b)),
            TermKind::Binary(B::Union | B::Override, a, b) => {
                self.hierarchy.union(&of(*a), &of(*b))
            }
            TermKind::Binary(B::Difference, a, _) => of(*a),
            TermKind::Binary(B::Intersection, a, b) => {
                self.hierarchy.intersection(&of(*a), &of(*b))
            }
            TermKind::Binary(B::Domain, _, relation) | TermKind::Binary(B::Range, relation, _) => {
                of(*relation)
            }
            TermKind::IfElse(_, a, b) => self.hierarchy.union(&of(*a), &of(*b)),
            _ => own.clone(),
        }
    }
}
