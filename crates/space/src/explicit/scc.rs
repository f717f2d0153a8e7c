//! Strongly connected components, and fair ones among them.
//!
//! Components come from Tarjan's algorithm (1972) without recursion. A component meets compassion
//! if a part of it does: states that satisfy a `p` whose `q` is not in the component cannot recur
//! fairly, so they are taken out and the rest is decomposed again (emptiness of Streett automata,
//! as in Lichtenstein and Pnueli 1985).
//!
//! The search is written out here, beside the one of `base`: it is where an exploration spends its time, its rows
//! are plain slices, and decomposing part after part uses the same storage again.

use fixedbitset::FixedBitSet;
use wherefore_base::{Budget, Meter, Run};
use wherefore_logic::Fairness;

use super::graph::AdjacencyRows;

/// The nodes of `stay` that lie in a fair strongly connected part within `stay`, of a graph that is not
/// the one of a model: the successors of node `n` are `items[starts[n]..starts[n + 1]]`, ascending, each
/// once.
///
/// A node has a fair infinite path within `stay` exactly when a path within `stay` leads from it to one of
/// these.
pub fn fair_part(
    starts: Vec<u32>,
    items: Vec<u32>,
    stay: &FixedBitSet,
    fairness: &Fairness<FixedBitSet>,
    budget: &Budget,
) -> Run<FixedBitSet> {
    let graph = AdjacencyRows::new(starts, items);
    fair_nodes(&graph, stay, fairness, &mut budget.meter())
}

/// The nodes of `stay` that lie in a fair strongly connected part of the graph within `stay`.
pub(super) fn fair_nodes(
    graph: &AdjacencyRows,
    stay: &FixedBitSet,
    fairness: &Fairness<FixedBitSet>,
    meter: &mut Meter,
) -> Run<FixedBitSet> {
    let mut fair = FixedBitSet::with_capacity(graph.len());
    let mut components = Components::new(graph);
    let mut open = vec![stay.ones().map(|node| node as u32).collect::<Vec<_>>()];
    while let Some(nodes) = open.pop() {
        for component in components.of(&nodes, meter)? {
            let meets = |set: &FixedBitSet| component.iter().any(|&n| set.contains(n as usize));
            // No part of a component that misses a justice condition can meet it.
            if !fairness.justice.iter().all(meets) {
                continue;
            }
            let pairs = fairness.compassion.iter();
            let broken: Vec<&FixedBitSet> = pairs
                .filter(|(p, q)| meets(p) && !meets(q))
                .map(|(p, _)| p)
                .collect();
            if broken.is_empty() {
                fair.extend(component.iter().map(|&node| node as usize));
            } else {
                let rest = component.into_iter();
                let rest = rest.filter(|&n| !broken.iter().any(|p| p.contains(n as usize)));
                open.push(rest.collect());
            }
        }
    }
    Ok(fair)
}

const UNSEEN: u32 = u32::MAX;
const OUTSIDE: u32 = u32::MAX - 1;

/// Finds the components of parts of one graph, with storage that is used again.
struct Components<'g> {
    graph: &'g AdjacencyRows,
    /// For each node when it was seen first, or that it is unseen, or outside the part asked for
    /// (or done with, which is the same).
    seen: Vec<u32>,
    /// For each node seen, the earliest node on the stack that it is known to reach.
    low: Vec<u32>,
}

impl<'g> Components<'g> {
    fn new(graph: &'g AdjacencyRows) -> Self {
        Self {
            graph,
            seen: vec![OUTSIDE; graph.len()],
            low: vec![0; graph.len()],
        }
    }

    /// The components of the graph on these nodes that have an edge within.
    fn of(&mut self, nodes: &[u32], meter: &mut Meter) -> Run<Vec<Vec<u32>>> {
        // Earlier calls left every node outside, so the search stays within these.
        for &node in nodes {
            self.seen[node as usize] = UNSEEN;
        }
        let mut components = Vec::new();
        let mut stack: Vec<u32> = Vec::new();
        let mut path: Vec<(u32, u32)> = Vec::new();
        let mut clock = 0;
        for &root in nodes {
            if self.seen[root as usize] != UNSEEN {
                continue;
            }
            self.enter(root, &mut clock, &mut stack, &mut path);
            while let Some((node, edge)) = path.last_mut() {
                meter.tick()?;
                let at = *node as usize;
                if let Some(&to) = self.graph.row(*node).get(*edge as usize) {
                    *edge += 1;
                    match self.seen[to as usize] {
                        OUTSIDE => {}
                        UNSEEN => self.enter(to, &mut clock, &mut stack, &mut path),
                        // The node is on the stack: those of finished components are outside.
                        seen => self.low[at] = self.low[at].min(seen),
                    }
                    continue;
                }
                path.pop();
                if let Some((parent, _)) = path.last() {
                    let parent = *parent as usize;
                    self.low[parent] = self.low[parent].min(self.low[at]);
                }
                if self.low[at] == self.seen[at] {
                    // The search passes nodes of this component only, and each of them leaves the
                    // stack below.
                    let start = stack.iter().rposition(|&n| n as usize == at);
                    let start = start.expect("the root of a component is on the stack");
                    let loops = self
                        .graph
                        .row(stack[start])
                        .binary_search(&stack[start])
                        .is_ok();
                    for &node in &stack[start..] {
                        self.seen[node as usize] = OUTSIDE;
                    }
                    // A single node has an edge within only where it leads to itself.
                    if stack.len() - start > 1 || loops {
                        components.push(stack.split_off(start));
                    } else {
                        stack.truncate(start);
                    }
                }
            }
        }
        Ok(components)
    }

    fn enter(
        &mut self,
        node: u32,
        clock: &mut u32,
        stack: &mut Vec<u32>,
        path: &mut Vec<(u32, u32)>,
    ) {
        self.seen[node as usize] = *clock;
        self.low[node as usize] = *clock;
        *clock += 1;
        stack.push(node);
        path.push((node, 0));
    }
}
