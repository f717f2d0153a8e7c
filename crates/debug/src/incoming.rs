//! The steps into chosen nodes of a tagged graph.

use wherefore_base::{Budget, Run};
use wherefore_model::lts::LabelId;

use crate::tagged::{NodeId, Tagged};

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
    starts: Vec<u64>,
    steps: Vec<StepIn>,
}

impl Incoming {
    /// Collects the steps into the nodes that `wanted` likes, in two walks over the graph.
    pub fn of(graph: &Tagged<'_>, wanted: impl Fn(NodeId) -> bool, budget: &Budget) -> Run<Self> {
        let mut meter = budget.meter();
        let mut starts = vec![0u64; graph.nodes().len() + 1];
        for node in graph.nodes() {
            meter.tick()?;
            for (_, to) in graph.moves(node) {
                starts[to.index() + 1] += u64::from(wanted(to));
            }
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let unset = StepIn {
            from: NodeId::new(0),
            label: LabelId::new(0),
        };
        let mut steps = vec![unset; starts[starts.len() - 1] as usize];
        let mut at = starts.clone();
        for from in graph.nodes() {
            meter.tick()?;
            for (label, to) in graph.moves(from) {
                if wanted(to) {
                    let place = &mut at[to.index()];
                    steps[*place as usize] = StepIn { from, label };
                    *place += 1;
                }
            }
        }
        Ok(Self { starts, steps })
    }

    /// The steps into a chosen node, by source and label; none into others.
    pub fn steps(&self, node: NodeId) -> &[StepIn] {
        let node = node.index();
        &self.steps[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}
