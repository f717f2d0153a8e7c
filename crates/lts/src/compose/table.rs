//! Tuples of numbers, each stored once and numbered in the order of appearance.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::LtsHalt;
use crate::halt::counted;

const FREE: u32 = u32::MAX;

/// A set of tuples of one width.
pub(super) struct Tuples {
    width: usize,
    /// All tuples, one after the other.
    flat: Vec<u32>,
    len: usize,
    /// Open addressing: numbers of tuples at the place their hash says, or after it.
    slots: Vec<u32>,
}

impl Tuples {
    pub(super) fn new(width: usize) -> Self {
        Self {
            width,
            flat: Vec::new(),
            len: 0,
            slots: vec![FREE; 16],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn get(&self, number: u32) -> &[u32] {
        let start = number as usize * self.width;
        &self.flat[start..start + self.width]
    }

    /// The number of a tuple, which is kept when it is new.
    pub(super) fn number(&mut self, tuple: &[u32]) -> Result<u32, LtsHalt> {
        // Without free slots the search for a place would not end.
        if (self.len + 1) * 8 > self.slots.len() * 7 {
            self.grow();
        }
        let place = self.place(tuple);
        if self.slots[place] == FREE {
            self.slots[place] = counted(self.len, "states")?;
            self.flat.extend_from_slice(tuple);
            self.len += 1;
        }
        Ok(self.slots[place])
    }

    /// The slot where a tuple is, or would be.
    fn place(&self, tuple: &[u32]) -> usize {
        let mut hasher = FxHasher::default();
        for &part in tuple {
            hasher.write_u32(part);
        }
        // The number of slots is a power of two.
        let mask = self.slots.len() - 1;
        let mut place = hasher.finish() as usize & mask;
        while self.slots[place] != FREE && self.get(self.slots[place]) != tuple {
            place = (place + 1) & mask;
        }
        place
    }

    /// Gives the index up: tuples are known by their numbers from now on, and no further ones are taken.
    pub(super) fn forget_index(&mut self) {
        self.slots = Vec::new();
    }

    fn grow(&mut self) {
        self.slots = vec![FREE; (self.slots.len() * 2).max(16)];
        for number in 0..self.len as u32 {
            let place = self.place(self.get(number));
            self.slots[place] = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_tuples_have_equal_numbers() {
        let mut tuples = Tuples::new(2);
        for round in 0..2 {
            for at in 0..1000u32 {
                let number = tuples.number(&[at % 37, at / 37]).expect("there are few");
                assert_eq!(number, at, "round {round}");
            }
        }
        assert_eq!(tuples.len(), 1000);
        assert_eq!(tuples.get(40), [3, 1]);
    }

    #[test]
    fn there_is_one_tuple_of_nothing() {
        let mut tuples = Tuples::new(0);
        assert_eq!(tuples.number(&[]), Ok(0));
        assert_eq!(tuples.number(&[]), Ok(0));
    }
}
