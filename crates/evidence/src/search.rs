//! Exact search for the shortest plan: fewest steps, then shorter prefix, then least states.
//!
//! All states of a path are tried as the point where it ends or where its loop begins, nearest first;
//! rings say how far the nearest end is, so whatever cannot beat the best plan so far is cut. A fair
//! loop is searched among pairs of a state and the set of constraints met so far. Breadth-first search
//! that starts from states in order and follows successors in order meets, of all shortest paths to a
//! state, the least one first.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::deep;
use wherefore_logic::{Goal, Kernel};
use wherefore_space::{Rings, StateSpace};

use crate::Claim;
use crate::case::{Case, Finite, PathCase};
use crate::fragment::{Fragment, Halt, SearchLimits, Spot};
use crate::greedy::BoundedEnd;
use crate::plan::{Cost, End, Plan, PlanRef};

/// A plan that starts at a spot.
#[derive(Clone, Debug)]
pub(crate) struct Found<T> {
    pub(crate) start: Spot,
    pub(crate) plan: PlanRef<T>,
    pub(crate) cost: Cost,
}

type Answer<S> = Result<Option<Found<<S as StateSpace>::State>>, Halt>;

/// What is known of a claim at a spot: the best plan, or that none has at most so many steps.
enum Known<T> {
    Best(Found<T>),
    NoneUpTo(u32),
}

pub(crate) struct Search<'c, 's, S: StateSpace> {
    pub(crate) case: &'c Case<'c, 's, S>,
    fragment: Fragment<'s, S>,
    known: FxHashMap<(Claim, Spot), Known<S::State>>,
}

impl<'c, 's, S: StateSpace> Search<'c, 's, S> {
    pub(crate) fn new(case: &'c Case<'c, 's, S>, limits: SearchLimits) -> Self {
        Self {
            case,
            fragment: Fragment::new(case.space, limits),
            known: FxHashMap::default(),
        }
    }

    pub(crate) fn spot(&mut self, state: &S::State) -> Spot {
        self.fragment.spot(state)
    }

    pub(crate) fn state(&self, spot: Spot) -> &S::State {
        self.fragment.state(spot)
    }

    /// Counts one visit.
    pub(crate) fn visit(&mut self) -> Result<(), Halt> {
        self.fragment.visit()
    }

