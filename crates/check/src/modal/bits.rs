//! Sets of states as bits.

/// A bit for each state.
#[derive(Clone, Default, Debug)]
pub(super) struct StateBits {
    words: Vec<u64>,
}

impl StateBits {
    /// All states, or none.
    pub(super) fn new(states: usize, value: bool) -> Self {
        let word = if value { u64::MAX } else { 0 };
        Self {
            words: vec![word; states.div_ceil(64)],
        }
    }

    #[inline]
    pub(super) fn has(&self, state: usize) -> bool {
        self.words[state / 64] >> (state % 64) & 1 == 1
    }

    /// Adds a state; whether it is new.
    #[inline]
    pub(super) fn insert(&mut self, state: usize) -> bool {
        let (word, bit) = (&mut self.words[state / 64], 1 << (state % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    pub(super) fn meet(&mut self, other: &StateBits) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    pub(super) fn join(&mut self, other: &StateBits) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Makes it the set of all other states. (Bits beyond the last state do not matter.)
    pub(super) fn invert(&mut self) {
        for word in &mut self.words {
            *word = !*word;
        }
    }
}
