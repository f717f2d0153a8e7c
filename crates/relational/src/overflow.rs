//! Which variables count where an operand overflows: see [`crate::Overflow::Forbid`].

use std::collections::BTreeSet;

use crate::problem::{Overflow, Problem};
use crate::terms::{Expr, ExprId, Formula, FormulaId, Int, IntId, VarId};

/// A node that is looked at: for the variables behind its integers, or for all that are used in it outside of
/// integers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
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
        self.behind(Node::Int(id))
    }

    /// The variables behind the integers whose atoms make an expression.
    pub(crate) fn behind_expr(&self, id: ExprId) -> Vec<VarId> {
        self.behind(Node::Expr(id))
    }

    fn behind(&self, node: Node) -> Vec<VarId> {
        let (mut open, mut seen) = (vec![node], BTreeSet::new());
        let mut found = Vec::new();
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            match node {
                Node::Int(id) => match self.int(id) {
                    Int::Constant(_) => {}
                    Int::Count(set) | Int::Value(set) => open.push(Node::UsedInExpr(*set)),
                    Int::Sum(_, body) => open.push(Node::Int(*body)),
                    Int::Arithmetic(_, a, b) | Int::Choice(_, a, b) => {
                        open.extend([Node::Int(*a), Node::Int(*b)]);
                    }
                },
                Node::Expr(id) => match self.expr(id) {
                    Expr::Unary(_, a) => open.push(Node::Expr(*a)),
                    Expr::Binary(_, a, b) => open.extend([Node::Expr(*a), Node::Expr(*b)]),
                    Expr::FromInt(a) => open.push(Node::Int(*a)),
                    _ => {}
                },
                Node::UsedInExpr(id) if !self.has_arithmetic(id) => {
                    found.extend_from_slice(self.free_in_expr(id));
                }
                used => self.used(used, &mut open, &mut found),
            }
        }
        found
    }

    /// Looks into a node for variables, but not below counts and sums of sets.
    fn used(&self, node: Node, open: &mut Vec<Node>, found: &mut Vec<VarId>) {
        let expr = |id: &ExprId| Node::UsedInExpr(*id);
        let formula = |id: &FormulaId| Node::UsedInFormula(*id);
        let int = |id: &IntId| Node::UsedInInt(*id);
        match node {
            Node::UsedInInt(id) => match self.int(id) {
                Int::Constant(_) | Int::Count(_) | Int::Value(_) => {}
                Int::Sum(decls, body) => {
                    open.extend(decls.iter().map(|decl| expr(&decl.bound)));
                    open.push(int(body));
                }
                Int::Arithmetic(_, a, b) => open.extend([int(a), int(b)]),
                Int::Choice(condition, a, b) => open.extend([formula(condition), int(a), int(b)]),
            },
            Node::UsedInExpr(id) => match self.expr(id) {
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
            Node::UsedInFormula(id) => match self.formula(id) {
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
            Node::Int(_) | Node::Expr(_) => {}
        }
    }
}
