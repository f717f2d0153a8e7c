//! Paths that follow an automaton of conditions with the fewest exceptions, then the fewest steps.
//!
//! An exception is a step to a state that no arrow allows; the automaton waits. Exceptions and steps
//! together are a distance in the product of states and automaton, counted in exceptions first, and the
//! states at each distance are found by sets: level by level of exceptions, ring by ring of steps.

use std::collections::BTreeSet;
use std::rc::Rc;

use wherefore_base::Run;
use wherefore_logic::Fairness;
use wherefore_proof::Claim;
use wherefore_space::StateSpace;

use crate::case::{Finite, PathCase, ProofCase};
use crate::lasso::{WantedLoop, lasso, nearest_successor, small_lasso};
use crate::plan::{PlanEnd, PlanRef, ProofPlan};
use crate::product::AutomatonProduct;
use crate::strategy::Automaton;

/// So many exceptions are made at most; a path that needs more is not planned.
const EXCEPTIONS: usize = 64;
/// So many rings are worked out at most.
const RINGS: usize = 1 << 14;

/// A claim about a path, and an automaton that it should follow.
pub(crate) struct AlongAutomaton<'s, S: StateSpace> {
    product: AutomatonProduct<'s, S>,
    path: Rc<PathCase<S>>,
    /// Ways to where the path ends or can follow the automaton for ever.
    levels: Levels<S>,
    /// Where the path can follow the automaton for ever.
    hull: Vec<S::Set>,
    /// Ways to where the path ends or can go on for ever, once somebody needed one.
    any: Option<Levels<S>>,
}

/// The states at each distance.
struct Levels<S: StateSpace> {
    stay: S::Set,
    /// By exceptions, by steps, and by state of the automaton: the states that are exactly so far away.
    rings: Vec<Vec<Vec<S::Set>>>,
    /// The states of all rings.
    all: Vec<S::Set>,
    /// How many rings there are.
    count: usize,
    finished: bool,
}

/// A way down the levels: its states, and the states the automaton may be in at its end.
struct Descent<T> {
    states: Vec<T>,
    places: BTreeSet<usize>,
}

impl<'s, S: StateSpace> AlongAutomaton<'s, S> {
    pub(crate) fn new(
        case: &ProofCase<'_, 's, S>,
        claim: Claim,
        automaton: &Automaton,
    ) -> Run<Self> {
        let space = case.space;
        let condition = |condition| Ok((*case.condition(condition)?).clone());
        let product = AutomatonProduct::new(space, automaton, condition)?;
        let path = case.path(claim)?;
        let ends = case.finite_ends(&path)?;
        let mut hull = product.nothing();
        if path.pattern.weak && path.finite != Finite::Anywhere {
            let fairness = spread(&product, &case.fairness(&path))?;
            hull = product.hull(&product.spread(&path.sets.stay), &fairness)?;
        }
        let ends = product.join(&product.spread(&ends), &hull)?;
        Ok(Self {
            levels: Levels::new(&path.sets.stay, ends),
            any: None,
            product,
            path,
            hull,
        })
    }

    /// A plan from a state where the claim is so.
    pub(crate) fn plan(
        &mut self,
        case: &ProofCase<'_, 's, S>,
        at: &S::State,
    ) -> Run<Option<PlanRef<S::State>>> {
        if let Some(descent) = self.levels.descend(case.space, &self.product, at)? {
            return self.finish(case, at, descent, true).map(Some);
        }
        // Only a weak path can go on for ever without the automaton.
        if !self.path.pattern.weak {
            return Ok(None);
        }
        if self.any.is_none() {
            let ends = case.finite_ends(&self.path)?;
            let ends = case.space.join(&ends, &self.path.sets.endless)?;
            let ends = self.product.spread(&ends);
            self.any = Some(Levels::new(&self.path.sets.stay, ends));
        }
        let any = self.any.as_mut().expect("it was just made");
        match any.descend(case.space, &self.product, at)? {
            Some(descent) => self.finish(case, at, descent, false).map(Some),
            None => Ok(None),
        }
    }

