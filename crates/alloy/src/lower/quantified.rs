//! Quantifiers, comprehensions and sums: their variables, and what these must satisfy besides.

use wherefore_base::{Diagnostic, Span};
use wherefore_relational::{FormulaId, Multiplicity, RelDecl, RelExprId, RelQuantifier as Q};

use super::term::TermMeaning;
use super::{AlloyLower, AlloyLowering};
use crate::model::{
    AlloyModel, AlloyQuantifier, AlloyTermId, AlloyTermKind, AlloyUnaryOp, Binding, Mult,
};

impl<'m> AlloyLowering<'m> {
    /// Declares variables: their declarations, and what they must satisfy besides.
    pub(super) fn declare(
        &mut self,
        bindings: &[Binding],
    ) -> AlloyLower<(Vec<RelDecl>, Vec<FormulaId>)> {
        let model: &'m AlloyModel = self.model;
        let mut decls = Vec::new();
        let mut guards = Vec::new();
        for binding in bindings {
            let mut exprs = Vec::new();
            for &var in &binding.vars {
                let variable = &model.vars[var];
                let bound = self.expr(binding.bound)?;
                let arity = self.problem.arity(bound);
                let name = model.names.text(variable.name);
                let relational = self.problem.variable(name, arity, Some(variable.span));
                let multiplicity = match model.terms[binding.bound].kind {
                    AlloyTermKind::Mult(Mult::One, _) => Multiplicity::One,
                    AlloyTermKind::Mult(Mult::Lone, _) => Multiplicity::Lone,
                    AlloyTermKind::Mult(Mult::Some, _) => Multiplicity::Some,
                    _ => Multiplicity::Set,
                };
                decls.push(RelDecl {
                    variable: relational,
                    multiplicity,
                    bound,
                });
                let expr = self.problem.var(relational);
                exprs.push((var, expr));
                let inner = match model.terms[binding.bound].kind {
                    AlloyTermKind::Mult(_, inner) => inner,
                    _ => binding.bound,
                };
                let plain = !matches!(
                    model.terms[inner].kind,
                    AlloyTermKind::Arrow(..) | AlloyTermKind::Unary(AlloyUnaryOp::Seq, _)
                );
                // A declaration has no place for the multiplicities of an arrow.
                if !plain {
                    let guard = self.is_in_bound(expr, inner)?;
                    guards.push(guard);
                }
            }
            // The variables of one declaration cannot be used in its bound.
            for &(var, expr) in &exprs {
                self.env.insert(var, TermMeaning::Expr(expr));
            }
            if binding.disj && exprs.len() > 1 {
                let exprs: Vec<RelExprId> = exprs.iter().map(|(_, expr)| *expr).collect();
                guards.push(self.disjoint(&exprs));
            }
        }
        Ok((decls, guards))
    }

    fn forget(&mut self, bindings: &[Binding], before: Vec<Option<TermMeaning>>) {
        let vars = bindings.iter().flat_map(|binding| binding.vars.iter());
        for (&var, value) in vars.zip(before) {
            self.restore(var, value);
        }
    }

    pub(super) fn quantified(
        &mut self,
        quantifier: AlloyQuantifier,
        bindings: &[Binding],
        body: AlloyTermId,
        span: Span,
    ) -> AlloyLower<TermMeaning> {
        let vars = bindings.iter().flat_map(|binding| binding.vars.iter());
        let before: Vec<Option<TermMeaning>> = vars.map(|var| self.env.get(var).copied()).collect();
        let value = self.quantified_here(quantifier, bindings, body, span);
        self.forget(bindings, before);
        value
    }

    fn quantified_here(
        &mut self,
        quantifier: AlloyQuantifier,
        bindings: &[Binding],
        body: AlloyTermId,
        span: Span,
    ) -> AlloyLower<TermMeaning> {
        let (decls, mut guards) = self.declare(bindings)?;
        if quantifier == AlloyQuantifier::Sum {
            self.only_single(&decls, span)?;
            let mut body = self.int(body)?;
            if !guards.is_empty() {
                let guard = self.problem.and(guards);
                // Values that the guards exclude add nothing to the sum.
                let zero = self.problem.number(0);
                body = self.problem.int_choice(guard, body, zero);
            }
            return Ok(TermMeaning::Int(self.problem.sum(decls, body)));
        }
        let inner = self.formula(body)?;
        let inner = self.problem.at(inner, self.model.terms[body].span);
        if quantifier == AlloyQuantifier::All {
            let body = if guards.is_empty() {
                inner
            } else {
                let guard = self.problem.and(guards);
                self.problem.implies(guard, inner)
            };
            return Ok(TermMeaning::Formula(self.problem.quantified(
                Q::All,
                decls,
                body,
            )));
        }
        guards.push(inner);
        let body = self.problem.and(guards);
        Ok(match quantifier {
            AlloyQuantifier::Some => {
                TermMeaning::Formula(self.problem.quantified(Q::Some, decls, body))
            }
            AlloyQuantifier::No => {
                let some = self.problem.quantified(Q::Some, decls, body);
                TermMeaning::Formula(self.problem.not(some))
            }
            _ => {
                self.only_single(&decls, span)?;
                let set = self.problem.comprehension(decls, body);
                match quantifier {
                    AlloyQuantifier::Lone => TermMeaning::Formula(self.problem.lone(set)),
                    AlloyQuantifier::One => TermMeaning::Formula(self.problem.one(set)),
                    _ => TermMeaning::Expr(set),
                }
            }
        })
    }

    fn only_single(&self, decls: &[RelDecl], span: Span) -> AlloyLower<()> {
        if decls
            .iter()
            .all(|decl| decl.multiplicity == Multiplicity::One)
        {
            return Ok(());
        }
        let message = "The variables here must each stand for one atom";
        Err(Diagnostic::error(span, message).help(
            "Comprehensions, sums, `one` and `lone` quantifiers range over single atoms only.",
        ))
    }
}
