//! Atoms, and the universe of all of them.

use wherefore_base::IndexVec;

use crate::tuples::{Packing, TupleSet};

wherefore_base::define_id!(
    /// An atom of a [`Universe`].
    pub struct UniverseAtomId
);

/// The atoms that relations are made of, in a fixed order, each with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Universe {
    names: IndexVec<UniverseAtomId, String>,
}

impl Universe {
    /// The atoms with these names, in this order.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            names: names.into_iter().map(Into::into).collect(),
        }
    }

    /// How many atoms there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no atom.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The atoms in order.
    pub fn atoms(
        &self,
    ) -> impl DoubleEndedIterator<Item = UniverseAtomId> + ExactSizeIterator + use<> {
        self.names.ids()
    }

    /// The name of an atom.
    pub fn name(&self, atom: UniverseAtomId) -> &str {
        &self.names[atom]
    }

    /// The atom with this name, if there is one; the first, if there are several.
    pub fn atom(&self, name: &str) -> Option<UniverseAtomId> {
        let mut entries = self.names.entries();
        entries.find(|(_, other)| *other == name).map(|(id, _)| id)
    }

    /// How tuples over this universe are packed.
    pub fn packing(&self) -> Packing {
        Packing::for_atoms(self.len())
    }

    /// The empty set of tuples with this many columns.
    pub fn no_tuples(&self, arity: usize) -> TupleSet {
        TupleSet::empty(self.packing(), arity)
    }

    /// A set of single atoms.
    pub fn set(&self, atoms: impl IntoIterator<Item = UniverseAtomId>) -> TupleSet {
        let atoms = atoms.into_iter().map(|atom| [atom]);
        TupleSet::from_tuples(self.packing(), 1, atoms)
    }

    /// Every atom, as a set.
    pub fn everything(&self) -> TupleSet {
        self.set(self.atoms())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_known_by_name_and_keep_their_order() {
        let universe = Universe::new(["a", "b", "c"]);
        let b = universe.atom("b").expect("it was declared");
        assert_eq!(universe.name(b), "b");
        assert_eq!(universe.atom("d"), None);
        assert_eq!(universe.everything().len(), 3);
        assert!(universe.set([b]).contains(&[b]));
        assert!(Universe::new([""; 0]).is_empty());
    }
}
