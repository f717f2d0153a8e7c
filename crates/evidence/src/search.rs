//! Exact search for the shortest plan: fewest steps or occurrences, then shorter prefix, then fewest
//! changes of variables, then least states.
//!
//! All states of a path are tried as the point where it ends or where its loop begins, nearest first;
//! rings say how far the nearest end is, so whatever cannot beat the best plan so far is cut. A fair
//! loop is searched among pairs of a state and the set of constraints met so far. The size of a plan,
//! its prefix and its changes are sums over its parts, so the best plan is made of best parts; of the
//! shortest ways to a state a [`SearchTrail`] keeps the best.

use std::cmp::Ordering;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::deep;
use wherefore_logic::{Goal, Kernel};
use wherefore_proof::Claim;
use wherefore_space::{Rings, StateSpace};

use crate::case::{Finite, PathCase, ProofCase};
use crate::fragment::{FragmentSpot, SearchHalt, SearchLimits, SpaceFragment};
use crate::greedy::BoundedEnd;
use crate::plan::{PlanEnd, PlanRef, ProofPlan, Weight};
use crate::trail::SearchTrail;

/// Of the shortest paths to a goal the one with the fewest changes is found when the states on them have
/// at most so many successors together.
const SHORTEST_PATHS: usize = 10_000;

/// A plan that starts at a spot.
#[derive(Clone, Debug)]
pub(crate) struct FoundPlan<T> {
    pub(crate) start: FragmentSpot,
    pub(crate) plan: PlanRef<T>,
    pub(crate) weight: Weight,
}

/// Plans for several goals with their weight.
type Together<S> = Result<Option<(Vec<PlanRef<<S as StateSpace>::State>>, Weight)>, SearchHalt>;

type SearchAnswer<S> = Result<Option<FoundPlan<<S as StateSpace>::State>>, SearchHalt>;

/// A plan's end: the spots on the way to it, the end itself and its weight.
type SearchEnd<T> = (Vec<FragmentSpot>, PlanEnd<T>, Weight);

/// What a search counts: both make the same of a path, but a loop has one step more than occurrences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CountedMeasure {
    /// Steps.
    Steps,
    /// Occurrences after the first.
    Nodes,
}

/// What is known of a claim at a spot: the best plan, or that none is at most so large.
enum KnownCosts<T> {
    Best(FoundPlan<T>),
    NoneUpTo(u32),
}

pub(crate) struct EvidenceSearch<'c, 's, S: StateSpace> {
    pub(crate) case: &'c ProofCase<'c, 's, S>,
    fragment: SpaceFragment<'s, S>,
    counted: CountedMeasure,
    known: FxHashMap<(Claim, FragmentSpot), KnownCosts<S::State>>,
}

impl<'c, 's, S: StateSpace> EvidenceSearch<'c, 's, S> {
    pub(crate) fn new(
        case: &'c ProofCase<'c, 's, S>,
        counted: CountedMeasure,
        limits: SearchLimits,
    ) -> Self {
        Self {
            case,
            fragment: SpaceFragment::new(case.space, limits, None),
            counted,
            known: FxHashMap::default(),
        }
    }

    /// A search for runs through these states only. What needs no run is shown by the whole space.
    pub(crate) fn within(
        case: &'c ProofCase<'c, 's, S>,
        limits: SearchLimits,
        states: S::Set,
    ) -> Self {
        Self {
            case,
            fragment: SpaceFragment::new(case.space, limits, Some(states)),
            counted: CountedMeasure::Steps,
            known: FxHashMap::default(),
        }
    }

    pub(crate) fn spot(&mut self, state: &S::State) -> FragmentSpot {
        self.fragment.spot(state)
    }

    pub(crate) fn state(&self, spot: FragmentSpot) -> &S::State {
        self.fragment.state(spot)
    }

    /// Counts one visit.
    pub(crate) fn visit(&mut self) -> Result<(), SearchHalt> {
        self.fragment.visit()
    }

    /// The best plan of at most the size `limit` for a claim that is so at all the starts, which are in
    /// order.
    pub(crate) fn best_from(
        &mut self,
        claim: Claim,
        starts: &[FragmentSpot],
        limit: u32,
    ) -> SearchAnswer<S> {
        if let Some((number, goals, inner)) = self.only_branch(claim) {
            let Some(found) = self.best_from(Claim::Formula(goals[inner], None), starts, limit)?
            else {
                return Ok(None);
            };
            let at = self.state(found.start).clone();
            let mut plans = self.case.greedy_all(&goals, &at)?;
            plans[inner] = found.plan.clone();
            return Ok(Some(FoundPlan {
                plan: Rc::new(ProofPlan::Branch(number, plans)),
                ..found
            }));
        }
        if self.is_path(claim) {
            let path = self.case.path(claim)?;
            return self.best_path(&path, starts, limit);
        }
        let mut best: Option<FoundPlan<S::State>> = None;
        let mut limit = limit;
        for &start in starts {
            self.fragment.visit()?;
            if let Some(found) = self.best(claim, start, limit)? {
                limit = limit.min(found.weight.size);
                self.keep_better(&mut best, found);
            }
        }
        Ok(best)
    }

