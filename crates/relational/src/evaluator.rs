//! The plain meaning of expressions and formulas over an instance.
//!
//! Values are sets of rows and every operator is written down as it is defined. Nothing here is shared
//! with the translation to circuits: that is what makes it worth asking both.

mod exprs;
mod freed;
mod ints;
mod overflow;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use wherefore_base::{Budget, Meter, deep};

use crate::instance::Instance;
use crate::problem::{Overflow, Problem};
use crate::refusal::{ProblemRefusal, SearchResult};
use crate::terms::{
    Amount, FormulaId, IntComparison, IntId, Multiplicity, RelDecl, RelExpr, RelExprId, RelFormula,
    RelQuantifier, RelVarId,
};
use crate::tuples::TupleSet;
use crate::universe::UniverseAtomId;

pub use freed::FreedFormulas;
use overflow::OverflowStanding;

/// The most tuples a set may have of which every subset is tried.
const MOST_SUBSETS_OF: usize = 16;

type TupleRows = BTreeSet<Vec<UniverseAtomId>>;

/// A set of rows, and whether arithmetic overflowed on the way to it.
#[derive(Clone)]
struct RowSet {
    rows: Rc<TupleRows>,
    overflow: bool,
}

/// An integer, and whether arithmetic overflowed on the way to it.
#[derive(Clone, Copy)]
struct IntValue {
    value: i64,
    overflow: bool,
}

/// A variable that has a value just now.
struct BoundVariable {
    variable: RelVarId,
    rows: Rc<TupleRows>,
    /// Whether overflow with it is as with a universal variable.
    universal: bool,
    /// Whether it stands for an integer.
    integer: bool,
    /// Whether it is a function of the universal variables around it.
    lifted: bool,
}

/// Evaluates expressions and formulas of a problem over one instance.
pub struct RelEvaluator<'p> {
    problem: &'p Problem,
    instance: &'p Instance,
    meter: Meter,
    scope: Vec<BoundVariable>,
    /// The values of expressions without free variables.
    closed: BTreeMap<(RelExprId, bool), RowSet>,
    /// Whether the formula at hand is below an odd number of `not`.
    denied: bool,
    integers: BTreeMap<i64, UniverseAtomId>,
}

impl<'p> RelEvaluator<'p> {
    /// An evaluator over an instance that fits the problem.
    pub fn new(
        problem: &'p Problem,
        instance: &'p Instance,
        budget: &Budget,
    ) -> SearchResult<Self> {
        problem.check()?;
        if !instance.fits(problem) {
            let message = "The instance does not fit the bounds of the problem.".to_string();
            return Err(ProblemRefusal::Misfit { message });
        }
        let integers = problem.integers().atoms.iter();
        Ok(Self {
            problem,
            instance,
            meter: budget.meter(),
            scope: Vec::new(),
            closed: BTreeMap::new(),
            denied: false,
            integers: integers.map(|&(atom, value)| (value, atom)).collect(),
        })
    }

