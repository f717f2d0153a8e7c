//! A course as it is told: the steps that matter, the neighbourhoods between them, and `...` for the
//! rest.

use wherefore_model::lts::LabelId;
use wherefore_tagged::{Course, NeighbourhoodKind, NodeId, TagTarget, Tagged, ZoneTag};

use super::Story;

/// A line of the table of a course.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CourseRow {
    /// So many steps that enter and leave no neighbourhood.
    Dropped(usize),
    /// A step: its number from 1, its label and its tag.
    Step(usize, LabelId, ZoneTag),
    /// A neighbourhood that the course comes to.
    Place(NodeId, NeighbourhoodKind),
}

/// The rows of a course: the steps that are kept, and the neighbourhoods that are looked at.
pub(crate) fn rows(story: &Story<'_>, course: &Course) -> Vec<CourseRow> {
    let graph = story.graph();
    let kept = story.kept(course);
    let mut rows = Vec::new();
    let mut dropped = 0;
    for (at, &node) in course.nodes.iter().enumerate() {
        if at > 0 && kept[at - 1] {
            if dropped > 0 {
                rows.push(CourseRow::Dropped(std::mem::take(&mut dropped)));
            }
            let (before, label) = (course.nodes[at - 1], course.labels[at - 1]);
            rows.push(CourseRow::Step(at, label, tag(graph, before, label, node)));
        } else if at > 0 {
            dropped += 1;
        }
        if let Some(kind) = graph.kind(node).filter(|&kind| story.wants(kind)) {
            rows.push(CourseRow::Place(node, kind));
        }
    }
    if dropped > 0 {
        rows.push(CourseRow::Dropped(dropped));
    }
    rows
}

/// The tag of a step between two nodes.
pub(crate) fn tag(graph: &Tagged<'_>, from: NodeId, label: LabelId, to: NodeId) -> ZoneTag {
    let mut steps = graph.steps(from);
    let step = steps.find(|step| step.label == label && step.to == TagTarget::Node(to));
    step.map_or(ZoneTag::Neutral, |step| step.tag)
}
