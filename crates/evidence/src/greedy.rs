//! Plans made quickly, with set operations only: always found, not always shortest.
//!
//! Paths descend the rings of their fixpoint. A fair loop is closed the way of Clarke, Grumberg,
//! McMillan and Zhao (1995): visit each fairness constraint by the shortest way, then try to come
//! back; where that is impossible, go on from there, deeper into the graph of components.

use std::rc::Rc;

use wherefore_base::{Run, deep};
use wherefore_logic::{Fairness, Goal, Kernel};
use wherefore_space::{Rings, StateSpace};

use crate::Claim;
use crate::case::{Case, Finite, PathCase};
use crate::plan::{End, Plan, PlanRef};

impl<S: StateSpace> Case<'_, '_, S> {
    /// A plan for a claim that is so at a state.
    pub(crate) fn greedy(&self, claim: Claim, at: &S::State) -> Run<PlanRef<S::State>> {
        deep(|| match claim {
            Claim::HasPath => self.greedy_path(claim, at),
            Claim::Formula(goal, bounds) => match self.kernel(goal) {
                _ if !self.needs_steps(goal) && !self.has_branches(goal) => Ok(Rc::new(Plan::Leaf)),
                Kernel::State => Ok(Rc::new(Plan::Leaf)),
                Kernel::Branches(branches) => self.greedy_branch(&branches, at),
                Kernel::Step(_, next) => self.greedy_step(next, at),
                Kernel::Path(_) => self.greedy_path(claim, at),
                Kernel::Bounded(whole, _) => {
                    self.greedy_bounded(goal, bounds.unwrap_or(whole).most, at)
                }
            },
        })
    }

    /// Plans for all goals at a state.
    pub(crate) fn greedy_all(&self, goals: &[Goal], at: &S::State) -> Run<Vec<PlanRef<S::State>>> {
        let goals = goals.iter();
        goals
            .map(|&goal| self.greedy(Claim::Formula(goal, None), at))
            .collect()
    }

    fn has_branches(&self, goal: Goal) -> bool {
        matches!(self.kernel(goal), Kernel::Branches(_))
    }

    /// The first branch that is so without any step, otherwise the first that is so.
    fn greedy_branch(&self, branches: &[Vec<Goal>], at: &S::State) -> Run<PlanRef<S::State>> {
        let is_so = |goals: &&Vec<Goal>| goals.iter().all(|&goal| self.is_so(goal, at));
        let still = |goals: &Vec<Goal>| !goals.iter().any(|&goal| self.needs_steps(goal));
        let so: Vec<&Vec<Goal>> = branches.iter().filter(is_so).collect();
        let goals = so.iter().find(|goals| still(goals)).or(so.first());
        let goals = goals.expect("a claim that is so has a branch that is so");
        let number = branches.iter().position(|branch| *branch == **goals);
        let number = number.expect("the branch is one of the branches");
        Ok(Rc::new(Plan::Branch(number, self.greedy_all(goals, at)?)))
    }

    fn greedy_step(&self, next: Goal, at: &S::State) -> Run<PlanRef<S::State>> {
        let target = self.space.meet(&*self.set(next)?, self.live()?)?;
        let accepts = |state: &S::State| self.space.contains(&target, state);
        let state = self.nearest_successor(at, accepts, || Ok(target.clone()))?;
        let state = state.expect("a state where EX is so has a successor for it");
        let plan = self.greedy(Claim::Formula(next, None), &state)?;
        Ok(Rc::new(Plan::Step(state, plan)))
    }

    fn greedy_path(&self, claim: Claim, at: &S::State) -> Run<PlanRef<S::State>> {
        let path = self.path(claim)?;
        let mut states = self.descend(&path.rings, at)?;
        let end = states.last().unwrap_or(at).clone();
        let end = if self.space.contains(&path.sets.goal, &end) {
            let goals = path.pattern.goal.as_deref().unwrap_or_default();
            End::Goal(self.greedy_all(goals, &end)?)
        } else if path.finite == Finite::Anywhere {
            End::Stop
        } else if path.finite == Finite::InDeadlock
            && self.space.contains(self.checker.dead()?, &end)
        {
            End::Deadlock
        } else {
            let before = states.len();
            let (more, back) = self.lasso(&path, &end)?;
            states.extend(more);
            End::Loop(before + back)
        };
        Ok(Rc::new(Plan::Path(states, end)))
    }

    /// A shortest way down the rings, the start not included: at each step the successor with the fewest
    /// changes, of these the least.
    pub(crate) fn descend(&self, rings: &S::Rings, from: &S::State) -> Run<Vec<S::State>> {
        let distance = rings.distance(from).expect("the start is in the rings");
        let mut states: Vec<S::State> = Vec::new();
        for closer in (0..distance).rev() {
            self.space.budget().check()?;
            let here = states.last().unwrap_or(from);
            let next = self.nearest_successor(
                here,
                |state| rings.distance(state) == Some(closer),
                || {
                    Ok(rings
                        .ring(closer)
                        .expect("there is a ring at this distance"))
                },
            )?;
            states.push(next.expect("each ring has a step to the next"));
        }
        Ok(states)
    }

