//! The shortest ways through a tagged graph: one of them, how many there are, and what is kept of them.
//!
//! A way leads from the initial node past given marks, in their order, to a goal. The search is breadth
//! first in the product of the graph with the number of marks passed, so it is the shortest way past the
//! marks and not one of the shortest ways, tested afterwards. What is said of all shortest ways is
//! summed up layer by layer, from the goals back, without listing them.

use std::ops::Range;

use num_bigint::BigUint;
use wherefore_base::{Budget, Run};
use wherefore_model::lts::{LabelId, LabelSet, StateId};

use crate::course::Course;
use crate::tagged::{Kind, NodeId, Tagged};

/// Something to be passed on the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A step with one of these labels.
    Action(LabelSet),
    /// A node at which the system is in this state; where the way starts counts, too.
    State(StateId),
}

/// The shortest ways from the initial node to a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shortest {
    /// One of them. Its word is the least in the order of labels; of the ways with this word it is one
    /// with the fewest kept steps, and of those the one whose nodes come first.
    pub course: Course,
    /// How many there are; `None` where they are not counted (courses that end in a loop).
    pub count: Option<BigUint>,
    /// The fewest steps that are kept of one of them.
    pub least: usize,
    /// The most steps that are kept of one of them.
    pub most: usize,
}

/// Why no way was found: how far the marks can be passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unmatched {
    /// How many of the marks some run passes, in their order. When all: no goal comes after them.
    pub passed: usize,
    /// How many marks there are.
    pub marks: usize,
    /// How many steps the shortest way past that many has.
    pub steps: usize,
}

/// Finds the shortest ways past the marks to a node that is a goal.
pub(crate) fn find(
    graph: &Tagged<'_>,
    marks: &[Mark],
    goal: impl Fn(NodeId) -> bool,
    wanted: impl Fn(Kind) -> bool,
    budget: &Budget,
) -> Run<Result<Shortest, Unmatched>> {
    let Some(initial) = graph.initial() else {
        return Ok(Err(Unmatched {
            passed: 0,
            marks: marks.len(),
            steps: 0,
        }));
    };
    let space = Space { graph, marks };
    let layers = match Layers::grow(&space, initial, goal, budget)? {
        Ok(layers) => layers,
        Err(unmatched) => return Ok(Err(unmatched)),
    };
    let sums = match layers.sum::<u128>(&space, &wanted, budget)? {
        Some(sums) => sums,
        None => (layers.sum::<BigUint>(&space, &wanted, budget)?).expect("big numbers suffice"),
    };
    let course = layers.first(&space, &sums, &wanted, budget)?;
    Ok(Ok(Shortest {
        course,
        count: Some(sums.count),
        least: sums.least,
        most: sums.most,
    }))
}

/// A node and how many marks were passed on the way to it, as one number.
type Key = usize;

/// The graph times the number of marks passed.
struct Space<'g, 'a> {
    graph: &'g Tagged<'a>,
    marks: &'g [Mark],
}

impl Space<'_, '_> {
    fn keys(&self) -> usize {
        self.graph.nodes().len() * (self.marks.len() + 1)
    }

    #[inline]
    fn node(&self, key: Key) -> NodeId {
        NodeId::new(key / (self.marks.len() + 1))
    }

    #[inline]
    fn passed(&self, key: Key) -> usize {
        key % (self.marks.len() + 1)
    }

    fn start(&self, initial: NodeId) -> Key {
        let passed = usize::from(self.stands_at(0, initial));
        initial.index() * (self.marks.len() + 1) + passed
    }

    fn stands_at(&self, mark: usize, node: NodeId) -> bool {
        match self.marks.get(mark) {
            Some(Mark::State(state)) => self.graph.pair(node).state == *state,
            _ => false,
        }
    }

    /// What follows, by label and then by the state of the system.
    #[inline]
    fn next(&self, key: Key) -> impl Iterator<Item = (LabelId, Key)> + '_ {
        let passed = self.passed(key);
        self.graph.moves(self.node(key)).map(move |(label, to)| {
            let passes = match self.marks.get(passed) {
                None => false,
                Some(Mark::Action(labels)) => labels.contains(label),
                Some(Mark::State(_)) => self.stands_at(passed, to),
            };
            let passed = passed + usize::from(passes);
            (label, to.index() * (self.marks.len() + 1) + passed)
        })
    }
}

/// No layer.
const FAR: u32 = u32::MAX;

