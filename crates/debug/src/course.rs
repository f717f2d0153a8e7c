//! A course: one run through a tagged graph, and what is kept of it.

use wherefore_model::lts::LabelId;

use crate::tagged::{Kind, NodeId, Tagged};

/// A run from the initial node of a [`Tagged`] graph: `nodes[0] --labels[0]--> nodes[1] ...`
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Course {
    /// The nodes, one more than labels.
    pub nodes: Vec<NodeId>,
    /// The labels of its steps.
    pub labels: Vec<LabelId>,
}

impl Course {
    /// How many steps it has.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether it has no step.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Which steps are kept when only those at neighbourhoods that `wanted` likes are: those that enter
    /// or leave one.
    pub fn kept(&self, graph: &Tagged<'_>, wanted: impl Fn(Kind) -> bool) -> Vec<bool> {
        let at = |node: NodeId| graph.kind(node).is_some_and(&wanted);
        let ends = self.nodes.windows(2);
        ends.map(|ends| at(ends[0]) || at(ends[1])).collect()
    }
}
