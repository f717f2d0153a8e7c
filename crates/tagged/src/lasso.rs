//! How a run goes on for ever without doing what it must, where fairness says which runs count or the
//! monitor waits again and again.

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{Budget, Run};
use wherefore_logic::Fairness;
use wherefore_model::lts::StateId;
use wherefore_space::explicit::fair_part;

use crate::course::{Course, CourseEnding};
use crate::endless::set;
use crate::linear::LinearMonitor;
use crate::maximal::{is_deadlock, onwards};
use crate::monitor::Monitor;
use crate::tagged::{NodeId, Tagged};
use crate::through::follow;

/// The course, then on from its end to a deadlock, or to a loop that counts and on which the monitor never
/// accepts.
///
/// It is led to the nearest place from which such a loop starts, and there from one thing that fairness
/// asks for to the next, each the nearest, and back: a short loop, not always the shortest.
pub(crate) fn completed_fairly(graph: &Tagged<'_>, course: Course, budget: &Budget) -> Run<Course> {
    let waiting = set(graph.nodes().map(|node| !graph.accepting(node)));
    let lifted = |states: &FixedBitSet| -> Run<FixedBitSet> {
        let inside = |node: NodeId| states.contains(graph.pair(node).state.index());
        Ok(set(graph.nodes().map(inside)))
    };
    let fairness = graph.paths().fairness.try_map(lifted)?;
    let round = LoopFinder::new(graph, &waiting, fairness, budget)?;
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
    let mut node = start;
    for next in round.from(start.index())? {
        let mut moves = graph.moves(node);
        let step = moves.find(|(_, to)| to.index() == next);
        let (label, to) = step.expect("a loop is made of steps");
        course.labels.push(label);
        course.nodes.push(to);
        node = to;
    }
    course.ending = CourseEnding::Loop(back);
    Ok(course)
}

/// The course, then on from its end to a loop so that the whole refutes a formula of linear time.
///
/// The loop is found as in [`completed_fairly`], among the runs that refute the formula, and gone round until what is
/// still possible at its start is what was possible there before.
pub(crate) fn completed_refuting(
    graph: &Tagged<'_>,
    monitor: &LinearMonitor,
    mut course: Course,
    budget: &Budget,
) -> Run<Course> {
    let runs = monitor.refuting();
    let all = set((0..runs.nodes()).map(|_| true));
    let round = LoopFinder::new(runs, &all, runs.fairness.clone(), budget)?;
    let last = *course.nodes.last().expect("a course has a node");
    let here = monitor.refuting_at(graph.pair(last));
    let here: Vec<usize> = here.iter().map(|&one| one as usize).collect();
    let inside = |node: usize| round.part.contains(node);
    let begins = monitor.is_before_start(graph.pair(last).state);
    let on_loop = here.iter().copied().find(|&node| inside(node));
    let lead = match on_loop {
        Some(node) => vec![node],
        None => way(runs, &here, |_| true, inside, budget)?
            .expect("from a node of the graph the formula can still be refuted"),
    };
    let start = *lead.last().expect("a way has a node");
    let states =
        |nodes: &[usize]| -> Vec<StateId> { nodes.iter().map(|&node| runs.state[node]).collect() };
    // At the place before the first state, the way still has to enter it.
    let lead = states(&lead[usize::from(!begins)..]);
    follow(graph, &mut course, &lead);
    let turn = states(&round.from(start)?);
    close(graph, &mut course, &turn, budget)?;
    Ok(course)
}

/// Goes round a loop until the course comes to a node where it has begun a turn before.
pub(crate) fn close(
    graph: &Tagged<'_>,
    course: &mut Course,
    turn: &[StateId],
    budget: &Budget,
) -> Run<bool> {
    let mut begun: FxHashMap<NodeId, usize> = FxHashMap::default();
    loop {
        budget.check()?;
        let here = *course.nodes.last().expect("a course has a node");
        if let Some(&back) = begun.get(&here) {
            course.ending = CourseEnding::Loop(back);
            return Ok(true);
        }
        begun.insert(here, course.len());
        if !follow(graph, course, turn) {
            return Ok(false);
        }
    }
}

