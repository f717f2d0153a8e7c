//! What operations found out before.
//!
//! Each place of the cache holds the last result that fell on it. It grows with the number of nodes.

use super::table::BddEdge;

/// The operation of a question.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub(super) enum CacheOp {
    And = 1,
    Xor,
    Ite,
    Exists,
    AndExists,
    /// The last argument is the number of the renaming.
    Rename,
    Cofactor,
}

/// An operation and its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CacheKey([u32; 3]);

impl CacheKey {
    pub(super) fn new(op: CacheOp, f: BddEdge, g: BddEdge, h: BddEdge) -> Self {
        // Edges leave the upper bits free.
        Self([f.0 | (op as u32) << 28, g.0, h.0])
    }

    fn place(self, mask: usize) -> usize {
        let [f, g, h] = self.0.map(u64::from);
        // Fibonacci hashing: the upper half of the product depends on all bits.
        let mixed = (f << 32 | g).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ (mixed >> 29) ^ h).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed >> 32) as usize & mask
    }
}

#[derive(Clone, Copy, Debug)]
struct CacheEntry {
    question: CacheKey,
    answer: BddEdge,
}

/// No operation has number zero, so nobody asks this.
const NOTHING: CacheEntry = CacheEntry {
    question: CacheKey([0; 3]),
    answer: BddEdge::TRUE,
};

/// Bytes that one entry takes.
pub(super) const ENTRY_BYTES: usize = size_of::<CacheEntry>();

/// Questions with their answers.
#[derive(Debug)]
pub(super) struct Cache {
    entries: Vec<CacheEntry>,
    most: usize,
}

impl Cache {
    /// A cache that grows to this many entries.
    pub(super) fn new(most: usize) -> Self {
        // A place is taken by a mask, so sizes are powers of two.
        let most = 1 << most.max(1 << 10).ilog2();
        Self {
            entries: vec![NOTHING; 1 << 10],
            most,
        }
    }

    #[inline]
    pub(super) fn get(&self, question: CacheKey) -> Option<BddEdge> {
        let entry = &self.entries[question.place(self.entries.len() - 1)];
        (entry.question == question).then_some(entry.answer)
    }

    #[inline]
    pub(super) fn put(&mut self, question: CacheKey, answer: BddEdge) {
        let place = question.place(self.entries.len() - 1);
        self.entries[place] = CacheEntry { question, answer };
    }

    /// Makes room for the results about this many nodes.
    pub(super) fn fit(&mut self, nodes: usize) {
        if nodes <= self.entries.len() || self.entries.len() >= self.most {
            return;
        }
        let size = (4 * nodes).next_power_of_two().min(self.most);
        let old = std::mem::replace(&mut self.entries, vec![NOTHING; size]);
        for entry in old {
            if entry.question != NOTHING.question {
                self.put(entry.question, entry.answer);
            }
        }
    }

    /// Forgets what is about other functions than these.
    pub(super) fn keep(&mut self, alive: impl Fn(BddEdge) -> bool) {
        for entry in &mut self.entries {
            let [f, g, h] = entry.question.0;
            if f == 0 {
                continue;
            }
            // The last argument of a renaming is a number, not an edge.
            let renames = f >> 28 == CacheOp::Rename as u32;
            let last = renames || alive(BddEdge(h));
            let known = alive(BddEdge(f & (u32::MAX >> 4))) && alive(BddEdge(g)) && last;
            if !(known && alive(entry.answer)) {
                *entry = NOTHING;
            }
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.entries.fill(NOTHING);
    }
}
