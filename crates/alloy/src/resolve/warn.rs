//! Warnings: what can be read and probably says something else than was meant.

use wherefore_base::{Diagnostic, Span};

use super::Resolver;
use super::draft::{DraftId, Kind, sign};
use crate::ast::{BinaryOp, UnaryOp};
use crate::model::Binding;
use crate::types::Type;

impl Resolver<'_, '_> {
    pub(super) fn warn(&mut self, span: Span, message: &str) {
        self.log.push(Diagnostic::warning(span, message));
    }

    /// Warns of `+` and `-` that look like arithmetic: they are of sets also where the operands count.
    pub(super) fn no_arithmetic(&mut self, op: BinaryOp, a: DraftId, b: DraftId, span: Span) {
        let counts = |id: DraftId| {
            let kind = &self.drafts[id].kind;
            matches!(kind, Kind::Unary(UnaryOp::Cardinality, _))
        };
        if !counts(a) && !counts(b) {
            return;
        }
        let (message, help) = match op {
            BinaryOp::Union => (
                "This is the set of the two numbers, not their sum",
                "The sum is written `plus[a, b]`.",
            ),
            BinaryOp::Difference => (
                "This is a set of numbers without a number, not the difference of two numbers",
                "The difference is written `minus[a, b]`.",
            ),
            _ => return,
        };
        self.log.push(Diagnostic::warning(span, message).help(help));
    }

    /// Warns of operands of `+` and `-` that cannot matter.
    pub(super) fn irrelevant(&mut self, op: BinaryOp, a: DraftId, b: DraftId, wanted: &Type) {
        let matters = |this: &Self, own: &Type, wanted: &Type| {
            !this.hierarchy.has_tuple(own) || this.hierarchy.intersects(own, wanted)
        };
        if !self.hierarchy.has_tuple(wanted) {
            return;
        }
        if op == BinaryOp::Difference {
            let (left, right) = (self.ty(a).clone(), self.ty(b).clone());
            if self.hierarchy.has_tuple(&left) && !matters(self, &right, &left) {
                let place = self.drafts[b].span;
                self.warn(place, "Nothing of this is in what it is taken away from");
            }
            return;
        }
        for operand in [a, b] {
            let own = self.ty(operand).clone();
            if !matters(self, &own, wanted) {
                let place = self.drafts[operand].span;
                let message = format!("This operand of `{}` does not matter here", sign(op));
                let shown = self.show(wanted);
                let warning =
                    Diagnostic::warning(place, message).because(format!("only {shown} matters"));
                self.log.push(warning);
            }
        }
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
