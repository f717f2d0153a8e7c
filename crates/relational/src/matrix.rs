//! Sparse matrices of edges: for each tuple, whether an expression has it.

use wherefore_sat::{Circuit, CircuitEdge};

use crate::refusal::SearchResult;
use crate::tuples::{Packing, TupleSet};

/// A set of tuples that is not known yet: each possible tuple with the edge that says whether it is there.
///
/// Invariant: cells are sorted by tuple, tuples are distinct, and no edge is constantly false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Matrix {
    pub(crate) arity: usize,
    pub(crate) cells: Vec<(u64, CircuitEdge)>,
    /// Whether arithmetic overflowed on the way to it.
    pub(crate) overflow: CircuitEdge,
    /// Whether at most one tuple is there, whatever the inputs are.
    pub(crate) lone: bool,
    /// Under which edge the requirements say that at most one tuple is there.
    pub(crate) sole: CircuitEdge,
}

/// Gates, and a place to ask whether there are too many of them.
pub(crate) trait Gates {
    /// The circuit.
    fn circuit(&mut self) -> &mut Circuit;
    /// One turn of a loop.
    fn tick(&mut self) -> SearchResult<()>;
}

impl Matrix {
    pub(crate) fn empty(arity: usize) -> Self {
        Self::of(arity, Vec::new())
    }

    /// A matrix from sorted cells.
    pub(crate) fn of(arity: usize, cells: Vec<(u64, CircuitEdge)>) -> Self {
        debug_assert!(cells.windows(2).all(|pair| pair[0].0 < pair[1].0));
        debug_assert!(cells.iter().all(|cell| cell.1 != CircuitEdge::FALSE));
        Self {
            arity,
            lone: cells.len() <= 1,
            cells,
            overflow: CircuitEdge::FALSE,
            sole: CircuitEdge::FALSE,
        }
    }

    /// A matrix that is known.
    pub(crate) fn constant(set: &TupleSet) -> Self {
        let cells = set.packed().iter().map(|&tuple| (tuple, CircuitEdge::TRUE));
        Self::of(set.arity(), cells.collect())
    }

    /// One tuple.
    pub(crate) fn tuple(arity: usize, tuple: u64) -> Self {
        Self::of(arity, vec![(tuple, CircuitEdge::TRUE)])
    }

    /// A matrix from cells in any order; those of equal tuples are joined by "or".
    pub(crate) fn gather(
        arity: usize,
        mut cells: Vec<(u64, CircuitEdge)>,
        circuit: &mut Circuit,
    ) -> Self {
        if !cells.is_sorted_by(|a, b| a.0 < b.0) {
            cells.sort_unstable();
            let mut joined: Vec<(u64, CircuitEdge)> = Vec::with_capacity(cells.len());
            let mut start = 0;
            while start < cells.len() {
                let tuple = cells[start].0;
                let rest = &cells[start..];
                let end = start + rest.partition_point(|cell| cell.0 == tuple);
                let edge = any(circuit, cells[start..end].iter().map(|cell| cell.1));
                joined.push((tuple, edge));
                start = end;
            }
            cells = joined;
        }
        cells.retain(|cell| cell.1 != CircuitEdge::FALSE);
        Self::of(arity, cells)
    }

    /// The edge of a tuple.
    pub(crate) fn get(&self, tuple: u64) -> CircuitEdge {
        let found = self.cells.binary_search_by_key(&tuple, |cell| cell.0);
        found.map_or(CircuitEdge::FALSE, |at| self.cells[at].1)
    }