    /// The branch, its goals and the one that needs steps, if there is but one branch with but one such.
    fn only_branch(&self, claim: Claim) -> Option<(usize, Vec<Goal>, usize)> {
        let Claim::Formula(goal, _) = claim else {
            return None;
        };
        let Kernel::Branches(mut branches) = self.case.kernel(goal) else {
            return None;
        };
        if branches.len() != 1 {
            return None;
        }
        let goals = branches.remove(0);
        let needs = |goal: &Goal| self.case.needs_steps(*goal);
        let inner = goals.iter().position(needs)?;
        let others = goals.iter().skip(inner + 1).any(needs);
        (!others).then_some((0, goals, inner))
    }

    fn is_path(&self, claim: Claim) -> bool {
        match claim {
            Claim::HasPath => true,
            Claim::Formula(goal, _) => {
                self.case.needs_steps(goal) && matches!(self.case.kernel(goal), Kernel::Path(_))
            }
        }
    }

    fn keep_better(&self, best: &mut Option<FoundPlan<S::State>>, found: FoundPlan<S::State>) {
        let Some(old) = best else {
            *best = Some(found);
            return;
        };
        let by_states = || {
            let told = |f: &FoundPlan<S::State>| {
                let start = self.state(f.start).clone();
                [vec![start], f.plan.states()].concat()
            };
            told(&found).cmp(&told(old))
        };
        if found.weight.cmp(&old.weight).then_with(by_states).is_lt() {
            *best = Some(found);
        }
    }

    /// The best plan of at most the size `limit` for a claim that is so at a spot.
    fn best(&mut self, claim: Claim, at: FragmentSpot, limit: u32) -> SearchAnswer<S> {
        match self.known.get(&(claim, at)) {
            Some(KnownCosts::Best(found)) => {
                return Ok((found.weight.size <= limit).then(|| found.clone()));
            }
            Some(KnownCosts::NoneUpTo(most)) if *most >= limit => return Ok(None),
            _ => {}
        }
        let found = deep(|| self.best_anew(claim, at, limit))?;
        let known = match &found {
            Some(found) => KnownCosts::Best(found.clone()),
            None => KnownCosts::NoneUpTo(limit),
        };
        self.known.insert((claim, at), known);
        Ok(found)
    }

    fn best_anew(&mut self, claim: Claim, at: FragmentSpot, limit: u32) -> SearchAnswer<S> {
        self.fragment.visit()?;
        let Claim::Formula(goal, bounds) = claim else {
            let path = self.case.path(claim)?;
            return self.best_path(&path, &[at], limit);
        };
        if !self.case.needs_steps(goal) {
            let plan = self.case.greedy(claim, &self.state(at).clone())?;
            return Ok(Some(found(at, plan, Weight::default())));
        }
        match self.case.kernel(goal) {
            Kernel::State => unreachable!("a state claim needs no steps"),
            Kernel::Branches(branches) => self.best_branch(&branches, at, limit),
            Kernel::Step(_, next) => self.best_step(next, at, limit),
            Kernel::Path(_) => {
                let path = self.case.path(claim)?;
                self.best_path(&path, &[at], limit)
            }
            Kernel::Bounded(whole, _) => {
                let most = bounds.unwrap_or(whole).most;
                self.best_bounded(goal, most, at, limit)
            }
        }
    }

    fn best_branch(
        &mut self,
        branches: &[Vec<Goal>],
        at: FragmentSpot,
        limit: u32,
    ) -> SearchAnswer<S> {
        let mut best = None;
        let mut limit = limit;
        for (number, goals) in branches.iter().enumerate() {
            let state = self.state(at).clone();
            if !goals.iter().all(|&goal| self.case.is_so(goal, &state)) {
                continue;
            }
            if let Some((plans, weight)) = self.best_all(goals, at, limit)? {
                limit = limit.min(weight.size);
                // Of equal branches the first: a later one must be better.
                let better = |old: &FoundPlan<S::State>| weight < old.weight;
                if best.as_ref().is_none_or(better) {
                    best = Some(found(at, Rc::new(ProofPlan::Branch(number, plans)), weight));
                }
            }
        }
        Ok(best)
    }

