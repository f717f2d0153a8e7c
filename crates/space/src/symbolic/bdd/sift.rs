//! Another order of the variables, found by moving each through all places (Rudell 1993).
//!
//! Neighbours are exchanged in place: a node that both variables matter to gets new ends and keeps
//! its number, so functions and handles stay what they are. Variables move in groups that stay
//! together, as the bit of the present state and that of the next (Panda and Somenzi 1995).

use wherefore_base::Budget;

use super::BddHalt;
use super::apply::BddCore;
use super::table::{BddEdge, BddNode, Bit, UniqueTable};

/// A direction is given up when there are more nodes than this many tenths of the fewest.
const GROWTH: usize = 12;

/// Which variables stay together, each in its order from the top down.
pub(super) type Groups = Vec<Vec<Bit>>;

impl BddCore {
    /// Moves each group of variables to where there are fewest nodes, those with most nodes first,
    /// until all have a place or this many nodes were looked at; how many that were.
    ///
    /// There must be no garbage. What was remembered is forgotten.
    pub(super) fn sift(&mut self, groups: &[Vec<Bit>], patience: u64) -> Result<u64, BddHalt> {
        // Sifting frees nodes and uses their places again, so old results could come to mean other
        // functions.
        self.cache.clear();
        let mut sifting = Sifting::new(&mut self.table, groups, &self.budget);
        let mut by_size: Vec<usize> = (0..groups.len()).collect();
        by_size.sort_by_key(|&group| std::cmp::Reverse(sifting.size(group)));
        for group in by_size {
            if sifting.looked_at > patience {
                break;
            }
            self.budget.check()?;
            let before = sifting.looked_at;
            sifting.place(group, patience);
            self.budget.worked(sifting.looked_at - before);
        }
        Ok(sifting.looked_at)
    }
}

/// The state of a search.
struct Sifting<'a> {
    table: &'a mut UniqueTable,
    budget: &'a Budget,
    groups: &'a [Vec<Bit>],
    /// The group at each place, top first.
    places: Vec<usize>,
    /// How many nodes and handles lead to each node.
    references: Vec<u32>,
    /// Nodes that are about to change, and those that may go.
    taken: Vec<u32>,
    open: Vec<usize>,
    /// How many nodes were looked at so far.
    looked_at: u64,
}

impl<'a> Sifting<'a> {
    fn new(table: &'a mut UniqueTable, groups: &'a [Vec<Bit>], budget: &'a Budget) -> Self {
        // The counts are exact because there is no garbage: a dead node would keep its ends alive.
        let mut references = table.outside.clone();
        for bit in 0..table.unique.len() {
            for at in table.nodes_of(bit as Bit) {
                let BddNode { low, high, .. } = table.nodes[at as usize];
                references[low.node()] += 1;
                references[high.node()] += 1;
            }
        }
        let mut places: Vec<usize> = (0..groups.len()).collect();
        // A group stands together in the order, so its first variable gives its place.
        places.sort_by_key(|&group| groups[group].first().map(|&bit| table.levels[bit as usize]));
        Self {
            table,
            budget,
            groups,
            places,
            references,
            taken: Vec::new(),
            open: Vec::new(),
            looked_at: 0,
        }
    }

    /// How many nodes ask the variables of a group.
    fn size(&self, group: usize) -> usize {
        let counts = self.groups[group].iter();
        counts
            .map(|&bit| self.table.unique[bit as usize].count)
            .sum()
    }

    /// How many nodes may go at best when the group at a place moves on to an end: on the way down
    /// those below, on the way up those above and its own.
    fn hope(&self, place: usize, down: bool) -> usize {
        let ahead = match down {
            true => &self.places[place + 1..],
            false => &self.places[..=place],
        };
        ahead.iter().map(|&group| self.size(group)).sum()
    }

    /// Moves a group to the best place that is found in time.
    fn place(&mut self, group: usize, patience: u64) {
        let start = self.places.iter().position(|&g| g == group);
        let start = start.expect("every group has a place");
        let last = self.places.len() - 1;
        let mut best = (self.table.used, start);
        let mut now = start;
        // The nearer end first: what follows passes the start again.
        let down_first = last - start <= start;
        for down in [down_first, !down_first] {
            loop {
                let end = if down { last } else { 0 };
                let grown = self.table.used * 10 > best.0 * GROWTH;
                let late = self.looked_at > patience || self.budget.check().is_err();
                if now == end || grown || late {
                    break;
                }
                // Even if all nodes ahead went, the best so far would not be beaten.
                if self.table.used.saturating_sub(self.hope(now, down)) >= best.0 {
                    break;
                }
                if !self.exchange(if down { now } else { now - 1 }) {
                    break;
                }
                now = if down { now + 1 } else { now - 1 };
                if self.table.used < best.0 {
                    best = (self.table.used, now);
                }
            }
            // Back to where both directions are open again.
            let back = if down == down_first { start } else { best.1 };
            now = self.go(now, back);
        }
    }