    /// The edges, in the order of tuples.
    pub(crate) fn edges(&self) -> impl ExactSizeIterator<Item = CircuitEdge> + '_ {
        self.cells.iter().map(|cell| cell.1)
    }

    /// The cells whose first columns are these; `rest` columns follow them.
    pub(crate) fn starting(
        &self,
        packing: Packing,
        first: u64,
        rest: usize,
    ) -> &[(u64, CircuitEdge)] {
        let head = |cell: &(u64, CircuitEdge)| packing.split(cell.0, rest).0;
        let start = self.cells.partition_point(|cell| head(cell) < first);
        let length = self.cells[start..].partition_point(|cell| head(cell) == first);
        &self.cells[start..start + length]
    }

    /// Tuples of either.
    pub(crate) fn union(&self, other: &Matrix, circuit: &mut Circuit) -> Matrix {
        let mut cells = Vec::with_capacity(self.cells.len() + other.cells.len());
        merge(&self.cells, &other.cells, |tuple, a, b| {
            cells.push((tuple, circuit.or(a, b)));
        });
        Self::of(self.arity, cells)
    }

    /// Tuples of both.
    pub(crate) fn intersection(&self, other: &Matrix, circuit: &mut Circuit) -> Matrix {
        let mut cells = Vec::new();
        merge(&self.cells, &other.cells, |tuple, a, b| {
            let edge = circuit.and(a, b);
            if edge != CircuitEdge::FALSE {
                cells.push((tuple, edge));
            }
        });
        Self::of(self.arity, cells)
    }

    /// Tuples of this one that are not in the other.
    pub(crate) fn difference(&self, other: &Matrix, circuit: &mut Circuit) -> Matrix {
        let mut cells = Vec::with_capacity(self.cells.len());
        merge(&self.cells, &other.cells, |tuple, a, b| {
            let edge = circuit.and(a, !b);
            if edge != CircuitEdge::FALSE {
                cells.push((tuple, edge));
            }
        });
        Self::of(self.arity, cells)
    }

    /// The first where the condition is true, the second where it is not.
    pub(crate) fn choice(
        &self,
        other: &Matrix,
        condition: CircuitEdge,
        circuit: &mut Circuit,
    ) -> Matrix {
        let mut cells = Vec::with_capacity(self.cells.len() + other.cells.len());
        merge(&self.cells, &other.cells, |tuple, a, b| {
            let edge = circuit.ite(condition, a, b);
            if edge != CircuitEdge::FALSE {
                cells.push((tuple, edge));
            }
        });
        Self::of(self.arity, cells)
    }

    /// Every tuple of this one with every tuple of the other.
    pub(crate) fn product(
        &self,
        other: &Matrix,
        packing: Packing,
        gates: &mut impl Gates,
    ) -> SearchResult<Matrix> {
        let mut cells = Vec::new();
        for &(left, a) in &self.cells {
            for &(right, b) in &other.cells {
                gates.tick()?;
                let edge = gates.circuit().and(a, b);
                if edge != CircuitEdge::FALSE {
                    cells.push((packing.glue(left, right, other.arity), edge));
                }
            }
        }
        // Both lists are sorted, so the glued tuples are sorted as well.
        Ok(Self::of(self.arity + other.arity, cells))
    }

    /// Tuples that meet in an atom, which is left out.
    pub(crate) fn join(
        &self,
        other: &Matrix,
        packing: Packing,
        gates: &mut impl Gates,
    ) -> SearchResult<Matrix> {
        let rest = other.arity - 1;
        let mut cells = Vec::new();
        for &(left, a) in &self.cells {
            let (init, last) = packing.split(left, 1);
            for &(right, b) in other.starting(packing, last, rest) {
                gates.tick()?;
                let edge = gates.circuit().and(a, b);
                if edge != CircuitEdge::FALSE {
                    let tail = packing.split(right, rest).1;
                    cells.push((packing.glue(init, tail, rest), edge));
                }
            }
        }
        let arity = self.arity + other.arity - 2;
        // Different pairs may give the same tuple, and not in order.
        Ok(Self::gather(arity, cells, gates.circuit()))
    }

    /// Pairs turned around.
    pub(crate) fn transpose(&self, packing: Packing) -> Matrix {
        let turn = |&(tuple, edge): &(u64, CircuitEdge)| {
            let (first, second) = packing.split(tuple, 1);
            (packing.glue(second, first, 1), edge)
        };
        let mut cells: Vec<(u64, CircuitEdge)> = self.cells.iter().map(turn).collect();
        cells.sort_unstable();
        Self::of(2, cells)
    }

    /// Tuples of the other, and those of this one that begin with another atom.
    pub(crate) fn overridden(
        &self,
        other: &Matrix,
        packing: Packing,
        circuit: &mut Circuit,
    ) -> Matrix {
        let rest = self.arity - 1;
        let mut kept = Vec::with_capacity(self.cells.len());
        // Cells are sorted: those with the same first atom are neighbours.
        let mut last = None;
        for &(tuple, edge) in &self.cells {
            let first = packing.split(tuple, rest).0;
            let begun = match last {
                Some((known, begun)) if known == first => begun,
                _ => {
                    let starting = other.starting(packing, first, rest);
                    any(circuit, starting.iter().map(|cell| cell.1))
                }
            };
            last = Some((first, begun));
            let edge = circuit.and(edge, !begun);
            if edge != CircuitEdge::FALSE {
                kept.push((tuple, edge));
            }
        }
        Self::of(self.arity, kept).union(other, circuit)
    }

    /// Tuples whose first column, or last one, is in a set.
    pub(crate) fn restricted(
        &self,
        set: &Matrix,
        first: bool,
        packing: Packing,
        circuit: &mut Circuit,
    ) -> Matrix {
        let mut cells = Vec::with_capacity(self.cells.len());
        for &(tuple, edge) in &self.cells {
            let atom = match first {
                true => packing.split(tuple, self.arity - 1).0,
                false => packing.split(tuple, 1).1,
            };
            let edge = circuit.and(edge, set.get(atom));
            if edge != CircuitEdge::FALSE {
                cells.push((tuple, edge));
            }
        }
        Self::of(self.arity, cells)
    }

    /// Every tuple of this one is in the other.
    pub(crate) fn is_in(&self, other: &Matrix, circuit: &mut Circuit) -> CircuitEdge {
        let mut edges = Vec::with_capacity(self.cells.len());
        merge(&self.cells, &other.cells, |_, a, b| {
            if a != CircuitEdge::FALSE {
                edges.push(circuit.or(!a, b));
            }
        });
        all(circuit, edges)
    }

    /// Both have the same tuples.
    pub(crate) fn equals(&self, other: &Matrix, circuit: &mut Circuit) -> CircuitEdge {
        let mut edges = Vec::with_capacity(self.cells.len());
        merge(&self.cells, &other.cells, |_, a, b| {
            edges.push(circuit.iff(a, b));
        });
        all(circuit, edges)
    }

    /// At least one tuple is there.
    pub(crate) fn some(&self, circuit: &mut Circuit) -> CircuitEdge {
        any(circuit, self.edges())
    }

    /// At most one tuple is there.
    pub(crate) fn at_most_one(&self, circuit: &mut Circuit) -> CircuitEdge {
        if self.lone {
            return CircuitEdge::TRUE;
        }
        let edges: Vec<CircuitEdge> = self.edges().collect();
        let mut parts = Vec::new();
        if edges.len() <= 5 {
            for (place, &a) in edges.iter().enumerate() {
                let later = &edges[place + 1..];
                parts.extend(later.iter().map(|&b| !circuit.and(a, b)));
            }
        } else {
            // One after the other: `seen` says whether an earlier one is there (Sinz 2005).
            let mut seen = edges[0];
            for &edge in &edges[1..] {
                parts.push(!circuit.and(seen, edge));
                seen = circuit.or(seen, edge);
            }
        }
        all(circuit, parts)
    }
}

