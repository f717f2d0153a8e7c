//! `c => a else b`, of formulas, sets and integers.

use wherefore_relational::Overflow;

use super::term::Meaning;
use super::{AlloyLower, AlloyLowering};
use crate::model::{BinaryOp, Quantifier, TermId, TermKind, UnaryOp};

impl AlloyLowering<'_> {
    pub(super) fn if_else(&mut self, c: TermId, a: TermId, b: TermId) -> AlloyLower<Meaning> {
        let condition = self.formula(c)?;
        let forbids = self.problem.integers().overflow == Overflow::Forbid;
        Ok(match self.value(a)? {
            Meaning::Formula(a) => {
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
                Meaning::Formula(self.problem.and([yes, no]))
            }
            Meaning::Expr(a) => {
                let b = self.expr(b)?;
                Meaning::Expr(self.problem.choice(condition, a, b))
            }
            Meaning::Int(first) if self.is_set(a) => match self.value(b)? {
                Meaning::Int(b) if !forbids => {
                    Meaning::Int(self.problem.int_choice(condition, first, b))
                }
                _ => {
                    let (a, b) = (self.problem.from_int(first), self.expr(b)?);
                    Meaning::Expr(self.problem.choice(condition, a, b))
                }
            },
            Meaning::Int(a) => {
                let b = self.int(b)?;
                Meaning::Int(self.problem.int_choice(condition, a, b))
            }
        })
    }

    /// Whether a term that is an integer is at first the set of its atom, as in the Analyzer: then the other branch is no sum.
    fn is_set(&self, term: TermId) -> bool {
        match self.model.terms[term].kind {
            TermKind::IfElse(_, inner, _)
            | TermKind::Let(_, _, inner)
            | TermKind::Unary(UnaryOp::IntCast, inner) => self.is_set(inner),
            TermKind::Unary(UnaryOp::Cardinality, _)
            | TermKind::Quantified(Quantifier::Sum, ..)
            | TermKind::Min
            | TermKind::Max => false,
            TermKind::Binary(op, ..) => matches!(
                op,
                BinaryOp::Union
                    | BinaryOp::Difference
                    | BinaryOp::Intersection
                    | BinaryOp::Domain
                    | BinaryOp::Range
                    | BinaryOp::Override
            ),
            _ => true,
        }
    }
}