    /// Whether every requirement of the problem is true.
    pub fn all_hold(&mut self) -> SearchResult<bool> {
        let problem = self.problem;
        let orders = problem.orders.iter().map(|(_, axioms)| *axioms);
        for formula in problem.requirements().iter().copied().chain(orders) {
            if !self.holds(formula)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a formula without free variables is true.
    pub fn holds(&mut self, formula: FormulaId) -> SearchResult<bool> {
        self.closed(self.problem.free_in_formula(formula))?;
        self.formula(formula, OverflowStanding::TOP)
    }

    /// The value of an expression without free variables.
    pub fn tuples(&mut self, expr: RelExprId) -> SearchResult<TupleSet> {
        self.closed(self.problem.free_in_expr(expr))?;
        let set = self.expr(expr)?;
        let packing = self.problem.universe().packing();
        let arity = self.problem.arity(expr);
        Ok(TupleSet::from_tuples(packing, arity, set.rows.iter()))
    }

    /// The value of an integer expression without free variables; none where it overflows and must not.
    pub fn integer(&mut self, int: IntId) -> SearchResult<Option<i64>> {
        self.closed(self.problem.free_in_int(int))?;
        let number = self.int(int)?;
        Ok(Some(number.value).filter(|_| !number.overflow))
    }

    fn closed(&self, free: &[RelVarId]) -> SearchResult<()> {
        match free.first() {
            None => self.problem.check(),
            Some(&variable) => {
                let name = &self.problem.variables()[variable].name;
                let message = format!("The variable `{name}` has no value here.");
                Err(ProblemRefusal::Misfit { message })
            }
        }
    }

    fn formula(&mut self, id: FormulaId, standing: OverflowStanding) -> SearchResult<bool> {
        self.meter.tick()?;
        let before = std::mem::replace(&mut self.denied, standing.denied);
        let holds = deep(|| self.formula_here(id, standing));
        self.denied = before;
        holds
    }

    fn formula_here(&mut self, id: FormulaId, standing: OverflowStanding) -> SearchResult<bool> {
        let problem = self.problem;
        Ok(match problem.formula(id) {
            RelFormula::In(a, b) => {
                let (left, right) = (self.expr(*a)?, self.expr(*b)?);
                let value = left.rows.is_subset(&right.rows);
                let operands = [(left.overflow, *a), (right.overflow, *b)];
                self.settle(value, operands, |id| problem.behind_expr(id))
            }
            RelFormula::Equal(a, b) => {
                let (left, right) = (self.expr(*a)?, self.expr(*b)?);
                let value = left.rows == right.rows;
                let operands = [(left.overflow, *a), (right.overflow, *b)];
                self.settle(value, operands, |id| problem.behind_expr(id))
            }
            RelFormula::Amount(amount, a) => {
                let set = self.expr(*a)?;
                let value = match amount {
                    Amount::No => set.rows.is_empty(),
                    Amount::Some => !set.rows.is_empty(),
                    Amount::Lone => set.rows.len() <= 1,
                    Amount::One => set.rows.len() == 1,
                };
                self.settle(value, [(set.overflow, *a)], |id| problem.behind_expr(id))
            }
            RelFormula::Compare(how, a, b) => {
                let (left, right) = (self.int(*a)?, self.int(*b)?);
                let value = match how {
                    IntComparison::Equal => left.value == right.value,
                    IntComparison::Less => left.value < right.value,
                    IntComparison::AtMost => left.value <= right.value,
                };
                let operands = [(left, *a), (right, *b)];
                let operands = operands.map(|(n, id)| (n.overflow, id));
                self.settle(value, operands, |id| problem.behind_int(id))
            }
            RelFormula::Quantified(quantifier, decls, body) => {
                let all = *quantifier == RelQuantifier::All;
                let counter = self.find(decls, *body, all, standing)?;
                // A value that is found refutes a universal formula and witnesses an existential one.
                counter != all
            }
            RelFormula::Not(a) => !self.formula(*a, standing.negated())?,
            RelFormula::And(parts) => {
                for &part in parts {
                    if !self.formula(part, standing.part(true))? {
                        return Ok(false);
                    }
                }
                true
            }
            RelFormula::Or(parts) => {
                for &part in parts {
                    if self.formula(part, standing.part(false))? {
                        return Ok(true);
                    }
                }
                false
            }
            RelFormula::Implies(a, b) => {
                let part = standing.part(false);
                !self.formula(*a, part.opposed())? || self.formula(*b, part)?
            }
            RelFormula::Iff(a, b) => {
                let part = OverflowStanding::inner(standing.denied);
                self.formula(*a, part)? == self.formula(*b, part)?
            }
            RelFormula::At(a, _) => self.formula(*a, standing)?,
        })
    }

    /// Whether some values of the variables decide a quantified formula: refute it, or witness it.
    fn find(
        &mut self,
        decls: &[RelDecl],
        body: FormulaId,
        all: bool,
        standing: OverflowStanding,
    ) -> SearchResult<bool> {
        let (scoped, existential, inner) = Self::around(decls, all, standing);
        self.find_from(decls, scoped, existential, &mut |this| {
            Ok(this.formula(body, inner)? != all)
        })
    }

    /// How variables are bound, whether they are existential, and where the formula below them stands.
    fn around(
        decls: &[RelDecl],
        all: bool,
        standing: OverflowStanding,
    ) -> ((bool, bool), bool, OverflowStanding) {
        let existential = all != standing.positive;
        let scoped = (
            all != standing.denied,
            existential && standing.around.is_some(),
        );
        let mut inner = standing;
        if !existential {
            let around = standing.around.map(|around| around + decls.len());
            inner.around = around.filter(|&around| around <= Overflow::DEPTH);
        }
        (scoped, existential, inner)
    }

    fn find_from(
        &mut self,
        decls: &[RelDecl],
        scoped: (bool, bool),
        existential: bool,
        decides: &mut dyn FnMut(&mut Self) -> SearchResult<bool>,
    ) -> SearchResult<bool> {
        let Some((decl, rest)) = decls.split_first() else {
            return decides(self);
        };
        let bound = self.expr(decl.bound)?.rows;
        // The witness of the instance comes first. It is only a proposal: any other value may do as well.
        let known = self.witness(decl.variable).filter(|known| {
            existential && known.is_subset(&bound) && fits(decl.multiplicity, known.len())
        });
        let tries = known.into_iter().map(Ok);
        for value in tries.chain(values(self.problem, decl, &bound)?) {
            if self.with(decl, value?, scoped, |this| {
                this.find_from(rest, scoped, existential, decides)
            })? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The value that the instance has for an existential variable.
    fn witness(&self, variable: RelVarId) -> Option<TupleRows> {
        let mut witnesses = self.instance.witnesses().iter();
        let witness = witnesses.find(|witness| witness.variable == variable)?;
        let mut outer = Vec::new();
        for &variable in &witness.outer {
            let mut scope = self.scope.iter().rev();
            let scoped = scope.find(|scoped| scoped.variable == variable)?;
            outer.extend_from_slice(scoped.rows.first()?);
        }
        let rows = witness.rows.iter();
        let own = rows.filter_map(|row| row.strip_prefix(&outer[..]));
        Some(own.map(<[UniverseAtomId]>::to_vec).collect())
    }

    fn with<T>(
        &mut self,
        decl: &RelDecl,
        rows: TupleRows,
        (universal, lifted): (bool, bool),
        then: impl FnOnce(&mut Self) -> SearchResult<T>,
    ) -> SearchResult<T> {
        self.meter.tick()?;
        self.scope.push(BoundVariable {
            variable: decl.variable,
            rows: Rc::new(rows),
            universal,
            integer: *self.problem.expr(decl.bound) == RelExpr::Ints,
            lifted,
        });
        let result = deep(|| then(self));
        self.scope.pop();
        result
    }
}

fn fits(multiplicity: Multiplicity, tuples: usize) -> bool {
    match multiplicity {
        Multiplicity::One => tuples == 1,
        Multiplicity::Lone => tuples <= 1,
        Multiplicity::Some => tuples > 0,
        Multiplicity::Set => true,
    }
}

/// Every value that a declared variable may have.
fn values<'r>(
    problem: &Problem,
    decl: &RelDecl,
    bound: &'r TupleRows,
) -> SearchResult<Box<dyn Iterator<Item = SearchResult<TupleRows>> + 'r>> {
    let single = || bound.iter().map(|row| Ok(TupleRows::from([row.clone()])));
    match decl.multiplicity {
        Multiplicity::One => Ok(Box::new(single())),
        Multiplicity::Lone => Ok(Box::new(
            std::iter::once(Ok(TupleRows::new())).chain(single()),
        )),
        Multiplicity::Some | Multiplicity::Set => {
            if bound.len() > MOST_SUBSETS_OF {
                let variable = &problem.variables()[decl.variable];
                let (name, size) = (&variable.name, bound.len());
                return Err(ProblemRefusal::TooLarge {
                    message: format!(
                        "The variable `{name}` may be any subset of {size} tuples; at most \
                         {MOST_SUBSETS_OF} are tried one by one."
                    ),
                    span: variable.span,
                });
            }
            // The empty subset has the number zero.
            let least = usize::from(decl.multiplicity == Multiplicity::Some);
            let subset = |bits: usize| {
                let member =
                    move |(place, _): &(usize, &Vec<UniverseAtomId>)| bits >> place & 1 == 1;
                let rows = bound.iter().enumerate().filter(member);
                Ok(rows.map(|(_, row)| row.clone()).collect())
            };
            Ok(Box::new((least..1 << bound.len()).map(subset)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Integers, Overflow};
    use crate::terms::{Arithmetic, Binary, RelationId};
    use crate::universe::Universe;
    use wherefore_base::IndexVec;

    /// Four atoms in a line, `r = {a->b, b->c, c->d}`, `s = {a, c}`, and integers of three bits from 0.
    fn line(overflow: Overflow) -> (Problem, Instance, [RelExprId; 2]) {
        let universe = Universe::new(["a", "b", "c", "d", "0", "1", "2", "3"]);
        let atoms: Vec<UniverseAtomId> = universe.atoms().collect();
        let values = (0..4).map(|value| (atoms[4 + value], value as i64));
        let integers = Integers {
            width: 3,
            overflow,
            atoms: values.collect(),
        };
        let r = TupleSet::from_tuples(universe.packing(), 2, atoms[..4].windows(2));
        let s = universe.set([atoms[0], atoms[2]]);
        let mut problem = Problem::new(universe, integers);
        let relations = [
            problem.constant("r", r.clone()),
            problem.constant("s", s.clone()),
        ];
        let exprs = relations.map(|relation| problem.rel(relation));
        let values: IndexVec<RelationId, TupleSet> = IndexVec::from(vec![r, s]);
        (problem, Instance::new(values, Vec::new()), exprs)
    }

    /// The value of an expression, as text.
    fn text(problem: &Problem, instance: &Instance, expr: RelExprId) -> String {
        let budget = Budget::unlimited();
        let mut evaluator = RelEvaluator::new(problem, instance, &budget).expect("it fits");
        let tuples = evaluator.tuples(expr).expect("it has a value");
        let name = |atom: &UniverseAtomId| problem.universe().name(*atom).to_string();
        let row = |tuple: Vec<UniverseAtomId>| tuple.iter().map(name).collect::<String>();
        tuples.iter().map(row).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn operators_have_the_values_that_their_definitions_say() {
        let (mut p, instance, [r, s]) = line(Overflow::Wrap);
        let join = p.join(s, r);
        let back = p.join(r, s);
        let closure = p.closure(r);
        let turned = p.transpose(r);
        let pairs = p.product(s, s);
        let over = p.binary(Binary::Override, r, pairs);
        let domain = p.binary(Binary::Domain, s, r);
        let range = p.binary(Binary::Range, r, s);
        let star = p.reflexive_closure(r);
        let reached = p.join(join, star);
        let both = p.intersection(reached, s);
        let either = p.union(join, s);
        let rest = p.difference(reached, s);
        let x = p.variable("x", 1, None);
        let x_expr = p.var(x);
        let after = p.join(x_expr, r);
        let some = p.some(after);
        let begins = p.comprehension([RelDecl::one(x, either)], some);
        for (expr, meant) in [
            (join, "b d"),
            (back, "b"),
            (closure, "ab ac ad bc bd cd"),
            (turned, "ba cb dc"),
            (over, "aa ac bc ca cc"),
            (domain, "ab cd"),
            (range, "bc"),
            (reached, "b c d"),
            (both, "c"),
            (either, "a b c d"),
            (rest, "b d"),
            (begins, "a b c"),
        ] {
            assert_eq!(text(&p, &instance, expr), meant, "{:?}", p.expr(expr));
        }
    }

    #[test]
    fn integers_wrap_or_do_not_count() {
        for overflow in [Overflow::Wrap, Overflow::Forbid] {
            let (mut p, instance, [r, _]) = line(overflow);
            let count = p.count(r);
            let twice = p.arithmetic(Arithmetic::Add, count, count);
            let budget = Budget::unlimited();
            let mut evaluator = RelEvaluator::new(&p, &instance, &budget).expect("it fits");
            let wraps = overflow == Overflow::Wrap;
            assert_eq!(evaluator.integer(count), Ok(Some(3)));
            assert_eq!(evaluator.integer(twice), Ok(wraps.then_some(-2)));
            // Some integer, and all integers, are less than their successor.
            let x = p.variable("x", 1, None);
            let x_expr = p.var(x);
            let value = p.value(x_expr);
            let one = p.number(1);
            let more = p.arithmetic(Arithmetic::Add, value, one);
            let less = p.compare(IntComparison::Less, value, more);
            let ints = p.ints();
            let all = p.all([RelDecl::one(x, ints)], less);
            let greater = p.not(less);
            let some = p.exists([RelDecl::one(x, ints)], greater);
            let mut evaluator = RelEvaluator::new(&p, &instance, &budget).expect("it fits");
            assert_eq!(evaluator.holds(all), Ok(!wraps));
            assert_eq!(evaluator.holds(some), Ok(wraps));
            let not_all = p.not(all);
            let mut evaluator = RelEvaluator::new(&p, &instance, &budget).expect("it fits");
            assert_eq!(evaluator.holds(not_all), Ok(wraps));
        }
    }

    #[test]
    fn sets_are_tried_one_by_one_up_to_a_limit() {
        let (mut p, instance, [r, s]) = line(Overflow::Wrap);
        let x = p.variable("x", 1, None);
        let x_expr = p.var(x);
        let image = p.join(x_expr, r);
        let small = p.is_in(image, x_expr);
        let closed = p.exists([RelDecl::set(x, s)], small);
        let y = p.variable("y", 2, None);
        let y_expr = p.var(y);
        let univ = p.univ();
        let pairs = p.product(univ, univ);
        let in_r = p.is_in(y_expr, r);
        let wide = p.all([RelDecl::set(y, pairs)], in_r);
        let budget = Budget::unlimited();
        let mut evaluator = RelEvaluator::new(&p, &instance, &budget).expect("it fits");
        assert_eq!(evaluator.holds(closed), Ok(true));
        assert!(matches!(
            evaluator.holds(wide),
            Err(ProblemRefusal::TooLarge { .. })
        ));
    }
}
