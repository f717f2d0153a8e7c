//! The spine of an evidence: what its main run must do, state by state.
//!
//! A *point* is a state together with what is to be shown from there on. Points form a graph: a run of an
//! evidence is a way through it to a point where nothing is left to show, or to one where a loop begins.
//! The graph is explored only as far as runs of a given length need it, and says of each point how many
//! steps are left at least.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::Run;
use wherefore_logic::{Goal, Kernel};
use wherefore_proof::Claim;
use wherefore_space::{Rings, StateSpace};

use super::around::{AroundRun, steps_to};
use super::turns::LoopTurns;
use crate::case::{Finite, ProofCase};
use crate::fragment::{FragmentSpot, SearchHalt};
use crate::greedy::BoundedEnd;
use crate::search::EvidenceSearch;

/// What is to be shown: a goal and, within a bounded operator, how many steps are left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct SpineStage {
    pub(super) goal: Goal,
    pub(super) left: Option<u32>,
}

impl SpineStage {
    pub(super) fn of(goal: Goal) -> Self {
        Self { goal, left: None }
    }
}

/// How a finite run may end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SpineArrival {
    /// Nothing is left to show that takes steps.
    Goal,
    /// In a deadlock.
    Deadlock,
    /// Anywhere.
    Stop,
}

/// The number of a point.
pub(super) type PointId = usize;

/// A state and what is to be shown there.
pub(super) struct SpinePoint {
    pub(super) spot: FragmentSpot,
    pub(super) stage: SpineStage,
    /// How a run may end here.
    pub(super) arrival: Option<SpineArrival>,
    /// Whether a loop may begin here.
    pub(super) home: bool,
    /// Points where the run goes on: with a step, or at the same state with something else to show.
    pub(super) next: Vec<(PointId, bool)>,
    /// The fewest steps to the end of a run; `None` when no run leads on from here.
    pub(super) left: Option<u32>,
    /// The fewest steps to where a loop may begin; `None` when there is none.
    pub(super) to_home: Option<u32>,
    before: Vec<(PointId, bool)>,
    depth: u32,
    explored: bool,
    /// The fewest steps of a loop from here, and whether that is certain.
    turn: (u32, bool),
    turns: Option<Rc<LoopTurns>>,
}

/// The points of a claim.
pub(super) struct Spine<'c, 's, S: StateSpace> {
    pub(super) search: EvidenceSearch<'c, 's, S>,
    around: AroundRun,
    points: Vec<SpinePoint>,
    numbers: FxHashMap<(FragmentSpot, SpineStage), PointId>,
    /// Points to explore: the shortest run through them, deepest first, then in order of discovery.
    open: BinaryHeap<Reverse<(u32, Reverse<u32>, PointId)>>,
    /// Whether the search came to its limits: what is not explored stays so.
    pub(super) cut: bool,
    /// Whether some successors or loops were not looked at.
    pub(super) narrowed: bool,
}

impl<'c, 's, S: StateSpace> Spine<'c, 's, S> {
    pub(super) fn new(search: EvidenceSearch<'c, 's, S>) -> Self {
        Self {
            search,
            around: AroundRun::default(),
            points: vec![],
            numbers: FxHashMap::default(),
            open: BinaryHeap::new(),
            cut: false,
            narrowed: false,
        }
    }

