//! Formulas with other expressions in the place of relations.

use rustc_hash::FxHashMap;
use wherefore_base::deep;

use crate::problem::Problem;
use crate::terms::{Decl, Expr, ExprId, Formula, FormulaId, Int, IntId, RelationId};

impl Problem {
    /// A formula in which relations are replaced by expressions without free variables.
    pub fn replaced(&mut self, formula: FormulaId, by: &[(RelationId, ExprId)]) -> FormulaId {
        let mut replacing = Replacing {
            problem: self,
            by,
            exprs: FxHashMap::default(),
            formulas: FxHashMap::default(),
            ints: FxHashMap::default(),
        };
        replacing.formula(formula)
    }
}

struct Replacing<'p> {
    problem: &'p mut Problem,
    by: &'p [(RelationId, ExprId)],
    exprs: FxHashMap<ExprId, ExprId>,
    formulas: FxHashMap<FormulaId, FormulaId>,
    ints: FxHashMap<IntId, IntId>,
}

impl Replacing<'_> {
    fn expr(&mut self, id: ExprId) -> ExprId {
        if let Some(&known) = self.exprs.get(&id) {
            return known;
        }
        let new = deep(|| self.expr_here(id));
        self.exprs.insert(id, new);
        new
    }

    fn expr_here(&mut self, id: ExprId) -> ExprId {
        match self.problem.expr(id).clone() {
            Expr::Relation(relation) => {
                let found = self.by.iter().find(|(from, _)| *from == relation);
                found.map_or(id, |(_, to)| *to)
            }
            Expr::Variable(_) | Expr::Univ | Expr::Iden | Expr::None(_) | Expr::Ints => id,
            Expr::Unary(op, a) => {
                let a = self.expr(a);
                self.problem.unary(op, a)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.problem.binary(op, a, b)
            }
            Expr::Comprehension(decls, body) => {
                let (decls, body) = (self.decls(&decls), self.formula(body));
                self.problem.comprehension(decls, body)
            }
            Expr::Choice(condition, a, b) => {
                let condition = self.formula(condition);
                let (a, b) = (self.expr(a), self.expr(b));
                self.problem.choice(condition, a, b)
            }
            Expr::FromInt(a) => {
                let a = self.int(a);
                self.problem.from_int(a)
            }
        }
    }

    fn decls(&mut self, decls: &[Decl]) -> Vec<Decl> {
        let decls = decls.iter().map(|decl| Decl {
            bound: self.expr(decl.bound),
            ..*decl
        });
        decls.collect()
    }

    fn formula(&mut self, id: FormulaId) -> FormulaId {
        if let Some(&known) = self.formulas.get(&id) {
            return known;
        }
        let new = deep(|| self.formula_here(id));
        self.formulas.insert(id, new);
        new
    }

    fn formula_here(&mut self, id: FormulaId) -> FormulaId {
        match self.problem.formula(id).clone() {
            Formula::In(a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.problem.is_in(a, b)
            }
            Formula::Equal(a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.problem.equal(a, b)
            }
            Formula::Amount(amount, a) => {
                let a = self.expr(a);
                self.problem.amount(amount, a)
            }
            Formula::Compare(how, a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.problem.compare(how, a, b)
            }
            Formula::Quantified(quantifier, decls, body) => {
                let (decls, body) = (self.decls(&decls), self.formula(body));
                self.problem.quantified(quantifier, decls, body)
            }
            Formula::Not(a) => {
                let a = self.formula(a);
                self.problem.not(a)
            }
            Formula::And(parts) => {
                let parts: Vec<FormulaId> = parts.iter().map(|&a| self.formula(a)).collect();
                self.problem.and(parts)
            }
            Formula::Or(parts) => {
                let parts: Vec<FormulaId> = parts.iter().map(|&a| self.formula(a)).collect();
                self.problem.or(parts)
            }
            Formula::Implies(a, b) => {
                let (a, b) = (self.formula(a), self.formula(b));
                self.problem.implies(a, b)
            }
            Formula::Iff(a, b) => {
                let (a, b) = (self.formula(a), self.formula(b));
                self.problem.iff(a, b)
            }
            Formula::At(a, span) => {
                let a = self.formula(a);
                self.problem.at(a, span)
            }
        }
    }

    fn int(&mut self, id: IntId) -> IntId {
        if let Some(&known) = self.ints.get(&id) {
            return known;
        }
        let new = deep(|| self.int_here(id));
        self.ints.insert(id, new);
        new
    }

    fn int_here(&mut self, id: IntId) -> IntId {
        match self.problem.int(id).clone() {
            Int::Constant(_) => id,
            Int::Count(a) => {
                let a = self.expr(a);
                self.problem.count(a)
            }
            Int::Value(a) => {
                let a = self.expr(a);
                self.problem.value(a)
            }
            Int::Sum(decls, body) => {
                let (decls, body) = (self.decls(&decls), self.int(body));
                self.problem.sum(decls, body)
            }
            Int::Arithmetic(op, a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.problem.arithmetic(op, a, b)
            }
            Int::Choice(condition, a, b) => {
                let condition = self.formula(condition);
                let (a, b) = (self.int(a), self.int(b));
                self.problem.int_choice(condition, a, b)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Decl, Integers, Problem, Universe};

    #[test]
    fn a_relation_is_replaced_wherever_it_occurs_and_nothing_else_is() {
        let universe = Universe::new(["a", "b"]);
        let all = universe.everything();
        let mut problem = Problem::new(universe.clone(), Integers::none());
        let [old, new] = ["old", "new"]
            .map(|name| problem.relation(name, universe.no_tuples(2), all.product(&all)));
        let x = problem.variable("x", 1, None);
        let said = |problem: &mut Problem, relation| {
            let relation = problem.rel(relation);
            let (atom, univ) = (problem.var(x), problem.univ());
            let closure = problem.closure(relation);
            let reached = problem.join(atom, closure);
            let count = problem.count(reached);
            let one = problem.number(1);
            let few = problem.compare(crate::Comparison::AtMost, count, one);
            let all = problem.all([Decl::one(x, univ)], few);
            let none = problem.no(relation);
            problem.or([all, none])
        };
        let (before, after) = (said(&mut problem, old), said(&mut problem, new));
        let to = problem.rel(new);
        assert_eq!(problem.replaced(before, &[(old, to)]), after);
        assert_eq!(problem.replaced(after, &[(old, to)]), after);
    }
}
