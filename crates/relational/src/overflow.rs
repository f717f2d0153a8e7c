//! Which variables count where an operand overflows: see [`crate::Overflow::Forbid`].

use std::collections::BTreeSet;

use crate::problem::{Overflow, Problem};
use crate::terms::{Expr, ExprId, Formula, FormulaId, Int, IntId, VarId};

/// A node that is looked at: for the variables behind its integers, or for all that are used in it outside of
/// integers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum VisitedNode {
    Int(IntId),
    Expr(ExprId),
    UsedInInt(IntId),
    UsedInExpr(ExprId),
    UsedInFormula(FormulaId),
}

impl Problem {
    /// Whether it matters for a formula where it stands, because integers in it may overflow.
    pub(crate) fn overflow_counts(&self, id: FormulaId) -> bool {
        self.integers().overflow == Overflow::Forbid && self.arena.formula_facts(id).arithmetic
    }

    /// The variables behind an integer: those of the sets that are counted or added up.
    pub(crate) fn behind_int(&self, id: IntId) -> Vec<VarId> {
        self.behind(VisitedNode::Int(id))
    }

    /// The variables behind the integers whose atoms make an expression.
    pub(crate) fn behind_expr(&self, id: ExprId) -> Vec<VarId> {
        self.behind(VisitedNode::Expr(id))
    }

    fn behind(&self, node: VisitedNode) -> Vec<VarId> {
        let (mut open, mut seen) = (vec![node], BTreeSet::new());
        let mut found = Vec::new();
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            match node {
                VisitedNode::Int(id) => match self.int(id) {
                    Int::Constant(_) => {}
                    Int::Count(set) | Int::Value(set) => open.push(VisitedNode::UsedInExpr(*set)),
                    Int::Sum(_, body) => open.push(VisitedNode::Int(*body)),
                    Int::Arithmetic(_, a, b) | Int::Choice(_, a, b) => {
                        open.extend([VisitedNode::Int(*a), VisitedNode::Int(*b)]);
                    }
                },
                VisitedNode::Expr(id) => match self.expr(id) {
                    Expr::Unary(_, a) => open.push(VisitedNode::Expr(*a)),
                    Expr::Binary(_, a, b) => {
                        open.extend([VisitedNode::Expr(*a), VisitedNode::Expr(*b)])
                    }
                    Expr::FromInt(a) => open.push(VisitedNode::Int(*a)),
                    _ => {}
                },
                VisitedNode::UsedInExpr(id) if !self.has_arithmetic(id) => {
                    found.extend_from_slice(self.free_in_expr(id));
                }
                used => self.used(used, &mut open, &mut found),
            }
        }
        found
    }

    /// Looks into a node for variables, but not below counts and sums of sets.
    fn used(&self, node: VisitedNode, open: &mut Vec<VisitedNode>, found: &mut Vec<VarId>) {
        let expr = |id: &ExprId| VisitedNode::UsedInExpr(*id);
        let formula = |id: &FormulaId| VisitedNode::UsedInFormula(*id);
        let int = |id: &IntId| VisitedNode::UsedInInt(*id);
        match node {
            VisitedNode::UsedInInt(id) => match self.int(id) {
                Int::Constant(_) | Int::Count(_) | Int::Value(_) => {}
                Int::Sum(decls, body) => {
                    open.extend(decls.iter().map(|decl| expr(&decl.bound)));
                    open.push(int(body));
                }
                Int::Arithmetic(_, a, b) => open.extend([int(a), int(b)]),
                Int::Choice(condition, a, b) => open.extend([formula(condition), int(a), int(b)]),
            },
            VisitedNode::UsedInExpr(id) => match self.expr(id) {
                Expr::Variable(variable) => found.push(*variable),
                Expr::Unary(_, a) => open.push(expr(a)),
                Expr::Binary(_, a, b) => open.extend([expr(a), expr(b)]),
                Expr::Comprehension(decls, body) => {
                    open.extend(decls.iter().map(|decl| expr(&decl.bound)));
                    open.push(formula(body));
                }
                Expr::Choice(condition, a, b) => {
                    open.extend([formula(condition), expr(a), expr(b)]);
                }
                Expr::FromInt(a) => open.push(int(a)),
                _ => {}
            },
            VisitedNode::UsedInFormula(id) => match self.formula(id) {
                Formula::In(a, b) | Formula::Equal(a, b) => open.extend([expr(a), expr(b)]),
                Formula::Amount(_, a) => open.push(expr(a)),
                Formula::Compare(_, a, b) => open.extend([int(a), int(b)]),
                Formula::Quantified(_, decls, body) => {
                    open.extend(decls.iter().map(|decl| expr(&decl.bound)));
                    open.push(formula(body));
                }
                Formula::Not(a) | Formula::At(a, _) => open.push(formula(a)),
                Formula::And(parts) | Formula::Or(parts) => {
                    open.extend(parts.iter().map(formula));
                }
                Formula::Implies(a, b) | Formula::Iff(a, b) => {
                    open.extend([formula(a), formula(b)]);
                }
            },
            VisitedNode::Int(_) | VisitedNode::Expr(_) => {}
        }
    }
}
