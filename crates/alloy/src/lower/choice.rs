//! `c => a else b`, of formulas, sets and integers.

use wherefore_relational::Overflow;

use super::term::TermMeaning;
use super::{AlloyLower, AlloyLowering};
use crate::model::{AlloyBinaryOp, AlloyQuantifier, AlloyTermId, AlloyTermKind, AlloyUnaryOp};

impl AlloyLowering<'_> {
    pub(super) fn if_else(
        &mut self,
        c: AlloyTermId,
        a: AlloyTermId,
        b: AlloyTermId,
    ) -> AlloyLower<TermMeaning> {
        let condition = self.formula(c)?;
        let forbids = self.problem.integers().overflow == Overflow::Forbid;
        Ok(match self.value(a)? {
            TermMeaning::Formula(a) => {
                let b = self.formula(b)?;
                let yes = self.problem.implies(condition, a);
                // Where overflow is forbidden, the condition is what it is, in whichever branch: no `not` is written.
                let no = match forbids {
                    true => self.problem.or([condition, b]),
                    false => {
                        let no = self.problem.not(condition);
                        self.problem.implies(no, b)
                    }
                };
                TermMeaning::Formula(self.problem.and([yes, no]))
            }
            TermMeaning::Expr(a) => {
                let b = self.expr(b)?;
                TermMeaning::Expr(self.problem.choice(condition, a, b))
            }
            TermMeaning::Int(first) if self.is_set(a) => match self.value(b)? {
                TermMeaning::Int(b) if !forbids => {
                    TermMeaning::Int(self.problem.int_choice(condition, first, b))
                }
                _ => {
                    let (a, b) = (self.problem.from_int(first), self.expr(b)?);
                    TermMeaning::Expr(self.problem.choice(condition, a, b))
                }
            },
            TermMeaning::Int(a) => {
                let b = self.int(b)?;
                TermMeaning::Int(self.problem.int_choice(condition, a, b))
            }
        })
    }

    /// Whether a term that is an integer is at first the set of its atom, as in the Analyzer: then the other branch is no sum.
    fn is_set(&self, term: AlloyTermId) -> bool {
        match self.model.terms[term].kind {
            AlloyTermKind::IfElse(_, inner, _)
            | AlloyTermKind::Let(_, _, inner)
            | AlloyTermKind::Unary(AlloyUnaryOp::IntCast, inner) => self.is_set(inner),
            AlloyTermKind::Unary(AlloyUnaryOp::Cardinality, _)
            | AlloyTermKind::Quantified(AlloyQuantifier::Sum, ..)
            | AlloyTermKind::Min
            | AlloyTermKind::Max => false,
            AlloyTermKind::Binary(op, ..) => matches!(
                op,
                AlloyBinaryOp::Union
                    | AlloyBinaryOp::Difference
                    | AlloyBinaryOp::Intersection
                    | AlloyBinaryOp::Domain
                    | AlloyBinaryOp::Range
                    | AlloyBinaryOp::Override
            ),
            _ => true,
        }
    }
}
