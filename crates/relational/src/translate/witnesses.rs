//! Transitive closures by witness, where one side of the closure is enough.
//!
//! What is reached from a set is the least solution of `x = s + x.r`. Where a formula only gets truer when fewer
//! atoms are reached, any set will do that has those of `s` and that `r` does not leave: the solver may choose the
//! least one. Such a set takes one clause for each step. Where a formula gets truer when more atoms are reached,
//! each of them names a step to it from an atom that is reached earlier, and atoms have numbers that say what is
//! earlier (compare Gebser, Janhunen and Rintanen 2014 on acyclicity). That takes fewer clauses than elimination
//! only where there are many atoms.
//!
//! Atoms from which steps go on for ever, `*r.((^r & iden).univ)`, are the greatest solution of `x = r.x`. Where a formula
//! gets truer when there are more of them, any set will do each of whose atoms has a step into it, and no closure
//! is needed.
//!
//! The inputs for a witness are no part of an instance: two instances are not told apart by them.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_sat::CircuitEdge;

use super::ProblemTranslator;
use super::closures::ApproximationSide;
use crate::matrix::{Gates, Matrix, any};
use crate::options::Closures;
use crate::refusal::SearchResult;
use crate::terms::{Binary, RelExpr, RelExprId, Unary};

impl ProblemTranslator<'_> {
    /// What is reached by steps from a first set, or what reaches it, if a witness will do and is smaller.
    /// `how` says which of both is asked for, which side of it, and whether the equations of these steps serve
    /// others as well.
    pub(super) fn image_by_witness(
        &mut self,
        first: &Matrix,
        steps: &Matrix,
        how: (bool, ApproximationSide, bool),
    ) -> SearchResult<Option<Matrix>> {
        let (forward, side, shared) = how;
        let smaller = match (side, self.options.closures) {
            (ApproximationSide::Exact, _) | (_, Closures::Eliminated) => false,
            (_, Closures::Witnessed) => true,
            // Eliminated equations serve all sets at once, and a witness serves one.
            (ApproximationSide::Least, Closures::Smaller) if shared => false,
            (side, Closures::Smaller) => self.witness_is_smaller(steps, side)?,
        };
        if !smaller {
            return Ok(None);
        }
        self.witnessed = true;
        let pairs = steps.cells.iter().map(|&(pair, edge)| {
            let (a, b) = self.packing.split(pair, 1);
            if forward { (a, b, edge) } else { (b, a, edge) }
        });
        let pairs: Vec<(u64, u64, CircuitEdge)> = pairs.filter(|(a, b, _)| a != b).collect();
        Ok(Some(match side {
            ApproximationSide::Least => self.ranked(first, &pairs)?,
            _ => self.closed(first, &pairs)?,
        }))
    }

    /// `*r.s`, if `s` are the atoms on cycles of `r` and a witness will do.
    pub(super) fn image_of_cycles(
        &mut self,
        set: RelExprId,
        relation: RelExprId,
        side: ApproximationSide,
    ) -> SearchResult<Option<Matrix>> {
        let witness =
            side == ApproximationSide::Least && self.options.closures != Closures::Eliminated;
        if !witness || !self.is_on_cycles(set, relation)? {
            return Ok(None);
        }
        self.witnessed = true;
        let steps = self.expr(relation)?;
        let image = self.recurring(&steps)?;
        Ok(Some(self.marked(image, &[&steps])))
    }

    /// Whether a set is that of all atoms on cycles of a relation.
    fn is_on_cycles(&mut self, set: RelExprId, relation: RelExprId) -> SearchResult<bool> {
        let problem = self.problem;
        let RelExpr::Binary(Binary::Join, pairs, ends) = *problem.expr(set) else {
            return Ok(false);
        };
        let RelExpr::Binary(Binary::Intersection, a, b) = *problem.expr(pairs) else {
            return Ok(false);
        };
        let is_closure = |id| *problem.expr(id) == RelExpr::Unary(Unary::Closure, relation);
        let (paths, same) = if is_closure(a) { (a, b) } else { (b, a) };
        let atoms = match *problem.expr(same) {
            RelExpr::Iden => None,
            RelExpr::Binary(Binary::Domain, atoms, iden)
                if *problem.expr(iden) == RelExpr::Iden =>
            {
                Some(atoms)
            }
            _ => return Ok(false),
        };
        if !is_closure(paths) || problem.arity(ends) != 1 {
            return Ok(false);
        }
        let steps = self.expr(relation)?;
        // An atom on a cycle is the target of a step, so a set that surely has all targets leaves none out.
        for set in [Some(ends), atoms].into_iter().flatten() {
            let set = self.expr(set)?;
            let mut targets = steps
                .cells
                .iter()
                .map(|cell| self.packing.split(cell.0, 1).1);
            if targets.any(|atom| set.get(atom) != CircuitEdge::TRUE) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A set each of whose atoms has a step into it.
    fn recurring(&mut self, steps: &Matrix) -> SearchResult<Matrix> {
        let mut image: BTreeMap<u64, CircuitEdge> = BTreeMap::new();
        // Only an atom from which a step starts can go on.
        for &(pair, _) in &steps.cells {
            let from = self.packing.split(pair, 1).0;
            image.entry(from).or_insert_with(|| self.circuit.input());
        }
        let mut ways: BTreeMap<u64, Vec<CircuitEdge>> = BTreeMap::new();
        for &(pair, step) in &steps.cells {
            self.tick()?;
            let (a, b) = self.packing.split(pair, 1);
            if let Some(&there) = image.get(&b) {
                let way = self.circuit.and(step, there);
                ways.entry(a).or_default().push(way);
            }
        }
        for (atom, &edge) in &image {
            let some = any(&mut self.circuit, ways.remove(atom).unwrap_or_default());
            let held = self.circuit.or(!edge, some);
            self.side.push(held);
        }
        Ok(Matrix::of(1, image.into_iter().collect()))
    }

    /// A set with the atoms of the first one that no step leaves.
    fn closed(
        &mut self,
        first: &Matrix,
        pairs: &[(u64, u64, CircuitEdge)],
    ) -> SearchResult<Matrix> {
        let mut image = self.may_be_reached(first, pairs);
        let targets: BTreeSet<u64> = pairs.iter().map(|&(_, b, _)| b).collect();
        for (&atom, edge) in &mut image {
            self.tick()?;
            // Atoms that no step leads to are reached only if they are in the first set.
            if targets.contains(&atom) && *edge != CircuitEdge::TRUE {
                let input = self.circuit.input();
                let held = self.circuit.or(!*edge, input);
                self.side.push(held);
                *edge = input;
            }
        }
        for &(a, b, step) in pairs {
            self.tick()?;
            if let (Some(&here), Some(&there)) = (image.get(&a), image.get(&b)) {
                let taken = self.circuit.and(here, step);
                let held = self.circuit.or(!taken, there);
                self.side.push(held);
            }
        }
        Ok(Matrix::of(1, image.into_iter().collect()))
    }

    /// A set each of whose atoms is in the first one, or is reached by a step from an atom of the set with a
    /// smaller number.
    fn ranked(
        &mut self,
        first: &Matrix,
        pairs: &[(u64, u64, CircuitEdge)],
    ) -> SearchResult<Matrix> {
        let mut image = self.may_be_reached(first, pairs);
        let targets: BTreeSet<u64> = pairs.iter().map(|&(_, b, _)| b).collect();
        // A shortest path meets no atom twice: as many numbers as atoms are enough.
        let width = bits(image.len());
        let mut ranks: BTreeMap<u64, Vec<CircuitEdge>> = BTreeMap::new();
        let mut ways: BTreeMap<u64, Vec<CircuitEdge>> = BTreeMap::new();
        for (&atom, edge) in &mut image {
            self.tick()?;
            ranks.insert(atom, (0..width).map(|_| self.circuit.input()).collect());
            if targets.contains(&atom) && *edge != CircuitEdge::TRUE {
                ways.insert(atom, vec![*edge]);
                *edge = self.circuit.input();
            }
        }
        for &(a, b, step) in pairs {
            self.tick()?;
            let (Some(&here), Some(ways)) = (image.get(&a), ways.get_mut(&b)) else {
                continue;
            };
            let way = self.circuit.input();
            ways.push(way);
            let mut earlier = CircuitEdge::FALSE;
            // Bits are compared from the lowest one up, so that the highest difference has the last word.
            for (&low, &high) in ranks[&a].iter().zip(&ranks[&b]) {
                let less = self.circuit.and(!low, high);
                let no_more = self.circuit.or(!low, high);
                let going_on = self.circuit.and(no_more, earlier);
                earlier = self.circuit.or(less, going_on);
            }
            for needed in [here, step, earlier] {
                let held = self.circuit.or(!way, needed);
                self.side.push(held);
            }
        }
        for (atom, ways) in ways {
            let some = any(&mut self.circuit, ways);
            let held = self.circuit.or(!image[&atom], some);
            self.side.push(held);
        }
        Ok(Matrix::of(1, image.into_iter().collect()))
    }

    /// The atoms that may be reached, each with the edge of the first set.
    fn may_be_reached(
        &self,
        first: &Matrix,
        pairs: &[(u64, u64, CircuitEdge)],
    ) -> BTreeMap<u64, CircuitEdge> {
        let mut after: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for &(a, b, _) in pairs {
            after.entry(a).or_default().push(b);
        }
        let mut image: BTreeMap<u64, CircuitEdge> = first.cells.iter().copied().collect();
        let mut open: Vec<u64> = image.keys().copied().collect();
        while let Some(atom) = open.pop() {
            for &next in after.get(&atom).into_iter().flatten() {
                if let std::collections::btree_map::Entry::Vacant(entry) = image.entry(next) {
                    entry.insert(CircuitEdge::FALSE);
                    open.push(next);
                }
            }
        }
        image
    }

    /// Whether a witness takes fewer clauses than elimination does, for one set. Clauses are counted for the
    /// direction in which such sets are used.
    fn witness_is_smaller(
        &mut self,
        steps: &Matrix,
        side: ApproximationSide,
    ) -> SearchResult<bool> {
        let mut to: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        let mut from: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        let mut pairs = 0;
        for &(pair, _) in &steps.cells {
            let (a, b) = self.packing.split(pair, 1);
            if a != b {
                to.entry(a).or_default().insert(b);
                from.entry(b).or_default().insert(a);
                to.entry(b).or_default();
                from.entry(a).or_default();
                pairs += 1;
            }
        }
        let witness = match side {
            // A way has three clauses for what it needs and three for each bit that is compared.
            ApproximationSide::Least => pairs * (3 + 3 * bits(to.len())),
            _ => pairs + to.len(),
        };
        let mut eliminated = 0;
        while let Some(atom) = to
            .keys()
            .copied()
            .min_by_key(|atom| to[atom].len() * from[atom].len())
        {
            self.tick()?;
            let after = to.remove(&atom).unwrap_or_default();
            let before = from.remove(&atom).unwrap_or_default();
            let through = after.len() * before.len() - after.intersection(&before).count();
            let beside = after.len() + before.len();
            eliminated += match side {
                ApproximationSide::Least => 2 * (through + beside),
                // Often not all atoms are asked for, and then some of these steps do not matter.
                _ => through + beside / 2,
            };
            if eliminated > witness {
                return Ok(true);
            }
            for &source in &before {
                let row = to.entry(source).or_default();
                row.remove(&atom);
                row.extend(after.iter().filter(|&&target| target != source));
            }
            for &target in &after {
                let column = from.entry(target).or_default();
                column.remove(&atom);
                column.extend(before.iter().filter(|&&source| source != target));
            }
        }
        Ok(false)
    }
}

/// How many bits tell so many numbers apart.
fn bits(numbers: usize) -> usize {
    (usize::BITS - numbers.saturating_sub(1).leading_zeros()) as usize
}
