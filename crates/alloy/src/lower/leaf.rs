//! Terms without operands, and the one constraint that is built in.

use wherefore_base::{Diagnostic, Span, Symbol};
use wherefore_relational::{
    Arithmetic, FormulaId, Int, IntComparison, IntId, Overflow, RelDecl, RelExprId,
};

use super::{AlloyLower, AlloyLowering, TermMeaning};
use crate::model::AlloyTermId;

impl AlloyLowering<'_> {
    pub(super) fn number(&mut self, number: i32, span: Span) -> AlloyLower<TermMeaning> {
        let half = 1i64 << (self.scopes.bits - 1);
        if !(-half..half).contains(&i64::from(number)) {
            let bits = self.scopes.bits;
            let message = format!("The number {number} does not fit integers of {bits} bits");
            return Err(Diagnostic::error(span, message)
                .because(format!("they go from {} to {}", -half, half - 1))
                .help(format!(
                    "Give integers more bits, as in `{} Int` in the scope.",
                    bits + 1
                )));
        }
        Ok(TermMeaning::Int(self.problem.number(i64::from(number))))
    }

    pub(super) fn atom(&mut self, name: Symbol, span: Span) -> AlloyLower<RelExprId> {
        let text = self.model.names.text(name);
        let text = text.strip_prefix("this/").unwrap_or(text);
        let Some(at) = self.scopes.atoms.iter().position(|atom| atom == text) else {
            let message = format!("There is no atom `{text}` in this scope");
            return Err(Diagnostic::error(span, message));
        };
        let value = self.set_of(&[at]);
        let relation = self.problem.constant(text, value);
        Ok(self.problem.rel(relation))
    }

    pub(super) fn meta(&self, name: Symbol, span: Span) -> Diagnostic {
        let name = self.model.names.text(name);
        let message = format!("The meta-level name `{name}` is not supported");
        Diagnostic::error(span, message)
            .help("Write out what it stands for: signatures and fields by their own names.")
    }

    /// That a set is in an order with this first element and this step.
    pub(super) fn total_order(
        &mut self,
        elements: AlloyTermId,
        first: AlloyTermId,
        next: AlloyTermId,
    ) -> AlloyLower<FormulaId> {
        let (elements, first, next) = (self.expr(elements)?, self.expr(first)?, self.expr(next)?);
        let var = self.problem.variable("e", 1, None);
        let each = RelDecl::one(var, elements);
        let element = self.problem.var(var);
        let star = self.problem.reflexive_closure(next);
        let reached = self.problem.join(first, star);
        let pairs = self.problem.product(elements, elements);
        let before_first = self.problem.join(next, first);
        let (after, before) = (
            self.problem.join(element, next),
            self.problem.join(next, element),
        );
        let single = [self.problem.lone(after), self.problem.lone(before)];
        let single = self.problem.and(single);
        let parts = [
            self.problem.one(first),
            self.problem.is_in(first, elements),
            self.problem.is_in(next, pairs),
            self.problem.is_in(elements, reached),
            self.problem.no(before_first),
            self.problem.all([each], single),
        ];
        Ok(self.problem.and(parts))
    }

    /// A quotient or remainder with what it is by zero, where arithmetic wraps: the quotient of a number is
    /// then its sign turned round, and the remainder the number itself.
    pub(super) fn by_zero(&mut self, op: Arithmetic, a: IntId, b: IntId, result: IntId) -> IntId {
        let divides = matches!(op, Arithmetic::Divide | Arithmetic::Remainder);
        let wraps = self.problem.integers().overflow == Overflow::Wrap;
        let known = matches!(self.problem.int(b), Int::Constant(number) if *number != 0);
        if !divides || !wraps || known || self.scopes.bits < 2 {
            return result;
        }
        let zero = self.problem.number(0);
        let is_zero = self.problem.compare(IntComparison::Equal, b, zero);
        let otherwise = if op == Arithmetic::Remainder {
            a
        } else {
            let (one, minus_one) = (self.problem.number(1), self.problem.number(-1));
            let negative = self.problem.compare(IntComparison::Less, a, zero);
            let positive = self.problem.compare(IntComparison::Less, zero, a);
            let other = self.problem.int_choice(positive, minus_one, zero);
            self.problem.int_choice(negative, one, other)
        };
        self.problem.int_choice(is_zero, otherwise, result)
    }
}
