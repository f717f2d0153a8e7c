//! The course that goes through given states of the system.

use wherefore_base::{Budget, Run};
use wherefore_model::lts::StateId;

use crate::course::Course;
use crate::lasso::close;
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

/// The course of a run, with the first label of those that a step may have; `None` if the property is kept on the way.
///
/// What is watched may not be the same when the run comes round the first time: it is gone round until it is.
pub fn through(graph: &Tagged<'_>, run: &EndlessRun, budget: &Budget) -> Run<Option<Course>> {
    let (Some(node), Some(first)) = (graph.initial(), run.states.first()) else {
        return Ok(None);
    };
    let turn = run.states.get(run.back..).filter(|turn| !turn.is_empty());
    let Some(turn) = turn.filter(|_| graph.pair(node).state == *first) else {
        return Ok(None);
    };
    let mut course = Course::new(vec![node], Vec::new());
    if !follow(graph, &mut course, &run.states[1..=run.back]) {
        return Ok(None);
    }
    let turn = [&turn[1..], &turn[..1]].concat();
    let closed = close(graph, &mut course, &turn, budget)?;
    Ok(closed.then_some(course))
}

/// Takes a course on through states, with the first label that each step may have; whether the property can still be
/// broken all the way.
pub(crate) fn follow(graph: &Tagged<'_>, course: &mut Course, states: &[StateId]) -> bool {
    for state in states {
        let here = *course.nodes.last().expect("a course has a node");
        let step = graph.steps(here).find_map(|step| match step.to {
            TagTarget::Node(to) if graph.pair(to).state == *state => Some((step.label, to)),
            _ => None,
        });
        let Some((label, to)) = step else {
            return false;
        };
        course.labels.push(label);
        course.nodes.push(to);
    }
    true
}
