//! How nodes are made: one method for each, which checks that the parts fit.

use wherefore_base::Span;

use crate::arena::NodeFacts;
use crate::problem::Problem;
use crate::terms::{
    Amount, Arithmetic, Binary, FormulaId, Int, IntComparison, IntId, Multiplicity, RelDecl,
    RelExpr, RelExprId, RelFormula, RelQuantifier, RelVarId, RelationId, Unary,
};

/// Expressions.
impl Problem {
    /// A relation as an expression.
    pub fn rel(&mut self, relation: RelationId) -> RelExprId {
        let arity = self.relations()[relation].arity();
        self.leaf(RelExpr::Relation(relation), arity)
    }

    /// A variable as an expression.
    pub fn var(&mut self, variable: RelVarId) -> RelExprId {
        let facts = NodeFacts {
            arity: self.variables()[variable].arity,
            free: Box::new([variable]),
            ..NodeFacts::default()
        };
        self.arena.intern_expr(RelExpr::Variable(variable), facts)
    }

    /// Every atom.
    pub fn univ(&mut self) -> RelExprId {
        self.leaf(RelExpr::Univ, 1)
    }

    /// Every atom with itself.
    pub fn iden(&mut self) -> RelExprId {
        self.leaf(RelExpr::Iden, 2)
    }

    /// No tuple, with this many columns.
    pub fn none(&mut self, arity: usize) -> RelExprId {
        if arity == 0 {
            self.misfit("An expression has at least one column.".to_string());
        }
        self.leaf(RelExpr::None(arity.max(1)), arity.max(1))
    }

    /// Every integer atom.
    pub fn ints(&mut self) -> RelExprId {
        self.leaf(RelExpr::Ints, 1)
    }

    /// An operation on one expression.
    pub fn unary(&mut self, op: Unary, a: RelExprId) -> RelExprId {
        if self.arity(a) != 2 {
            let (op, arity) = (format!("{op:?}"), self.arity(a));
            self.misfit(format!(
                "`{op}` takes an expression of 2 columns, not of {arity}."
            ));
        }
        let facts = NodeFacts {
            arity: 2,
            ..NodeFacts::default()
        };
        self.arena.intern_expr(RelExpr::Unary(op, a), facts)
    }

    /// An operation on two expressions.
    pub fn binary(&mut self, op: Binary, a: RelExprId, b: RelExprId) -> RelExprId {
        let (left, right) = (self.arity(a), self.arity(b));
        let (fits, arity) = match op {
            Binary::Union | Binary::Intersection | Binary::Difference => (left == right, left),
            Binary::Override => (left == right && left > 1, left),
            Binary::Join => (left + right > 2, (left + right).saturating_sub(2).max(1)),
            Binary::Product => (true, left + right),
            Binary::Domain => (left == 1, right),
            Binary::Range => (right == 1, left),
        };
        if !fits {
            let op = format!("{op:?}");
            self.misfit(format!(
                "`{op}` does not take expressions of {left} and {right} columns."
            ));
        }
        self.widest(arity);
        let facts = NodeFacts {
            arity,
            ..NodeFacts::default()
        };
        self.arena.intern_expr(RelExpr::Binary(op, a, b), facts)
    }

    /// `a + b`
    pub fn union(&mut self, a: RelExprId, b: RelExprId) -> RelExprId {
        self.binary(Binary::Union, a, b)
    }

    /// `a & b`
    pub fn intersection(&mut self, a: RelExprId, b: RelExprId) -> RelExprId {
        self.binary(Binary::Intersection, a, b)
    }

    /// `a - b`
    pub fn difference(&mut self, a: RelExprId, b: RelExprId) -> RelExprId {
        self.binary(Binary::Difference, a, b)
    }

    /// `a . b`
    pub fn join(&mut self, a: RelExprId, b: RelExprId) -> RelExprId {
        self.binary(Binary::Join, a, b)
    }

    /// `a -> b`
    pub fn product(&mut self, a: RelExprId, b: RelExprId) -> RelExprId {
        self.binary(Binary::Product, a, b)
    }

