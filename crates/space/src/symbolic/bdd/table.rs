//! The nodes of all functions, each stored once.
//!
//! A node asks one Boolean variable and has two ends. Ends are edges with a bit that says "not"
//! (Brace, Rudell and Bryant 1990), so a function and its complement share their nodes. Each
//! variable has a hash table of its own: two neighbours in the order can be exchanged by looking
//! at their tables alone.

use super::BddHalt;
use super::cache::Cache;

/// A Boolean variable, by number; its place in the order may change.
pub(crate) type Bit = u32;

/// A function: a node, or its complement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct BddEdge(pub(super) u32);

impl BddEdge {
    pub(super) const TRUE: BddEdge = BddEdge(0);
    pub(super) const FALSE: BddEdge = BddEdge(1);

    pub(super) fn to(node: u32) -> Self {
        BddEdge(node << 1)
    }

    pub(super) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    /// The complement.
    pub(super) fn not(self) -> Self {
        BddEdge(self.0 ^ 1)
    }

    /// The complement, when the flag is set.
    pub(super) fn not_if(self, flag: bool) -> Self {
        BddEdge(self.0 ^ u32::from(flag))
    }

    /// The function or its complement, whichever edge is plain.
    pub(super) fn plain(self) -> Self {
        BddEdge(self.0 & !1)
    }

    pub(super) fn is_constant(self) -> bool {
        self.0 < 2
    }
}

/// A node; `next` links nodes of one bucket, or free places.
#[derive(Clone, Copy, Debug)]
pub(super) struct BddNode {
    pub(super) bit: Bit,
    pub(super) low: BddEdge,
    pub(super) high: BddEdge,
    pub(super) next: u32,
}

/// The end of a list of nodes.
const END: u32 = u32::MAX;
/// What the only node without a variable asks, and free places.
const NO_BIT: Bit = Bit::MAX;
/// The level of constants: below all.
pub(super) const BOTTOM: u32 = u32::MAX;
/// Edges leave four bits of a word for other things.
pub(super) const MOST_NODES: usize = 1 << 27;

/// The nodes of one variable.
#[derive(Debug)]
pub(super) struct Unique {
    buckets: Vec<u32>,
    pub(super) count: usize,
}

impl Unique {
    fn new() -> Self {
        Self {
            buckets: vec![END; 16],
            count: 0,
        }
    }

    fn place(&self, low: BddEdge, high: BddEdge) -> usize {
        let key = (u64::from(low.0) << 32) | u64::from(high.0);
        let mixed = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // The upper half of the product depends on all bits of the key.
        (mixed >> 32) as usize & (self.buckets.len() - 1)
    }
}

/// All nodes.
///
/// Invariant: no two nodes are equal, no node has two equal ends, a high end is plain, and ends are
/// further down in the order than their node.
#[derive(Debug)]
pub(super) struct UniqueTable {
    pub(super) nodes: Vec<BddNode>,
    /// How many handles there are to each node.
    pub(super) outside: Vec<u32>,
    pub(super) unique: Vec<Unique>,
    /// The place of each variable in the order; 0 is the top.
    pub(super) levels: Vec<u32>,
    /// The variable at each place.
    pub(super) order: Vec<Bit>,
    free: u32,
    /// How many nodes are in use.
    pub(super) used: usize,
    most: usize,
    /// An operation that makes it more is to be begun again without garbage.
    pub(super) pause_at: usize,
}

impl UniqueTable {
    /// A table with no more nodes than this.
    pub(super) fn new(bits: usize, most: usize) -> Self {
        let constant = BddNode {
            bit: NO_BIT,
            low: BddEdge::TRUE,
            high: BddEdge::TRUE,
            next: END,
        };
        Self {
            nodes: vec![constant],
            // The constant has a handle for ever, so that no count of references takes it away.
            outside: vec![1],
            unique: (0..bits).map(|_| Unique::new()).collect(),
            levels: (0..bits as u32).collect(),
            order: (0..bits as u32).collect(),
            free: END,
            used: 1,
            most: most.min(MOST_NODES),
            pause_at: usize::MAX,
        }
    }

    /// How many nodes there may still be.
    pub(super) fn room(&self) -> usize {
        self.most.saturating_sub(self.used)
    }

