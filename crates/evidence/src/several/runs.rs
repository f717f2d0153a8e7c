//! All runs of a claim in order: fewest steps, then shorter prefix, then least states.
//!
//! Partial runs wait in a heap; each is filed under the best complete run that it may still become, so
//! complete runs leave the heap in order and nothing is tried before its turn. A run is told if it is
//! *simple*: it does not come back to a state while it is after the same thing (around its loop: while
//! the same fairness conditions are met), it does not touch the way to its loop again, and its loop, or
//! the run itself, ends where it first can. Every other run only adds a detour to one of these.
//!
//! Where runs differ by the values of some expressions only, of all partial runs at the same point that
//! look the same the first is kept, so many equal runs cost little.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use wherefore_logic::Goal;
use wherefore_space::StateSpace;

use super::signature::{Looks, RunSignature};
use super::spine::{PointId, Spine, SpineArrival, SpineStage};
use super::turns::LoopTurns;
use crate::fragment::{FragmentSpot, SearchHalt};

/// So many partial runs are looked at.
const MOST_TRIED: usize = 200_000;

/// A run that shows a claim.
#[derive(Clone, Debug)]
pub(super) struct ListedRun {
    /// Its states.
    pub(super) way: Vec<FragmentSpot>,
    /// What it is after, and from which position on.
    pub(super) stages: Vec<(SpineStage, usize)>,
    pub(super) end: RunEnd,
}

/// How a run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RunEnd {
    At(SpineArrival),
    /// With a step back to this position.
    Loop(usize),
}

/// The order of runs: a complete run before another, a partial one by the best that it may become.
struct Order<T> {
    steps: u32,
    prefix: u32,
    states: Vec<Rc<T>>,
}

impl<T: Ord> Order<T> {
    fn compare(&self, other: &Self) -> Ordering {
        let lengths = (self.steps, self.prefix).cmp(&(other.steps, other.prefix));
        lengths.then_with(|| self.states.cmp(&other.states))
    }
}

/// What a run in the heap does next.
#[derive(Clone)]
enum NextRun {
    /// Goes on from a point.
    On(PointId),
    /// Turns: within its loop, at the last of these pairs.
    Turn {
        home: PointId,
        turns: Option<Rc<LoopTurns>>,
        pairs: Vec<u32>,
    },
    /// Nothing: it is complete.
    Done(RunEnd),
}

struct Waiting<T> {
    order: Order<T>,
    /// Of equal ones the one that was filed first.
    number: usize,
    way: Vec<FragmentSpot>,
    stages: Vec<(SpineStage, usize)>,
    next: NextRun,
}

impl<T: Ord> Ord for Waiting<T> {
    /// The heap takes the greatest first.
    fn cmp(&self, other: &Self) -> Ordering {
        let order = self.order.compare(&other.order);
        order.then(self.number.cmp(&other.number)).reverse()
    }
}

impl<T: Ord> PartialOrd for Waiting<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> PartialEq for Waiting<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T: Ord> Eq for Waiting<T> {}

/// A point and how the way to it looks; within a loop also the pair, and how the loop looks.
type Glance = (PointId, Vec<u32>, Option<(u32, Vec<u32>)>);

/// The runs of a claim, one after the other.
pub(super) struct RunList<'c, 's, S: StateSpace> {
    pub(super) spine: Spine<'c, 's, S>,
    looks: Looks<'c>,
    waiting: BinaryHeap<Waiting<S::State>>,
    /// The states as they are compared.
    states: Vec<Rc<S::State>>,
    settled: Option<u32>,
    tried: usize,
    filed: usize,
    /// Whether a run that looks like no other was not tried, since it has a detour.
    missed: bool,
    /// Finite runs that are evidence: nothing that begins with one is told.
    arrived: FxHashSet<Vec<FragmentSpot>>,
    told: FxHashSet<RunSignature>,
    /// Partial runs that look the same, where looks count.
    seen: FxHashSet<Glance>,
}

impl<'c, 's, S: StateSpace> RunList<'c, 's, S> {
    /// The runs that start in one of these states, where the goal is so.
    pub(super) fn new(
        mut spine: Spine<'c, 's, S>,
        looks: Looks<'c>,
        starts: &[S::State],
        goal: Goal,
    ) -> Result<Self, SearchHalt> {
        let mut points = Vec::new();
        for state in starts {
            points.push(spine.start(state, goal)?);
        }
        let mut runs = Self {
            spine,
            looks,
            waiting: BinaryHeap::new(),
            states: vec![],
            settled: None,
            tried: 0,
            filed: 0,
            missed: false,
            arrived: FxHashSet::default(),
            told: FxHashSet::default(),
            seen: FxHashSet::default(),
        };
        runs.settle(0)?;
        for point in points {
            let way = vec![runs.spine.point(point).spot];
            runs.file(way, vec![(SpineStage::of(goal), 0)], NextRun::On(point));
        }
        Ok(runs)
    }

