//! The steps into chosen nodes of a tagged graph.

use wherefore_base::{Budget, Run, Stop};
use wherefore_model::lts::LabelId;

use crate::tagged::{NodeId, Tagged, Zone};

/// A step of a [`Tagged`] graph without its target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StepIn {
    /// The node it leaves.
    pub from: NodeId,
    /// Its name.
    pub label: LabelId,
}

/// The steps into chosen nodes, found from there.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// Where the steps into each node start, and after them where the last ones end.
    starts: Vec<u32>,
    steps: Vec<StepIn>,
}

impl Incoming {
    /// Collects the steps into the nodes that `wanted` likes, in two walks over the graph, or over its
    /// open zone when only open nodes are wanted.
    pub fn of(graph: &Tagged<'_>, wanted: impl Fn(NodeId) -> bool, budget: &Budget) -> Run<Self> {
        let mut meter = budget.meter();
        let is_bad = |node: NodeId| graph.zone(node) == Zone::Bad;
        let wanted: Vec<bool> = graph.nodes().map(wanted).collect();
        // What follows a bad node is bad.
        let all = graph
            .nodes()
            .any(|node| wanted[node.index()] && is_bad(node));
        let sources = || graph.nodes().filter(|&node| all || !is_bad(node));
        let mut starts = vec![0u32; wanted.len() + 1];
        let mut count = 0usize;
        for node in sources() {
            meter.tick()?;
            graph.each_move(node, |_, to| {
                if wanted[to.index()] {
                    starts[to.index() + 1] += 1;
                    count += 1;
                }
            });
        }
        if u32::try_from(count).is_err() {
            return Err(Stop::Memory);
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let unset = StepIn {
            from: NodeId::new(0),
            label: LabelId::new(0),
        };
        let mut steps = vec![unset; count];
        // Each start moves to the next one while the steps are put into their places.
        for from in sources() {
            meter.tick()?;
            graph.each_move(from, |label, to| {
                if wanted[to.index()] {
                    let place = &mut starts[to.index()];
                    steps[*place as usize] = StepIn { from, label };
                    *place += 1;
                }
            });
        }
        starts.rotate_right(1);
        starts[0] = 0;
        Ok(Self { starts, steps })
    }

    /// The steps into a chosen node, by source and label; none into others.
    pub fn steps(&self, node: NodeId) -> &[StepIn] {
        let node = node.index();
        &self.steps[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}
