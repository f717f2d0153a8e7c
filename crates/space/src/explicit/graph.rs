//! A graph in compressed sparse rows.

use wherefore_base::{Meter, Run};

/// `row(i)` lists the neighbours of node `i`, ascending, each once.
#[derive(Clone, Debug)]
pub(super) struct AdjacencyRows {
    /// Where each row starts, and after them where the last one ends.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl AdjacencyRows {
    /// Rows from their boundaries and items.
    pub(super) fn new(starts: Vec<u32>, items: Vec<u32>) -> Self {
        Self { starts, items }
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many edges there are.
    pub(super) fn edges(&self) -> usize {
        self.items.len()
    }

    /// Where the row of a node starts among the edges.
    pub(super) fn start(&self, node: u32) -> usize {
        self.starts[node as usize] as usize
    }

    /// The neighbours of a node.
    #[inline]
    pub(super) fn row(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.items[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// The same graph when node `i` is called `names[i]`; `names` is a permutation.
    pub(super) fn renamed(&self, names: &[u32], meter: &mut Meter) -> Run<Self> {
        let mut old = vec![0u32; names.len()];
        for (node, &name) in names.iter().enumerate() {
            old[name as usize] = node as u32;
        }
        let mut starts = Vec::with_capacity(self.starts.len());
        let mut items = Vec::with_capacity(self.items.len());
        starts.push(0);
        for &node in &old {
            meter.tick()?;
            let start = items.len();
            items.extend(self.row(node).iter().map(|&to| names[to as usize]));
            items[start..].sort_unstable();
            starts.push(items.len() as u32);
        }
        Ok(Self { starts, items })
    }

    /// The graph with all edges turned round.
    pub(super) fn transposed(&self, meter: &mut Meter) -> Run<Self> {
        let mut starts = vec![0u32; self.starts.len()];
        for &to in &self.items {
            starts[to as usize + 1] += 1;
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut at = starts.clone();
        let mut items = vec![0u32; self.items.len()];
        for from in 0..self.len() as u32 {
            meter.tick()?;
            for &to in self.row(from) {
                // Sources come in ascending order, so every row is filled in ascending order.
                items[at[to as usize] as usize] = from;
                at[to as usize] += 1;
            }
        }
        Ok(Self { starts, items })
    }
}
