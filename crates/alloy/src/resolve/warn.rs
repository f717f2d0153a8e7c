//! Warnings: what can be read and probably says something else than was meant.

use wherefore_base::{Diagnostic, Span, deep};

use super::Resolver;
use super::draft::{DraftId, DraftKind, sign};
use crate::ast::{AlloyBinaryOp, AlloyUnaryOp};
use crate::model::{AlloyTermId, AlloyTermKind, Binding, SigId};
use crate::types::AlloyType;

impl Resolver<'_, '_> {
    pub(super) fn warn(&mut self, span: Span, message: &str) {
        self.log.push(Diagnostic::warning(span, message));
    }

    /// Warns of `+` and `-` that look like arithmetic: they are of sets also where the operands count.
    pub(super) fn no_arithmetic(&mut self, op: AlloyBinaryOp, a: DraftId, b: DraftId, span: Span) {
        let counts = |id: DraftId| {
            let kind = &self.drafts[id].kind;
            matches!(kind, DraftKind::Unary(AlloyUnaryOp::Cardinality, _))
        };
        if !counts(a) && !counts(b) {
            return;
        }
        let (message, help) = match op {
            AlloyBinaryOp::Union => (
                "This is the set of the two numbers, not their sum",
                "The sum is written `plus[a, b]`.",
            ),
            AlloyBinaryOp::Difference => (
                "This is a set of numbers without a number, not the difference of two numbers",
                "The difference is written `minus[a, b]`.",
            ),
            _ => return,
        };
        self.log.push(Diagnostic::warning(span, message).help(help));
    }

    /// Warns of operands of `+` and `-` that cannot matter.
    pub(super) fn irrelevant(
        &mut self,
        op: AlloyBinaryOp,
        a: DraftId,
        b: DraftId,
        wanted: &AlloyType,
    ) {
        let matters = |this: &Self, own: &AlloyType, wanted: &AlloyType| {
            !this.hierarchy.has_tuple(own) || this.hierarchy.intersects(own, wanted)
        };
        if !self.hierarchy.has_tuple(wanted) {
            return;
        }
        if op == AlloyBinaryOp::Difference {
            let (left, right) = (self.ty(a).clone(), self.ty(b).clone());
            if self.hierarchy.has_tuple(&left) && !matters(self, &right, &left) {
                let place = self.drafts[b].span;
                self.warn(place, "Nothing of this is in what it is taken away from");
            }
            return;
        }
        for operand in [a, b] {
            let own = self.ty(operand).clone();
            // On the right of `++`, what takes something away matters as well.
            let overrides = op == AlloyBinaryOp::Override
                && operand == b
                && self.hierarchy.has_tuple(&self.overriding(self.ty(a), &own));
            if !overrides && !matters(self, &own, wanted) {
                let place = self.drafts[operand].span;
                let message = format!("This operand of `{}` does not matter here", sign(op));
                let shown = self.show(wanted);
                let warning =
                    Diagnostic::warning(place, message).because(format!("only {shown} matters"));
                self.log.push(warning);
            }
        }
    }

    /// Warns of a branch of a choice that cannot matter.
    pub(super) fn irrelevant_branch(&mut self, branches: [DraftId; 2], wanted: &AlloyType) {
        if !self.hierarchy.has_tuple(wanted) {
            return;
        }
        for branch in branches {
            let own = self.ty(branch).clone();
            if self.hierarchy.has_tuple(&own) && !self.hierarchy.intersects(&own, wanted) {
                let place = self.drafts[branch].span;
                let shown = self.show(wanted);
                let warning = Diagnostic::warning(place, "This branch does not matter here")
                    .because(format!("only {shown} matters"));
                self.log.push(warning);
            }
        }
    }

    /// The part of the right side of `++` that can take something away from the left side.
    pub(super) fn overriding(&self, left: &AlloyType, right: &AlloyType) -> AlloyType {
        let first = |product: &[SigId]| self.hierarchy.of([vec![product[0]]]);
        let meets = |product: &&Vec<SigId>| {
            let mut others = left.products.iter();
            others.any(|other| self.hierarchy.intersects(&first(product), &first(other)))
        };
        self.hierarchy
            .of(right.products.iter().filter(meets).cloned())
    }

    /// Warns of `++` whose right side takes nothing away from the left side.
    pub(super) fn overrides_nothing(&mut self, left: &AlloyType, right: &AlloyType, span: Span) {
        let some = self.hierarchy.has_tuple(left) && self.hierarchy.has_tuple(right);
        if some && !self.hierarchy.has_tuple(&self.overriding(left, right)) {
            self.warn(span, "Nothing is overridden here: this is the same as `+`");
        }
    }

    /// Warns of a restriction by a set that no tuple begins, or ends, with.
    pub(super) fn empty_restriction(
        &mut self,
        op: AlloyBinaryOp,
        (set, relation): (&AlloyType, &AlloyType),
        span: Span,
    ) {
        let columns = relation.products.iter().filter_map(|product| match op {
            AlloyBinaryOp::Domain => product.first(),
            _ => product.last(),
        });
        let column = self.hierarchy.of(columns.map(|&sig| vec![sig]));
        let some = self.hierarchy.has_tuple(set) && self.hierarchy.has_tuple(relation);
        if some && !self.hierarchy.intersects(&column, set) {
            let (s, r) = (self.show(set), self.show(relation));
            let warning = Diagnostic::warning(span, "This restriction is always empty")
                .because(format!("{r} is restricted to {s}"));
            self.log.push(warning);
        }
    }

    /// Warns of a comparison of something with itself.
    pub(super) fn with_itself(&mut self, a: AlloyTermId, b: AlloyTermId, span: Span) {
        if self.same_term(a, b) {
            self.warn(span, "Both sides of this comparison are the same");
        }
    }

    fn same_term(&self, a: AlloyTermId, b: AlloyTermId) -> bool {
        use AlloyTermKind as K;
        let (a, b) = (&self.model.terms[a].kind, &self.model.terms[b].kind);
        let alike = match (a, b) {
            (K::Sig(a), K::Sig(b)) => a == b,
            (K::Field(a), K::Field(b)) => a == b,
            (K::Var(a), K::Var(b)) => a == b,
            (K::Unary(a, _), K::Unary(b, _)) => a == b,
            (K::Binary(a, ..), K::Binary(b, ..)) => a == b,
            (K::Call(a, _), K::Call(b, _)) => a == b,
            (K::Join(..), K::Join(..)) | (K::Iden, K::Iden) => true,
            _ => false,
        };
        let (left, right) = (a.operands(), b.operands());
        let mut pairs = left.iter().zip(&right);
        alike && left.len() == right.len() && pairs.all(|(&a, &b)| deep(|| self.same_term(a, b)))
    }

    /// Warns of variables that are declared and not used.
    pub(super) fn unused(&mut self, bindings: &[Binding]) {
        for binding in bindings {
            for &var in &binding.vars {
                if !self.used.contains(&var) {
                    let place = self.model.vars[var].span;
                    self.warn(place, "This variable is not used");
                }
            }
        }
    }
}
