//! Symmetries: atoms that are interchangeable, and instances that differ only by a change of them.
//!
//! Formulas do not name atoms, so a swap of two atoms that leaves all bounds as they are turns instances
//! into instances. Of those, only the ones that are greatest among their images under a swap of
//! neighbours are asked for (Crawford, Ginsberg, Luks and Roy 1996; Torlak and Jackson 2007).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use wherefore_base::Budget;
use wherefore_sat::CircuitEdge;

use crate::matrix::{Gates, Matrix, all, any};
use crate::problem::TotalOrder;
use crate::refusal::SearchResult;
use crate::terms::RelationId;
use crate::translate::ProblemTranslator;
use crate::tuples::{Packing, TupleSet};
use crate::universe::UniverseAtomId;

/// Classes of interchangeable atoms: every permutation inside of a class leaves all bounds as they are.
pub(crate) type AtomClasses = Vec<Vec<UniverseAtomId>>;

/// An input of a relation, by the place of its cell.
type RelationBit = (RelationId, usize);

/// A set of records, as it is ordered.
struct RecordSet {
    elements: RelationId,
    columns: Vec<RelationId>,
    /// Whether no two records have the same row.
    distinct: bool,
}

impl ProblemTranslator<'_> {
    /// Puts total orders of interchangeable atoms into the order of the universe. Returns the places of
    /// the orders that are fixed so.
    pub(crate) fn fix_orders(&mut self) -> SearchResult<BTreeSet<usize>> {
        let mut fixed = BTreeSet::new();
        if self.options.symmetry == 0 {
            return Ok(fixed);
        }
        for (place, (order, _)) in self.problem.orders.iter().enumerate() {
            if let Some(elements) = self.free_order(order)? {
                let packing = self.packing;
                let first = elements[..1].iter().map(|&atom| [atom]);
                let first = TupleSet::from_tuples(packing, 1, first);
                let next = TupleSet::from_tuples(packing, 2, elements.windows(2));
                // What is fixed is constant from here on, so the classes that the next order sees are
                // smaller.
                self.relations[order.first] = Rc::new(Matrix::constant(&first));
                self.relations[order.next] = Rc::new(Matrix::constant(&next));
                fixed.insert(place);
            }
        }
        Ok(fixed)
    }

    /// The elements of an order, if they are known, interchangeable, and may be ordered in any way.
    fn free_order(&mut self, order: &TotalOrder) -> SearchResult<Option<Vec<UniverseAtomId>>> {
        let matrix = self.expr(order.elements)?;
        let known = matrix.edges().all(|edge| edge == CircuitEdge::TRUE);
        if !known || matrix.cells.is_empty() {
            return Ok(None);
        }
        let set = matrix.cells.iter().map(|cell| cell.0).collect();
        let set = TupleSet::from_packed(self.packing, 1, set);
        let free = |relation: RelationId, wanted: &TupleSet| {
            let matrix = &self.relations[relation];
            let open = matrix.edges().all(|edge| edge != CircuitEdge::TRUE);
            open && wanted
                .packed()
                .iter()
                .all(|&tuple| matrix.get(tuple) != CircuitEdge::FALSE)
        };
        if !free(order.first, &set) || !free(order.next, &set.product(&set)) {
            return Ok(None);
        }
        let elements: Vec<UniverseAtomId> = set.iter().map(|tuple| tuple[0]).collect();
        let classes = self.classes()?;
        let together =
            |class: &Vec<UniverseAtomId>| elements.iter().all(|atom| class.contains(atom));
        Ok(classes.iter().any(together).then_some(elements))
    }

    /// The classes of interchangeable atoms.
    pub(crate) fn classes(&mut self) -> SearchResult<AtomClasses> {
        let mut bounds: BTreeSet<(usize, Vec<u64>)> = BTreeSet::new();
        for matrix in self.relations.iter() {
            let tuples = |keep: &dyn Fn(CircuitEdge) -> bool| -> Vec<u64> {
                let kept = matrix.cells.iter().filter(|cell| keep(cell.1));
                kept.map(|cell| cell.0).collect()
            };
            // The cells are the upper bound of a relation, and those that are true its lower one.
            bounds.insert((matrix.arity, tuples(&|_| true)));
            bounds.insert((matrix.arity, tuples(&|edge| edge == CircuitEdge::TRUE)));
        }
        let bounds: Vec<TupleSet> = bounds
            .into_iter()
            .filter(|(_, tuples)| !tuples.is_empty())
            .map(|(arity, tuples)| TupleSet::from_packed(self.packing, arity, tuples))
            .collect();
        let mut classes = AtomClasses::new();
        // Counts separate most atoms cheaply before swaps are tried on every tuple.
        for alike in self.alike(&bounds)? {
            let mut found = AtomClasses::new();
            for atom in alike {
                let mut home = None;
                for (place, class) in found.iter().enumerate() {
                    // Swaps of an atom with two others compose to a swap of these two: one atom stands for
                    // its class.
                    if self.interchangeable(class[0], atom, &bounds)? {
                        home = Some(place);
                        break;
                    }
                }
                match home {
                    Some(place) => found[place].push(atom),
                    None => found.push(vec![atom]),
                }
            }
            classes.extend(found);
        }
        classes.sort();
        Ok(classes)
    }

    /// Atoms that occur equally often in every column of every bound. Atoms of integers are all
    /// different.
    fn alike(&mut self, bounds: &[TupleSet]) -> SearchResult<AtomClasses> {
        let atoms = self.problem.universe().len();
        let mut signatures: Vec<Vec<u32>> = vec![Vec::new(); atoms];
        for bound in bounds {
            for column in 0..bound.arity() {
                let mut counts = vec![0; atoms];
                for &tuple in bound.packed() {
                    self.tick()?;
                    let atom = self.packing.atom(tuple, bound.arity(), column);
                    counts[atom.index()] += 1;
                }
                for (signature, count) in signatures.iter_mut().zip(counts) {
                    signature.push(count);
                }
            }
        }
        let integers = &self.problem.integers().atoms;
        for (place, (atom, _)) in integers.iter().enumerate() {
            signatures[atom.index()] = vec![u32::MAX, place as u32];
        }
        let mut parts: BTreeMap<Vec<u32>, Vec<UniverseAtomId>> = BTreeMap::new();
        for (atom, signature) in self.problem.universe().atoms().zip(signatures) {
            parts.entry(signature).or_default().push(atom);
        }
        Ok(parts.into_values().collect())
    }

    /// Whether a swap of two atoms leaves all bounds as they are.
    fn interchangeable(
        &mut self,
        a: UniverseAtomId,
        b: UniverseAtomId,
        bounds: &[TupleSet],
    ) -> SearchResult<bool> {
        for bound in bounds {
            for &tuple in bound.packed() {
                self.tick()?;
                let swapped = swap(self.packing, tuple, bound.arity(), a, b);
                if swapped != tuple && !bound.contains_packed(swapped) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// What leaves out instances that a swap of neighbours makes greater. Where conjuncts can be left out (`apart`), none
    /// of them is relied on.
    pub(crate) fn break_symmetries(
        &mut self,
        apart: bool,
        budget: &Budget,
    ) -> SearchResult<Vec<CircuitEdge>> {
        let limit = self.options.symmetry;
        if limit == 0 {
            return Ok(Vec::new());
        }
        let classes = self.classes()?;
        let mut sets = Vec::new();
        for records in self.problem.records() {
            let columns = self.problem.columns(records, &classes);
            let distinct = !apart && self.problem.tells_apart(records, &columns, budget)?;
            sets.push(RecordSet {
                elements: records.elements,
                columns,
                distinct,
            });
        }
        let order = self.bits_in_order(&sets)?;
        let mut edges = Vec::new();
        // Swaps of neighbours generate all permutations of a class. Only they are compared, not what they
        // generate, so that some symmetric instances may be left.
        for pair in classes.iter().flat_map(|class| class.windows(2)) {
            let [a, b] = [pair[0], pair[1]];
            let set = sets.iter().find(|set| self.may_have(set, a, b));
            let Some(set) = set else {
                let bits = self.compared(&order, a, b, limit)?;
                edges.push(self.at_least_as_great(&bits));
                continue;
            };
            // For its own atoms, a set counts most: the rows are the first bits of the order.
            let row = self.row(set, a);
            let mut bits = self.compared(&row, a, b, usize::MAX)?;
            if set.distinct {
                // Atoms outside of the set may have equal rows.
                let there = self.relations[set.elements].get(b.index() as u64);
                let greater = self.greater(&bits);
                let hint = self.circuit.or(!there, greater);
                self.hints.push(hint);
            } else {
                bits = self.compared(&order, a, b, limit.max(bits.len()))?;
            }
            edges.push(self.at_least_as_great(&bits));
        }
        Ok(edges)
    }

    /// The inputs of the relations, those first that count most.
    ///
    /// The order is one for all classes: an instance that is greatest in one order need not be so in another.
    /// What has nothing to do with records comes first, then one record after the other, then what relates
    /// records. In each, what belongs to single atoms tells them apart better than how they are related.
    fn bits_in_order(&mut self, sets: &[RecordSet]) -> SearchResult<Vec<RelationBit>> {
        let mut relations: Vec<RelationId> = self.relations.entries().map(|(id, _)| id).collect();
        relations.retain(|&id| {
            self.relations[id]
                .edges()
                .any(|edge| edge != CircuitEdge::TRUE)
        });
        relations.sort_by_key(|&id| self.relations[id].arity);
        let mut records: BTreeSet<u64> = BTreeSet::new();
        for set in sets {
            records.extend(self.problem.relations()[set.elements].upper.packed());
        }
        let of_rows = |id: &RelationId| sets.iter().any(|set| set.columns.contains(id));
        let (mut order, mut between) = (Vec::new(), Vec::new());
        for &relation in relations.iter().filter(|id| !of_rows(id)) {
            let arity = self.relations[relation].arity;
            for place in 0..self.relations[relation].cells.len() {
                self.tick()?;
                let tuple = self.relations[relation].cells[place].0;
                let is_record = |column: usize| {
                    let atom = self.packing.atom(tuple, arity, column);
                    records.contains(&(atom.index() as u64))
                };
                match !records.is_empty() && (0..arity).any(is_record) {
                    true => between.push((relation, place)),
                    false => order.push((relation, place)),
                }
            }
        }
        for set in sets {
            for &record in self.problem.relations()[set.elements].upper.packed() {
                let row = self.row(set, UniverseAtomId::new(record as usize));
                order.extend(row);
            }
        }
        order.extend(between);
        Ok(order)
    }

    /// Whether two atoms may be in a set of records.
    fn may_have(&self, set: &RecordSet, a: UniverseAtomId, b: UniverseAtomId) -> bool {
        let atoms = &self.problem.relations()[set.elements].upper;
        [a, b].iter().all(|&atom| atoms.contains(&[atom]))
    }

    /// The inputs of the row of a record.
    fn row(&self, set: &RecordSet, record: UniverseAtomId) -> Vec<RelationBit> {
        let mut bits = Vec::new();
        for &column in &set.columns {
            let matrix = &self.relations[column];
            let own =
                |cell: &(u64, CircuitEdge)| self.packing.atom(cell.0, matrix.arity, 0) == record;
            let cells = matrix.cells.iter().enumerate();
            let own = cells.filter(|(_, cell)| own(cell));
            bits.extend(own.map(|(place, _)| (column, place)));
        }
        bits
    }

    /// The bits of an instance next to those of its image under a swap, as far as they differ.
    fn compared(
        &mut self,
        order: &[RelationBit],
        a: UniverseAtomId,
        b: UniverseAtomId,
        limit: usize,
    ) -> SearchResult<Vec<(CircuitEdge, CircuitEdge)>> {
        let mut bits = Vec::new();
        let mut seen = BTreeSet::new();
        for &(relation, place) in order {
            self.tick()?;
            let matrix = &self.relations[relation];
            let (tuple, edge) = matrix.cells[place];
            let swapped = swap(self.packing, tuple, matrix.arity, a, b);
            let image = matrix.get(swapped);
            // A pair that was compared before, in either order, is equal by now.
            if swapped == tuple || edge == image || !seen.insert((edge, image)) {
                continue;
            }
            seen.insert((image, edge));
            bits.push((edge, image));
            if bits.len() == limit {
                return Ok(bits);
            }
        }
        Ok(bits)
    }

    /// The first bits, of which it is required that they are at least the second, are not the same.
    fn greater(&mut self, bits: &[(CircuitEdge, CircuitEdge)]) -> CircuitEdge {
        let circuit = &mut self.circuit;
        let more = bits.iter().map(|&(own, image)| circuit.and(own, !image));
        let more: Vec<CircuitEdge> = more.collect();
        any(circuit, more)
    }

    /// The first bits, read as a binary number, are at least the second.
    fn at_least_as_great(&mut self, bits: &[(CircuitEdge, CircuitEdge)]) -> CircuitEdge {
        let circuit = &mut self.circuit;
        let mut parts = Vec::with_capacity(bits.len());
        let mut equal = CircuitEdge::TRUE;
        for &(own, image) in bits {
            let held = circuit.or(own, !image);
            parts.push(circuit.or(!equal, held));
            // That it is not less is required already.
            let not_greater = circuit.or(!own, image);
            equal = circuit.and(equal, not_greater);
        }
        all(circuit, parts)
    }
}

/// A tuple with two atoms exchanged.
fn swap(packing: Packing, tuple: u64, arity: usize, a: UniverseAtomId, b: UniverseAtomId) -> u64 {
    let mut swapped = 0;
    for column in 0..arity {
        let atom = packing.atom(tuple, arity, column);
        let atom = match atom {
            _ if atom == a => b,
            _ if atom == b => a,
            _ => atom,
        };
        swapped = packing.glue(swapped, atom.index() as u64, 1);
    }
    swapped
}

#[cfg(test)]
mod tests {
    use wherefore_base::Budget;

    use super::*;
    use crate::options::SearchOptions;
    use crate::problem::{Integers, Overflow, Problem};
    use crate::universe::Universe;

    /// The classes of a problem over five atoms, the last of which is an integer.
    fn classes(bounds: &[&[&[usize]]]) -> Vec<Vec<usize>> {
        let universe = Universe::new(["a", "b", "c", "d", "0"]);
        let integers = Integers {
            width: 4,
            overflow: Overflow::Wrap,
            atoms: vec![(UniverseAtomId::new(4), 0)],
        };
        let mut problem = Problem::new(universe.clone(), integers);
        for (place, bound) in bounds.iter().enumerate() {
            let row = |tuple: &&[usize]| {
                tuple
                    .iter()
                    .map(|&atom| UniverseAtomId::new(atom))
                    .collect()
            };
            let rows: Vec<Vec<UniverseAtomId>> = bound.iter().map(row).collect();
            let arity = rows[0].len();
            let upper = TupleSet::from_tuples(universe.packing(), arity, rows);
            problem.relation(format!("r{place}"), universe.no_tuples(arity), upper);
        }
        let (options, budget) = (SearchOptions::default(), Budget::unlimited());
        let mut translator =
            ProblemTranslator::new(&problem, &options, &budget).expect("the bounds fit");
        let found = translator.classes().expect("nothing stops it");
        let indices =
            |class: Vec<UniverseAtomId>| class.into_iter().map(UniverseAtomId::index).collect();
        found.into_iter().map(indices).collect()
    }

    #[test]
    fn atoms_are_interchangeable_where_no_bound_tells_them_apart() {
        assert_eq!(classes(&[]), [vec![0, 1, 2, 3], vec![4]]);
        assert_eq!(classes(&[&[&[0], &[1]]]), [vec![0, 1], vec![2, 3], vec![4]]);
        // The pairs of atoms with themselves tell nobody apart.
        let iden: &[&[usize]] = &[&[0, 0], &[1, 1], &[2, 2], &[3, 3]];
        assert_eq!(classes(&[iden]), [vec![0, 1, 2, 3], vec![4]]);
        // In a ring every atom occurs equally often, and yet no two can be exchanged.
        let ring: &[&[usize]] = &[&[0, 1], &[1, 2], &[2, 3], &[3, 0]];
        assert_eq!(classes(&[ring]).len(), 5);
    }
}