    /// Takes a run as told already.
    pub(super) fn skip(&mut self, states: &[S::State], back: Option<usize>) {
        let way: Vec<FragmentSpot> = states.iter().map(|s| self.spine.search.spot(s)).collect();
        let signature = self.signature(&way, back);
        self.told.insert(signature);
    }

    /// The next run that differs from all that were told; `None`: there are no more.
    pub(super) fn next(&mut self) -> Result<Option<ListedRun>, SearchHalt> {
        while let Some(waiting) = self.waiting.pop() {
            let Waiting {
                order,
                way,
                stages,
                next,
                ..
            } = waiting;
            if self.settled.is_none_or(|settled| settled < order.steps) {
                self.settle(order.steps)?;
            }
            // What was looked at since may have shown that the run becomes longer than it seemed.
            let now = self.steps_and_prefix(&way, &next);
            if now != Some((order.steps, order.prefix)) {
                self.file(way, stages, next);
                continue;
            }
            self.try_another()?;
            if self.begins_with_another(&way) {
                continue;
            }
            match next {
                NextRun::On(point) => self.go_on(way, stages, point)?,
                NextRun::Turn { home, turns, pairs } => {
                    let turns = match turns {
                        Some(turns) => turns,
                        None => match self.spine.turns(home)? {
                            Some(turns) => turns,
                            None => continue,
                        },
                    };
                    self.turn(way, stages, home, turns, &pairs);
                }
                NextRun::Done(end) => {
                    let back = match end {
                        RunEnd::At(_) => {
                            self.arrived.insert(way.clone());
                            None
                        }
                        RunEnd::Loop(back) => Some(back),
                    };
                    let signature = self.signature(&way, back);
                    if self.told.insert(signature) {
                        return Ok(Some(ListedRun { way, stages, end }));
                    }
                }
            }
        }
        // Where something was left out, the end of the list does not mean that there are no more runs.
        match self.spine.cut || self.spine.narrowed || self.missed {
            true => Err(SearchHalt::Exhausted),
            false => Ok(None),
        }
    }

    fn try_another(&mut self) -> Result<(), SearchHalt> {
        self.tried += 1;
        if self.tried > MOST_TRIED {
            return Err(SearchHalt::Exhausted);
        }
        self.spine.search.visit()
    }

    fn settle(&mut self, steps: u32) -> Result<(), SearchHalt> {
        self.spine.settle(steps)?;
        self.settled = Some(steps);
        Ok(())
    }

    /// Puts a partial or complete run into the heap, unless it leads nowhere.
    fn file(&mut self, way: Vec<FragmentSpot>, stages: Vec<(SpineStage, usize)>, next: NextRun) {
        let Some((steps, prefix)) = self.steps_and_prefix(&way, &next) else {
            return;
        };
        let states = way.iter().map(|&spot| self.state(spot)).collect();
        self.filed += 1;
        self.waiting.push(Waiting {
            order: Order {
                steps,
                prefix,
                states,
            },
            number: self.filed,
            way,
            stages,
            next,
        });
    }

    fn state(&mut self, spot: FragmentSpot) -> Rc<S::State> {
        while self.states.len() <= spot as usize {
            let next = FragmentSpot::try_from(self.states.len()).expect("a fragment is small");
            self.states
                .push(Rc::new(self.spine.search.state(next).clone()));
        }
        self.states[spot as usize].clone()
    }

    /// How many steps a run has in the end at least, and how many before its loop.
    fn steps_and_prefix(&self, way: &[FragmentSpot], next: &NextRun) -> Option<(u32, u32)> {
        let length = |states: usize| u32::try_from(states).unwrap_or(u32::MAX);
        let depth = length(way.len()) - 1;
        match next {
            NextRun::On(point) => {
                let point = self.spine.point(*point);
                let steps = depth + point.left?;
                Some((
                    steps,
                    point.to_home.map_or(steps, |to| steps.min(depth + to)),
                ))
            }
            NextRun::Turn { turns, pairs, .. } => {
                let left = match (turns, pairs.last()) {
                    (Some(turns), Some(&pair)) => turns.pair(pair).left?,
                    // A loop of one step is filed apart, so every other has at least two.
                    _ => 2,
                };
                Some((depth + left, depth + 1 - length(pairs.len())))
            }
            NextRun::Done(RunEnd::At(_)) => Some((depth, depth)),
            NextRun::Done(RunEnd::Loop(back)) => Some((depth + 1, length(*back))),
        }
    }

