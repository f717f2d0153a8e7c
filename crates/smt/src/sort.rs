//! Sorts: what kinds of values terms have.

use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{IndexVec, define_id};

use crate::print::quoted;

define_id!(
    /// A sort in [`Sorts`].
    pub struct SortId
);

impl SortId {
    /// Truth values.
    pub const BOOL: SortId = SortId(0);
    /// The integers.
    pub const INT: SortId = SortId(1);
    /// The real numbers.
    pub const REAL: SortId = SortId(2);
}

/// A kind of values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// The integers.
    Int,
    /// The real numbers.
    Real,
    /// Numbers of so many bits.
    BitVec(u32),
    /// Maps from values of the first sort to values of the second.
    Array(SortId, SortId),
    /// A sort of which nothing is known but its name.
    Uninterpreted(String),
    /// An enumeration: its name and its constants, all different and all there are.
    Enumeration(String, Vec<String>),
}

/// All sorts of a system, each made once.
#[derive(Clone, Debug)]
pub struct Sorts {
    sorts: IndexVec<SortId, Sort>,
    ids: FxHashMap<Sort, SortId>,
    /// The constants of all enumerations.
    constants: FxHashSet<String>,
}

impl Default for Sorts {
    fn default() -> Self {
        let mut sorts = Self {
            sorts: IndexVec::new(),
            ids: FxHashMap::default(),
            constants: FxHashSet::default(),
        };
        for sort in [Sort::Bool, Sort::Int, Sort::Real] {
            sorts.add(sort);
        }
        sorts
    }
}

impl Sorts {
    /// The id of a sort, made on first use.
    pub fn add(&mut self, sort: Sort) -> SortId {
        if let Some(&id) = self.ids.get(&sort) {
            return id;
        }
        if let Sort::Enumeration(_, constants) = &sort {
            self.constants.extend(constants.iter().cloned());
        }
        let id = self.sorts.push(sort.clone());
        self.ids.insert(sort, id);
        id
    }

    /// The sort with this id.
    pub fn get(&self, id: SortId) -> &Sort {
        &self.sorts[id]
    }

    /// All sorts in the order in which they were made.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = SortId> + use<> {
        self.sorts.ids()
    }

    /// How many values a sort has, if they are finitely many and fit the number.
    pub fn count(&self, id: SortId) -> Option<u128> {
        match self.get(id) {
            Sort::Bool => Some(2),
            Sort::BitVec(width) => 1u128.checked_shl(*width).filter(|_| *width < 128),
            Sort::Enumeration(_, constants) => Some(constants.len() as u128),
            Sort::Array(index, element) => {
                let power = u32::try_from(self.count(*index)?).ok()?;
                self.count(*element)?.checked_pow(power)
            }
            Sort::Int | Sort::Real | Sort::Uninterpreted(_) => None,
        }
    }

    /// Whether some enumeration has a constant of this name.
    pub fn is_constant(&self, name: &str) -> bool {
        self.constants.contains(name)
    }

    /// Whether values of the sort are numbers that are ordered and added.
    pub fn is_number(&self, id: SortId) -> bool {
        matches!(id, SortId::INT | SortId::REAL)
    }

    /// The sort as SMT-LIB writes it.
    pub fn text(&self, id: SortId) -> String {
        let mut text = String::new();
        self.write(id, &mut text);
        text
    }

    fn write(&self, id: SortId, out: &mut String) {
        match self.get(id) {
            Sort::Bool => out.push_str("Bool"),
            Sort::Int => out.push_str("Int"),
            Sort::Real => out.push_str("Real"),
            Sort::BitVec(width) => {
                let _ = write!(out, "(_ BitVec {width})");
            }
            Sort::Array(index, element) => {
                out.push_str("(Array ");
                wherefore_base::deep(|| self.write(*index, out));
                out.push(' ');
                wherefore_base::deep(|| self.write(*element, out));
                out.push(')');
            }
            Sort::Uninterpreted(name) | Sort::Enumeration(name, _) => out.push_str(&quoted(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sorts_are_one_sort() {
        let mut sorts = Sorts::default();
        let one = sorts.add(Sort::Array(SortId::INT, SortId::BOOL));
        assert_eq!(one, sorts.add(Sort::Array(SortId::INT, SortId::BOOL)));
        assert_eq!(sorts.add(Sort::Int), SortId::INT);
        assert_eq!(sorts.text(one), "(Array Int Bool)");
    }

    #[test]
    fn finite_sorts_are_counted() {
        let mut sorts = Sorts::default();
        let colour = sorts.add(Sort::Enumeration(
            "Colour".into(),
            vec!["red".into(), "blue".into(), "green".into()],
        ));
        let byte = sorts.add(Sort::BitVec(8));
        let painted = sorts.add(Sort::Array(colour, byte));
        assert_eq!(sorts.count(painted), Some(1 << 24));
        assert_eq!(sorts.count(SortId::INT), None);
        let huge = sorts.add(Sort::BitVec(200));
        assert_eq!(sorts.count(huge), None);
    }
}