    /// `~a`
    pub fn transpose(&mut self, a: RelExprId) -> RelExprId {
        self.unary(Unary::Transpose, a)
    }

    /// `^a`
    pub fn closure(&mut self, a: RelExprId) -> RelExprId {
        self.unary(Unary::Closure, a)
    }

    /// `*a`
    pub fn reflexive_closure(&mut self, a: RelExprId) -> RelExprId {
        self.unary(Unary::ReflexiveClosure, a)
    }

    /// The tuples of values of the declared variables for which the formula is true. Every variable is
    /// declared as one tuple.
    pub fn comprehension(
        &mut self,
        decls: impl Into<Box<[RelDecl]>>,
        body: FormulaId,
    ) -> RelExprId {
        let decls = decls.into();
        self.declared(&decls, true);
        let arity = decls.iter().map(|decl| self.arity(decl.bound)).sum();
        self.widest(arity);
        let facts = NodeFacts {
            arity,
            ..NodeFacts::default()
        };
        let node = RelExpr::Comprehension(decls, body);
        self.arena.intern_expr(node, facts)
    }

    /// `if condition then a else b`
    pub fn choice(&mut self, condition: FormulaId, a: RelExprId, b: RelExprId) -> RelExprId {
        let arity = self.arity(a);
        if arity != self.arity(b) {
            self.misfit("Both sides of a choice have the same columns.".to_string());
        }
        let facts = NodeFacts {
            arity,
            ..NodeFacts::default()
        };
        let node = RelExpr::Choice(condition, a, b);
        self.arena.intern_expr(node, facts)
    }

    /// The atom of an integer.
    pub fn from_int(&mut self, a: IntId) -> RelExprId {
        let facts = NodeFacts {
            arity: 1,
            ..NodeFacts::default()
        };
        self.arena.intern_expr(RelExpr::FromInt(a), facts)
    }

    fn leaf(&mut self, node: RelExpr, arity: usize) -> RelExprId {
        self.widest(arity);
        let facts = NodeFacts {
            arity,
            ..NodeFacts::default()
        };
        self.arena.intern_expr(node, facts)
    }

    fn widest(&mut self, arity: usize) {
        let most = self.universe().packing().most_columns();
        if arity > most {
            let atoms = self.universe().len();
            self.misfit(format!(
                "An expression has {arity} columns; over {atoms} atoms it may have {most}."
            ));
        }
    }
}

/// Formulas.
impl Problem {
    /// The formula that is always true.
    pub fn truth(&mut self) -> FormulaId {
        self.and([])
    }

    /// The formula that is always false.
    pub fn falsity(&mut self) -> FormulaId {
        self.or([])
    }

    /// Every tuple of `a` is in `b`.
    pub fn is_in(&mut self, a: RelExprId, b: RelExprId) -> FormulaId {
        self.same_columns(a, b);
        self.arena.intern_formula(RelFormula::In(a, b))
    }

    /// `a` and `b` have the same tuples.
    pub fn equal(&mut self, a: RelExprId, b: RelExprId) -> FormulaId {
        self.same_columns(a, b);
        self.arena.intern_formula(RelFormula::Equal(a, b))
    }

    /// How many tuples `a` has.
    pub fn amount(&mut self, amount: Amount, a: RelExprId) -> FormulaId {
        self.arena.intern_formula(RelFormula::Amount(amount, a))
    }

    /// `a` has at least one tuple.
    pub fn some(&mut self, a: RelExprId) -> FormulaId {
        self.amount(Amount::Some, a)
    }

    /// `a` has no tuple.
    pub fn no(&mut self, a: RelExprId) -> FormulaId {
        self.amount(Amount::No, a)
    }

    /// `a` has at most one tuple.
    pub fn lone(&mut self, a: RelExprId) -> FormulaId {
        self.amount(Amount::Lone, a)
    }

    /// `a` has exactly one tuple.
    pub fn one(&mut self, a: RelExprId) -> FormulaId {
        self.amount(Amount::One, a)
    }