    /// From a state that can stay for ever: states to pass, and the position to loop back to (0 is the
    /// start).
    fn lasso(&self, path: &PathCase<S>, from: &S::State) -> Run<(Vec<S::State>, usize)> {
        let fairness = match path.fair {
            true => self.checker.fairness().clone(),
            false => Fairness::default(),
        };
        let mut within = self.space.hull(&path.sets.stay, &fairness)?;
        // Go where loops are before looking for one: of a long way there no state is worth a try.
        let recurring = self.space.recurring(&within)?;
        let rings = self.space.until(&within, &recurring)?;
        let mut run = vec![from.clone()];
        run.extend(self.descend(&rings, from)?);
        within = recurring;
        loop {
            self.space.budget().check()?;
            let anchor = run.len() - 1;
            for condition in &fairness.justice {
                self.visit(&within, condition, &mut run, anchor)?;
            }
            let mut narrowed = false;
            for (p, q) in &fairness.compassion {
                if self.visit(&within, q, &mut run, anchor)? {
                    continue;
                }
                // No q from here on, so a fair run has no p from some point on: go to where that is so.
                let calm = self.space.minus(&within, p)?;
                let calm = self.space.hull(&calm, &fairness)?;
                if calm != within {
                    let rings = self.space.until(&within, &calm)?;
                    let here = run.last().expect("the run is not empty").clone();
                    run.extend(self.descend(&rings, &here)?);
                    within = calm;
                    narrowed = true;
                    break;
                }
            }
            if narrowed {
                continue;
            }
            let home = self.space.just(&run[anchor])?;
            let rings = self.space.until(&within, &home)?;
            let here = run.last().expect("the run is not empty").clone();
            let back = self.least_on_way_back(&rings, &here)?;
            if let Some(first) = back {
                if rings.distance(&first) != Some(0) {
                    run.push(first.clone());
                    let mut way = self.descend(&rings, &first)?;
                    way.pop();
                    run.extend(way);
                }
                run.remove(0);
                return Ok((run, anchor));
            }
            // No way back: every further turn starts in a component further down, so this ends. Where
            // nothing was visited there is no fairness constraint to move us: take any step within.
            if run.len() - 1 == anchor {
                let accepts = |state: &S::State| self.space.contains(&within, state);
                let next = self.nearest_successor(&here, accepts, || Ok(within.clone()))?;
                run.push(next.expect("a state of the hull has a successor in it"));
            }
        }
    }

    /// The least successor among those nearest to home.
    fn least_on_way_back(&self, rings: &S::Rings, here: &S::State) -> Run<Option<S::State>> {
        const FEW: usize = 64;
        let few = self.space.successors(here)?.take(FEW);
        let few = few.collect::<Run<Vec<S::State>>>()?;
        if few.len() < FEW {
            let near = few
                .into_iter()
                .filter_map(|state| Some((rings.distance(&state)?, state)));
            return Ok(near.min().map(|(_, state)| state));
        }
        let after = self.space.post(&self.space.just(here)?)?;
        if self.space.is_empty(&self.space.meet(&after, rings.all())?) {
            return Ok(None);
        }
        let mut distance = 0;
        while let Some(ring) = rings.ring(distance) {
            if let Some(first) = self.space.first(&self.space.meet(&after, &ring)?)? {
                return Ok(Some(first));
            }
            distance += 1;
        }
        Ok(None)
    }

    /// Extends the run to a state of `condition` by the shortest way within a set, unless the run from
    /// the anchor on has one already; whether there is one at all.
    fn visit(
        &self,
        within: &S::Set,
        condition: &S::Set,
        run: &mut Vec<S::State>,
        anchor: usize,
    ) -> Run<bool> {
        let mut turn = run[anchor..].iter();
        if turn.any(|state| self.space.contains(condition, state)) {
            return Ok(true);
        }
        let goal = self.space.meet(within, condition)?;
        let rings = self.space.until(within, &goal)?;
        let here = run.last().expect("the run is not empty").clone();
        if rings.distance(&here).is_none() {
            return Ok(false);
        }
        run.extend(self.descend(&rings, &here)?);
        Ok(true)
    }

    fn greedy_bounded(&self, goal: Goal, most: u32, at: &S::State) -> Run<PlanRef<S::State>> {
        let layers = self.layers(goal)?;
        let mut states: Vec<S::State> = Vec::new();
        let mut left = most;
        loop {
            self.space.budget().check()?;
            let here = states.last().unwrap_or(at).clone();
            if let Some(end) = self.bounded_end(&layers, left, &here) {
                let end = match end {
                    BoundedEnd::Goal => {
                        let goals = layers.pattern.goal.as_deref().unwrap_or_default();
                        End::Goal(self.greedy_all(goals, &here)?)
                    }
                    BoundedEnd::Stop => End::Stop,
                };
                return Ok(Rc::new(Plan::Path(states, end)));
            }
            left -= 1;
            let next = &layers.layers[left as usize];
            let accepts = |state: &S::State| self.space.contains(next, state);
            let state = self.nearest_successor(&here, accepts, || Ok(next.clone()))?;
            states.push(state.expect("each layer has a step to the next"));
        }
    }

    /// Whether a bounded path may end at a state with this many steps left.
    pub(crate) fn bounded_end(
        &self,
        layers: &crate::case::Layers<S::Set>,
        left: u32,
        here: &S::State,
    ) -> Option<BoundedEnd> {
        let weak = layers.pattern.weak;
        let inside = layers.inside(left);
        let at_goal = self.space.contains(&layers.goal, here);
        let stays = self.space.contains(&layers.stay, here);
        let goal = match (weak, inside) {
            (false, inside) => inside && at_goal,
            (true, true) => at_goal && stays,
            (true, false) => at_goal,
        };
        match (goal, weak && left == 0 && stays) {
            (true, _) => Some(BoundedEnd::Goal),
            (false, true) => Some(BoundedEnd::Stop),
            (false, false) => None,
        }
    }
}

/// How a bounded path may end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoundedEnd {
    Goal,
    Stop,
}
