//! Lists of valuations, packed into words.

/// Where the value of a variable is written: a bit of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RowSlot {
    /// The variable.
    pub(crate) bit: super::Bit,
    /// The word.
    pub(crate) word: usize,
    /// The bit in it.
    pub(crate) mask: u64,
}

impl RowSlot {
    /// Writes the value.
    pub(crate) fn write(self, words: &mut [u64], value: bool) {
        match value {
            true => words[self.word] |= self.mask,
            false => words[self.word] &= !self.mask,
        }
    }

    /// Reads the value.
    pub(crate) fn read(self, words: &[u64]) -> bool {
        words[self.word] & self.mask != 0
    }
}

/// Rows of equally many words.
#[derive(Debug)]
pub(crate) struct ValuationRows {
    words: Vec<u64>,
    width: usize,
    /// Words before this one were given away.
    at: usize,
}

impl ValuationRows {
    /// Rows of this many words, at least one, which stand one after the other; from now on in ascending order.
    pub(super) fn in_order(mut words: Vec<u64>, width: usize) -> Self {
        if width == 1 {
            words.sort_unstable();
        } else {
            let mut rows: Vec<&[u64]> = words.chunks_exact(width).collect();
            rows.sort_unstable();
            words = rows.concat();
        }
        Self {
            words,
            width,
            at: 0,
        }
    }

    /// No rows.
    pub(crate) fn none(width: usize) -> Self {
        Self::in_order(Vec::new(), width)
    }

    /// Whether all rows were given.
    pub(crate) fn is_empty(&self) -> bool {
        self.at >= self.words.len()
    }

    /// The next row.
    pub(crate) fn next(&mut self) -> Option<&[u64]> {
        let row = self.words.get(self.at..self.at + self.width)?;
        self.at += self.width;
        Some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_given_in_ascending_order() {
        for (width, words, expected) in [
            (1, vec![3, 1, 2], vec![1, 2, 3]),
            (2, vec![2, 1, 1, 9, 2, 0], vec![1, 9, 2, 0, 2, 1]),
        ] {
            let mut rows = ValuationRows::in_order(words, width);
            let mut given = Vec::new();
            while let Some(row) = rows.next() {
                assert_eq!(row.len(), width);
                given.extend_from_slice(row);
            }
            assert_eq!(given, expected);
        }
    }
}