    /// A comparison of integers.
    pub fn compare(&mut self, how: IntComparison, a: IntId, b: IntId) -> FormulaId {
        self.arena.intern_formula(RelFormula::Compare(how, a, b))
    }

    /// A quantified formula. At most one value, or exactly one, is [`Problem::lone`] or
    /// [`Problem::one`] of a comprehension.
    pub fn quantified(
        &mut self,
        quantifier: RelQuantifier,
        decls: impl Into<Box<[RelDecl]>>,
        body: FormulaId,
    ) -> FormulaId {
        let decls = decls.into();
        self.declared(&decls, false);
        let node = RelFormula::Quantified(quantifier, decls, body);
        self.arena.intern_formula(node)
    }

    /// For every value of the variables.
    pub fn all(&mut self, decls: impl Into<Box<[RelDecl]>>, body: FormulaId) -> FormulaId {
        self.quantified(RelQuantifier::All, decls, body)
    }

    /// For some value of the variables.
    pub fn exists(&mut self, decls: impl Into<Box<[RelDecl]>>, body: FormulaId) -> FormulaId {
        self.quantified(RelQuantifier::Some, decls, body)
    }

    /// The formula is false.
    pub fn not(&mut self, a: FormulaId) -> FormulaId {
        self.arena.intern_formula(RelFormula::Not(a))
    }

    /// All are true.
    pub fn and(&mut self, parts: impl Into<Vec<FormulaId>>) -> FormulaId {
        match parts.into()[..] {
            [part] => part,
            ref parts => self.arena.intern_formula(RelFormula::And(parts.into())),
        }
    }

    /// At least one is true.
    pub fn or(&mut self, parts: impl Into<Vec<FormulaId>>) -> FormulaId {
        match parts.into()[..] {
            [part] => part,
            ref parts => self.arena.intern_formula(RelFormula::Or(parts.into())),
        }
    }

    /// `b` is true where `a` is.
    pub fn implies(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        self.arena.intern_formula(RelFormula::Implies(a, b))
    }

    /// Both are true, or both are false.
    pub fn iff(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        self.arena.intern_formula(RelFormula::Iff(a, b))
    }

    /// A formula as it is written in a place: what cores and logs point at.
    pub fn at(&mut self, a: FormulaId, span: Span) -> FormulaId {
        self.arena.intern_formula(RelFormula::At(a, span))
    }

    fn same_columns(&mut self, a: RelExprId, b: RelExprId) {
        let (left, right) = (self.arity(a), self.arity(b));
        if left != right {
            self.misfit(format!(
                "Expressions of {left} and {right} columns cannot be compared."
            ));
        }
    }

    /// Checks that the variables have the columns of their bounds, that no bound uses a variable
    /// declared with it or after it, and, where only single tuples make sense, that they are single.
    fn declared(&mut self, decls: &[RelDecl], single: bool) {
        if decls.is_empty() {
            self.misfit("At least one variable is declared.".to_string());
        }
        for (place, decl) in decls.iter().enumerate() {
            let variable = &self.variables()[decl.variable];
            let (name, arity) = (variable.name.clone(), variable.arity);
            if arity != self.arity(decl.bound) {
                self.misfit(format!(
                    "The variable `{name}` and its bound have different columns."
                ));
            }
            let free = self.free_in_expr(decl.bound);
            let later = &decls[place..];
            if later.iter().any(|other| free.contains(&other.variable)) {
                self.misfit(format!(
                    "The bound of the variable `{name}` uses a variable declared with it or later."
                ));
            }
            let again = later.iter().skip(1);
            if again.into_iter().any(|d| d.variable == decl.variable) {
                self.misfit(format!("The variable `{name}` is declared twice."));
            }
            if single && decl.multiplicity != Multiplicity::One {
                self.misfit(format!(
                    "The variable `{name}` must stand for one tuple here."
                ));
            }
        }
    }
}

/// Integer expressions.
impl Problem {
    /// A constant.
    pub fn number(&mut self, value: i64) -> IntId {
        self.arena.intern_int(Int::Constant(value))
    }

    /// How many tuples an expression has.
    pub fn count(&mut self, a: RelExprId) -> IntId {
        self.arena.intern_int(Int::Count(a))
    }

