//! Sets of tuples of atoms, packed into machine words.

use std::fmt;

use crate::universe::UniverseAtomId;

/// How the atoms of a tuple are packed into one number: the first column highest, so that the order of
/// numbers is the order of tuples.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Packing {
    bits: u32,
}

impl Packing {
    /// The packing for a universe with this many atoms.
    pub fn for_atoms(atoms: usize) -> Self {
        // The only atom of a universe takes a bit too, so that columns have a width.
        let most = atoms.saturating_sub(1).max(1);
        Self {
            bits: usize::BITS - most.leading_zeros(),
        }
    }

    /// The most columns a tuple can have: two bits of a number stay free.
    pub fn most_columns(self) -> usize {
        (61 / self.bits) as usize
    }

    /// The number of a tuple.
    ///
    /// # Panics
    /// When the tuple has more columns than fit.
    pub fn pack(self, tuple: &[UniverseAtomId]) -> u64 {
        assert!(tuple.len() <= self.most_columns(), "the tuple is too wide");
        let add = |number: u64, atom: &UniverseAtomId| number << self.bits | atom.index() as u64;
        tuple.iter().fold(0, add)
    }

    /// The tuple with this number.
    pub fn unpack(self, number: u64, arity: usize) -> Vec<UniverseAtomId> {
        (0..arity).map(|at| self.atom(number, arity, at)).collect()
    }

    /// The atom in one column of a tuple.
    pub fn atom(self, number: u64, arity: usize, column: usize) -> UniverseAtomId {
        let shift = self.width(arity - 1 - column);
        UniverseAtomId::new((number >> shift & self.mask(1)) as usize)
    }

    /// Two tuples as one.
    pub(crate) fn glue(self, left: u64, right: u64, right_arity: usize) -> u64 {
        left << self.width(right_arity) | right
    }

    /// The first columns of a tuple and its last ones, `right_arity` of them.
    pub(crate) fn split(self, number: u64, right_arity: usize) -> (u64, u64) {
        let width = self.width(right_arity);
        (number >> width, number & self.mask(right_arity))
    }

    fn width(self, columns: usize) -> u32 {
        self.bits * columns as u32
    }

    fn mask(self, columns: usize) -> u64 {
        (1_u64 << self.width(columns)) - 1
    }
}

/// A set of tuples with the same number of columns.
///
/// Invariant: the packed tuples are sorted and distinct.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TupleSet {
    packing: Packing,
    arity: usize,
    tuples: Vec<u64>,
}

impl TupleSet {
    /// The empty set of tuples with this many columns.
    pub fn empty(packing: Packing, arity: usize) -> Self {
        Self {
            packing,
            arity,
            tuples: Vec::new(),
        }
    }

    /// The set of these tuples.
    ///
    /// # Panics
    /// When a tuple has another number of columns.
    pub fn from_tuples(
        packing: Packing,
        arity: usize,
        tuples: impl IntoIterator<Item = impl AsRef<[UniverseAtomId]>>,
    ) -> Self {
        let pack = |tuple: &[UniverseAtomId]| {
            assert_eq!(tuple.len(), arity, "all tuples have the same columns");
            packing.pack(tuple)
        };
        let tuples = tuples.into_iter().map(|tuple| pack(tuple.as_ref()));
        Self::from_packed(packing, arity, tuples.collect())
    }

    /// The set of these packed tuples.
    pub fn from_packed(packing: Packing, arity: usize, mut tuples: Vec<u64>) -> Self {
        tuples.sort_unstable();
        tuples.dedup();
        Self {
            packing,
            arity,
            tuples,
        }
    }

    /// How many columns its tuples have.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// How its tuples are packed.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// How many tuples there are.
    pub fn len(&self) -> usize {
        self.tuples.len()
    }

    /// Whether there is no tuple.
    pub fn is_empty(&self) -> bool {
        self.tuples.is_empty()
    }

    /// The tuples, packed, in order.
    pub fn packed(&self) -> &[u64] {
        &self.tuples
    }