    /// The best plans for all goals at a spot, together at most of the size `limit`.
    fn best_all(&mut self, goals: &[Goal], at: FragmentSpot, limit: u32) -> Together<S> {
        let mut plans = Vec::new();
        let mut weight = Weight::default();
        let mut left = limit;
        for &goal in goals {
            let Some(found) = self.best(Claim::Formula(goal, None), at, left)? else {
                return Ok(None);
            };
            left -= found.weight.size;
            weight = weight.plus(found.weight);
            plans.push(found.plan);
        }
        Ok(Some((plans, weight)))
    }

    fn best_step(&mut self, next: Goal, at: FragmentSpot, limit: u32) -> SearchAnswer<S> {
        let Some(limit) = limit.checked_sub(1) else {
            return Ok(None);
        };
        let target = self.case.set(next)?;
        let live = self.case.live()?;
        let mut best = None;
        let mut left = limit;
        for &successor in self.fragment.next(at)?.iter() {
            self.fragment.visit()?;
            let state = self.state(successor).clone();
            let space = self.case.space;
            if !space.contains(&target, &state) || !space.contains(live, &state) {
                continue;
            }
            if let Some(rest) = self.best(Claim::Formula(next, None), successor, left)? {
                left = left.min(rest.weight.size);
                let changes = self.fragment.changes(at, successor);
                let weight = Weight::straight(1, changes).plus(rest.weight);
                let plan = Rc::new(ProofPlan::Step(state, rest.plan));
                self.keep_better(&mut best, found(at, plan, weight));
            }
        }
        Ok(best)
    }

    fn best_path(
        &mut self,
        path: &PathCase<S>,
        starts: &[FragmentSpot],
        limit: u32,
    ) -> SearchAnswer<S> {
        let goals = path.pattern.goal.clone().unwrap_or_default();
        let straight = !path.pattern.weak && !goals.iter().any(|&goal| self.case.needs_steps(goal));
        // The rings know of no restriction.
        if straight && !self.fragment.is_restricted() {
            return self.nearest_goal(path, &goals, starts, limit);
        }
        let end = match self.counted {
            CountedMeasure::Steps => self.case.least_end(&path.pattern),
            CountedMeasure::Nodes => 0,
        };
        let mut limit = limit;
        let mut best: Option<FoundPlan<S::State>> = None;
        let mut trail = SearchTrail::new(starts.iter().copied());
        let mut at = 0;
        while let Some(visit) = trail.visit(at, |a, b| self.order(*a, *b)) {
            self.fragment.visit()?;
            let Some(left) = limit.checked_sub(visit.depth) else {
                break;
            };
            let way = Weight::straight(visit.depth, visit.changes);
            for (more, end, weight) in self.ends(path, &goals, visit.place, visit.depth, left)? {
                let weight = way.plus(weight);
                if weight.size <= limit {
                    limit = weight.size;
                    let (start, mut spots) = trail.way(at);
                    spots.extend(more);
                    let plan = Rc::new(ProofPlan::Path(self.states(&spots), end));
                    self.keep_better(&mut best, found(start, plan, weight));
                }
            }
            let state = self.fragment.state(visit.place);
            let stays = self.case.space.contains(&path.sets.stay, state);
            if stays && visit.depth + end < limit {
                let near = limit - visit.depth - end - 1;
                let nexts = self.fragment.next_toward(visit.place, &path.rings, near)?;
                for &next in nexts.iter() {
                    self.fragment.visit()?;
                    if !trail.admits(next, at) {
                        continue;
                    }
                    if path.rings.is_within(self.fragment.state(next), near) {
                        trail.reach(next, at, self.fragment.changes(visit.place, next));
                    } else {
                        // Later visits are deeper and the limit only falls: one look is enough.
                        trail.skip(next);
                    }
                }
            }
            at += 1;
        }
        Ok(best)
    }

    /// How a path may end at a spot, of at most the size `left`.
    fn ends(
        &mut self,
        path: &PathCase<S>,
        goals: &[Goal],
        spot: FragmentSpot,
        depth: u32,
        left: u32,
    ) -> Result<Vec<SearchEnd<S::State>>, SearchHalt> {
        let space = self.case.space;
        let state = self.state(spot).clone();
        let mut ends = Vec::new();
        if space.contains(&path.sets.goal, &state)
            && let Some((plans, weight)) = self.best_all(goals, spot, left)?
        {
            ends.push((vec![], PlanEnd::Goal(plans), weight));
        }
        if path.pattern.weak && space.contains(&path.sets.stay, &state) {
            match path.finite {
                Finite::Anywhere => ends.push((vec![], PlanEnd::Stop, Weight::default())),
                Finite::InDeadlock if space.contains(self.case.checker.dead()?, &state) => {
                    ends.push((vec![], PlanEnd::Deadlock, Weight::default()));
                }
                _ => {}
            }
            if path.finite != Finite::Anywhere
                && space.contains(&path.sets.endless, &state)
                && let Some((turn, weight)) = self.shortest_loop(path, spot, left)?
            {
                ends.push((turn, PlanEnd::Loop(depth as usize), weight));
            }
        }
        Ok(ends)
    }

