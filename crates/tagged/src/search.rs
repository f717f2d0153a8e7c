//! The shortest ways through a tagged graph: one of them, how many there are, and what is kept of them.
//!
//! A way leads from the initial node past given marks, in their order, to a goal. The search is breadth
//! first in the product of the graph with the number of marks passed, so it is the shortest way past the
//! marks and not one of the shortest ways, tested afterwards. What is said of all shortest ways is
//! summed up layer by layer, from the goals back, without listing them.

mod product;

use std::ops::Range;

use num_bigint::BigUint;
use wherefore_base::{Budget, Run, Stop};
use wherefore_model::lts::{LabelId, LabelSet, StateId};

use self::product::{MarkedNode, MarkedSpace};
use crate::course::Course;
use crate::tagged::{NeighbourhoodKind, NodeId, Tagged};

/// Something to be passed on the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchMark {
    /// A step with one of these labels.
    Action(LabelSet),
    /// A node at which the system is in this state; where the way starts counts, too.
    State(StateId),
}

/// The shortest ways from the initial node to a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShortestCourse {
    /// One of them. Its word is the least in the order of labels; of the ways with this word it is one
    /// with the fewest kept steps, and of those the one whose nodes come first.
    pub course: Course,
    /// How many there are; `None` where they are not counted (courses that end in a loop).
    pub count: Option<BigUint>,
    /// The fewest steps that are kept of one of them.
    pub least: usize,
    /// The most steps that are kept of one of them.
    pub most: usize,
    /// Whether nothing shorter exists. Loops are searched with bounded effort, and under fairness by
    /// going from one thing it asks for to the next.
    pub proved: bool,
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
    marks: &[SearchMark],
    goal: impl Fn(NodeId) -> bool,
    wanted: impl Fn(NeighbourhoodKind) -> bool,
    budget: &Budget,
) -> Run<Result<ShortestCourse, Unmatched>> {
    let Some(initial) = graph.initial() else {
        return Ok(Err(Unmatched {
            passed: 0,
            marks: marks.len(),
            steps: 0,
        }));
    };
    let space = MarkedSpace { graph, marks };
    if space.keys() >= FAR as usize {
        return Err(Stop::Memory);
    }
    let layers = match GoalLayers::grow(&space, initial, goal, budget)? {
        Ok(layers) => layers,
        Err(unmatched) => return Ok(Err(unmatched)),
    };
    // Machine numbers are enough for most graphs; where they overflow, all is done again with big ones.
    let sums = match layers.sum::<u128>(&space, &wanted, budget)? {
        Some(sums) => sums,
        None => (layers.sum::<BigUint>(&space, &wanted, budget)?).expect("big numbers suffice"),
    };
    let course = layers.first(&space, &sums, &wanted, budget)?;
    Ok(Ok(ShortestCourse {
        course,
        count: Some(sums.count),
        least: sums.least,
        most: sums.most,
        proved: true,
    }))
}

/// No layer.
const FAR: u32 = u32::MAX;