    /// The best plan with at most `limit` steps for a claim that is so at all the starts, which are in
    /// order.
    pub(crate) fn best_from(&mut self, claim: Claim, starts: &[Spot], limit: u32) -> Answer<S> {
        if let Some((number, goals, inner)) = self.only_branch(claim) {
            let Some(found) = self.best_from(Claim::Formula(goals[inner], None), starts, limit)?
            else {
                return Ok(None);
            };
            let at = self.state(found.start).clone();
            let mut plans = self.case.greedy_all(&goals, &at)?;
            plans[inner] = found.plan.clone();
            return Ok(Some(Found {
                plan: Rc::new(Plan::Branch(number, plans)),
                ..found
            }));
        }
        if self.is_path(claim) {
            let path = self.case.path(claim)?;
            return self.best_path(&path, starts, limit);
        }
        let mut best: Option<Found<S::State>> = None;
        let mut limit = limit;
        for &start in starts {
            self.fragment.visit()?;
            if let Some(found) = self.best(claim, start, limit)? {
                limit = limit.min(found.cost.steps);
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

    fn keep_better(&self, best: &mut Option<Found<S::State>>, found: Found<S::State>) {
        let Some(old) = best else {
            *best = Some(found);
            return;
        };
        let by_states = || {
            let told = |f: &Found<S::State>| {
                let start = self.state(f.start).clone();
                [vec![start], f.plan.states()].concat()
            };
            told(&found).cmp(&told(old))
        };
        if found.cost.cmp(&old.cost).then_with(by_states).is_lt() {
            *best = Some(found);
        }
    }

    /// The best plan with at most `limit` steps for a claim that is so at a spot.
    fn best(&mut self, claim: Claim, at: Spot, limit: u32) -> Answer<S> {
        match self.known.get(&(claim, at)) {
            Some(Known::Best(found)) => {
                return Ok((found.cost.steps <= limit).then(|| found.clone()));
            }
            Some(Known::NoneUpTo(most)) if *most >= limit => return Ok(None),
            _ => {}
        }
        let found = deep(|| self.best_anew(claim, at, limit))?;
        let known = match &found {
            Some(found) => Known::Best(found.clone()),
            None => Known::NoneUpTo(limit),
        };
        self.known.insert((claim, at), known);
        Ok(found)
    }

    fn best_anew(&mut self, claim: Claim, at: Spot, limit: u32) -> Answer<S> {
        self.fragment.visit()?;
        let Claim::Formula(goal, bounds) = claim else {
            let path = self.case.path(claim)?;
            return self.best_path(&path, &[at], limit);
        };
        if !self.case.needs_steps(goal) {
            let plan = self.case.greedy(claim, &self.state(at).clone())?;
            return Ok(Some(found(at, plan)));
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

    fn best_branch(&mut self, branches: &[Vec<Goal>], at: Spot, limit: u32) -> Answer<S> {
        let mut best = None;
        let mut limit = limit;
        for (number, goals) in branches.iter().enumerate() {
            let state = self.state(at).clone();
            if !goals.iter().all(|&goal| self.case.is_so(goal, &state)) {
                continue;
            }
            if let Some(plans) = self.best_all(goals, at, limit)? {
                let found = found(at, Rc::new(Plan::Branch(number, plans)));
                limit = limit.min(found.cost.steps);
                // Of equal branches the first: a later one must be shorter.
                match &best {
                    Some(old) if found.cost >= Found::cost(old) => {}
                    _ => best = Some(found),
                }
            }
        }
        Ok(best)
    }

    /// The best plans for all goals at a spot, with at most `limit` steps together.
    fn best_all(
        &mut self,
        goals: &[Goal],
        at: Spot,
        limit: u32,
    ) -> Result<Option<Vec<PlanRef<S::State>>>, Halt> {
        let mut plans = Vec::new();
        let mut left = limit;
        for &goal in goals {
            let Some(found) = self.best(Claim::Formula(goal, None), at, left)? else {
                return Ok(None);
            };
            left -= found.cost.steps;
            plans.push(found.plan);
        }
        Ok(Some(plans))
    }

    fn best_step(&mut self, next: Goal, at: Spot, limit: u32) -> Answer<S> {
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
                left = left.min(rest.cost.steps);
                self.keep_better(&mut best, found(at, Rc::new(Plan::Step(state, rest.plan))));
            }
        }
        Ok(best)
    }

    fn best_path(&mut self, path: &PathCase<S>, starts: &[Spot], limit: u32) -> Answer<S> {
        let goals = path.pattern.goal.clone().unwrap_or_default();
        if !path.pattern.weak && !goals.iter().any(|&goal| self.case.needs_steps(goal)) {
            return self.nearest_goal(path, &goals, starts, limit);
        }
        let space = self.case.space;
        let end = self.case.least_end(&path.pattern);
        let mut limit = limit;
        let mut best: Option<Found<S::State>> = None;
        let mut trail = Trail::new(starts);
        let mut at = 0;
        while let Some(&Visit { spot, depth, .. }) = trail.visits.get(at) {
            self.fragment.visit()?;
            let state = self.state(spot).clone();
            let Some(left) = limit.checked_sub(depth) else {
                break;
            };
            let mut ends = Vec::new();
            if space.contains(&path.sets.goal, &state)
                && let Some(plans) = self.best_all(&goals, spot, left)?
            {
                ends.push((vec![], End::Goal(plans)));
            }
            let stays = space.contains(&path.sets.stay, &state);
            if path.pattern.weak && stays {
                match path.finite {
                    Finite::Anywhere => ends.push((vec![], End::Stop)),
                    Finite::InDeadlock if space.contains(self.case.checker.dead()?, &state) => {
                        ends.push((vec![], End::Deadlock));
                    }
                    _ => {}
                }
                if path.finite != Finite::Anywhere
                    && space.contains(&path.sets.endless, &state)
                    && let Some(turn) = self.shortest_loop(path, spot, left)?
                {
                    ends.push((turn, End::Loop(depth as usize)));
                }
            }
            for (more, end) in ends {
                let (start, mut spots) = trail.way(at);
                spots.extend(more);
                let states = spots.iter().map(|&spot| self.state(spot).clone()).collect();
                let candidate = found(start, Rc::new(Plan::Path(states, end)));
                if candidate.cost.steps <= limit {
                    limit = limit.min(candidate.cost.steps);
                    self.keep_better(&mut best, candidate);
                }
            }
            if stays && depth + end < limit {
                for &next in self.fragment.next(spot)?.iter() {
                    self.fragment.visit()?;
                    // Later visits are deeper and the limit only falls: one look is enough.
                    if !trail.seen.insert(next) {
                        continue;
                    }
                    let distance = path.rings.distance(self.fragment.state(next));
                    if distance.is_some_and(|d| depth + 1 + d + end <= limit) {
                        trail.push(next, at, depth + 1);
                    }
                }
            }
            at += 1;
        }
        Ok(best)
    }

    /// The least shortest path to a goal that needs no further steps: straight down the rings.
    fn nearest_goal(
        &mut self,
        path: &PathCase<S>,
        goals: &[Goal],
        starts: &[Spot],
        limit: u32,
    ) -> Answer<S> {
        let distance = |spot: &Spot| path.rings.distance(self.fragment.state(*spot));
        let near = starts
            .iter()
            .filter_map(|spot| Some((distance(spot)?, *spot)));
        let Some((distance, start)) = near.min_by_key(|(distance, _)| *distance) else {
            return Ok(None);
        };
        if distance > limit {
            return Ok(None);
        }
        let from = self.state(start).clone();
        let states = self.case.descend(&path.rings, &from)?;
        let plans = self
            .case
            .greedy_all(goals, states.last().unwrap_or(&from))?;
        Ok(Some(found(
            start,
            Rc::new(Plan::Path(states, End::Goal(plans))),
        )))
    }

    /// The least shortest fair loop through a spot, of at most `most` steps: the spots after the first.
    pub(crate) fn shortest_loop(
        &mut self,
        path: &PathCase<S>,
        home: Spot,
        most: u32,
    ) -> Result<Option<Vec<Spot>>, Halt> {
        struct Turn {
            spot: Spot,
            met: u64,
            before: usize,
            depth: u32,
        }
        let met = self.met(path, home)?;
        let mut seen = FxHashSet::from_iter([(home, met)]);
        let mut turns = vec![Turn {
            spot: home,
            met,
            before: 0,
            depth: 0,
        }];
        let mut at = 0;
        while let Some(&Turn {
            spot, met, depth, ..
        }) = turns.get(at)
        {
            if depth >= most {
                break;
            }
            for &next in self.fragment.next(spot)?.iter() {
                self.fragment.visit()?;
                if next == home && self.is_fair(path, met) {
                    let mut spots = Vec::new();
                    let mut here = at;
                    while here != 0 {
                        spots.push(turns[here].spot);
                        here = turns[here].before;
                    }
                    spots.reverse();
                    return Ok(Some(spots));
                }
                let inside = self.fragment.state(next);
                if !self.case.space.contains(&path.sets.endless, inside) {
                    continue;
                }
                let met = met | self.met(path, next)?;
                if seen.insert((next, met)) {
                    turns.push(Turn {
                        spot: next,
                        met,
                        before: at,
                        depth: depth + 1,
                    });
                }
            }
            at += 1;
        }
        Ok(None)
    }

    /// Which fairness conditions a spot meets, one bit each: justice, then the pairs of compassion.
    pub(crate) fn met(&self, path: &PathCase<S>, spot: Spot) -> Result<u64, Halt> {
        if !path.fair {
            return Ok(0);
        }
        let fairness = self.case.checker.fairness();
        if fairness.justice.len() + 2 * fairness.compassion.len() > 64 {
            return Err(Halt::Exhausted);
        }
        let pairs = fairness.compassion.iter().flat_map(|(p, q)| [p, q]);
        let conditions = fairness.justice.iter().chain(pairs);
        let state = self.state(spot);
        let bits = conditions
            .enumerate()
            .map(|(bit, condition)| u64::from(self.case.space.contains(condition, state)) << bit);
        Ok(bits.sum())
    }

    pub(crate) fn is_fair(&self, path: &PathCase<S>, met: u64) -> bool {
        if !path.fair {
            return true;
        }
        let fairness = self.case.checker.fairness();
        let justice = fairness.justice.len();
        let has = |bit: usize| met >> bit & 1 == 1;
        let pairs = (0..fairness.compassion.len()).map(|pair| justice + 2 * pair);
        (0..justice).all(has) && pairs.into_iter().all(|p| !has(p) || has(p + 1))
    }

    fn best_bounded(&mut self, goal: Goal, most: u32, at: Spot, limit: u32) -> Answer<S> {
        let layers = self.case.layers(goal)?;
        let goals = layers.pattern.goal.clone().unwrap_or_default();
        let mut best: Option<Found<S::State>> = None;
        let mut limit = limit;
        let mut level = vec![(at, Vec::<Spot>::new())];
        for left in (0..=most).rev() {
            let depth = most - left;
            if depth > limit {
                break;
            }
            let mut next_level = Vec::new();
            let mut seen = FxHashSet::default();
            for (spot, way) in level {
                self.fragment.visit()?;
                let state = self.state(spot).clone();
                let end = match self.case.bounded_end(&layers, left, &state) {
                    Some(BoundedEnd::Stop) => Some(End::Stop),
                    Some(BoundedEnd::Goal) => {
                        self.best_all(&goals, spot, limit - depth)?.map(End::Goal)
                    }
                    None => None,
                };
                if let Some(end) = end {
                    let states = way.iter().map(|&spot| self.state(spot).clone()).collect();
                    let candidate = found(at, Rc::new(Plan::Path(states, end)));
                    limit = limit.min(candidate.cost.steps);
                    self.keep_better(&mut best, candidate);
                }
                let Some(below) = left.checked_sub(1) else {
                    continue;
                };
                // A strong path that is not at its goal stays; a weak one stays between its bounds.
                let must_stay = !layers.pattern.weak || layers.inside(left);
                if must_stay && !self.case.space.contains(&layers.stay, &state) {
                    continue;
                }
                for &next in self.fragment.next(spot)?.iter() {
                    self.fragment.visit()?;
                    let layer = &layers.layers[below as usize];
                    let inside = self.case.space.contains(layer, self.fragment.state(next));
                    if inside && seen.insert(next) {
                        let mut way = way.clone();
                        way.push(next);
                        next_level.push((next, way));
                    }
                }
            }
            level = next_level;
        }
        Ok(best)
    }
}

impl<T> Found<T> {
    fn cost(&self) -> Cost {
        self.cost
    }
}

fn found<T: Clone>(start: Spot, plan: PlanRef<T>) -> Found<T> {
    let cost = plan.cost();
    Found { start, plan, cost }
}

/// The visits of a breadth-first search, with the way to each.
struct Trail {
    visits: Vec<Visit>,
    seen: FxHashSet<Spot>,
}

struct Visit {
    spot: Spot,
    before: Option<usize>,
    depth: u32,
}

impl Trail {
    fn new(starts: &[Spot]) -> Self {
        let visits = starts.iter().map(|&spot| Visit {
            spot,
            before: None,
            depth: 0,
        });
        Self {
            visits: visits.collect(),
            seen: starts.iter().copied().collect(),
        }
    }

    fn push(&mut self, spot: Spot, before: usize, depth: u32) {
        self.visits.push(Visit {
            spot,
            before: Some(before),
            depth,
        });
    }

    /// Where the way to a visit starts, and the spots after the start.
    fn way(&self, mut at: usize) -> (Spot, Vec<Spot>) {
        let mut spots = Vec::new();
        while let Some(before) = self.visits[at].before {
            spots.push(self.visits[at].spot);
            at = before;
        }
        spots.reverse();
        (self.visits[at].spot, spots)
    }
}