/// Everything up to the distance of the nearest goal.
struct Layers {
    /// The keys by distance.
    order: Vec<Key>,
    /// Which of them have a distance.
    bounds: Vec<Range<usize>>,
    /// The place of each key in the order.
    place: Vec<u32>,
    /// The goals among the last ones.
    goals: Vec<bool>,
}

/// What is known of all shortest ways together.
struct Sums {
    count: BigUint,
    least: usize,
    most: usize,
    /// For each place in the order: whether a shortest way leads through it.
    useful: Vec<bool>,
}

impl Layers {
    fn grow(
        space: &Space<'_, '_>,
        initial: NodeId,
        goal: impl Fn(NodeId) -> bool,
        budget: &Budget,
    ) -> Run<Result<Self, Unmatched>> {
        let mut meter = budget.meter();
        let all = space.marks.len();
        let start = space.start(initial);
        let mut layers = Layers {
            order: vec![start],
            bounds: Vec::new(),
            place: vec![FAR; space.keys()],
            goals: Vec::new(),
        };
        layers.place[start] = 0;
        let mut best = Unmatched {
            passed: space.passed(start),
            marks: all,
            steps: 0,
        };
        let mut from = 0;
        loop {
            let layer = from..layers.order.len();
            layers.bounds.push(layer.clone());
            let is_goal = |&key: &Key| space.passed(key) == all && goal(space.node(key));
            let goals: Vec<bool> = layers.order[layer.clone()].iter().map(is_goal).collect();
            if goals.contains(&true) {
                layers.goals = goals;
                return Ok(Ok(layers));
            }
            for at in layer {
                meter.tick()?;
                for (_, to) in space.next(layers.order[at]) {
                    if layers.place[to] == FAR {
                        layers.place[to] = layers.order.len() as u32;
                        layers.order.push(to);
                        if space.passed(to) > best.passed {
                            best.passed = space.passed(to);
                            best.steps = layers.bounds.len();
                        }
                    }
                }
                from = at + 1;
            }
            if from == layers.order.len() {
                return Ok(Err(best));
            }
        }
    }

    /// Sums up from the goals back; `None` when the numbers grow too big.
    fn sum<N: Number>(
        &self,
        space: &Space<'_, '_>,
        wanted: impl Fn(Kind) -> bool,
        budget: &Budget,
    ) -> Run<Option<Sums>> {
        let mut meter = budget.meter();
        let at_one = |key: Key| (space.graph.kind(space.node(key))).is_some_and(&wanted);
        let mut useful = vec![false; self.order.len()];
        // Of the layer that was summed up last: the number of ways to a goal, and what is kept of them.
        let last = self.bounds.last().expect("at least the start").clone();
        let mut ahead: Vec<(N, u32, u32)> = Vec::with_capacity(last.len());
        for (place, &goal) in last.clone().zip(&self.goals) {
            useful[place] = goal;
            ahead.push((if goal { N::one() } else { N::zero() }, 0, 0));
        }
        let mut first = last.start;
        for layer in self.bounds.iter().rev().skip(1) {
            let mut here = Vec::with_capacity(layer.len());
            for place in layer.clone() {
                meter.tick()?;
                let key = self.order[place];
                let inside = at_one(key);
                let (mut count, mut least, mut most) = (N::zero(), u32::MAX, 0);
                for (_, to) in space.next(key) {
                    let next = self.place[to] as usize;
                    if next < first || next == FAR as usize || !useful[next] {
                        continue;
                    }
                    let (ways, fewest, greatest) = &ahead[next - first];
                    let kept = u32::from(inside || at_one(to));
                    if !count.add(ways) {
                        return Ok(None);
                    }
                    least = least.min(fewest + kept);
                    most = most.max(greatest + kept);
                }
                useful[place] = least != u32::MAX;
                here.push((count, least, most));
            }
            ahead = here;
            first = layer.start;
        }
        let (count, least, most) = ahead.swap_remove(0);
        Ok(Some(Sums {
            count: count.big(),
            least: least as usize,
            most: most as usize,
            useful,
        }))
    }