/// Whether a course that comes back to its node at `back` breaks the property if it goes round like that for ever.
pub(crate) fn breaks_round(
    graph: &Tagged<'_>,
    course: &Course,
    back: usize,
    budget: &Budget,
) -> Run<bool> {
    let turn = &course.nodes[back..course.len()];
    if let Monitor::Linear(monitor) = graph.monitor() {
        return refuted_round(graph, monitor, turn, budget);
    }
    let Fairness {
        justice,
        compassion,
    } = &graph.paths().fairness;
    let mut states = FixedBitSet::with_capacity(graph.lts().states());
    states.extend(turn.iter().map(|&node| graph.pair(node).state.index()));
    let meets = |set: &FixedBitSet| !states.is_disjoint(set);
    let fair = justice.iter().all(meets) && compassion.iter().all(|(p, q)| !meets(p) || meets(q));
    Ok(fair && !turn.iter().any(|&node| graph.accepting(node)))
}

/// Whether going round some nodes for ever refutes a formula of linear time.
fn refuted_round(
    graph: &Tagged<'_>,
    monitor: &LinearMonitor,
    turn: &[NodeId],
    budget: &Budget,
) -> Run<bool> {
    let runs = monitor.refuting();
    // What is possible at a node does not change from turn to turn, so its steps are those of the loop.
    let mut number: FxHashMap<(usize, u32), usize> = FxHashMap::default();
    let mut places = Vec::new();
    for (at, &node) in turn.iter().enumerate() {
        for &one in monitor.refuting_at(graph.pair(node)) {
            number.insert((at, one), places.len());
            places.push((at, one));
        }
    }
    let row = |&(at, one): &(usize, u32)| -> Vec<usize> {
        let next = (at + 1) % turn.len();
        let after = runs.after(one as usize);
        after
            .filter_map(|to| number.get(&(next, to as u32)).copied())
            .collect()
    };
    let rows: Vec<Vec<usize>> = places.iter().map(row).collect();
    let lifted = |states: &FixedBitSet| -> Run<FixedBitSet> {
        Ok(set(places
            .iter()
            .map(|&(_, one)| states.contains(one as usize))))
    };
    let fairness = runs.fairness.try_map(lifted)?;
    let all = set(places.iter().map(|_| true));
    // Each place is possible after the course, so any fair loop among them is one that it may go.
    let finder = LoopFinder::new(&rows, &all, fairness, budget)?;
    Ok(!finder.part.is_clear())
}

impl LoopGraph for Vec<Vec<usize>> {
    fn nodes(&self) -> usize {
        self.len()
    }

    fn after(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self[node].iter().copied()
    }
}

/// Finds loops.
pub(crate) struct LoopFinder<'a, G> {
    graph: &'a G,
    budget: &'a Budget,
    fairness: Fairness<FixedBitSet>,
    /// The nodes on loops that count.
    pub(crate) part: FixedBitSet,
}

/// A graph in which loops are looked for, its nodes being numbered from 0.
pub(crate) trait LoopGraph {
    /// How many nodes there are.
    fn nodes(&self) -> usize;

    /// The nodes that the steps of a node lead to.
    fn after(&self, node: usize) -> impl Iterator<Item = usize> + '_;
}

impl LoopGraph for Tagged<'_> {
    fn nodes(&self) -> usize {
        Tagged::nodes(self).len()
    }

    fn after(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.moves(NodeId::new(node)).map(|(_, to)| to.index())
    }
}

impl<'a, G: LoopGraph> LoopFinder<'a, G> {
    /// For loops within `stay` that are fair; fairness speaks of nodes.
    pub(crate) fn new(
        graph: &'a G,
        stay: &FixedBitSet,
        fairness: Fairness<FixedBitSet>,
        budget: &'a Budget,
    ) -> Run<Self> {
        let mut meter = budget.meter();
        let (mut starts, mut items) = (vec![0u32], Vec::new());
        for node in 0..graph.nodes() {
            meter.tick()?;
            let mut row: Vec<u32> = graph.after(node).map(|to| to as u32).collect();
            row.sort_unstable();
            row.dedup();
            items.append(&mut row);
            starts.push(items.len() as u32);
        }
        let part = fair_part(starts, items, stay, &fairness, budget)?;
        Ok(Self {
            graph,
            budget,
            fairness,
            part,
        })
    }

