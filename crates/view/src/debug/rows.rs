//! A course as it is told: the steps that matter, the neighbourhoods between them, and `...` for the
//! rest.

use wherefore_debug::{Course, Kind, NodeId, Tag, Tagged, Target};
use wherefore_model::lts::LabelId;

/// A line of the table of a course.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Row {
    /// So many steps that enter and leave no neighbourhood.
    Dropped(usize),
    /// A step: its number from 1, its label and its tag.
    Step(usize, LabelId, Tag),
    /// A neighbourhood that the course comes to.
    Place(NodeId, Kind),
}

/// The rows of a course of which the steps at neighbourhoods that `wanted` likes are kept. A course that
/// comes to none is told whole.
pub(crate) fn rows(
    graph: &Tagged<'_>,
    course: &Course,
    wanted: &dyn Fn(NodeId, Kind) -> bool,
) -> Vec<Row> {
    let place = |node: NodeId| graph.kind(node).filter(|&kind| wanted(node, kind));
    let any = course.nodes.iter().any(|&node| place(node).is_some());
    let mut rows = Vec::new();
    let mut dropped = 0;
    for (at, &node) in course.nodes.iter().enumerate() {
        if at > 0 {
            let before = course.nodes[at - 1];
            if !any || place(before).is_some() || place(node).is_some() {
                if dropped > 0 {
                    rows.push(Row::Dropped(std::mem::take(&mut dropped)));
                }
                let label = course.labels[at - 1];
                rows.push(Row::Step(at, label, tag(graph, before, label, node)));
            } else {
                dropped += 1;
            }
        }
        if let Some(kind) = place(node) {
            rows.push(Row::Place(node, kind));
        }
    }
    if dropped > 0 {
        rows.push(Row::Dropped(dropped));
    }
    rows
}

/// The tag of a step between two nodes.
pub(crate) fn tag(graph: &Tagged<'_>, from: NodeId, label: LabelId, to: NodeId) -> Tag {
    let mut steps = graph.steps(from);
    let step = steps.find(|step| step.label == label && step.to == Target::Node(to));
    step.map_or(Tag::Neutral, |step| step.tag)
}
