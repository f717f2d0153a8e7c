//! How a run goes on for ever without doing what it must, where fairness says which runs count or the
//! monitor waits again and again.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Run};
use wherefore_model::lts::LabelId;
use wherefore_space::explicit::fair_part;

use crate::course::{Course, CourseEnding};
use crate::endless::set;
use crate::maximal::{is_deadlock, onwards};
use crate::tagged::{NodeId, Tagged};

/// The course, then on from its end to a deadlock, or to a loop that counts and on which the monitor never
/// accepts.
///
/// It is led to the nearest place from which such a loop starts, and there from one thing that fairness
/// asks for to the next, each the nearest, and back: a short loop, not always the shortest.
pub(crate) fn completed_fairly(graph: &Tagged<'_>, course: Course, budget: &Budget) -> Run<Course> {
    let round = LoopFinder::new(graph, budget)?;
    let ends = |node: NodeId| {
        let dead = graph.paths().may_end && is_deadlock(graph, node);
        dead && !graph.accepting(node)
    };
    let goal = |node: NodeId| ends(node) || round.part.contains(node.index());
    let mut course = onwards(graph, course, goal, budget)?;
    let start = *course.nodes.last().expect("a course has a node");
    if ends(start) {
        course.ending = CourseEnding::Deadlock;
        return Ok(course);
    }
    let back = course.len();
    for (label, node) in round.from(start)? {
        course.labels.push(label);
        course.nodes.push(node);
    }
    course.ending = CourseEnding::Loop(back);
    Ok(course)
}

/// Finds loops.
struct LoopFinder<'a> {
    graph: &'a Tagged<'a>,
    budget: &'a Budget,
    /// Where the monitor does not accept, on a loop that counts.
    part: FixedBitSet,
}

impl<'a> LoopFinder<'a> {
    fn new(graph: &'a Tagged<'a>, budget: &'a Budget) -> Run<Self> {
        let mut meter = budget.meter();
        let (mut starts, mut items) = (vec![0u32], Vec::new());
        for node in graph.nodes() {
            meter.tick()?;
            let mut row: Vec<u32> = graph.moves(node).map(|(_, to)| to.index() as u32).collect();
            row.sort_unstable();
            row.dedup();
            items.append(&mut row);
            starts.push(items.len() as u32);
        }
        let waiting = set(graph.nodes().map(|node| !graph.accepting(node)));
        let lifted = |states: &FixedBitSet| -> Run<FixedBitSet> {
            let inside = |node: NodeId| states.contains(graph.pair(node).state.index());
            Ok(set(graph.nodes().map(inside)))
        };
        let fairness = graph.paths().fairness.try_map(lifted)?;
        let part = fair_part(starts, items, &waiting, &fairness, budget)?;
        Ok(Self {
            graph,
            budget,
            part,
        })
    }

    /// A loop from a node of the part, its last step being back to it.
    fn from(&self, start: NodeId) -> Run<Vec<(LabelId, NodeId)>> {
        let component = self.component(start)?;
        let fairness = &self.graph.paths().fairness;
        let meets = |states: &FixedBitSet, node: usize| {
            let pair = self.graph.pair(NodeId::new(node));
            states.contains(pair.state.index())
        };
        // A way through the component may meet `p` unasked, so `q` is visited wherever the component has `p`.
        let pairs = fairness.compassion.iter();
        let answers = pairs
            .filter(|(p, _)| component.ones().any(|node| meets(p, node)))
            .map(|(_, q)| q);
        let mut steps: Vec<(LabelId, NodeId)> = Vec::new();
        let mut at = start;
        for wanted in fairness.justice.iter().chain(answers) {
            let met = |node: NodeId| meets(wanted, node.index());
            // What the loop has met already is not visited again.
            if met(start) || steps.iter().any(|&(_, node)| met(node)) {
                continue;
            }
            steps.extend(self.way(at, &component, met)?);
            at = steps.last().map_or(start, |step| step.1);
        }
        // A loop has at least one step, also where the start meets everything.
        if steps.is_empty() || at != start {
            steps.extend(self.way(at, &component, |node| node == start)?);
        }
        Ok(steps)
    }

    /// The nodes of the part that lead to this one within it and to which it leads.
    fn component(&self, start: NodeId) -> Run<FixedBitSet> {
        let mut meter = self.budget.meter();
        let mut ahead = FixedBitSet::with_capacity(self.part.len());
        let mut before: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        ahead.insert(start.index());
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            meter.tick()?;
            for (_, to) in self.graph.moves(node) {
                if self.part.contains(to.index()) {
                    before.entry(to).or_default().push(node);
                    if !ahead.put(to.index()) {
                        open.push(to);
                    }
                }
            }
        }
        // Only predecessors that were met on the way forward are listed, so going back stays in the
        // component.
        let mut component = FixedBitSet::with_capacity(self.part.len());
        component.insert(start.index());
        open.push(start);
        while let Some(node) = open.pop() {
            meter.tick()?;
            for &from in before.get(&node).into_iter().flatten() {
                if !component.put(from.index()) {
                    open.push(from);
                }
            }
        }
        Ok(component)
    }

    /// The shortest way, of at least one step, within a component to a goal that it has.
    fn way(
        &self,
        from: NodeId,
        component: &FixedBitSet,
        goal: impl Fn(NodeId) -> bool,
    ) -> Run<Vec<(LabelId, NodeId)>> {
        let mut meter = self.budget.meter();
        // The start is not among what is found, so that a way may lead back to it.
        let mut found: FxHashMap<NodeId, (NodeId, LabelId)> = FxHashMap::default();
        let mut order = vec![from];
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            meter.tick()?;
            next += 1;
            for (label, to) in self.graph.moves(node) {
                if !component.contains(to.index()) || found.contains_key(&to) {
                    continue;
                }
                found.insert(to, (node, label));
                if !goal(to) {
                    order.push(to);
                    continue;
                }
                let mut steps = vec![(label, to)];
                let mut at = node;
                while at != from {
                    let (before, label) = found[&at];
                    steps.push((label, at));
                    at = before;
                }
                steps.reverse();
                return Ok(steps);
            }
        }
        unreachable!("a component leads from each of its nodes to each other")
    }
}