    fn case(&self) -> &'c ProofCase<'c, 's, S> {
        self.search.case
    }

    pub(super) fn point(&self, id: PointId) -> &SpinePoint {
        &self.points[id]
    }

    /// The point where a run of the claim starts.
    pub(super) fn start(&mut self, state: &S::State, goal: Goal) -> Result<PointId, SearchHalt> {
        let spot = self.search.spot(state);
        self.reach(spot, SpineStage::of(goal), 0)
    }

    /// Looks at everything that runs with at most so many steps can use.
    pub(super) fn settle(&mut self, steps: u32) -> Result<(), SearchHalt> {
        while let Some(&Reverse((least, _, point))) = self.open.peek() {
            if least > steps {
                break;
            }
            self.open.pop();
            // A point is filed again when a shorter way to it is found, but explored once.
            if self.points[point].explored {
                continue;
            }
            match self.explore(point) {
                Err(SearchHalt::Exhausted) => {
                    self.cut = true;
                    self.open.clear();
                }
                other => other?,
            }
        }
        for point in 0..self.points.len() {
            let SpinePoint {
                home, depth, turn, ..
            } = &self.points[point];
            // Loops are costly to list, so they are listed only where one could still be short enough.
            if *home && !turn.1 && depth + turn.0 <= steps {
                self.turns(point)?;
            }
        }
        self.measure();
        Ok(())
    }

    /// The loops that may begin at a point; `None` when the search ends before they are known.
    pub(super) fn turns(&mut self, id: PointId) -> Result<Option<Rc<LoopTurns>>, SearchHalt> {
        if let Some(turns) = &self.points[id].turns {
            return Ok(Some(turns.clone()));
        }
        let SpinePoint { spot, stage, .. } = self.points[id];
        let path = self.case().path(Claim::Formula(stage.goal, None))?;
        let turns = match LoopTurns::new(&mut self.search, &mut self.around, &path, spot) {
            Ok(turns) => Rc::new(turns),
            Err(SearchHalt::Exhausted) => {
                self.cut = true;
                // A loop of one step is known without the search.
                self.points[id].home = self.points[id].turn == (1, true);
                return Ok(None);
            }
            Err(stop) => return Err(stop),
        };
        self.narrowed |= turns.cut;
        let point = &mut self.points[id];
        match turns.shortest() {
            Some(shortest) => point.turn = (shortest, true),
            None => point.home = false,
        }
        point.turns = Some(turns.clone());
        Ok(Some(turns))
    }

    /// The successors of a state, of too many some that are wanted, and whether these are all.
    fn after(
        &mut self,
        spot: FragmentSpot,
        wanted: impl FnOnce() -> Run<Option<S::Set>>,
    ) -> Result<(Rc<[FragmentSpot]>, bool), SearchHalt> {
        let (after, all) = self.around.after(&mut self.search, spot, wanted)?;
        self.narrowed |= !all;
        Ok((after, all))
    }

    /// Whether a single step closes a loop at a point.
    pub(super) fn rests(&self, id: PointId) -> bool {
        self.points[id].turn == (1, true)
    }

    fn reach(
        &mut self,
        spot: FragmentSpot,
        stage: SpineStage,
        depth: u32,
    ) -> Result<PointId, SearchHalt> {
        let known = self.numbers.get(&(spot, stage)).copied();
        let id = known.unwrap_or_else(|| {
            self.points.push(SpinePoint {
                spot,
                stage,
                arrival: None,
                home: false,
                next: vec![],
                left: None,
                to_home: None,
                before: vec![],
                depth: u32::MAX,
                explored: false,
                // A loop has at least two steps unless the state rests, which is seen when the point is
                // explored.
                turn: (2, false),
                turns: None,
            });
            self.numbers.insert((spot, stage), self.points.len() - 1);
            self.points.len() - 1
        });
        if depth < self.points[id].depth {
            self.points[id].depth = depth;
            let least = self.at_least(spot, stage)?;
            if !self.points[id].explored {
                let least = depth.saturating_add(least);
                self.open.push(Reverse((least, Reverse(depth), id)));
            }
        }
        Ok(id)
    }

    /// How many steps are left at a point at least, before anybody looked.
    fn at_least(&self, spot: FragmentSpot, stage: SpineStage) -> Result<u32, SearchHalt> {
        let case = self.case();
        if let (true, Kernel::Path(pattern)) =
            (case.needs_steps(stage.goal), case.kernel(stage.goal))
        {
            let path = case.path(Claim::Formula(stage.goal, None))?;
            let distance = path.rings.distance(self.search.state(spot));
            return Ok(distance.unwrap_or(0) + case.least_end(&pattern));
        }
        Ok(case.least_steps(stage.goal))
    }

    fn link(
        &mut self,
        from: PointId,
        spot: FragmentSpot,
        stage: SpineStage,
        step: bool,
    ) -> Result<(), SearchHalt> {
        let depth = self.points[from].depth + u32::from(step);
        let to = self.reach(spot, stage, depth)?;
        self.points[from].next.push((to, step));
        self.points[to].before.push((from, step));
        Ok(())
    }

    fn explore(&mut self, id: PointId) -> Result<(), SearchHalt> {
        self.search.visit()?;
        let SpinePoint { spot, stage, .. } = self.points[id];
        let case = self.case();
        let goal = stage.goal;
        let state = self.search.state(spot).clone();
        if !case.needs_steps(goal) {
            self.points[id].arrival = Some(SpineArrival::Goal);
            self.points[id].explored = true;
            return Ok(());
        }
        match case.kernel(goal) {
            Kernel::State => unreachable!("a state claim needs no steps"),
            Kernel::Branches(branches) => {
                for goals in branches {
                    if goals.iter().all(|&goal| case.is_so(goal, &state)) {
                        self.go_on(id, &goals)?;
                    }
                }
            }
            Kernel::Step(_, next) => {
                let target = case.space.meet(&*case.set(next)?, case.live()?)?;
                let (after, _) = self.after(spot, || Ok(Some(target.clone())))?;
                for &successor in after.iter() {
                    self.search.visit()?;
                    if case.space.contains(&target, self.search.state(successor)) {
                        self.link(id, successor, SpineStage::of(next), true)?;
                    }
                }
            }
            Kernel::Path(_) => self.explore_path(id, &state)?,
            Kernel::Bounded(..) => self.explore_bounded(id, &state)?,
        }
        self.points[id].explored = true;
        Ok(())
    }

    /// Goes on with the first of the goals that needs steps; without any the run arrives.
    fn go_on(&mut self, id: PointId, goals: &[Goal]) -> Result<(), SearchHalt> {
        let case = self.case();
        match goals.iter().find(|&&goal| case.needs_steps(goal)) {
            Some(&goal) => self.link(id, self.points[id].spot, SpineStage::of(goal), false),
            None => {
                self.points[id].arrival = Some(SpineArrival::Goal);
                Ok(())
            }
        }
    }

    fn explore_path(&mut self, id: PointId, state: &S::State) -> Result<(), SearchHalt> {
        let SpinePoint { spot, stage, .. } = self.points[id];
        let case = self.case();
        let space = case.space;
        let path = case.path(Claim::Formula(stage.goal, None))?;
        if space.contains(&path.sets.goal, state) {
            let goals = path.pattern.goal.clone().unwrap_or_default();
            self.go_on(id, &goals)?;
        }
        // A run ends where it first can, so it does not go on from an arrival.
        if self.points[id].arrival.is_some() || !space.contains(&path.sets.stay, state) {
            return Ok(());
        }
        if path.pattern.weak {
            let dead = || Ok::<_, SearchHalt>(space.contains(case.checker.dead()?, state));
            self.points[id].arrival = match path.finite {
                Finite::Anywhere => Some(SpineArrival::Stop),
                Finite::InDeadlock if dead()? => Some(SpineArrival::Deadlock),
                Finite::InDeadlock | Finite::Never => None,
            };
            if self.points[id].arrival.is_some() {
                return Ok(());
            }
        }
        let nearer = || {
            let distance = path.rings.distance(state).unwrap_or(0);
            let nearer = distance.checked_sub(1).and_then(|d| path.rings.ring(d));
            Ok(Some(nearer.unwrap_or_else(|| path.rings.all().clone())))
        };
        let (successors, all) = self.after(spot, nearer)?;
        if path.pattern.weak && space.contains(&path.sets.endless, state) {
            self.points[id].home = true;
            let met = self.search.met(&path, spot)?;
            // Of too many successors only some were taken, and the state itself may be among the others.
            let rests = successors.contains(&spot) || !all && steps_to(&self.search, spot, spot)?;
            if rests && self.search.case.is_fair(&path, met) {
                self.points[id].turn = (1, true);
            }
        }
        for &successor in successors.iter() {
            self.search.visit()?;
            let inside = path.rings.distance(self.search.state(successor)).is_some();
            if inside {
                self.link(id, successor, stage, true)?;
            }
        }
        Ok(())
    }

    fn explore_bounded(&mut self, id: PointId, state: &S::State) -> Result<(), SearchHalt> {
        let SpinePoint { spot, stage, .. } = self.points[id];
        let case = self.case();
        let layers = case.layers(stage.goal)?;
        let left = stage.left.unwrap_or(layers.bounds.most);
        match case.bounded_end(&layers, left, state) {
            Some(BoundedEnd::Stop) => self.points[id].arrival = Some(SpineArrival::Stop),
            Some(BoundedEnd::Goal) => {
                let goals = layers.pattern.goal.clone().unwrap_or_default();
                self.go_on(id, &goals)?;
            }
            None => {}
        }
        let must_stay = !layers.pattern.weak || layers.inside(left);
        let stays = case.space.contains(&layers.stay, state);
        let Some(below) = left.checked_sub(1).filter(|_| stays || !must_stay) else {
            return Ok(());
        };
        if self.points[id].arrival.is_some() {
            return Ok(());
        }
        let stage = SpineStage {
            left: Some(below),
            ..stage
        };
        let layer = &layers.layers[below as usize];
        let (after, _) = self.after(spot, || Ok(Some(layer.clone())))?;
        for &successor in after.iter() {
            self.search.visit()?;
            if case.space.contains(layer, self.search.state(successor)) {
                self.link(id, successor, stage, true)?;
            }
        }
        Ok(())
    }

    /// Works out how many steps are left at each point: exactly where everything is explored, at least
    /// so many elsewhere.
    fn measure(&mut self) {
        // Where the search ended, what was not looked at leads nowhere.
        let unexplored: Vec<_> = match self.cut {
            true => vec![],
            false => (self.open.iter())
                .filter(|Reverse((.., id))| !self.points[*id].explored)
                .map(|&Reverse((least, Reverse(depth), id))| (id, least - depth))
                .collect(),
        };
        let arrivals = self.points.iter().enumerate().filter_map(|(id, point)| {
            let arrived = point.arrival.map(|_| 0);
            Some((id, arrived.or(point.home.then_some(point.turn.0))?))
        });
        let ends: Vec<_> = arrivals.chain(unexplored.iter().copied()).collect();
        let left = self.distances(&ends);
        let homes = self.points.iter().enumerate();
        let homes = homes.filter(|(_, point)| point.home).map(|(id, _)| (id, 0));
        let homes: Vec<_> = homes
            .chain(unexplored.iter().map(|&(id, _)| (id, 0)))
            .collect();
        let to_home = self.distances(&homes);
        for ((point, left), to_home) in self.points.iter_mut().zip(left).zip(to_home) {
            point.left = left;
            point.to_home = to_home;
        }
    }

    /// The fewest steps from each point to one of the ends, each of which counts so many itself.
    fn distances(&self, ends: &[(PointId, u32)]) -> Vec<Option<u32>> {
        let mut found: Vec<Option<u32>> = vec![None; self.points.len()];
        let mut ends = ends.to_vec();
        ends.sort_unstable_by_key(|&(id, own)| (own, id));
        let mut ends = VecDeque::from(ends);
        let mut open: VecDeque<(PointId, u32)> = VecDeque::new();
        loop {
            // Both queues are in order; the nearer front is next.
            let nearer = match (ends.front(), open.front()) {
                (None, None) => return found,
                (Some(end), Some(next)) => end.1 < next.1,
                (end, _) => end.is_some(),
            };
            let front = match nearer {
                true => ends.pop_front(),
                false => open.pop_front(),
            };
            let Some((id, distance)) = front else {
                return found;
            };
            if found[id].is_some_and(|known| known <= distance) {
                continue;
            }
            found[id] = Some(distance);
            for &(before, step) in &self.points[id].before {
                match step {
                    true => open.push_back((before, distance + 1)),
                    // A move without a step costs nothing, so it goes to the front, which keeps the queue in
                    // order.
                    false => open.push_front((before, distance)),
                }
            }
        }
    }
}

/// Whether the evidence of a goal is one main run. It is not where the first thing to do is to show
/// several claims that need a run each, nor where a region shows everything.
pub(super) fn has_main_run<S: StateSpace>(case: &ProofCase<'_, '_, S>, goal: Goal) -> bool {
    if !case.needs_steps(goal) {
        return case.query.formula.propositional()[goal.sub];
    }
    let mut seen = FxHashSet::from_iter([goal]);
    let mut open = vec![goal];
    while let Some(goal) = open.pop() {
        let Kernel::Branches(branches) = case.kernel(goal) else {
            continue;
        };
        for goals in branches {
            let mut needing = goals.into_iter().filter(|&goal| case.needs_steps(goal));
            let first = needing.next();
            if needing.next().is_some() {
                return false;
            }
            open.extend(first.filter(|&goal| seen.insert(goal)));
        }
    }
    true
}
