//! Maximal runs: how a run on which something never happens goes on for ever, or comes to an end.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Run};
use wherefore_model::lts::LabelId;

use crate::course::{Course, CourseEnding};
use crate::lasso::{completed_fairly, completed_refuting};
use crate::monitor::Monitor;
use crate::tagged::{NodeId, Tagged};

/// How many steps are looked at in the search of shorter loops, besides twice those of the graph. A
/// count, so that the answer is always the same.
const EFFORT: usize = 1 << 22;

/// The course, then on from its end to a deadlock or round a loop with as few steps as can be found: from
/// its end to the loop and once round it. Every node of the graph must have a maximal run within the
/// graph.
///
/// A deadlock is the nearest one. Loops are looked for through the nearest nodes first, and no further
/// once none can be shorter; on large graphs without short loops the search may end before, with a loop
/// that need not be the shortest. Whether it is known to be comes with the course.
pub(crate) fn completed(
    graph: &Tagged<'_>,
    mut course: Course,
    budget: &Budget,
) -> Run<(Course, bool)> {
    if let Monitor::Linear(monitor) = graph.monitor() {
        return Ok((completed_refuting(graph, monitor, course, budget)?, false));
    }
    if !graph.is_plain() {
        return Ok((completed_fairly(graph, course, budget)?, false));
    }
    let start = *course.nodes.last().expect("a course has a node");
    let tree = DistanceTree::grow(graph, start, |node| is_deadlock(graph, node), budget)?;
    let mut best = tree.first_end(graph, budget)?;
    let shortest = tree.improve(graph, &mut best, budget)?;
    let offset = course.len();
    for (label, node) in best.steps {
        course.labels.push(label);
        course.nodes.push(node);
    }
    course.ending = match best.back {
        None => CourseEnding::Deadlock,
        Some(back) => CourseEnding::Loop(offset + back),
    };
    Ok((course, shortest))
}

/// A counterexample that begins with a course through the graph, where runs end or go round for ever.
pub fn complete(graph: &Tagged<'_>, course: Course, budget: &Budget) -> Run<Course> {
    Ok(completed(graph, course, budget)?.0)
}

/// The course, then on from its end by a shortest way to a goal. One must be reachable.
pub(crate) fn onwards(
    graph: &Tagged<'_>,
    mut course: Course,
    goal: impl Fn(NodeId) -> bool,
    budget: &Budget,
) -> Run<Course> {
    let start = *course.nodes.last().expect("a course has a node");
    let tree = DistanceTree::grow(graph, start, goal, budget)?;
    let end = *tree.order.last().expect("it has its start");
    for (label, node) in tree.way(end) {
        course.labels.push(label);
        course.nodes.push(node);
    }
    Ok(course)
}

/// Whether the system is stuck at a node.
pub(crate) fn is_deadlock(graph: &Tagged<'_>, node: NodeId) -> bool {
    graph.lts().steps(graph.pair(node).state).is_empty()
}

/// A way to the end of a maximal run, with the index of the node it comes back to.
struct MaximalEnd {
    steps: Vec<(LabelId, NodeId)>,
    back: Option<usize>,
}

/// The nodes by their distance from a start, each with the step that found it.
struct DistanceTree {
    start: NodeId,
    order: Vec<NodeId>,
    found: FxHashMap<NodeId, MaximalRun>,
}

#[derive(Clone, Copy)]
struct MaximalRun {
    distance: u32,
    by: Option<(NodeId, LabelId)>,
}

impl DistanceTree {
    /// All nodes up to the first goal, or all.
    fn grow(
        graph: &Tagged<'_>,
        start: NodeId,
        goal: impl Fn(NodeId) -> bool,
        budget: &Budget,
    ) -> Run<Self> {
        let mut meter = budget.meter();
        let mut tree = Self {
            start,
            order: vec![start],
            found: FxHashMap::default(),
        };
        let first = MaximalRun {
            distance: 0,
            by: None,
        };
        tree.found.insert(start, first);
        let mut next = 0;
        while next < tree.order.len() {
            meter.tick()?;
            let node = tree.order[next];
            if goal(node) {
                break;
            }
            let distance = tree.found[&node].distance + 1;
            for (label, to) in graph.moves(node) {
                tree.found.entry(to).or_insert_with(|| {
                    tree.order.push(to);
                    let by = Some((node, label));
                    MaximalRun { distance, by }
                });
            }
            next += 1;
        }
        // The goal is the last node of the tree: what was found beyond it is as far away at least.
        tree.order.truncate(next + 1);
        Ok(tree)
    }

