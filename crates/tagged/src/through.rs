//! The course that goes through given states of the system.

use wherefore_model::lts::StateId;

use crate::course::{Course, CourseEnding};
use crate::tagged::{TagTarget, Tagged};

/// A run of the system that goes round for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndlessRun {
    /// Its states, the first one that the system starts in.
    pub states: Vec<StateId>,
    /// After the last state comes the one at this position again.
    pub back: usize,
    /// Whether no counterexample is shorter.
    pub proved: bool,
}

/// The course of a run, with the first label of those that a step may have; `None` if the property is kept on the way, or
/// what is watched is not the same when the run comes round.
pub fn through(graph: &Tagged<'_>, run: &EndlessRun) -> Option<Course> {
    let mut node = graph.initial()?;
    if graph.pair(node).state != *run.states.first()? {
        return None;
    }
    let (mut nodes, mut labels) = (vec![node], Vec::new());
    let again = run.states.get(run.back)?;
    for state in run.states[1..].iter().chain([again]) {
        let (label, to) = graph.steps(node).find_map(|step| match step.to {
            TagTarget::Node(to) if graph.pair(to).state == *state => Some((step.label, to)),
            _ => None,
        })?;
        node = to;
        nodes.push(to);
        labels.push(label);
    }
    let closed = nodes[run.back] == node;
    closed.then_some(Course {
        nodes,
        labels,
        ending: CourseEnding::Loop(run.back),
    })
}
