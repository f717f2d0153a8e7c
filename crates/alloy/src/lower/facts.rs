//! Facts and the goal of a command as requirements of the problem.

use wherefore_relational::{FormulaId, RelDecl, TotalOrder};

use super::term::TermMeaning;
use super::{AlloyLower, AlloyLowering};
use crate::model::{AlloyBinaryOp, AlloyTermId, AlloyTermKind, Command, CommandGoal, SigId};

impl AlloyLowering<'_> {
    /// The facts that are written, which hold in the first state.
    pub(super) fn said_facts(&mut self) -> AlloyLower<()> {
        for fact in &self.model.facts {
            self.require_term(fact.body)?;
        }
        Ok(())
    }

    /// The facts of signatures, which hold in every state.
    pub(super) fn sig_facts(&mut self) -> AlloyLower<()> {
        for (id, sig) in self.model.declared() {
            if let Some(fact) = sig.fact {
                self.sig_fact(id, fact)?;
            }
        }
        Ok(())
    }

    /// Requires a formula, each of its conjuncts by itself.
    pub(super) fn require_term(&mut self, term: AlloyTermId) -> AlloyLower<()> {
        for part in self.conjuncts(term) {
            let formula = self.formula(part)?;
            self.require(formula, self.model.terms[part].span);
        }
        Ok(())
    }

    pub(super) fn conjuncts(&self, term: AlloyTermId) -> Vec<AlloyTermId> {
        let mut waiting = vec![term];
        let mut parts = Vec::new();
        while let Some(term) = waiting.pop() {
            match &self.model.terms[term].kind {
                AlloyTermKind::Block(inner) => waiting.extend(inner.iter().rev()),
                &AlloyTermKind::Binary(AlloyBinaryOp::And, a, b) => waiting.extend([b, a]),
                _ => parts.push(term),
            }
        }
        parts
    }

    fn sig_fact(&mut self, id: SigId, fact: AlloyTermId) -> AlloyLower<()> {
        let this = self.model.sigs[id].this;
        let owner = self.tables.sig_exprs[id.index()].0;
        for part in self.conjuncts(fact) {
            let span = self.model.terms[part].span;
            if self.is_single(id) {
                self.env.insert(this, TermMeaning::Expr(owner));
                if self.order_fact(part)? {
                    continue;
                }
                let formula = self.formula(part)?;
                self.require(formula, span);
            } else {
                let formula = self.for_each_atom(id, |lowering| lowering.formula(part))?;
                self.require(formula, span);
            }
        }
        self.env.remove(&this);
        Ok(())
    }

    /// A formula for every atom of a signature.
    pub(super) fn for_each_atom(
        &mut self,
        id: SigId,
        body: impl FnOnce(&mut Self) -> AlloyLower<FormulaId>,
    ) -> AlloyLower<FormulaId> {
        let sig = &self.model.sigs[id];
        let owner = self.tables.sig_exprs[id.index()].0;
        if self.is_single(id) {
            self.env.insert(sig.this, TermMeaning::Expr(owner));
            let formula = body(self);
            self.env.remove(&sig.this);
            return formula;
        }
        let var = self.problem.variable("this", 1, Some(sig.span));
        let atom = self.problem.var(var);
        self.env.insert(sig.this, TermMeaning::Expr(atom));
        let formula = body(self);
        self.env.remove(&sig.this);
        let formula = formula?;
        let decl = RelDecl::one(var, owner);
        Ok(self.problem.all([decl], formula))
    }

    /// A total order over relations of their own, which the search knows how to use.
    fn order_fact(&mut self, part: AlloyTermId) -> AlloyLower<bool> {
        let AlloyTermKind::TotalOrder(elements, first, next) = self.model.terms[part].kind else {
            return Ok(false);
        };
        let field = |term: AlloyTermId| match self.model.terms[term].kind {
            AlloyTermKind::Join(_, right) => match self.model.terms[right].kind {
                AlloyTermKind::Field(field) => Some(field),
                _ => None,
            },
            _ => None,
        };
        let (Some(first), Some(next)) = (field(first), field(next)) else {
            return Ok(false);
        };
        // The order of an enumeration is a constant already.
        if self.tables.fixed.contains(&first) && self.tables.fixed.contains(&next) {
            return Ok(true);
        }
        let relations = (
            self.tables.single_fields.get(&first),
            self.tables.single_fields.get(&next),
        );
        let (Some(&first), Some(&next)) = relations else {
            return Ok(false);
        };
        let elements = self.expr(elements)?;
        let span = Some(self.model.terms[part].span);
        self.problem.require_order(TotalOrder {
            elements,
            first,
            next,
            span,
        });
        Ok(true)
    }

    pub(super) fn goal(&mut self, command: &Command) -> AlloyLower<()> {
        match command.goal {
            CommandGoal::Formula(term) if command.check => {
                let formula = self.formula(term)?;
                let formula = self.problem.not(formula);
                self.require(formula, self.model.terms[term].span);
            }
            CommandGoal::Formula(term) => self.require_term(term)?,
            CommandGoal::Function(function) => {
                let formula = self.some_call(function)?;
                let formula = if command.check {
                    self.problem.not(formula)
                } else {
                    formula
                };
                self.require(formula, self.model.functions[function].span);
            }
        }
        Ok(())
    }
}
