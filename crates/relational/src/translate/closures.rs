//! Transitive closures.
//!
//! A closure that is joined with a set is the iterated image of that set: vectors instead of matrices.
//! Where a larger closure can only make a formula false, any relation that contains the steps and is
//! closed under them stands for it: there are no rounds at all then. Where only a smaller image can, any
//! set does whose atoms have ranks that show how they are reached.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_sat::Edge;
use wherefore_sat::arithmetic as bits;

use super::Translator;
use super::exprs::Need;
use crate::matrix::{Gates, Matrix, all, any};
use crate::refusal::Outcome;
use crate::terms::{Expr, ExprId, Unary};

impl Translator<'_> {
    /// The closure of an expression, as a matrix.
    pub(super) fn closure(&mut self, op: Unary, a: ExprId, need: Need) -> Outcome<Matrix> {
        let steps = self.expr(a, need)?;
        let guess = need == Need::Over && self.worth_guessing(&steps);
        let closure = match guess {
            true => self.guessed_closure(&steps)?,
            false => self.squared_closure(&steps)?,
        };
        let closure = match op {
            Unary::ReflexiveClosure => {
                let iden = self.identity();
                closure.union(&iden, &mut self.circuit)
            }
            _ => closure,
        };
        Ok(self.marked(closure, &[&steps]))
    }

    /// `a . b` as the iterated image of a set, if one of them is a closure and the other a set that does
    /// not change where the closure stays the same.
    pub(super) fn image_of(&mut self, a: ExprId, b: ExprId, need: Need) -> Outcome<Option<Matrix>> {
        let problem = self.problem;
        let found = match (problem.expr(a), problem.expr(b)) {
            (_, Expr::Unary(op, steps)) if *op != Unary::Transpose && problem.arity(a) == 1 => {
                Some((a, *op, *steps, true))
            }
            (Expr::Unary(op, steps), _) if *op != Unary::Transpose && problem.arity(b) == 1 => {
                Some((b, *op, *steps, false))
            }
            _ => None,
        };
        let Some((set, op, steps, forward)) = found.filter(|found| !self.repeats(found.0, found.2))
        else {
            return Ok(None);
        };
        let start = self.expr(set, need)?;
        let steps = self.expr(steps, need)?;
        let towards = match forward {
            true => Matrix::clone(&steps),
            false => steps.transpose(self.packing),
        };
        let first = match op {
            Unary::ReflexiveClosure => Matrix::clone(&start),
            _ => start.join(&towards, self.packing, self)?,
        };
        let image = match need {
            Need::Over if self.worth_guessing(&towards) => self.guessed_image(&first, &towards)?,
            Need::Under if self.worth_ranking(&towards) => self.ranked_image(&first, &towards)?,
            _ => self.iterated_image(&first, &towards)?,
        };
        Ok(Some(self.marked(image, &[&start, &steps])))
    }

    /// Whether a set has several values for one value of the steps: then a matrix serves all of them.
    fn repeats(&self, set: ExprId, steps: ExprId) -> bool {
        let problem = self.problem;
        let inner = problem.free_in_expr(steps);
        let mut own = problem
            .free_in_expr(set)
            .iter()
            .filter(|v| !inner.contains(v));
        own.any(|variable| {
            let place = self.places[variable.index()];
            place.is_some_and(|place| self.scope[place].matrix.cells.iter().all(sure))
        })
    }

    /// Pairs joined by paths: of one step, of up to two, of up to four, and so on.
    fn squared_closure(&mut self, steps: &Matrix) -> Outcome<Matrix> {
        // A shortest path has no atom twice inside, and leaves each of those it enters.
        let ends: BTreeSet<u64> = self.targets(steps).collect();
        let starts = steps
            .cells
            .iter()
            .map(|cell| self.packing.split(cell.0, 1).0);
        let starts: BTreeSet<u64> = starts.collect();
        let longest = ends.intersection(&starts).count() + 1;
        let mut closure = Matrix::of(2, steps.cells.clone());
        let mut length = 1;
        while length < longest {
            let twice = closure.join(&closure, self.packing, self)?;
            let longer = closure.union(&twice, &mut self.circuit);
            if longer.cells == closure.cells {
                break;
            }
            closure = longer;
            length *= 2;
        }
        Ok(closure)
    }

    /// Atoms reached from a set in any number of steps.
    fn iterated_image(&mut self, start: &Matrix, steps: &Matrix) -> Outcome<Matrix> {
        let longest = self.targets(steps).collect::<BTreeSet<u64>>().len();
        let mut image = Matrix::of(1, start.cells.clone());
        for _ in 0..longest {
            let next = image.join(steps, self.packing, self)?;
            let next = start.union(&next, &mut self.circuit);
            let next = Matrix::of(1, next.cells);
            if next.cells == image.cells {
                break;
            }
            image = next;
        }
        Ok(image)
    }

    /// A set that contains another and is closed under steps.
    fn guessed_image(&mut self, start: &Matrix, steps: &Matrix) -> Outcome<Matrix> {
        let mut image: BTreeMap<u64, Edge> = BTreeMap::new();
        let mut open: Vec<u64> = Vec::new();
        for &(atom, edge) in &start.cells {
            let inside = match edge {
                Edge::TRUE => edge,
                _ => self.circuit.input(),
            };
            let held = self.circuit.or(!edge, inside);
            self.side.push(held);
            image.insert(atom, inside);
            open.push(atom);
        }
        while let Some(atom) = open.pop() {
            for &(pair, edge) in steps.starting(self.packing, atom, 1) {
                self.tick()?;
                let next = self.packing.split(pair, 1).1;
                let circuit = &mut self.circuit;
                let inside = *image.entry(next).or_insert_with(|| {
                    open.push(next);
                    circuit.input()
                });
                let taken = circuit.and(image[&atom], edge);
                let held = circuit.or(!taken, inside);
                self.side.push(held);
            }
        }
        Ok(Matrix::of(1, image.into_iter().collect()))
    }

    /// A relation that contains the steps and is closed under one more.
    fn guessed_closure(&mut self, steps: &Matrix) -> Outcome<Matrix> {
        let mut closure: BTreeMap<u64, Edge> = BTreeMap::new();
        let mut open: Vec<u64> = Vec::new();
        for &(pair, edge) in &steps.cells {
            let inside = match edge {
                Edge::TRUE => edge,
                _ => self.circuit.input(),
            };
            let held = self.circuit.or(!edge, inside);
            self.side.push(held);
            closure.insert(pair, inside);
            open.push(pair);
        }
        while let Some(pair) = open.pop() {
            let (from, via) = self.packing.split(pair, 1);
            for &(step, edge) in steps.starting(self.packing, via, 1) {
                self.tick()?;
                let to = self.packing.split(step, 1).1;
                let longer = self.packing.glue(from, to, 1);
                let circuit = &mut self.circuit;
                let inside = *closure.entry(longer).or_insert_with(|| {
                    open.push(longer);
                    circuit.input()
                });
                let taken = circuit.and(closure[&pair], edge);
                let held = circuit.or(!taken, inside);
                self.side.push(held);
            }
        }
        Ok(Matrix::of(2, closure.into_iter().collect()))
    }

    /// A set of atoms that are in another set, or one step after an atom of lower rank: then each is
    /// reached.
    fn ranked_image(&mut self, start: &Matrix, steps: &Matrix) -> Outcome<Matrix> {
        let mut atoms: BTreeSet<u64> = start.cells.iter().map(|cell| cell.0).collect();
        atoms.extend(self.targets(steps));
        let width = usize::BITS - atoms.len().leading_zeros();
        let ranks: BTreeMap<u64, (Edge, Vec<Edge>)> = atoms
            .into_iter()
            .map(|atom| {
                let inside = self.circuit.input();
                let rank = (0..width).map(|_| self.circuit.input()).collect();
                (atom, (inside, rank))
            })
            .collect();
        let mut reasons: BTreeMap<u64, Vec<Edge>> = BTreeMap::new();
        for &(atom, edge) in &start.cells {
            reasons.entry(atom).or_default().push(edge);
        }
        for &(pair, edge) in &steps.cells {
            self.tick()?;
            let (from, to) = self.packing.split(pair, 1);
            let Some((before, lower)) = ranks.get(&from).filter(|_| from != to) else {
                continue;
            };
            let higher = &ranks[&to].1;
            let falls = bits::less(&mut self.circuit, lower, higher, false, false);
            let taken = all(&mut self.circuit, [*before, edge, falls]);
            reasons.entry(to).or_default().push(taken);
        }
        for (atom, (inside, _)) in &ranks {
            let reasons = reasons.remove(atom).unwrap_or_default();
            let reason = any(&mut self.circuit, reasons);
            let held = self.circuit.or(!*inside, reason);
            self.side.push(held);
        }
        let cells = ranks.into_iter().map(|(atom, (inside, _))| (atom, inside));
        Ok(Matrix::of(1, cells.collect()))
    }

    fn worth_ranking(&self, steps: &Matrix) -> bool {
        let atoms: BTreeSet<u64> = self.targets(steps).collect();
        self.worth_guessing(steps) && atoms.len() >= self.options.rank_from
    }

    fn worth_guessing(&self, steps: &Matrix) -> bool {
        self.options.guess_closures && !steps.cells.iter().all(sure)
    }

    fn targets<'m>(&self, steps: &'m Matrix) -> impl Iterator<Item = u64> + use<'m> {
        let packing = self.packing;
        steps
            .cells
            .iter()
            .map(move |cell| packing.split(cell.0, 1).1)
    }

    fn identity(&self) -> Matrix {
        let pair = |atom| (self.packing.pack(&[atom, atom]), Edge::TRUE);
        Matrix::of(2, self.problem.universe().atoms().map(pair).collect())
    }
}

fn sure(cell: &(u64, Edge)) -> bool {
    cell.1 == Edge::TRUE
}
