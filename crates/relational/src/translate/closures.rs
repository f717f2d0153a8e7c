//! Transitive closures.
//!
//! A closure that is joined with a set is never written down as a relation: the set of what is reached
//! solves `x = s + x.r`, and atoms are eliminated from these equations one by one, as Gauss did with
//! numbers. The eliminated equations serve every set and both directions. Where the closure itself is
//! needed, it is that of Warshall (1962), which has no rounds either. On the problems measured, the
//! clauses have about a third of the variables that repeated squaring gives (compare Rankooh and
//! Rintanen 2022, who eliminate vertices). Where it is enough to know one [`ApproximationSide`] of a closure, there may be a
//! witness instead.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use wherefore_sat::CircuitEdge;

use super::ProblemTranslator;
use crate::matrix::{Gates, Matrix, any};
use crate::refusal::SearchResult;
use crate::terms::{RelExpr, RelExprId, Unary};

/// On which side of a value the translation of an expression may lie. A solver can always have it equal the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ApproximationSide {
    /// It is the value.
    Exact,
    /// It has no tuple that the value has not.
    Least,
    /// It has every tuple that the value has.
    Most,
}

impl ApproximationSide {
    /// The side on which what is taken away lies.
    pub(super) fn other(self) -> Self {
        match self {
            ApproximationSide::Exact => ApproximationSide::Exact,
            ApproximationSide::Least => ApproximationSide::Most,
            ApproximationSide::Most => ApproximationSide::Least,
        }
    }
}

/// Atoms in the order of their elimination, each with its steps from and to atoms that come later: they
/// stand for all paths through atoms that came earlier.
pub(super) struct Elimination {
    atoms: Vec<Eliminated>,
}

struct Eliminated {
    atom: u64,
    from: Vec<(u64, CircuitEdge)>,
    to: Vec<(u64, CircuitEdge)>,
}