    /// The best shortest path to a goal that needs no further steps: straight down the rings.
    fn nearest_goal(
        &mut self,
        path: &PathCase<S>,
        goals: &[Goal],
        starts: &[FragmentSpot],
        limit: u32,
    ) -> SearchAnswer<S> {
        let distance = |&spot: &FragmentSpot| Some((path.rings.distance(self.state(spot))?, spot));
        let distances: Vec<(u32, FragmentSpot)> = starts.iter().filter_map(distance).collect();
        let nearest = distances.iter().map(|&(distance, _)| distance).min();
        let Some(nearest) = nearest.filter(|&nearest| nearest <= limit) else {
            return Ok(None);
        };
        let near = distances.into_iter();
        let near = near.filter(|&(distance, _)| distance == nearest);
        let near: Vec<FragmentSpot> = near.map(|(_, spot)| spot).collect();
        let (start, spots) = match self.descend_all(path, &near, nearest) {
            Ok(Some(way)) => way,
            Ok(None) | Err(SearchHalt::Exhausted) => {
                let from = self.state(near[0]).clone();
                let states = self.case.descend(&path.rings, &from)?;
                let spots = states.iter().map(|state| self.spot(state)).collect();
                (near[0], spots)
            }
            Err(stop) => return Err(stop),
        };
        let last = self.state(*spots.last().unwrap_or(&start)).clone();
        let plans = self.case.greedy_all(goals, &last)?;
        let changes = self.changes(start, &spots);
        let plan = Rc::new(ProofPlan::Path(self.states(&spots), PlanEnd::Goal(plans)));
        Ok(Some(found(start, plan, Weight::straight(nearest, changes))))
    }

    /// Of all ways down the rings from spots at a distance the best; `None` when they go through too
    /// many states.
    fn descend_all(
        &mut self,
        path: &PathCase<S>,
        starts: &[FragmentSpot],
        distance: u32,
    ) -> Result<Option<(FragmentSpot, Vec<FragmentSpot>)>, SearchHalt> {
        let mut trail = SearchTrail::new(starts.iter().copied());
        let mut best: Option<(u32, usize, usize)> = None;
        let mut looked_at = 0;
        let mut at = 0;
        while let Some(visit) = trail.visit(at, |a, b| self.order(*a, *b)) {
            self.fragment.visit()?;
            if visit.depth == distance {
                let here = (visit.changes, visit.rank, at);
                best = Some(best.map_or(here, |best| best.min(here)));
            } else {
                let after = self.fragment.next(visit.place)?;
                looked_at += after.len();
                if looked_at > SHORTEST_PATHS {
                    return Ok(None);
                }
                for &next in after.iter() {
                    let closer = distance - visit.depth - 1;
                    if path.rings.is_at(self.fragment.state(next), closer) {
                        trail.reach(next, at, self.fragment.changes(visit.place, next));
                    }
                }
            }
            at += 1;
        }
        Ok(best.map(|(_, _, at)| trail.way(at)))
    }