    /// A loop from a node of the part: what comes after it, the last being the node itself.
    pub(crate) fn from(&self, start: usize) -> Run<Vec<usize>> {
        let component = self.component(start)?;
        // A way through the component may meet `p` unasked, so `q` is visited wherever the component has `p`.
        let pairs = self.fairness.compassion.iter();
        let answers = pairs
            .filter(|(p, _)| !component.is_disjoint(p))
            .map(|(_, q)| q);
        let mut round: Vec<usize> = Vec::new();
        let mut at = start;
        for wanted in self.fairness.justice.iter().chain(answers) {
            let met = |node: usize| wanted.contains(node);
            // What the loop has met already is not visited again.
            if met(start) || round.iter().any(|&node| met(node)) {
                continue;
            }
            round.extend(self.way(at, &component, met)?);
            at = round.last().copied().unwrap_or(start);
        }
        // A loop has at least one step, also where the start meets everything.
        if round.is_empty() || at != start {
            round.extend(self.way(at, &component, |node| node == start)?);
        }
        Ok(round)
    }

    /// The nodes of the part that lead to this one within it and to which it leads.
    fn component(&self, start: usize) -> Run<FixedBitSet> {
        let mut meter = self.budget.meter();
        let mut ahead = FixedBitSet::with_capacity(self.part.len());
        let mut before: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        ahead.insert(start);
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            meter.tick()?;
            for to in self.graph.after(node) {
                if self.part.contains(to) {
                    before.entry(to).or_default().push(node);
                    if !ahead.put(to) {
                        open.push(to);
                    }
                }
            }
        }
        // Only predecessors that were met on the way forward are listed, so going back stays in the
        // component.
        let mut component = FixedBitSet::with_capacity(self.part.len());
        component.insert(start);
        open.push(start);
        while let Some(node) = open.pop() {
            meter.tick()?;
            for &from in before.get(&node).into_iter().flatten() {
                if !component.put(from) {
                    open.push(from);
                }
            }
        }
        Ok(component)
    }

    /// The shortest way, of at least one step, within a component to a goal that it has.
    fn way(
        &self,
        from: usize,
        component: &FixedBitSet,
        goal: impl Fn(usize) -> bool,
    ) -> Run<Vec<usize>> {
        let inside = |node: usize| component.contains(node);
        let way = way(self.graph, &[from], inside, goal, self.budget)?;
        let mut way = way.expect("a component leads from each of its nodes to each other");
        way.remove(0);
        Ok(way)
    }
}

/// A shortest way, of at least one step, from one of some nodes through nodes that are `inside` to a goal, with the node
/// where it starts.
pub(crate) fn way<G: LoopGraph>(
    graph: &G,
    starts: &[usize],
    inside: impl Fn(usize) -> bool,
    goal: impl Fn(usize) -> bool,
    budget: &Budget,
) -> Run<Option<Vec<usize>>> {
    let mut meter = budget.meter();
    // A start is not among what is found, so that a way may lead back to it.
    let mut found: FxHashSet<usize> = FxHashSet::default();
    // Each node with the place of the one before it.
    let mut order: Vec<(usize, Option<usize>)> = starts.iter().map(|&node| (node, None)).collect();
    let mut next = 0;
    while let Some(&(node, _)) = order.get(next) {
        meter.tick()?;
        for to in graph.after(node) {
            if !inside(to) || !found.insert(to) {
                continue;
            }
            if !goal(to) {
                order.push((to, Some(next)));
                continue;
            }
            let mut way = vec![to];
            let mut before = Some(next);
            while let Some(place) = before {
                way.push(order[place].0);
                before = order[place].1;
            }
            way.reverse();
            return Ok(Some(way));
        }
        next += 1;
    }
    Ok(None)
}