impl ProblemTranslator<'_> {
    /// The closure of an expression, as a matrix.
    pub(super) fn closure(&mut self, op: Unary, a: RelExprId) -> SearchResult<Matrix> {
        let steps = self.expr(a)?;
        let mut closure = self.paths(&steps)?;
        if op == Unary::ReflexiveClosure {
            let pair = |atom| (self.packing.pack(&[atom, atom]), CircuitEdge::TRUE);
            let iden = Matrix::of(2, self.problem.universe().atoms().map(pair).collect());
            closure = closure.union(&iden, &mut self.circuit);
        }
        Ok(self.marked(closure, &[&steps]))
    }

    /// `a . b` as the set of what is reached, if one of them is a closure and the other a set.
    pub(super) fn image_of(
        &mut self,
        a: RelExprId,
        b: RelExprId,
        side: ApproximationSide,
    ) -> SearchResult<Option<Matrix>> {
        let problem = self.problem;
        let (set, op, relation, forward) = match (problem.expr(a), problem.expr(b)) {
            (_, RelExpr::Unary(op, steps)) if *op != Unary::Transpose && problem.arity(a) == 1 => {
                (a, *op, *steps, true)
            }
            (RelExpr::Unary(op, steps), _) if *op != Unary::Transpose && problem.arity(b) == 1 => {
                (b, *op, *steps, false)
            }
            _ => return Ok(None),
        };
        if (op, forward) == (Unary::ReflexiveClosure, false)
            && let Some(image) = self.image_of_cycles(set, relation, side)?
        {
            return Ok(Some(image));
        }
        // The more is in the set, the more is reached.
        let (start, steps) = (self.expr_on(set, side)?, self.expr(relation)?);
        let first = match (op, forward) {
            (Unary::ReflexiveClosure, _) => Matrix::clone(&start),
            (_, true) => start.join(&steps, self.packing, self)?,
            (_, false) => steps.join(&start, self.packing, self)?,
        };
        // With variables in the set, the same equations are solved for each of their values.
        let shared = !problem.free_in_expr(set).is_empty() || self.is_eliminated(relation);
        let image = match self.image_by_witness(&first, &steps, (forward, side, shared))? {
            Some(image) => image,
            None => {
                let elimination = self.elimination(relation, &steps)?;
                self.solve(&elimination, &first, forward)?
            }
        };
        Ok(Some(self.marked(image, &[&start, &steps])))
    }

    /// Pairs joined by paths: first those through one atom, then those through two, and so on.
    fn paths(&mut self, steps: &Matrix) -> SearchResult<Matrix> {
        let mut pairs: BTreeMap<u64, CircuitEdge> = steps.cells.iter().copied().collect();
        let ends: Vec<(u64, u64)> = steps
            .cells
            .iter()
            .map(|cell| self.packing.split(cell.0, 1))
            .collect();
        let starts: BTreeSet<u64> = ends.iter().map(|pair| pair.0).collect();
        let targets: BTreeSet<u64> = ends.iter().map(|pair| pair.1).collect();
        // Only an atom with steps both to it and from it lies inside a path.
        for &via in starts.intersection(&targets) {
            // Paths that begin or end at `via` gain nothing by going through it once more.
            for &from in starts.iter().filter(|&&from| from != via) {
                let Some(&before) = pairs.get(&self.packing.glue(from, via, 1)) else {
                    continue;
                };
                for &to in targets.iter().filter(|&&to| to != via) {
                    self.tick()?;
                    let Some(&after) = pairs.get(&self.packing.glue(via, to, 1)) else {
                        continue;
                    };
                    let through = self.circuit.and(before, after);
                    let pair = pairs.entry(self.packing.glue(from, to, 1));
                    let pair = pair.or_insert(CircuitEdge::FALSE);
                    *pair = self.circuit.or(*pair, through);
                }
            }
        }
        pairs.retain(|_, edge| *edge != CircuitEdge::FALSE);
        Ok(Matrix::of(2, pairs.into_iter().collect()))
    }

    fn elimination_key(&self, id: RelExprId) -> Box<[u64]> {
        let facts = self.problem.arena.expr_facts(id);
        // With so many uses `key` never says that a node is not worth keeping.
        let key = self.key(id.index(), 0, &facts.free, u32::MAX);
        key.expect("what is used often is kept")
    }

    /// Whether there are eliminated equations of an expression already.
    fn is_eliminated(&self, id: RelExprId) -> bool {
        self.eliminations.contains_key(&self.elimination_key(id))
    }

    /// The eliminated equations of an expression, kept for each value of its variables.
    fn elimination(&mut self, id: RelExprId, steps: &Matrix) -> SearchResult<Rc<Elimination>> {
        let key = self.elimination_key(id);
        if let Some(known) = self.eliminations.get(&key) {
            return Ok(Rc::clone(known));
        }
        let found = Rc::new(self.eliminate(steps)?);
        self.eliminations.insert(key, Rc::clone(&found));
        Ok(found)
    }

    /// Eliminates atoms, those with the fewest paths through them first.
    fn eliminate(&mut self, steps: &Matrix) -> SearchResult<Elimination> {
        let mut to: BTreeMap<u64, BTreeMap<u64, CircuitEdge>> = BTreeMap::new();
        let mut from: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        for &(pair, edge) in &steps.cells {
            let (a, b) = self.packing.split(pair, 1);
            for atom in [a, b] {
                to.entry(atom).or_default();
                from.entry(atom).or_default();
            }
            // A step from an atom to itself reaches nothing new.
            if a != b {
                to.entry(a).or_default().insert(b, edge);
                from.entry(b).or_default().insert(a);
            }
        }
        let mut atoms = Vec::with_capacity(to.len());
        // The product is the most steps that the elimination of an atom can add.
        while let Some(atom) = to
            .keys()
            .copied()
            .min_by_key(|atom| to[atom].len() * from[atom].len())
        {
            self.tick()?;
            let after = to.remove(&atom).unwrap_or_default();
            let sources = from.remove(&atom).unwrap_or_default();
            let mut before = Vec::with_capacity(sources.len());
            for &source in &sources {
                let row = to.get_mut(&source).expect("atoms that are left have a row");
                let edge = row.remove(&atom).expect("steps are known at both ends");
                before.push((source, edge));
                for (&target, &step) in after.iter().filter(|(target, _)| **target != source) {
                    let through = self.circuit.and(edge, step);
                    if through != CircuitEdge::FALSE {
                        let known = row.entry(target).or_insert(CircuitEdge::FALSE);
                        *known = self.circuit.or(*known, through);
                        from.entry(target).or_default().insert(source);
                    }
                }
            }
            for target in after.keys() {
                from.entry(*target).or_default().remove(&atom);
            }
            atoms.push(Eliminated {
                atom,
                from: before,
                to: after.into_iter().collect(),
            });
        }
        Ok(Elimination { atoms })
    }

    /// What is reached from a set, or what reaches it.
    fn solve(
        &mut self,
        equations: &Elimination,
        start: &Matrix,
        forward: bool,
    ) -> SearchResult<Matrix> {
        let mut image: BTreeMap<u64, CircuitEdge> = start.cells.iter().copied().collect();
        // What is reached is handed on to atoms that are eliminated later, and then, in reverse, from these
        // to the atoms that were eliminated earlier.
        for eliminated in &equations.atoms {
            let next = if forward {
                &eliminated.to
            } else {
                &eliminated.from
            };
            let Some(&here) = image.get(&eliminated.atom) else {
                continue;
            };
            for &(atom, step) in next {
                self.tick()?;
                let reached = self.circuit.and(here, step);
                let known = image.entry(atom).or_insert(CircuitEdge::FALSE);
                *known = self.circuit.or(*known, reached);
            }
        }
        for eliminated in equations.atoms.iter().rev() {
            let before = if forward {
                &eliminated.from
            } else {
                &eliminated.to
            };
            let mut ways: Vec<CircuitEdge> =
                image.get(&eliminated.atom).copied().into_iter().collect();
            for (atom, step) in before {
                self.tick()?;
                if let Some(&there) = image.get(atom) {
                    ways.push(self.circuit.and(there, *step));
                }
            }
            let here = any(&mut self.circuit, ways);
            image.insert(eliminated.atom, here);
        }
        image.retain(|_, edge| *edge != CircuitEdge::FALSE);
        Ok(Matrix::of(1, image.into_iter().collect()))
    }
}