    pub(super) fn level(&self, edge: BddEdge) -> u32 {
        match self.nodes[edge.node()].bit {
            NO_BIT => BOTTOM,
            bit => self.levels[bit as usize],
        }
    }

    /// Both ends of a function that is not constant.
    pub(super) fn ends(&self, edge: BddEdge) -> (BddEdge, BddEdge) {
        let node = self.nodes[edge.node()];
        let flag = edge.is_complement();
        (node.low.not_if(flag), node.high.not_if(flag))
    }

    /// Both ends, where the variable at a level may not be asked.
    pub(super) fn ends_at(&self, edge: BddEdge, level: u32) -> (BddEdge, BddEdge) {
        match self.level(edge) == level {
            true => self.ends(edge),
            false => (edge, edge),
        }
    }

    /// The function that is `high` where a variable is true and `low` where it is not.
    pub(super) fn make(
        &mut self,
        bit: Bit,
        low: BddEdge,
        high: BddEdge,
    ) -> Result<BddEdge, BddHalt> {
        if low == high {
            return Ok(low);
        }
        // A high end is plain: its complement moves to the edge that leads here.
        let flag = high.is_complement();
        let (low, high) = (low.not_if(flag), high.not_if(flag));
        let node = match self.find(bit, low, high) {
            Some(node) => node,
            None => {
                if self.used >= self.pause_at {
                    return Err(BddHalt::Pause);
                }
                if self.used >= self.most {
                    return Err(BddHalt::Full);
                }
                self.insert_new(bit, low, high)
            }
        };
        Ok(BddEdge::to(node).not_if(flag))
    }

    /// The node with these ends, if there is one.
    pub(super) fn find(&self, bit: Bit, low: BddEdge, high: BddEdge) -> Option<u32> {
        let unique = &self.unique[bit as usize];
        let mut at = unique.buckets[unique.place(low, high)];
        while at != END {
            let node = &self.nodes[at as usize];
            if node.low == low && node.high == high {
                return Some(at);
            }
            at = node.next;
        }
        None
    }

    /// A new node, wherever there is a place.
    pub(super) fn insert_new(&mut self, bit: Bit, low: BddEdge, high: BddEdge) -> u32 {
        let node = BddNode {
            bit,
            low,
            high,
            next: END,
        };
        let at = match self.free {
            END => {
                self.nodes.push(node);
                self.outside.push(0);
                self.nodes.len() as u32 - 1
            }
            at => {
                self.free = self.nodes[at as usize].next;
                self.nodes[at as usize] = node;
                at
            }
        };
        self.used += 1;
        self.link(at);
        at
    }

    /// Puts a node into the table of its variable.
    pub(super) fn link(&mut self, at: u32) {
        let BddNode { bit, low, high, .. } = self.nodes[at as usize];
        let unique = &mut self.unique[bit as usize];
        unique.count += 1;
        let place = unique.place(low, high);
        self.nodes[at as usize].next = unique.buckets[place];
        unique.buckets[place] = at;
        if unique.count > 2 * unique.buckets.len() {
            self.grow(bit);
        }
    }

    /// Takes a node out of the table of its variable.
    pub(super) fn unlink(&mut self, at: u32) {
        let BddNode {
            bit,
            low,
            high,
            next,
        } = self.nodes[at as usize];
        let unique = &mut self.unique[bit as usize];
        unique.count -= 1;
        let place = unique.place(low, high);
        let mut before = unique.buckets[place];
        if before == at {
            unique.buckets[place] = next;
            return;
        }
        // The node was linked under the same ends, so it is in this list.
        while self.nodes[before as usize].next != at {
            before = self.nodes[before as usize].next;
        }
        self.nodes[before as usize].next = next;
    }

    /// Takes the nodes of a variable that have an end in another out of its table.
    pub(super) fn detach(&mut self, bit: Bit, below: Bit, taken: &mut Vec<u32>) {
        let unique = &mut self.unique[bit as usize];
        let before = taken.len();
        for first in &mut unique.buckets {
            let mut at = *first;
            let mut kept = END;
            while at != END {
                let BddNode {
                    low, high, next, ..
                } = self.nodes[at as usize];
                let asks = |edge: BddEdge| self.nodes[edge.node()].bit == below;
                if !(asks(low) || asks(high)) {
                    kept = at;
                } else {
                    taken.push(at);
                    match kept {
                        END => *first = next,
                        kept => self.nodes[kept as usize].next = next,
                    }
                }
                at = next;
            }
        }
        unique.count -= taken.len() - before;
    }