    fn begins_with_another(&self, way: &[FragmentSpot]) -> bool {
        let mut shorter = (1..way.len()).map(|length| &way[..length]);
        !self.arrived.is_empty() && shorter.any(|way| self.arrived.contains(way))
    }

    fn go_on(
        &mut self,
        way: Vec<FragmentSpot>,
        stages: Vec<(SpineStage, usize)>,
        point: PointId,
    ) -> Result<(), SearchHalt> {
        if !self.is_new(point, &way, None) {
            return Ok(());
        }
        let here = self.spine.point(point);
        let (arrival, home) = (here.arrival, here.home);
        if let Some(arrival) = arrival {
            self.file(way, stages, NextRun::Done(RunEnd::At(arrival)));
            return Ok(());
        }
        let depth = way.len() - 1;
        if home {
            if self.spine.rests(point) {
                let end = NextRun::Done(RunEnd::Loop(depth));
                self.file(way.clone(), stages.clone(), end);
            }
            let turn = NextRun::Turn {
                home: point,
                turns: None,
                pairs: vec![0],
            };
            self.file(way.clone(), stages.clone(), turn);
        }
        let (here, entry) = *stages.last().expect("a run is after something");
        for (next, step) in self.spine.point(point).next.clone() {
            let to = self.spine.point(next);
            let (spot, stage) = (to.spot, to.stage);
            let (mut way, mut stages) = (way.clone(), stages.clone());
            if step {
                let detour = stage == here && way[entry..].contains(&spot);
                way.push(spot);
                if detour {
                    self.leave_out(next, &way, None);
                    continue;
                }
            }
            if stage.goal != here.goal || !step {
                stages.push((stage, way.len() - 1));
            }
            self.file(way, stages, NextRun::On(next));
        }
        Ok(())
    }

    /// Goes on within a loop.
    fn turn(
        &mut self,
        way: Vec<FragmentSpot>,
        stages: Vec<(SpineStage, usize)>,
        home: PointId,
        turns: Rc<LoopTurns>,
        pairs: &[u32],
    ) {
        let last = *pairs.last().expect("a loop starts with a pair");
        let back = way.len() - pairs.len();
        if !self.is_new(home, &way, Some((last, back))) {
            return;
        }
        let pair = turns.pair(last);
        // A loop of one step was told without looking at others.
        if pair.closes && (pairs.len() > 1 || !self.spine.rests(home)) {
            let end = NextRun::Done(RunEnd::Loop(back));
            self.file(way.clone(), stages.clone(), end);
        }
        let (_, entry) = *stages.last().expect("a run is after something");
        for &next in &pair.next {
            let spot = turns.pair(next).spot;
            let (mut way, mut pairs) = (way.clone(), pairs.to_vec());
            let detour = pairs.contains(&next) || way[entry..back].contains(&spot);
            way.push(spot);
            if detour {
                self.leave_out(home, &way, Some((next, back)));
                continue;
            }
            pairs.push(next);
            let turn = NextRun::Turn {
                home,
                turns: Some(turns.clone()),
                pairs,
            };
            self.file(way, stages.clone(), turn);
        }
    }

    /// Whether no partial run at the same point looked the same.
    fn is_new(
        &mut self,
        point: PointId,
        way: &[FragmentSpot],
        within: Option<(u32, usize)>,
    ) -> bool {
        if !self.looks.merged() {
            return true;
        }
        let seen = self.glance(point, way, within);
        self.seen.insert(seen)
    }

    /// Notes a run with a detour that is not tried, although it may look like no other.
    fn leave_out(&mut self, point: PointId, way: &[FragmentSpot], within: Option<(u32, usize)>) {
        if self.looks.merged() && !self.missed {
            let seen = self.glance(point, way, within);
            self.missed = !self.seen.contains(&seen);
        }
    }

    /// How a partial run at a point, or within a loop at a pair, looks.
    fn glance(
        &mut self,
        point: PointId,
        way: &[FragmentSpot],
        within: Option<(u32, usize)>,
    ) -> Glance {
        let back = within.map_or(way.len(), |(_, back)| back);
        let mut looks = self.looks_of(way);
        let mut turn = looks.split_off(back);
        looks.dedup();
        turn.dedup();
        (point, looks, within.map(|(pair, _)| (pair, turn)))
    }

    fn looks_of(&mut self, way: &[FragmentSpot]) -> Vec<u32> {
        let search = &self.spine.search;
        let space = search.case.space;
        let looks = way.iter().map(|&spot| {
            let values = || space.values(search.state(spot));
            self.looks.look(spot, values)
        });
        looks.collect()
    }

    fn signature(&mut self, way: &[FragmentSpot], back: Option<usize>) -> RunSignature {
        let looks = self.looks_of(way);
        RunSignature::new(looks, back, self.looks.merged())
    }
}
