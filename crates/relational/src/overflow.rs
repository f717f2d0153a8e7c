//! Which variables count where an operand overflows: see [`crate::Overflow::Forbid`].

use std::collections::BTreeSet;

use crate::problem::{Overflow, Problem};
use crate::terms::{FormulaId, Int, IntId, RelExpr, RelExprId, RelFormula, RelVarId};

/// A node that is looked at: for the variables behind its integers, or for all that are used in it outside of
/// integers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum VisitedNode {
    Int(IntId),
    Expr(RelExprId),
    UsedInInt(IntId),
    UsedInExpr(RelExprId),
    UsedInFormula(FormulaId),
}

impl Problem {
    /// Whether it matters for a formula where it stands, because integers in it may overflow.
    pub(crate) fn overflow_counts(&self, id: FormulaId) -> bool {
        self.integers().overflow == Overflow::Forbid && self.arena.formula_facts(id).arithmetic
    }

    /// The variables behind an integer: those of the sets that are counted or added up.
    pub(crate) fn behind_int(&self, id: IntId) -> Vec<RelVarId> {
        self.behind(VisitedNode::Int(id))
    }

    /// The variables behind the integers whose atoms make an expression.
    pub(crate) fn behind_expr(&self, id: RelExprId) -> Vec<RelVarId> {
        self.behind(VisitedNode::Expr(id))
    }

    fn behind(&self, node: VisitedNode) -> Vec<RelVarId> {
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
                    RelExpr::Unary(_, a) => open.push(VisitedNode::Expr(*a)),
                    RelExpr::Binary(_, a, b) => {
                        open.extend([VisitedNode::Expr(*a), VisitedNode::Expr(*b)])
                    }
                    RelExpr::FromInt(a) => open.push(VisitedNode::Int(*a)),
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
    fn used(&self, node: VisitedNode, open: &mut Vec<VisitedNode>, found: &mut Vec<RelVarId>) {
        let expr = |id: &RelExprId| VisitedNode::UsedInExpr(*id);
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
                RelExpr::Variable(variable) => found.push(*variable),
                RelExpr::Unary(_, a) => open.push(expr(a)),
                RelExpr::Binary(_, a, b) => open.extend([expr(a), expr(b)]),
                RelExpr::Comprehension(decls, body) => {
                    open.extend(decls.iter().map(|decl| expr(&decl.bound)));
                    open.push(formula(body));
                }
                RelExpr::Choice(condition, a, b) => {
                    open.extend([formula(condition), expr(a), expr(b)]);
                }
                RelExpr::FromInt(a) => open.push(int(a)),
                _ => {}
            },
            VisitedNode::UsedInFormula(id) => match self.formula(id) {
                RelFormula::In(a, b) | RelFormula::Equal(a, b) => open.extend([expr(a), expr(b)]),
                RelFormula::Amount(_, a) => open.push(expr(a)),
                RelFormula::Compare(_, a, b) => open.extend([int(a), int(b)]),
                RelFormula::Quantified(_, decls, body) => {
                    open.extend(decls.iter().map(|decl| expr(&decl.bound)));
                    open.push(formula(body));
                }
                RelFormula::Not(a) | RelFormula::At(a, _) => open.push(formula(a)),
                RelFormula::And(parts) | RelFormula::Or(parts) => {
                    open.extend(parts.iter().map(formula));
                }
                RelFormula::Implies(a, b) | RelFormula::Iff(a, b) => {
                    open.extend([formula(a), formula(b)]);
                }
            },
            VisitedNode::Int(_) | VisitedNode::Expr(_) => {}
        }
    }
}
