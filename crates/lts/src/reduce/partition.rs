//! A partition that can only get finer (Valmari and Lehtinen, 2008).
//!
//! Elements stand in one array, each block a stretch of it; the marked elements of a block stand at its
//! front, so that splitting them off costs no more than marking them did.

/// A stretch of the array, `start..end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stretch {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Stretch {
    pub(super) fn len(self) -> u32 {
        self.end - self.start
    }
}

/// A partition of `0..n`.
///
/// Invariant: `elements[place[e]] == e`, and `e` stands in the stretch of `block_of[e]`.
pub(super) struct StatePartition {
    elements: Vec<u32>,
    place: Vec<u32>,
    block_of: Vec<u32>,
    stretches: Vec<Stretch>,
    /// How many elements of each block are marked.
    marked: Vec<u32>,
    /// The blocks with marked elements.
    touched: Vec<u32>,
}

impl StatePartition {
    /// The elements in these blocks, which are numbered from zero without a gap.
    pub(super) fn new(block_of: Vec<u32>, blocks: usize) -> Self {
        let mut stretches = vec![Stretch { start: 0, end: 0 }; blocks];
        // This is a counting sort: `end` is the length first, and then the next free place.
        for &block in &block_of {
            stretches[block as usize].end += 1;
        }
        let mut start = 0;
        for stretch in &mut stretches {
            let len = stretch.end;
            *stretch = Stretch { start, end: start };
            start += len;
        }
        let mut elements = vec![0; block_of.len()];
        let mut place = vec![0; block_of.len()];
        for (element, &block) in block_of.iter().enumerate() {
            let stretch = &mut stretches[block as usize];
            elements[stretch.end as usize] = element as u32;
            place[element] = stretch.end;
            stretch.end += 1;
        }
        Self {
            elements,
            place,
            block_of,
            stretches,
            marked: vec![0; blocks],
            touched: Vec::new(),
        }
    }

    pub(super) fn blocks(&self) -> usize {
        self.stretches.len()
    }

    pub(super) fn block_of(&self, element: u32) -> u32 {
        self.block_of[element as usize]
    }

    pub(super) fn stretch(&self, block: u32) -> Stretch {
        self.stretches[block as usize]
    }

    /// The element at a place of the array.
    pub(super) fn at(&self, place: u32) -> u32 {
        self.elements[place as usize]
    }

    pub(super) fn elements(&self, block: u32) -> &[u32] {
        let Stretch { start, end } = self.stretch(block);
        &self.elements[start as usize..end as usize]
    }

    pub(super) fn into_block_of(self) -> Vec<u32> {
        self.block_of
    }

    /// Marks an element, once or several times.
    pub(super) fn mark(&mut self, element: u32) {
        let block = self.block_of(element);
        let front = self.stretch(block).start + self.marked[block as usize];
        let place = self.place[element as usize];
        if place < front {
            return;
        }
        if self.marked[block as usize] == 0 {
            self.touched.push(block);
        }
        let other = self.elements[front as usize];
        self.elements.swap(front as usize, place as usize);
        self.place[other as usize] = place;
        self.place[element as usize] = front;
        self.marked[block as usize] += 1;
    }

    /// Parts the marked elements of each block from the others, where there are both, and unmarks all.
    /// `made` is told each block that was split.
    pub(super) fn split(&mut self, mut made: impl FnMut(u32)) {
        while let Some(block) = self.touched.pop() {
            let marked = std::mem::take(&mut self.marked[block as usize]);
            let whole = self.stretch(block);
            if marked == whole.len() {
                continue;
            }
            let middle = whole.start + marked;
            let front = Stretch {
                end: middle,
                ..whole
            };
            let back = Stretch {
                start: middle,
                ..whole
            };
            // The smaller part gets the new number, since its elements are told.
            let (kept, parted) = match front.len() <= back.len() {
                true => (back, front),
                false => (front, back),
            };
            let fresh = self.stretches.len() as u32;
            self.stretches[block as usize] = kept;
            self.stretches.push(parted);
            self.marked.push(0);
            for place in parted.start..parted.end {
                self.block_of[self.elements[place as usize] as usize] = fresh;
            }
            made(block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_elements_are_parted_from_the_others() {
        let mut partition = StatePartition::new(vec![0, 1, 0, 0, 1], 2);
        for element in [3, 0, 3, 1, 4] {
            partition.mark(element);
        }
        let mut split = Vec::new();
        partition.split(|block| split.push(block));
        assert_eq!(split, [0]);
        assert_eq!(partition.blocks(), 3);
        assert_eq!(partition.block_of(0), partition.block_of(3));
        assert_ne!(partition.block_of(0), partition.block_of(2));
        assert_eq!(partition.block_of(1), partition.block_of(4));
        let mut all: Vec<u32> = (0..3)
            .flat_map(|b| partition.elements(b).to_vec())
            .collect();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4]);
    }
}
