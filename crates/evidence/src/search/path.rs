//! The search for the best path: down the rings where they are enough, otherwise with every state tried as
//! the end of the path or the beginning of its loop.

use std::rc::Rc;

use wherefore_logic::Goal;
use wherefore_space::{Rings, StateSpace};

use super::{CountedMeasure, EvidenceSearch, FoundPlan, SearchAnswer, found};
use crate::case::{Finite, PathCase};
use crate::fragment::{FragmentSpot, SearchHalt};
use crate::greedy::BoundedEnd;
use crate::plan::{PlanEnd, ProofPlan, Weight};
use crate::trail::SearchTrail;

/// Of the shortest paths to a goal the one with the fewest changes is found when the states on them have
/// at most so many successors together.
const SHORTEST_PATHS: usize = 10_000;

/// A plan's end: the spots on the way to it, the end itself and its weight.
type SearchEnd<T> = (Vec<FragmentSpot>, PlanEnd<T>, Weight);

impl<S: StateSpace> EvidenceSearch<'_, '_, S> {
    pub(super) fn best_path(
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
            // A step that closes a loop adds no occurrence, so the end of a path may be free.
            CountedMeasure::Nodes => 0,
        };
        let mut limit = limit;
        let mut best: Option<FoundPlan<S::State>> = None;
        let mut trail = SearchTrail::new(starts.iter().copied());
        let mut at = 0;
        while let Some(visit) = trail.visit(at, |a, b| self.order(*a, *b)) {
            self.fragment.visit()?;
            // Visits come in order of depth, so no later one is within the limit either.
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
                // Depth, end and the step itself are paid: the rest is how far from an end the next state may
                // be.
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
            // The ways are too many: any of them has the least size, and only its changes may not be the
            // fewest.
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
            // A step from the state to itself is the shortest loop; the set knows it without listing
            // successors.
            let rests = self
                .case
                .space
                .contains(self.case.resting()?, self.state(home));
            if rests && self.case.is_fair(path, met) {
                return Ok((closing <= most).then(|| (vec![], weight(0, 0))));
            }
        }
        // A spot with other constraints met is another place: a fair loop may have to pass it more than once.
        let mut trail = SearchTrail::new([(home, met)]);
        let mut best: Option<(u32, u32, usize, usize)> = None;
        let mut at = 0;
        while let Some(visit) = trail.visit(at, |a, b| self.order(a.0, b.0)) {
            let (spot, met) = visit.place;
            // Loops of equal length are compared by changes, so the whole depth is visited before the search
            // ends.
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

    pub(super) fn best_bounded(
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
        // The depth is part of the place: bounds count steps, so one state at two depths is two places.
        let mut trail = SearchTrail::new([(at, 0)]);
        let mut here = 0;
        while let Some(visit) = trail.visit(here, |a, b| self.order(a.0, b.0)) {
            self.fragment.visit()?;
            let (spot, depth) = visit.place;
            let Some(room) = limit.checked_sub(depth) else {
                break;
            };
            // A step is taken only while one is left, so the depth never exceeds `most`.
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
}
