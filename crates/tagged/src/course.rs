//! A course: one run through a tagged graph, and what is kept of it.

use std::ops::Range;

use wherefore_model::lts::LabelId;

use crate::tagged::{NeighbourhoodKind, NodeId, Tagged};

/// A run from the initial node of a [`Tagged`] graph: `nodes[0] --labels[0]--> nodes[1] ...`
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Course {
    /// The nodes, one more than labels.
    pub nodes: Vec<NodeId>,
    /// The labels of its steps.
    pub labels: Vec<LabelId>,
    /// What comes after its last step.
    pub ending: CourseEnding,
}

/// What comes after the last step of a [`Course`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum CourseEnding {
    /// It has come to where it was to lead; what may follow does not matter.
    #[default]
    Reached,
    /// Nothing: the system is stuck there.
    Deadlock,
    /// The last node is this one of the course again; the run goes round for ever.
    Loop(usize),
}

/// A piece of an abstracted course.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CourseItem {
    /// The step with this index is kept.
    Kept(usize),
    /// These steps, at least one, are dropped.
    Dropped(Range<usize>),
}

impl Course {
    /// A course that ends where it was to lead.
    pub fn new(nodes: Vec<NodeId>, labels: Vec<LabelId>) -> Self {
        Self {
            nodes,
            labels,
            ending: CourseEnding::Reached,
        }
    }

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
    pub fn kept(
        &self,
        graph: &Tagged<'_>,
        wanted: impl Fn(NeighbourhoodKind) -> bool,
    ) -> Vec<bool> {
        let at = |node: NodeId| graph.kind(node).is_some_and(&wanted);
        let ends = self.nodes.windows(2);
        ends.map(|ends| at(ends[0]) || at(ends[1])).collect()
    }

    /// The course with runs of dropped steps put together.
    pub fn abstracted(
        &self,
        graph: &Tagged<'_>,
        wanted: impl Fn(NeighbourhoodKind) -> bool,
    ) -> Vec<CourseItem> {
        let mut items: Vec<CourseItem> = Vec::new();
        for (index, kept) in self.kept(graph, wanted).into_iter().enumerate() {
            match items.last_mut() {
                _ if kept => items.push(CourseItem::Kept(index)),
                Some(CourseItem::Dropped(range)) => range.end = index + 1,
                _ => items.push(CourseItem::Dropped(index..index + 1)),
            }
        }
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{system, tagged};
    use crate::tagged::TagReading;

    #[test]
    fn steps_away_from_neighbourhoods_are_dropped_together() {
        let lts = system(
            8,
            &[
                (0, "a", 1),
                (1, "b", 2),
                (2, "c", 3),
                (3, "d", 4),
                (3, "ok", 7),
                (4, "e", 5),
                (5, "BAD", 6),
            ],
        );
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        let labels = ["a", "b", "c", "d", "e", "BAD"].map(|text| lts.label(text).expect("it is"));
        let course = Course::new(graph.nodes().collect(), labels.to_vec());
        let items = course.abstracted(&graph, |_| true);
        let expected = [
            CourseItem::Dropped(0..2),
            CourseItem::Kept(2),
            CourseItem::Kept(3),
            CourseItem::Dropped(4..6),
        ];
        assert_eq!(items, expected);
        assert_eq!(
            course.abstracted(&graph, |kind| kind != NeighbourhoodKind::Ci),
            [CourseItem::Dropped(0..6)]
        );
    }
}