    /// Plans the end of a path.
    fn finish(
        &self,
        case: &ProofCase<'_, 's, S>,
        at: &S::State,
        descent: Descent<S::State>,
        follow: bool,
    ) -> Run<PlanRef<S::State>> {
        let Descent { mut states, places } = descent;
        let end = states.last().unwrap_or(at).clone();
        if let Some(end) = case.finite_end(&self.path, &end)? {
            return Ok(Rc::new(ProofPlan::Path(states, end)));
        }
        let before = states.len();
        let fairness = case.fairness(&self.path);
        let (more, back) = if follow {
            let stays = |place: &&usize| case.space.contains(&self.hull[**place], &end);
            let place = places.iter().find(stays);
            let place = *place.expect("a way down the levels ends in the hull");
            let fairness = spread(&self.product, &fairness)?;
            let start = (end, place);
            let (more, back) = best_lasso(&self.product, &self.hull, &fairness, &start)?;
            (more.into_iter().map(|(state, _)| state).collect(), back)
        } else {
            let hull = case.space.hull(&self.path.sets.stay, &fairness)?;
            best_lasso(case.space, &hull, &fairness, &end)?
        };
        states.extend(more);
        Ok(Rc::new(ProofPlan::Path(
            states,
            PlanEnd::Loop(before + back),
        )))
    }
}

impl<S: StateSpace> ProofCase<'_, '_, S> {
    /// The fairness constraints that a path must obey if it goes on for ever.
    pub(crate) fn fairness(&self, path: &PathCase<S>) -> Fairness<S::Set> {
        match path.fair {
            true => self.checker.fairness().clone(),
            false => Fairness::default(),
        }
    }

    /// The states where a path may end.
    fn finite_ends(&self, path: &PathCase<S>) -> Run<S::Set> {
        let goal = &path.sets.goal;
        match path.finite {
            _ if !path.pattern.weak => Ok(goal.clone()),
            Finite::Never => Ok(goal.clone()),
            Finite::Anywhere => self.space.join(goal, &path.sets.endless),
            Finite::InDeadlock => {
                let ends = self.space.meet(&path.sets.stay, self.checker.dead()?)?;
                self.space.join(goal, &ends)
            }
        }
    }

    /// How a path ends at a state, if it may.
    fn finite_end(&self, path: &PathCase<S>, at: &S::State) -> Run<Option<PlanEnd<S::State>>> {
        if self.space.contains(&path.sets.goal, at) {
            let goals = path.pattern.goal.as_deref().unwrap_or_default();
            return Ok(Some(PlanEnd::Goal(self.greedy_all(goals, at)?)));
        }
        Ok(match path.finite {
            Finite::Anywhere => Some(PlanEnd::Stop),
            Finite::InDeadlock if self.space.contains(self.checker.dead()?, at) => {
                Some(PlanEnd::Deadlock)
            }
            Finite::InDeadlock | Finite::Never => None,
        })
    }
}

impl<S: StateSpace> Levels<S> {
    fn new(stay: &S::Set, ends: Vec<S::Set>) -> Self {
        Self {
            stay: stay.clone(),
            all: ends.clone(),
            rings: vec![vec![ends]],
            count: 1,
            finished: false,
        }
    }

    /// The least of the ways with the fewest exceptions, then the fewest steps, from a state and the
    /// first state of the automaton to an end; `None` if there is none, or it is too far.
    fn descend(
        &mut self,
        space: &S,
        product: &AutomatonProduct<'_, S>,
        from: &S::State,
    ) -> Run<Option<Descent<S::State>>> {
        if product.size() == 0 {
            return Ok(None);
        }
        while !self.finished && !space.contains(&self.all[0], from) {
            self.grow(space, product)?;
        }
        let here = |level: &Vec<Vec<S::Set>>| {
            let mut rings = level.iter();
            rings.position(|ring| space.contains(&ring[0], from))
        };
        let mut levels = self.rings.iter().enumerate();
        let found = levels.find_map(|(exceptions, level)| Some((exceptions, here(level)?)));
        let Some((exceptions, steps)) = found else {
            return Ok(None);
        };
        // All states that the automaton may be in, each with the exceptions that are left: only so is
        // the least of all ways found.
        let mut places = BTreeSet::from([(0, exceptions)]);
        let mut states: Vec<S::State> = Vec::new();
        for closer in (0..steps).rev() {
            space.budget().check()?;
            let here = states.last().unwrap_or(from);
            let accepts = |state: &S::State| {
                let mut places = places.iter();
                places.any(|&place| {
                    !self
                        .entered(space, product, place, closer, state)
                        .is_empty()
                })
            };
            let next = nearest_successor(space, here, accepts, || {
                let mut targets = space.nothing();
                for &place in &places {
                    let target = self.target(space, product, place, closer)?;
                    targets = space.join(&targets, &target)?;
                }
                Ok(targets)
            })?;
            let next = next.expect("each ring has a step to the next");
            let entered = places.iter();
            let entered =
                entered.flat_map(|&place| self.entered(space, product, place, closer, &next));
            places = entered.collect();
            states.push(next);
        }
        let places = places.into_iter().map(|(place, _)| place).collect();
        Ok(Some(Descent { states, places }))
    }