    /// Moves the group at a place to another; where that ends.
    fn go(&mut self, mut from: usize, to: usize) -> usize {
        while from != to {
            let down = to > from;
            if !self.exchange(if down { from } else { from - 1 }) {
                break;
            }
            from = if down { from + 1 } else { from - 1 };
        }
        from
    }

    /// Exchanges the group at a place with the one below; whether there was memory for that.
    fn exchange(&mut self, place: usize) -> bool {
        let groups = self.groups;
        let (upper, lower) = (&groups[self.places[place]], &groups[self.places[place + 1]]);
        // An exchange of neighbours makes at most two new nodes of each old one. This bounds the
        // new nodes of all exchanges, so `insert_new` may rely on the room.
        let most = self.size(self.places[place]) << (1 + lower.len());
        if most > self.table.room() {
            return false;
        }
        // The lowest variable goes down first, so both groups keep their inner order.
        for &bit in upper.iter().rev() {
            for _ in lower {
                let level = self.table.levels[bit as usize];
                self.swap(level);
            }
        }
        self.places.swap(place, place + 1);
        true
    }

    /// Exchanges the variable at a level with the one below.
    fn swap(&mut self, level: u32) {
        let at = level as usize;
        let (upper, lower) = (self.table.order[at], self.table.order[at + 1]);
        let mut both = std::mem::take(&mut self.taken);
        self.looked_at += self.table.unique[upper as usize].count as u64;
        // Other nodes of the upper variable do not ask the lower one and stay as they are, one level down.
        self.table.detach(upper, lower, &mut both);
        self.looked_at += 4 * both.len() as u64;
        for &at in &both {
            let BddNode { low, high, .. } = self.table.nodes[at as usize];
            let ends = |edge: BddEdge| match self.table.nodes[edge.node()].bit == lower {
                true => self.table.ends(edge),
                false => (edge, edge),
            };
            let ((low_low, low_high), (high_low, high_high)) = (ends(low), ends(high));
            let new_low = self.make(upper, low_low, high_low);
            let new_high = self.make(upper, low_high, high_high);
            // `high` is plain and so is its high end, so the node keeps its number and its sign.
            debug_assert!(
                !new_high.is_complement(),
                "high ends of high ends are plain"
            );
            let node = &mut self.table.nodes[at as usize];
            (node.bit, node.low, node.high) = (lower, new_low, new_high);
            // No equal node exists: it would have been the same function before the exchange.
            self.table.link(at);
            // The old ends go last, since the new ones may share their nodes.
            self.drop(low);
            self.drop(high);
        }
        both.clear();
        self.taken = both;
        self.table.order.swap(at, at + 1);
        self.table.levels[upper as usize] = level + 1;
        self.table.levels[lower as usize] = level;
    }

    /// A node, with one more reference.
    fn make(&mut self, bit: Bit, low: BddEdge, high: BddEdge) -> BddEdge {
        if low == high {
            self.references[low.node()] += 1;
            return low;
        }
        let flag = high.is_complement();
        let (low, high) = (low.not_if(flag), high.not_if(flag));
        let at = match self.table.find(bit, low, high) {
            Some(at) => at,
            None => {
                let at = self.table.insert_new(bit, low, high);
                if at as usize >= self.references.len() {
                    self.references.push(0);
                }
                self.references[at as usize] = 0;
                self.references[low.node()] += 1;
                self.references[high.node()] += 1;
                at
            }
        };
        self.references[at as usize] += 1;
        BddEdge::to(at).not_if(flag)
    }

    /// Takes a reference away, and nodes that have none left.
    fn drop(&mut self, edge: BddEdge) {
        if self.references[edge.node()] > 1 {
            self.references[edge.node()] -= 1;
            return;
        }
        self.open.push(edge.node());
        while let Some(at) = self.open.pop() {
            self.references[at] -= 1;
            // The constant has a handle of its own from the beginning, so it is never released.
            if self.references[at] == 0 {
                let BddNode { low, high, .. } = self.table.nodes[at];
                self.table.unlink(at as u32);
                self.table.release(at as u32);
                self.open.extend([low.node(), high.node()]);
            }
        }
    }
}