    /// The way with the least word, then with the fewest kept steps, then through the first nodes.
    fn first(
        &self,
        space: &Space<'_, '_>,
        sums: &Sums,
        wanted: impl Fn(Kind) -> bool,
        budget: &Budget,
    ) -> Run<Course> {
        let mut word = Vec::new();
        let mut fronts: Vec<Vec<Key>> = vec![vec![self.order[0]]];
        for layer in &self.bounds[1..] {
            budget.check()?;
            let front = fronts.last().expect("it was just pushed");
            let useful = |&(_, to): &(LabelId, Key)| {
                let place = self.place[to] as usize;
                layer.contains(&place) && sums.useful[place]
            };
            let steps = || front.iter().flat_map(|&key| space.next(key)).filter(useful);
            let label = steps().map(|step| step.0).min();
            let label = label.expect("a shortest way goes on");
            let mut next: Vec<Key> = steps().filter(|s| s.0 == label).map(|s| s.1).collect();
            next.sort_unstable();
            next.dedup();
            word.push(label);
            fronts.push(next);
        }
        Ok(choose(space, word, &fronts, wanted))
    }
}

/// Of the ways with this word through these fronts, each sorted, one with the fewest kept steps, and of
/// those the one through the first nodes. Every key of the last front is a goal.
fn choose(
    space: &Space<'_, '_>,
    word: Vec<LabelId>,
    fronts: &[Vec<Key>],
    wanted: impl Fn(Kind) -> bool,
) -> Course {
    let at_one = |key: Key| (space.graph.kind(space.node(key))).is_some_and(&wanted);
    // The fewest kept steps from each key of each front on, where the rest of the word can be done.
    let mut fewest: Vec<Vec<Option<usize>>> = vec![Vec::new(); fronts.len()];
    let end = fronts.len() - 1;
    fewest[end] = vec![Some(0); fronts[end].len()];
    for index in (0..end).rev() {
        let best = |&key: &Key| {
            let steps = space.next(key).filter(|step| step.0 == word[index]);
            let costs = steps.filter_map(|(_, to)| {
                let place = fronts[index + 1].binary_search(&to).ok()?;
                let kept = usize::from(at_one(key) || at_one(to));
                Some(fewest[index + 1][place]? + kept)
            });
            costs.min()
        };
        fewest[index] = fronts[index].iter().map(best).collect();
    }
    let mut key = fronts[0][0];
    let mut left = fewest[0][0].expect("the word can be done");
    let mut nodes = vec![space.node(key)];
    for index in 0..end {
        let steps = space.next(key).filter(|step| step.0 == word[index]);
        let fitting = steps.filter_map(|(_, to)| {
            let place = fronts[index + 1].binary_search(&to).ok()?;
            let kept = usize::from(at_one(key) || at_one(to));
            let rest = fewest[index + 1][place]?;
            (rest + kept == left).then_some((to, rest))
        });
        (key, left) = fitting.min().expect("what was the least is there");
        nodes.push(space.node(key));
    }
    Course::new(nodes, word)
}

/// The way that performs a word and ends at a goal, if there is one: the one with the fewest kept steps,
/// then through the first nodes. `fronts` are all nodes that can be reached with each part of the word.
pub(crate) fn along(
    graph: &Tagged<'_>,
    word: Vec<LabelId>,
    mut fronts: Vec<Vec<NodeId>>,
    goal: impl Fn(NodeId) -> bool,
) -> Option<Course> {
    let last = fronts.last_mut()?;
    last.retain(|&node| goal(node));
    if last.is_empty() {
        return None;
    }
    let space = Space { graph, marks: &[] };
    let keys = |front: &Vec<NodeId>| front.iter().map(|node| node.index()).collect();
    let fronts: Vec<Vec<Key>> = fronts.iter().map(keys).collect();
    Some(choose(&space, word, &fronts, |_| true))
}

/// A sum that says when it is too big.
trait Number: Sized {
    fn zero() -> Self;
    fn one() -> Self;
    fn add(&mut self, other: &Self) -> bool;
    fn big(self) -> BigUint;
}

impl Number for u128 {
    fn zero() -> Self {
        0
    }

    fn one() -> Self {
        1
    }

    #[inline]
    fn add(&mut self, other: &Self) -> bool {
        let (sum, over) = self.overflowing_add(*other);
        *self = sum;
        !over
    }

    fn big(self) -> BigUint {
        self.into()
    }
}

impl Number for BigUint {
    fn zero() -> Self {
        0u8.into()
    }

    fn one() -> Self {
        1u8.into()
    }

    fn add(&mut self, other: &Self) -> bool {
        *self += other;
        true
    }

    fn big(self) -> BigUint {
        self
    }
}