    /// Gives the place of a node back that no table lists any more.
    pub(super) fn release(&mut self, at: u32) {
        let node = &mut self.nodes[at as usize];
        node.bit = NO_BIT;
        node.next = self.free;
        self.free = at;
        self.used -= 1;
    }

    fn grow(&mut self, bit: Bit) {
        let nodes = self.nodes_of(bit);
        let unique = &mut self.unique[bit as usize];
        let size = 4 * unique.buckets.len();
        unique.buckets = vec![END; size];
        self.relink(bit, &nodes);
    }

    /// Takes out the nodes of a variable that are not wanted and gives their places back.
    fn sweep(&mut self, bit: Bit, wanted: impl Fn(u32) -> bool) {
        let nodes = self.nodes_of(bit);
        let (kept, gone): (Vec<u32>, Vec<u32>) = nodes.iter().partition(|&&at| wanted(at));
        if gone.is_empty() {
            return;
        }
        for at in gone {
            self.release(at);
        }
        let unique = &mut self.unique[bit as usize];
        let fitting = kept.len().next_power_of_two().max(16);
        // A table shrinks only when it is far too large; otherwise it would shrink and grow in turns.
        match unique.buckets.len() > 4 * fitting {
            true => unique.buckets = vec![END; fitting],
            false => unique.buckets.fill(END),
        }
        unique.count = kept.len();
        self.relink(bit, &kept);
    }

    fn relink(&mut self, bit: Bit, nodes: &[u32]) {
        let unique = &mut self.unique[bit as usize];
        for &at in nodes {
            let BddNode { low, high, .. } = self.nodes[at as usize];
            let place = unique.place(low, high);
            self.nodes[at as usize].next = unique.buckets[place];
            unique.buckets[place] = at;
        }
    }

    /// The nodes of a variable.
    pub(super) fn nodes_of(&self, bit: Bit) -> Vec<u32> {
        let unique = &self.unique[bit as usize];
        let mut nodes = Vec::with_capacity(unique.count);
        for &first in &unique.buckets {
            let mut at = first;
            while at != END {
                nodes.push(at);
                at = self.nodes[at as usize].next;
            }
        }
        nodes
    }

    /// Gives back the places of all nodes that no handle leads to.
    pub(super) fn collect(&mut self, cache: &mut Cache) {
        let mut reached = vec![false; self.nodes.len()];
        reached[0] = true;
        let mut open = Vec::new();
        for at in 0..self.nodes.len() {
            // Free places have no handles, so none of them is reached.
            if self.outside[at] > 0 && !reached[at] {
                reached[at] = true;
                open.push(at);
                while let Some(at) = open.pop() {
                    let BddNode { low, high, .. } = self.nodes[at];
                    for end in [low.node(), high.node()] {
                        if !reached[end] {
                            reached[end] = true;
                            open.push(end);
                        }
                    }
                }
            }
        }
        for bit in 0..self.unique.len() {
            self.sweep(bit as Bit, |at| reached[at as usize]);
        }
        // Results about nodes that are gone must be forgotten before their places are used again.
        cache.keep(|edge| reached[edge.node()]);
    }

    /// How many nodes a function has.
    pub(super) fn size(&self, edge: BddEdge) -> usize {
        let mut seen = vec![0u64; self.nodes.len() / 64 + 1];
        let mut is_new = |node: usize| {
            let bit = 1 << (node % 64);
            let new = seen[node / 64] & bit == 0;
            seen[node / 64] |= bit;
            new
        };
        let mut open = vec![edge.node()];
        is_new(edge.node());
        let mut count = 0;
        while let Some(at) = open.pop() {
            count += 1;
            let BddNode { low, high, .. } = self.nodes[at];
            open.extend(
                [low.node(), high.node()]
                    .into_iter()
                    .filter(|&end| is_new(end)),
            );
        }
        count
    }
}