/// All of them: sorted, so that equal conjunctions share their gates.
pub(crate) fn all(
    circuit: &mut Circuit,
    edges: impl IntoIterator<Item = CircuitEdge>,
) -> CircuitEdge {
    let mut edges: Vec<CircuitEdge> = edges
        .into_iter()
        .filter(|edge| *edge != CircuitEdge::TRUE)
        .collect();
    edges.sort_unstable();
    edges.dedup();
    // In the order of edges, an edge and its negation are neighbours.
    let contradicts = |pair: &[CircuitEdge]| pair[0] == !pair[1];
    if edges.first() == Some(&CircuitEdge::FALSE) || edges.windows(2).any(contradicts) {
        return CircuitEdge::FALSE;
    }
    circuit.all(edges)
}

/// At least one of them.
pub(crate) fn any(
    circuit: &mut Circuit,
    edges: impl IntoIterator<Item = CircuitEdge>,
) -> CircuitEdge {
    !all(circuit, edges.into_iter().map(|edge| !edge))
}

/// Walks along two lists of cells at once; a cell that one of them does not have is false there.
fn merge(
    a: &[(u64, CircuitEdge)],
    b: &[(u64, CircuitEdge)],
    mut each: impl FnMut(u64, CircuitEdge, CircuitEdge),
) {
    let (mut i, mut j) = (0, 0);
    loop {
        match (a.get(i), b.get(j)) {
            (Some(&(x, left)), Some(&(y, right))) if x == y => {
                each(x, left, right);
                i += 1;
                j += 1;
            }
            (Some(&(x, left)), other) if other.is_none_or(|&(y, _)| x < y) => {
                each(x, left, CircuitEdge::FALSE);
                i += 1;
            }
            (_, Some(&(y, right))) => {
                each(y, CircuitEdge::FALSE, right);
                j += 1;
            }
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_equal_tuples_are_joined_and_lists_are_merged_in_order() {
        let circuit = &mut Circuit::new();
        let (a, b) = (circuit.input(), circuit.input());
        let both = circuit.or(a, b);
        let matrix = Matrix::gather(1, vec![(3, a), (1, b), (3, b)], circuit);
        assert_eq!(matrix.cells, [(1, b), (3, both)]);
        let other = Matrix::of(1, vec![(0, a), (3, CircuitEdge::TRUE)]);
        let union = matrix.union(&other, circuit);
        assert_eq!(union.cells, [(0, a), (1, b), (3, CircuitEdge::TRUE)]);
        assert_eq!(matrix.intersection(&other, circuit).cells, [(3, both)]);
        assert_eq!(matrix.difference(&other, circuit).cells, [(1, b)]);
        assert_eq!(all(circuit, [a, b, !a]), CircuitEdge::FALSE);
        assert_eq!(any(circuit, [a, !b, b]), CircuitEdge::TRUE);
    }
}
