//! All states found so far, packed, and a table that finds them.
//!
//! A state takes its words (one for each 64 bits of its variables) and a place of 5 bytes in the
//! table, of which at least 7 in 16 are in use.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Packed states, numbered in the order in which they were found.
#[derive(Debug)]
pub(super) struct Store {
    words: usize,
    rows: Vec<u64>,
    table: HashTable<u32>,
}

impl Store {
    pub(super) fn new(words: usize) -> Self {
        Self {
            words,
            rows: Vec::new(),
            table: HashTable::new(),
        }
    }

    /// How many states there are.
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// The state with this number.
    pub(super) fn get(&self, id: usize) -> &[u64] {
        self.range(id, id + 1)
    }

    /// The states with these numbers, the last one excluded.
    pub(super) fn range(&self, from: usize, to: usize) -> &[u64] {
        &self.rows[from * self.words..to * self.words]
    }

    /// The number of a state, a new one if it was not there.
    pub(super) fn intern(&mut self, row: &[u64]) -> u32 {
        let hash = |row: &[u64]| FxBuildHasher.hash_one(row);
        let words = self.words;
        let at = |id: u32| id as usize * words..(id as usize + 1) * words;
        let rows = &mut self.rows;
        if let Some(&id) = self.table.find(hash(row), |&id| &rows[at(id)] == row) {
            return id;
        }
        let id = self.table.len() as u32;
        rows.extend_from_slice(row);
        self.table
            .insert_unique(hash(row), id, |&id| hash(&rows[at(id)]));
        id
    }

    /// How many bytes it takes, and takes in the end.
    pub(super) fn bytes(&self) -> usize {
        // The rows are copied once in the end, when they are sorted.
        16 * self.rows.capacity() + 5 * self.table.capacity()
    }

    /// The states in order, and the new number of each old one.
    pub(super) fn sorted(self) -> (Vec<u64>, Vec<u32>) {
        let count = self.len();
        let Self { words, rows, table } = self;
        // The table goes first, since the rows are about to exist twice.
        drop(table);
        let rest = |id: u32| &rows[id as usize * words + 1..(id as usize + 1) * words];
        let first = rows.iter().step_by(words).copied();
        let mut order: Vec<(u64, u32)> = first.zip(0..).collect();
        // The first word is compared in place; rows are looked up only where it is equal.
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| rest(a.1).cmp(rest(b.1))));
        let mut names = vec![0; count];
        let mut states = Vec::with_capacity(rows.len());
        for (&(_, id), name) in order.iter().zip(0..) {
            names[id as usize] = name;
            states.extend_from_slice(&rows[id as usize * words..(id as usize + 1) * words]);
        }
        (states, names)
    }
}