    /// The tuples in order.
    pub fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = Vec<UniverseAtomId>> + ExactSizeIterator + '_ {
        let unpack = |&number| self.packing.unpack(number, self.arity);
        self.tuples.iter().map(unpack)
    }

    /// Whether a tuple is a member.
    pub fn contains(&self, tuple: &[UniverseAtomId]) -> bool {
        tuple.len() == self.arity && self.contains_packed(self.packing.pack(tuple))
    }

    /// Whether a packed tuple is a member.
    pub fn contains_packed(&self, number: u64) -> bool {
        self.tuples.binary_search(&number).is_ok()
    }

    /// Whether every tuple is in the other set too.
    pub fn is_subset(&self, other: &TupleSet) -> bool {
        self.alike(other);
        let within = |number: &u64| other.contains_packed(*number);
        self.tuples.iter().all(within)
    }

    /// Tuples of either set.
    ///
    /// # Panics
    /// When the sets have different columns.
    #[must_use]
    pub fn union(&self, other: &TupleSet) -> TupleSet {
        self.alike(other);
        let both = self.tuples.iter().chain(&other.tuples).copied();
        Self::from_packed(self.packing, self.arity, both.collect())
    }

    /// Tuples of both sets.
    ///
    /// # Panics
    /// When the sets have different columns.
    #[must_use]
    pub fn intersection(&self, other: &TupleSet) -> TupleSet {
        self.alike(other);
        self.filter(|number| other.contains_packed(number))
    }

    /// Tuples of this set that are not in the other.
    ///
    /// # Panics
    /// When the sets have different columns.
    #[must_use]
    pub fn difference(&self, other: &TupleSet) -> TupleSet {
        self.alike(other);
        self.filter(|number| !other.contains_packed(number))
    }

    /// Every tuple of this set followed by every tuple of the other.
    ///
    /// # Panics
    /// When the tuples have more columns together than fit.
    #[must_use]
    pub fn product(&self, other: &TupleSet) -> TupleSet {
        let arity = self.arity + other.arity;
        let fits = arity <= self.packing.most_columns();
        assert!(fits, "the tuples of the product are too wide");
        let mut tuples = Vec::with_capacity(self.len().saturating_mul(other.len()));
        for &left in &self.tuples {
            let glue = |&right| self.packing.glue(left, right, other.arity);
            tuples.extend(other.tuples.iter().map(glue));
        }
        // The left tuple has the higher bits and both lists are sorted, so the product is sorted and
        // distinct.
        Self {
            packing: self.packing,
            arity,
            tuples,
        }
    }

    fn filter(&self, keep: impl Fn(u64) -> bool) -> TupleSet {
        let kept = self.tuples.iter().copied().filter(|number| keep(*number));
        Self {
            packing: self.packing,
            arity: self.arity,
            tuples: kept.collect(),
        }
    }

    fn alike(&self, other: &TupleSet) {
        let shape = |set: &TupleSet| (set.packing, set.arity);
        assert_eq!(shape(self), shape(other), "the sets have the same columns");
    }
}

impl fmt::Debug for TupleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |tuple: Vec<UniverseAtomId>| -> Vec<usize> {
            tuple.into_iter().map(UniverseAtomId::index).collect()
        };
        f.debug_set().entries(self.iter().map(row)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atoms(indices: &[usize]) -> Vec<UniverseAtomId> {
        indices
            .iter()
            .map(|&index| UniverseAtomId::new(index))
            .collect()
    }

    #[test]
    fn tuples_unpack_to_what_was_packed_and_keep_their_order() {
        for size in [1, 2, 3, 5, 64, 65, 1000] {
            let packing = Packing::for_atoms(size);
            let columns = packing.most_columns().min(4);
            let mut last = None;
            for first in [0, size / 2, size - 1] {
                let mut tuple = atoms(&vec![size - 1; columns]);
                tuple[0] = UniverseAtomId::new(first);
                let number = packing.pack(&tuple);
                assert_eq!(packing.unpack(number, columns), tuple);
                assert!(last <= Some(number));
                last = Some(number);
            }
        }
    }

    #[test]
    fn sets_are_sets() {
        let packing = Packing::for_atoms(4);
        let set = |indices: &[usize]| {
            let single = indices.iter().map(|&index| [UniverseAtomId::new(index)]);
            TupleSet::from_tuples(packing, 1, single)
        };
        let (a, b) = (set(&[2, 0, 2]), set(&[1, 2]));
        assert_eq!(a.len(), 2);
        assert_eq!(a.union(&b), set(&[0, 1, 2]));
        assert_eq!(a.intersection(&b), set(&[2]));
        assert_eq!(a.difference(&b), set(&[0]));
        let pairs = a.product(&b);
        let listed: Vec<_> = pairs.iter().collect();
        assert_eq!(listed[1], atoms(&[0, 2]));
        assert!(pairs.contains(&atoms(&[2, 1])) && !pairs.contains(&atoms(&[1, 2])));
        assert!(set(&[2]).is_subset(&a) && !b.is_subset(&a));
    }
}
