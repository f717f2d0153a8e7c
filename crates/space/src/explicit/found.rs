//! Packed states that a search finds, kept sorted and each once when asked for.

/// A growing list of packed states with a bound on how many different ones it takes.
#[derive(Default, Debug)]
pub(super) struct FoundStates {
    words: usize,
    limit: usize,
    rows: Vec<u64>,
    /// Sort and drop duplicates when there are this many rows.
    tidy_at: usize,
    full: bool,
}

/// Fewer rows than this are not worth tidying while they are found.
const TIDY: usize = 4096;

impl FoundStates {
    pub(super) fn new(words: usize, limit: usize) -> Self {
        Self {
            words,
            limit,
            rows: Vec::new(),
            tidy_at: TIDY,
            full: false,
        }
    }

    /// Empties the list.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.tidy_at = TIDY;
        self.full = false;
    }

    /// Adds a state that `write` puts into zeroed words; `false` when the limit is passed.
    pub(super) fn add(&mut self, write: impl FnOnce(&mut [u64])) -> bool {
        let start = self.rows.len();
        self.rows.resize(start + self.words, 0);
        write(&mut self.rows[start..]);
        self.grown()
    }

    fn grown(&mut self) -> bool {
        if self.rows.len() / self.words >= self.tidy_at {
            self.tidy();
            // Tidying up again only after doubling keeps the cost of each row logarithmic.
            self.tidy_at = (2 * self.rows.len() / self.words).max(TIDY);
        }
        !self.full
    }

    /// Adds the last of some packed states; `false` when the limit is passed.
    pub(super) fn push(&mut self, states: &[u64]) -> bool {
        self.rows
            .extend_from_slice(&states[states.len() - self.words..]);
        self.grown()
    }

    /// The states in order, each once; `None` when there are more than the limit.
    pub(super) fn states(&mut self) -> Option<&[u64]> {
        self.tidy();
        (!self.full).then_some(&self.rows)
    }

    /// The states, of several words perhaps not in order and some twice; `None` when there are more than
    /// the limit.
    pub(super) fn rows(&mut self) -> Option<&[u64]> {
        if self.words == 1 || self.rows.len() > TIDY * self.words {
            self.tidy();
        }
        (!self.full).then_some(&self.rows)
    }

    /// Some of the states.
    pub(super) fn some(&self, most: usize) -> impl Iterator<Item = &[u64]> {
        self.rows.chunks_exact(self.words).take(most)
    }

    /// How many bytes the list takes.
    pub(super) fn bytes(&self) -> usize {
        8 * self.rows.capacity()
    }

    fn tidy(&mut self) {
        if self.words == 1 {
            self.rows.sort_unstable();
            self.rows.dedup();
        } else {
            let mut rows: Vec<&[u64]> = self.rows.chunks_exact(self.words).collect();
            rows.sort_unstable();
            rows.dedup();
            self.rows = rows.concat();
        }
        // Only different states count against the limit.
        self.full |= self.rows.len() / self.words > self.limit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_come_out_in_order_and_once_and_up_to_the_limit() {
        for words in [1, 2] {
            let mut found = FoundStates::new(words, 3);
            for number in [5, 1, 5, 3] {
                assert!(found.add(|row| row[words - 1] = number));
            }
            let last = |rows: &[u64]| rows.chunks(words).map(|r| r[words - 1]).collect::<Vec<_>>();
            assert_eq!(found.states().map(last), Some(vec![1, 3, 5]));
            assert!(found.add(|row| row[0] = 9));
            assert_eq!(found.states(), None);
        }
    }
}