/// Everything up to the distance of the nearest goal.
struct GoalLayers {
    /// The keys by distance.
    order: Vec<MarkedNode>,
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

impl GoalLayers {
    fn grow(
        space: &MarkedSpace<'_, '_>,
        initial: NodeId,
        goal: impl Fn(NodeId) -> bool,
        budget: &Budget,
    ) -> Run<Result<Self, Unmatched>> {
        let mut meter = budget.meter();
        let all = space.marks.len();
        let start = space.start(initial);
        let mut layers = GoalLayers {
            order: vec![start],
            bounds: Vec::new(),
            place: vec![FAR; space.keys()],
            goals: Vec::new(),
        };
        layers.place[start as usize] = 0;
        let mut best = Unmatched {
            passed: space.passed(start),
            marks: all,
            steps: 0,
        };
        let mut from = 0;
        loop {
            let layer = from..layers.order.len();
            layers.bounds.push(layer.clone());
            let is_goal = |&key: &MarkedNode| space.passed(key) == all && goal(space.node(key));
            let goals: Vec<bool> = layers.order[layer.clone()].iter().map(is_goal).collect();
            if goals.contains(&true) {
                layers.goals = goals;
                return Ok(Ok(layers));
            }
            for at in layer {
                meter.tick()?;
                for (_, to) in space.next(layers.order[at]) {
                    let place = &mut layers.place[to as usize];
                    if *place == FAR {
                        *place = layers.order.len() as u32;
                        layers.order.push(to);
                        if space.passed(to) > best.passed {
                            best.passed = space.passed(to);
                            // There is a range for each distance so far, so their number is the distance of
                            // what is new.
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
    fn sum<N: SaturatingCount>(
        &self,
        space: &MarkedSpace<'_, '_>,
        wanted: impl Fn(NeighbourhoodKind) -> bool,
        budget: &Budget,
    ) -> Run<Option<Sums>> {
        let mut meter = budget.meter();
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
                let inside = space.is_at(key, &wanted);
                let (mut count, mut least, mut most) = (N::zero(), u32::MAX, 0);
                for (_, to) in space.next(key) {
                    let next = self.place[to as usize] as usize;
                    // A step within this layer or back is no part of a shortest way.
                    if next < first || next == FAR as usize || !useful[next] {
                        continue;
                    }
                    let (ways, fewest, greatest) = &ahead[next - first];
                    let kept = u32::from(inside || space.is_at(to, &wanted));
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
        space: &MarkedSpace<'_, '_>,
        sums: &Sums,
        wanted: impl Fn(NeighbourhoodKind) -> bool,
        budget: &Budget,
    ) -> Run<Course> {
        let mut word = Vec::new();
        let mut fronts: Vec<Vec<MarkedNode>> = vec![vec![self.order[0]]];
        for layer in &self.bounds[1..] {
            budget.check()?;
            let front = fronts.last().expect("it was just pushed");
            let useful = |to: MarkedNode| {
                let place = self.place[to as usize] as usize;
                layer.contains(&place) && sums.useful[place]
            };
            let steps = front.iter().flat_map(|&key| space.next(key));
            let labels = steps.filter(|step| useful(step.1)).map(|step| step.0);
            // The least label is chosen for all ways with the word so far at once.
            let label = labels.min().expect("a shortest way goes on");
            let steps = front.iter().flat_map(|&key| space.next_with(key, label));
            let mut next: Vec<MarkedNode> = steps.filter(|&to| useful(to)).collect();
            next.sort_unstable();
            next.dedup();
            word.push(label);
            fronts.push(next);
        }
        choose(space, word, &fronts, wanted, budget)
    }
}

/// Of the ways with this word through these fronts, each sorted, one with the fewest kept steps, and of
/// those the one through the first nodes. Every key of the last front is a goal, and one can be reached.
fn choose(
    space: &MarkedSpace<'_, '_>,
    word: Vec<LabelId>,
    fronts: &[Vec<MarkedNode>],
    wanted: impl Fn(NeighbourhoodKind) -> bool,
    budget: &Budget,
) -> Run<Course> {
    let mut meter = budget.meter();
    // The fewest kept steps from each key of each front on, where the rest of the word can be done.
    let mut fewest: Vec<Vec<u32>> = vec![Vec::new(); fronts.len()];
    let end = word.len();
    fewest[end] = vec![0; fronts[end].len()];
    let mut ahead: Vec<u32> = vec![FAR; space.keys()];
    for index in (0..end).rev() {
        for (&key, &kept) in fronts[index + 1].iter().zip(&fewest[index + 1]) {
            ahead[key as usize] = kept;
        }
        for &key in &fronts[index] {
            meter.tick()?;
            let inside = space.is_at(key, &wanted);
            let mut least = FAR;
            for to in space.next_with(key, word[index]) {
                let rest = ahead[to as usize];
                if rest != FAR {
                    least = least.min(rest + u32::from(inside || space.is_at(to, &wanted)));
                }
            }
            fewest[index].push(least);
        }
        // Only what was set is cleared, since the table is as large as the graph.
        for &key in &fronts[index + 1] {
            ahead[key as usize] = FAR;
        }
    }
    let mut key = fronts[0][0];
    let mut left = fewest[0][0];
    let mut nodes = vec![space.node(key)];
    for (index, &label) in word.iter().enumerate() {
        let inside = space.is_at(key, &wanted);
        let fitting = space.next_with(key, label).filter_map(|to| {
            let place = fronts[index + 1].binary_search(&to).ok()?;
            let rest = fewest[index + 1][place];
            let kept = u32::from(inside || space.is_at(to, &wanted));
            (rest != FAR && rest + kept == left).then_some((to, rest))
        });
        (key, left) = fitting.min().expect("what was the least is there");
        nodes.push(space.node(key));
    }
    Ok(Course::new(nodes, word))
}

/// The way that performs a word and ends at a goal, if there is one: the one with the fewest kept steps,
/// then through the first nodes. `fronts` are all nodes that can be reached with each part of the word,
/// sorted.
pub(crate) fn along(
    graph: &Tagged<'_>,
    word: &[LabelId],
    fronts: &[Vec<NodeId>],
    goal: impl Fn(NodeId) -> bool,
    budget: &Budget,
) -> Run<Option<Course>> {
    let space = MarkedSpace { graph, marks: &[] };
    let key = |node: &NodeId| node.index() as MarkedNode;
    let mut fronts: Vec<Vec<MarkedNode>> =
        fronts.iter().map(|f| f.iter().map(key).collect()).collect();
    let last = fronts.last_mut().expect("at least the start");
    last.retain(|&node| goal(space.node(node)));
    if last.is_empty() {
        return Ok(None);
    }
    Ok(Some(choose(
        &space,
        word.to_vec(),
        &fronts,
        |_| true,
        budget,
    )?))
}

/// A sum that says when it is too big.
trait SaturatingCount: Sized {
    fn zero() -> Self;
    fn one() -> Self;
    fn add(&mut self, other: &Self) -> bool;
    fn big(self) -> BigUint;
}

impl SaturatingCount for u128 {
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

impl SaturatingCount for BigUint {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{random_system, system, tagged};
    use crate::tagged::TagReading;

    fn found(graph: &Tagged<'_>, marks: &[SearchMark]) -> Result<ShortestCourse, Unmatched> {
        let goal = |node| graph.accepting(node);
        find(graph, marks, goal, |_| true, &Budget::unlimited()).expect("no limit")
    }

    fn word(graph: &Tagged<'_>, course: &Course) -> Vec<String> {
        let texts = course.labels.iter().map(|&label| graph.lts().text(label));
        texts.map(str::to_string).collect()
    }

    /// All ways of a length, by the definition.
    fn ways(graph: &Tagged<'_>, length: usize) -> Vec<Course> {
        let mut ways = vec![Course::new(vec![NodeId::new(0)], Vec::new())];
        for _ in 0..length {
            let mut longer = Vec::new();
            for way in &ways {
                for (label, to) in graph.moves(way.nodes[way.len()]) {
                    let mut way = way.clone();
                    way.labels.push(label);
                    way.nodes.push(to);
                    longer.push(way);
                }
            }
            ways = longer;
        }
        ways
    }

    fn passes(graph: &Tagged<'_>, way: &Course, marks: &[SearchMark]) -> bool {
        let mut left = marks.iter().peekable();
        let stands = |mark: &&SearchMark, node: NodeId| matches!(mark, SearchMark::State(state) if graph.pair(node).state == *state);
        left.next_if(|mark| stands(mark, way.nodes[0]));
        for (&label, &to) in way.labels.iter().zip(&way.nodes[1..]) {
            left.next_if(|mark| match mark {
                SearchMark::Action(labels) => labels.contains(label),
                SearchMark::State(_) => stands(mark, to),
            });
        }
        left.peek().is_none()
    }

    #[test]
    fn the_word_is_the_least_one_and_all_are_counted() {
        let lts = system(
            5,
            &[
                (0, "b", 1),
                (0, "c", 2),
                (1, "z", 3),
                (1, "z", 4),
                (2, "a", 3),
                (3, "BAD", 4),
                (4, "BAD", 4),
            ],
        );
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        let shortest = found(&graph, &[]).expect("it fails");
        assert_eq!(word(&graph, &shortest.course), ["b", "z", "BAD"]);
        assert_eq!(shortest.count, Some(BigUint::from(3u8)));
    }

    #[test]
    fn a_property_broken_at_once_has_a_counterexample_without_steps() {
        let lts = system(2, &[(0, "a", 1)]);
        let graph = tagged(&lts, &[], TagReading::Branching);
        let shortest = found(&graph, &[]).expect("it fails");
        assert!(shortest.course.is_empty());
        assert_eq!(shortest.count, Some(BigUint::from(1u8)));
        assert_eq!((shortest.least, shortest.most), (0, 0));
    }

    #[test]
    fn numbers_of_ways_may_be_huge() {
        let mut transitions = Vec::new();
        for stage in 0..200 {
            transitions.push((stage, "a", stage + 1));
            transitions.push((stage, "b", stage + 1));
        }
        transitions.push((200, "BAD", 200));
        let lts = system(201, &transitions);
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        let shortest = found(&graph, &[]).expect("it fails");
        assert_eq!(shortest.count, Some(BigUint::from(2u8).pow(200)));
    }

    #[test]
    fn a_longer_way_is_found_when_the_shortest_do_not_pass_the_marks() {
        let lts = system(
            4,
            &[(0, "a", 1), (1, "BAD", 3), (1, "detour", 2), (2, "back", 1)],
        );
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        let detour = SearchMark::Action(LabelSet::new(&lts, |label| label.text == "detour"));
        let shortest = found(&graph, std::slice::from_ref(&detour)).expect("it fails");
        assert_eq!(
            word(&graph, &shortest.course),
            ["a", "detour", "back", "BAD"]
        );
        let through = found(&graph, &[SearchMark::State(StateId::new(2))]).expect("it fails");
        assert_eq!(through.course, shortest.course);
        let twice = found(&graph, &[detour.clone(), detour]).expect("it fails");
        assert_eq!(twice.course.len(), 6);
    }

    #[test]
    fn marks_that_cannot_be_passed_are_counted() {
        let lts = system(4, &[(0, "a", 1), (1, "b", 2), (2, "BAD", 3)]);
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        let marks =
            ["a", "b", "a"].map(|text| SearchMark::Action(LabelSet::new(&lts, |l| l.text == text)));
        let unmatched = found(&graph, &marks).expect_err("there is one `a` only");
        assert_eq!(
            (unmatched.passed, unmatched.marks, unmatched.steps),
            (2, 3, 2)
        );
        let goal = |node: NodeId| node.index() == 0;
        let unlimited = Budget::unlimited();
        let never = find(&graph, &marks[..1], goal, |_| true, &unlimited).expect("no limit");
        assert_eq!(never.expect_err("it is left").passed, 1);
    }

    #[test]
    fn what_is_said_of_all_shortest_ways_is_so_of_each() {
        let mut compared = 0;
        for seed in 0..400 {
            let lts = random_system(seed);
            let graph = tagged(&lts, &["BAD"], TagReading::Branching);
            let a = SearchMark::Action(LabelSet::new(&lts, |label| label.text == "a"));
            let two = SearchMark::State(StateId::new(1));
            for marks in [vec![], vec![a.clone()], vec![two.clone()], vec![a, two]] {
                let naive = (0..7).map(|length| {
                    let mut ways = ways(&graph, if graph.initial().is_some() { length } else { 0 });
                    ways.retain(|way| {
                        graph.initial().is_some()
                            && graph.accepting(way.nodes[way.len()])
                            && passes(&graph, way, &marks)
                    });
                    ways
                });
                let Some(naive) = naive.into_iter().find(|ways| !ways.is_empty()) else {
                    continue;
                };
                compared += 1;
                let shortest = found(&graph, &marks).expect("there is one");
                assert_eq!(shortest.count, Some(BigUint::from(naive.len())));
                let kept = |way: &Course| {
                    let kept = way.kept(&graph, |_| true);
                    kept.into_iter().filter(|kept| *kept).count()
                };
                assert_eq!(Some(shortest.least), naive.iter().map(kept).min());
                assert_eq!(Some(shortest.most), naive.iter().map(kept).max());
                let first = |way: &&Course| (way.labels.clone(), kept(way), way.nodes.clone());
                let first = naive.iter().min_by_key(first);
                assert_eq!(Some(&shortest.course), first);
            }
        }
        assert!(compared > 300, "{compared}");
    }
}