    /// The best shortest fair loop through a spot, of at most the size `most`: the spots after the
    /// first.
    pub(crate) fn shortest_loop(
        &mut self,
        path: &PathCase<S>,
        home: FragmentSpot,
        most: u32,
    ) -> Result<Option<(Vec<FragmentSpot>, Weight)>, SearchHalt> {
        let closing = match self.counted {
            CountedMeasure::Steps => 1,
            CountedMeasure::Nodes => 0,
        };
        let weight = |depth: u32, changes: u32| Weight {
            size: depth + closing,
            beyond: 1 - closing,
            prefix: 0,
            changes,
        };
        let met = self.met(path, home)?;
        if !self.fragment.is_restricted() {
            let rests = self
                .case
                .space
                .contains(self.case.resting()?, self.state(home));
            if rests && self.case.is_fair(path, met) {
                return Ok((closing <= most).then(|| (vec![], weight(0, 0))));
            }
        }
        let mut trail = SearchTrail::new([(home, met)]);
        let mut best: Option<(u32, u32, usize, usize)> = None;
        let mut at = 0;
        while let Some(visit) = trail.visit(at, |a, b| self.order(a.0, b.0)) {
            let (spot, met) = visit.place;
            let longer = best.is_some_and(|(depth, ..)| visit.depth > depth);
            if longer || visit.depth + closing > most {
                break;
            }
            for &next in self.fragment.next(spot)?.iter() {
                self.fragment.visit()?;
                let changes = self.fragment.changes(spot, next);
                if next == home && self.case.is_fair(path, met) {
                    let here = (visit.depth, visit.changes + changes, visit.rank, at);
                    best = Some(best.map_or(here, |best| best.min(here)));
                    continue;
                }
                let inside = self.fragment.state(next);
                let deeper = best.is_none() && visit.depth + 1 + closing <= most;
                if !deeper || !self.case.space.contains(&path.sets.endless, inside) {
                    continue;
                }
                let place = (next, met | self.met(path, next)?);
                if trail.admits(place, at) {
                    trail.reach(place, at, changes);
                }
            }
            at += 1;
        }
        Ok(best.map(|(depth, changes, _, at)| {
            let (_, places) = trail.way(at);
            let spots = places.into_iter().map(|(spot, _)| spot).collect();
            (spots, weight(depth, changes))
        }))
    }

    fn order(&self, a: FragmentSpot, b: FragmentSpot) -> Ordering {
        self.state(a).cmp(self.state(b))
    }

    fn states(&self, spots: &[FragmentSpot]) -> Vec<S::State> {
        spots.iter().map(|&spot| self.state(spot).clone()).collect()
    }

    /// How many variables change on a way, step by step.
    fn changes(&mut self, start: FragmentSpot, spots: &[FragmentSpot]) -> u32 {
        let mut here = start;
        let mut changes = 0;
        for &next in spots {
            changes += self.fragment.changes(here, next);
            here = next;
        }
        changes
    }

    pub(crate) fn met(&self, path: &PathCase<S>, spot: FragmentSpot) -> Result<u64, SearchHalt> {
        let met = self.case.met(path, self.state(spot));
        met.ok_or(SearchHalt::Exhausted)
    }

    fn best_bounded(
        &mut self,
        goal: Goal,
        most: u32,
        at: FragmentSpot,
        limit: u32,
    ) -> SearchAnswer<S> {
        let layers = self.case.layers(goal)?;
        let goals = layers.pattern.goal.clone().unwrap_or_default();
        let mut best: Option<FoundPlan<S::State>> = None;
        let mut limit = limit;
        let mut trail = SearchTrail::new([(at, 0)]);
        let mut here = 0;
        while let Some(visit) = trail.visit(here, |a, b| self.order(a.0, b.0)) {
            self.fragment.visit()?;
            let (spot, depth) = visit.place;
            let Some(room) = limit.checked_sub(depth) else {
                break;
            };
            let left = most - depth;
            let state = self.state(spot).clone();
            let end = match self.case.bounded_end(&layers, left, &state) {
                Some(BoundedEnd::Stop) => Some((PlanEnd::Stop, Weight::default())),
                Some(BoundedEnd::Goal) => {
                    let plans = self.best_all(&goals, spot, room)?;
                    plans.map(|(plans, weight)| (PlanEnd::Goal(plans), weight))
                }
                None => None,
            };
            if let Some((end, weight)) = end {
                let (_, places) = trail.way(here);
                let spots: Vec<FragmentSpot> = places.into_iter().map(|(spot, _)| spot).collect();
                let weight = Weight::straight(depth, visit.changes).plus(weight);
                limit = limit.min(weight.size);
                let plan = Rc::new(ProofPlan::Path(self.states(&spots), end));
                self.keep_better(&mut best, found(at, plan, weight));
            }
            // A strong path that is not at its goal stays; a weak one stays between its bounds.
            let must_stay = !layers.pattern.weak || layers.inside(left);
            let stays = !must_stay || self.case.space.contains(&layers.stay, &state);
            if let Some(below) = left.checked_sub(1).filter(|_| stays) {
                for &next in self.fragment.next(spot)?.iter() {
                    self.fragment.visit()?;
                    let layer = &layers.layers[below as usize];
                    if self.case.space.contains(layer, self.fragment.state(next)) {
                        let changes = self.fragment.changes(spot, next);
                        trail.reach((next, depth + 1), here, changes);
                    }
                }
            }
            here += 1;
        }
        Ok(best)
    }
}

fn found<T>(start: FragmentSpot, plan: PlanRef<T>, weight: Weight) -> FoundPlan<T> {
    FoundPlan {
        start,
        plan,
        weight,
    }
}