    /// The nearest deadlock, or a loop that the tree shows.
    fn first_end(&self, graph: &Tagged<'_>, budget: &Budget) -> Run<MaximalEnd> {
        let last = *self.order.last().expect("it has its start");
        let mut best = is_deadlock(graph, last).then(|| MaximalEnd {
            steps: self.way(last),
            back: None,
        });
        let mut meter = budget.meter();
        for &node in &self.order {
            meter.tick()?;
            let length = self.found[&node].distance as usize + 1;
            // Nodes come in the order of their distance, so no later one gives a shorter end.
            if best.as_ref().is_some_and(|end| end.steps.len() <= length) {
                break;
            }
            for (label, to) in graph.moves(node) {
                // A step to a node on the way here closes a loop.
                if let Some(back) = self.above(node, to) {
                    let mut steps = self.way(node);
                    steps.push((label, to));
                    best = Some(MaximalEnd {
                        steps,
                        back: Some(back),
                    });
                    break;
                }
            }
        }
        match best {
            Some(end) => Ok(end),
            None => self.any_loop(graph, budget),
        }
    }

    /// Some loop: from the start always on by the first step. No node without a move is met, as the
    /// tree has all nodes and no deadlock.
    fn any_loop(&self, graph: &Tagged<'_>, budget: &Budget) -> Run<MaximalEnd> {
        let mut meter = budget.meter();
        let mut met: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut steps = Vec::new();
        let mut node = self.start;
        loop {
            meter.tick()?;
            if let Some(&back) = met.get(&node) {
                return Ok(MaximalEnd {
                    steps,
                    back: Some(back),
                });
            }
            met.insert(node, steps.len());
            let step = graph.moves(node).next();
            let (label, to) = step.expect("a node that is not good goes on or is a deadlock");
            steps.push((label, to));
            node = to;
        }
    }

    /// Looks for shorter loops through the nearest nodes, and says whether all were looked at that could
    /// be shorter.
    fn improve(&self, graph: &Tagged<'_>, best: &mut MaximalEnd, budget: &Budget) -> Run<bool> {
        let mut meter = budget.meter();
        let mut effort = EFFORT + 2 * graph.counts().transitions;
        let mut found: FxHashMap<NodeId, (NodeId, LabelId)> = FxHashMap::default();
        let mut queue: VecDeque<(NodeId, usize)> = VecDeque::new();
        for &root in &self.order {
            let before = self.found[&root].distance as usize;
            // A loop through this node or a farther one is no shorter than the best.
            if before + 1 >= best.steps.len() {
                return Ok(true);
            }
            if effort == 0 {
                return Ok(false);
            }
            found.clear();
            queue.clear();
            queue.push_back((root, 0));
            'search: while let Some((node, length)) = queue.pop_front() {
                meter.tick()?;
                if before + length + 1 >= best.steps.len() {
                    break;
                }
                for (label, to) in graph.moves(node) {
                    effort = effort.saturating_sub(1);
                    if to == root {
                        let mut loops = vec![(label, root)];
                        let mut at = node;
                        while at != root {
                            let (from, label) = found[&at];
                            loops.push((label, at));
                            at = from;
                        }
                        let mut steps = self.way(root);
                        steps.extend(loops.into_iter().rev());
                        best.steps = steps;
                        best.back = Some(before);
                        break 'search;
                    }
                    found.entry(to).or_insert_with(|| {
                        queue.push_back((to, length + 1));
                        (node, label)
                    });
                }
                if effort == 0 {
                    break;
                }
            }
        }
        Ok(effort > 0)
    }

    /// The way from the start to a node.
    fn way(&self, mut node: NodeId) -> Vec<(LabelId, NodeId)> {
        let mut steps = Vec::new();
        while let Some((from, label)) = self.found[&node].by {
            steps.push((label, node));
            node = from;
        }
        steps.reverse();
        steps
    }

    /// The distance of a node if it lies on the way to another one.
    fn above(&self, mut node: NodeId, goal: NodeId) -> Option<usize> {
        let distance = self.found.get(&goal)?.distance;
        loop {
            let found = self.found[&node];
            if node == goal {
                return Some(distance as usize);
            }
            // The distance falls along the way, so a node as near as the goal and not the goal ends the
            // search.
            if found.distance <= distance {
                return None;
            }
            node = found.by?.0;
        }
    }
}