    /// Where the automaton may be, and with how many exceptions left, when a state that is so many steps
    /// from an end is entered.
    fn entered(
        &self,
        space: &S,
        product: &AutomatonProduct<'_, S>,
        (place, exceptions): (usize, usize),
        steps: usize,
        state: &S::State,
    ) -> Vec<(usize, usize)> {
        let is_at = |place: usize, exceptions: usize| {
            let ring = self.rings[exceptions].get(steps);
            ring.is_some_and(|ring| space.contains(&ring[place], state))
        };
        let mut entered = Vec::new();
        for (allowed, to) in product.arrows(place) {
            if space.contains(allowed, state) && is_at(*to, exceptions) {
                entered.push((*to, exceptions));
            }
        }
        if exceptions > 0
            && space.contains(product.others(place), state)
            && is_at(place, exceptions - 1)
        {
            entered.push((place, exceptions - 1));
        }
        entered
    }

    /// The states for which [`Levels::entered`] is not empty.
    fn target(
        &self,
        space: &S,
        product: &AutomatonProduct<'_, S>,
        (place, exceptions): (usize, usize),
        steps: usize,
    ) -> Run<S::Set> {
        let mut target = space.nothing();
        if let Some(ring) = self.rings[exceptions].get(steps) {
            for (allowed, to) in product.arrows(place) {
                let allowed = space.meet(allowed, &ring[*to])?;
                target = space.join(&target, &allowed)?;
            }
        }
        if exceptions > 0
            && let Some(ring) = self.rings[exceptions - 1].get(steps)
        {
            let other = space.meet(product.others(place), &ring[place])?;
            target = space.join(&target, &other)?;
        }
        Ok(target)
    }

    /// Works out the next ring.
    fn grow(&mut self, space: &S, product: &AutomatonProduct<'_, S>) -> Run<()> {
        space.budget().check()?;
        let level = self.rings.len() - 1;
        let steps = self.rings[level].len();
        let last = &self.rings[level][steps - 1];
        let mut ring = product.pre(last)?;
        let above = level.checked_sub(1).map(|above| &self.rings[above]);
        // An exception is a step, too: it leads to the ring one step nearer, on the level with one exception
        // less.
        let excepted = above.and_then(|above| above.get(steps - 1));
        if let Some(excepted) = excepted {
            for (place, ring) in ring.iter_mut().enumerate() {
                let entered = space.meet(product.others(place), &excepted[place])?;
                if !space.is_empty(&entered) {
                    *ring = space.join(ring, &space.pre(&entered)?)?;
                }
            }
        }
        for (ring, all) in ring.iter_mut().zip(&mut self.all) {
            *ring = space.minus(&space.meet(ring, &self.stay)?, all)?;
            *all = space.join(all, ring)?;
        }
        // While the level with one exception less has further rings, an empty ring here is not the last.
        let more_above = above.is_some_and(|above| above.len() > steps);
        if !product.is_empty(&ring) || more_above {
            self.rings[level].push(ring);
            self.count += 1;
            self.finished = self.count >= RINGS;
            return Ok(());
        }
        // This level is done. The next one begins where an exception leads to this one.
        let is_empty = self.rings[level].iter().all(|ring| product.is_empty(ring));
        self.finished = is_empty || level + 1 >= EXCEPTIONS || self.count >= RINGS;
        if !self.finished {
            // An end needs no exceptions, so beyond level 0 the ring of no steps is empty.
            self.rings.push(vec![product.nothing()]);
            self.count += 1;
        }
        Ok(())
    }
}

/// The best lasso that a small search finds, or else any.
pub(crate) fn best_lasso<S: StateSpace>(
    space: &S,
    hull: &S::Set,
    fairness: &Fairness<S::Set>,
    from: &S::State,
) -> Run<(Vec<S::State>, usize)> {
    match small_lasso(space, hull, fairness, from, WantedLoop::Short)? {
        Some(best) => Ok(best),
        None => lasso(space, hull, fairness, from),
    }
}

/// Fairness constraints on a product.
fn spread<S: StateSpace>(
    product: &AutomatonProduct<'_, S>,
    fairness: &Fairness<S::Set>,
) -> Run<Fairness<Vec<S::Set>>> {
    fairness.try_map(|set| Ok(product.spread(set)))
}
