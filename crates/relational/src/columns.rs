//! Which atoms the columns of an expression can have at most, whatever the relations are.

use rustc_hash::FxHashMap;
use wherefore_base::deep;

use crate::problem::Problem;
use crate::terms::{Binary, RelDecl, RelExpr, RelExprId, Unary};
use crate::tuples::TupleSet;

impl Problem {
    /// For each column of an expression a set of atoms outside of which it has none, in any instance. Bounds of
    /// relations are looked at column by column, and free variables may stand for anything.
    pub fn atoms_in_columns(&self, expr: RelExprId) -> Vec<TupleSet> {
        let mut columns = Columns {
            problem: self,
            known: FxHashMap::default(),
        };
        columns.of(expr)
    }
}

/// The columns of the parts of an expression, each found once.
struct Columns<'p> {
    problem: &'p Problem,
    known: FxHashMap<RelExprId, Vec<TupleSet>>,
}

impl Columns<'_> {
    fn of(&mut self, expr: RelExprId) -> Vec<TupleSet> {
        if let Some(known) = self.known.get(&expr) {
            return known.clone();
        }
        let found = deep(|| self.here(expr));
        self.known.insert(expr, found.clone());
        found
    }

    fn here(&mut self, expr: RelExprId) -> Vec<TupleSet> {
        let problem = self.problem;
        let universe = problem.universe();
        match problem.expr(expr) {
            RelExpr::Relation(relation) => projections(&problem.relations()[*relation].upper),
            RelExpr::None(arity) => vec![universe.no_tuples(1); *arity],
            // A variable may stand for anything, and a reflexive closure relates every atom to itself.
            RelExpr::Variable(_)
            | RelExpr::Univ
            | RelExpr::Iden
            | RelExpr::Unary(Unary::ReflexiveClosure, _) => {
                vec![universe.everything(); problem.arity(expr)]
            }
            RelExpr::Ints | RelExpr::FromInt(_) => {
                let atoms = problem.integers().atoms.iter();
                vec![universe.set(atoms.map(|(atom, _)| *atom))]
            }
            RelExpr::Unary(Unary::Transpose, a) => self.of(*a).into_iter().rev().collect(),
            RelExpr::Unary(Unary::Closure, a) => self.of(*a),
            RelExpr::Binary(op, a, b) => self.of_two(*op, *a, *b),
            RelExpr::Comprehension(decls, _) => {
                let bounds = decls.iter().map(|decl: &RelDecl| self.of(decl.bound));
                bounds.flatten().collect()
            }
            RelExpr::Choice(_, a, b) => either(&self.of(*a), &self.of(*b)),
        }
    }

    fn of_two(&mut self, op: Binary, a: RelExprId, b: RelExprId) -> Vec<TupleSet> {
        let (mut left, mut right) = (self.of(a), self.of(b));
        match op {
            Binary::Union | Binary::Override => either(&left, &right),
            Binary::Intersection => {
                let both = left.iter().zip(&right);
                both.map(|(one, other)| one.intersection(other)).collect()
            }
            Binary::Difference => left,
            Binary::Product => {
                left.append(&mut right);
                left
            }
            Binary::Join => {
                left.pop();
                left.extend(right.drain(1..));
                left
            }
            Binary::Domain => {
                right[0] = right[0].intersection(&left[0]);
                right
            }
            Binary::Range => {
                let last = left.len() - 1;
                left[last] = left[last].intersection(&right[0]);
                left
            }
        }
    }
}

fn either(one: &[TupleSet], other: &[TupleSet]) -> Vec<TupleSet> {
    let both = one.iter().zip(other);
    both.map(|(one, other)| one.union(other)).collect()
}

/// The atoms in each column of some tuples.
fn projections(tuples: &TupleSet) -> Vec<TupleSet> {
    let packing = tuples.packing();
    let column = |column: usize| {
        let atoms = tuples.packed().iter();
        let atoms = atoms.map(|&tuple| packing.atom(tuple, tuples.arity(), column));
        TupleSet::from_tuples(packing, 1, atoms.map(|atom| [atom]))
    };
    (0..tuples.arity()).map(column).collect()
}

#[cfg(test)]
mod tests {
    use crate::{Integers, Problem, Universe};

    #[test]
    fn columns_follow_the_bounds_of_relations_through_joins_and_unions() {
        let universe = Universe::new(["a", "b", "c"]);
        let atoms: Vec<_> = universe.atoms().collect();
        let [a, b, c] = [0, 1, 2].map(|at| universe.set([atoms[at]]));
        let mut problem = Problem::new(universe.clone(), Integers::none());
        let step = problem.relation("step", universe.no_tuples(2), a.product(&b));
        let mark = problem.relation("mark", universe.no_tuples(1), c.clone());
        let (step, mark) = (problem.rel(step), problem.rel(mark));
        let univ = problem.univ();
        let after = problem.join(univ, step);
        assert_eq!(
            problem.atoms_in_columns(after)[..],
            *std::slice::from_ref(&b)
        );
        let either = problem.union(after, mark);
        assert_eq!(problem.atoms_in_columns(either), [b.union(&c)]);
        let back = problem.transpose(step);
        assert_eq!(problem.atoms_in_columns(back), [b, a]);
    }
}
