//! The type of a call: that of the declared result, with the types of the arguments for the parameters.
//!
//! So `dom[r]`, whose declared result is `set r.univ`, has the type of the first column of what is given for `r`.

use rustc_hash::FxHashMap;
use wherefore_base::deep;

use super::Resolver;
use crate::ast::{AlloyBinaryOp, AlloyUnaryOp};
use crate::model::{AlloyModel, AlloyTermId, AlloyTermKind, AlloyVarId, FunctionId};
use crate::types::AlloyType;

impl Resolver<'_, '_> {
    /// The type of a call with arguments of these types.
    pub(super) fn type_of_call(
        &mut self,
        function: FunctionId,
        arguments: &[AlloyType],
    ) -> AlloyType {
        let callee = &self.model.functions[function];
        let Some(result) = callee.result else {
            return AlloyType::formula();
        };
        let declared = self.model.terms[result].ty.as_set();
        if arguments.is_empty() || !self.depends_on_parameters(function, result) {
            return declared;
        }
        let mut given = FxHashMap::default();
        for (param, argument) in self.model.functions[function].vars().zip(arguments) {
            let columns = self.model.vars[param].ty.arity();
            let argument =
                columns.map_or_else(AlloyType::default, |columns| argument.of_arity(columns));
            if argument.is_set() {
                given.insert(param, argument);
            }
        }
        let deduced = self.deduced(result, &given).as_set();
        // A type with other columns than the declared one is no better estimate.
        if deduced.is_set() && deduced.arity() == declared.arity() {
            deduced
        } else {
            declared
        }
    }

    fn depends_on_parameters(&mut self, function: FunctionId, result: AlloyTermId) -> bool {
        if let Some(&known) = self.dependent.get(&function) {
            return known;
        }
        let mut waiting = vec![result];
        let mut depends = false;
        while let Some(term) = waiting.pop() {
            let kind = &self.model.terms[term].kind;
            depends |= matches!(kind, AlloyTermKind::Var(_));
            waiting.extend(kind.operands());
        }
        self.dependent.insert(function, depends);
        depends
    }

    fn deduced(&self, term: AlloyTermId, given: &FxHashMap<AlloyVarId, AlloyType>) -> AlloyType {
        deep(|| self.deduced_here(term, given))
    }

    fn deduced_here(
        &self,
        term: AlloyTermId,
        given: &FxHashMap<AlloyVarId, AlloyType>,
    ) -> AlloyType {
        use AlloyBinaryOp as B;
        let of = |term: AlloyTermId| self.deduced(term, given);
        let own = &self.model.terms[term].ty;
        match &self.model.terms[term].kind {
            AlloyTermKind::Var(var) => given.get(var).unwrap_or(own).clone(),
            AlloyTermKind::Mult(_, a)
            | AlloyTermKind::Unary(AlloyUnaryOp::Set | AlloyUnaryOp::Prime, a) => of(*a),
            AlloyTermKind::Unary(AlloyUnaryOp::Transpose, a) => self.hierarchy.transpose(&of(*a)),
            AlloyTermKind::Unary(AlloyUnaryOp::Closure, a) => self.hierarchy.closure(&of(*a)),
            AlloyTermKind::Unary(AlloyUnaryOp::ReflexiveClosure, _) => {
                let univ = self.sig_type(AlloyModel::UNIV);
                self.hierarchy.product(&univ, &univ)
            }
            AlloyTermKind::Arrow(_, _, a, b) => self.hierarchy.product(&of(*a), &of(*b)),
            AlloyTermKind::Join(a, b) => self.hierarchy.join(&of(*a), &of(*b)),
            AlloyTermKind::Binary(B::Union | B::Override, a, b) => {
                self.hierarchy.union(&of(*a), &of(*b))
            }
            AlloyTermKind::Binary(B::Difference, a, _) => of(*a),
            AlloyTermKind::Binary(B::Intersection, a, b) => {
                self.hierarchy.intersection(&of(*a), &of(*b))
            }
            AlloyTermKind::Binary(B::Domain, _, relation)
            | AlloyTermKind::Binary(B::Range, relation, _) => of(*relation),
            AlloyTermKind::IfElse(_, a, b) => self.hierarchy.union(&of(*a), &of(*b)),
            _ => own.clone(),
        }
    }
}
