//! The product of a tagged graph with the number of marks passed, in which the search takes place.

use wherefore_model::lts::LabelId;

use super::SearchMark;
use crate::tagged::{NeighbourhoodKind, NodeId, Tagged};

/// A node and how many marks were passed on the way to it, as one number.
pub(super) type MarkedNode = u32;

/// The graph times the number of marks passed.
pub(super) struct MarkedSpace<'g, 'a> {
    pub(super) graph: &'g Tagged<'a>,
    pub(super) marks: &'g [SearchMark],
}

impl MarkedSpace<'_, '_> {
    pub(super) fn width(&self) -> usize {
        self.marks.len() + 1
    }

    pub(super) fn keys(&self) -> usize {
        self.graph.nodes().len().saturating_mul(self.width())
    }

    pub(super) fn key(&self, node: NodeId, passed: usize) -> MarkedNode {
        (node.index() * self.width() + passed) as MarkedNode
    }

    #[inline]
    pub(super) fn node(&self, key: MarkedNode) -> NodeId {
        NodeId::new(key as usize / self.width())
    }

    #[inline]
    pub(super) fn passed(&self, key: MarkedNode) -> usize {
        key as usize % self.width()
    }

    /// Whether the way with this key so far ends at a neighbourhood that is wanted.
    pub(super) fn is_at(
        &self,
        key: MarkedNode,
        wanted: impl Fn(NeighbourhoodKind) -> bool,
    ) -> bool {
        self.graph.kind(self.node(key)).is_some_and(wanted)
    }

    pub(super) fn start(&self, initial: NodeId) -> MarkedNode {
        self.key(initial, usize::from(self.stands_at(0, initial)))
    }

    pub(super) fn stands_at(&self, mark: usize, node: NodeId) -> bool {
        match self.marks.get(mark) {
            Some(SearchMark::State(state)) => self.graph.pair(node).state == *state,
            _ => false,
        }
    }

    #[inline]
    pub(super) fn after(&self, passed: usize, label: LabelId, to: NodeId) -> MarkedNode {
        let passes = match self.marks.get(passed) {
            None => false,
            Some(SearchMark::Action(labels)) => labels.contains(label),
            Some(SearchMark::State(_)) => self.stands_at(passed, to),
        };
        self.key(to, passed + usize::from(passes))
    }

    /// What follows, by label and then by the state of the system.
    #[inline]
    pub(super) fn next(&self, key: MarkedNode) -> impl Iterator<Item = (LabelId, MarkedNode)> + '_ {
        let passed = self.passed(key);
        let moves = self.graph.moves(self.node(key));
        moves.map(move |(label, to)| (label, self.after(passed, label, to)))
    }

    /// What follows with a label, by the state of the system.
    pub(super) fn next_with(
        &self,
        key: MarkedNode,
        label: LabelId,
    ) -> impl Iterator<Item = MarkedNode> + '_ {
        let passed = self.passed(key);
        let moves = self.graph.moves_with(self.node(key), label);
        moves.map(move |to| self.after(passed, label, to))
    }
}