    /// The sum of the integers whose atoms are in a set.
    pub fn value(&mut self, a: RelExprId) -> IntId {
        if self.arity(a) != 1 {
            self.misfit("Only a set has a sum of integers.".to_string());
        }
        self.arena.intern_int(Int::Value(a))
    }

    /// The sum of `body` over all values of the declared variables, each of which is one tuple.
    pub fn sum(&mut self, decls: impl Into<Box<[RelDecl]>>, body: IntId) -> IntId {
        let decls = decls.into();
        self.declared(&decls, true);
        self.arena.intern_int(Int::Sum(decls, body))
    }

    /// An operation on two integers.
    pub fn arithmetic(&mut self, op: Arithmetic, a: IntId, b: IntId) -> IntId {
        self.arena.intern_int(Int::Arithmetic(op, a, b))
    }

    /// `if condition then a else b`
    pub fn int_choice(&mut self, condition: FormulaId, a: IntId, b: IntId) -> IntId {
        self.arena.intern_int(Int::Choice(condition, a, b))
    }
}

impl RelDecl {
    /// `variable: one bound`
    pub fn one(variable: RelVarId, bound: RelExprId) -> Self {
        Self {
            variable,
            multiplicity: Multiplicity::One,
            bound,
        }
    }

    /// `variable: set bound`
    pub fn set(variable: RelVarId, bound: RelExprId) -> Self {
        Self {
            variable,
            multiplicity: Multiplicity::Set,
            bound,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Integers;
    use crate::universe::Universe;

    fn problem() -> (Problem, RelExprId) {
        let universe = Universe::new(["a", "b", "c"]);
        let all = universe.everything();
        let mut problem = Problem::new(universe.clone(), Integers::none());
        let r = problem.relation("r", universe.no_tuples(2), all.product(&all));
        let r = problem.rel(r);
        (problem, r)
    }

    #[test]
    fn equal_nodes_are_one_node_and_know_their_columns() {
        let (mut problem, r) = problem();
        let two = problem.join(r, r);
        assert_eq!(problem.join(r, r), two);
        assert_eq!(problem.arity(two), 2);
        let univ = problem.univ();
        let image = problem.join(univ, r);
        assert_eq!(problem.arity(image), 1);
        let wide = problem.product(two, r);
        assert_eq!(problem.arity(wide), 4);
        assert_eq!(problem.check(), Ok(()));
    }

    #[test]
    fn parts_that_do_not_fit_are_refused_with_a_sentence() {
        let (mut first, r) = problem();
        let univ = first.univ();
        first.union(r, univ);
        let text = first.check().expect_err("it does not fit").to_string();
        assert_eq!(
            text,
            "`Union` does not take expressions of 2 and 1 columns."
        );
        let (mut wide, r) = problem();
        let mut expr = r;
        for _ in 0..20 {
            expr = wide.product(expr, r);
        }
        let text = wide.check().expect_err("it is too wide").to_string();
        assert_eq!(
            text,
            "An expression has 32 columns; over 3 atoms it may have 30."
        );
    }

    #[test]
    fn variables_are_free_where_no_declaration_binds_them() {
        let (mut problem, r) = problem();
        let (x, y) = (
            problem.variable("x", 1, None),
            problem.variable("y", 1, None),
        );
        let univ = problem.univ();
        let (x_expr, y_expr) = (problem.var(x), problem.var(y));
        let after = problem.join(x_expr, r);
        let body = problem.is_in(y_expr, after);
        assert_eq!(problem.free_in_formula(body), [x, y]);
        let some = problem.exists([RelDecl::one(y, after)], body);
        assert_eq!(problem.free_in_formula(some), [x]);
        let all = problem.all([RelDecl::one(x, univ)], some);
        problem.require(all);
        assert_eq!(problem.check(), Ok(()));
        problem.require(some);
        assert!(problem.check().is_err());
        let set = problem.comprehension([RelDecl::one(x, univ), RelDecl::one(y, after)], body);
        assert_eq!(problem.arity(set), 2);
    }
}
